//! How long the search of a board may be, so that random boards stay cheap: layouts, counted up to a bound. It finds no solution, and
//! no verdict rests on it.

use super::board::{Board, Piece};
use std::collections::{HashSet, VecDeque};

/// How many layouts moves can make of a board, whether they are of use or not; `most` where there are as many or more.
///
/// A piece that can't move counts as one that can: in some mutants it does, and in all of them a search may miss the goal.
pub(super) fn layouts(board: &Board, most: usize) -> usize {
    let mut pieces = board.valid();
    let Some((_, others)) = pieces.split_first_mut() else { return 0 };
    if board.area() > u64::BITS as usize {
        return most;
    }
    others.sort_by_key(kind);
    let spot = |row: i32, column: i32| ((row - 1) * board.columns + column - 1) as u8;
    let shapes: Vec<u64> = pieces.iter().map(|piece| shape(piece, board.columns)).collect();
    let mut start: Vec<u8> = pieces.iter().map(|piece| spot(piece.row, piece.column)).collect();
    sort_twins(&mut start, &pieces);
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    while let Some(spots) = waiting.pop_front() {
        let occupied = shapes.iter().zip(&spots).fold(0, |occupied, (shape, spot)| occupied | shape << spot);
        for (at, piece) in pieces.iter().enumerate() {
            let others = occupied & !(shapes[at] << spots[at]);
            let (row, column) = (i32::from(spots[at]) / board.columns + 1, i32::from(spots[at]) % board.columns + 1);
            for (down, right) in ways(piece.direction) {
                let place = |space| Piece { row: row + down * space, column: column + right * space, ..*piece };
                let is_free =
                    |to: &Piece| to.is_inside(board.rows, board.columns) && others & shapes[at] << spot(to.row, to.column) == 0;
                for to in (1..).map(place).take_while(is_free) {
                    let mut next = spots.clone();
                    next[at] = spot(to.row, to.column);
                    sort_twins(&mut next, &pieces);
                    if seen.insert(next.clone()) {
                        waiting.push_back(next);
                    }
                    if seen.len() >= most {
                        return most;
                    }
                }
            }
        }
    }
    seen.len()
}

/// What twins have in common.
fn kind(piece: &Piece) -> (i32, i32, u8) {
    (piece.width, piece.height, piece.direction)
}

/// Brings the spots of twins into order, so that layouts in which they changed places are one. The goal piece, the first, has none.
fn sort_twins(spots: &mut [u8], pieces: &[Piece]) {
    let mut rest = &mut spots[1..];
    for twins in pieces[1..].chunk_by(|a, b| kind(a) == kind(b)) {
        let (first, behind) = rest.split_at_mut(twins.len());
        if twins[0].direction == b'b' {
            first.sort_unstable();
        }
        rest = behind;
    }
}

/// The cells of a piece in the upper left corner of the grid, as bits.
fn shape(piece: &Piece, columns: i32) -> u64 {
    let row = ((1_u128 << piece.width) - 1) as u64;
    (0..piece.height).fold(0, |shape, below| shape | row << (below * columns))
}

/// The ways that a piece could go, as steps of rows and columns.
fn ways(direction: u8) -> &'static [(i32, i32)] {
    match direction {
        b'h' => &[(0, -1), (0, 1)],
        b'v' => &[(-1, 0), (1, 0)],
        _ => &[(0, -1), (0, 1), (-1, 0), (1, 0)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &[u8], expected: usize) {
        assert_eq!(layouts(&Board::read(file).unwrap(), 100), expected);
    }

    #[test]
    fn layouts_are_counted_up_to_the_bound() {
        check(b"1 3\n1 1 1 1 v\n", 1);
        check(b"3 3\n2 2 1 1 v\n", 3);
        check(b"3 3\n2 2 1 1 n\n", 9);
        check(b"1 4\n1 1 1 1 h\n1 4 1 1 v\n", 3);
        check(b"8 8\n1 1 1 1 v\n1 8 1 1 v\n8 8 1 1 v\n1 5 1 1 v\n", 100);
        check(b"0 1\n1 1 1 1 v\n", 0);
    }

    #[test]
    fn twins_that_move_every_way_may_change_places_and_the_goal_piece_has_none() {
        check(b"2 2\n1 1 1 1 v\n1 2 1 1 b\n2 2 1 1 b\n", 2 * 3);
        check(b"3 2\n1 1 1 1 v\n2 1 1 1 v\n3 2 1 1 h\n", 3 + 1);
    }
}
