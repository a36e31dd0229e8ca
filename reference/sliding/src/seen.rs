//! The layouts that the search has seen, each once, in the order in which it met them, and where each came from.
//!
//! The layouts are one flat array; a hash table finds the index of one in it. The set knows nothing of what a layout means.

use crate::layout::Key;
use subject::bug;

/// What a free slot holds.
const FREE: u32 = u32::MAX;

/// The parent of the first layout.
pub(crate) const ROOT: u32 = u32::MAX;

/// How many slots a table has at first, as a power of two.
const FIRST_BITS: u32 = 10;

/// A set of layouts with their parents.
pub(crate) struct Seen<K> {
    layouts: Vec<K>,
    parents: Vec<u32>,
    /// The hash table has 2^`bits` slots, so an index takes `bits` bits of a slot. In the others is a tag: more bits of the
    /// layout's hash, so that hardly ever another layout has to be looked at.
    slots: Vec<u32>,
    bits: u32,
    probes: Vec<Probe>,
}

/// A look into the table for one layout.
#[derive(Clone, Copy)]
struct Probe {
    slot: u32,
    tag: u32,
    /// What the slot holds.
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

    /// How many layouts there are.
    pub(crate) fn len(&self) -> usize {
        self.layouts.len()
    }

    /// The memory that the set holds.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.layouts.first().map_or(0, |layout| layout.as_ref().len());
        self.layouts.capacity() * K::bytes(words) + (self.parents.capacity() + self.slots.len()) * 4
    }

    /// A layout by its index.
    pub(crate) fn layout(&self, index: u32) -> &K {
        &self.layouts[index as usize]
    }

    /// The layout that the search came from to this one.
    pub(crate) fn parent(&self, index: u32) -> u32 {
        self.parents[index as usize]
    }

    /// Drops candidates whose layout the set holds: not all of them, but all that one look tells.
    ///
    /// A look into a large table waits for memory, and so does one at a layout. Here none depends on the one before, so the
    /// processor waits for many at once; that is all that this adds to [`insert`](Self::insert).
    pub(crate) fn weed<T>(&mut self, candidates: &mut Vec<T>, layout: impl Fn(&T) -> &K) {
        if bug!("forgets-where-a-layout-first-came-from") {
            return;
        }
        let mut probes = std::mem::take(&mut self.probes);
        probes.clear();
        probes.extend(candidates.iter().map(|candidate| self.first_probe(layout(candidate))));
        for probe in &mut probes {
            self.follow(probe);
        }
        let mut rest = probes.iter();
        candidates.retain(|candidate| {
            let probe = rest.next().expect("there is one for each candidate");
            self.layouts.get(self.index(*probe)) != Some(layout(candidate))
        });
        self.probes = probes;
    }

    /// Adds a layout and returns its index, unless the set has it already.
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

    /// The first slot to look at for a layout.
    fn first_probe(&self, layout: &K) -> Probe {
        let hash = layout.as_ref().iter().fold(0_u64, |hash, word| {
            let mixed = (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        });
        let hash = (hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> u32::BITS) as u32;
        let slot = hash >> (u32::BITS - self.bits);
        Probe { slot, tag: hash & (u32::MAX >> self.bits), entry: self.slots[slot as usize] }
    }

    /// Goes on to the next slot.
    fn step(&self, probe: &mut Probe) {
        probe.slot = (probe.slot + 1) & (self.slots.len() as u32 - 1);
        probe.entry = self.slots[probe.slot as usize];
    }

    /// Goes on until a slot has the right tag or is free.
    fn follow(&self, probe: &mut Probe) {
        while probe.entry != FREE && probe.entry >> self.bits != probe.tag {
            self.step(probe);
        }
    }

    /// The index in the slot; that of no layout for a free one.
    fn index(&self, probe: Probe) -> usize {
        (probe.entry & !(u32::MAX << self.bits)) as usize
    }

    fn entry(&self, probe: Probe, index: u32) -> u32 {
        probe.tag << self.bits | index
    }

    fn grow(&mut self) {
        self.bits += 1;
        assert!(self.bits < u32::BITS, "a slot has 32 bits");
        // The old slots are of no more use: give them back before there are new ones.
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
