//! The search: one loop for both routing schemes, over one container. It leaves behind how each tile was discovered, and neither
//! follows the path nor prints anything.

use crate::castle::{Castle, Place};
use crate::container::Container;
use crate::options::Routing;
use crate::rules::ORDER;
use crate::way::Way;

/// What a search has found out.
pub(crate) struct Search {
    /// What is known of each tile.
    pub(crate) ways: Vec<Way>,
    container: Container,
}

/// Searches the castle until the Countess is discovered or nothing is left to look at.
pub(crate) fn search(castle: &Castle, routing: Routing) -> Search {
    let ways = castle.tiles.iter().map(|&tile| Way::undiscovered(tile)).collect();
    let mut search = Search { ways, container: Container::new() };
    search.discover(castle.start, Way::START);
    while let Some(place) = search.remove(routing) {
        subject::tick!();
        match search.ways[place as usize].pipe_room() {
            Some(room) if room < castle.rooms => {
                search.discover(castle.same_tile_in(room, place), Way::pipe(castle.room(place)));
            }
            Some(_) => {}
            None => {
                for direction in ORDER {
                    search.discover(castle.beside(place, direction), Way::walk(direction));
                }
            }
        }
        if search.has_found(castle.countess) {
            break;
        }
    }
    search
}

impl Search {
    /// Whether a tile was discovered.
    #[inline]
    pub(crate) fn has_found(&self, place: Place) -> bool {
        self.ways[place as usize].is_discovered()
    }

    /// How many tiles were discovered, the start among them.
    pub(crate) fn discovered(&self) -> usize {
        self.ways.iter().filter(|way| way.is_discovered()).count()
    }

    #[inline]
    fn remove(&mut self, routing: Routing) -> Option<Place> {
        match routing {
            Routing::Stack => self.container.remove_newest(),
            Routing::Queue => self.container.remove_oldest(),
        }
    }

    /// Adds a tile to the container unless it may not be entered or was discovered before.
    ///
    /// Which tiles are new is anyone's guess, the processor's too; so there is no branch here to guess wrong.
    #[inline]
    fn discover(&mut self, place: Place, way: Way) {
        let known = &mut self.ways[place as usize];
        let new = known.is_undiscovered();
        *known = if new { known.discovered(way) } else { *known };
        self.container.add_if(new, place);
    }
}
