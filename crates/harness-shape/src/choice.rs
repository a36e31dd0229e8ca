//! Choices: the decisions by which a shape makes one input.
//!
//! Every decision is a number below the number of its options, and a lower number is a simpler decision: a smaller count, a number closer
//! to zero, an earlier letter. So an input is a sequence of numbers. Lowering or deleting some of them and making the input again shrinks
//! it, and the result is valid by construction.

use crate::stream::Mistake;
use crate::usual::Preferred;
use crate::value::Value;

/// What a choice decides, which tells a source of choices what to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// How many of something there are: a number that becomes a count or a length.
    Size,
    /// How many there are of something of which only so many find room.
    Filling,
    /// How many different letters there may be.
    Variety,
    /// Any other number.
    Number,
    /// A character, or one of a few equal alternatives.
    Letter,
    /// Whether a loop goes on, or which branch is taken.
    Branch,
    /// A place in a grid, or a node of a graph.
    Place,
    /// A cell of a grid.
    Cell,
    /// Something that means nothing, such as a comment: 0 for none.
    Rare,
}

/// A choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: u64,
    /// How many values were possible. `u64::MAX` also stands for more.
    pub options: u64,
    pub role: Role,
}

/// A source of choices.
pub trait Choose {
    /// A number below `options`, which is at least 1.
    fn choose(&mut self, options: u64, role: Role) -> u64;
    /// The next cells are those of one grid, each one of this many letters.
    fn begin_cells(&mut self, _letters: u64) {}
    /// The next list, or those of the next text, rather have one of these structures.
    fn prefer(&mut self, _usual: &[Preferred]) {}
    /// The next numbers and letters are those of one list. A letter is one of this many, and there are so many repetitions, if that is
    /// known.
    fn begin_list(&mut self, _letters: u64, _rows: Option<u64>) {}
    /// The next numbers and letters are those of another repetition of the list.
    fn begin_repetition(&mut self) {}
    /// A number of a range that stands in a program, now and then.
    fn literal_number(&mut self, _least: &Value, _most: &Value) -> Option<i64> {
        None
    }
    /// A text that stands in a program, now and then, and a number that says where it is to be.
    fn literal_text(&mut self) -> Option<(Vec<u8>, u64)> {
        None
    }
    /// One of so many numbers that the structure of the list wants next, if it wants one.
    fn wished(&mut self, _options: u64) -> Option<u64> {
        None
    }
}

/// Choices that were made before, and then those of another source. It records them all.
pub struct Tape<'a> {
    before: &'a [Choice],
    then: &'a mut dyn Choose,
    pub made: Vec<Choice>,
    /// The mistake that was made, if one was planned.
    pub mistake: Option<Mistake>,
}

impl<'a> Tape<'a> {
    pub fn new(before: &'a [Choice], then: &'a mut dyn Choose) -> Self {
        Self { before, then, made: Vec::new(), mistake: None }
    }

    /// Whether a choice with this number was not made before.
    pub(crate) fn is_new(&self, at: usize) -> bool {
        self.before.len() <= at
    }

    /// As [`choose`](Choose::choose), but rather `wished`.
    pub(crate) fn choose_rather(&mut self, wished: Option<u64>, options: u64, role: Role) -> u64 {
        match wished.filter(|_| self.is_new(self.made.len())) {
            Some(value) => {
                self.made.push(Choice { value, options, role });
                value
            }
            None => self.choose(options, role),
        }
    }
}

impl Choose for Tape<'_> {
    fn choose(&mut self, options: u64, role: Role) -> u64 {
        let value = match self.before.get(self.made.len()) {
            Some(choice) => choice.value.min(options - 1),
            None if options == 1 => 0,
            None => self.then.choose(options, role),
        };
        self.made.push(Choice { value, options, role });
        value
    }

    fn begin_cells(&mut self, letters: u64) {
        self.then.begin_cells(letters);
    }

    fn prefer(&mut self, usual: &[Preferred]) {
        self.then.prefer(usual);
    }

    fn begin_list(&mut self, letters: u64, rows: Option<u64>) {
        self.then.begin_list(letters, rows);
    }

    fn begin_repetition(&mut self) {
        self.then.begin_repetition();
    }

    fn literal_number(&mut self, least: &Value, most: &Value) -> Option<i64> {
        self.is_new(self.made.len()).then(|| self.then.literal_number(least, most)).flatten()
    }

    fn literal_text(&mut self) -> Option<(Vec<u8>, u64)> {
        self.then.literal_text()
    }

    fn wished(&mut self, options: u64) -> Option<u64> {
        self.then.wished(options)
    }
}

/// The simplest choice each time.
pub struct Simplest;

impl Choose for Simplest {
    fn choose(&mut self, _: u64, _: Role) -> u64 {
        0
    }
}
