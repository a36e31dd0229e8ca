//! The drunken walk, which makes a maze from random numbers.

use crate::direction::Direction;
use crate::maze::{Maze, Position};
use crate::random::Random;
use crate::room::Mark;
use subject::{bug, tick};

/// Walks from the upper left corner until every room is visited, and opens each wall on the way into a new room.
///
/// All other walls stay, so there is exactly one path between any two rooms.
pub(crate) fn drunken_walk(maze: &mut Maze, random: &mut Random) {
    let mut room = Position { x: 0, y: 0 };
    maze.begin(room);
    loop {
        tick!();
        if let Some((direction, neighbor)) = choose(&Unvisited::around(maze, room), random) {
            maze.open(room, direction, neighbor);
            maze.enter(neighbor, direction);
            room = neighbor;
        } else if let Some((_, previous)) = maze.way_back(room) {
            if bug!("gives-up-at-the-first-dead-end") {
                return;
            }
            if bug!("draws-shared-walls-anew") && random.below(16) == 0 {
                maze[room].walls.open(Direction::ALL[random.below(4)]);
            }
            if bug!("goes-back-two-rooms") {
                let Some((_, before)) = maze.way_back(previous) else { return };
                room = before;
            } else {
                room = previous;
            }
        } else {
            return;
        }
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

/// Draws one of the unvisited neighbours. All are equally likely.
///
/// A new draw at each return to a room is equivalent to shuffling its directions once and trying them in turn: the next direction of
/// the shuffled list that leads to an unvisited room is equally likely to be any of those that do.
fn choose(unvisited: &Unvisited, random: &mut Random) -> Option<(Direction, Position)> {
    if unvisited.count == 0 {
        return None;
    }
    if unvisited.count < 4 && bug!("gives-up-when-the-draw-is-taken") {
        return unvisited.neighbors[..unvisited.count].get(random.below(4)).copied();
    }
    Some(unvisited.neighbors[random.below(unvisited.count)])
}
