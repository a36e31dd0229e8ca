//! Finds the declared mutants that do not count as bugs, because no valid witness shows that a test can expose them.

use crate::catalogue::sites::Sites;
use crate::catalogue::{self, Mutant};
use crate::course::{Assignment, Course};
use crate::diagnostic::{DID_YOU_MEAN, Failure, Problem, Warning, printable};
use crate::result::verify;
use crate::run::differences::Differences;
use crate::run::matrix::Row;
use crate::run::programs::{Programs, Run};
use crate::suite::decode;
use std::collections::BTreeSet;
use subject::wire::MutantSet;
use subject::{End, Outcome};

/// How many mutants a warning lists.
const MOST_LISTED: usize = 10;

/// A mutant that does not count, and why.
pub struct Uncounted {
    pub id: String,
    pub reason: &'static str,
}

/// The mutants without a valid witness. Runs each of `mutants`, which are those of `programs`, on its witness.
///
/// # Errors
/// If the machine fails, the source cannot be read, or the reference rejects every witness.
pub fn find(
    assignment: &Assignment,
    mutants: &[Mutant],
    programs: &mut Programs,
) -> Result<Vec<Uncounted>, Failure> {
    let witness = |mutant: &Mutant| {
        Some(decode::case_of_draft(assignment, &mutant.witness.as_ref()?.draft()))
    };
    let cases: Vec<_> = mutants.iter().map(witness).collect();
    let runs = cases.iter().enumerate().filter_map(|(index, case)| {
        Some(Run { case: case.as_ref()?, mutants: MutantSet::from_iter([index]) })
    });
    let runs: Vec<_> = runs.collect();
    let mut rows = programs.settled_outcomes_of(&runs)?;
    let witnesses = mutants.iter().filter_map(|mutant| mutant.witness.as_ref());
    for (row, witness) in rows.iter_mut().zip(witnesses) {
        row.check(assignment, &witness.draft());
    }
    check_reference(assignment, &rows)?;
    let mut rows = rows.into_iter();
    let mut all = Vec::new();
    for (mutant, case) in mutants.iter().zip(&cases) {
        let row = if case.is_some() { rows.next() } else { None };
        if let Some(reason) = reason(mutant, row.as_ref()) {
            all.push(Uncounted { id: mutant.id.clone(), reason });
        }
    }
    explain(assignment, &mut all)?;
    Ok(all)
}

/// The mutants that no test case of the course exposes, where tests are unit tests.
pub(super) fn without_witness(mutants: &[Mutant], exposed: &BTreeSet<String>) -> Vec<Uncounted> {
    let missed = mutants.iter().filter(|mutant| !exposed.contains(&mutant.id));
    let reason = "no test case in the file of witnesses exposes it";
    missed.map(|mutant| Uncounted { id: mutant.id.clone(), reason }).collect()
}

/// Checks that the reference accepts one of the witnesses that these rows are of, if there is any.
///
/// # Errors
/// If it rejects all of them.
pub fn check_reference(assignment: &Assignment, rows: &[Row]) -> Result<(), Failure> {
    // A validator may reject them instead.
    let is_broken = assignment.validators.is_empty() && !rows.iter().any(Row::is_valid);
    match rows.first().filter(|_| is_broken) {
        Some(first) => Err(rejects_all(assignment, &first.reference)),
        None => Ok(()),
    }
}

/// The failure of a reference that rejects every witness, and does `outcome` on the first. It may lack a file, and would reject every
/// test of a student, too.
pub fn rejects_all(assignment: &Assignment, outcome: &Outcome) -> Failure {
    let (id, said) = (&assignment.id, verify::said(outcome));
    let problem = Problem::new(format!("the reference of `{id}` rejects every witness: {said}"));
    let statuses = &assignment.refusals.statuses;
    let why = match outcome.end {
        End::Exit(status) if !statuses.is_empty() && !statuses.contains(&status) => {
            format!("`statuses` in `rejected` does not list its exit status {status}")
        }
        End::Exit(_) => "does it lack a file?".to_owned(),
        End::Timeout => "does it wait for something, or run without end?".to_owned(),
        End::Crash(_) | End::Memory | End::OutputLimit => "mend the program".to_owned(),
    };
    let hint = format!("{why}; `harness mutants verify --assignment {id}` says more");
    Failure::broken_course(problem.hint(hint))
}

