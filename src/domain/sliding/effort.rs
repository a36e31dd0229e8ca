//! How long the search of a board is, so that random boards stay cheap: layouts, counted up to a bound. It finds no solution, and no
//! verdict rests on it.

use super::board::{Board, Piece};
use std::collections::{HashSet, VecDeque};

/// How many layouts a search meets before one is solved; `most` where there are as many or more.
pub(super) fn layouts(board: &Board, most: usize) -> usize {
    let mut pieces = board.valid();
    let Some((_, others)) = pieces.split_first_mut() else { return 0 };
    if board.area() > u64::BITS as usize {
        return most;
    }
    let twins = |piece: &Piece| (piece.width, piece.height, piece.direction);
    others.sort_by_key(twins);
    let row_of = |piece: &Piece| ((1_u128 << piece.width) - 1) as u64;
    let shape = |piece: &Piece| (0..piece.height).fold(0, |shape, row| shape | row_of(piece) << (row * board.columns));
    let shapes: Vec<u64> = pieces.iter().map(shape).collect();
    let spot = |row: i32, column: i32| ((row - 1) * board.columns + column - 1) as u8;
    let mut start: Vec<u8> = pieces.iter().map(|piece| spot(piece.row, piece.column)).collect();
    let sort_twins = |spots: &mut [u8]| {
        let mut rest = &mut spots[1..];
        for class in pieces[1..].chunk_by(|a, b| twins(a) == twins(b)) {
            let (first, behind) = rest.split_at_mut(class.len());
            first.sort_unstable();
            rest = behind;
        }
    };
    sort_twins(&mut start);
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    while let Some(spots) = waiting.pop_front() {
        let occupied = shapes.iter().zip(&spots).fold(0, |occupied, (shape, spot)| occupied | shape << spot);
        for (at, piece) in pieces.iter().enumerate() {
            let others = occupied & !(shapes[at] << spots[at]);
            let from = (i32::from(spots[at]) / board.columns + 1, i32::from(spots[at]) % board.columns + 1);
            for (down, right) in ways(piece.direction) {
                for space in 1.. {
                    let to = Piece { row: from.0 + down * space, column: from.1 + right * space, ..*piece };
                    let is_free = to.is_inside(board.rows, board.columns) && others & shapes[at] << spot(to.row, to.column) == 0;
                    if !is_free {
                        break;
                    }
                    let mut next = spots.clone();
                    next[at] = spot(to.row, to.column);
                    sort_twins(&mut next);
                    if seen.insert(next.clone()) {
                        waiting.push_back(next);
                    }
                    let is_solved = at == 0 && to.column + to.width > board.columns;
                    if is_solved || seen.len() >= most {
                        return seen.len();
                    }
                }
            }
        }
    }
    seen.len()
}

/// The ways that a direction allows, as steps of rows and columns.
fn ways(direction: u8) -> impl Iterator<Item = (i32, i32)> {
    let across = [(0, -1), (0, 1)].into_iter().filter(move |_| b"hb".contains(&direction));
    let down = [(-1, 0), (1, 0)].into_iter().filter(move |_| b"vb".contains(&direction));
    across.chain(down)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &[u8], expected: usize) {
        assert_eq!(layouts(&Board::read(file).unwrap(), 100), expected);
    }

    #[test]
    fn layouts_are_counted_up_to_the_first_that_is_solved_or_to_the_bound() {
        check(b"1 3\n1 1 1 1 n\n", 1);
        check(b"3 3\n2 2 1 1 v\n", 3);
        check(b"1 4\n1 1 1 1 h\n1 4 1 1 n\n", 3);
        check(b"1 4\n1 1 1 1 h\n", 4);
        check(b"8 8\n1 1 1 1 v\n1 8 1 1 v\n8 8 1 1 v\n1 5 1 1 v\n", 100);
        check(b"0 1\n1 1 1 1 v\n", 0);
    }

    #[test]
    fn twins_may_change_places_and_the_goal_piece_has_none() {
        check(b"2 2\n1 1 1 1 n\n1 2 1 1 b\n2 1 1 1 b\n", 3);
        check(b"2 2\n1 1 1 1 n\n1 2 1 1 b\n2 1 1 1 v\n", 2);
        check(b"3 2\n1 1 1 1 v\n2 1 1 1 v\n3 2 1 1 n\n", 3);
    }
}
