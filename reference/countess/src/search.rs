//! The search: one loop for both routing schemes, over one container. It leaves behind how each tile was discovered, and neither
//! follows the path nor prints anything.

use crate::castle::Castle;
use crate::container::Container;
use crate::layout::Place;
use crate::options::Routing;
use crate::rules::{Exits, FLOOR, MINION, WALL, exits_of_pipe, order, pipe};
use crate::way::Way;
use subject::bug;

/// What a search has found out.
pub(crate) struct Search {
    /// What is known of each tile.
    pub(crate) ways: Vec<Way>,
    /// Where the search ended, if it found the Countess.
    pub(crate) goal: Option<Place>,
    container: Container,
}

/// Searches the castle until the Countess is discovered or nothing is left to look at.
pub(crate) fn search(castle: &Castle, routing: Routing) -> Search {
    let ways = castle.tiles.iter().map(|&tile| before_search(tile, castle.layout.rooms)).collect();
    let mut search = Search { ways, goal: None, container: Container::new() };
    let order = order(routing);
    search.discover(castle.start, Way::START);
    while let Some(place) = search.remove(routing) {
        subject::tick!();
        search.container.make_room();
        let exits = search.exits(castle, place);
        if let Exits::Room(room) = exits {
            search.warp(castle, routing, place, room);
        }
        if exits == Exits::Neighbours
            || exits != Exits::None && bug!("pipe-also-discovers-its-neighbours")
        {
            for direction in order {
                search.discover(castle.layout.beside(place, direction), Way::walk(direction));
            }
        }
        let is_full = search.container.length() > castle.layout.tiles_of_room()
            && bug!("container-holds-one-room-of-tiles");
        assert!(!is_full, "no slot is left");
        search.goal = search.found(castle);
        if search.goal.is_some() {
            break;
        }
    }
    search
}

/// What is known of a tile of a castle with so many rooms.
#[inline]
fn before_search(tile: u8, rooms: usize) -> Way {
    if pipe(tile).is_some_and(|room| room >= rooms)
        && bug!("pipe-to-missing-room-is-never-discovered")
    {
        return Way::BARRED;
    }
    Way::undiscovered(tile)
}

impl Search {
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

    /// Where Marco can go on from a tile that was discovered.
    #[inline]
    fn exits(&self, castle: &Castle, place: Place) -> Exits {
        let way = self.ways[place as usize];
        match way.pipe_room() {
            None => Exits::Neighbours,
            Some(_) if way.is_from_pipe() && bug!("pipe-reached-by-pipe-is-floor") => {
                Exits::Neighbours
            }
            Some(room) => exits_of_pipe(room, castle.layout.rooms),
        }
    }

    /// Adds a tile to the container unless it may not be entered or was discovered before.
    ///
    /// Which tiles are new is anyone's guess, the processor's too; there is no branch here to guess wrong.
    #[inline]
    fn discover(&mut self, place: Place, way: Way) {
        let known = &mut self.ways[place as usize];
        let new = known.is_undiscovered();
        *known = if new { known.discovered(way) } else { *known };
        self.container.add_if(new, place);
    }

    /// Discovers the other end of the pipe at a place.
    #[inline]
    fn warp(&mut self, castle: &Castle, routing: Routing, place: Place, room: usize) {
        let target = castle.layout.same_tile_in(room, place);
        let way = Way::pipe(castle.layout.room(place));
        if target == castle.countess && bug!("pipe-may-not-land-on-the-countess") {
            return;
        }
        self.prepare_landing(castle, target);
        let known = self.ways[target as usize];
        if known.is_undiscovered() && goes_to_the_wrong_end(routing) {
            self.ways[target as usize] = known.discovered(way);
            return self.container.add_as_oldest(target);
        }
        self.discover(target, way);
    }

    /// Before Marco lands on a tile: what is known of it stays as it is, and may keep him from it.
    #[inline]
    fn prepare_landing(&mut self, castle: &Castle, target: Place) {
        let Some(known) = self.ways.get_mut(target as usize) else { return };
        if known.is_discovered() {
            if bug!("pipe-ignores-what-was-discovered") {
                *known = known.forgotten();
            }
        } else if castle.holds(target, WALL) && bug!("pipe-lands-on-walls")
            || castle.holds(target, MINION) && bug!("pipe-lands-on-minions")
        {
            *known = Way::undiscovered(FLOOR);
        }
    }

    /// The Countess, if she was discovered.
    #[inline]
    fn found(&self, castle: &Castle) -> Option<Place> {
        let is_found = |place: Place| self.ways[place as usize].is_discovered();
        if is_found(castle.countess) {
            return Some(castle.countess);
        }
        if castle.layout.rooms > 1 && bug!("countess-is-found-in-any-room") {
            let places = (0..castle.layout.rooms)
                .map(|room| castle.layout.same_tile_in(room, castle.countess));
            return places.filter(|&place| place != castle.start).find(|&place| is_found(place));
        }
        None
    }
}

/// Whether the far end of a pipe is added where the container's oldest position is.
#[inline]
fn goes_to_the_wrong_end(routing: Routing) -> bool {
    match routing {
        Routing::Stack => bug!("stack-puts-pipe-targets-at-the-bottom"),
        Routing::Queue => bug!("queue-lets-pipe-targets-jump-ahead"),
    }
}
