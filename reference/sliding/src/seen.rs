//! The set of layouts that the search has seen, in the order in which it found them, each with its parent.
//!
//! The layouts are one flat array, and a hash table finds the index of a layout in it.

use crate::layout::Key;
use subject::bug;

/// The value of a free slot.
const FREE: u32 = u32::MAX;

/// The parent of the first layout.
pub(crate) const ROOT: u32 = u32::MAX;

/// The initial number of slots, as a power of two.
const FIRST_BITS: u32 = 10;

/// A set of layouts with their parents.
pub(crate) struct Seen<K> {
    layouts: Vec<K>,
    parents: Vec<u32>,
    /// The hash table has 2^`bits` slots, so an index takes `bits` bits of a slot. The other bits hold a tag, which is more bits of
    /// the layout's hash. It makes comparisons with another layout rare.
    slots: Vec<u32>,
    bits: u32,
    probes: Vec<Probe>,
}

/// The position of a lookup in the table.
#[derive(Clone, Copy)]
struct Probe {
    slot: u32,
    tag: u32,
    /// The value of the slot.
    entry: u32,
}

impl<K: Key> Seen<K> {
    /// The empty set.
    pub(crate) fn new() -> Self {
        Self {
            layouts: Vec::new(),
            parents: Vec::new(),
            slots: vec![FREE; 1 << FIRST_BITS],
            bits: FIRST_BITS,
            probes: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.layouts.len()
    }

    /// The memory of the set in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.layouts.first().map_or(0, |layout| layout.as_ref().len());
        self.layouts.capacity() * K::bytes(words) + (self.parents.capacity() + self.slots.len()) * 4
    }

    pub(crate) fn layout(&self, index: u32) -> &K {
        &self.layouts[index as usize]
    }

    /// The index of the layout from which the search reached this one.
    pub(crate) fn parent(&self, index: u32) -> u32 {
        self.parents[index as usize]
    }

    /// Drops most of the candidates whose layout is in the set: those that the first match of the tag finds.
    ///
    /// A lookup in a large table waits for memory, and so does a comparison with a layout. These lookups do not depend on each
    /// other, so the processor can wait for many at once, which [`insert`](Self::insert) does not allow.
    pub(crate) fn weed<T>(&mut self, candidates: &mut Vec<T>, layout: impl Fn(&T) -> &K) {
        let mut probes = std::mem::take(&mut self.probes);
        probes.clear();
        probes.extend(candidates.iter().map(|candidate| self.first_probe(layout(candidate))));
        for probe in &mut probes {
            self.follow(probe);
        }
        let mut rest = probes.iter();
        candidates.retain(|candidate| {
            let probe = rest.next().expect("there is one probe per candidate");
            self.layouts.get(self.index(*probe)) != Some(layout(candidate))
                || bug!("forgets-where-a-layout-first-came-from")
        });
        self.probes = probes;
    }

    /// Adds a layout and returns its index, unless it is already in the set.
    pub(crate) fn insert(&mut self, layout: &K, parent: u32) -> Option<u32> {
        if self.layouts.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mut probe = self.first_probe(layout);
        self.follow(&mut probe);
        while probe.entry != FREE {
            let index = self.index(probe);
            if self.layouts[index] == *layout {
                if bug!("forgets-where-a-layout-first-came-from") {
                    self.parents[index] = parent;
                }
                return None;
            }
            self.step(&mut probe);
            self.follow(&mut probe);
        }
        let index = self.layouts.len() as u32;
        self.slots[probe.slot as usize] = self.entry(probe, index);
        self.layouts.push(layout.clone());
        self.parents.push(parent);
        Some(index)
    }

    /// The first slot for a layout.
    fn first_probe(&self, layout: &K) -> Probe {
        let hash = layout.as_ref().iter().fold(0_u64, |hash, word| {
            let mixed = (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        });
        let hash = (hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> u32::BITS) as u32;
        let slot = hash >> (u32::BITS - self.bits);
        Probe { slot, tag: hash & (u32::MAX >> self.bits), entry: self.slots[slot as usize] }
    }

    /// Moves on to the next slot.
    fn step(&self, probe: &mut Probe) {
        probe.slot = (probe.slot + 1) & (self.slots.len() as u32 - 1);
        probe.entry = self.slots[probe.slot as usize];
    }

    /// Moves on until a slot has the right tag or is free.
    fn follow(&self, probe: &mut Probe) {
        while probe.entry != FREE && probe.entry >> self.bits != probe.tag {
            self.step(probe);
        }
    }

    /// The index in the slot. For a free slot it is not the index of a layout.
    fn index(&self, probe: Probe) -> usize {
        (probe.entry & !(u32::MAX << self.bits)) as usize
    }

    fn entry(&self, probe: Probe, index: u32) -> u32 {
        probe.tag << self.bits | index
    }

    fn grow(&mut self) {
        self.bits += 1;
        assert!(self.bits < u32::BITS, "a slot has 32 bits");
        // Free the old slots before allocating new ones.
        self.slots = Vec::new();
        self.slots = vec![FREE; 1 << self.bits];
        for index in 0..self.layouts.len() {
            let mut probe = self.first_probe(&self.layouts[index]);
            while probe.entry != FREE {
                self.step(&mut probe);
            }
            self.slots[probe.slot as usize] = self.entry(probe, index as u32);
        }
    }
}