/// Why a mutant with this row on its witness does not count, if so.
fn reason(mutant: &Mutant, row: Option<&Row>) -> Option<&'static str> {
    let Some(row) = row else { return Some("it has no witness") };
    let expected = mutant.witness.as_ref().and_then(|witness| witness.expected.as_ref());
    if !row.is_valid() {
        return Some("the reference rejects its witness");
    }
    if expected.is_some_and(|expected| !expected.is_of(&row.reference)) {
        return Some("on its witness, the reference is not as expected");
    }
    row.exposed.is_empty().then_some("its witness does not expose it")
}

/// Says which of `all` are not in the source at all.
fn explain(assignment: &Assignment, all: &mut [Uncounted]) -> Result<(), Failure> {
    if all.is_empty() {
        return Ok(());
    }
    let Some(sites) = Sites::read(assignment)? else { return Ok(()) };
    let is_missing = |id: &str| !sites.bugs.iter().any(|site| site.id == id);
    for uncounted in all.iter_mut().filter(|uncounted| is_missing(&uncounted.id)) {
        uncounted.reason = "there is no `bug!` for it in the source";
    }
    Ok(())
}

/// The warning which mutants of `assignment` only the catalogue or only the source names. They do not count.
///
/// # Errors
/// If the catalogue is wrong, or the source cannot be read.
pub fn differences(course: &Course, assignment: &Assignment) -> Result<Option<Warning>, Failure> {
    let mutants = catalogue::read_if_any(assignment)?;
    let differences = Differences::find(course, assignment, &mutants)?;
    let (problems, id) = (differences.problems(), &assignment.id);
    let count = problems.len();
    if count == 0 || differences.break_the_course(&mutants) {
        return Ok(None);
    }
    let (who, verb) = if count == 1 { ("a mutant", "does") } else { ("some mutants", "do") };
    let mut message =
        format!("{who} of `{id}` {verb} not count, because the catalogue and the source differ");
    for Problem { message: what, place, .. } in problems.iter().take(MOST_LISTED) {
        message.extend(["\n  ", what]);
        if let Some(place) = place.as_ref().filter(|place| place.column.is_some()) {
            let file = printable(&place.file.display().to_string());
            message.extend([", in ", &file, ":", &place.line.to_string()]);
        }
    }
    if count > MOST_LISTED {
        message.extend(["\n  and ", &(count - MOST_LISTED).to_string(), " more"]);
    }
    let misspelt = differences.undescribed.iter().find_map(|(_, problem)| {
        problem.hint.as_ref().filter(|hint| hint.starts_with(DID_YOU_MEAN))
    });
    let hint = if let Some(hint) = misspelt {
        hint.clone()
    } else if differences.undescribed.is_empty() {
        format!("`harness mutants verify --assignment {id}` says more")
    } else {
        format!("`harness mutants new {id} --missing` writes the catalogue files that are missing")
    };
    Ok(Some(Warning(Problem::new(message).hint(hint))))
}

/// Warns that these mutants of `assignment` do not count.
pub fn warning(assignment: &Assignment, all: &[Uncounted]) -> Warning {
    let (count, id) = (all.len(), &assignment.id);
    let who = if count == 1 { "1 mutant of" } else { &format!("{count} mutants of") };
    let verb = if count == 1 { "does" } else { "do" };
    let mut message = format!("{who} `{id}` {verb} not count, because a valid witness is missing");
    for Uncounted { id, reason } in all.iter().take(MOST_LISTED) {
        message.extend(["\n  ", id, ": ", reason]);
    }
    if count > MOST_LISTED {
        message.extend(["\n  and ", &(count - MOST_LISTED).to_string(), " more"]);
    }
    let hint = format!("`harness mutants verify --assignment {id}` checks all mutants");
    Warning(Problem::new(message).hint(hint))
}
