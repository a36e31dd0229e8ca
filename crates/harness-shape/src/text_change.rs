//! Inputs that differ from a given one in few words, while all others stay as they are.
//!
//! A choice may decide what those after it mean: where one rectangle is says where there is room for the next. So one other choice can
//! change most of an input. Here the text is changed, and what the shape does not describe is dropped.

use crate::choice::{Choice, Role, Simplest};
use crate::random::Random;
use crate::run::{Most, Options};
use crate::tree::Shape;
use std::ops::Range;

impl Shape {
    /// `input` with one to three changes of its text, in which no more is rare, in a form that the shape makes; `None` if none was found.
    pub fn with_text_changed(
        &self,
        input: &[u8],
        random: &mut Random,
        options: &Options,
    ) -> Option<Vec<u8>> {
        const TRIES: usize = 16;
        let rare = self.rare(input, options)?;
        (0..TRIES).find_map(|_| {
            let mut near = input.to_vec();
            for _ in 0..[1, 1, 1, 2, 2, 3][random.below(6)] {
                near = change(&near, random)?;
            }
            let choices = self.choices(&near, options).ok()?;
            if count_rare(&choices) > rare {
                return None;
            }
            // What is only accepted is lost.
            let near = self.make_only(&choices, &mut Simplest, Most::ANY, options).ok()?.bytes;
            (near != input).then_some(near)
        })
    }

    /// Whether an input has nothing that is rare, such as a comment or a number that is not a usual one.
    pub fn is_usual(&self, input: &[u8], options: &Options) -> bool {
        self.rare(input, options) == Some(0)
    }

    /// How much in an input is rare; `None` if it is not valid.
    fn rare(&self, input: &[u8], options: &Options) -> Option<usize> {
        Some(count_rare(&self.choices(input, options).ok()?))
    }
}

fn count_rare(choices: &[Choice]) -> usize {
    choices.iter().filter(|choice| choice.role == Role::Rare && choice.value > 0).count()
}

/// A text with one change, which can also be none; `None` if there is nothing to change.
fn change(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let words = words(text);
    let lines: Vec<_> = text.split_inclusive(|&byte| byte == b'\n').collect();
    if words.is_empty() {
        return None;
    }
    let (line, word) = (random.below(lines.len()), random.below(words.len()));
    Some(match random.below(64) {
        0 => [&lines[..line], &lines[line + 1..]].concat().concat(),
        1 => {
            let mut lines = lines;
            let other = random.below(lines.len());
            lines.swap(line, other);
            lines.concat()
        }
        // The word after this one in its place.
        2..=17 => match words.get(word + 1) {
            Some(next) => {
                let (this, next) = (words[word].clone(), next.clone());
                let between = &text[this.end..next.start];
                let parts = [&text[..this.start], &text[next.clone()], between, &text[this]];
                [&parts.concat(), &text[next.end..]].concat()
            }
            None => text.to_vec(),
        },
        _ => {
            let place = words[word].clone();
            let new = match number(&text[place.clone()]) {
                Some(number) if random.below(2) == 0 => number.saturating_add(1).to_string(),
                Some(number) => number.saturating_sub(1).to_string(),
                None => {
                    let other = words[random.below(words.len())].clone();
                    String::from_utf8_lossy(&text[other]).into_owned()
                }
            };
            [&text[..place.start], new.as_bytes(), &text[place.end..]].concat()
        }
    })
}

fn number(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The numbers of a text, and each other character that is no white space.
fn words(text: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let sign = usize::from(*byte == b'-');
        let digits = text[at + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = at + if digits > 0 { sign + digits } else { 1 };
        if !byte.is_ascii_whitespace() {
            words.push(at..end);
        }
        at = end;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_words_and_so_are_other_characters() {
        let text = b"12 -3\tab\n-x 4-5";
        let found: Vec<_> = words(text).into_iter().map(|word| &text[word]).collect();
        let expected = ["12", "-3", "a", "b", "-", "x", "4", "-5"].map(str::as_bytes);
        assert_eq!(found, expected);
    }
}
