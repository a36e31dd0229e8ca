//! The layouts that the search has seen, each once, in the order in which it met them, and where each came from.
//!
//! The layouts are one flat array; a hash table of their indices finds one in it. The set knows nothing of what a layout means.

use crate::layout::Key;
use subject::bug;

/// The index of no layout.
const NONE: u32 = u32::MAX;

/// The parent of the first layout.
pub(crate) const ROOT: u32 = NONE;

/// How many slots a table has at first, as a power of two.
const FIRST_SLOTS: u32 = 10;

/// A set of layouts with their parents.
pub(crate) struct Seen<K> {
    layouts: Vec<K>,
    parents: Vec<u32>,
    slots: Vec<u32>,
    /// What [`weed`](Self::weed) found in the slots.
    found: Vec<u32>,
}

impl<K: Key> Seen<K> {
    /// The empty set.
    pub(crate) fn new() -> Self {
        Self { layouts: Vec::new(), parents: Vec::new(), slots: vec![NONE; 1 << FIRST_SLOTS], found: Vec::new() }
    }

    /// How many layouts there are.
    pub(crate) fn len(&self) -> usize {
        self.layouts.len()
    }

    /// The memory that the set holds.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.layouts.first().map_or(0, |layout| layout.as_ref().len());
        self.layouts.capacity() * words * 8 + (self.parents.capacity() + self.slots.len()) * 4
    }

    /// A layout by its index.
    pub(crate) fn layout(&self, index: u32) -> &K {
        &self.layouts[index as usize]
    }

    /// The layout that the search came from to this one.
    pub(crate) fn parent(&self, index: u32) -> u32 {
        self.parents[index as usize]
    }

    /// Drops the candidates whose layout the set holds in the first slot that it looks at, which are most of those that it holds.
    ///
    /// A look into a large table waits for memory, and so does one at a layout. Here no look depends on the one before, so the
    /// processor waits for many at once.
    pub(crate) fn weed<T>(&mut self, candidates: &mut Vec<T>, layout: impl Fn(&T) -> &K) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if bug!("forgets-where-a-layout-first-came-from") {
            return;
        }
        found.extend(candidates.iter().map(|candidate| self.slots[self.first_slot(layout(candidate))]));
        let mut indices = found.iter();
        candidates.retain(|candidate| {
            let index = *indices.next().expect("there is one for each candidate");
            self.layouts.get(index as usize) != Some(layout(candidate))
        });
        self.found = found;
    }

    /// Adds a layout and returns its index, unless the set has it already.
    pub(crate) fn insert(&mut self, layout: &K, parent: u32) -> Option<u32> {
        if self.layouts.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mut slot = self.first_slot(layout);
        while self.slots[slot] != NONE {
            let index = self.slots[slot] as usize;
            if self.layouts[index] == *layout {
                if bug!("forgets-where-a-layout-first-came-from") {
                    self.parents[index] = parent;
                }
                return None;
            }
            slot = self.next_slot(slot);
        }
        let index = self.layouts.len() as u32;
        assert!(index < NONE, "an index has 32 bits");
        self.slots[slot] = index;
        self.layouts.push(layout.clone());
        self.parents.push(parent);
        Some(index)
    }

    /// Where the search for a layout begins.
    fn first_slot(&self, layout: &K) -> usize {
        let hash = layout.as_ref().iter().fold(0_u64, |hash, word| {
            let mixed = (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        });
        let hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        (hash >> (u64::BITS - self.slots.len().trailing_zeros())) as usize
    }

    /// Where it goes on; the number of slots is a power of two.
    fn next_slot(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let slots = self.slots.len() * 2;
        // The old slots are of no more use: give them back before there are new ones.
        self.slots = Vec::new();
        self.slots = vec![NONE; slots];
        for index in 0..self.layouts.len() {
            let mut slot = self.first_slot(&self.layouts[index]);
            while self.slots[slot] != NONE {
                slot = self.next_slot(slot);
            }
            self.slots[slot] = index as u32;
        }
    }
}
