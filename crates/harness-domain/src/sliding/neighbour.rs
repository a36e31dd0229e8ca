//! Boards that differ in a few places from a given one.

use super::board::{Board, Piece};
use super::effort::{effort, limit_layouts};
use super::random_boards::{Boards, add, direction};
use fastrand::Rng;

impl Boards {
    /// `board` with a few random changes.
    pub(super) fn neighbour(&self, board: &Board, rng: &mut Rng) -> Board {
        let mut near = board.clone();
        for _ in 0..rng.usize(1..=3) {
            match rng.u8(..16) {
                0 if near.rows < self.rows => near.rows += 1,
                1 if near.columns < self.columns => near.columns += 1,
                2 => near.style = self.style(rng),
                3 | 4 => self.spoil(&mut near, rng),
                5..=7 if near.pieces.len() < self.pieces => {
                    let shape = Piece::new(
                        rng.i32(1..=near.rows),
                        rng.i32(1..=near.columns),
                        rng.i32(1..=2),
                        rng.i32(1..=2),
                        direction(rng),
                    );
                    add(&mut near, shape);
                }
                8 if near.pieces.len() > 1 => {
                    near.pieces.remove(rng.usize(..near.pieces.len()));
                }
                9 if near.pieces.len() > 1 => {
                    let (a, b) = (rng.usize(..near.pieces.len()), rng.usize(..near.pieces.len()));
                    near.pieces.swap(a, b);
                }
                _ => change(&mut near, rng),
            }
        }
        let most = effort(rng);
        limit_layouts(&mut near, rng, most);
        if near.pieces.is_empty() {
            return board.clone();
        }
        near
    }
}

/// Moves or rotates a random piece, or changes its direction.
fn change(board: &mut Board, rng: &mut Rng) {
    let count = board.pieces.len();
    let Some(piece) = board.pieces.get_mut(rng.usize(..count.max(1))) else { return };
    let step = if rng.bool() { 1 } else { -1 };
    match rng.u8(..5) {
        0 => piece.row = piece.row.saturating_add(step),
        1 => piece.column = piece.column.saturating_add(step),
        2 => (piece.width, piece.height) = (piece.height, piece.width),
        _ => piece.direction = direction(rng),
    }
}
