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
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::{Suite, TestProgram};
use crate::unit::calls::{Drawn, Probe, Search, callable};
use crate::unit::{NO_CASES, Variants};
use std::path::Path;
use std::time::Instant;
use subject::MutantSet;

/// That cases can be drawn, before anything is searched or written for another assignment.
///
/// # Errors
/// If people write them, or nothing says where.
pub(super) fn can_draw(
    options: &Witness,
    assignment: &Assignment,
    unit: &UnitTests,
) -> Result<(), Failure> {
    let is_described = unit.has_calls && callable(assignment).is_ok();
    if options.record || unit.witnesses.is_none() || !is_described {
        return Err(are_written(options, assignment, unit));
    }
    Ok(())
}

/// Adds cases for the selected mutants that none in the file exposes. `None` if there are no such mutants.
pub(super) fn witness(
    work: &Work,
    options: &Witness,
    course: &Course,
    choice: &Choice<'_>,
    unit: &UnitTests,
) -> Result<Option<DrawnCases>, Failure> {
    let assignment = choice.assignment;
    let (Some(path), Some(generator)) = (&unit.witnesses, assignment.generator()) else {
        return Err(are_written(options, assignment, unit));
    };
    let budget = budget(options.budget)?;
    let asked_for = selected(options, choice)?;
    are_asked_for(course, choice, &asked_for)?;
    let mutants = prepare::bugs(course, assignment)?;
    let is_selected = |at: &usize| asked_for.iter().any(|it| it.id == mutants[*at].id);
    let selected: MutantSet = (0..mutants.len()).filter(is_selected).collect();
    let (jobs, work) = (prepare::jobs(options.jobs), &contained(work, course)?);
    let variants = Variants::build(work, course, assignment, unit, &mutants, jobs)?;
    let counts =
        |exposed: &MutantSet| grade::too_broad(exposed, &mutants, &assignment.scoring).is_none();
    let before = witness_file::program(path)?;
    is_text(&before, path)?;
    let exposed = exposed(&variants, &before, &counts)?;
    let targets = selected.without(&exposed);
    let drawn = if targets.is_empty() {
        None
    } else {
        let probe = Probe::build(work, course, assignment, unit, &mutants, jobs)?;
        interrupt::listen(&work.cancellation);
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
            until: Instant::now() + budget,
        };
        Some(search.run()?)
    };
    if let Some(file) = drawn.as_ref().and_then(|drawn| drawn.file.as_ref()) {
        if !exposed.is_subset(&self::exposed(&variants, file, &counts)?) {
            return Err(do_not_fit(path));
        }
        replace(path, &before, file)?;
    }
    let mutant = |at: usize| {
        let id = mutants[at].id.clone();
        if !targets.contains(at) {
            return DrawnMutant { id, status: Status::Kept, case: None, size: None };
        }
        let cases = drawn.iter().flat_map(|drawn| &drawn.cases);
        let case = cases.into_iter().find(|case| case.exposes.contains(at));
        let status = if case.is_some() { Status::Written } else { Status::NotExposed };
        let size = case.map(|case| case.size);
        DrawnMutant { id, status, case: case.map(|case| case.name.clone()), size }
    };
    let rows: Vec<_> = selected.iter().map(mutant).collect();
    let is_nothing = targets.is_empty() && options.missing;
    Ok((!is_nothing).then(|| report(assignment, path, drawn.as_ref(), rows)))
}

/// Replaces the file by one with more cases, if it is still as it was read. A link stays a link.
fn replace(path: &Path, before: &TestProgram, after: &TestProgram) -> Result<(), Failure> {
    if witness_file::program(path)?.source != before.source {
        let message = format!("{} has changed since it was read", path.display());
        let hint = "nothing was written; run the command again";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    files::replace(&place, &after.source).map_err(|error| Failure::unwritable(path, &error))
}

/// That a file keeps its bytes if cases are added to it.
fn is_text(file: &TestProgram, path: &Path) -> Result<(), Failure> {
    if str::from_utf8(&file.source).is_ok() {
        return Ok(());
    }
    let message = format!("{} is not UTF-8 text, so nothing can be added to it", path.display());
    Err(Failure::broken_course(Problem::new(message).hint("save it as UTF-8")))
}

/// That the cases that the file has do something else beside new ones.
fn do_not_fit(path: &Path) -> Failure {
    let message = format!("the drawn cases change what those in {} expose", path.display());
    let hint = "do these redefine a name of the program? `harness generate` writes the drawn cases into a file of their own";
    Failure::broken_course(Problem::new(message).hint(hint))
}

fn report(
    assignment: &Assignment,
    path: &Path,
    drawn: Option<&Drawn>,
    mutants: Vec<DrawnMutant>,
) -> DrawnCases {
    DrawnCases {
        assignment: assignment.id.clone(),
        file: path.display().to_string(),
        added: drawn.map_or(0, |drawn| drawn.cases.len()),
        tried: drawn.map_or(0, |drawn| drawn.tried as u64),
        out_of_time: drawn.is_some_and(|drawn| drawn.out_of_time),
        mutants,
    }
}

/// The mutants that the cases of a file expose which count.
fn exposed(
    variants: &Variants,
    file: &TestProgram,
    counts: &dyn Fn(&MutantSet) -> bool,
) -> Result<MutantSet, Failure> {
    if file.source.trim_ascii().is_empty() {
        return Ok(MutantSet::default());
    }
    let suite = Suite { programs: vec![file.clone()], ..Suite::default() };
    let (suite, rows) = variants.score(suite)?;
    if let Some(of_all) = suite.rejected.into_iter().find(|it| it.file == file.file)
        && !of_all.problem.message.starts_with(NO_CASES)
    {
        let message = format!("{} is rejected: {}", file.file, of_all.problem.message);
        return Err(Failure::broken_course(Problem { message, ..of_all.problem }));
    }
    let counted = rows.iter().map(Row::exposed_mutants).filter(counts);
    Ok(counted.flat_map(|mutants| mutants.iter().collect::<Vec<_>>()).collect())
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
