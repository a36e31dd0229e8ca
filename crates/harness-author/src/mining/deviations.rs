//! Tells the deviations of programs apart. Pure.
//!
//! A *signature* is what a program shows on each case on which it differs. The signatures of the mutants, and what is left of those of
//! other programs, are candidates for its deviations. The candidate that accounts for most of what is left is taken first, again and
//! again. A program has a deviation if it differs on nearly every case on which the deviation shows, and shows the same wherever no
//! other deviation interferes. What no candidate accounts for is a new deviation, which other programs can have too.
//!
//! Programs with short signatures come first, so that a bug that one program has alone is known when another has it among others.

use super::{Shown, Trial};
use harness::domain::How;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The largest share of a deviation's cases on which a program that has it may be right: another bug may hide it.
const EXCEPTIONS: f64 = 0.05;
/// The smallest share of them on which the program shows the same.
const SAME: f64 = 0.1;
/// Of several deviations of a program, each must account for so much, or for half of its own cases and no fewer than [`FEW`]. What is
/// left besides is how they interfere.
const LITTLE: f64 = 0.05;
const FEW: usize = 3;
/// The largest share of a program's cases that its deviations explain by changing each other's answers.
const INTERFERENCE: f64 = 0.2;
/// Two bugs that have nothing to do with each other meet on some cases. If so many meetings are expected, and not a tenth of them
/// happen, both are parts of one bug.
const MEETINGS: f64 = 5.0;

/// How likely chance may explain that two programs do not end on the same cases.
const CHANCE: f64 = 1e-4;
/// A program that differs on such a part of all cases has one bug, as far as anybody can tell.
const NEARLY_ALL: f64 = 0.9;

/// What something shows, by the number of the case.
pub type Signature = BTreeMap<usize, Shown>;

/// A way in which programs differ.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// The mutant that it is, if it is one: the programs show the same as the mutant.
    pub mutant: Option<usize>,
    pub signature: Signature,
    /// The programs that have it, in order.
    pub programs: Vec<usize>,
    /// The program whose signature it was found in: of those that have it, the one with the shortest signature.
    pub example: usize,
}

/// A case as far as it matters here.
#[derive(Clone, Debug)]
pub struct CaseKind {
    /// Its flags, and how the reference's answer begins. Two bugs can only meet where both can show, and many show on answers of one
    /// kind alone, such as those without a solution.
    pub answer: String,
    /// Whether a difference on it counts.
    pub counts: bool,
}

/// The deviations of the programs with these trials, those that most programs have first. `mutants` are the signatures of the mutants.
pub fn deviations(
    cases: &[CaseKind],
    mutants: &[Signature],
    trials: &[Option<&Trial>],
) -> Vec<Deviation> {
    let of_mutant = |(mutant, signature): (usize, &Signature)| Deviation {
        mutant: Some(mutant),
        signature: counting(cases, signature),
        programs: Vec::new(),
        example: 0,
    };
    let mut all: Vec<_> = mutants.iter().enumerate().map(of_mutant).collect();
    let mut order: Vec<_> = (0..trials.len()).filter(|&at| trials[at].is_some()).collect();
    order.sort_by_key(|&at| trials[at].map(|trial| trial.shown.len()));
    for program in order {
        let Some(trial) = trials[program] else { continue };
        let signature = counting(cases, &trial.shown);
        if signature.is_empty() {
            continue;
        }
        let view = View::new(cases, &signature, trial);
        let Parts { known, rest } = view.parts(&all);
        for at in known {
            if all[at].programs.is_empty() {
                all[at].example = program;
            }
            all[at].programs.push(program);
        }
        if !rest.is_empty() {
            all.push(Deviation {
                mutant: None,
                signature: rest,
                programs: vec![program],
                example: program,
            });
        }
    }
    all.retain(|deviation| !deviation.programs.is_empty());
    all.iter_mut().for_each(|deviation| deviation.programs.sort_unstable());
    all.sort_by_key(|deviation| Reverse(deviation.programs.len()));
    all
}

fn counting(cases: &[CaseKind], signature: &Signature) -> Signature {
    let counts = signature.iter().filter(|(case, _)| cases[**case].counts);
    counts.map(|(&case, &shown)| (case, shown)).collect()
}

