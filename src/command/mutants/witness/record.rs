//! `harness mutants witness --record`: records what the reference does on the witnesses that the catalogue has.

use super::super::Choice;
use crate::catalogue::expected::Expected;
use crate::catalogue::{self, Witness};
use crate::cli::mutants;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::report::witnessed::{Record, RecordedWitness};
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use crate::suite::decode;

/// Records the reference's outcome on the witness of each selected mutant that has one. A file changes only if its record does.
pub(super) fn record(
    work: &Work,
    options: &mutants::Witness,
    course: &Course,
    choice: &Choice<'_>,
) -> Result<Vec<RecordedWitness>, Failure> {
    let assignment = choice.assignment;
    let mutants =
        choice.selected().filter_map(|(_, mutant)| Some((mutant, mutant.witness.as_ref()?)));
    let mutants: Vec<_> = mutants.collect();
    if mutants.is_empty() {
        return Ok(Vec::new());
    }
    let progress = Progress::new("building the reference", None);
    let jobs = prepare::jobs(options.jobs);
    let mut programs = Programs::build(&Plan::reference(work, course, assignment).jobs(jobs))?;
    progress.say("running the reference on every witness");
    let case = |witness: &Witness| decode::case_of_draft(assignment, &witness.draft());
    let cases: Vec<_> = mutants.iter().map(|(_, witness)| case(witness)).collect();
    let rows = programs.rows(&cases)?;
    let mut recorded = Vec::new();
    for ((mutant, witness), row) in mutants.into_iter().zip(rows) {
        let (record, expected) = compare(assignment, witness, &row);
        if expected.is_some() {
            let witness = Witness { expected, ..witness.clone() };
            catalogue::write_witness(mutant, &witness, assignment)?;
        }
        let (assignment, id) = (assignment.id.clone(), mutant.id.clone());
        recorded.push(RecordedWitness { assignment, id, record });
    }
    Ok(recorded)
}

/// What becomes of a witness's record, and the new record if there is one.
fn compare(assignment: &Assignment, witness: &Witness, row: &Row) -> (Record, Option<Expected>) {
    let outcome = &row.reference;
    if !row.is_test(assignment, &witness.flags, witness.input.as_bytes()) {
        return (Record::Rejected, None);
    }
    match &witness.expected {
        Some(expected) if expected.is_of(outcome) => (Record::Unchanged, None),
        Some(_) => (Record::Replaced, Expected::of(outcome)),
        None => (Record::Added, Expected::of(outcome)),
    }
}
