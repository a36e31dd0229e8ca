//! Random tasks of several kinds, as a `proptest` strategy. A task shrinks as a whole, by [`smaller::steps`].

use super::file::Style;
use super::grid::{Direction, Maze, Room};
use super::route::Ends;
use super::smaller;
use super::task::Task;
use crate::TestRules;
use crate::tree::Tree;
use fastrand::Rng;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;

/// The usual columns and rows. Only a few tasks exceed them.
const USUAL: (usize, usize) = (25, 10);

/// What a random maze looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskKind {
    Open,
    Tree,
    Winding,
    Loops,
    Long,
}

pub(super) const KINDS: [TaskKind; 5] =
    [TaskKind::Open, TaskKind::Tree, TaskKind::Winding, TaskKind::Loops, TaskKind::Long];
pub(super) const KIND_NAMES: [&str; 5] = ["open", "tree", "winding", "loops", "long"];

/// Creates tasks up to a size.
#[derive(Clone, Debug)]
pub(super) struct Tasks {
    rows: usize,
    columns: usize,
    letters: Vec<String>,
}

impl Strategy for Tasks {
    type Value = Task;
    type Tree = Tree<Task>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Tree::new(self.draw(&mut Rng::with_seed(runner.rng().next_u64())), smaller::steps))
    }
}

impl Tasks {
    pub(super) fn new(rules: &TestRules) -> Self {
        let side = |name| rules.limits[name].clamp(1, 1000) as usize;
        Self { rows: side("rows"), columns: side("columns"), letters: rules.flag_combinations() }
    }

    fn draw(&self, rng: &mut Rng) -> Task {
        let kind = match rng.u8(..16) {
            0 => TaskKind::Open,
            1..=4 => TaskKind::Tree,
            5 => TaskKind::Winding,
            6..=10 => TaskKind::Loops,
            _ => TaskKind::Long,
        };
        self.draw_kind(kind, rng)
    }

    pub(super) fn draw_kind(&self, kind: TaskKind, rng: &mut Rng) -> Task {
        let (width, height) =
            if kind == TaskKind::Long { self.long_shape(rng) } else { self.usual_shape(rng) };
        let mut maze = Maze::closed(width, height);
        match kind {
            TaskKind::Open => open_all(&mut maze),
            TaskKind::Tree => grow_tree(&mut maze, rng),
            TaskKind::Winding => wind(&mut maze),
            TaskKind::Long if rng.u8(..8) == 0 => open_all(&mut maze),
            TaskKind::Long if rng.u8(..8) == 0 => wind(&mut maze),
            TaskKind::Loops | TaskKind::Long => {
                grow_tree(&mut maze, rng);
                if kind == TaskKind::Loops || rng.bool() {
                    open_some(&mut maze, rng);
                }
            }
        }
        let ends = Ends { start: end(&maze, rng), goal: end(&maze, rng) };
        let letters = self.letters[rng.usize(..self.letters.len())].clone();
        Task { maze, style: Style::default(), ends, letters }
    }

    /// A width and height up to the usual size, often small.
    fn usual_shape(&self, rng: &mut Rng) -> (usize, usize) {
        let (columns, rows) = (self.columns.min(USUAL.0), self.rows.min(USUAL.1));
        if rng.u8(..3) == 0 {
            (rng.usize(1..=columns.min(4)), rng.usize(1..=rows.min(4)))
        } else {
            (rng.usize(1..=columns), rng.usize(1..=rows))
        }
    }

    /// The width and height of a corridor or a narrow maze, or a little more than the usual size.
    fn long_shape(&self, rng: &mut Rng) -> (usize, usize) {
        match rng.u8(..5) {
            0 => (rng.usize(1..=self.columns), 1),
            1 => (1, rng.usize(1..=self.rows)),
            2 => (rng.usize(1..=self.columns), rng.usize(1..=self.rows.min(3))),
            3 => (rng.usize(1..=self.columns.min(3)), rng.usize(1..=self.rows)),
            _ => (
                rng.usize(1..=self.columns.min(USUAL.0 + 3)),
                rng.usize(1..=self.rows.min(USUAL.1 + 3)),
            ),
        }
    }

    /// A copy of `task` with a few random changes, written plainly.
    pub(super) fn neighbour(&self, task: &Task, rng: &mut Rng) -> Task {
        let mut near = Task { style: Style::default(), ..task.clone() };
        for _ in 0..rng.usize(1..=3) {
            match rng.u8(..11) {
                0 if near.maze.height() < self.rows => {
                    near.maze = longer(&near.maze, Direction::South);
                }
                1 if near.maze.width() < self.columns => {
                    near.maze = longer(&near.maze, Direction::East);
                }
                2 => near.letters.clone_from(&self.letters[rng.usize(..self.letters.len())]),
                3 | 4 => near.ends.start = end(&near.maze, rng),
                5 | 6 => near.ends.goal = end(&near.maze, rng),
                _ => change(&mut near.maze, rng),
            }
        }
        near
    }
}

