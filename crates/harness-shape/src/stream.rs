//! The streams that an interpreter runs on: a source, from which an input is read, and a sink, into which one is written.

mod comment;
mod decimal;
mod reader;
mod room;
mod scan;
mod writer;

pub use decimal::{DecimalRule, Form};
pub use reader::Reader;
pub use writer::Writer;

use crate::choice::{Choice, Role};
use crate::distinct::Distinct;
use crate::grid::listed;
use crate::number::Range;
use crate::pattern::Pattern;
use crate::tree::Leeway;
use crate::usual::Preferred;
use crate::value::Value;
use bigdecimal::BigDecimal;

/// A source or a sink. A failure says what was expected.
pub trait Stream {
    /// How many bytes were read or written.
    fn position(&self) -> usize;
    /// How many choices were made or recorded.
    fn choices(&self) -> usize;
    /// Whether the input is made, not read.
    fn is_made(&self) -> bool;
    /// Whether regular expressions have taken too long.
    fn is_exhausted(&self) -> bool {
        false
    }
    /// Whether choices are made or recorded.
    fn has_choices(&self) -> bool;
    /// Makes a choice. An input that is read makes none.
    fn choose(&mut self, options: u64, role: Role) -> u64;
    /// An input that is made is about to get cells, each one of this many letters.
    fn begin_cells(&mut self, letters: u64);
    /// An input that is made is about to get a list or a text that rather has one of these structures.
    fn prefer(&mut self, usual: &[Preferred]);
    /// An input that is made is about to get a list, in which a letter is one of this many, with so many repetitions, if that is known.
    fn begin_list(&mut self, letters: u64, rows: Option<u64>);
    /// An input that is made is about to get another repetition of the list.
    fn begin_repetition(&mut self);
    /// Makes another choice instead of the one with this number, if the input is made.
    fn amend(&mut self, at: usize, value: u64);
    /// Takes back what was made after this many bytes and choices.
    fn rewind(&mut self, position: usize, choices: usize);
    /// Records choices of an input that is read, before the choice with this number.
    fn record(&mut self, at: usize, choices: &[Choice]);
    /// Whether this is the place for the one mistake of an input that is made.
    fn is_place_for_mistake(&mut self) -> bool;
    /// Says what the mistake is.
    fn tell_mistake(&mut self, what: String);

    fn space(&mut self) -> Result<(), String>;
    fn newline(&mut self) -> Result<(), String>;
    /// At least this many blanks. An input that is made has as many, or one more with that leeway.
    fn blanks(&mut self, least: usize, more: Leeway) -> Result<(), String>;
    /// The end of the input. A newline before it may be missing from what was made, if that is `optional`.
    fn end(&mut self) -> Result<(), String>;
    fn text(&mut self, text: &[u8]) -> Result<(), String>;
    fn integer(&mut self, range: &Range<'_>, role: Role) -> Result<Value, String>;
    /// A number that is none of those before.
    fn distinct(
        &mut self,
        least: &Value,
        most: &Value,
        role: Role,
        before: &mut Distinct,
    ) -> Result<Value, String>;
    /// A number from `least` to `most` that `is_free`.
    fn pick(
        &mut self,
        least: i64,
        most: i64,
        is_free: &dyn Fn(i64) -> bool,
        why_not: &str,
    ) -> Result<i64, String>;
    fn decimal(&mut self, rule: &DecimalRule) -> Result<BigDecimal, String>;
    /// A text that matches. If it is made, it has `length` bytes if that is given and possible.
    fn pattern(&mut self, pattern: &Pattern, length: Option<usize>) -> Result<Vec<u8>, String>;
    /// A line of a comment that begins with `prefix`, without its end. Gives the length of what follows the prefix.
    fn comment(&mut self, prefix: &[u8]) -> Result<usize, String>;
    /// One of several words, by its number.
    fn word(&mut self, words: &[Vec<u8>]) -> Result<usize, String>;
    /// One of several letters. It is `made`, or read.
    fn letter(&mut self, letters: &[u8], made: u8) -> Result<u8, String>;
    /// A line of letters of a set, as many as the range allows. It is `made`, or read.
    fn row(&mut self, row: &Row, made: &[u8]) -> Result<Vec<u8>, String>;
    /// Whether the next byte is in `set`. An input that is made has `simple` as the simplest answer.
    fn is_next_in(&mut self, set: &[bool; 256], simple: bool) -> bool;
    /// Whether the input ends here. As for [`is_next_in`](Self::is_next_in).
    fn is_at_end(&mut self, simple: bool) -> bool;
    /// The next byte of an input that is read.
    fn peek(&self) -> Option<u8>;
    /// Whether an input that is read goes on with `text`.
    fn is_next(&self, text: &[u8]) -> bool;
}

/// The plan to make one mistake.
#[derive(Clone, Copy, Debug)]
pub struct Slip {
    /// The number of places for a mistake that come before.
    pub after: u64,
    /// Which of the possible mistakes of that place to make.
    pub variant: u64,
}

/// A mistake that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The offset in the input.
    pub at: usize,
    pub what: String,
    /// How many mistakes are possible at this place.
    pub variants: u64,
}

/// A row of a grid.
pub struct Row<'a> {
    pub letters: &'a [bool; 256],
    pub least: usize,
    pub most: usize,
}

impl Row<'_> {
    /// The letters as messages list them.
    fn listed(&self) -> String {
        let letters: Vec<u8> =
            (0..=u8::MAX).filter(|&letter| self.letters[usize::from(letter)]).collect();
        listed(&letters)
    }
}

/// What the answers so far have promised of the next byte: which bytes it may be, and whether the input may end.
struct Promises {
    /// Where the answers were given.
    at: usize,
    bytes: [bool; 256],
    end: bool,
}

impl Promises {
    fn new() -> Box<Self> {
        Box::new(Self { at: usize::MAX, bytes: [true; 256], end: true })
    }

    /// Forgets promises of another place.
    fn move_to(&mut self, at: usize) {
        if self.at != at {
            *self = Self { at, bytes: [true; 256], end: true };
        }
    }

    /// Whether what comes next may be in a set, and whether it may not.
    fn possible(&self, set: &[bool; 256], end: bool) -> (bool, bool) {
        let any = |is_in: bool| (0..256).any(|byte| self.bytes[byte] && set[byte] == is_in);
        ((end && self.end) || any(true), (!end && self.end) || any(false))
    }

    fn add(&mut self, set: &[bool; 256], end: bool, answer: bool) {
        for (may_be, is_in) in self.bytes.iter_mut().zip(set) {
            *may_be &= *is_in == answer;
        }
        self.end &= end == answer;
    }
}

/// A number for a message.
fn shortened(number: &impl ToString) -> String {
    let text = number.to_string();
    if text.len() <= 40 { text } else { format!("{}… ({} digits)", &text[..10], text.len()) }
}
