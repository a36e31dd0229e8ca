//! Enlarges a castle by repeating a row and a column, or a room.

use super::castle::{COUNTESS, Castle, FLOOR, Form, START};
use fastrand::Rng;

/// Repeats one row and one column in every room.
pub(super) fn with_row_and_column_doubled(castle: &Castle, rng: &mut Rng) -> Castle {
    let size = castle.size;
    let (row, column) = (rng.usize(..size), rng.usize(..size));
    let place = |at: usize, doubled: usize| (at - usize::from(at > doubled), at == doubled);
    let (wide, area) = (size + 1, (size + 1) * (size + 1));
    grown(castle, wide, castle.rooms() * area, |at| {
        let (from_row, new_row) = place(at % area / wide, row);
        let (from_column, new_column) = place(at % wide, column);
        ((at / area * size + from_row) * size + from_column, new_row || new_column)
    })
}

/// Repeats one room; the copy comes last.
pub(super) fn with_room_doubled(castle: &Castle, rng: &mut Rng) -> Castle {
    let (old, room) = (castle.tiles.len(), rng.usize(..castle.rooms()));
    grown(castle, castle.size, old + castle.room_area(), |at| {
        if at < old { (at, false) } else { (room * castle.room_area() + at - old, true) }
    })
}

/// A larger castle. `from` gives the original of each tile, and whether it is a copy. A copy of the start or the Countess is
/// floor.
fn grown(
    castle: &Castle,
    size: usize,
    tiles: usize,
    from: impl Fn(usize) -> (usize, bool),
) -> Castle {
    let tile = |at: usize| match from(at) {
        (from, true) if [START, COUNTESS].contains(&castle.tiles[from]) => FLOOR,
        (from, _) => castle.tiles[from],
    };
    let grown = Castle {
        size,
        tiles: (0..tiles).map(tile).collect(),
        form: Form::Map,
        style: castle.style.clone(),
    };
    match castle.form {
        Form::Map => grown,
        Form::List(_) => grown.in_form(Form::List(grown.things())),
    }
}
