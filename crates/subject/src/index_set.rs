//! Sets of indices.

/// A set of indices, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndexSet(pub(crate) Vec<u64>);

/// A set of mutants, by index. It is small enough to send with every case.
pub type MutantSet = IndexSet;

impl IndexSet {
    /// The set of the first `count` indices.
    pub fn all(count: usize) -> Self {
        (0..count).collect()
    }

    /// Adds an index.
    pub fn insert(&mut self, index: usize) {
        if self.0.len() <= index / 64 {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Removes an index.
    pub fn remove(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    /// Whether the index is in the set.
    pub fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds all indices of another set.
    pub fn add_all(&mut self, other: &Self) {
        // No set has words without an index at its end only because another one has them.
        let count = other.0.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        if self.0.len() < count {
            self.0.resize(count, 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Whether every index of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(at, word)| word & !other.0.get(at).copied().unwrap_or(0) == 0)
    }

    /// The indices of this set that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .enumerate()
                .map(|(at, word)| word & !other.0.get(at).copied().unwrap_or(0))
                .collect(),
        )
    }

    /// The indices that are in both sets.
    #[must_use]
    pub fn both(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// How many indices are in both sets.
    pub fn count_both(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// The indices in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }

    /// How many indices are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

impl FromIterator<usize> for IndexSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut set = Self::default();
        indices.into_iter().for_each(|index| set.insert(index));
        set
    }
}
