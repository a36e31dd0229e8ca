//! Witnesses of unit tests: draws calls that expose mutants, and adds test cases to the course's own file.

use super::{Choice, are_asked_for, selected};
use crate::cli::mutants::Witness;
use crate::command::generate::budget;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::grading::{contained, witness_file};
use crate::interrupt;
use crate::report::witnessed::{DrawnCases, DrawnMutant, Status};
use crate::result::grade;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::{Suite, TestProgram};
use crate::unit::Variants;
use crate::unit::calls::{Drawn, Probe, Search, callable};
use std::path::Path;
use std::time::Instant;
use subject::MutantSet;

/// Adds cases for the selected mutants that none in the file exposes. `None` if there are no such mutants.
pub(super) fn witness(
    work: &Work,
    options: &Witness,
    course: &Course,
    choice: &Choice<'_>,
    unit: &UnitTests,
) -> Result<Option<DrawnCases>, Failure> {
    let assignment = choice.assignment;
    let (Some(path), Some(generator), false) = (
        &unit.witnesses,
        assignment.generator().filter(|_| unit.has_calls && callable(assignment).is_ok()),
        options.record,
    ) else {
        return Err(are_written(options, assignment, unit));
    };
    let asked_for = selected(options, choice)?;
    are_asked_for(course, choice, &asked_for)?;
    let mutants = prepare::bugs(course, assignment)?;
    let is_selected = |at: &usize| asked_for.iter().any(|it| it.id == mutants[*at].id);
    let selected: MutantSet = (0..mutants.len()).filter(is_selected).collect();
    let (jobs, work) = (prepare::jobs(options.jobs), &contained(work)?);
    let variants = Variants::build(work, course, assignment, unit, &mutants, jobs)?;
    let before = witness_file::program(path)?;
    let exposed = exposed(&variants, &before)?;
    let targets = selected.without(&exposed);
    if targets.is_empty() && options.missing {
        return Ok(None);
    }
    let probe = Probe::build(work, course, assignment, unit, &mutants, jobs)?;
    interrupt::listen(&work.cancellation);
    let counts =
        |exposed: &MutantSet| grade::too_broad(exposed, &mutants, &assignment.scoring).is_none();
    let search = Search {
        variants: &variants,
        probe: &probe,
        generator,
        rules: &assignment.tests,
        before: Some(&before),
        targets: targets.clone(),
        counts: &counts,
        seed: options.seed,
        size: options.size,
        most_cases: mutants.len(),
        until: Instant::now() + budget(options.budget)?,
    };
    let drawn = search.run()?;
    if let Some(file) = &drawn.file {
        files::replace(path, &file.source).map_err(|error| Failure::unwritable(path, &error))?;
    }
    let mutant = |at: usize| {
        let id = mutants[at].id.clone();
        if !targets.contains(at) {
            return DrawnMutant { id, status: Status::Kept, case: None, size: None };
        }
        let case = drawn.cases.iter().find(|case| case.exposes.contains(at));
        let status = if case.is_some() { Status::Written } else { Status::NotExposed };
        let size = case.map(|case| case.size);
        DrawnMutant { id, status, case: case.map(|case| case.name.clone()), size }
    };
    let mutants = selected.iter().map(mutant).collect();
    Ok(Some(report(assignment, path, &drawn, mutants)))
}

fn report(
    assignment: &Assignment,
    path: &Path,
    drawn: &Drawn,
    mutants: Vec<DrawnMutant>,
) -> DrawnCases {
    DrawnCases {
        assignment: assignment.id.clone(),
        file: path.display().to_string(),
        added: drawn.cases.len(),
        tried: drawn.tried as u64,
        out_of_time: drawn.out_of_time,
        mutants,
    }
}

/// The mutants that the cases of a file expose.
fn exposed(variants: &Variants, file: &TestProgram) -> Result<MutantSet, Failure> {
    if file.source.trim_ascii().is_empty() {
        return Ok(MutantSet::default());
    }
    let (suite, rows) =
        variants.score(Suite { programs: vec![file.clone()], ..Suite::default() })?;
    if let (true, Some(first)) = (rows.is_empty(), suite.rejected.into_iter().next()) {
        let message = format!("no test case in {} is valid", file.file);
        return Err(Failure::broken_course(Problem::new(message).hint(first.problem.message)));
    }
    Ok(rows.iter().flat_map(|row| row.exposed_mutants().iter().collect::<Vec<_>>()).collect())
}

/// That people write these witnesses.
fn are_written(options: &Witness, assignment: &Assignment, unit: &UnitTests) -> Failure {
    if options.record {
        let message = format!("the witnesses of `{}` are test cases", assignment.id);
        let hint = "they say themselves what the reference does; leave out `--record`";
        return Failure::usage(Problem::new(message).hint(hint));
    }
    let message = format!("the witnesses of `{}` are test cases, which you write", assignment.id);
    let hint = match &unit.witnesses {
        Some(file) => format!(
            "add one to {}, and `harness mutants verify` runs it; or describe calls with `calls:` in `tests`, and they are drawn",
            file.display()
        ),
        None => "name their file with `witnesses: FILE` in `tests`".to_owned(),
    };
    Failure::usage(Problem::new(message).hint(hint))
}
