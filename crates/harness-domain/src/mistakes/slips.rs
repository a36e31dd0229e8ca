//! The mistakes of any text: what is missing, what is too much, what is something else. `words.rs` has those in words. Pure.

use super::form;
use super::words::{self, exchanged_lines, with_its_blank, words};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::ops::Range;

/// What takes the place of a character, or is inserted before one.
const OTHERS: &[u8] = b"xX~-. 9\n";
/// What takes the place of a number, besides its neighbours.
const NUMBERS: [&str; 4] = ["0", "-1", "x", "99999999999999999999"];

/// One mistake: what is at a place is replaced by this.
pub(super) struct Slip(pub(super) Range<usize>, pub(super) Vec<u8>);

impl Slip {
    pub(super) fn made(self, text: &[u8]) -> Vec<u8> {
        let Self(place, by) = self;
        [&text[..place.start], &by, &text[place.end..]].concat()
    }
}

/// Every text with one mistake. `known` are words that occur in such texts.
pub(super) fn all(text: &[u8], known: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut slips = words::all(text, known);
    slips.extend(exchanged_lines(text));
    let others = others(text);
    for at in 0..=text.len() {
        slips.extend(others.iter().map(|&other| Slip(at..at, vec![other])));
        slips.push(Slip(at..text.len(), Vec::new()));
    }
    for at in 0..text.len() {
        slips.push(Slip(at..at + 1, Vec::new()));
        slips.extend(others.iter().map(|&other| Slip(at..at + 1, vec![other])));
    }
    for line in lines(text) {
        slips.push(Slip(line.end..line.end, text[line.clone()].to_vec()));
        slips.push(Slip(line, Vec::new()));
    }
    for number in numbers(text) {
        slips.extend(other_numbers(&text[number.clone()]).map(|other| Slip(number.clone(), other)));
    }
    let mistaken = slips.into_iter().map(|slip| slip.made(text));
    mistaken.filter(|mistaken| mistaken != text).collect()
}

/// The characters that may be wrong where they are: those of the text, and others.
fn others(text: &[u8]) -> BTreeSet<u8> {
    text.iter().chain(OTHERS).copied().collect()
}

/// A text with one mistake. Each sort of mistake is as likely as any other.
pub(super) fn any(text: &[u8], known: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let at = rng.usize(..=text.len());
    let next = (at + 1).min(text.len());
    let own = rng.choice(text).filter(|_| rng.bool());
    let other = vec![own.copied().unwrap_or_else(|| OTHERS[rng.usize(..OTHERS.len())])];
    let (lines, numbers) = (lines(text), numbers(text));
    let line = rng.choice(&lines).cloned().unwrap_or(at..next);
    let slip = match rng.u8(..12) {
        0 => Slip(at..next, Vec::new()),
        1 => Slip(at..next, other),
        2 => Slip(at..at, other),
        3 => Slip(at..text.len(), Vec::new()),
        4 => Slip(line.end..line.end, text[line.clone()].to_vec()),
        5 => Slip(line, Vec::new()),
        6 => {
            let mut exchanged = exchanged_lines(text);
            match exchanged.len() {
                0 => Slip(at..next, other),
                count => exchanged.swap_remove(rng.usize(..count)),
            }
        }
        7..=9 => words::any(text, known, rng).unwrap_or(Slip(at..at, other)),
        _ => match rng.choice(&numbers) {
            Some(number) => {
                let others: Vec<_> = other_numbers(&text[number.clone()]).collect();
                Slip(number.clone(), others[rng.usize(..others.len())].clone())
            }
            None => Slip(at..at, other),
        },
    };
    slip.made(text)
}

/// Simpler texts: in the usual form, without a line, a word or a character, also with one less of a number, and with smaller numbers. The
/// largest step is first. None has more that is not in the usual form, and one that has as much is no longer, so that steps come to an end.
pub(super) fn simpler(text: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![form::usual(text)];
    if !text.ends_with(b"\n") {
        all.push([text, b"\n"].concat());
    }
    all.extend(shorter(text));
    if text.len() <= LONG {
        all.extend(with_smaller_numbers(text));
    }
    let size = |text: &[u8]| (form::oddities(text), text.len());
    let most = size(text);
    all.retain(|simpler| simpler != text && size(simpler).le(&most));
    all
}

/// The longest text of which each character is left out.
const MOST: usize = 400;
/// Of a longer one, only lines are left out: each step copies the text.
const LONG: usize = 4096;

/// The text without a line, a word or a character.
fn shorter(text: &[u8]) -> Vec<Vec<u8>> {
    let without = |place: Range<usize>| Slip(place, Vec::new()).made(text);
    let words = if text.len() <= LONG { words(text) } else { Vec::new() };
    let words = words.into_iter().map(|word| with_its_blank(text, &word));
    let mut all: Vec<_> = lines(text).into_iter().chain(words).map(without).collect();
    if text.len() <= MOST {
        all.extend((0..text.len()).map(|at| without(at..at + 1)));
    }
    all
}

