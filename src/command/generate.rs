//! `harness generate`: finds and writes tests, for the mutants that a suite misses or against any program.

mod against;
mod drawn;
mod missed;
mod out;
mod package;
pub mod under_test;

use crate::catalogue::{self, Mutant};
use crate::cli::against::Against;
use crate::cli::{Generate, WrittenAs};
use crate::command::terminal;
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::report::generated::Stopped;
use crate::run::work::Work;
use crate::suite::layout::{self, Reading};
use std::path::Path;
use std::time::Duration;
use subject::MutantSet;

pub(super) fn run(work: &Work, options: &Generate) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let (assignment, folder) = assignment(options, &course)?;
    terminal::warn_of_differences(&course, assignment)?;
    terminal::warn_of_corpus(assignment)?;
    let report = if let Some(unit) = &assignment.unit {
        if options.written_as == WrittenAs::Package {
            let message =
                format!("tests of `{}` are programs, and no data of a package", assignment.id);
            let hint = "leave out `--as package`";
            return Err(Failure::usage(Problem::new(message).hint(hint)));
        }
        no_options_for_a_program(&options.against)?;
        if !options.against.program.is_empty() {
            let message =
                format!("tests of `{}` are unit tests, and no inputs for a program", assignment.id);
            let hint = "leave out --against; `harness score` runs unit tests on the mutants";
            return Err(Failure::usage(Problem::new(message).hint(hint)));
        }
        drawn::generate(work, options, &course, assignment, unit, folder)?
    } else if options.against.program.is_empty() {
        no_options_for_a_program(&options.against)?;
        missed::generate(work, options, &course, assignment, folder)?
    } else {
        against::generate(work, options, &course, assignment)?
    };
    super::print("the report", &report, options.format)?;
    Ok(Exit::Done)
}

/// That no option is given that only `--against` heeds. The parser does not see it if there is an option that `--against` excludes.
fn no_options_for_a_program(against: &Against) -> Result<(), Failure> {
    let given = [
        ("--without", !against.without.is_empty()),
        ("--document-args", against.document_args),
        ("--limit", !against.limit.is_empty()),
        ("--fixed-size", against.fixed_size.is_some()),
        ("--time-limit", against.time_limit.is_some()),
        ("--memory-limit", against.memory_limit.is_some()),
        ("--audience", against.audience.is_some()),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
        return Ok(());
    };
    let hint = "the course file sets the rules for tests and programs";
    let message = format!("{option} needs --against: it is for another program");
    Err(Failure::usage(Problem::new(message).hint(hint)))
}

/// The assignment, and the suite's folder if there is one.
fn assignment<'a>(
    options: &'a Generate,
    course: &'a Course,
) -> Result<(&'a Assignment, Option<&'a Path>), Failure> {
    if let Some(folder) = &options.folder {
        let groups =
            layout::find(folder, course, options.assignment.as_deref(), Reading::RatherOne)?;
        return match groups.as_slice() {
            [group] if group.shape == layout::Shape::Suite => {
                let problem = group.suites.iter().find_map(|suite| suite.problem.clone());
                problem.map_or(Ok((group.assignment, Some(folder))), |problem| {
                    Err(Failure::usage(problem))
                })
            }
            _ => Err(Failure::usage(
                Problem::new(format!("{} is not one suite", folder.display()))
                    .hint("name the folder of one student"),
            )),
        };
    }
    // Only assignments whose inputs can be made are candidates.
    let able: Vec<_> =
        course.assignments.iter().filter(|assignment| assignment.generator().is_some()).collect();
    match (&options.assignment, able.as_slice()) {
        (Some(id), _) => Ok((course.assignment(id)?, None)),
        (None, [only]) => Ok((only, None)),
        (None, []) if course.assignments.len() == 1 => Ok((&course.assignments[0], None)),
        (None, able) => {
            let able =
                if able.is_empty() { course.assignments.iter().collect() } else { able.to_vec() };
            let ids: Vec<_> = able.iter().map(|assignment| assignment.id.as_str()).collect();
            let hint = format!("choose one with --assignment: {}", ids.join(", "));
            Err(Failure::usage(
                Problem::new("several assignments can have tests generated").hint(hint),
            ))
        }
    }
}

/// The mutants that `--mutants` names, or all.
fn selected(options: &Generate, mutants: &[Mutant]) -> Result<MutantSet, Failure> {
    if options.mutants.is_empty() {
        return Ok(MutantSet::all(mutants.len()));
    }
    let index = |id: &String| {
        mutants.iter().position(|mutant| mutant.id == *id).ok_or_else(|| {
            let all = mutants.iter().map(|mutant| mutant.id.as_str());
            catalogue::unknown(id, all, "`harness mutants list` lists all of them")
        })
    };
    options.mutants.iter().map(index).collect()
}

/// How long to search.
///
/// # Errors
/// If that is no time at all.
pub fn budget(seconds: f64) -> Result<Duration, Failure> {
    /// A limit in seconds that does not overflow a point in time.
    const LONGEST: f64 = 1e9;
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST))
        .ok()
        .filter(|budget| !budget.is_zero())
        .ok_or_else(|| {
            let message = format!("--budget {seconds} leaves no time");
            Failure::usage(
                Problem::new(message).hint("give a number of seconds, for example --budget 60"),
            )
        })
}

/// That a search has tried a case.
///
/// # Errors
/// If time ran out first.
pub fn has_tried(work: &Work, cases: u64, out_of_time: bool, seconds: f64) -> Result<(), Failure> {
    if cases > 0 || !out_of_time {
        return Ok(());
    }
    if work.cancellation.is_cancelled() {
        let problem = Problem::new("Ctrl-C stopped the search before it tried a case");
        let problem = problem.hint("nothing was written; run the command again");
        return Err(Failure::new(FailureKind::Interrupted, problem));
    }
    let message = format!("--budget {seconds} ended the search before it tried a case");
    Err(Failure::usage(Problem::new(message).hint("give a larger --budget; nothing was written")))
}

/// What ended the search early.
pub fn stopped(work: &Work, out_of_time: bool) -> Option<Stopped> {
    match (work.cancellation.is_cancelled(), out_of_time) {
        (true, _) => Some(Stopped::Interrupt),
        (false, true) => Some(Stopped::Time),
        (false, false) => None,
    }
}
