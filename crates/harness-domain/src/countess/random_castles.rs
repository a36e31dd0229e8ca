//! Random castles of several kinds, as a `proptest` strategy. A castle shrinks as a whole, by [`smaller::steps`].

use super::castle::{
    COUNTESS, Castle, Comment, Ending, FLOOR, Form, MINION, MOST_ROOMS, START, Style, WALL, pipe_to,
};
use super::kind::{self, CastleKind, KINDS};
use super::{grown, smaller};
use crate::tree::Tree;
use fastrand::Rng;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;

/// Creates castles up to a number of rooms and a size.
#[derive(Clone, Debug)]
pub(super) struct Castles {
    pub(super) rooms: usize,
    pub(super) size: usize,
}

impl Strategy for Castles {
    type Value = Castle;
    type Tree = Tree<Castle>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Tree::new(self.draw(&mut Rng::with_seed(runner.rng().next_u64())), smaller::steps))
    }
}

impl Castles {
    /// A random castle of any kind; open castles are twice as frequent as others.
    pub(super) fn draw(&self, rng: &mut Rng) -> Castle {
        let kind = rng.usize(..=KINDS.len());
        self.draw_kind(KINDS[kind.saturating_sub(1)], rng)
    }

    pub(super) fn draw_kind(&self, kind: CastleKind, rng: &mut Rng) -> Castle {
        let (rooms, size) = self.shape(rng);
        let mut castle = kind::castle(kind, rooms, size, rng);
        castle.form = form(&castle, rng);
        castle.style = style(&castle, rng);
        castle
    }

    /// A random number of rooms and size, sometimes the largest possible.
    fn shape(&self, rng: &mut Rng) -> (usize, usize) {
        let mut up_to = |most: usize| match rng.u8(..8) {
            0 => most,
            1..=4 => rng.usize(1..=most.div_ceil(2)),
            _ => rng.usize(1..=most),
        };
        let (rooms, size) = (up_to(self.rooms), up_to(self.size));
        // The start and the Countess need a tile each.
        match (rooms, size) {
            (1, 1) if self.size > 1 => (1, 2),
            (1, 1) => (2, 1),
            _ => (rooms, size),
        }
    }

    /// A copy of `castle` with a few random changes, written plainly.
    pub(super) fn neighbour(&self, castle: &Castle, rng: &mut Rng) -> Castle {
        let mut near = castle.clone();
        near.style.ending = near.style.ending.plain();
        for _ in 0..rng.usize(1..=3) {
            let (rooms, size) = (near.rooms(), near.size);
            match rng.u8(..16) {
                0 if size < self.size => near = grown::with_row_and_column_doubled(&near, rng),
                1 if rooms < self.rooms => near = grown::with_room_doubled(&near, rng),
                2 => near = near.in_form(form(&near, rng)),
                3 | 4 => near.style = style(&near, rng),
                5..=7 => near.swap(rng.usize(..near.tiles.len()), rng.usize(..near.tiles.len())),
                8 => kind::lead_on(&mut near, rng),
                _ => change(&mut near, rng),
            }
        }
        near
    }
}

/// Usually a map, otherwise a list: in order, shuffled, or with some of the floor.
fn form(castle: &Castle, rng: &mut Rng) -> Form {
    let mut order = castle.things();
    match rng.u8(..8) {
        0..=4 => return Form::Map,
        5 => {}
        6 => rng.shuffle(&mut order),
        _ => {
            order.extend(
                (0..castle.tiles.len()).filter(|&at| castle.tiles[at] == FLOOR && rng.bool()),
            );
            rng.shuffle(&mut order);
        }
    }
    Form::List(order)
}

fn style(castle: &Castle, rng: &mut Rng) -> Style {
    let lines = castle.lines();
    let count = if rng.bool() { rng.usize(1..=4) } else { 0 };
    let mut comments: Vec<_> = (0..count)
        .map(|_| Comment {
            after: match rng.u8(..4) {
                0 => 0,
                1 => lines,
                _ => rng.usize(..=lines),
            },
            text: comment(castle, rng),
        })
        .collect();
    comments.sort_by_key(|comment| comment.after);
    let ending = match rng.u8(..8) {
        0 | 1 => Ending::Blank(rng.usize(1..=2)),
        _ => Ending::Newline,
    };
    Style { comments, ending }
}

