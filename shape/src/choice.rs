//! Choices: the decisions by which a shape makes one input.
//!
//! Every decision is a number below the number of its options, and a lower number is a simpler decision: a smaller count, a number closer
//! to zero, an earlier letter. So an input is a sequence of numbers. Lowering or deleting some of them and making the input again shrinks
//! it, and the result is valid by construction.

/// What a choice decides, which tells a source of choices what to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// How many of something there are: a number that becomes a count or a length.
    Size,
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

use crate::medium::Mistake;

/// A source of choices.
pub trait Choose {
    /// A number below `options`, which is at least 1.
    fn choose(&mut self, options: u64, role: Role) -> u64;
    /// The next cells are those of one grid, each one of this many letters.
    fn begin_cells(&mut self, _letters: u64) {}
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
}

/// The simplest choice each time.
pub struct Simplest;

impl Choose for Simplest {
    fn choose(&mut self, _: u64, _: Role) -> u64 {
        0
    }
}

/// Random choices: sizes are small, and numbers are often small and sometimes the largest.
pub struct Random {
    random: fastrand::Rng,
    /// The most that a size is above its least.
    pub most: u64,
    cells: Cells,
}

/// How the cells of one grid are drawn.
#[derive(Default)]
struct Cells {
    /// How many of 16 cells have the simplest letter.
    simple: u8,
    /// The letters of the other cells. All, if there are none.
    letters: Vec<u64>,
}

impl Random {
    pub fn new(seed: u64, most: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), most, cells: Cells::default() }
    }

    /// An index below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        self.random.usize(..count)
    }

    fn cell(&mut self, options: u64) -> u64 {
        if self.random.u8(..16) < self.cells.simple {
            return 0;
        }
        match self.random.choice(&self.cells.letters) {
            Some(&letter) if letter < options => letter,
            _ => self.random.u64(..options),
        }
    }

    /// A size, often a small one.
    fn size(&mut self, options: u64) -> u64 {
        let most = options.min(self.most.saturating_add(1));
        let first = self.random.u64(..most);
        if self.random.bool() { first } else { first.min(self.random.u64(..most)) }
    }
}

impl Choose for Random {
    fn choose(&mut self, options: u64, role: Role) -> u64 {
        let below = |random: &mut fastrand::Rng, most: u64| random.u64(..most.max(1));
        match role {
            // The last letter is where mistakes are.
            Role::Variety if self.random.u8(..8) == 0 => options - 1,
            Role::Size | Role::Variety => self.size(options),
            Role::Cell => self.cell(options),
            Role::Rare if self.random.u8(..16) > 0 => 0,
            // A set of nearly all bytes stands for text.
            Role::Letter if options > 100 && self.random.u8(..10) > 0 => {
                below(&mut self.random, 94)
            }
            Role::Letter | Role::Branch | Role::Place => below(&mut self.random, options),
            Role::Rare => below(&mut self.random, options.min(4)),
            Role::Number => match self.random.u8(..16) {
                0 => options - 1,
                1 | 2 => below(&mut self.random, options),
                3 => options.saturating_sub(2),
                4..=9 => below(&mut self.random, options.min(self.most * 8 + 8)),
                _ => below(&mut self.random, options.min(self.most * 2 + 2)),
            },
        }
    }

    fn begin_cells(&mut self, letters: u64) {
        self.cells.simple = [0, 3, 6, 9, 12][self.random.usize(..5)];
        // Few different letters in a grid occur together more often.
        let count = if self.random.bool() { 0 } else { 1 + self.random.usize(..4) };
        let random = &mut self.random;
        self.cells.letters = (0..count).map(|_| random.u64(..letters.max(1))).collect();
    }
}
