//! Sliding Blocks.

use harness_shape::{Inputs, inputs};
use proptest::prelude::*;
use sliding::{data, search};

fn boards() -> Inputs {
    let boards = inputs("docs/shapes/sliding.yaml");
    boards.at_most("rows", 4).at_most("columns", 4).at_most("pieces", 6)
}

/// The board upside down.
fn flipped(board: &str) -> String {
    let mut lines = board.lines().filter(|line| !line.trim().is_empty());
    let header = lines.next().unwrap();
    let rows: i64 = header.split_whitespace().next().unwrap().parse().unwrap();
    let piece = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [row, height] = [0, 3].map(|at| words[at].parse::<i64>().unwrap());
        format!("{} {}\n", rows - row - height + 2, words[1..].join(" "))
    };
    format!("{header}\n{}", lines.map(piece).collect::<String>())
}

proptest! {
    #[test]
    fn a_board_upside_down_takes_as_many_moves(board in boards()) {
        let (board, flipped) = (board.text(), flipped(&board.text()));
        let [board, flipped] = [&*board, &flipped].map(data::read);
        prop_assert_eq!(board.is_ok(), flipped.is_ok());
        let (Ok(board), Ok(flipped)) = (board, flipped) else { return Ok(()) };
        prop_assert_eq!(board.discarded.len(), flipped.discarded.len());
        let [moves, other] = [board, flipped].map(|data| search::search(&data.puzzle).moves);
        prop_assert_eq!(moves.map(|moves| moves.len()), other.map(|moves| moves.len()));
    }
}
