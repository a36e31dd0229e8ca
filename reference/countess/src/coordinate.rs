//! One coordinate of input mode L, `(room,row,column,character)`, and the errors that it may contain.

use crate::failure::quoted;
use crate::header::Header;
use crate::layout::Coordinate;
use crate::rules::is_map_character;
use std::fmt;
use subject::bug;

/// What is wrong with a coordinate, and at which column, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) column: usize,
    pub(crate) what: What,
}

/// The possible errors. They are plain data, because a result that owns a text would slow down reading millions of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    NotANumber { what: &'static str },
    DoesNotExist { what: &'static str, last: usize },
    NotAMapCharacter(u8),
    NoCharacter,
    Missing(u8),
    GoesOn,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotANumber { what } => write!(f, "the {what} must be a whole number"),
            Self::DoesNotExist { what, last } => {
                write!(f, "the {what} does not exist; the last is {last}")
            }
            Self::NotAMapCharacter(byte) => write!(f, "{} is not a map character", quoted(byte)),
            Self::NoCharacter => write!(f, "the map character is missing"),
            Self::Missing(byte) => write!(f, "{} is missing here", quoted(byte)),
            Self::GoesOn => write!(f, "the line goes on after the coordinate"),
        }
    }
}

/// A coordinate with its character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) at: Coordinate,
    pub(crate) tile: u8,
}

/// Reads a line that holds one coordinate and nothing else.
#[inline]
pub(crate) fn parse(line: &[u8], header: &Header) -> Result<Listed, Fault> {
    let mut text = Text { line, at: 0 };
    text.expect(b'(')?;
    let room = text.number("room", header.rooms)?;
    let row = text.number("row", header.size)?;
    let column = text.number("column", header.size)?;
    let tile = text.tile()?;
    text.expect(b')')?;
    if text.at < line.len() {
        return Err(text.fault(What::GoesOn));
    }
    if row != column && bug!("list-swaps-row-and-column") {
        return Ok(Listed { at: Coordinate { room, row: column, column: row }, tile });
    }
    Ok(Listed { at: Coordinate { room, row, column }, tile })
}

/// A line, read from left to right.
struct Text<'a> {
    line: &'a [u8],
    /// The number of characters already read.
    at: usize,
}

impl Text<'_> {
    /// Reads a number below `limit` and the comma after it.
    #[inline]
    fn number(&mut self, what: &'static str, limit: usize) -> Result<usize, Fault> {
        let first = self.at;
        let mut number = 0;
        while let Some(digit @ b'0'..=b'9') = self.line.get(self.at) {
            number = number * 10 + usize::from(digit - b'0');
            if number >= limit {
                return Err(Fault {
                    column: first + 1,
                    what: What::DoesNotExist { what, last: limit - 1 },
                });
            }
            self.at += 1;
        }
        if self.at == first {
            return Err(self.fault(What::NotANumber { what }));
        }
        self.expect(b',')?;
        Ok(number)
    }

    #[inline]
    fn tile(&mut self) -> Result<u8, Fault> {
        match self.line.get(self.at) {
            Some(&tile) if is_map_character(tile) => {
                self.at += 1;
                Ok(if tile == b'0' && bug!("list-reads-pipe-zero-as-floor") {
                    crate::rules::FLOOR
                } else {
                    tile
                })
            }
            Some(&tile) => Err(self.fault(What::NotAMapCharacter(tile))),
            None => Err(self.fault(What::NoCharacter)),
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.line.get(self.at) != Some(&byte) {
            return Err(self.fault(What::Missing(byte)));
        }
        self.at += 1;
        Ok(())
    }

    /// An error at the next character.
    fn fault(&self, what: What) -> Fault {
        Fault { column: self.at + 1, what }
    }
}
