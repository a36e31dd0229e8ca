//! Confirms in processes what a search found. Only then is anything said or written of it.

use super::enumerate::Certificate;
use super::{Evaluator, Find, Found, Test};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::run::programs::Claim;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use subject::{How, MutantSet};

/// Leaves in `found` what processes confirm. The tests have comments then. If time was short, finds use files that are left.
///
/// # Errors
/// If the machine fails, or the course is broken.
pub(super) fn confirm(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    found: &mut Found,
    max_files: usize,
) -> Result<(), Failure> {
    leave_out_disputed(evaluator, found)?;
    confirm_finds(evaluator, found)?;
    confirm_tests(evaluator, targets, found)?;
    if found.out_of_time {
        found.write_finds(max_files);
    }
    found.learn_from_tests();
    Ok(())
}

/// Leaves out the finds and tests on which other right programs differ from the reference.
fn leave_out_disputed(evaluator: &mut Evaluator<'_>, found: &mut Found) -> Result<(), Failure> {
    let finds = found.finds.values().map(|find| find.draft.clone());
    let drafts: BTreeSet<_> = finds.chain(found.tests.iter().map(|it| it.draft.clone())).collect();
    let drafts: Vec<_> = drafts.into_iter().collect();
    let disputes = evaluator.disputes(&drafts)?;
    let disputed = drafts.iter().zip(&disputes).filter(|(_, disputes)| !disputes.is_empty());
    let disputed: BTreeSet<_> = disputed.map(|(draft, _)| draft).collect();
    found.tests.retain(|test| !disputed.contains(&test.draft));
    let tests: Vec<_> = found.tests.iter().map(|test| test.draft.clone()).collect();
    let by_slow = evaluator.disputed_by_slow(&tests)?;
    found.tests.retain(|test| !by_slow.contains(&test.draft));
    let left_out = found
        .finds
        .iter()
        .filter(|(_, find)| disputed.contains(&find.draft) || by_slow.contains(&find.draft));
    let left_out: MutantSet = left_out.map(|(&mutant, _)| mutant).collect();
    found.finds.retain(|mutant, _| !left_out.contains(*mutant));
    found.missed.add_all(&left_out);
    evaluator.note_disputed(&left_out);
    Ok(())
}

/// Removes the finds that a process does not confirm. Mutants that are slow, or that a search has seen not to end, come last, one after the
/// other, so that they do not take the time of the others. If time is short, so do large finds, as many at a time as there are cores.
fn confirm_finds(evaluator: &mut Evaluator<'_>, found: &mut Found) -> Result<(), Failure> {
    let mut slow = evaluator.programs.unsettled();
    slow.add_all(&evaluator.endless());
    let [fast, slow] = [false, true].map(|is_slow| {
        let of = found.finds.iter().filter(|(mutant, _)| slow.contains(**mutant) == is_slow);
        let claims = smallest_first(of).into_iter();
        claims.map(|(draft, exposes)| evaluator.claim(draft, exposes)).collect::<Vec<Claim>>()
    });
    let at_once = if found.out_of_time { evaluator.programs.jobs() } else { fast.len().max(1) };
    let mut confirmed = MutantSet::default();
    for claims in fast.chunks(at_once).chain(slow.chunks(1)) {
        // Without the first ones, there is nothing to report. They may take the time that was kept for that.
        if found.out_of_time && confirmed.is_empty() {
            evaluator.close();
        }
        let by_processes = evaluator.programs.confirm(claims)?;
        by_processes.iter().flatten().for_each(|mutants| confirmed.add_all(mutants));
        evaluator.end_with_confirming();
    }
    found.keep(&confirmed, evaluator.programs.work().search.has_ended());
    Ok(())
}

/// The drafts of some finds, each with the mutants that it exposes, the smallest first. Many mutants have the same one.
fn smallest_first<'a>(
    finds: impl Iterator<Item = (&'a usize, &'a Find)>,
) -> Vec<(&'a Draft, MutantSet)> {
    let mut exposed_by: BTreeMap<_, MutantSet> = BTreeMap::new();
    for (&mutant, find) in finds {
        exposed_by.entry((find.draft.input.len(), &find.draft)).or_default().insert(mutant);
    }
    exposed_by.into_iter().map(|((_, draft), exposes)| (draft, exposes)).collect()
}

