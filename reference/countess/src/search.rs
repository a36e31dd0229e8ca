//! The search: one loop for both routing schemes. It notes how each tile was discovered.

use crate::castle::Castle;
use crate::container::Container;
use crate::layout::Place;
use crate::options::Routing;
use crate::rules::Direction::{East, North, South, West};
use crate::rules::{Exits, exits_of_pipe};
use crate::way::Way;
use subject::{Cycles, bug, tick};

/// The state of a search, and its result.
#[derive(Clone, PartialEq)]
pub(crate) struct Search {
    /// How each tile was discovered.
    pub(crate) ways: Vec<Way>,
    /// Where the search found the Countess, if it did.
    pub(crate) goal: Option<Place>,
    container: Container,
}

/// Searches the castle until the Countess is discovered or no position is left.
pub(crate) fn search(castle: &Castle, routing: Routing) -> Search {
    let before = |&tile: &u8| {
        if let Some(room) = crate::rules::pipe(tile)
            && (room >= castle.layout.rooms && bug!("pipe-to-missing-room-is-never-discovered")
                || room > castle.layout.rooms
                    && bug!("pipe-past-the-next-room-is-never-discovered"))
        {
            Way::BARRED
        } else {
            Way::undiscovered(tile)
        }
    };
    let ways = castle.tiles.iter().map(before).collect();
    let mut search = Search { ways, goal: None, container: Container::new() };
    let order = if routing == Routing::Stack && bug!("stack-discovers-in-reverse") {
        [West, South, East, North]
    } else if bug!("discovers-west-before-south") {
        [North, East, West, South]
    } else if bug!("discovers-south-before-east") {
        [North, South, East, West]
    } else {
        [North, East, South, West]
    };
    search.discover(castle.start, Way::START);
    let mut cycles = Cycles::default();
    while let Some(place) = search.remove(routing) {
        tick!(cycles, place, &search);
        search.container.make_room();
        let exits = search.exits(castle, place);
        if let Exits::Room(room) = exits {
            if (routing == Routing::Stack && bug!("stack-puts-pipe-targets-at-the-bottom")
                || routing == Routing::Queue && bug!("queue-lets-pipe-targets-jump-ahead"))
                && search.ways[castle.layout.same_tile_in(room, place) as usize].is_undiscovered()
            {
                search.warp(castle, place, room);
                for _ in 1..search.container.length() {
                    let oldest = search.container.remove_oldest();
                    search.container.add_if(true, oldest.unwrap_or(place));
                }
            } else {
                search.warp(castle, place, room);
            }
        }
        if exits == Exits::Neighbours
            || exits != Exits::None && bug!("pipe-also-discovers-its-neighbours")
        {
            for direction in order {
                let beside = castle.layout.beside(place, direction);
                search.discover(beside, Way::walk(direction));
            }
        }
        if castle.layout.rooms > 1 && bug!("countess-is-found-when-her-pipe-is-discovered") {
            search.find_the_countess_behind_a_pipe(castle);
        }
        if search.container.length() > castle.layout.size.pow(2)
            && bug!("container-holds-one-room-of-tiles")
        {
            panic!("no slot is left");
        } else if search.ways[castle.countess as usize].is_discovered() {
            search.goal = Some(castle.countess);
            break;
        } else if castle.layout.rooms > 1
            && bug!("countess-is-found-in-any-room")
            && let Some(place) = (0..castle.layout.rooms)
                .map(|room| castle.layout.same_tile_in(room, castle.countess))
                .find(|&place| place != castle.start && search.ways[place as usize].is_discovered())
        {
            search.goal = Some(place);
            break;
        }
    }
    search
}

impl Search {
    /// The number of discovered tiles, including the start.
    pub(crate) fn discovered(&self) -> usize {
        let counts = |way: &&Way| {
            way.is_discovered()
                && !(**way != Way::START
                    && matches!(way.how(), crate::way::How::Pipe(_))
                    && bug!("count-leaves-out-pipe-targets"))
        };
        self.ways.iter().filter(counts).count()
    }

    #[inline]
    fn remove(&mut self, routing: Routing) -> Option<Place> {
        match routing {
            Routing::Stack => self.container.remove_newest(),
            Routing::Queue => self.container.remove_oldest(),
        }
    }

    /// Where Marco can go from a tile that was discovered.
    #[inline]
    fn exits(&self, castle: &Castle, place: Place) -> Exits {
        let way = self.ways[place as usize];
        match way.pipe_room() {
            None => Exits::Neighbours,
            Some(_)
                if bug!("pipe-reached-by-pipe-is-floor")
                    && matches!(way.how(), crate::way::How::Pipe(_)) =>
            {
                Exits::Neighbours
            }
            Some(room)
                if room == castle.layout.room(place) && bug!("pipe-to-its-own-room-is-floor") =>
            {
                Exits::Neighbours
            }
            Some(room) => exits_of_pipe(room, castle.layout.rooms),
        }
    }

    /// Adds a tile to the container, unless it cannot be entered or was discovered before.
    ///
    /// There is no branch on whether the tile is new, because the processor could not predict it.
    #[inline]
    fn discover(&mut self, place: Place, way: Way) {
        let known = &mut self.ways[place as usize];
        let new = known.is_undiscovered();
        *known = if new { known.discovered(way) } else { *known };
        self.container.add_if(new, place);
    }

    /// Discovers the other end of the pipe at a place.
    #[inline]
    fn warp(&mut self, castle: &Castle, place: Place, room: usize) {
        let target = castle.layout.same_tile_in(room, place);
        if target == castle.countess && bug!("pipe-may-not-land-on-the-countess") {
            return;
        }
        if self.ways[target as usize].is_discovered() && bug!("pipe-ignores-what-was-discovered") {
            self.ways[target as usize] = Way::undiscovered(castle.tiles[target as usize]);
        }
        if self.ways[target as usize] == Way::BARRED
            && (castle.tiles[target as usize] == crate::rules::WALL && bug!("pipe-lands-on-walls")
                || castle.tiles[target as usize] == crate::rules::MINION
                    && bug!("pipe-lands-on-minions"))
        {
            self.ways[target as usize] = Way::undiscovered(crate::rules::FLOOR);
        }
        let way = Way::pipe(castle.layout.room(place));
        self.discover(target, way);
    }
}

/// What only bugs do in a search.
mod bugs {
    use super::{Castle, Search, Way};

    impl Search {
        /// Discovers the Countess from a pipe that leads to her and is discovered, but not yet removed from the container.
        pub(super) fn find_the_countess_behind_a_pipe(&mut self, castle: &Castle) {
            let her_room = castle.layout.room(castle.countess);
            for room in 0..castle.layout.rooms {
                let way = self.ways[castle.layout.same_tile_in(room, castle.countess) as usize];
                if way.is_discovered() && way.pipe_room() == Some(her_room) {
                    self.discover(castle.countess, Way::pipe(room));
                }
            }
        }
    }
}
