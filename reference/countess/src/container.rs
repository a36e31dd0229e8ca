//! The search container: a stack and a queue in one, in the form of a ring that doubles when it is full. It knows nothing of castles.

use crate::layout::Place;

/// The ring begins with room for this many positions; a power of two.
const FIRST_CAPACITY: usize = 64;

/// The most that one tile can lead to: its neighbours, and the other end of its pipe.
const MOST_ADDED: usize = 5;

/// Where the counts begin: any multiple of every capacity, and far enough from 0 that the front can move both ways.
const ORIGIN: usize = 1 << 31;

/// The positions that were discovered and not yet removed, in the order in which they were added.
pub(crate) struct Container {
    /// A power of two of them.
    slots: Vec<Place>,
    /// Grows with each position that is removed at the front. The low bits of it, and of `back`, say which slot it is.
    front: usize,
    /// Grows with each position that is added at the back.
    back: usize,
}

impl Container {
    /// A container with nothing in it.
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; FIRST_CAPACITY], front: ORIGIN, back: ORIGIN }
    }

    /// How many positions there are.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.back - self.front
    }

    /// Makes sure that as many positions as one tile can lead to may be added.
    #[inline]
    pub(crate) fn make_room(&mut self) {
        if self.length() + MOST_ADDED > self.slots.len() {
            self.grow();
        }
    }

    /// Adds a position if `wanted`; there must be room.
    #[inline]
    pub(crate) fn add_if(&mut self, wanted: bool, place: Place) {
        // Written either way, and kept only if the back moves on: that costs less than to choose.
        let slot = self.back & (self.slots.len() - 1);
        self.slots[slot] = place;
        self.back += usize::from(wanted);
    }

    /// Adds a position as if it had been there before all others; there must be room.
    pub(crate) fn add_as_oldest(&mut self, place: Place) {
        self.front -= 1;
        let slot = self.front & (self.slots.len() - 1);
        self.slots[slot] = place;
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
        let oldest = self.front & (slots.len() - 1);
        (self.front, self.back) = (ORIGIN, ORIGIN + self.length());
        self.slots = doubled(slots, oldest);
    }
}

/// Twice the slots, the oldest of them first. By value, so that a container can live in registers while this is not called.
#[cold]
#[inline(never)]
fn doubled(mut slots: Vec<Place>, oldest: usize) -> Vec<Place> {
    slots.rotate_left(oldest);
    slots.resize(slots.len() * 2, 0);
    slots
}