/// The text with a smaller number: 0, then less by a half, by a quarter, and so on, and at last by one, also with as many fewer lines
/// or columns.
fn with_smaller_numbers(text: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for number in numbers(text) {
        let Some(value) = value(&text[number.clone()]).filter(|&value| value > 0) else { continue };
        let with = |value: u64| Slip(number.clone(), value.to_string().into_bytes()).made(text);
        let parts = (1..u64::BITS).map(|part| value >> part).take_while(|&part| part > 1);
        all.push(with(0));
        all.extend(parts.map(|part| with(value - part)));
        let less = with(value - 1);
        if text.len() <= MOST {
            all.extend(without_a_line_or_column(&less, number.start));
        }
        all.push(less);
    }
    all
}

/// The text without one of the lines that do not contain the place `kept`, or without the same column in all of these.
fn without_a_line_or_column(text: &[u8], kept: usize) -> Vec<Vec<u8>> {
    let lines: Vec<_> = lines(text);
    let others = || lines.iter().filter(|line| !line.contains(&kept));
    let widest = others().map(Range::len).max().unwrap_or(0);
    let mut all: Vec<_> = others().map(|line| Slip(line.clone(), Vec::new()).made(text)).collect();
    for column in 0..widest.saturating_sub(1) {
        let is_kept = |line: &Range<usize>, at: usize| line.contains(&kept) || at != column;
        let left = lines.iter().flat_map(|line| {
            let bytes = text[line.clone()].iter().enumerate();
            bytes
                .filter(move |&(at, byte)| *byte == b'\n' || is_kept(line, at))
                .map(|(_, byte)| *byte)
        });
        all.push(left.collect());
    }
    all
}

/// The value of a number that is not huge.
fn value(number: &[u8]) -> Option<u64> {
    std::str::from_utf8(number).ok()?.parse().ok()
}

/// Where the lines are, with their ends.
pub(super) fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive(|&byte| byte == b'\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    lines.collect()
}

/// Where the numbers are.
fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let mut numbers: Vec<Range<usize>> = Vec::new();
    for at in (0..text.len()).filter(|&at| text[at].is_ascii_digit()) {
        match numbers.last_mut() {
            Some(number) if number.end == at => number.end = at + 1,
            _ => numbers.push(at..at + 1),
        }
    }
    numbers
}

/// What may stand in the place of a number: its neighbours, and what is never right.
fn other_numbers(number: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let near =
        value(number).into_iter().flat_map(|value| [value.checked_add(1), value.checked_sub(1)]);
    let near = near.flatten().map(|value| value.to_string());
    near.chain(NUMBERS.map(str::to_owned)).map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_loses_a_column_or_a_row_together_with_its_number() {
        let simpler = simpler(b"0 2 3\n@.x\n.?.\n");
        for expected in ["0 1 3\n@.x\n", "0 2 2\n.x\n?.\n", "0 2 2\n@x\n..\n", "0 2 0\n@.x\n.?.\n"]
        {
            assert!(simpler.contains(&expected.as_bytes().to_vec()), "{expected:?}");
        }
    }

    #[test]
    fn a_simpler_text_has_no_more_that_is_odd() {
        let all = |text: &str| -> Vec<String> {
            let all = simpler(text.as_bytes()).into_iter();
            all.map(|text| String::from_utf8(text).unwrap()).collect()
        };
        let simpler = all("a 5 x\n");
        assert!(simpler.contains(&"a 5\n".to_owned()), "{simpler:?}");
        let is_odd = |text: &&String| text.starts_with(' ') || !text.ends_with('\n');
        assert_eq!(simpler.iter().find(is_odd), None);
        assert!(all(" a\n").contains(&"a\n".to_owned()));
        assert!(all("a").contains(&"a\n".to_owned()));
    }

    #[test]
    fn steps_to_simpler_texts_come_to_an_end() {
        // A program that refuses blanks at the end of a line.
        let is_refused = |text: &[u8]| text.ends_with(b" ") || text.ends_with(b" \n");
        let mut text = b"5 7  \n".to_vec();
        let steps = std::iter::from_fn(|| {
            text = simpler(&text).into_iter().find(|text| is_refused(text))?;
            Some(text.clone())
        });
        assert!(steps.take(100).count() < 100);
    }

    #[test]
    fn a_large_number_becomes_smaller_in_few_steps() {
        let mut number = 33_999;
        for _ in 0..40 {
            let simpler = simpler(format!("{number}\n").as_bytes()).into_iter();
            let numbers =
                simpler.filter_map(|text| String::from_utf8(text).ok()?.trim().parse().ok());
            number = numbers.into_iter().find(|&number: &u32| number >= 4000).unwrap_or(number);
        }
        assert_eq!(number, 4000);
    }

    #[test]
    fn each_mistake_that_is_drawn_is_listed() {
        let text = b"2\n10 x\n3\n";
        let known = [b"--y".to_vec()];
        let all = all(text, &known);
        let mut rng = Rng::with_seed(0);
        for _ in 0..1000 {
            let drawn = any(text, &known, &mut rng);
            assert!(drawn == text || all.contains(&drawn), "{:?}", String::from_utf8_lossy(&drawn));
        }
    }
}
