//! Compares each work with all others.

use crate::gram::{NONE, winnow};
use crate::symbol::EDGE;
use crate::tile::{Tile, tiles};
use crate::{Given, Settings, Work};
use std::collections::HashMap;
use std::ops::Range;

/// How often one work may repeat a fingerprint. More of the same says nothing more, and would take long.
const MOST_REPEATS: usize = 32;

/// What works have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How many symbols of each work count: those that were not given, and that few others have.
    pub counted: Vec<usize>,
    /// The numbers of works whose files are equal, byte by byte. Works of which nothing counts are left out.
    pub equal: Vec<Vec<usize>>,
    /// The pairs that are alike, the highest share first. Of equal works, only the first is in a pair.
    pub pairs: Vec<Pair>,
}

/// Two works that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The numbers of both works, the lower one first.
    pub one: usize,
    pub other: usize,
    /// How many symbols they have in common.
    pub symbols: usize,
    /// What is alike in both, the longest first.
    pub regions: Vec<Region>,
}

/// A part of each of two works that is alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub one: Lines,
    pub other: Lines,
    /// How many symbols it has.
    pub symbols: usize,
}

/// Lines of a file, from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lines {
    pub file: String,
    pub first: u32,
    pub last: u32,
}

impl Comparison {
    /// The share of the pair's first work, and of its other one, that is found in both, from 0 to 1.
    pub fn shares(&self, pair: &Pair) -> (f64, f64) {
        let share = |work: usize| pair.symbols as f64 / self.counted[work].max(1) as f64;
        (share(pair.one), share(pair.other))
    }
}

/// Compares each of `works` with all others. Works from number `earlier` on are of earlier terms, and are not compared with each other.
pub fn compare(works: &[Work], earlier: usize, given: &Given, settings: &Settings) -> Comparison {
    let groups = groups(works);
    let firsts: Vec<_> = groups.iter().map(|group| group[0]).collect();
    let prepared = prepare(works, &firsts, given, settings);
    let mut found = pairs(&firsts, earlier, &prepared, settings);
    found.sort_by(|a, b| b.rank().partial_cmp(&a.rank()).expect("shares are numbers"));
    found.truncate(settings.pairs);
    let pairs = found.into_iter().map(|found| found.pair(works, &firsts)).collect();
    let mut counted = vec![0; works.len()];
    for (group, work) in groups.iter().zip(&prepared) {
        group.iter().for_each(|&number| counted[number] = work.counted);
    }
    let is_news =
        |group: &Vec<usize>| group.len() > 1 && group[0] < earlier && counted[group[0]] > 0;
    Comparison { equal: groups.into_iter().filter(is_news).collect(), pairs, counted }
}

