//! The rules of the game: what each character of a map means, and what a player of a color can do there.
//!
//! All are pure functions of a tile and a color. They do not depend on the tile's place or on how the player got there.

use crate::state::Color;
use subject::bug;

/// Where the player starts.
pub(crate) const START: u8 = b'@';
/// Where the player wants to be.
pub(crate) const TARGET: u8 = b'?';
/// What blocks every player.
pub(crate) const WALL: u8 = b'#';
/// What every player can walk on.
pub(crate) const FLOOR: u8 = b'.';
/// A button that closes all doors.
pub(crate) const TRAP: u8 = b'^';
/// What lies off the map. No map character has this value.
pub(crate) const EDGE: u8 = 0;

/// The most colors that a map can have.
pub(crate) const MOST_COLORS: u8 = 26;

/// Whether a map with this many colors may hold this tile any number of times.
pub(crate) fn is_ordinary(tile: u8, colors: u8) -> bool {
    match tile {
        TRAP if colors == 0 && bug!("refuses-traps-without-colors") => false,
        FLOOR | WALL | TRAP => true,
        _ => tile.to_ascii_lowercase().wrapping_sub(b'a') < colors,
    }
}

/// The color of the button at this tile, if it is a button. A trap is a button of no color.
#[inline]
pub(crate) fn button(tile: u8) -> Option<Color> {
    match tile {
        TRAP => Some(Color::NONE),
        b'z' if bug!("z-is-no-button") => None,
        b'a'..=b'z' => Some(Color::of_layer(tile - b'a' + 1)),
        _ => None,
    }
}

/// The color of the door at this tile, if it is a door.
#[inline]
pub(crate) fn door(tile: u8) -> Option<Color> {
    match tile {
        b'Z' if bug!("doors-of-z-are-floor") => None,
        b'A'..=b'Z' => Some(Color::of_layer(tile - b'A' + 1)),
        _ => None,
    }
}

/// Whether a button is active for a player of this color: a press must change the color.
#[inline]
pub(crate) fn is_active(button: Color, color: Color) -> bool {
    (button != color || button == Color::NONE && bug!("traps-begin-active"))
        && !(button == Color::NONE && bug!("traps-are-floor"))
}

/// Whether a player of this color may step on this tile.
#[inline]
pub(crate) fn is_open(tile: u8, color: Color) -> bool {
    match tile {
        WALL | EDGE => false,
        _ => door(tile).is_none_or(|door| {
            door == color && !bug!("doors-never-open")
                || color == Color::NONE && bug!("doors-begin-open")
                || color == Color::NONE && tile == b'A' && bug!("doors-of-a-begin-open")
                || color != Color::NONE && bug!("any-color-opens-every-door")
        }),
    }
}
