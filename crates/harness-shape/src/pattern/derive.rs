//! Finds the choices that make a text from a regular expression.

use super::Node;
use super::make::{fitting, lengths_of_part};
use crate::choice::{Choice, Role};

/// A search for the choices behind a text.
pub(super) struct Search<'t> {
    text: &'t [u8],
    pub(super) choices: Vec<Choice>,
    /// The search gives up after this many steps.
    steps_left: u32,
    /// In how many parts it is.
    depth: usize,
}

/// What must follow a part of the text, given where that ends.
type Next<'n> = &'n mut dyn FnMut(&mut Search, usize) -> bool;

/// How many repetitions of a part that is no set are tried. Each is nested in the one before.
const MOST_NESTED: usize = 200;

/// The search gives up where this many parts, each nested in the one before, have led.
const DEEPEST: usize = 1000;

impl<'t> Search<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, choices: Vec::new(), steps_left: 100_000, depth: 0 }
    }

    /// Whether choices were found.
    pub(super) fn derive(&mut self, root: &Node, length: Option<usize>) -> bool {
        let end = self.text.len();
        self.part(root, length, 0, &mut |_, at| at == end)
    }

    fn part(&mut self, node: &Node, length: Option<usize>, at: usize, next: Next) -> bool {
        if self.steps_left == 0 || self.depth == DEEPEST {
            return false;
        }
        self.steps_left -= 1;
        self.depth += 1;
        let found = self.part_here(node, length, at, next);
        self.depth -= 1;
        found
    }

    fn part_here(&mut self, node: &Node, length: Option<usize>, at: usize, next: Next) -> bool {
        match node {
            Node::Bytes(bytes) => {
                self.text[at..].starts_with(bytes) && next(self, at + bytes.len())
            }
            Node::Set(set) => {
                let choice = self.text.get(at).and_then(|byte| letter(set, *byte));
                choice.is_some_and(|choice| self.with(choice, |search| next(search, at + 1)))
            }
            Node::Either(parts) => {
                let among = fitting(parts, length);
                let options = among.len() as u64;
                among.iter().enumerate().any(|(value, part)| {
                    let choice = Choice { value: value as u64, options, role: Role::Letter };
                    self.with(choice, |search| search.part(part, length, at, next))
                })
            }
            Node::Sequence(parts) => {
                self.sequence(parts, length.map(|length| at + length), at, next)
            }
            Node::Repeat { least, most, part, .. } => {
                let bounds = (*least as usize, most.map(|most| most as usize));
                match (&**part, length) {
                    (Node::Set(set), length) => self.letters(set, bounds, length, at, next),
                    (part, None) => self.repeated(part, bounds, at, next),
                    // The lengths of the parts are not known. Few expressions need them.
                    (_, Some(_)) => false,
                }
            }
        }
    }

    /// Tries the rest with a choice, which is dropped if the rest fails.
    fn with(&mut self, choice: Choice, rest: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = self.choices.len();
        self.choices.push(choice);
        let found = rest(self);
        if !found {
            self.choices.truncate(before);
        }
        found
    }

    /// Parts one after the other. If they have a length, they end at `end`.
    fn sequence(&mut self, parts: &[Node], end: Option<usize>, at: usize, next: Next) -> bool {
        let Some((part, rest)) = parts.split_first() else { return next(self, at) };
        let Some(end) = end else {
            return self
                .part(part, None, at, &mut |search, at| search.sequence(rest, None, at, next));
        };
        let (lowest, highest) = lengths_of_part(part, rest, end.saturating_sub(at));
        (lowest..=highest).any(|length| {
            let options = (highest - lowest) as u64 + 1;
            let choice = Choice { value: (length - lowest) as u64, options, role: Role::Size };
            self.with(choice, |search| {
                search.part(part, Some(length), at, &mut |search, at| {
                    search.sequence(rest, Some(end), at, next)
                })
            })
        })
    }

    /// Letters of a set, as many as possible first.
    fn letters(
        &mut self,
        set: &[u8],
        (least, most): (usize, Option<usize>),
        length: Option<usize>,
        at: usize,
        next: Next,
    ) -> bool {
        let most = most.unwrap_or(usize::MAX).min(length.unwrap_or(usize::MAX));
        let run = self.text[at..].iter().map_while(|&byte| letter(set, byte)).take(most);
        let run: Vec<_> = run.collect();
        let fewest = length.unwrap_or(least).max(least);
        let before = self.choices.len();
        for count in (fewest..=run.len()).rev() {
            if length.is_none() {
                let options = if most == usize::MAX { u64::MAX } else { (most - least) as u64 + 1 };
                let value = (count - least) as u64;
                self.choices.push(Choice { value, options, role: Role::Size });
            }
            self.choices.extend(&run[..count]);
            if next(self, at + count) {
                return true;
            }
            self.choices.truncate(before);
        }
        false
    }

    fn repeated(
        &mut self,
        part: &Node,
        (least, most): (usize, Option<usize>),
        at: usize,
        next: Next,
    ) -> bool {
        let options = most.map_or(u64::MAX, |most| (most - least) as u64 + 1);
        let longest = most.unwrap_or(usize::MAX).min(least.saturating_add(self.text.len() - at));
        (least..=longest.min(MOST_NESTED)).any(|count| {
            let choice = Choice { value: (count - least) as u64, options, role: Role::Size };
            self.with(choice, |search| search.times(part, count, at, next))
        })
    }

    fn times(&mut self, part: &Node, count: usize, at: usize, next: Next) -> bool {
        if count == 0 {
            return next(self, at);
        }
        self.part(part, None, at, &mut |search, at| search.times(part, count - 1, at, next))
    }
}

fn letter(set: &[u8], byte: u8) -> Option<Choice> {
    let value = set.iter().position(|&other| other == byte)? as u64;
    Some(Choice { value, options: set.len() as u64, role: Role::Letter })
}