/// A comment with text, without text, or that looks like a part of the castle.
fn comment(castle: &Castle, rng: &mut Rng) -> String {
    match rng.u8(..7) {
        0 | 1 => String::new(),
        2 => " a castle".to_owned(),
        3 => format!("castle room {}", rng.usize(..castle.rooms())),
        4 => "S".repeat(rng.usize(1..=castle.size)),
        // As long as a row.
        5 => "#".repeat(castle.size.saturating_sub(2)),
        _ => {
            let tile = [FLOOR, WALL, START, COUNTESS, b'0'][rng.usize(..5)];
            let (row, column) = (rng.usize(..castle.size), rng.usize(..castle.size));
            format!("({},{row},{column},{})", rng.usize(..castle.rooms()), char::from(tile))
        }
    }
}

/// Replaces a random tile, unless it is the start or the Countess.
fn change(castle: &mut Castle, rng: &mut Rng) {
    let at = rng.usize(..castle.tiles.len());
    if ![START, COUNTESS].contains(&castle.tiles[at]) {
        let tile = match rng.u8(..6) {
            0 | 1 => FLOOR,
            2 => WALL,
            3 => MINION,
            _ => any_pipe(castle.rooms(), rng),
        };
        castle.put(at, tile);
    }
}

/// A random pipe: usually to an existing room, sometimes to a missing one.
pub(super) fn any_pipe(rooms: usize, rng: &mut Rng) -> u8 {
    let to = match rng.u8(..10) {
        0 => rooms.min(MOST_ROOMS - 1),
        1 => rng.usize(rooms.min(MOST_ROOMS - 1)..MOST_ROOMS),
        _ => rng.usize(..rooms),
    };
    pipe_to(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use proptest::strategy::ValueTree;

    fn castles() -> Castles {
        Castles { rooms: 10, size: 8 }
    }

    proptest! {
        #[test]
        fn every_castle_and_every_neighbour_of_it_is_within_the_limits_and_can_be_read_back(castle in castles(), seed: u64) {
            let near = castles().neighbour(&castle, &mut Rng::with_seed(seed));
            for castle in [castle, near] {
                prop_assert!(castle.has_ends() && castle.rooms() <= 10 && castle.size <= 8);
                prop_assert_eq!(Castle::parse(&castle.render()), Some(castle));
            }
        }
    }

    #[test]
    fn castles_stay_within_small_limits() {
        for (rooms, size) in [(1, 2), (2, 1), (1, 8), (3, 2)] {
            let castles = Castles { rooms, size };
            for seed in 0..200 {
                let castle = castles.draw(&mut Rng::with_seed(seed));
                assert!(
                    castle.has_ends() && castle.rooms() <= rooms && castle.size <= size,
                    "{castle:?}"
                );
            }
        }
    }

    #[test]
    fn a_tree_finds_the_smallest_castle_that_still_has_a_pipe_in_its_last_room() {
        let mut runner = TestRunner::deterministic();
        let has_pipe = |castle: &Castle| {
            castle.tiles[castle.tiles.len() - castle.room_area()..].contains(&b'0')
        };
        let mut tree = loop {
            let tree = castles().new_tree(&mut runner).unwrap();
            if has_pipe(&tree.current()) && tree.current().rooms() > 3 {
                break tree;
            }
        };
        let mut smaller = tree.simplify();
        while smaller {
            smaller = if has_pipe(&tree.current()) { tree.simplify() } else { tree.complicate() };
        }
        let smallest = tree.current();
        assert_eq!((smallest.form.clone(), smallest.style.clone()), (Form::Map, Style::default()));
        assert!(smallest.tiles.len() <= 8, "{smallest:?}");
    }
}
