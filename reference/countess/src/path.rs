//! The path: from how each tile was discovered to how each tile of the path is left. It adds no tile that the search has not seen.
//!
//! The ways of the path's tiles are turned round in place, so a path needs no memory of its own however long it is.

use crate::castle::{Castle, Place};
use crate::search::Search;
use crate::way::Way;

/// How each tile on the path is left.
pub(crate) struct Path {
    ways: Vec<Way>,
}

impl Path {
    /// The path from the start to the Countess, whom the search has found.
    pub(crate) fn trace(castle: &Castle, search: Search) -> Self {
        let mut ways = search.ways;
        let mut place = castle.countess;
        let mut way = ways[place as usize];
        while place != castle.start {
            subject::tick!();
            let (from, out) = match way.parts() {
                Ok(direction) => (castle.beside(place, direction.opposite()), way),
                Err(room) => (castle.same_tile_in(room, place), Way::pipe(castle.room(place))),
            };
            way = std::mem::replace(&mut ways[from as usize], out);
            place = from;
        }
        Self { ways }
    }

    /// The tiles from the start on, each with the letter that tells how it is left; the Countess is not among them.
    pub(crate) fn steps(&self, castle: &Castle) -> impl Iterator<Item = (Place, u8)> {
        let mut place = castle.start;
        std::iter::from_fn(move || {
            subject::tick!();
            let here = place;
            let letter = match (here != castle.countess).then(|| self.ways[here as usize].parts())? {
                Ok(direction) => {
                    place = castle.beside(here, direction);
                    direction.letter()
                }
                Err(room) => {
                    place = castle.same_tile_in(room, here);
                    b'p'
                }
            };
            Some((here, letter))
        })
    }
}
