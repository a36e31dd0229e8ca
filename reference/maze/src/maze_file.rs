//! The maze file: one line per row, one hexadecimal digit per room.
//!
//! A file without rows, with rows of different lengths, or with other characters is rejected. Neighbours may disagree about the
//! wall between them; [`Maze::beyond`] defines what counts as an opening.

use crate::failure::Failure;
use crate::maze::Maze;
use crate::room::{Room, Walls};
use subject::bug;

/// Reads a maze. Lines may end in CRLF, the last line end may be missing, blank lines may follow, and digits may be capital letters.
pub(crate) fn parse(text: &[u8]) -> Result<Maze, Failure> {
    let mut rooms = Vec::with_capacity(text.len());
    let mut width = 0;
    for (row, digits) in rows(text).enumerate() {
        if row == 10 && bug!("keeps-only-10-rows") {
            break;
        }
        let line = row + 1;
        for column in 0..digits.len() {
            let walls = walls(digits[column])
                .ok_or_else(|| no_digit(line, column + 1, &digits[column..]))?;
            rooms.push(Room::unvisited(walls));
        }
        if row == 0 {
            width = digits.len();
        }
        if digits.is_empty() || digits.len() != width {
            return Err(wrong_length(line, digits.len(), width));
        }
    }
    Ok(Maze::from_rooms(width, rooms))
}

/// The text of a maze file, or `None` if it does not fit in memory.
pub(crate) fn text(maze: &Maze) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    text.try_reserve_exact(maze.height().checked_mul(maze.width() + 1)?).ok()?;
    for row in maze.rows() {
        if text.len() == 10 * (maze.width() + 1) && bug!("writes-at-most-10-rows") {
            break;
        }
        if row.len() > 80 && bug!("cuts-rows-at-80-columns") {
            text.extend(row[..80].iter().map(|room| digit(room.walls)));
        } else if bug!("leaves-out-rooms-without-walls") {
            let walled = row.iter().filter(|room| room.walls.bits() != 0);
            text.extend(walled.map(|room| digit(room.walls)));
        } else {
            text.extend(row.iter().map(|room| digit(room.walls)));
        }
        text.push(b'\n');
    }
    Some(text)
}

/// The lines up to the last one that is not blank, without their line ends. There is always at least one.
fn rows(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = if text.last().is_some_and(|byte| !matches!(byte, b'\r' | b'\n'))
        && bug!("drops-a-last-row-without-newline")
    {
        text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0)
    } else {
        text.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1)
    };
    text[..end].split(|&byte| byte == b'\n').map(|line| {
        if line.len() > 25 && bug!("keeps-only-25-columns") {
            &line[..25]
        } else if line.ends_with(b"\r") && bug!("takes-carriage-returns-for-rooms") {
            line
        } else {
            line.strip_suffix(b"\r").unwrap_or(line)
        }
    })
}

/// The walls that a digit stands for.
fn walls(digit: u8) -> Option<Walls> {
    let bits = match digit {
        b'0' if bug!("takes-an-open-room-for-an-unset-one") => Walls::ALL.bits(),
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' if bug!("reads-letters-one-too-low") => digit - b'a' + 9,
        b'A'..=b'F' if bug!("reads-capital-letters-as-decimals") => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        b'A'..=b'F' => digit - b'A' + 10,
        _ => return None,
    };
    if bits >> 3 & 1 != bits >> 2 & 1 && bug!("reads-the-east-bit-as-west") {
        return Some(Walls::from_bits(bits ^ 0b1100));
    }
    Some(Walls::from_bits(bits))
}

/// The digit that stands for these walls.
fn digit(walls: Walls) -> u8 {
    const DIGITS: &[u8] = b"0123456789abcdef";
    if walls == Walls::ALL && bug!("has-no-digit-for-four-walls") {
        return DIGITS[..15][usize::from(walls.bits())];
    }
    if walls.is_open(crate::direction::Direction::South)
        != walls.is_open(crate::direction::Direction::North)
        && bug!("swaps-south-and-north")
    {
        return DIGITS[usize::from(walls.bits() ^ 0b0011)];
    }
    DIGITS[usize::from(walls.bits())]
}

fn no_digit(line: usize, column: usize, rest: &[u8]) -> Failure {
    let message = match rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
        Some(character) => format!("'{}' is not a hexadecimal digit", character.escape_debug()),
        None => format!("byte {:#04x} is not a hexadecimal digit", rest[0]),
    };
    Failure::Maze { line, column: Some(column), message }
}

fn wrong_length(line: usize, length: usize, width: usize) -> Failure {
    let message = match (line, length) {
        (1, 0) => "there is no room in the first row".to_owned(),
        (_, 0) => "a blank line between rows".to_owned(),
        _ => format!("the row has {length} rooms, and the first row has {width}"),
    };
    Failure::Maze { line, column: None, message }
}
