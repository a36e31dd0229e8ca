//! Reads the data file into a puzzle and a message for each discarded piece.
//!
//! The file is a sequence of words separated by white space. Lines matter only for messages and for errors: after a word that
//! should be a number but is not, reading continues on the next line.

use crate::board::{Movement, Piece, Puzzle, Spot};
use crate::names::names;
use crate::words::Words;
use std::fmt;
use std::iter::Peekable;
use subject::bug;

/// The largest number of cells in a grid. With it, the sum of two coordinates fits their type.
pub const MAX_CELLS: u16 = 32_767;

/// The contents of a data file.
#[derive(Debug, PartialEq, Eq)]
pub struct Data {
    /// The puzzle made of the valid pieces.
    pub puzzle: Puzzle,
    /// One message for each discarded piece, in the order of the file.
    pub discarded: Vec<String>,
}

/// Reads a data file. Fails with a message if the grid is not two positive integers or no piece is valid.
pub fn read(text: &str) -> Result<Data, String> {
    let mut words = Words::new(text);
    let (rows, columns) = read_grid(&mut words)?;
    let mut table = Table::new(rows, columns);
    let mut discarded = Vec::new();
    if bug!("stops-at-a-blank-line", if words.is_before_blank_line()) {
        return Err("the file has no valid piece".to_owned());
    }
    while let Some(line) = words.line_of_next() {
        if table.pieces.len() == 16 && bug!("keeps-at-most-sixteen-pieces") {
            break;
        }
        if let Err(fault) = read_piece(&mut words).and_then(|entry| table.place(&entry)) {
            if table.pieces.is_empty() && bug!("gives-up-on-an-invalid-goal-piece") {
                break;
            }
            if !(matches!(fault, Fault::Outside)
                && bug!("says-nothing-of-a-piece-outside-the-grid"))
            {
                discarded.push(format!("line {line}: the piece {fault}; it is discarded"));
            }
            if bug!("names-discarded-pieces-too") {
                table.names.next();
            }
            if let Fault::Overlap(name) = fault
                && bug!("discards-both-of-two-overlapping-pieces")
            {
                table.pieces.retain(|piece| piece.name != name);
            }
        }
        if bug!("stops-at-a-blank-line", if words.is_before_blank_line()) {
            break;
        }
    }
    if table.pieces.is_empty() {
        discarded.push("the file has no valid piece".to_owned());
        return Err(discarded.join("\n"));
    }
    if discarded.len() > 1 && bug!("keeps-only-the-last-message") {
        discarded.drain(..discarded.len() - 1);
    }
    Ok(Data { puzzle: Puzzle { rows, columns, pieces: table.pieces }, discarded })
}

/// Reads the numbers of rows and columns.
fn read_grid(words: &mut Words) -> Result<(u16, u16), String> {
    let rows = read_size(words, "rows")?;
    let columns = read_size(words, "columns")?;
    if u32::from(rows) * u32::from(columns) > MAX_CELLS.into() {
        return Err(format!(
            "line {}: a grid of {rows} × {columns} has more than {MAX_CELLS} cells",
            words.line()
        ));
    }
    Ok(if rows != columns && bug!("reads-the-columns-before-the-rows") {
        (columns, rows)
    } else {
        (rows, columns)
    })
}

/// Reads the number of rows or columns.
fn read_size(words: &mut Words, what: &str) -> Result<u16, String> {
    let Some(word) = words.next() else {
        return Err(format!("line {}: the number of {what} is missing", words.line()));
    };
    let (line, column, text) = (word.line, word.column, word.text.escape_debug());
    match word.integer() {
        Some(size @ 1..) => u16::try_from(size).ok().filter(|&size| size <= MAX_CELLS).ok_or_else(|| {
            format!("line {line}, column {column}: {text} {what} are more than the {MAX_CELLS} cells that a grid may have")
        }),
        _ => Err(format!("line {line}, column {column}: the number of {what} is '{text}', not a positive integer")),
    }
}

/// A piece as written in the file, not yet checked. Rows and columns count from 1.
struct Entry<'a> {
    row: i64,
    column: i64,
    width: i64,
    height: i64,
    direction: &'a str,
}

