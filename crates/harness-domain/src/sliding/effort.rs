//! Limits on the layouts that a random board can reach, because every variant has to search them.

use super::board::Board;
use super::layouts::Layouts;
use super::smaller;
use fastrand::Rng;
use std::ops::RangeInclusive;

/// Removes rows, columns and directions until the board can reach at most `most` layouts, and gives these. `None` if no piece is left.
pub(super) fn limit_layouts(board: &mut Board, rng: &mut Rng, most: usize) -> Option<Layouts> {
    while !board.pieces.is_empty() {
        let layouts = Layouts::of(board, most);
        if layouts.is_some() {
            return layouts;
        }
        let free: Vec<_> =
            (1..board.pieces.len()).filter(|&at| board.pieces[at].direction == b'b').collect();
        match rng.choice(free) {
            Some(at) if rng.bool() => {
                board.pieces[at].direction = if rng.bool() { b'h' } else { b'v' }
            }
            _ if board.rows > 1 && rng.bool() => {
                *board = smaller::without_row(board, rng.i32(1..=board.rows));
            }
            _ if board.columns > 1 => {
                *board = smaller::without_column(board, rng.i32(1..=board.columns));
            }
            _ => {}
        }
    }
    None
}

/// The most layouts that a board with much room may reach.
pub(super) const MOST_LAYOUTS: usize = 20_000;

/// A random limit on the layouts of a board with a long solution.
pub(super) fn long_effort(rng: &mut Rng) -> usize {
    match rng.u8(..60) {
        0 => MOST_LAYOUTS,
        1..6 => 2500,
        _ => 250,
    }
}

/// How many layouts a board with a long search can reach. Some bugs show only on such a board.
pub(super) const MANY_LAYOUTS: RangeInclusive<usize> = 2000..=60_000;

/// A random limit on the layouts of a board. It is mostly low, because every variant has to search them.
pub(super) fn effort(rng: &mut Rng) -> usize {
    match rng.u8(..64) {
        0 => 2000,
        1..6 => 400,
        _ => 60,
    }
}
