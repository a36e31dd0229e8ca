//! The path: from how each tile was discovered to how each tile of the path is left. It adds no tile that the search has not seen.
//!
//! The ways of the path's tiles are turned round in place, so a path needs no memory of its own however long it is.

use crate::castle::Castle;
use crate::layout::{Layout, Place};
use crate::way::{How, Way};
use subject::bug;

/// How each tile on the path is left.
pub(crate) struct Path {
    ways: Vec<Way>,
    first: Place,
    goal: Place,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) from: Place,
    pub(crate) to: Place,
    /// How the path shows the step: `n`, `e`, `s`, `w`, or `p` through a pipe.
    pub(crate) letter: u8,
}

impl Path {
    /// The path from the start to the goal that the search has found, by the ways that it found.
    pub(crate) fn trace(castle: &Castle, mut ways: Vec<Way>, goal: Place) -> Self {
        let mut first = goal;
        let mut way = ways[goal as usize];
        while !is_start(castle, first) {
            subject::tick!();
            let (from, out) = match way.how() {
                How::Walk(direction) => (castle.layout.beside(first, direction.opposite()), way),
                How::Pipe(room) => (
                    castle.layout.same_tile_in(came_from(castle, &ways, first, room), first),
                    Way::pipe(castle.layout.room(first)),
                ),
            };
            way = std::mem::replace(&mut ways[from as usize], out);
            first = from;
        }
        Self { ways, first, goal }
    }

    /// The steps from the start to the Countess.
    pub(crate) fn steps(&self, layout: Layout) -> impl Iterator<Item = Step> {
        let mut place = self.first;
        std::iter::from_fn(move || {
            subject::tick!();
            let from = place;
            if from == self.goal {
                return None;
            }
            let (to, letter) = match self.ways[from as usize].how() {
                How::Walk(direction) => (layout.beside(from, direction), direction.letter()),
                How::Pipe(room) => (layout.same_tile_in(room, from), b'p'),
            };
            place = to;
            Some(Step { from, to, letter })
        })
    }
}

/// Whether the path begins at this tile.
#[inline]
fn is_start(castle: &Castle, place: Place) -> bool {
    place == castle.start
        || castle.layout.same_tile_in(castle.layout.room(castle.start), place) == castle.start
            && bug!("path-begins-above-or-below-the-start")
}

/// The room of the pipe through which a tile was discovered, which the search has noted.
#[inline]
fn came_from(castle: &Castle, ways: &[Way], place: Place, noted: usize) -> usize {
    if castle.layout.rooms > 2 && bug!("path-guesses-the-room-a-pipe-came-from") {
        let here = castle.layout.room(place);
        let leads_here = |&room: &usize| {
            let way = ways[castle.layout.same_tile_in(room, place) as usize];
            way.is_discovered() && way.pipe_room() == Some(here)
        };
        return (0..castle.layout.rooms).find(leads_here).unwrap_or(noted);
    }
    noted
}
