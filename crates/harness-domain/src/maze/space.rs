//! All small tasks, in order of size.

use super::file::Style;
use super::grid::{Maze, Room};
use super::route::Ends;
use super::task::Task;
use crate::{Family, InputLimits};

pub(super) const ALPHABET: &str =
    "every maze, with loops or without, each start and goal that a way joins, path and walk";

/// The tasks with this number of rooms, in order.
pub(super) fn families(area: usize, letters: &[String], limits: &InputLimits) -> Vec<Family> {
    let mut families = Vec::new();
    for height in (1..=area).filter(|height| area.is_multiple_of(*height)) {
        let width = area / height;
        if height as u64 <= limits["rows"] && width as u64 <= limits["columns"] {
            families.extend(letters.iter().map(|letters| family(width, height, letters)));
        }
    }
    families
}

/// All tasks of one shape: every set of walls, every start, and every goal. A solver rejects those without a way.
fn family(width: usize, height: usize, letters: &str) -> Family {
    let closed = Maze::closed(width, height);
    let gaps: Vec<_> = closed.gaps().collect();
    let (rooms, letters) = (closed.area(), letters.to_owned());
    let mazes = 1_usize
        .checked_shl(gaps.len() as u32)
        .filter(|_| gaps.len() < usize::BITS as usize)
        .unwrap_or(usize::MAX);
    Family {
        count: mazes.saturating_mul(rooms * rooms),
        make: Box::new(move |index| {
            let (openings, places) = (index / (rooms * rooms), index % (rooms * rooms));
            let mut maze = closed.clone();
            for (_, &(room, direction)) in
                gaps.iter().enumerate().filter(|(at, _)| openings >> at & 1 == 1)
            {
                maze.set_open(room, direction, true);
            }
            let room = |number: usize| Room { x: number % width, y: number / width };
            let ends = Ends { start: room(places / rooms), goal: room(places % rooms) };
            let has_way = maze.joins(ends.start, ends.goal);
            has_way.then(|| {
                Task { maze, style: Style::default(), ends, letters: letters.clone() }.draft()
            })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;
    use std::collections::HashSet;

    fn tasks(area: usize) -> Vec<Draft> {
        let limits = InputLimits::from([("rows".into(), 10), ("columns".into(), 10)]);
        families(area, &["p".to_owned()], &limits)
            .iter()
            .flat_map(|family| (0..family.count).filter_map(|index| (family.make)(index)))
            .collect()
    }

    #[test]
    fn every_task_of_an_area_occurs_once() {
        // Two corridors with four gaps. Of the 16 sets of walls, every second one leaves a gap open.
        let by_gaps_between = [5 * 16, 8 * 8, 6 * 4, 4 * 2, 2];
        assert_eq!(tasks(5).len(), 2 * by_gaps_between.iter().sum::<usize>());
        let tasks = tasks(6);
        assert_eq!(tasks.iter().collect::<HashSet<_>>().len(), tasks.len());
        let of = |draft| Task::of(draft).expect("it is a task");
        assert!(tasks.iter().map(of).all(|task| task.maze.flaws().next().is_none()));
    }

    #[test]
    fn every_task_has_a_way() {
        let has_way = |task: Task| task.maze.joins(task.ends.start, task.ends.goal);
        assert!(tasks(6).iter().filter_map(Task::of).all(has_way));
    }

    #[test]
    fn a_shape_beyond_the_limits_is_left_out() {
        let limits = InputLimits::from([("rows".into(), 1), ("columns".into(), 10)]);
        assert_eq!(families(6, &["p".to_owned()], &limits).len(), 1);
    }
}