impl Found {
    /// Keeps the finds of these mutants. The others are missed, or unconfirmed if no time was left to ask.
    fn keep(&mut self, confirmed: &MutantSet, is_cut: bool) {
        let all: MutantSet = self.finds.keys().copied().collect();
        self.finds.retain(|mutant, _| confirmed.contains(*mutant));
        let others = if is_cut { &mut self.unconfirmed } else { &mut self.missed };
        others.add_all(&all.without(confirmed));
    }

    /// Adds the finds of mutants that no test exposes to the tests, the smallest first, as far as files are left.
    fn write_finds(&mut self, max_files: usize) {
        let mut exposed = MutantSet::default();
        self.tests.iter().for_each(|test| exposed.add_all(&test.exposes));
        let left = smallest_first(self.finds.iter().filter(|(it, _)| !exposed.contains(**it)));
        let room = max_files.saturating_sub(self.tests.len());
        let test =
            |(draft, exposes): (&Draft, _)| Test { draft: draft.clone(), exposes, again: false };
        let more: Vec<_> = left.into_iter().take(room).map(test).collect();
        self.tests.extend(more);
    }

    /// Takes a test for the find of each mutant whose own find was not confirmed, if one exposes it.
    fn learn_from_tests(&mut self) {
        for Test { draft, exposes, .. } in &self.tests {
            for mutant in exposes.iter() {
                self.missed.remove(mutant);
                self.unconfirmed.remove(mutant);
                let from_test = || Find { draft: draft.clone(), certificate: Certificate::Cut };
                self.finds.entry(mutant).or_insert_with(from_test);
            }
        }
    }
}

/// Removes the tests that expose nothing in a process, or that the reference rejects there. Of the others, only what processes confirm is
/// said, or what engines are believed, as in the score of a suite.
fn confirm_tests(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    found: &mut Found,
) -> Result<(), Failure> {
    let mut tests = mem::take(&mut found.tests);
    let ways = if found.out_of_time {
        // What the others expose is not known.
        tests.retain(|test| !test.again);
        vec![Ways::new(); tests.len()]
    } else {
        comment(evaluator, targets, &mut tests)?
    };
    let claim = |(test, by_engine): (&Test, Ways)| Claim {
        by_engine,
        ..evaluator.claim(&test.draft, test.exposes.clone())
    };
    let claims: Vec<_> = tests.iter().zip(ways).map(claim).collect();
    // One after the other, some are confirmed before the time is up.
    let at_once = if found.out_of_time { 1 } else { claims.len().max(1) };
    let confirmed = claims.chunks(at_once).map(|claims| evaluator.programs.confirm(claims));
    let confirmed = confirmed.collect::<Result<Vec<_>, _>>()?.concat();
    let tests = tests.into_iter().zip(confirmed);
    let tests = tests.filter_map(|(test, exposes)| Some(Test { exposes: exposes?, ..test }));
    found.tests = tests.filter(|test| !test.exposes.is_empty()).collect();
    Ok(())
}

/// How mutants differ.
type Ways = BTreeMap<usize, How>;

