//! The data file: words in, a puzzle and the pieces that had to be discarded out. It prints nothing.
//!
//! The file is a stream of words between any white space, so line ends matter only to the messages, and to where reading goes on
//! after a word that can't be a number: on the next line.

use crate::board::{Movement, Piece, Puzzle, Spot};
use crate::names::names;
use std::fmt;

/// How many cells a grid may have: the sums of two coordinates fit their type.
pub const MAX_CELLS: u16 = 32_767;

/// What a data file holds.
#[derive(Debug, PartialEq, Eq)]
pub struct Data {
    /// The puzzle that its valid pieces make.
    pub puzzle: Puzzle,
    /// One message for each piece that was discarded, in the order of the file.
    pub discarded: Vec<String>,
}

/// Reads a data file; fails with a message where its grid is not two positive integers, or no piece is valid.
pub fn read(text: &str) -> Result<Data, String> {
    let mut words = Words::new(text);
    let rows = read_size(&mut words, "rows")?;
    let columns = read_size(&mut words, "columns")?;
    if u32::from(rows) * u32::from(columns) > MAX_CELLS.into() {
        return Err(format!("line {}: a grid of {rows} × {columns} has more than {MAX_CELLS} cells", words.line));
    }
    let mut puzzle = Puzzle { rows, columns, pieces: Vec::new() };
    let mut discarded = Vec::new();
    let mut names = names().peekable();
    while let Some(line) = words.line_of_next() {
        let name = *names.peek().expect("there are more names than cells");
        match read_piece(&mut words, name).and_then(|entry| place(&entry, &puzzle)) {
            Ok(piece) => {
                puzzle.pieces.push(piece);
                names.next();
            }
            Err(fault) => discarded.push(format!("line {line}: the piece {fault}; it is discarded")),
        }
    }
    if puzzle.pieces.is_empty() {
        discarded.push("the file has no valid piece".to_owned());
        return Err(discarded.join("\n"));
    }
    Ok(Data { puzzle, discarded })
}

/// Reads the number of rows or columns.
fn read_size(words: &mut Words, what: &str) -> Result<u16, String> {
    let Some(word) = words.next() else { return Err(format!("line {}: the number of {what} is missing", words.line)) };
    let (line, column, text) = (word.line, word.column, word.text.escape_debug());
    match integer(word.text) {
        Some(size @ 1..) => u16::try_from(size).ok().filter(|&size| size <= MAX_CELLS).ok_or_else(|| {
            format!("line {line}, column {column}: {text} {what} are more than the {MAX_CELLS} cells that a grid may have")
        }),
        _ => Err(format!("line {line}, column {column}: the number of {what} is '{text}', not a positive integer")),
    }
}

/// A piece as the file has it, with nothing checked yet. Rows and columns count from 1.
struct Entry<'a> {
    name: char,
    row: i64,
    column: i64,
    width: i64,
    height: i64,
    direction: &'a str,
}

/// Reads the five words of a piece.
fn read_piece<'a>(words: &mut Words<'a>, name: char) -> Result<Entry<'a>, Fault<'a>> {
    let mut number = || {
        let word = words.next().ok_or(Fault::Incomplete)?;
        integer(word.text).ok_or_else(|| {
            words.skip_line();
            Fault::NoInteger(word.text)
        })
    };
    let (row, column, width, height) = (number()?, number()?, number()?, number()?);
    let direction = words.next().ok_or(Fault::Incomplete)?.text;
    Ok(Entry { name, row, column, width, height, direction })
}

/// Puts a piece on the grid, if it is valid.
fn place<'a>(entry: &Entry<'a>, puzzle: &Puzzle) -> Result<Piece, Fault<'a>> {
    let (row, height) = extent(entry.row, entry.height, puzzle.rows).ok_or(Fault::Outside)?;
    let (column, width) = extent(entry.column, entry.width, puzzle.columns).ok_or(Fault::Outside)?;
    let movement = Movement::from_word(entry.direction).ok_or(Fault::Direction(entry.direction))?;
    let piece = Piece { name: entry.name, start: Spot { row, column }, width, height, movement };
    match puzzle.pieces.iter().find(|other| other.overlaps(&piece)) {
        Some(other) => Err(Fault::Overlap(other.name)),
        None => Ok(piece),
    }
}

/// The first row or column of a piece, from 0, and how many it covers, if they are inside a grid of this size.
fn extent(start: i64, length: i64, size: u16) -> Option<(u16, u16)> {
    let is_inside = start >= 1 && length >= 1 && start.saturating_add(length) - 1 <= i64::from(size);
    if is_inside { Some((u16::try_from(start - 1).ok()?, u16::try_from(length).ok()?)) } else { None }
}

/// Why a piece is discarded.
enum Fault<'a> {
    Outside,
    Direction(&'a str),
    Overlap(char),
    NoInteger(&'a str),
    Incomplete,
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => write!(f, "falls outside of the grid"),
            Self::Direction(word) => write!(f, "has the direction '{}', which is not h, v, b or n", word.escape_debug()),
            Self::Overlap(name) => write!(f, "overlaps piece {name}"),
            Self::NoInteger(word) => write!(f, "has '{}' in place of an integer", word.escape_debug()),
            Self::Incomplete => write!(f, "is cut short by the end of the file"),
        }
    }
}

/// The value of a whole decimal number; one too large for the type is as large as the type allows.
fn integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if word.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(word.parse().unwrap_or(limit))
}

/// One word, and where it begins; line and column count from 1.
#[derive(Clone, Copy)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

/// The words of a text.
struct Words<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, column: 1 }
    }

    /// The line of the next word, if there is one.
    fn line_of_next(&mut self) -> Option<usize> {
        self.skip_while(char::is_whitespace);
        (!self.rest.is_empty()).then_some(self.line)
    }

    /// Skips what is left of the line of the last word.
    fn skip_line(&mut self) {
        self.skip_while(|character| character != '\n');
    }

    /// Skips characters, counts them, and returns them.
    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let length = self.rest.find(|character| !wanted(character)).unwrap_or(self.rest.len());
        let (skipped, rest) = self.rest.split_at(length);
        for character in skipped.chars() {
            (self.line, self.column) = if character == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        skipped
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        self.line_of_next()?;
        let (line, column) = (self.line, self.column);
        Some(Word { line, column, text: self.skip_while(|character| !character.is_whitespace()) })
    }
}
