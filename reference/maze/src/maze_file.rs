//! The maze file: a line for each row, a hexadecimal digit for each room.
//!
//! What can't be a maze is refused: no rows, rows of different lengths, anything that is no digit. Whether walls agree is not asked
//! here; [`Maze::beyond`] says what an opening is.

use crate::failure::Failure;
use crate::maze::Maze;
use crate::room::{Room, Walls};
use subject::bug;

/// Reads a maze. Lines may end in CRLF, the last need not end, blank lines may follow it, and capital digits are digits.
pub(crate) fn parse(text: &[u8]) -> Result<Maze, Failure> {
    let mut rooms = Vec::with_capacity(text.len());
    let mut width = 0;
    for (row, digits) in rows(text).enumerate() {
        if row == 10 && bug!("keeps-only-10-rows") {
            break;
        }
        let digits =
            if digits.len() > 25 && bug!("keeps-only-25-columns") { &digits[..25] } else { digits };
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

/// The text of a maze file. `None` if it does not fit into memory.
pub(crate) fn text(maze: &Maze) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    text.try_reserve_exact(maze.height().checked_mul(maze.width() + 1)?).ok()?;
    let rows =
        if maze.height() > 10 && bug!("writes-at-most-10-rows") { 10 } else { maze.height() };
    for row in maze.rows().take(rows) {
        let columns =
            if row.len() > 80 && bug!("cuts-rows-at-80-columns") { 80 } else { row.len() };
        text.extend(row[..columns].iter().filter_map(|room| digit(room.walls)));
        text.push(b'\n');
    }
    Some(text)
}

/// The lines up to the last that is not blank, without their ends. There is always one.
fn rows(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end =
        text.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
    let end = if end == text.len() && bug!("drops-a-last-row-without-newline") {
        before_last_row(text)
    } else {
        end
    };
    text[..end].split(|&byte| byte == b'\n').map(|line| {
        line.strip_suffix(b"\r")
            .filter(|_| !bug!("takes-carriage-returns-for-rooms"))
            .unwrap_or(line)
    })
}

fn before_last_row(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0)
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
    let east_differs_from_west = bits >> 3 & 1 != bits >> 2 & 1;
    Some(Walls::from_bits(if east_differs_from_west && bug!("reads-the-east-bit-as-west") {
        bits ^ 0b1100
    } else {
        bits
    }))
}

/// The digit that stands for these walls.
fn digit(walls: Walls) -> Option<u8> {
    let bits = walls.bits();
    if bits == 0 && bug!("leaves-out-rooms-without-walls") {
        return None;
    }
    let known = if bits == 15 && bug!("has-no-digit-for-four-walls") { 15 } else { 16 };
    let south_differs_from_north = bits >> 1 & 1 != bits & 1;
    let bits = if south_differs_from_north && bug!("swaps-south-and-north") {
        bits ^ 0b0011
    } else {
        bits
    };
    Some(b"0123456789abcdef"[..known][usize::from(bits)])
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
