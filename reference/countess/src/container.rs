//! The search container: a stack or a queue, stored in a ring that doubles when it is full.

use crate::layout::Place;
use crate::options::Routing;

/// The initial capacity of the ring; a power of two.
const FIRST_CAPACITY: usize = 64;

/// The most positions that one tile can lead to: its neighbours, and the other end of its pipe.
const MOST_ADDED: usize = 5;

/// The initial value of both counts: a multiple of every capacity, and far enough from 0 that the front can move both ways.
const ORIGIN: usize = 1 << 31;

/// The positions that were discovered and not yet removed. The next one to remove is at the front.
pub(crate) struct Container {
    /// The ring. Its length is a power of two.
    slots: Vec<Place>,
    /// The count of the first position. The low bits of a count are the index of its slot.
    front: usize,
    /// The count after that of the last position.
    back: usize,
}

impl Container {
    /// An empty container.
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; FIRST_CAPACITY], front: ORIGIN, back: ORIGIN }
    }

    /// The number of positions.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.back - self.front
    }

    /// Makes room for all positions that one tile can lead to.
    #[inline]
    pub(crate) fn make_room(&mut self) {
        if self.length() + MOST_ADDED > self.slots.len() {
            self.grow();
        }
    }

    /// Adds a position if `wanted`: at the front of a stack, at the back of a queue. There must be room.
    #[inline]
    pub(crate) fn add_if(&mut self, wanted: bool, place: Place, routing: Routing) {
        // The slot is written in any case, but the position counts only if it is wanted. This is faster than a branch.
        let slot = match routing {
            Routing::Stack => self.front - 1,
            Routing::Queue => self.back,
        };
        let mask = self.slots.len() - 1;
        self.slots[slot & mask] = place;
        match routing {
            Routing::Stack => self.front -= usize::from(wanted),
            Routing::Queue => self.back += usize::from(wanted),
        }
    }

    /// Removes the position at the front.
    #[inline]
    pub(crate) fn remove(&mut self) -> Option<Place> {
        if self.front == self.back {
            return None;
        }
        let slot = self.front & (self.slots.len() - 1);
        self.front += 1;
        Some(self.slots[slot])
    }

    fn grow(&mut self) {
        let slots = std::mem::take(&mut self.slots);
        let first = self.front & (slots.len() - 1);
        (self.front, self.back) = (ORIGIN, ORIGIN + self.length());
        self.slots = doubled(slots, first);
    }
}

/// Twice the slots, rotated so that `first` comes first. They are passed by value, so that the container can stay in registers
/// as long as it does not grow.
#[cold]
#[inline(never)]
fn doubled(mut slots: Vec<Place>, first: usize) -> Vec<Place> {
    slots.rotate_left(first);
    slots.resize(slots.len() * 2, 0);
    slots
}