/// The numbers of equal works, in the order of the first of them.
fn groups(works: &[Work]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = HashMap::new();
    for (number, work) in works.iter().enumerate() {
        let group = *group_of.entry(work.digest()).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    groups
}

/// The pairs of which enough is alike, in any order.
fn pairs(firsts: &[usize], earlier: usize, works: &[Prepared], settings: &Settings) -> Vec<Found> {
    let index = Index::new(works);
    let earlier = firsts.partition_point(|&number| number < earlier);
    let mut seeds = vec![Vec::new(); works.len()];
    let mut found = Vec::new();
    for (other, work) in works.iter().enumerate() {
        // Each pair once, and no two earlier works.
        let before = other.min(earlier);
        index.seeds(other, before, &mut seeds);
        for (one, seeds) in seeds[..before].iter_mut().enumerate() {
            let smaller = work.counted.min(works[one].counted);
            let enough = (settings.least * smaller as f64).max(1.0);
            // A match with `n` fingerprints has less than `(n + 1) * window + gram` symbols.
            let most = seeds.len() * (2 * settings.window + settings.gram);
            if most as f64 >= enough {
                let tiles = tiles(&works[one].codes, &work.codes, seeds, settings.gram);
                let symbols = tiles.iter().map(|tile| tile.length).sum();
                if symbols as f64 >= enough {
                    found.push(Found { one, other, symbols, smaller, tiles });
                }
            }
            seeds.clear();
        }
    }
    found
}

/// A pair before its matches are lines. Its works are those of [`Prepared`].
struct Found {
    one: usize,
    other: usize,
    symbols: usize,
    /// How many symbols count of the smaller work.
    smaller: usize,
    tiles: Vec<Tile>,
}

impl Found {
    /// By what pairs are sorted, the highest first.
    fn rank(&self) -> (f64, usize) {
        (self.symbols as f64 / self.smaller as f64, self.symbols)
    }

    fn pair(self, works: &[Work], firsts: &[usize]) -> Pair {
        let (one, other) = (firsts[self.one], firsts[self.other]);
        let region = |tile: &Tile| Region {
            one: works[one].lines(tile.one, tile.length),
            other: works[other].lines(tile.other, tile.length),
            symbols: tile.length,
        };
        Pair { one, other, symbols: self.symbols, regions: self.tiles.iter().map(region).collect() }
    }
}

/// A work without what does not count.
struct Prepared {
    /// Its codes, with [`EDGE`] for what does not count.
    codes: Vec<u32>,
    counted: usize,
    /// Its fingerprints, with their positions.
    prints: Vec<(u64, u32)>,
}

/// The first of each group of equal works, as it is compared.
fn prepare(works: &[Work], firsts: &[usize], given: &Given, settings: &Settings) -> Vec<Prepared> {
    let given = given.grams(settings);
    let works: Vec<_> = firsts.iter().map(|&number| &works[number]).collect();
    let common = common(&works, settings);
    let prepare = |work: &&Work| {
        let (mut codes, mut grams) = work.grams(settings.gram);
        for at in 0..grams.len() {
            let gram = grams[at];
            if gram != NONE
                && (given.binary_search(&gram).is_ok() || common.binary_search(&gram).is_ok())
            {
                codes[at..at + settings.gram].fill(EDGE);
            }
        }
        // What is left on both sides of what does not count.
        grams = crate::gram::grams(&codes, settings.gram);
        let prints =
            winnow(&grams, settings.window).into_iter().map(|at| (grams[at], at as u32)).collect();
        let counted = codes.iter().filter(|&&code| code != EDGE).count();
        Prepared { codes, counted, prints }
    };
    works.iter().map(prepare).collect()
}

/// The hashes that too many works have, in order.
fn common(works: &[&Work], settings: &Settings) -> Vec<u64> {
    let most = settings.few.max((settings.common * works.len() as f64) as usize);
    let mut all = Vec::new();
    for work in works {
        let mut own = work.grams(settings.gram).1;
        own.sort_unstable();
        own.dedup();
        all.extend(own.into_iter().filter(|&gram| gram != NONE));
    }
    all.sort_unstable();
    all.chunk_by(|one, other| one == other)
        .filter(|same| same.len() > most)
        .map(|same| same[0])
        .collect()
}

/// Where each fingerprint is.
struct Index {
    /// Hash, work and position, in order.
    entries: Vec<(u64, u32, u32)>,
    /// For each work, the entries of each of its fingerprints, and its position.
    of_work: Vec<Vec<(Range<usize>, u32)>>,
}

impl Index {
    fn new(works: &[Prepared]) -> Self {
        let mut entries: Vec<_> = works
            .iter()
            .zip(0..)
            .flat_map(|(work, number)| {
                work.prints.iter().map(move |&(print, at)| (print, number, at))
            })
            .collect();
        entries.sort_unstable();
        let mut of_work = vec![Vec::new(); works.len()];
        let mut start = 0;
        for same in entries.chunk_by(|one, other| one.0 == other.0) {
            let range = start..start + same.len();
            start = range.end;
            for of_one in same.chunk_by(|one, other| one.1 == other.1) {
                for &(_, work, at) in of_one.iter().take(MOST_REPEATS) {
                    of_work[work as usize].push((range.clone(), at));
                }
            }
        }
        Self { entries, of_work }
    }

    /// Adds to the list of each of the works `before` where it has a fingerprint of `work`, and where that has it.
    fn seeds(&self, work: usize, before: usize, seeds: &mut [Vec<(u32, u32)>]) {
        for (range, there) in &self.of_work[work] {
            let works = self.entries[range.clone()].chunk_by(|a, b| a.1 == b.1);
            for same in works.take_while(|same| (same[0].1 as usize) < before) {
                let both = same.iter().take(MOST_REPEATS).map(|&(.., at)| (at, *there));
                seeds[same[0].1 as usize].extend(both);
            }
        }
    }
}