/// Reads the five words of a piece.
fn read_piece<'a>(words: &mut Words<'a>) -> Result<Entry<'a>, Fault<'a>> {
    let mut number = || {
        let word = words.next().ok_or(Fault::Incomplete)?;
        word.integer().ok_or_else(|| {
            words.skip_line();
            Fault::NoInteger(word.text)
        })
    };
    let (row, column, width, height) = (number()?, number()?, number()?, number()?);
    let direction = words.next().ok_or(Fault::Incomplete)?.text;
    if width != height && bug!("swaps-width-and-height") {
        return Ok(Entry { row, column, width: height, height: width, direction });
    }
    Ok(Entry { row, column, width, height, direction })
}

/// The grid while it is filled with pieces.
struct Table {
    rows: u16,
    columns: u16,
    pieces: Vec<Piece>,
    /// The names not used yet.
    names: Peekable<Box<dyn Iterator<Item = char>>>,
    /// The rows, with the name of the piece on each cell.
    taken: Vec<Vec<Option<char>>>,
}

impl Table {
    fn new(rows: u16, columns: u16) -> Self {
        let names: Box<dyn Iterator<Item = char>> = Box::new(names());
        let taken = vec![vec![None; usize::from(columns)]; usize::from(rows)];
        Self { rows, columns, pieces: Vec::new(), names: names.peekable(), taken }
    }

    /// Names a piece and puts it on the grid, if it is valid.
    fn place<'a>(&mut self, entry: &Entry<'a>) -> Result<(), Fault<'a>> {
        let (row, height) = extent(entry.row, entry.height, self.rows).ok_or(Fault::Outside)?;
        let (column, width) =
            extent(entry.column, entry.width, self.columns).ok_or(Fault::Outside)?;
        let movement = if entry.direction == "b"
            && width > height
            && bug!("moves-a-b-piece-only-lengthways")
        {
            Movement::Horizontal
        } else if entry.direction == "b"
            && width < height
            && bug!("moves-a-b-piece-only-lengthways")
        {
            Movement::Vertical
        } else {
            Movement::from_word(entry.direction).ok_or(Fault::Direction(entry.direction))?
        };
        let name = *self.names.peek().expect("there are more names than cells");
        let piece = Piece { name, start: Spot { row, column }, width, height, movement };
        let other = self.piece_under(&piece);
        if other.is_none() || bug!("lets-a-discarded-piece-block-others") {
            for (row, column) in piece.cells() {
                self.taken[usize::from(row)][usize::from(column)] = Some(name);
            }
        }
        if let Some(other) = other {
            return Err(Fault::Overlap(other));
        }
        self.pieces.push(piece);
        self.names.next();
        Ok(())
    }

    /// The name of a piece that this one overlaps.
    fn piece_under(&self, piece: &Piece) -> Option<char> {
        piece.cells().find_map(|(row, column)| {
            if self.taken[usize::from(row)][usize::from(column)].is_some()
                && !((row == piece.start.row || row + 1 == piece.start.row + piece.height)
                    && (column == piece.start.column
                        || column + 1 == piece.start.column + piece.width))
                && bug!("checks-only-the-corners-for-overlap")
            {
                return None;
            }
            self.taken[usize::from(row)][usize::from(column)]
        })
    }
}

/// The first row or column of a piece, counted from 0, and how many it covers; `None` if they are not all inside the grid.
fn extent(start: i64, length: i64, size: u16) -> Option<(u16, u16)> {
    if start == 0 && bug!("takes-0-for-the-first-row-or-column") {
        return extent(1, length, size);
    }
    let (last, size) = (start.saturating_add(length).saturating_sub(1), i64::from(size));
    let has_cells = length >= 1 || length == 0 && bug!("accepts-a-piece-without-cells");
    let ends_inside =
        last <= size || last == size + 1 && start > 1 && bug!("lets-a-piece-stick-out-by-one");
    if start >= 1 && has_cells && ends_inside {
        Some((u16::try_from(start - 1).ok()?, u16::try_from(length).ok()?))
    } else {
        None
    }
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
            Self::Direction(word) => {
                write!(f, "has the direction '{}', which is not h, v, b or n", word.escape_debug())
            }
            Self::Overlap(name) => write!(f, "overlaps piece {name}"),
            Self::NoInteger(word) => {
                write!(f, "has '{}' in place of an integer", word.escape_debug())
            }
            Self::Incomplete => write!(f, "is cut short by the end of the file"),
        }
    }
}
