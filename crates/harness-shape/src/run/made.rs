//! What a run did, and why it failed.

use crate::colour::Colour;
use crate::edges::GraphMade;
use crate::grid::Cells;

/// Why a run of a shape failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The offset of the command in the shape.
    pub in_shape: usize,
    /// The offset in the input.
    pub in_input: usize,
    pub message: String,
    /// The choices that the failure may depend on, by their numbers. They made the values that the failed command has read.
    pub choices: Vec<usize>,
    /// There is no room for as many repetitions of a list as were chosen.
    pub full: Option<Full>,
    /// Other choices, or another input, may succeed. `false` for a mistake of the shape itself.
    pub may_depend_on_choices: bool,
    /// The input exceeds one of the limits.
    pub exceeds: Option<Exceeded>,
    /// The input has more elements than it may have.
    pub is_too_large: bool,
    /// It has more that means nothing than it may have.
    pub is_too_noisy: bool,
    /// The steps that the run took.
    pub steps: u64,
}

/// A number is larger than a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceeded {
    pub name: String,
    pub number: i64,
    pub limit: i64,
}

/// The most that an input may have.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    pub size: u64,
    pub noise: u64,
    /// By how much a number that counts something may exceed the least that it may be.
    pub growth: u64,
}

impl Most {
    pub const ANY: Self = Self { size: u64::MAX, noise: u64::MAX, growth: u64::MAX };
}

/// A list for which there is no more room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    /// The choice of how many repetitions there are, by its number, and how many there are at least.
    pub count: usize,
    pub least: usize,
    /// The choices that each repetition begins with, and those after the last.
    pub starts: Vec<usize>,
}

/// What a run did, besides its choices.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// How many cells, letters, words and numbers the input has, without those that say how many there are. A repetition without any
    /// counts as one.
    pub size: u64,
    /// How much of it means nothing: comments with their letters, blank lines, optional blanks, other line ends.
    pub noise: u64,
    /// Repetitions, letters and comments, for changes that leave out one of them; those with the same count together, and of these, those
    /// of the same list.
    pub spans: Vec<Span>,
    pub grids: Vec<GridMade>,
    pub graphs: Vec<GraphMade>,
    /// The letters with counts of each list.
    pub letters: Vec<LettersMade>,
    /// The numbers that name one of several things.
    pub references: Vec<Reference>,
    /// The numbers in the name of a test.
    pub parameters: Vec<i64>,
    /// The offsets of the cells that have a colour, if the input was read.
    pub(crate) painted: Vec<(usize, Colour)>,
}

/// One repetition of something.
#[derive(Clone, Debug)]
pub struct Span {
    /// The choices that made it.
    pub start: usize,
    pub end: usize,
    /// The choice of how many there are.
    pub count: Option<usize>,
    /// The number of its list.
    pub list: usize,
}

/// A grid that was made.
#[derive(Clone, Debug)]
pub struct GridMade {
    /// The choices that made its cells.
    pub start: usize,
    pub end: usize,
    /// Where the choices of what precedes each row begin, and where those after the last row do.
    pub rows_at: Vec<usize>,
    pub layers: usize,
    pub layers_choice: Option<usize>,
    /// The choices of the number of its rows and of its columns, which may be the same one.
    pub rows_choice: Option<usize>,
    pub columns_choice: Option<usize>,
    pub limited: Vec<Limited>,
    pub rule: Cells,
    pub cells: Vec<u8>,
}

/// The letters of a grid that stand for as many things as a number says.
#[derive(Clone, Copy, Debug)]
pub struct Limited {
    pub first: u8,
    pub count: u8,
    /// The choice of that number.
    pub to: usize,
}

/// The letters of a list that have counts.
#[derive(Clone, Debug)]
pub struct LettersMade {
    /// The choices of where they are.
    pub start: usize,
    pub end: usize,
    /// The choice of how many repetitions the list has.
    pub count: Option<usize>,
    pub rule: Cells,
    /// The letter of each repetition.
    pub letters: Vec<u8>,
}

/// A number that names one of as many things as another number says.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The choice of the number.
    pub choice: usize,
    /// The choice of how many things there are.
    pub to: usize,
}
