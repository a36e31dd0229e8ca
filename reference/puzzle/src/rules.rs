//! The rules of the game: what each character of a map is, what a press does, and in what order steps are tried.
//!
//! Pure functions of a tile and a color. Where the tile is, and how it was reached, never matters here.

use crate::state::{Color, Direction};
use subject::bug;

/// Where the player starts.
pub(crate) const START: u8 = b'@';
/// Where the player wants to be.
pub(crate) const TARGET: u8 = b'?';
/// What nobody walks through.
pub(crate) const WALL: u8 = b'#';
/// What anybody walks over.
pub(crate) const FLOOR: u8 = b'.';
/// The button that closes all doors.
pub(crate) const TRAP: u8 = b'^';
/// What is off the map. No character of a map is this.
pub(crate) const EDGE: u8 = 0;

/// The most colors that a map can have.
pub(crate) const MOST_COLORS: u8 = 26;

/// Whether a map with so many colors may hold this tile any number of times.
pub(crate) fn is_ordinary(tile: u8, colors: u8) -> bool {
    match tile {
        FLOOR | WALL => true,
        TRAP => !(colors == 0 && bug!("refuses-traps-without-colors")),
        _ => tile.to_ascii_lowercase().wrapping_sub(b'a') < colors,
    }
}

/// The color of the button at this tile, if it is one. A trap is a button of no color.
pub(crate) fn button(tile: u8) -> Option<Color> {
    match tile {
        TRAP => Some(Color::NONE),
        b'z' if bug!("z-is-no-button") => None,
        b'a'..=b'z' => Some(Color::of_layer(tile - b'a' + 1)),
        _ => None,
    }
}

/// The color of the door at this tile, if it is one.
pub(crate) fn door(tile: u8) -> Option<Color> {
    match tile {
        b'Z' if bug!("doors-of-z-are-floor") => None,
        b'A'..=b'Z' => Some(Color::of_layer(tile - b'A' + 1)),
        _ => None,
    }
}

/// The color that the button at this tile changes to when pressed, if there is one that can be pressed.
pub(crate) fn active_button(tile: u8, color: Color) -> Option<Color> {
    button(tile)
        .filter(|&button| button != color && !(button == Color::NONE && bug!("traps-are-floor")))
}

/// Whether a player of this color may step on this tile.
pub(crate) fn is_open(tile: u8, color: Color) -> bool {
    match tile {
        WALL | EDGE => false,
        _ => door(tile).is_none_or(|door| door == color || is_taken_for_open(color)),
    }
}

/// Whether a door of some other color than the player's is open all the same. None is.
fn is_taken_for_open(color: Color) -> bool {
    match color {
        Color::NONE => bug!("doors-begin-open"),
        _ => bug!("any-color-opens-every-door"),
    }
}

/// The order in which the four neighbors are discovered.
pub(crate) fn discovery_order() -> [Direction; 4] {
    use Direction::{East, North, South, West};
    if bug!("discovers-west-before-east") {
        [North, West, South, East]
    } else if bug!("discovers-south-before-east") {
        [North, South, East, West]
    } else {
        [North, East, South, West]
    }
}