/// The signature of one program.
struct View<'a> {
    cases: &'a [CaseKind],
    /// What it shows on each case on which that is known.
    shown: BTreeMap<usize, Option<Shown>>,
    signature: &'a Signature,
}

/// The known deviations that a signature consists of, and the rest.
struct Parts {
    known: Vec<usize>,
    rest: Signature,
}

/// How a deviation compares with a signature, in numbers of cases on which the deviation shows.
#[derive(Clone, Copy, Debug, Default)]
struct Comparison {
    same: usize,
    other: usize,
    right: usize,
}

impl<'a> View<'a> {
    fn new(cases: &'a [CaseKind], signature: &'a Signature, trial: &Trial) -> Self {
        let known = (0..trial.tried).filter(|case| !trial.stopped.contains(case));
        let shown = known.map(|case| (case, signature.get(&case).copied())).collect();
        Self { cases, shown, signature }
    }

    fn parts(&self, all: &[Deviation]) -> Parts {
        let mut candidates: BTreeSet<_> =
            (0..all.len()).filter(|&at| self.may_have(&all[at])).collect();
        loop {
            let parts = self.cover(all, &candidates);
            let is_part = |&at: &usize| self.is_part_of(&all[at], &parts.rest);
            match parts.known.iter().copied().find(is_part) {
                Some(at) => candidates.remove(&at),
                None => return parts,
            };
        }
    }

    /// Takes the candidate that accounts for the most, until none accounts for anything.
    fn cover(&self, all: &[Deviation], candidates: &BTreeSet<usize>) -> Parts {
        let mut rest = self.signature.clone();
        let mut known: Vec<usize> = Vec::new();
        let accounted = |deviation: &Deviation, rest: &Signature| {
            deviation.signature.iter().filter(|(case, shown)| rest.get(case) == Some(shown)).count()
        };
        loop {
            let left = candidates.iter().filter(|at| !known.contains(at));
            let least = if known.is_empty() { 1 } else { little(self.signature.len()) };
            let best = left
                .map(|&at| (accounted(&all[at], &rest), all[at].signature.len(), at))
                .filter(|&(count, own, _)| count >= least || count >= FEW && 2 * count >= own)
                .max_by_key(|&(count, own, at)| (count, Reverse(own), Reverse(at)));
            let Some((_, _, at)) = best else { break };
            known.push(at);
            // Where several show, they interfere.
            rest.retain(|case, shown| {
                let showing = known.iter().filter_map(|&at| all[at].signature.get(case));
                let (mut count, mut is_same) = (0, false);
                showing.for_each(|it| (count, is_same) = (count + 1, is_same || it == shown));
                !is_same && count < 2
            });
        }
        if known.len() > 1 && self.is_interference(all, &known, &rest) {
            rest.clear();
        }
        Parts { known, rest }
    }

    /// Whether what is left is how the known deviations interfere: it is little, or it shows nearly only where one of them shows. A
    /// bug can change an answer in such a way that the other shows on it, too.
    fn is_interference(&self, all: &[Deviation], known: &[usize], rest: &Signature) -> bool {
        let is_apart =
            |case: &&usize| !known.iter().any(|&at| all[at].signature.contains_key(case));
        let apart = rest.keys().filter(is_apart).count();
        let least = little(self.signature.len());
        let most = INTERFERENCE * self.signature.len() as f64;
        rest.len() <= least || apart <= least && rest.len() as f64 <= most
    }

    fn compare(&self, deviation: &Deviation) -> Comparison {
        let mut comparison = Comparison::default();
        for (&case, shown) in &deviation.signature {
            match self.shown.get(&case) {
                None => {}
                Some(None) => comparison.right += 1,
                Some(Some(own)) if own == shown => comparison.same += 1,
                Some(Some(_)) => comparison.other += 1,
            }
        }
        comparison
    }

    fn may_have(&self, deviation: &Deviation) -> bool {
        let Comparison { same, other, right } = self.compare(deviation);
        if may_be_chance(&deviation.signature, self.signature, self.shown.len(), same) {
            return false;
        }
        let (same, other, right) = (same as f64, other as f64, right as f64);
        same > 0.0 && right <= EXCEPTIONS * (same + right) && same >= SAME * (same + other)
    }

