//! Sets of mutants, small enough to send with every case.

/// A set of mutants, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutantSet(pub(crate) Vec<u64>);

impl MutantSet {
    /// The set of the first `count` mutants.
    pub fn all(count: usize) -> Self {
        (0..count).collect()
    }

    /// Adds a mutant.
    pub fn insert(&mut self, mutant: usize) {
        if self.0.len() <= mutant / 64 {
            self.0.resize(mutant / 64 + 1, 0);
        }
        self.0[mutant / 64] |= 1 << (mutant % 64);
    }

    /// Removes a mutant.
    pub fn remove(&mut self, mutant: usize) {
        if let Some(word) = self.0.get_mut(mutant / 64) {
            *word &= !(1 << (mutant % 64));
        }
    }

    /// Whether the mutant is in the set.
    pub fn contains(&self, mutant: usize) -> bool {
        self.0.get(mutant / 64).is_some_and(|word| word >> (mutant % 64) & 1 == 1)
    }

    /// Adds all the mutants of another set.
    pub fn add_all(&mut self, other: &Self) {
        other.iter().for_each(|mutant| self.insert(mutant));
    }

    /// Whether every mutant of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(at, word)| word & !other.0.get(at).copied().unwrap_or(0) == 0)
    }

    /// The mutants of this set that are not in the other.
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

    /// The mutants that are in both sets.
    #[must_use]
    pub fn both(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The mutants of the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }

    /// How many mutants are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

impl FromIterator<usize> for MutantSet {
    fn from_iter<I: IntoIterator<Item = usize>>(mutants: I) -> Self {
        let mut set = Self::default();
        mutants.into_iter().for_each(|mutant| set.insert(mutant));
        set
    }
}
