//! The single steps that make a task smaller or plainer, the largest first.

use super::file::{Ending, Style};
use super::grid::{Maze, Room};
use super::route::Ends;
use super::task::Task;
use std::ops::Range;

/// A maze with more rooms than this is large.
const LARGE: usize = 400;

/// The tasks one step smaller than `task`. The reference decides whether they still have a path.
pub(super) fn steps(task: &Task) -> Vec<Task> {
    let (width, height, area) = (task.maze.width(), task.maze.height(), task.maze.area());
    let mut steps: Vec<_> = ranges(height, area).map(|rows| without_rows(task, &rows)).collect();
    steps.extend(ranges(width, area).map(|columns| without_columns(task, &columns)));
    steps.extend(plainer_styles(task.style).map(|style| Task { style, ..task.clone() }));
    if task.letters == "f" {
        steps.push(Task { letters: "p".to_owned(), ..task.clone() });
    }
    steps.extend(with_ends_closer(task));
    steps.extend(with_one_opening_less(task));
    steps
}

/// The halves, quarters, eighths and so on of `0..size`, down to each single number, but never all of it. For a large maze it
/// returns only some of them, because trying all would take too long.
fn ranges(size: usize, area: usize) -> impl Iterator<Item = Range<usize>> {
    const SOME: usize = 8;
    let halved = |length: &usize| Some(length / 2).filter(|&length| length > 0);
    let lengths = std::iter::successors(Some(size), halved).skip(1);
    lengths.flat_map(move |length| {
        let stride = if area > LARGE { length.max(size / SOME) } else { length };
        (0..size).step_by(stride).map(move |first| first..(first + length).min(size))
    })
}

fn without_rows(task: &Task, rows: &Range<usize>) -> Task {
    let at = |y: usize| if y < rows.start { y } else { y + rows.len() };
    let maze = picked(&task.maze, task.maze.width(), task.maze.height() - rows.len(), |room| {
        Room { y: at(room.y), ..room }
    });
    let moved = |room: Room| Room { y: closed_up(room.y, rows).min(maze.height() - 1), ..room };
    let ends = Ends { start: moved(task.ends.start), goal: moved(task.ends.goal) };
    Task { maze, ends, ..task.clone() }
}

fn without_columns(task: &Task, columns: &Range<usize>) -> Task {
    let at = |x: usize| if x < columns.start { x } else { x + columns.len() };
    let maze = picked(&task.maze, task.maze.width() - columns.len(), task.maze.height(), |room| {
        Room { x: at(room.x), ..room }
    });
    let moved = |room: Room| Room { x: closed_up(room.x, columns).min(maze.width() - 1), ..room };
    let ends = Ends { start: moved(task.ends.start), goal: moved(task.ends.goal) };
    Task { maze, ends, ..task.clone() }
}

/// The new value of a coordinate after `gone` is removed. A coordinate within `gone` becomes its start.
fn closed_up(at: usize, gone: &Range<usize>) -> usize {
    if at < gone.start { at } else { gone.start + at.saturating_sub(gone.end) }
}

/// A maze of the rooms of another one that `of` selects. New neighbours are open to each other if both were open to that side.
fn picked(maze: &Maze, width: usize, height: usize, of: impl Fn(Room) -> Room) -> Maze {
    let mut smaller = Maze::closed(width, height);
    let openings: Vec<_> = smaller
        .gaps()
        .filter(|&(room, direction)| {
            let next = smaller.neighbour(room, direction).expect("a gap has two sides");
            maze.is_open(of(room), direction) && maze.is_open(of(next), direction.opposite())
        })
        .collect();
    for (room, direction) in openings {
        smaller.set_open(room, direction, true);
    }
    smaller
}

fn plainer_styles(style: Style) -> impl Iterator<Item = Style> {
    [
        Style { crlf: false, ..style },
        Style { capitals: false, ..style },
        Style { ending: Ending::Newline, ..style },
    ]
    .into_iter()
    .filter(move |&plainer| plainer != style)
}

/// Moves the start or the goal one room, or half the distance, towards the first room.
fn with_ends_closer(task: &Task) -> Vec<Task> {
    let Ends { start, goal } = task.ends;
    let closer = |room: Room| {
        let Room { x, y } = room;
        [
            Room { x: x / 2, y },
            Room { x, y: y / 2 },
            Room { x: x.saturating_sub(1), y },
            Room { x, y: y.saturating_sub(1) },
        ]
        .into_iter()
        .filter(move |&nearer| nearer != room)
    };
    let starts = closer(start).map(|start| Ends { start, goal });
    let goals = closer(goal).map(|goal| Ends { start, goal });
    starts.chain(goals).map(|ends| Task { ends, ..task.clone() }).collect()
}

/// Closes each opening in turn; none in a large maze, where that would take too long.
fn with_one_opening_less(task: &Task) -> Vec<Task> {
    if task.maze.area() > LARGE {
        return Vec::new();
    }
    let openings = task.maze.gaps().filter(|&(room, direction)| task.maze.is_open(room, direction));
    let without = |(room, direction)| {
        let mut smaller = task.clone();
        smaller.maze.set_open(room, direction, false);
        smaller
    };
    openings.map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;

    fn task(flags: &str, input: &str) -> Task {
        Task::of(&Draft { flags: flags.to_owned(), input: input.as_bytes().to_vec() }).unwrap()
    }

    #[test]
    fn every_step_is_another_valid_maze_with_its_ends_inside() {
        let task = task("f-2-1-0-0", "519\r\n62A\r\n\r\n");
        let steps = steps(&task);
        assert!(steps.len() > 10);
        for smaller in steps {
            assert_ne!(smaller, task);
            assert_eq!(smaller.maze.flaws().next(), None);
            assert_eq!(Task::of(&smaller.draft()), Some(smaller));
        }
    }

    #[test]
    fn a_corridor_stays_open_when_a_part_is_removed() {
        let task = task("p-0-0-5-0", "73333b\n");
        let shorter: Vec<_> = steps(&task).iter().take(2).map(Task::draft).collect();
        let corridor = |flags: &str| Draft { flags: flags.to_owned(), input: b"73b\n".to_vec() };
        assert_eq!(shorter, [corridor("p-0-0-2-0"), corridor("p-0-0-2-0")]);
    }

    #[test]
    fn ranges_go_from_halves_to_single_numbers() {
        let all: Vec<_> = ranges(5, 5).collect();
        assert_eq!(all, [0..2, 2..4, 4..5, 0..1, 1..2, 2..3, 3..4, 4..5]);
        assert_eq!(ranges(1, 1).count(), 0);
        assert!(ranges(1000, 1000).count() < 100);
    }
}
