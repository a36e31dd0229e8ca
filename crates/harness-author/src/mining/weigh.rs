//! Proposes points for mutants: as many programs of a class have the behaviour that a mutant is, so much is it worth. Pure.
//!
//! A mutant *is* a behaviour of real programs if nearly the same cases expose both. One that shows on most cases tells nothing of a suite,
//! because nearly every suite exposes it. Such mutants and all others are worth the floor, because a behaviour that nobody had may come.
//!
//! All cases count alike. If each size of input counted as much as every other, the few large cases would decide, and nearly every
//! mutant shows on these.

use super::deviations::{CaseKind, Deviation, Signature};
use super::likeness::likenesses;
use super::rank::{self, Correlation};
use super::suites::Exposed;
use fastrand::Rng;
use harness::catalogue::Mutant;
use harness::catalogue::behaviours::{counted, named};
use harness::course::{Points, ScoredBy};
use harness::generate::seeds::mixed;
use std::collections::{BTreeMap, BTreeSet};

/// A mutant is a behaviour if both show on such a part of the cases on which one of them shows.
const SAME: f64 = 0.8;
/// Nearly every suite exposes a mutant that shows on a larger part of all cases.
const MOST_CASES: f64 = 0.5;
/// The points of a mutant that is no behaviour of the class, or shows on most cases.
pub const FLOOR: Points = Points::of_hundredths(25);
/// The points for each time that the number of programs with a behaviour doubles, and the most of these times.
const DOUBLED: f64 = 0.5;
const MOST_DOUBLED: f64 = 4.0;
/// Halves of the class that are tried.
const HALVES: u64 = 200;

/// What a mutant stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The programs that have a behaviour that the mutant is.
    pub programs: BTreeSet<usize>,
    /// Whether it shows on most cases.
    pub is_broad: bool,
    /// The proposal.
    pub points: Points,
}

/// What is known of a class.
pub struct Class<'a> {
    pub cases: &'a [CaseKind],
    pub mutants: &'a [Mutant],
    pub signatures: &'a [Signature],
    pub deviations: &'a [Deviation],
    /// By program, the number of cases that it ran on; 0 if it did not run.
    pub tried: Vec<usize>,
    /// What counts as one bug.
    pub by: ScoredBy,
}

/// Which deviations each mutant is, and which mutants show on most cases.
pub struct Matches {
    /// By deviation, the mutants that are it.
    of: Vec<Vec<usize>>,
    is_broad: Vec<bool>,
}

