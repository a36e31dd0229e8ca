//! The search container: both a stack and a queue, stored in a ring that doubles when it is full.

use crate::layout::Place;

/// The initial capacity of the ring; a power of two.
const FIRST_CAPACITY: usize = 64;

/// The most positions that one tile can lead to: its neighbours, and the other end of its pipe.
const MOST_ADDED: usize = 5;

/// The positions that were discovered and not yet removed. They are in the order in which they were added.
#[derive(Clone)]
pub(crate) struct Container {
    /// The ring. Its length is a power of two.
    slots: Vec<Place>,
    /// The number of positions removed at the front. The low bits of `front` and `back` are the index of a slot.
    front: usize,
    /// The sum of `front` and the number of positions.
    back: usize,
}

impl PartialEq for Container {
    fn eq(&self, other: &Self) -> bool {
        self.length() == other.length() && self.places().eq(other.places())
    }
}

impl Container {
    /// An empty container.
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; FIRST_CAPACITY], front: 0, back: 0 }
    }

    /// The number of positions.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.back - self.front
    }

    /// The positions, the one that was added first before the others.
    fn places(&self) -> impl Iterator<Item = Place> {
        (self.front..self.back).map(|at| self.slots[at & (self.slots.len() - 1)])
    }

    /// Makes room for all positions that one tile can lead to.
    #[inline]
    pub(crate) fn make_room(&mut self) {
        if self.length() + MOST_ADDED > self.slots.len() {
            self.grow();
        }
    }

    /// Adds a position if `wanted`. There must be room.
    #[inline]
    pub(crate) fn add_if(&mut self, wanted: bool, place: Place) {
        // The slot is written in any case, but the position counts only if it is wanted. This is faster than a branch.
        let slot = self.back & (self.slots.len() - 1);
        self.slots[slot] = place;
        self.back += usize::from(wanted);
    }

    /// Removes the position that was added first.
    #[inline]
    pub(crate) fn remove_oldest(&mut self) -> Option<Place> {
        if self.front == self.back {
            return None;
        }
        let slot = self.front & (self.slots.len() - 1);
        self.front += 1;
        Some(self.slots[slot])
    }

    /// Removes the position that was added last.
    #[inline]
    pub(crate) fn remove_newest(&mut self) -> Option<Place> {
        if self.front == self.back {
            return None;
        }
        self.back -= 1;
        let slot = self.back & (self.slots.len() - 1);
        Some(self.slots[slot])
    }

    fn grow(&mut self) {
        let slots = std::mem::take(&mut self.slots);
        let first = self.front & (slots.len() - 1);
        (self.front, self.back) = (0, self.length());
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
