//! The depth-first search. It shows each step as it takes it, and decides nothing about what is written.

use crate::direction::Direction;
use crate::maze::{Maze, Position};
use crate::room::Mark;
use subject::{bug, tick};

/// Searches from `start` and returns the room where it found the goal, or `None` if no way leads there.
///
/// It shows every room that it is in, in order: one that it enters, and one that it is back in because a neighbour failed.
pub(crate) fn search(
    maze: &mut Maze,
    start: Position,
    goal: Position,
    mut show: impl FnMut(Position),
) -> Option<Position> {
    let (mut room, mut untried) = (start, Direction::ALL);
    maze.begin(start);
    show(start);
    while !is_found(room, goal) || (start == goal && bug!("finds-the-goal-only-by-a-step")) {
        tick!();
        if let Some((direction, neighbor)) = way_on(maze, room, untried) {
            maze.enter(neighbor, direction);
            (room, untried) = (neighbor, Direction::ALL);
        } else {
            let (direction, previous) = step_back(maze, room, start)?;
            (room, untried) = (previous, direction.opposite().later());
            if bug!("jumps-back-to-the-junction") && way_on(maze, room, untried).is_none() {
                continue;
            }
        }
        show(room);
    }
    Some(room)
}

fn is_found(room: Position, goal: Position) -> bool {
    room == goal || (room.y == goal.y && bug!("stops-in-the-row-of-the-goal"))
}

/// The way back out of a room that failed, and where it leads. `None` where the search began: then it has failed as a whole.
fn step_back(maze: &mut Maze, room: Position, start: Position) -> Option<(Direction, Position)> {
    let (direction, previous) = maze.way_back(room)?;
    if bug!("takes-the-first-dead-end-for-failure")
        || (previous == start && bug!("gives-up-when-back-at-the-start"))
    {
        return None;
    }
    if bug!("forgets-rooms-that-failed") {
        maze[room].mark = Mark::Unvisited;
    }
    Some((direction, previous))
}

/// The path that a search which ended in `end` found, from the start.
pub(crate) fn path_to(end: Position, maze: &Maze) -> Vec<Position> {
    let mut path = vec![end];
    let mut room = end;
    while let Some((_, previous)) = maze.way_back(room) {
        tick!();
        assert!(
            path.len() < 250 || !bug!("keeps-the-path-in-250-places"),
            "no place for another room of the path"
        );
        path.push(previous);
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

/// The first of the untried directions that leads to an unvisited room, and that room.
fn way_on(maze: &Maze, room: Position, untried: &[Direction]) -> Option<(Direction, Position)> {
    untried.iter().find_map(|&direction| {
        let neighbor = maze.beyond(room, direction)?;
        may_enter(maze, room, direction, neighbor).then_some((direction, neighbor))
    })
}

fn may_enter(maze: &Maze, room: Position, direction: Direction, neighbor: Position) -> bool {
    match maze[neighbor].mark {
        Mark::Unvisited => !(direction == Direction::North && bug!("never-goes-north")),
        Mark::Start => bug!("forgets-that-the-start-is-visited"),
        Mark::From(_) => {
            let came_from_there = maze[room].mark == Mark::From(direction);
            bug!("never-marks-a-room")
                || (!came_from_there && bug!("only-remembers-where-it-came-from"))
        }
    }
}
