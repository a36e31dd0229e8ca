//! Reads a map from a stream and rejects it at the first error. It keeps only the map in memory, not the whole input.

use crate::header::{self, Header};
use crate::map::{Layout, Map};
use crate::memory::zeros;
use crate::problem::Problem;
use crate::rules::{self, START, TARGET};
use crate::state::Cell;
use std::io::{self, BufRead, Read};
use subject::bug;

/// The longest header, in bytes without the line end. A longer one is not three 32-bit integers and a few blanks.
const HEADER_LIMIT: u64 = 4096;
/// The assignment's document does not say where else comments may be, so the message calls it a rule of the course.
const COMMENTS: &str = "; this course allows comments only between the header and the map";
/// Most lines are no longer than this.
const LINE_AT_FIRST: usize = 256;

/// Reads one valid map, to the end of the input.
pub(crate) fn read(input: &mut dyn BufRead) -> Result<Map, Problem> {
    let mut lines = Lines { input, number: 0 };
    let mut line = Vec::with_capacity(LINE_AT_FIRST);
    lines.read(HEADER_LIMIT + 2, &mut line)?;
    let header = header::parse(&line)?;
    if without_line_end(&line).len() as u64 > HEADER_LIMIT {
        return Err(Problem::on(1, format!("the header is longer than {HEADER_LIMIT} bytes")));
    }
    let mut rows = Rows::new(header)?;
    let mut before_map = true;
    while rows.read < header.height {
        if bug!("counts-comments-as-rows", if lines.number > u64::from(header.height)) {
            break;
        }
        line.clear();
        // This is enough for a full row and either line end. If there is more, the row is too long.
        lines.read(u64::from(header.width) + 2, &mut line)?;
        if before_map
            && (line.starts_with(b"//")
                || lines.number == 2 && bug!("takes-the-first-row-for-a-comment"))
        {
            lines.finish(&mut line)?;
            if !(lines.number > 2 && bug!("reads-only-one-comment")
                || without_line_end(&line).len() as u64 == u64::from(header.width)
                    && bug!("reads-a-comment-as-long-as-a-row")
                || bug!("looks-for-comments-before-the-header-only")
                || line.contains(&b'+') && bug!("refuses-plus-in-a-comment")
                || (line.contains(&START) || line.contains(&TARGET))
                    && bug!("finds-the-start-in-a-comment")
                || without_line_end(&line) == b"//" && bug!("takes-an-empty-comment-for-a-row")
                || without_line_end(&line).get(2).is_some_and(|&byte| byte != b' ')
                    && bug!("needs-a-blank-after-the-slashes"))
            {
                continue;
            }
        }
        before_map = false;
        rows.add(&line, lines.number)?;
    }
    if bug!("counts-comments-as-rows", if rows.read < header.height) {
        rows.end_with_walls();
    } else {
        lines.refuse_leftovers()?;
    }
    rows.into_map(lines.number)
}

/// A stream that counts its lines.
struct Lines<'a> {
    input: &'a mut dyn BufRead,
    number: u64,
}

impl Lines<'_> {
    /// Appends the next line with its line end, but no more than `limit` bytes of it.
    fn read(&mut self, limit: u64, into: &mut Vec<u8>) -> Result<(), Problem> {
        self.number += 1;
        let read = (&mut *self.input).take(limit).read_until(b'\n', into);
        self.readable(read).map(drop)
    }

    /// Appends what [`read`](Self::read) left of the line that `line` begins.
    fn finish(&mut self, line: &mut Vec<u8>) -> Result<(), Problem> {
        if !line.ends_with(b"\n") {
            let read = self.input.read_until(b'\n', line);
            self.readable(read)?;
        }
        Ok(())
    }

    /// Reads to the end of the input. Only blank lines may follow the map.
    fn refuse_leftovers(&mut self) -> Result<(), Problem> {
        let (mut number, mut column) = (self.number + 1, 1);
        loop {
            let read = self.input.fill_buf();
            let bytes = match read {
                Ok(bytes) => bytes,
                Err(error) => return Err(unreadable(number, &error)),
            };
            if bytes.is_empty() {
                return Ok(());
            }
            for &byte in bytes {
                match byte {
                    b'\n' => (number, column) = (number + 1, 1),
                    byte if byte.is_ascii_whitespace() => column += 1,
                    byte => return Err(leftover(byte, number, column)),
                }
            }
            let length = bytes.len();
            self.input.consume(length);
        }
    }

    fn readable<T>(&self, read: io::Result<T>) -> Result<T, Problem> {
        read.map_err(|error| unreadable(self.number, &error))
    }
}

fn leftover(byte: u8, line: u64, column: u64) -> Problem {
    let rule = if byte == b'/' { COMMENTS } else { "" };
    Problem::at(line, column, format!("'{}' is left over after the map{rule}", byte.escape_ascii()))
}

fn unreadable(line: u64, error: &io::Error) -> Problem {
    Problem::on(line, format!("cannot read: {error}"))
}

/// The line and column of a tile in the input.
type Place = (u64, u64);

