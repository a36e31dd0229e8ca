//! Reads a clause that describes one move: finds the words for the piece, the number of spaces, and the number of the move.

use super::moves::{Listed, Move, direction};
use super::statement::number;

const PIECES: [&str; 5] = ["piece", "block", "tile", "car", "vehicle"];
const LABELS: [&str; 6] = ["step", "move", "no", "nr", "number", "turn"];
const UNITS: [&str; 26] = [
    "space",
    "spaces",
    "cell",
    "cells",
    "square",
    "squares",
    "step",
    "steps",
    "unit",
    "units",
    "position",
    "positions",
    "place",
    "places",
    "spot",
    "spots",
    "slot",
    "slots",
    "row",
    "rows",
    "column",
    "columns",
    "blocks",
    "tiles",
    "time",
    "times",
];

/// Words with one direction.
pub(super) struct Clause<'a> {
    words: &'a [Word],
    /// The words that may be a piece or a number and are not yet assigned.
    rest: Vec<usize>,
}

impl<'a> Clause<'a> {
    pub(super) fn new(words: &'a [Word], names: &str) -> Self {
        let is_article = |at: usize| {
            words[at].is(&["a"]) && words.get(at + 1).is_some_and(|next| next.is(&PIECES))
        };
        let is_value = |&at: &usize| words[at].is_value(names) && !is_article(at);
        Self { words, rest: (0..words.len()).filter(is_value).collect() }
    }

    /// The move, if the clause describes all of it. `before` is the piece of the previous clause.
    pub(super) fn read(mut self, before: Option<char>) -> Option<Listed> {
        let direction = (0..self.words.len()).find_map(|at| direction(self.words, at))?;
        let mut piece = self.marked_piece();
        let mut spaces = self.marked_spaces();
        let total = self.total();
        let needed = usize::from(piece.is_none()) + usize::from(spaces.is_none());
        let number = self.number(needed);
        let is_goal = self.words.iter().any(|word| word.is(&["goal"]));
        let otherwise = before.or(is_goal.then_some('Z'));
        match (self.rest.as_slice(), piece, spaces) {
            ([], _, _) => {}
            ([only], None, Some(_)) => piece = self.words[*only].name(),
            ([only], _, None) => spaces = self.words[*only].text.parse().ok(),
            ([first, second], None, None) => {
                let (first, second) = (&self.words[*first], &self.words[*second]);
                let is_turned = second.name().is_some()
                    && first.is_integer()
                    && (first.name().is_none() || !second.is_integer());
                let (name, count) = if is_turned { (second, first) } else { (first, second) };
                (piece, spaces) = (name.name(), count.text.parse().ok());
            }
            _ => return None,
        }
        let step = Move { piece: piece.or(otherwise)?, direction, spaces: spaces? };
        Some(Listed { step, number, total })
    }

    fn take(&mut self, at: usize) {
        self.rest.retain(|&other| other != at);
    }

    /// The piece after a word such as `piece`.
    fn marked_piece(&mut self) -> Option<char> {
        let words = self.words;
        let at = (1..words.len()).find(|&at| {
            let marker =
                if words[at - 1].is(&["no", "nr", "number"]) && at > 1 { at - 2 } else { at - 1 };
            words[marker].is(&PIECES) && words[at].name().is_some()
        })?;
        self.take(at);
        words[at].name()
    }

    /// The number before a word such as `spaces`, after `by`, or in words.
    fn marked_spaces(&mut self) -> Option<u32> {
        let words = self.words;
        let first = self.rest.first().copied();
        let is_marked = |at: usize| {
            let is_first = at == first.unwrap_or(at) && words[at].after.contains(['.', ')', ':']);
            let has_unit = words.get(at + 1).is_some_and(|next| next.is(&UNITS)) && !is_first;
            has_unit || at > 0 && words[at - 1].is(&["by"])
        };
        let value = |at: usize| {
            let is_single = words[at].is(&["a", "an", "single"]) && is_marked(at);
            number(&words[at].text).or(is_single.then_some(1))
        };
        let in_words = |at: usize| !words[at].is_integer() && number(&words[at].text).is_some();
        let at =
            (0..words.len()).find(|&at| (is_marked(at) || in_words(at)) && value(at).is_some())?;
        let spaces = value(at);
        self.take(at);
        spaces
    }

    /// The 5 in `1 of 5`.
    fn total(&mut self) -> Option<u32> {
        let first = *self.rest.first()?;
        let at = first + 2;
        let is_total = self.words.get(first + 1)?.is(&["of"]) && self.words.get(at)?.is_integer();
        if !is_total {
            return None;
        }
        self.take(at);
        self.words[at].text.parse().ok()
    }

    /// The number of the move: the first value, if punctuation marks it as one, or if enough values remain for what is `needed`.
    fn number(&mut self, needed: usize) -> Option<u32> {
        let first = *self.rest.first()?;
        let word = &self.words[first];
        let is_in_front = self.words[..first].iter().all(|word| {
            word.is(&LABELS) || word.is(&["then", "and", "next", "first", "finally", "now"])
        });
        if !word.is_integer() || !is_in_front {
            return None;
        }
        let is_closed = word.after.starts_with(['.', ')', ']']) && !word.before.contains('(');
        if !is_closed && self.rest.len() <= needed {
            return None;
        }
        self.take(first);
        word.text.parse().ok()
    }
}

/// A word of a line, with the punctuation around it.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) before: String,
    after: String,
}

impl Word {
    pub(super) fn is(&self, any: &[&str]) -> bool {
        any.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }

    pub(super) fn name(&self) -> Option<char> {
        let mut characters = self.text.chars();
        characters.next().filter(|_| characters.next().is_none())
    }

    fn is_integer(&self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether it may name a piece or be a number.
    pub(super) fn is_value(&self, names: &str) -> bool {
        self.is_integer() || self.name().is_some_and(|name| names.contains(name))
    }
}

/// The words of a line, each a run of letters or of digits. A slash counts as `of`.
pub(super) fn words(line: &str) -> Vec<Word> {
    let line = line.replace("(s)", "s").replace("(es)", "es").replace('/', " of ");
    let mut words: Vec<Word> = Vec::new();
    let mut gap = String::new();
    let mut is_open = false;
    for c in line.chars() {
        if !c.is_alphanumeric() && !matches!(c, '!' | '?' | '@' | '$' | '%' | '^' | '~') {
            gap.push(c);
            is_open = false;
            continue;
        }
        if let Some(last) = words.last_mut() {
            if is_open && last.is_integer() == c.is_ascii_digit() {
                last.text.push(c);
                continue;
            }
            last.after.clone_from(&gap);
        }
        words.push(Word {
            text: c.to_string(),
            before: std::mem::take(&mut gap),
            after: String::new(),
        });
        is_open = true;
    }
    if let Some(last) = words.last_mut() {
        last.after = gap;
    }
    for word in &mut words {
        let plain = word.text.trim_end_matches(['!', '?']);
        if !plain.is_empty() {
            word.text = plain.to_owned();
        }
    }
    words
}
