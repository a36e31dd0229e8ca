//! The first three lines: the input mode, the number of rooms, and their size. Comments and the castle follow.

use crate::failure::Failure;
use crate::lines::Lines;
use subject::bug;

const MAX_ROOMS: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) mode: InputMode,
    pub(crate) rooms: usize,
    /// The number of rows, and of columns, of each room.
    pub(crate) size: usize,
}

/// How the input describes the castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputMode {
    Map,
    List,
}

impl Header {
    pub(crate) fn read(lines: &mut Lines<'_>) -> Result<Self, Failure> {
        let mode = match line(lines, 1, "the input mode")? {
            b"M" => InputMode::Map,
            b"L" => InputMode::List,
            _ => return Err(Failure::line(1, "the input mode must be M or L")),
        };
        let rooms = number(line(lines, 2, "the number of rooms")?);
        let rooms = rooms
            .filter(|&rooms| {
                (1..=MAX_ROOMS).contains(&rooms)
                    && !(rooms == MAX_ROOMS && bug!("ten-rooms-are-rejected"))
            })
            .ok_or_else(|| {
                Failure::line(2, format!("the number of rooms must be from 1 to {MAX_ROOMS}"))
            })?;
        let size = number(line(lines, 3, "the size of the rooms")?);
        let size = size
            .filter(|&size| size >= 1 && !(size == 1 && bug!("rooms-of-one-tile-are-rejected")))
            .ok_or_else(|| {
                Failure::line(3, "the size of the rooms must be a whole number from 1 up")
            })?;
        Ok(Self { mode, rooms, size })
    }
}

fn line<'a>(lines: &'a mut Lines<'_>, number: usize, what: &str) -> Result<&'a [u8], Failure> {
    let missing = || Failure::line(number, format!("{what} is missing"));
    let (line, _) = lines.read()?.ok_or_else(missing)?;
    Ok(line.trim_ascii_end())
}

/// The number that a text of digits stands for, if it fits the unsigned integer of the specification.
fn number(text: &[u8]) -> Option<usize> {
    let digits = text.iter().all(u8::is_ascii_digit);
    let number: u32 = std::str::from_utf8(text).ok().filter(|_| digits)?.parse().ok()?;
    usize::try_from(number).ok()
}
