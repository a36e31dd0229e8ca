//! The search container: a stack and a queue in one, in the form of a ring that doubles when it is full. It knows nothing of castles.

use crate::castle::Place;

/// The ring begins with room for this many positions; a power of two.
const FIRST_CAPACITY: usize = 64;

/// The positions that were discovered and not yet removed, in the order in which they were added.
pub(crate) struct Container {
    /// A power of two of them.
    slots: Vec<Place>,
    /// How many positions were removed from the front. It and `back` only ever lose their high bits, to find a slot.
    front: usize,
    /// How many positions were added at the back.
    back: usize,
}

impl Container {
    /// A container with nothing in it.
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; FIRST_CAPACITY], front: 0, back: 0 }
    }

    /// Adds a position if `wanted`.
    #[inline]
    pub(crate) fn add_if(&mut self, wanted: bool, place: Place) {
        if self.back - self.front == self.slots.len() {
            self.grow();
        }
        // Written either way, and kept only if the back moves on: that costs less than to choose.
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
        (self.front, self.back) = (self.front & (slots.len() - 1), slots.len());
        self.slots = doubled(slots, self.front);
        self.front = 0;
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