    /// Whether a deviation is only a part of what else the program shows: the two never meet, although they are expected to.
    fn is_part_of(&self, deviation: &Deviation, rest: &Signature) -> bool {
        if rest.is_empty() {
            return false;
        }
        let how = usual(&deviation.signature);
        let mut count: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
        for case in self.shown.keys().copied().filter(|&case| self.cases[case].counts) {
            let [all, own, others] = count.entry(&self.cases[case].answer).or_default();
            *all += 1.0;
            *own += f64::from(u8::from(deviation.signature.contains_key(&case)));
            let is_like = rest.get(&case).is_some_and(|shown| Some(shown.how) == how);
            *others += f64::from(u8::from(is_like));
        }
        let [cases, own, _] = count.values().fold([0.0; 3], |sum: [f64; 3], row| {
            [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]]
        });
        // Where a program differs nearly everywhere, nothing else can be told.
        let left = rest.len() as f64;
        if left > own && left >= NEARLY_ALL * (cases - own) {
            return true;
        }
        let expected: f64 = count.values().map(|[all, own, others]| own * others / all).sum();
        let meetings = self.compare(deviation).other as f64;
        expected >= MEETINGS && meetings < expected / 10.0
    }
}

/// Whether chance explains that a program does what something else does on `same` cases, the share on which it differs being what it is of
/// so many `tried`. All that do not end show the same, so that this needs more cases than an answer, which tells more.
pub fn may_be_chance(known: &Signature, program: &Signature, tried: usize, same: usize) -> bool {
    let share = program.len() as f64 / tried.max(1) as f64;
    let by_chance = share.powi(i32::try_from(same).unwrap_or(i32::MAX));
    usual(known) == Some(How::Timeout) && by_chance >= CHANCE
}

/// A number of cases that tells nothing, of so many.
fn little(of: usize) -> usize {
    ((of as f64 * LITTLE) as usize).max(1)
}

