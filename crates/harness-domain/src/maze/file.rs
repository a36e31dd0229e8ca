//! A maze file: a line for each row, and a hexadecimal digit for each room.
//!
//! Reading always returns a maze, with holes where the file is broken, and all errors in the file's form.

use super::grid::{HOLE, Maze, Room};
use crate::Flaw;

/// How a file is written, where a reader accepts more than one form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Style {
    /// Lines end in CRLF.
    pub(super) crlf: bool,
    /// Digits from `a` to `f` are capitals.
    pub(super) capitals: bool,
    pub(super) ending: Ending,
}

/// What follows the last row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Ending {
    #[default]
    Newline,
    /// Nothing.
    Open,
    /// A newline and a blank line.
    BlankLine,
}

impl Style {
    /// The style of `file`. The result for a file that mixes styles is unspecified.
    pub(super) fn of(file: &[u8]) -> Self {
        let newlines = file
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .filter(|&&byte| byte == b'\n')
            .count();
        Self {
            crlf: file.windows(2).any(|pair| pair == b"\r\n"),
            capitals: file.iter().any(u8::is_ascii_uppercase),
            ending: match newlines {
                0 => Ending::Open,
                1 => Ending::Newline,
                _ => Ending::BlankLine,
            },
        }
    }
}

/// Parses a file into a maze and the errors in its form. [`Maze::flaws`] checks the walls.
pub(super) fn read(file: &[u8]) -> (Maze, Vec<Flaw>) {
    let rows: Vec<&[u8]> = rows(file).collect();
    let wanted = rows[0].len();
    let mut maze = Maze::closed(rows.iter().map(|row| row.len()).max().unwrap_or(0), rows.len());
    let mut flaws = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        if row.len() != wanted || row.is_empty() {
            flaws.push(Flaw {
                line: Some(y + 1),
                column: None,
                message: wrong_length(y, row.len(), wanted),
            });
        }
        for x in 0..maze.width() {
            let digit = row.get(x).map(|&byte| char::from(byte).to_digit(16).ok_or(byte));
            maze.set_walls(
                Room { x, y },
                digit.and_then(Result::ok).map_or(HOLE, |digit| digit as u8),
            );
            if let Some(Err(byte)) = digit {
                let message = format!("`{}` is not a hexadecimal digit", byte.escape_ascii());
                flaws.push(Flaw { line: Some(y + 1), column: Some(x + 1), message });
            }
        }
    }
    (maze, flaws)
}

fn wrong_length(y: usize, length: usize, wanted: usize) -> String {
    match (y, length) {
        (0, 0) => "the first row is empty".to_owned(),
        (_, 0) => "there is a blank line between rows".to_owned(),
        _ => format!("this row has {length} rooms, but the first row has {wanted}"),
    }
}

/// The lines up to the last that is not blank, without line endings. There is at least one.
fn rows(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end =
        file.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
    file[..end].split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The file of a maze without holes.
pub(super) fn write(maze: &Maze, style: Style) -> Vec<u8> {
    let digits = if style.capitals { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
    let end: &[u8] = if style.crlf { b"\r\n" } else { b"\n" };
    let mut file = Vec::with_capacity((maze.width() + end.len()) * maze.height() + end.len());
    for room in maze.rooms() {
        file.push(digits[usize::from(maze.walls(room) & 0xf)]);
        if room.x + 1 == maze.width()
            && !(style.ending == Ending::Open && room.y + 1 == maze.height())
        {
            file.extend_from_slice(end);
        }
    }
    if style.ending == Ending::BlankLine {
        file.extend_from_slice(end);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaws(file: &str) -> Vec<String> {
        let (maze, flaws) = read(file.as_bytes());
        flaws.into_iter().chain(maze.flaws()).map(|flaw| flaw.to_string()).collect()
    }

    #[test]
    fn a_maze_survives_being_read_and_written_in_every_style() {
        for file in ["59\n6a\n", "7B\r\nF7", "f\n\n", "d\r\ne\r\n\r\n"] {
            let (maze, flaws) = read(file.as_bytes());
            assert!(flaws.is_empty());
            assert_eq!(write(&maze, Style::of(file.as_bytes())), file.as_bytes());
        }
    }

    #[test]
    fn every_error_in_a_file_is_reported_with_its_place() {
        assert_eq!(
            flaws("5b\n\n6!a\n"),
            [
                "line 2: there is a blank line between rows",
                "line 3: this row has 3 rooms, but the first row has 2",
                "line 3, column 2: `!` is not a hexadecimal digit"
            ]
        );
        assert_eq!(flaws(""), ["line 1: the first row is empty"]);
    }

    #[test]
    fn an_open_border_and_walls_that_disagree_are_reported() {
        assert_eq!(
            flaws("73\n"),
            ["line 1, column 2: room (1, 0) is open to the east, but the maze ends there"]
        );
        assert_eq!(
            flaws("7f\n"),
            ["line 1, column 1: room (0, 0) is open towards (1, 0), but (1, 0) has a wall there"]
        );
        assert_eq!(
            flaws("f\ne\n"),
            ["line 1, column 1: room (0, 1) is open towards (0, 0), but (0, 0) has a wall there"]
        );
        assert_eq!(flaws("59\n6a\n"), [""; 0]);
    }

    #[test]
    fn an_unreachable_room_is_found() {
        let unreachable = |file: &str| read(file.as_bytes()).0.unreachable();
        assert_eq!(unreachable("7bf\n"), Some(Room { x: 2, y: 0 }));
        assert_eq!(unreachable("59\n6a\n"), None);
    }
}