impl Class<'_> {
    /// The numbers of the programs that ran.
    pub fn programs(&self) -> Vec<usize> {
        (0..self.tried.len()).filter(|&program| self.tried[program] > 0).collect()
    }

    pub fn matches(&self) -> Matches {
        let all = self.cases.iter().filter(|case| case.counts).count();
        let counting = |signature: &Signature| {
            signature.keys().filter(|case| self.cases[**case].counts).count()
        };
        let is_broad = |signature| counting(signature) as f64 > MOST_CASES * all as f64;
        let is_broad: Vec<_> = self.signatures.iter().map(is_broad).collect();
        let of = |deviation: &Deviation| {
            let cases = &self.cases[..self.tried[deviation.example]];
            let like = likenesses(cases, &deviation.signature, self.signatures);
            let like = like
                .into_iter()
                .filter(|it| Some(it.mutant) == deviation.mutant || it.part() >= SAME);
            like.map(|it| it.mutant).collect()
        };
        Matches { of: self.deviations.iter().map(of).collect(), is_broad }
    }

    /// The points that follow from these programs of the class.
    pub fn weights(&self, matches: &Matches, programs: &BTreeSet<usize>) -> Vec<Weight> {
        // By mutant, the programs that have a behaviour that it is, each with the largest part of it that is the mutant's.
        let mut having = vec![BTreeMap::<usize, f64>::new(); self.mutants.len()];
        for (deviation, mutants) in self.deviations.iter().zip(&matches.of) {
            let own: BTreeSet<_> =
                deviation.programs.iter().copied().filter(|it| programs.contains(it)).collect();
            if own.is_empty() {
                continue;
            }
            // Mutants that are the same behaviour share its points.
            let sharing = mutants.iter().copied().filter(|&mutant| !matches.is_broad[mutant]);
            let part = 1.0 / self.counted(sharing).len().max(1) as f64;
            for &mutant in mutants {
                for &program in &own {
                    let most = having[mutant].entry(program).or_default();
                    *most = most.max(part);
                }
            }
        }
        let weight = |mutant: usize| {
            let (own, is_broad) = (&having[mutant], matches.is_broad[mutant]);
            let points = if is_broad { FLOOR } else { worth(own).max(FLOOR) };
            Weight { points, programs: own.keys().copied().collect(), is_broad }
        };
        let mut weights: Vec<_> = (0..self.mutants.len()).map(weight).collect();
        self.level(&mut weights);
        weights
    }

    /// Those of `mutants` that count in a score.
    pub fn counted(&self, mutants: impl Iterator<Item = usize>) -> Vec<usize> {
        let mutants: Vec<_> = mutants.collect();
        let all = mutants.iter().map(|&mutant| &self.mutants[mutant]);
        let ids: BTreeSet<_> = counted(all, self.by).into_iter().map(|it| &it.id).collect();
        mutants.into_iter().filter(|&mutant| ids.contains(&self.mutants[mutant].id)).collect()
    }

    /// Gives all mutants of a behaviour of the catalogue the points of the one that is worth the most.
    fn level(&self, weights: &mut [Weight]) {
        for members in named(self.mutants).into_values() {
            let most = members.iter().map(|&mutant| weights[mutant].points).max();
            members.iter().for_each(|&mutant| weights[mutant].points = most.unwrap_or(FLOOR));
        }
    }

    /// How well the points rank the suites, by what they expose of what the programs do.
    pub fn check(&self, matches: &Matches, suites: &[Exposed], seed: u64) -> Checked {
        let suites: Vec<_> = suites.iter().filter(|suite| suite.valid_tests > 0).collect();
        let all: BTreeSet<_> = self.programs().into_iter().collect();
        let reached = |suite: &Exposed, points: &dyn Fn(usize) -> Points| {
            let exposed = self.counted(suite.mutants.iter().copied());
            exposed.into_iter().map(points).sum::<Points>().hundredths() as usize
        };
        let correlation = |points: &dyn Fn(usize) -> Points, programs: &BTreeSet<usize>| {
            let behaviours = |suite: &Exposed| {
                let is_theirs = |at: &&usize| {
                    self.deviations[**at].programs.iter().any(|it| programs.contains(it))
                };
                suite.deviations.iter().filter(is_theirs).count()
            };
            let pairs: Vec<_> =
                suites.iter().map(|suite| (reached(suite, points), behaviours(suite))).collect();
            rank::correlation(&pairs)
        };
        let weights = self.weights(matches, &all);
        let (mut weighed, mut equal) = (Vec::new(), Vec::new());
        for half in 0..HALVES {
            let mut programs = self.programs();
            Rng::with_seed(mixed(seed, half)).shuffle(&mut programs);
            let (own, others) = programs.split_at(programs.len() / 2);
            let own = self.weights(matches, &own.iter().copied().collect());
            let others = others.iter().copied().collect();
            let pair = (
                correlation(&|mutant| own[mutant].points, &others),
                correlation(&|_| Points::ONE, &others),
            );
            if let (Some(one), Some(other)) = pair {
                weighed.push(one.rho);
                equal.push(other.rho);
            }
        }
        Checked {
            proposed: correlation(&|mutant| weights[mutant].points, &all),
            current: correlation(&|mutant| self.mutants[mutant].points, &all),
            equal: correlation(&|_| Points::ONE, &all),
            proposed_by_halves: Spread::of(weighed),
            equal_by_halves: Spread::of(equal),
            reached: suites
                .iter()
                .map(|suite| {
                    Points::of_hundredths(reached(suite, &|mutant| weights[mutant].points) as u64)
                })
                .collect(),
        }
    }
}

/// The points of a mutant that is a behaviour of these programs, each with the part of it that is the mutant's.
fn worth(programs: &BTreeMap<usize, f64>) -> Points {
    let count = programs.len().max(1) as f64;
    let of_all = 1.0 + DOUBLED * count.log2().min(MOST_DOUBLED);
    Points::nearest(of_all * programs.values().sum::<f64>() / count)
}

/// How well points rank suites.
pub struct Checked {
    /// The rank correlation of the points of a suite and the behaviours that it exposes, with the proposed points.
    pub proposed: Option<Correlation>,
    /// With the points of the catalogue.
    pub current: Option<Correlation>,
    /// With one point for each mutant.
    pub equal: Option<Correlation>,
    /// Proposed from one half of the programs, and compared with what the other half does.
    pub proposed_by_halves: Option<Spread>,
    pub equal_by_halves: Option<Spread>,
    /// The points that each suite with a valid test reaches.
    pub reached: Vec<Points>,
}

