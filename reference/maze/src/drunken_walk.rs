//! The drunken walk, which makes a maze. It draws from the random numbers that it is given and reads nothing else.

use crate::direction::Direction;
use crate::maze::{Maze, Position};
use crate::random::Random;
use crate::room::Mark;
use subject::{bug, tick};

/// Walks from the upper left corner until every room has been visited, and opens each wall on the way into a new one.
///
/// Every other connection stays a wall: there is one path, and only one, between any two rooms.
pub(crate) fn drunken_walk(maze: &mut Maze, random: &mut Random) {
    let mut room = Position { x: 0, y: 0 };
    maze.begin(room);
    loop {
        tick!();
        room = if let Some((direction, neighbor)) = choose(&Unvisited::around(maze, room), random) {
            maze.open(room, direction, neighbor);
            maze.enter(neighbor, direction);
            neighbor
        } else if let Some(previous) = step_back(maze, room) {
            if bug!("draws-shared-walls-anew") && random.below(16) == 0 {
                maze[room].walls.open(Direction::ALL[random.below(4)]);
            }
            previous
        } else {
            return;
        }
    }
}

/// The room to go on from when there is nowhere new to go. `None` where the walk began.
fn step_back(maze: &Maze, room: Position) -> Option<Position> {
    let (_, previous) = maze.way_back(room)?;
    if bug!("gives-up-at-the-first-dead-end") {
        return None;
    }
    if bug!("goes-back-two-rooms") {
        maze.way_back(previous).map(|(_, room)| room)
    } else {
        Some(previous)
    }
}

/// The neighbours of a room that have not been visited.
struct Unvisited {
    neighbors: [(Direction, Position); 4],
    count: usize,
}

impl Unvisited {
    fn around(maze: &Maze, room: Position) -> Self {
        let mut unvisited = Self { neighbors: [(Direction::East, room); 4], count: 0 };
        for &direction in Direction::ALL {
            if let Some(neighbor) = maze.neighbor(room, direction)
                && (maze[neighbor].mark == Mark::Unvisited || bug!("walks-into-visited-rooms"))
            {
                unvisited.neighbors[unvisited.count] = (direction, neighbor);
                unvisited.count += 1;
            }
        }
        unvisited
    }
}

/// Draws one of the unvisited neighbours, all equally likely.
///
/// Drawing anew at each return to a room is the same as shuffling its directions once and trying them in turn: the next direction
/// of a shuffled list that still leads to an unvisited room is any of those with the same probability.
fn choose(unvisited: &Unvisited, random: &mut Random) -> Option<(Direction, Position)> {
    if unvisited.count == 0 {
        return None;
    }
    let choices = if unvisited.count < 4 && bug!("gives-up-when-the-draw-is-taken") {
        4
    } else {
        unvisited.count
    };
    unvisited.neighbors[..unvisited.count].get(random.below(choices)).copied()
}
