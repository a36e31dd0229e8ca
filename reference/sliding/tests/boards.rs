//! Solutions are legal, lead to the printed grid, and are as short as possible.

use sliding::board::{Direction, Puzzle, Spot};
use sliding::{data, search};
use std::collections::{HashSet, VecDeque};
use std::{fs, path::Path};

/// The length of the solution, after a check that each of its moves is legal and that it ends with the goal piece at the edge.
fn solve(board: &str) -> Option<usize> {
    let puzzle = data::read(board).unwrap().puzzle;
    let moves = search::search(&puzzle).moves?;
    let mut spots = puzzle.start();
    for step in &moves {
        let piece = &puzzle.pieces[step.piece];
        assert!(piece.movement.allows(step.direction), "{step:?} on {board}");
        assert!(step.spaces > 0);
        for _ in 0..step.spaces {
            spots = neighbour(&puzzle, &spots, step.piece, step.direction)
                .unwrap_or_else(|| panic!("{step:?} is blocked on {board}"));
        }
    }
    assert!(puzzle.is_solved_with_goal_at(spots[0]));
    Some(moves.len())
}

/// The layout after one piece moves by one space, if it can. Written without any code of the search.
fn neighbour(
    puzzle: &Puzzle,
    spots: &[Spot],
    index: usize,
    direction: Direction,
) -> Option<Vec<Spot>> {
    let mut after = spots.to_vec();
    let (row, column) = match direction {
        Direction::Up => (spots[index].row.checked_sub(1)?, spots[index].column),
        Direction::Down => (spots[index].row + 1, spots[index].column),
        Direction::Left => (spots[index].row, spots[index].column.checked_sub(1)?),
        Direction::Right => (spots[index].row, spots[index].column + 1),
    };
    after[index] = Spot { row, column };
    let mut cells = HashSet::new();
    for (piece, spot) in puzzle.pieces.iter().zip(&after) {
        for row in spot.row..spot.row + piece.height {
            for column in spot.column..spot.column + piece.width {
                if row >= puzzle.rows || column >= puzzle.columns || !cells.insert((row, column)) {
                    return None;
                }
            }
        }
    }
    Some(after)
}

/// The length of a shortest solution, found by a search without any optimization.
fn plain_search(board: &str) -> Option<usize> {
    let puzzle = data::read(board).unwrap().puzzle;
    let start: Vec<Spot> = puzzle.start();
    let (mut seen, mut queue) = (HashSet::from([start.clone()]), VecDeque::from([(start, 0)]));
    while let Some((spots, moves)) = queue.pop_front() {
        if puzzle.is_solved_with_goal_at(spots[0]) {
            return Some(moves);
        }
        for (index, piece) in puzzle.pieces.iter().enumerate() {
            for &direction in piece.movement.directions() {
                let mut from = spots.clone();
                while let Some(after) = neighbour(&puzzle, &from, index, direction) {
                    if seen.insert(after.clone()) {
                        queue.push_back((after.clone(), moves + 1));
                    }
                    from = after;
                }
            }
        }
    }
    None
}

#[test]
fn all_shared_boards_have_their_known_optimum() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/sliding");
    let Ok(expected) = fs::read_to_string(folder.join("expected.tsv")) else {
        eprintln!("skipped: there is no {}", folder.join("expected.tsv").display());
        return;
    };
    for line in expected.lines().skip(1) {
        let (name, rest) = line.split_once('\t').unwrap();
        let board = fs::read_to_string(folder.join(format!("{name}.data"))).unwrap();
        match rest.split('\t').next().unwrap() {
            "error" => assert!(data::read(&board).is_err(), "{name}"),
            "unsolvable" => assert_eq!(solve(&board), None, "{name}"),
            moves => assert_eq!(solve(&board), Some(moves.parse().unwrap()), "{name}"),
        }
    }
}

#[test]
fn boards_for_special_cases_have_their_optimum() {
    for (board, moves) in [
        // Two twins in the way of the goal piece, and a third shape.
        ("3 4 2 1 1 1 h 2 3 1 1 b 2 4 1 1 b 1 3 2 1 h", Some(3)),
        // The goal piece goes round a fixed one.
        ("3 4 2 1 1 1 b 2 2 1 2 n", Some(2)),
        // Solvable only if the fixed piece could move.
        ("3 4 2 1 1 1 h 2 2 1 2 n", None),
        // The twins of the goal piece do not count, not even at the right-hand edge.
        ("2 3 1 1 1 1 b 1 2 1 1 b 1 3 1 1 b", Some(2)),
        // Solved at the start, however wide.
        ("3 4 2 1 4 1 h", Some(0)),
    ] {
        assert_eq!((solve(board), plain_search(board)), (moves, moves), "{board}");
    }
}

#[test]
fn random_boards_agree_with_a_plain_search() {
    let mut random = Random(1);
    let mut lengths = HashSet::new();
    for _ in 0..400 {
        let board = random.board();
        let expected = plain_search(&board);
        assert_eq!(solve(&board), expected, "{board}");
        lengths.insert(expected);
    }
    assert!(lengths.len() > 6, "the boards are all alike: {lengths:?}");
}

#[test]
fn a_grid_of_more_than_64_cells_is_solved_like_a_small_one() {
    for columns in [21, 22] {
        let board = format!("3 {columns} 2 1 2 1 h 2 3 1 1 b 2 4 1 2 v 1 4 1 1 b 3 3 1 1 b");
        assert_eq!(
            solve(&board),
            solve("3 6 2 1 2 1 h 2 3 1 1 b 2 4 1 2 v 1 4 1 1 b 3 3 1 1 b"),
            "{columns}"
        );
    }
}

#[test]
fn many_pieces_are_solved_like_few() {
    for pieces in [2_usize, 20, 61, 127, 200, 390] {
        // A row with the goal piece and one that is in its way; below it, pieces that can only shift in their rows.
        let others =
            (0..pieces - 2).map(|index| format!("{} {} 1 1 b", index / 10 + 2, index % 10 + 1));
        let board = format!("41 11 1 1 1 1 h 1 11 1 1 v {}", others.collect::<Vec<_>>().join(" "));
        assert_eq!(solve(&board), Some(2), "{pieces}");
    }
}

/// A xorshift generator, which makes the same boards in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }

    /// A small board with many pieces that may be discarded, most of them small.
    fn board(&mut self) -> String {
        let (rows, columns) = (2 + self.below(3), 3 + self.below(2));
        let goal = format!("{rows} {columns}\n{} 1 1 1 b\n", 1 + self.below(rows));
        (0..3 + self.below(5)).fold(goal, |board, _| {
            let (row, column) = (1 + self.below(rows), 1 + self.below(columns));
            let movement = ["h", "v", "b", "b", "b", "n"][self.below(6) as usize];
            board
                + &format!(
                    "{row} {column} {} {} {movement}\n",
                    1 + self.below(2),
                    1 + self.below(2)
                )
        })
    }
}
