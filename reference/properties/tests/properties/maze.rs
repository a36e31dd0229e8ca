//! The maze solver and the maze generator.

use crate::game::Game;
use crate::run::run;
use harness_shape::inputs;
use proptest::prelude::*;

/// A column and a row.
type Room = (usize, usize);

/// A maze: the weights of the walls of its rooms.
struct Maze {
    rows: Vec<Vec<u32>>,
    start: Room,
    goal: Room,
}

impl Maze {
    fn read(text: &str, [start, goal]: [Room; 2]) -> Self {
        let digits = |line: &str| line.chars().map(|digit| digit.to_digit(16).unwrap()).collect();
        let lines = text.lines().filter(|line| !line.is_empty());
        Self { rows: lines.map(digits).collect(), start, goal }
    }
}

impl Game for Maze {
    type State = Room;

    fn start(&self) -> Room {
        self.start
    }

    fn is_won(&self, room: Room) -> bool {
        room == self.goal
    }

    fn next(&self, (x, y): Room) -> Vec<Room> {
        let Some(walls) = self.rows.get(y).and_then(|row| row.get(x)) else { return Vec::new() };
        let (left, up) = (x.wrapping_sub(1), y.wrapping_sub(1));
        let around = [(8, (x + 1, y)), (4, (left, y)), (2, (x, y + 1)), (1, (x, up))];
        around.into_iter().filter(|(wall, _)| walls & wall == 0).map(|(_, room)| room).collect()
    }
}

proptest! {
    #[test]
    fn a_path_leads_through_openings_and_comes_to_no_room_twice(maze in inputs("docs/shapes/maze-solver.yaml")) {
        let [from_x, from_y, to_x, to_y] = [0, 1, 2, 3].map(|at| maze.parameters[at] as usize);
        let numbers: Vec<_> = maze.parameters.iter().map(i64::to_string).collect();
        let args: Vec<_> = ["input", "path"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
        let ran = run(maze::solver, &args, &maze.bytes);
        let game = Maze::read(&maze.text(), [(from_x, from_y), (to_x, to_y)]);
        let reached = game.reached();
        if !reached.contains_key(&game.goal) {
            prop_assert!(ran.status == 1 && ran.stderr.starts_with("no way leads from "));
            return Ok(());
        }
        prop_assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let room = |line: &str| {
            let (x, y) = line.split_once(", ").unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        let mut path: Vec<Room> = ran.file("path").lines().map(room).collect();
        game.check(&path)?;
        path.sort_unstable();
        prop_assert!(path.windows(2).all(|pair| pair[0] != pair[1]), "a room twice: {:?}", path);
    }

    #[test]
    fn one_way_leads_from_any_room_of_a_new_maze_to_any_other(
        recipe in inputs("docs/shapes/maze-generator.yaml").at_most("width", 40).at_most("height", 40)
    ) {
        let text = recipe.text();
        let line = text.lines().find(|line| line.starts_with(|start: char| start.is_ascii_digit()));
        let words: Vec<_> = line.unwrap().split_whitespace().collect();
        let size = format!("{}x{}", words[1], words[2]);
        let ran = run(maze::generator, &["--seed", words[0], "--size", &size, "maze"], b"");
        prop_assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let game = Maze::read(ran.file("maze"), [(0, 0); 2]);
        let (width, height) = (words[1].parse().unwrap(), words[2].parse().unwrap());
        prop_assert_eq!(game.rows.iter().map(Vec::len).collect::<Vec<usize>>(), vec![width; height]);
        // A room outside has no opening back.
        let rooms: Vec<_> = game.reached().into_keys().collect();
        let openings = rooms.iter().map(|&room| game.next(room).len()).sum::<usize>();
        prop_assert!(rooms.iter().all(|&room| game.next(room).iter().all(|&next| game.next(next).contains(&room))));
        prop_assert_eq!((rooms.len(), openings), (width * height, 2 * (width * height - 1)));
    }
}
