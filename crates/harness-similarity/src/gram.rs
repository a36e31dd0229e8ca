//! Hashes of symbols that follow each other, and the fingerprints among them.

use crate::symbol::EDGE;

/// The hash of what is no gram: symbols with an edge among them.
pub(crate) const NONE: u64 = 0;

/// The hash of each `size` codes that follow each other: the hash at a position is that of the codes from there on.
pub(crate) fn grams(codes: &[u32], size: usize) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let highest = (1..size).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let (mut hash, mut since_edge) = (0_u64, 0);
    let mut grams = Vec::with_capacity(codes.len());
    for (at, &code) in codes.iter().enumerate() {
        if let Some(first) = at.checked_sub(size) {
            hash = hash.wrapping_sub(mixed(codes[first].into()).wrapping_mul(highest));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(mixed(code.into()));
        since_edge = if code == EDGE { 0 } else { since_edge + 1 };
        if at + 1 >= size {
            grams.push(if since_edge < size { NONE } else { mixed(hash).max(NONE + 1) });
        }
    }
    grams
}

/// A permutation of numbers without an order that anyone could use: the end of `SplitMix64`.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The positions of the fingerprints: of each `window` hashes that follow each other, the least, and among equal ones that which was
/// chosen before, or else the last (*robust winnowing*). Where [`NONE`] leaves fewer hashes than a window, these are one.
pub(crate) fn winnow(grams: &[u64], window: usize) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut start = 0;
    for run in grams.split(|&gram| gram == NONE) {
        winnow_run(run, window.min(run.len()), start, &mut chosen);
        start += run.len() + 1;
    }
    chosen
}

fn winnow_run(run: &[u64], window: usize, start: usize, chosen: &mut Vec<usize>) {
    let mut least: Option<usize> = None;
    for end in window..=run.len() {
        let first = end - window;
        let next = match least {
            Some(at) if at >= first && run[at] <= run[end - 1] => continue,
            Some(at) if at >= first => Some(end - 1),
            _ => (first..end).rev().min_by_key(|&at| run[at]),
        };
        chosen.extend(next.map(|at| start + at));
        least = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_example_of_the_paper_has_its_fingerprints() {
        // Figure 2: the hashes of the 5-grams of "adorunrunrunadorunrun", and those that a window of 4 chooses.
        let grams = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];
        let chosen: Vec<_> = winnow(&grams, 4).into_iter().map(|at| (grams[at], at)).collect();
        assert_eq!(chosen, [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]);
    }

    #[test]
    fn a_gram_never_spans_an_edge() {
        let grams = grams(&[1, 2, EDGE, 1, 2, 3], 2);
        assert_eq!((grams[1], grams[2]), (NONE, NONE));
        assert_eq!(grams[0], grams[3]);
        assert_ne!(grams[3], grams[4]);
        assert_eq!(winnow(&grams, 10), [0, if grams[3] < grams[4] { 3 } else { 4 }]);
    }

    #[test]
    fn what_repeats_has_few_fingerprints() {
        let chosen = winnow(&grams(&[7; 1000], 5), 10).len();
        assert!((90..=110).contains(&chosen), "{chosen}");
    }

    #[test]
    fn about_two_hashes_of_a_window_and_one_are_fingerprints() {
        let mut random = fastrand::Rng::with_seed(1);
        let codes: Vec<_> = (0..10_000).map(|_| random.u32(1..)).collect();
        let chosen = winnow(&grams(&codes, 5), 9).len();
        assert!((1800..2200).contains(&chosen), "{chosen}");
    }

    proptest! {
        // The guarantee of the paper, with few codes, so that there are many equal hashes.
        #[test]
        fn works_that_share_a_gram_and_a_window_share_a_fingerprint(
            (gram, window) in (1..6_usize, 1..8_usize),
            shared in prop::collection::vec(1..4_u32, 13),
            around in prop::array::uniform4(prop::collection::vec(0..4_u32, 0..20)),
        ) {
            let shared = &shared[..gram + window - 1];
            let [a, b, c, d] = &around;
            let values = |before: &[u32], after: &[u32]| -> BTreeSet<u64> {
                let codes = [before, shared, after].concat();
                let grams = grams(&codes, gram);
                winnow(&grams, window).into_iter().map(|at| grams[at]).collect()
            };
            prop_assert!(!values(a, b).is_disjoint(&values(c, d)));
        }
    }
}
