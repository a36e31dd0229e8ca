//! A test of the solver as a value: a maze, how its file is written, the start and goal, and the output mode.

use super::file::{self, Style};
use super::grid::{Maze, Room};
use super::route::Ends;
use crate::Draft;

/// What a solver is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub(super) maze: Maze,
    pub(super) style: Style,
    pub(super) ends: Ends,
    /// The letters of the test's name, which select the output mode.
    pub(super) letters: String,
}

impl Task {
    /// Parses a test whose file has the form of a maze.
    pub(super) fn of(draft: &Draft) -> Option<Self> {
        let (letters, ends) = parse_flags(&draft.flags)?;
        let (maze, flaws) = file::read(&draft.input);
        let is_whole = flaws.is_empty() && maze.contains(ends.start) && maze.contains(ends.goal);
        is_whole.then(|| Self { maze, style: Style::of(&draft.input), ends, letters })
    }

    pub(super) fn draft(&self) -> Draft {
        let Ends { start, goal } = self.ends;
        let flags = format!("{}-{}-{}-{}-{}", self.letters, start.x, start.y, goal.x, goal.y);
        Draft { flags, input: file::write(&self.maze, self.style) }
    }
}

/// The letters in a test's name, and the start and goal.
pub(super) fn parse_flags(flags: &str) -> Option<(String, Ends)> {
    let mut parts = flags.rsplitn(5, '-');
    let mut number = || parts.next()?.parse::<usize>().ok();
    let (goal_y, goal_x, start_y, start_x) = (number()?, number()?, number()?, number()?);
    let ends = Ends { start: Room { x: start_x, y: start_y }, goal: Room { x: goal_x, y: goal_y } };
    Some((parts.next()?.to_owned(), ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_survives_being_written_and_read() {
        for (flags, input) in [("p-1-0-0-1", "59\n6a\n"), ("f-0-1-0-0", "D\r\nE")] {
            let draft = Draft { flags: flags.to_owned(), input: input.as_bytes().to_vec() };
            assert_eq!(Task::of(&draft).unwrap().draft(), draft);
        }
    }

    #[test]
    fn a_test_without_a_maze_or_without_the_named_rooms_is_not_a_task() {
        for (flags, input) in [("p-0-0-2-0", "7b\n"), ("p-0-0-0-0", "7b\n!\n"), ("p-0-0-0", "f\n")]
        {
            assert_eq!(
                Task::of(&Draft { flags: flags.to_owned(), input: input.as_bytes().to_vec() }),
                None
            );
        }
    }
}
