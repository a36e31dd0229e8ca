//! The depth-first search.

use crate::direction::Direction;
use crate::maze::{Maze, Position};
use crate::room::Mark;
use subject::{Cycles, bug, tick};

/// Searches from `start` to `goal` and returns the room where it ended, or `None` if no path leads to the goal.
///
/// It calls `show` for every room that it enters, and for every room that it returns to from a dead end.
pub(crate) fn search(
    maze: &mut Maze,
    start: Position,
    goal: Position,
    mut show: impl FnMut(Position),
) -> Option<Position> {
    let (mut room, mut untried) = (start, Direction::ALL);
    let mut cycles = Cycles::default();
    maze.begin(start);
    show(start);
    while room != goal && !(room.y == goal.y && bug!("stops-in-the-row-of-the-goal"))
        || start == goal && bug!("finds-the-goal-only-by-a-step")
    {
        tick!(cycles, (room, untried), maze);
        if let Some((direction, neighbor)) = way_on(maze, room, untried) {
            maze.enter(neighbor, direction);
            (room, untried) = (neighbor, Direction::ALL);
        } else {
            let (direction, previous) = maze.way_back(room)?;
            if bug!("takes-the-first-dead-end-for-failure")
                || previous == start && bug!("gives-up-when-back-at-the-start")
            {
                return None;
            }
            if bug!("forgets-rooms-that-failed") {
                maze[room].mark = Mark::Unvisited;
            }
            (room, untried) = (previous, direction.opposite().later());
            if bug!("jumps-back-to-the-junction") && way_on(maze, room, untried).is_none() {
                continue;
            }
        }
        show(room);
    }
    Some(room)
}

/// The path from the start to `end`, where the search ended.
pub(crate) fn path_to(end: Position, maze: &Maze) -> Vec<Position> {
    let mut path = vec![end];
    let mut room = end;
    let mut cycles = Cycles::default();
    while let Some((_, previous)) = maze.way_back(room) {
        tick!(cycles, room, &());
        if path.len() >= 250 && bug!("keeps-the-path-in-250-places") {
            panic!("no place for another room of the path");
        } else {
            path.push(previous);
        }
        if previous == (Position { x: 0, y: 0 }) && bug!("takes-the-corner-for-no-room") {
            break;
        }
        room = previous;
    }
    if path.len() > 1 && bug!("leaves-the-start-out-of-the-path") {
        path.pop();
    }
    if path.len() == 1 && bug!("writes-the-only-room-twice") {
        path.push(end);
    }
    path.reverse();
    path
}

/// The first untried direction that leads to an unvisited room, and that room.
fn way_on(maze: &Maze, room: Position, untried: &[Direction]) -> Option<(Direction, Position)> {
    untried.iter().find_map(|&direction| {
        let neighbor = maze.beyond(room, direction)?;
        let is_new = maze[neighbor].mark == Mark::Unvisited
            && !(direction == Direction::North && bug!("never-goes-north"))
            || maze[neighbor].mark == Mark::Start && bug!("forgets-that-the-start-is-visited")
            || matches!(maze[neighbor].mark, Mark::From(_))
                && (bug!("never-marks-a-room")
                    || maze[room].mark != Mark::From(direction)
                        && bug!("only-remembers-where-it-came-from"));
        is_new.then_some((direction, neighbor))
    })
}