/// How a signature differs on most of its cases.
fn usual(signature: &Signature) -> Option<How> {
    let mut counts: BTreeMap<&str, (usize, How)> = BTreeMap::new();
    for shown in signature.values() {
        counts.entry(shown.how.word()).or_insert((0, shown.how)).0 += 1;
    }
    counts.into_values().max_by_key(|(count, _)| *count).map(|(_, how)| how)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mining::likeness::likenesses;
    use std::slice;

    const CASES: usize = 400;

    fn cases() -> Vec<CaseKind> {
        vec![CaseKind { answer: String::new(), counts: true }; CASES]
    }

    /// A bug that shows on every case whose number `is` says, each time another output.
    fn bug(number: u64, is: impl Fn(usize) -> bool) -> Signature {
        let shown = |case: usize| Shown { how: How::Output, outcome: number * 1000 + case as u64 };
        (0..CASES).filter(|&case| is(case)).map(|case| (case, shown(case))).collect()
    }

    /// Two bugs in one program: where both show, it prints something else again.
    fn both(one: &Signature, other: &Signature) -> Signature {
        let mut all = one.clone();
        for (case, shown) in other {
            let together = Shown { how: How::Output, outcome: !shown.outcome };
            all.entry(*case).and_modify(|shown| *shown = together).or_insert(*shown);
        }
        all
    }

    fn trial(shown: &Signature) -> Trial {
        Trial { tried: CASES, shown: shown.clone(), ..Trial::default() }
    }

    /// For each deviation, its mutant and its programs.
    fn found(mutants: &[Signature], programs: &[&Signature]) -> Vec<(Option<usize>, Vec<usize>)> {
        let trials: Vec<_> = programs.iter().map(|program| trial(program)).collect();
        let trials: Vec<_> = trials.iter().map(Some).collect();
        let found = deviations(&cases(), mutants, &trials);
        found.into_iter().map(|it| (it.mutant, it.programs)).collect()
    }

    #[test]
    fn a_program_that_does_what_a_mutant_does_has_that_deviation_alone() {
        // The second mutant is a part of the first.
        let mutants = [bug(1, |case| case % 4 == 0), bug(1, |case| case % 40 == 0)];
        assert_eq!(found(&mutants, &[&mutants[0]]), [(Some(0), vec![0])]);
        assert_eq!(found(&mutants, &[&Signature::new()]), []);
    }

    #[test]
    fn a_program_with_two_bugs_shows_both() {
        let mutants = [bug(1, |case| case % 4 == 0), bug(2, |case| case % 7 == 0)];
        let program = both(&mutants[0], &mutants[1]);
        assert_eq!(found(&mutants, &[&program]), [(Some(0), vec![0]), (Some(1), vec![0])]);
        // Only one of them is known: the other is new.
        let of_one = found(&mutants[..1], &[&program]);
        assert_eq!(of_one, [(Some(0), vec![0]), (None, vec![0])]);
    }

    #[test]
    fn a_bug_that_one_program_has_alone_is_found_in_another_with_more() {
        let (one, other) = (bug(1, |case| case % 4 == 0), bug(2, |case| case % 7 == 0));
        let program = both(&one, &other);
        assert_eq!(found(&[], &[&program, &one]), [(None, vec![0, 1]), (None, vec![0])]);
    }

    #[test]
    fn a_small_bug_of_another_program_is_found_beside_a_large_one() {
        let (large, small) = (bug(1, |case| case % 2 == 0), bug(2, |case| case % 57 == 1));
        let program = both(&large, &small);
        let mutant = slice::from_ref(&large);
        assert_eq!(found(mutant, &[&program, &small]), [(None, vec![0, 1]), (Some(0), vec![0])]);
    }

    #[test]
    fn a_mutant_that_is_a_part_of_an_unknown_bug_is_not_a_deviation() {
        let part = bug(1, |case| case % 8 == 0);
        assert_eq!(found(&[part], &[&bug(1, |case| case % 2 == 0)]), [(None, vec![0])]);
    }

    #[test]
    fn two_bugs_that_show_on_answers_of_different_kinds_are_told_apart() {
        let mut cases = cases();
        cases.iter_mut().skip(200).for_each(|case| case.answer = "No solution.".to_owned());
        let (one, other) = (bug(1, |case| case < 200), bug(2, |case| case >= 200 && case % 3 > 0));
        let program = trial(&both(&one, &other));
        let found = deviations(&cases, &[other], &[Some(&program)]);
        let found: Vec<_> = found.iter().map(|it| (it.mutant, it.signature.len())).collect();
        assert_eq!(found, [(Some(0), 133), (None, 200)]);
    }

    #[test]
    fn a_bug_that_shows_on_what_another_has_changed_is_not_a_third_one() {
        let mutants = [bug(1, |case| case % 4 == 0), bug(2, |case| case % 7 == 0)];
        let mut program = both(&mutants[0], &mutants[1]);
        // The first bug changes these answers so that the second shows on them.
        let changed = both(&bug(1, |case| case % 16 == 0), &bug(2, |case| case % 16 == 0));
        program.extend(changed.iter().filter(|(case, _)| *case % 7 > 0));
        assert_eq!(found(&mutants, &[&program]), [(Some(0), vec![0]), (Some(1), vec![0])]);
        // A bug that shows apart from both is one of its own.
        program.extend(&bug(3, |case| case % 28 == 5));
        assert_eq!(found(&mutants, &[&program]).len(), 3);
    }

    #[test]
    fn not_to_end_on_a_few_cases_of_many_is_no_likeness() {
        let shown = Shown { how: How::Timeout, outcome: 2 };
        let endless = |is: &dyn Fn(usize) -> bool| {
            (0..CASES).filter(|&it| is(it)).map(|it| (it, shown)).collect()
        };
        let mutant: Signature = endless(&|case| case % 100 == 0);
        let program: Signature = endless(&|case| case % 2 == 0);
        assert_eq!(found(slice::from_ref(&mutant), &[&program]), [(None, vec![0])]);
        // A program that ends on all others has the same bug.
        assert_eq!(found(slice::from_ref(&mutant), &[&mutant]), [(Some(0), vec![0])]);
        assert!(likenesses(&cases(), &mutant, slice::from_ref(&mutant))[0].represents());
        // All four are among the first cases, and the program ran on no more.
        let first: Signature = (0..4).map(|case| (case, shown)).collect();
        assert_eq!(likenesses(&cases()[..8], &first, slice::from_ref(&first)), []);
    }

    #[test]
    fn what_shows_only_in_forms_that_the_document_does_not_promise_is_no_deviation() {
        let mut cases = cases();
        cases[0].counts = false;
        let program = trial(&bug(1, |case| case == 0));
        assert!(deviations(&cases, &[], &[Some(&program)]).is_empty());
    }
}
