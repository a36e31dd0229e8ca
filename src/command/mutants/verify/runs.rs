//! Runs the builds of an assignment: all on the corpus, and each mutant on its witness.

use super::super::corpus::{self, Corpus};
use super::super::{Choice, twins};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, Problem};
use crate::result::verify::{self, CorpusRun, Trial, Tried};
use crate::run::matrix::Row;
use crate::run::programs::{Programs, Run};
use subject::Case;
use subject::wire::MutantSet;

/// The builds.
pub(super) struct Runs<'a> {
    pub(super) choice: &'a Choice<'a>,
    pub(super) combined: Option<Programs>,
    /// One program for each mutant that could be built.
    pub(super) isolated: Option<Programs>,
}

impl Runs<'_> {
    /// Tries a checker on the first cases. Fails if something is wrong with it.
    pub(super) fn judge(&mut self, cases: &[Case]) -> Result<(), Failure> {
        const CASES: usize = 8;
        let programs = self.combined.as_mut().or(self.isolated.as_mut());
        let Some(programs) = programs.filter(|programs| programs.judge().is_a_checker()) else {
            return Ok(());
        };
        let _progress = Progress::new("trying the checker", None);
        let cases = &cases[..CASES.min(cases.len())];
        let rows = programs.references(cases)?;
        for (case, row) in cases.iter().zip(rows).filter(|(_, row)| row.is_valid()) {
            programs.judge().trial(case, &row.reference)?;
        }
        Ok(())
    }

    /// What the reference did on each case, and what the selected mutants did.
    pub(super) fn corpus(
        &mut self,
        corpus: &Corpus,
        problems: &mut Vec<Problem>,
    ) -> Result<(Vec<Row>, Vec<CorpusRun>), Failure> {
        let _progress = Progress::new("running all mutants on a corpus", None);
        let Some(programs) = self.combined.as_mut().or(self.isolated.as_mut()) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let (assignment, cases) = (self.choice.assignment, &corpus.cases);
        let mut rows = programs.rows_unchecked(cases)?;
        problems.extend(disagreement(cases, &rows));
        corpus.check(&mut rows, assignment);
        let twins = twins::find(programs, cases, &rows)?;
        let more = corpus::more(assignment);
        for twins in twins::remaining(programs, assignment, twins, more)? {
            problems.extend(self.choice.twins(&twins, cases.len()));
        }
        let seen = rows.iter().map(|row| CorpusRun {
            valid: row.is_valid(),
            exposed: row.exposed_mutants(),
            reached: row.reached.clone(),
        });
        let seen: Vec<_> = seen.collect();
        let Choice { mutants, selected, .. } = self.choice;
        let ran = programs.selected();
        problems.extend(verify::behaviours(mutants, selected, ran, cases, &seen));
        Ok((rows, seen))
    }

    /// Whether a mutant's witness, of which this is the row, is a valid test.
    fn is_test(&self, mutant: usize, row: &Row) -> bool {
        let Choice { assignment, mutants, .. } = self.choice;
        let witness = mutants[mutant].witness.as_ref();
        witness.is_some_and(|it| row.is_test(assignment, &it.flags, it.input.as_bytes()))
    }

    /// What each selected mutant does on its witness, in every build.
    pub(super) fn trials(
        &mut self,
        corpus: &Corpus,
        references: &[Row],
    ) -> Result<Vec<(usize, Trial)>, Failure> {
        let Corpus { cases, witnesses, .. } = corpus;
        let _progress = Progress::new("running each mutant on its witness", None);
        let wanted = self.choice.selected.iter();
        let wanted: Vec<_> =
            wanted.filter_map(|index| Some((index, *witnesses.get(&index)?))).collect();
        let runs: Vec<_> = wanted
            .iter()
            .map(|&(index, at)| Run { case: &cases[at], mutants: MutantSet::from_iter([index]) })
            .collect();
        let combined = rows(self.combined.as_mut(), &runs)?;
        let isolated = rows(self.isolated.as_mut(), &runs)?;
        let trials = wanted.iter().zip(combined).zip(isolated);
        Ok(trials
            .map(|((&(index, at), combined), isolated)| {
                let isolated = isolated.map(|row| (row.reference.clone(), tried(row)));
                let (reference_process, isolated) = isolated.unzip();
                let trial = Trial {
                    case: cases[at].clone(),
                    reference: references[at].reference.clone(),
                    is_valid: self.is_test(index, &references[at]),
                    reference_process,
                    combined: combined.map(tried),
                    isolated,
                };
                (index, trial)
            })
            .collect())
    }
}

/// The row of each run. `None` if its mutant has no program.
fn rows(programs: Option<&mut Programs>, runs: &[Run<'_>]) -> Result<Vec<Option<Row>>, Failure> {
    match programs {
        Some(programs) => {
            let rows = programs.outcomes_of(runs)?;
            let is_run = |run: &Run<'_>| run.mutants.is_subset(programs.selected());
            Ok(runs.iter().zip(rows).map(|(run, row)| is_run(run).then_some(row)).collect())
        }
        None => Ok(runs.iter().map(|_| None).collect()),
    }
}

/// What the only mutant that was run did. If it is not wrong, that counts as the reference's outcome.
fn tried(mut row: Row) -> Tried {
    let difference = row.exposed.pop();
    let how = difference.as_ref().map(|difference| difference.how.into());
    let outcome = difference.and_then(|difference| difference.outcome).unwrap_or(row.reference);
    Tried { outcome, how }
}

/// The first case on which the combined build with no mutant selected differs from the reference, and the number of such cases.
fn disagreement(cases: &[Case], rows: &[Row]) -> Option<Problem> {
    let differ: Vec<_> = (0..cases.len()).filter(|&at| !rows[at].agrees).collect();
    let first = differ.first()?;
    let message = format!(
        "the combined build with no mutant selected differs from the reference on {} of {} cases; the first is\n{}",
        differ.len(),
        cases.len(),
        verify::described(&cases[*first])
    );
    let hint = "a bug changes more than its own mutant: is its condition kept between runs, or does it hold when no mutant is selected?";
    Some(Problem::new(message).hint(hint))
}
