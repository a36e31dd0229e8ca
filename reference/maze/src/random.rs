//! Random numbers, reproducible from a seed on every machine.

use std::hash::{BuildHasher, Hasher, RandomState};

/// The `SplitMix64` generator. It counts in steps of the golden ratio and scrambles each value.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    counter: u64,
}

impl Random {
    pub(crate) fn from_seed(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// A generator with a different sequence each time.
    pub(crate) fn from_entropy() -> Self {
        // The standard library seeds its hashers from the system's entropy, so the hash of no data is random.
        Self::from_seed(RandomState::new().build_hasher().finish())
    }

    /// A number from 0 to `bound` − 1. The bias is less than `bound` / 2⁶⁴.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.counter;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random::from_seed(1_234_567);
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(published, std::array::from_fn(|_| random.next()));
    }

    #[test]
    fn every_number_below_the_bound_is_as_likely_as_any_other() {
        let mut random = Random::from_seed(0);
        let mut counts = [0_u32; 3];
        (0..30_000).for_each(|_| counts[random.below(3)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    #[test]
    fn entropy_gives_another_sequence_each_time() {
        assert_ne!(Random::from_entropy().next(), Random::from_entropy().next());
    }
}
