//! Runs what failed on mutants once more, so that what a test does by chance, or because of what ran before it, exposes nothing.

use crate::diagnostic::Failure;
use crate::run::parallel;
use crate::running::Pair;
use crate::score::{Column, Role, TestCase, Tried};
use crate::suite::TestProgram;
use crate::variants::Variants;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use subject::End;

impl Variants {
    /// Finds out whether the cases that a mutant failed fail there again, and the same cases in the same order pass on the reference.
    /// Otherwise, a test could depend on how many cases ran before it, which is not the same on each program. Also here, the order of the
    /// programs is random.
    pub(crate) fn confirm(
        &self,
        built: &Path,
        file: &TestProgram,
        cases: &[TestCase],
        columns: &mut [Column],
    ) -> Result<(), Failure> {
        let programs = self.programs();
        let failed: Vec<_> = programs
            .iter()
            .zip(&*columns)
            .map(|((role, _), column)| failed(*role, column))
            .collect();
        let on_mutants = failed.iter().enumerate().map(|(at, list)| (Some(at), &**list));
        // The same cases in the same order need to run on the reference only once.
        let on_reference = failed.iter().map(|list| (None, &**list));
        let runs: BTreeSet<_> =
            on_mutants.chain(on_reference).filter(|(_, list)| !list.is_empty()).collect();
        let mut runs: Vec<_> = runs.into_iter().collect();
        fastrand::shuffle(&mut runs);
        let passed = parallel::map(runs.len(), self.jobs, |at| {
            let (program, list) = runs[at];
            let variant = program.map_or(&self.reference, |at| programs[at].1);
            self.passed(&mut Pair::new(file, built, variant), cases, list)
        })?;
        let passed: BTreeMap<_, _> = runs.into_iter().zip(passed).collect();
        for (at, (column, list)) in columns.iter_mut().zip(&failed).enumerate() {
            let (Ok(tried), false) = (column, list.is_empty()) else { continue };
            let (mutant, reference) = (&passed[&(Some(at), &**list)], &passed[&(None, &**list)]);
            for (case, (mutant, reference)) in list.iter().zip(mutant.iter().zip(reference)) {
                tried[*case].is_steady = !mutant && *reference;
            }
        }
        Ok(())
    }

    /// Which of the cases in a list pass on a program.
    fn passed(
        &self,
        pair: &mut Pair<'_>,
        cases: &[TestCase],
        list: &[usize],
    ) -> Result<Vec<bool>, Failure> {
        let given: Vec<_> = list.iter().map(|at| (&cases[*at].case, cases[*at].time)).collect();
        let outcomes = self.outcomes(pair, &given)?.unwrap_or_default();
        Ok(outcomes.into_iter().map(|(outcome, _)| outcome.end == End::Exit(0)).collect())
    }
}

/// The cases that a mutant failed.
fn failed(role: Role<'_>, column: &Column) -> Vec<usize> {
    let (Role::Mutant(_), Ok(tried)) = (role, column) else { return Vec::new() };
    let failed = |(at, it): (usize, &Tried)| (it.outcome.end != End::Exit(0)).then_some(at);
    tried.iter().enumerate().filter_map(failed).collect()
}
