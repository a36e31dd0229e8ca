//! Covers two works with what they have in common.

use crate::symbol::EDGE;

/// A match: so many codes from these positions on are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) one: usize,
    pub(crate) other: usize,
    pub(crate) length: usize,
}

/// The matches of at least `least` codes that `seeds`, positions of equal fingerprints, belong to, the longest first. No code is in two.
pub(crate) fn tiles(
    one: &[u32],
    other: &[u32],
    seeds: &mut [(u32, u32)],
    least: usize,
) -> Vec<Tile> {
    let mut whole = whole(one, other, seeds);
    whole.sort_by_key(|tile| (std::cmp::Reverse(tile.length), tile.one, tile.other));
    let (mut in_one, mut in_other) = (vec![false; one.len()], vec![false; other.len()]);
    let mut tiles = Vec::new();
    for tile in whole {
        let is_free = |at: usize, one: &[bool], other: &[bool]| {
            !one[tile.one + at] && !other[tile.other + at]
        };
        let mut start = 0;
        while start < tile.length {
            let rest = start..tile.length;
            let length = rest.take_while(|&at| is_free(at, &in_one, &in_other)).count();
            if length >= least {
                let part = Tile { one: tile.one + start, other: tile.other + start, length };
                in_one[part.one..part.one + length].fill(true);
                in_other[part.other..part.other + length].fill(true);
                tiles.push(part);
            }
            start += length + 1;
        }
    }
    tiles.sort_by_key(|tile| (std::cmp::Reverse(tile.length), tile.one));
    tiles
}

/// The matches of the seeds as far as they go to both sides. They may overlap.
fn whole(one: &[u32], other: &[u32], seeds: &mut [(u32, u32)]) -> Vec<Tile> {
    // Seeds of one match follow each other, because they are equally far apart.
    seeds.sort_unstable_by_key(|&(at, there)| (i64::from(at) - i64::from(there), at));
    let mut found: Vec<Tile> = Vec::new();
    for &(at, there) in seeds.iter() {
        let (at, there) = (at as usize, there as usize);
        let is_in = |tile: &Tile| {
            tile.one + there == tile.other + at && (tile.one..tile.one + tile.length).contains(&at)
        };
        if !found.last().is_some_and(is_in) {
            let equal = |(one, other): &(&u32, &u32)| one == other && **one != EDGE;
            let before =
                one[..at].iter().rev().zip(other[..there].iter().rev()).take_while(equal).count();
            let after = one[at..].iter().zip(&other[there..]).take_while(equal).count();
            found.push(Tile { one: at - before, other: there - before, length: before + after });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(one: usize, other: usize, length: usize) -> Tile {
        Tile { one, other, length }
    }

    #[test]
    fn a_match_goes_as_far_as_the_codes_agree() {
        let (one, other) = ([9, 1, 2, 3, 4, 8], [1, 2, 3, 4, 7]);
        assert_eq!(tiles(&one, &other, &mut [(2, 1), (3, 2)], 2), [tile(1, 0, 4)]);
        assert_eq!(tiles(&[1, EDGE, 2], &[1, EDGE, 2], &mut [(0, 0)], 1), [tile(0, 0, 1)]);
    }

    #[test]
    fn what_was_moved_is_found_and_nothing_counts_twice() {
        let (one, other) = ([1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 1, 2, 3]);
        let found = tiles(&one, &other, &mut [(0, 4), (3, 0)], 2);
        assert_eq!(found, [tile(3, 0, 4), tile(0, 4, 3)]);
        let twice = [1, 2, 3, 1, 2, 3];
        let found = tiles(&twice, &[1, 2, 3], &mut [(0, 0), (3, 0)], 2);
        assert_eq!(found, [tile(0, 0, 3)]);
    }
}