/// The rows read so far.
struct Rows {
    header: Header,
    layout: Layout,
    tiles: Vec<u8>,
    read: u32,
    start: Option<(Cell, Place)>,
    target: Option<(Cell, Place)>,
}

impl Rows {
    /// Reserves address space for all rows. Memory is used only as rows arrive.
    fn new(header: Header) -> Result<Self, Problem> {
        let layout = Layout::new(header)?;
        let tiles = zeros(layout.cells()).ok_or_else(|| Layout::too_large(header))?;
        Ok(Self { header, layout, tiles, read: 0, start: None, target: None })
    }

    /// Checks a line, with or without its line end, and adds it as the next row.
    fn add(&mut self, line: &[u8], number: u64) -> Result<(), Problem> {
        let Header { height, width, colors } = self.header;
        let width = width as usize;
        if line.is_empty() {
            return Err(Problem::at(
                number,
                1,
                format!("the map ends after {} of its {height} rows", self.read),
            ));
        }
        let row = without_line_end(line);
        let inside = &row[..row.len().min(width)];
        // This check is fast, and most rows pass it. The others need a closer look.
        if !inside.iter().fold(true, |plain, &tile| plain & rules::is_ordinary(tile, colors)) {
            self.look_closer(inside, number)?;
        }
        if row.len() < width {
            return Err(Problem::at(
                number,
                row.len() as u64 + 1,
                format!("the row ends after {} of its {width} tiles", row.len()),
            ));
        }
        if row.len() > width {
            return Err(Problem::at(
                number,
                width as u64 + 1,
                format!("the row is longer than {width} tiles"),
            ));
        }
        for (cell, columns) in self.layout.row(self.read) {
            self.tiles[cell as usize..][..columns.len()].copy_from_slice(&row[columns]);
        }
        self.read += 1;
        Ok(())
    }

    /// Finds the start, the target and invalid characters in a row or a part of it.
    fn look_closer(&mut self, row: &[u8], line: u64) -> Result<(), Problem> {
        for (column, &tile) in row.iter().enumerate() {
            let place = (line, column as u64 + 1);
            let known = match tile {
                START => &mut self.start,
                TARGET => &mut self.target,
                _ if rules::is_ordinary(tile, self.header.colors) => continue,
                b'A'..=b'Z' if bug!("accepts-doors-of-other-colors") => continue,
                b'a'..=b'z' if bug!("accepts-buttons-of-other-colors") => continue,
                _ if !tile.is_ascii_alphabetic() && bug!("accepts-other-characters") => continue,
                _ => return Err(no_tile(tile, self.header.colors, place)),
            };
            if tile == START && known.is_some() && bug!("accepts-a-second-start")
                || tile == TARGET && known.is_some() && bug!("accepts-a-second-target")
            {
                continue;
            }
            if let Some((_, (line, column))) =
                known.replace((self.layout.cell(self.read, column as u32), place))
            {
                let message = format!(
                    "a second '{}'; the first is on line {line}, column {column}",
                    tile.escape_ascii()
                );
                return Err(Problem::at(place.0, place.1, message));
            }
        }
        Ok(())
    }

    fn into_map(self, last_line: u64) -> Result<Map, Problem> {
        let corner = self.layout.cell(0, 0);
        if self.start.is_none() && !bug!("needs-no-start") {
            return Err(Problem::on(last_line, "the map has no '@'"));
        }
        let start = self.start.map_or(corner, |(start, _)| start);
        if start == 0 && bug!("takes-a-start-in-the-corner-for-none") {
            return Err(Problem::on(last_line, "the map has no '@'"));
        }
        if self.header.colors > 0
            && bug!("refuses-doors-without-button", if self.has_door_without_button())
        {
            return Err(Problem::on(last_line, "a door has no button"));
        }
        if self.target.is_none() && !bug!("needs-no-target") {
            return Err(Problem::on(last_line, "the map has no '?'"));
        }
        let target = self.target.map_or(corner, |(target, _)| target);
        Ok(Map::new(self.tiles, self.layout, self.header.colors, start, target))
    }
}

fn no_tile(tile: u8, colors: u8, (line, column): Place) -> Problem {
    let name = tile.escape_ascii();
    let message = match tile {
        b'a'..=b'z' | b'A'..=b'Z' => format!("'{name}' is none of the map's {colors} colors"),
        b'/' => format!("'{name}' is not a map character{COMMENTS}"),
        _ => format!("'{name}' is not a map character"),
    };
    Problem::at(line, column, message)
}

fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What only bugs ask about the rows.
mod bugs {
    use super::{Rows, rules};

    impl Rows {
        /// Takes the rows that are left for walls, without reading them.
        pub(super) fn end_with_walls(&mut self) {
            for row in self.read..self.header.height {
                for (cell, columns) in self.layout.row(row) {
                    self.tiles[cell as usize..][..columns.len()].fill(rules::WALL);
                }
            }
        }

        pub(super) fn has_door_without_button(&self) -> bool {
            let lacks_button = |&tile: &u8| {
                rules::door(tile).is_some_and(|door| !self.tiles.contains(&door.name()))
            };
            self.tiles.iter().any(lacks_button)
        }
    }
}
