//! The Puzzle Solver.

use crate::game::Game;
use crate::run::run;
use harness_shape::{Inputs, inputs};
use proptest::prelude::*;

fn maps() -> Inputs {
    inputs("docs/shapes/puzzle.yaml").at_most("rows", 10).at_most("columns", 10)
}

/// A map: its rows of cells.
struct Map(Vec<Vec<u8>>);

/// The colour of the player, and the row and the column.
type State = (u8, usize, usize);

impl Map {
    fn read(text: &str) -> Self {
        let rows = text.lines().skip(1).filter(|line| !line.starts_with("//"));
        Self(rows.map(|row| row.as_bytes().to_vec()).collect())
    }
}

impl Game for Map {
    type State = State;

    fn start(&self) -> State {
        let column = |row: &Vec<u8>| row.iter().position(|&cell| cell == b'@');
        let mut rows = self.0.iter().enumerate();
        rows.find_map(|(at, row)| Some((b'^', at, column(row)?))).unwrap()
    }

    fn is_won(&self, (_, row, column): State) -> bool {
        self.0[row][column] == b'?'
    }

    fn next(&self, (color, row, column): State) -> Vec<State> {
        let here = self.0[row][column];
        if (here == b'^' || here.is_ascii_lowercase()) && here != color {
            return vec![(here, row, column)];
        }
        let around = [
            (row.wrapping_sub(1), column),
            (row, column + 1),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
        ];
        let is_open = |&(row, column): &(usize, usize)| {
            let cell = self.0.get(row).and_then(|row| row.get(column));
            cell.is_some_and(|cell| match cell {
                b'#' => false,
                b'A'..=b'Z' => cell.to_ascii_lowercase() == color,
                _ => true,
            })
        };
        around.into_iter().filter(is_open).map(|(row, column)| (color, row, column)).collect()
    }
}

/// The states of a list such as `(a, (0, 1))`; `None` if it says that there is no path.
fn states(list: &str) -> Option<Vec<State>> {
    let state = |line: &str| {
        let mut words = line.split(|byte| "(), ".contains(byte)).filter(|word| !word.is_empty());
        let color = words.next()?.as_bytes()[0];
        Some((color, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    list.lines().map(state).collect()
}

proptest! {
    #[test]
    fn a_path_keeps_the_rules_and_the_queues_is_a_shortest_one(map in maps()) {
        let game = Map::read(&map.text());
        let fewest = game.fewest();
        for search in ["--queue", "--stack"] {
            let ran = run(puzzle::run, &[search, "--output", "list"], &map.bytes);
            prop_assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
            let path = states(&ran.stdout);
            prop_assert_eq!(path.is_some(), fewest.is_some(), "{} finds: {}", search, ran.stdout);
            let Some(path) = path else { continue };
            game.check(&path)?;
            if search == "--queue" {
                prop_assert_eq!(Some(path.len() - 1), fewest);
            }
        }
    }

    #[test]
    fn a_map_of_the_path_differs_from_the_puzzle_only_on_the_path(map in maps()) {
        let drawn = run(puzzle::run, &["--queue", "--output", "map"], &map.bytes).stdout;
        prop_assume!(drawn.starts_with("// color"));
        let list = run(puzzle::run, &["--queue", "--output", "list"], &map.bytes).stdout;
        let path = states(&list).unwrap();
        let rows: Vec<_> = drawn.lines().filter(|line| !line.starts_with("//")).collect();
        let whole = Map::read(&map.text()).0;
        for (at, drawn) in rows.iter().enumerate() {
            let row = at % whole.len();
            for (column, (&cell, drawn)) in whole[row].iter().zip(drawn.bytes()).enumerate() {
                let is_on_path = path.iter().any(|&(_, y, x)| (y, x) == (row, column));
                prop_assert!(drawn == cell || is_on_path || b"@^".contains(&cell) || cell.is_ascii_alphabetic());
            }
        }
    }
}
