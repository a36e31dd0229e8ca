//! The depth-first search. It shows each step as it takes it, and decides nothing about what is written.

use crate::direction::Direction;
use crate::maze::{Maze, Position};
use crate::room::Mark;
use subject::tick;

/// Searches from `start` and returns the room where it found the goal, or `None` if no way leads there.
///
/// It shows every room that it is in, in order: one that it enters, and one that it is back in because a neighbour failed.
pub(crate) fn search(maze: &mut Maze, start: Position, goal: Position, mut show: impl FnMut(Position)) -> Option<Position> {
    let (mut room, mut untried) = (start, Direction::ALL);
    maze.begin(start);
    show(start);
    while room != goal {
        tick!();
        if let Some((direction, neighbor)) = way_on(maze, room, untried) {
            maze.enter(neighbor, direction);
            (room, untried) = (neighbor, Direction::ALL);
        } else {
            let (direction, previous) = maze.way_back(room)?;
            (room, untried) = (previous, direction.opposite().later());
        }
        show(room);
    }
    Some(room)
}

/// The path that a search which ended in `end` found, from the start.
pub(crate) fn path_to(end: Position, maze: &Maze) -> Vec<Position> {
    let mut path = vec![end];
    let mut room = end;
    while let Some((_, previous)) = maze.way_back(room) {
        tick!();
        path.push(previous);
        room = previous;
    }
    path.reverse();
    path
}

/// The first of the untried directions that leads to an unvisited room, and that room.
fn way_on(maze: &Maze, room: Position, untried: &[Direction]) -> Option<(Direction, Position)> {
    untried.iter().find_map(|&direction| {
        let neighbor = maze.beyond(room, direction)?;
        (maze[neighbor].mark == Mark::Unvisited).then_some((direction, neighbor))
    })
}