/// Coefficients of many halves: their median, and the limits within which 95 of 100 are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Spread {
    fn of(mut all: Vec<f64>) -> Option<Self> {
        all.sort_by(f64::total_cmp);
        let last = all.len().checked_sub(1)? as f64;
        let at = |part: f64| all[(last * part).round() as usize];
        Some(Self { median: at(0.5), low: at(0.025), high: at(0.975) })
    }
}

/// Wilson's interval of 95 percent for the share of programs that have a behaviour, if `count` of `of` have it.
pub fn wilson(count: usize, of: usize) -> (f64, f64) {
    const DEVIATIONS: f64 = 1.96;
    let (n, share) = (of.max(1) as f64, count as f64 / of.max(1) as f64);
    let square = DEVIATIONS * DEVIATIONS;
    let middle = (share + square / (2.0 * n)) / (1.0 + square / n);
    let reach = DEVIATIONS / (1.0 + square / n)
        * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    ((middle - reach).max(0.0), (middle + reach).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mining::Shown;
    use harness::domain::How;

    const CASES: usize = 100;

    fn shows(on: std::ops::Range<usize>) -> Signature {
        on.map(|case| (case, Shown { how: How::Output, outcome: case as u64 })).collect()
    }

    fn deviation(mutant: Option<usize>, signature: Signature, programs: &[usize]) -> Deviation {
        Deviation { mutant, signature, programs: programs.to_vec(), example: programs[0] }
    }

    fn points(deviations: &[Deviation], signatures: &[Signature]) -> Vec<String> {
        let cases = vec![CaseKind { answer: String::new(), counts: true }; CASES];
        let mutants: Vec<_> =
            (0..signatures.len()).map(|at| Mutant::proposed(format!("m-{at}"))).collect();
        let class = Class {
            cases: &cases,
            mutants: &mutants,
            signatures,
            deviations,
            tried: vec![CASES; 8],
            by: ScoredBy::Mutants,
        };
        let all = class.programs().into_iter().collect();
        let weights = class.weights(&class.matches(), &all);
        weights.iter().map(|weight| weight.points.to_string()).collect()
    }

    #[test]
    fn a_mutant_is_worth_more_if_more_programs_have_its_behaviour() {
        let mutants = [shows(0..10), shows(20..30), shows(40..50)];
        let one = deviation(Some(0), mutants[0].clone(), &[0]);
        let four = deviation(None, shows(20..29), &[1, 2, 3, 4]);
        assert_eq!(points(&[one, four], &mutants), ["1", "2", "0.25"]);
    }

    #[test]
    fn a_mutant_is_worth_what_all_programs_make_whose_behaviours_it_is() {
        let mutants = [shows(0..10), shows(20..30), shows(20..28)];
        let three = deviation(Some(0), shows(0..10), &[1, 2, 3]);
        let fourth = deviation(None, shows(0..9), &[4]);
        assert_eq!(points(&[three.clone(), fourth], &mutants)[0], "2");
        // A program that has both counts once.
        let again = deviation(None, shows(0..9), &[3]);
        assert_eq!(points(&[three, again], &mutants)[0], "1.79");
        // The behaviour of one program is shared, and that of the other is not.
        let shared = deviation(None, shows(20..30), &[1]);
        let own = deviation(None, shows(21..31), &[2]);
        assert_eq!(points(&[shared, own], &mutants)[1..], ["1.13", "0.5"]);
    }

    #[test]
    fn a_mutant_that_is_only_a_part_of_a_behaviour_is_worth_the_floor() {
        let half = deviation(None, shows(0..20), &[0]);
        assert_eq!(points(&[half], &[shows(0..10)]), ["0.25"]);
    }

    #[test]
    fn a_mutant_that_shows_on_most_cases_is_worth_the_floor_and_takes_no_share() {
        let most = deviation(Some(0), shows(0..60), &[0, 1]);
        assert_eq!(points(&[most], &[shows(0..60)]), ["0.25"]);
        let half = deviation(None, shows(0..50), &[0]);
        assert_eq!(points(&[half], &[shows(0..60), shows(0..50)]), ["0.25", "1"]);
    }

    #[test]
    fn mutants_that_are_the_same_behaviour_share_its_points() {
        let same = deviation(Some(0), shows(0..10), &[0]);
        assert_eq!(points(&[same], &[shows(0..10), shows(0..10)]), ["0.5", "0.5"]);
    }

    #[test]
    fn the_interval_is_that_of_the_textbooks() {
        let (low, high) = wilson(1, 10);
        assert!((low - 0.0179).abs() < 0.001 && (high - 0.4042).abs() < 0.001, "{low} {high}");
        assert!(wilson(0, 10).0 < 1e-12 && wilson(0, 0).1 <= 1.0);
    }
}
