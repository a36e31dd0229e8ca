//! Rescue the Countess.

use crate::game::Game;
use crate::run::run;
use harness_shape::{Inputs, inputs};
use proptest::prelude::*;

fn castles() -> Inputs {
    inputs("docs/shapes/countess.yaml").at_most("size", 8)
}

/// A castle: the tiles of its rooms.
struct Castle(Vec<Vec<Vec<u8>>>);

/// A room, a row and a column.
type State = [usize; 3];

impl Castle {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().filter(|line| !line.starts_with("//") && !line.is_empty());
        let is_map = lines.next() == Some("M");
        let [rooms, size] = [(); 2].map(|()| lines.next().unwrap().parse().unwrap());
        let mut castle = vec![vec![vec![b'.'; size]; size]; rooms];
        for (at, line) in lines.enumerate() {
            if is_map {
                castle[at / size][at % size] = line.as_bytes().to_vec();
            } else {
                let ([room, row, column], tile) = listed(line);
                castle[room][row][column] = tile;
            }
        }
        Self(castle)
    }

    fn tile(&self, [room, row, column]: State) -> Option<u8> {
        Some(*self.0.get(room)?.get(row)?.get(column)?)
    }
}

/// The place and the letter of a line such as `(0,1,2,n)`.
fn listed(line: &str) -> (State, u8) {
    let words: Vec<_> = line.trim_matches(['(', ')']).split(',').collect();
    ([0, 1, 2].map(|at| words[at].parse().unwrap()), words[3].as_bytes()[0])
}

impl Game for Castle {
    type State = State;

    fn start(&self) -> State {
        let (rooms, size) = (self.0.len(), self.0[0].len());
        let places =
            (0..rooms * size * size).map(|at| [at / size / size, at / size % size, at % size]);
        places.into_iter().find(|&place| self.tile(place) == Some(b'S')).unwrap()
    }

    fn is_won(&self, state: State) -> bool {
        self.tile(state) == Some(b'C')
    }

    fn next(&self, [room, row, column]: State) -> Vec<State> {
        let places = match self.tile([room, row, column]) {
            Some(pipe @ b'0'..=b'9') => vec![[usize::from(pipe - b'0'), row, column]],
            _ => vec![
                [room, row.wrapping_sub(1), column],
                [room, row, column + 1],
                [room, row + 1, column],
                [room, row, column.wrapping_sub(1)],
            ],
        };
        let is_open = |place: &State| self.tile(*place).is_some_and(|tile| !b"#!".contains(&tile));
        places.into_iter().filter(is_open).collect()
    }
}

proptest! {
    #[test]
    fn a_path_keeps_the_rules_and_the_queues_is_a_shortest_one(castle in castles()) {
        for search in ["--queue", "--stack"] {
            let ran = run(countess::run, &[search, "--output", "L"], &castle.bytes);
            // A list may name a tile twice.
            prop_assume!(!ran.stderr.contains("the same coordinate"));
            prop_assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
            let game = Castle::read(&castle.text());
            let fewest = game.fewest();
            let Some(list) = ran.stdout.strip_prefix("Path taken:\n") else {
                prop_assert_eq!(fewest, None);
                continue;
            };
            let mut path = vec![game.start()];
            for (place, letter) in list.lines().map(listed) {
                prop_assert_eq!(path.last(), Some(&place));
                let [room, row, column] = place;
                path.push(match letter {
                    b'n' => [room, row.wrapping_sub(1), column],
                    b'e' => [room, row, column + 1],
                    b's' => [room, row + 1, column],
                    b'w' => [room, row, column.wrapping_sub(1)],
                    _ => game.next(place)[0],
                });
            }
            game.check(&path)?;
            if search == "--queue" {
                prop_assert_eq!(Some(path.len() - 1), fewest);
            }
        }
    }
}