/// Adds a comment to each test that says what it tests, unless it then exposes less. What it exposes is checked against the clean build.
/// Gives how the mutants that each test exposes differ.
fn comment(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    tests: &mut [Test],
) -> Result<Vec<Ways>, Failure> {
    let drafts: Vec<_> = tests.iter().map(|test| test.draft.clone()).collect();
    let plain = exposed(evaluator, targets, &drafts)?;
    let generator = evaluator.generator;
    let comment = |(draft, (stdout, _)): (&Draft, &(Vec<u8>, Ways))| {
        let comment = generator.describe(draft, stdout);
        generator.commented(draft, &comment).unwrap_or_else(|| draft.clone())
    };
    let with_comment: Vec<_> = drafts.iter().zip(&plain).map(comment).collect();
    let mut ways: Vec<_> = plain.into_iter().map(|(_, ways)| ways).collect();
    let exposed_in = |ways: &Ways| ways.keys().copied().collect();
    for (test, ways) in tests.iter_mut().zip(&ways) {
        test.exposes = exposed_in(ways);
    }
    if with_comment == drafts {
        return Ok(ways);
    }
    let commented = exposed(evaluator, targets, &with_comment)?;
    let commented = with_comment.into_iter().zip(commented);
    for ((test, ways), (draft, (_, others))) in tests.iter_mut().zip(&mut ways).zip(commented) {
        let exposes = exposed_in(&others);
        if test.exposes.is_subset(&exposes) {
            (test.draft, test.exposes, *ways) = (draft, exposes, others);
        }
    }
    Ok(ways)
}

/// What the reference prints on each draft, and how the targets differ that the draft exposes.
fn exposed(
    evaluator: &mut Evaluator<'_>,
    targets: &MutantSet,
    drafts: &[Draft],
) -> Result<Vec<(Vec<u8>, Ways)>, Failure> {
    let rows = evaluator.rows(drafts)?.into_iter();
    let exposed = rows.map(|row| {
        let ways = row.exposed.iter().map(|difference| (difference.mutant, difference.how));
        let ways = ways.filter(|(mutant, _)| targets.contains(*mutant)).collect();
        (row.reference.stdout, ways)
    });
    Ok(exposed.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::enumerate::Reach;
    use crate::generate::select::Quality;

    fn found() -> Found {
        let draft = Draft { flags: String::new(), input: Vec::new() };
        let find =
            |mutant| (mutant, Find { draft: draft.clone(), certificate: Certificate::Reduced });
        Found {
            finds: [find(1), find(2)].into(),
            missed: MutantSet::from_iter([3]),
            unsettled: MutantSet::default(),
            lenient: BTreeMap::new(),
            unconfirmed: MutantSet::default(),
            tests: Vec::new(),
            quality: Quality::ProvenFewest,
            reach: Reach::default(),
            cases: 1,
            out_of_time: false,
        }
    }

    #[test]
    fn what_no_process_confirms_is_missed_unless_there_was_no_time_to_ask() {
        for (is_cut, missed, unconfirmed) in [(false, vec![2, 3], vec![]), (true, vec![3], vec![2])]
        {
            let mut found = found();
            found.keep(&MutantSet::from_iter([1]), is_cut);
            assert_eq!(found.finds.keys().collect::<Vec<_>>(), [&1]);
            assert_eq!(found.missed.iter().collect::<Vec<_>>(), missed);
            assert_eq!(found.unconfirmed.iter().collect::<Vec<_>>(), unconfirmed);
        }
    }

    #[test]
    fn finds_become_tests_where_no_test_exposes_their_mutants() {
        let mut found = found();
        let large = Draft { flags: String::new(), input: b"abc".to_vec() };
        found.finds.insert(3, Find { draft: large, certificate: Certificate::Cut });
        found.write_finds(1);
        let exposed: Vec<_> = found.tests.iter().map(|test| test.exposes.clone()).collect();
        assert_eq!(exposed, [MutantSet::from_iter([1, 2])]);
        found.write_finds(5);
        assert_eq!(found.tests.len(), 2);
    }

    #[test]
    fn a_mutant_that_a_confirmed_test_exposes_is_found() {
        let mut found = found();
        found.unconfirmed.insert(4);
        let draft = Draft { flags: String::new(), input: b"a".to_vec() };
        let exposes = MutantSet::from_iter([1, 3, 4]);
        found.tests.push(Test { draft: draft.clone(), exposes, again: false });
        found.learn_from_tests();
        assert_eq!(found.finds.keys().collect::<Vec<_>>(), [&1, &2, &3, &4]);
        assert!(found.finds[&1].draft.input.is_empty(), "its own find is smaller");
        assert_eq!(found.finds[&4].draft, draft);
        assert!(found.missed.is_empty() && found.unconfirmed.is_empty());
    }
}
