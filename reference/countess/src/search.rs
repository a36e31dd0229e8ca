//! The search: one loop for both routing schemes, over one container. It leaves behind how each tile was discovered, and neither
//! follows the path nor prints anything.

use crate::castle::{Castle, Place};
use crate::options::Routing;
use crate::rules::{Direction, ORDER, is_open, pipe};
use std::collections::VecDeque;

/// How a tile was discovered, in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way(u8);

impl Way {
    /// Not discovered yet.
    const NONE: Self = Self(0);
    /// Never to be discovered: a wall, a minion or an edge.
    const BARRED: Self = Self(1);
    /// Where the search starts.
    const START: Self = Self(2);
    const FIRST_DIRECTION: u8 = 4;
    const FIRST_PIPE: u8 = 16;

    /// By a walk in this direction.
    pub(crate) fn walk(direction: Direction) -> Self {
        Self(Self::FIRST_DIRECTION + direction as u8)
    }

    /// Through a pipe whose other end is in this room.
    pub(crate) fn pipe(room: usize) -> Self {
        Self(Self::FIRST_PIPE + room as u8)
    }

    /// The direction of a walk, or the room at the other end of a pipe.
    pub(crate) fn parts(self) -> Result<Direction, usize> {
        match self.0.checked_sub(Self::FIRST_PIPE) {
            Some(room) => Err(usize::from(room)),
            None => Ok(ORDER[usize::from(self.0 - Self::FIRST_DIRECTION)]),
        }
    }
}

/// What a search has found out.
pub(crate) struct Search {
    /// How each tile was discovered.
    pub(crate) ways: Vec<Way>,
    /// How many tiles were discovered, the start among them.
    pub(crate) discovered: usize,
    /// Whether the Countess is one of them.
    pub(crate) found: bool,
    container: VecDeque<Place>,
}

/// Searches the castle until the Countess is discovered or nothing is left to look at.
pub(crate) fn search(castle: &Castle, routing: Routing) -> Search {
    let ways = castle.tiles.iter().map(|&tile| if is_open(tile) { Way::NONE } else { Way::BARRED }).collect();
    let mut search = Search { ways, discovered: 0, found: false, container: VecDeque::new() };
    search.discover(castle, castle.start, Way::START);
    while let Some(place) = search.remove(routing) {
        subject::tick!();
        match pipe(castle.tiles[place as usize]) {
            Some(room) if room < castle.rooms => {
                search.discover(castle, castle.same_tile_in(room, place), Way::pipe(castle.room(place)));
            }
            Some(_) => {}
            None => {
                for direction in ORDER {
                    search.discover(castle, castle.beside(place, direction), Way::walk(direction));
                }
            }
        }
        if search.found {
            break;
        }
    }
    search
}

impl Search {
    #[inline]
    fn remove(&mut self, routing: Routing) -> Option<Place> {
        match routing {
            Routing::Stack => self.container.pop_back(),
            Routing::Queue => self.container.pop_front(),
        }
    }

    #[inline]
    fn discover(&mut self, castle: &Castle, place: Place, way: Way) {
        let known = &mut self.ways[place as usize];
        if *known == Way::NONE {
            *known = way;
            self.discovered += 1;
            self.found |= place == castle.countess;
            self.container.push_back(place);
        }
    }
}
