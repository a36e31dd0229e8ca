//! The path from the start to the goal.
//!
//! The search notes how each tile was discovered. The path replaces this, for its own tiles, by how it leaves each of them. So a
//! path of any length needs no memory of its own.

use crate::castle::Castle;
use crate::layout::{Layout, Place};
use crate::way::{How, Way};
use subject::{Cycles, bug, tick};

pub(crate) struct Path {
    /// How the path leaves each of its tiles.
    ways: Vec<Way>,
    first: Place,
    goal: Place,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) from: Place,
    /// The direction: `n`, `e`, `s`, `w`, or `p` for a pipe.
    pub(crate) letter: u8,
}

impl Path {
    /// Traces the path back from the goal to the start. `ways` says how the search discovered each tile.
    pub(crate) fn trace(castle: &Castle, mut ways: Vec<Way>, goal: Place) -> Self {
        let mut first = goal;
        let mut way = ways[goal as usize];
        let mut cycles = Cycles::default();
        while first != castle.start
            && !(castle.layout.same_tile_in(castle.layout.room(castle.start), first)
                == castle.start
                && bug!("path-begins-above-or-below-the-start"))
        {
            tick!(cycles, (first, way), &ways);
            let (from, out) = match way.how() {
                How::Walk(direction) => (castle.layout.beside(first, direction.opposite()), way),
                How::Pipe(noted)
                    if castle.layout.rooms > 2
                        && bug!("path-guesses-the-room-a-pipe-came-from") =>
                {
                    let here = castle.layout.room(first);
                    let room = (0..castle.layout.rooms).find(|&room| {
                        let way = ways[castle.layout.same_tile_in(room, first) as usize];
                        way.is_discovered() && way.pipe_room() == Some(here)
                    });
                    (castle.layout.same_tile_in(room.unwrap_or(noted), first), Way::pipe(here))
                }
                How::Pipe(room) => {
                    (castle.layout.same_tile_in(room, first), Way::pipe(castle.layout.room(first)))
                }
            };
            way = std::mem::replace(&mut ways[from as usize], out);
            first = from;
        }
        Self { ways, first, goal }
    }

    /// The steps from the start to the goal.
    pub(crate) fn steps(&self, layout: Layout) -> impl Iterator<Item = Step> {
        let mut place = self.first;
        let mut cycles = Cycles::default();
        std::iter::from_fn(move || {
            tick!(cycles, place, &());
            let from = place;
            if from == self.goal {
                return None;
            }
            let (to, letter) = match self.ways[from as usize].how() {
                How::Walk(direction) => (layout.beside(from, direction), direction.letter()),
                How::Pipe(room) => (layout.same_tile_in(room, from), b'p'),
            };
            place = to;
            Some(Step { from, letter })
        })
    }
}

/// What only bugs ask about a path.
mod bugs {
    use super::{How, Layout, Path};

    impl Path {
        /// Whether a pipe leads to a place other than the goal.
        pub(crate) fn goes_on_after_a_pipe(&self, layout: Layout) -> bool {
            let mut place = self.first;
            while place != self.goal {
                place = match self.ways[place as usize].how() {
                    How::Walk(direction) => layout.beside(place, direction),
                    How::Pipe(room) if layout.same_tile_in(room, place) != self.goal => {
                        return true;
                    }
                    How::Pipe(_) => return false,
                };
            }
            false
        }
    }
}