/// A random room, sometimes a corner.
fn end(maze: &Maze, rng: &mut Rng) -> Room {
    match rng.u8(..6) {
        0 => maze.room(0),
        1 => maze.room(maze.area() - 1),
        _ => maze.room(rng.usize(..maze.area())),
    }
}

fn open_all(maze: &mut Maze) {
    for (room, direction) in maze.gaps().collect::<Vec<_>>() {
        maze.set_open(room, direction, true);
    }
}

/// A random spanning tree: exactly one path between any two rooms.
fn grow_tree(maze: &mut Maze, rng: &mut Rng) {
    let first = maze.room(rng.usize(..maze.area()));
    let mut visited = vec![false; maze.area()];
    visited[maze.number(first)] = true;
    let mut trail = vec![first];
    while let Some(&room) = trail.last() {
        let next = Direction::ALL
            .into_iter()
            .filter_map(|direction| Some((direction, maze.neighbour(room, direction)?)));
        let next: Vec<_> = next.filter(|(_, next)| !visited[maze.number(*next)]).collect();
        match rng.choice(next) {
            Some((direction, next)) => {
                visited[maze.number(next)] = true;
                maze.set_open(room, direction, true);
                trail.push(next);
            }
            None => drop(trail.pop()),
        }
    }
}

/// One corridor through all rooms, back and forth along the rows.
fn wind(maze: &mut Maze) {
    let last = maze.width() - 1;
    for (room, direction) in maze.gaps().collect::<Vec<_>>() {
        let turn = if room.y % 2 == 0 { last } else { 0 };
        maze.set_open(room, direction, direction == Direction::East || room.x == turn);
    }
}

/// Opens some of the walls, which makes loops.
fn open_some(maze: &mut Maze, rng: &mut Rng) {
    let percent = rng.u8(1..60);
    for (room, direction) in maze.gaps().collect::<Vec<_>>() {
        if rng.u8(..100) < percent {
            maze.set_open(room, direction, true);
        }
    }
}

/// Opens or closes a random wall.
fn change(maze: &mut Maze, rng: &mut Rng) {
    let gaps: Vec<_> = maze.gaps().collect();
    if let Some(&(room, direction)) = rng.choice(&gaps) {
        maze.set_open(room, direction, !maze.is_open(room, direction));
    }
}

/// Adds a row or column at the end. Each new room is open to the one before.
fn longer(maze: &Maze, direction: Direction) -> Maze {
    let (wider, higher) =
        (usize::from(direction == Direction::East), usize::from(direction == Direction::South));
    let mut longer = Maze::closed(maze.width() + wider, maze.height() + higher);
    for (room, direction) in longer.gaps().collect::<Vec<_>>() {
        let is_new = maze.neighbour(room, direction).is_none() && maze.contains(room);
        longer.set_open(
            room,
            direction,
            is_new || maze.contains(room) && maze.is_open(room, direction),
        );
    }
    longer
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;

    fn tasks() -> Tasks {
        Tasks { rows: 30, columns: 30, letters: vec!["p".to_owned(), "f".to_owned()] }
    }

    fn is_fine(task: &Task) -> bool {
        let Task { maze, ends, .. } = task;
        maze.flaws().next().is_none()
            && maze.contains(ends.start)
            && maze.contains(ends.goal)
            && maze.width() <= 30
            && maze.height() <= 30
    }

    proptest! {
        #[test]
        fn every_task_and_every_neighbour_of_it_is_valid_and_can_be_read_back(task in tasks(), seed: u64) {
            prop_assert!(is_fine(&task));
            prop_assert_eq!(task.maze.unreachable(), None);
            let near = tasks().neighbour(&task, &mut fastrand::Rng::with_seed(seed));
            prop_assert!(is_fine(&near));
            prop_assert_eq!(Task::of(&near.draft()).map(|task| (task.maze, task.ends)), Some((near.maze, near.ends)));
        }
    }

    #[test]
    fn a_tree_finds_the_smallest_task_whose_start_is_west_of_its_goal() {
        let mut runner = TestRunner::deterministic();
        let wanted = |task: &Task| task.ends.start.x < task.ends.goal.x;
        let mut tree = loop {
            let tree = tasks().new_tree(&mut runner).unwrap();
            if wanted(&tree.current()) {
                break tree;
            }
        };
        let mut smaller = tree.simplify();
        while smaller {
            smaller = if wanted(&tree.current()) { tree.simplify() } else { tree.complicate() };
        }
        assert_eq!(tree.current().draft().flags, "p-0-0-1-0");
        assert_eq!(tree.current().maze, Maze::closed(2, 1));
    }
}
