//! `harness grade SUBMISSION`: builds and runs whole submissions in a sandbox, and reports what they earn.

mod class;
mod digest;
mod grader;
mod layout;
mod output;
mod regrade;
mod reports;
mod results;
mod slurm;
mod suites;

use crate::catalogue::Mutant;
use crate::cli::As;
use crate::cli::grade::Grade;
use crate::command::uncounted;
use crate::course::{Audience, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::result::graded::SubmissionReport;
use crate::run::judge::Judge;
use crate::run::{parallel, prepare};
use crate::sandbox::Sandbox;
use crate::submission::cores::Cores;
use crate::submission::reference::Reference;
use crate::submission::store::Store;
use crate::submission::trial::{self, Bench};
use crate::suite::layout::Reading;
use class::Grading;
use grader::Grader;
use layout::Class;
use output::Output;
use results::Results;
use suites::Suites;

pub(super) fn run(options: &Grade) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let has_folder = options.out.is_some() || output::has_folder(options);
    let reading = if has_folder { Reading::RatherClass } else { Reading::Seen };
    let reading = As::reading(options.read_as, reading);
    let (folder, wanted) = (&options.submission, options.assignment.as_deref());
    let class = layout::find(folder, &course, wanted, reading)?;
    if has_folder {
        class::check_names(&class.paths)?;
    }
    let mut output = Output::new(options, &class)?;
    let (assignment, submission) = (class.assignment, class.submission);
    let results = options.out.as_deref().map(|folder| Results::open(folder, &assignment.id));
    let results = results.transpose()?;
    // The jobs of Slurm may run on other machines than this one.
    let sandbox = if options.slurm { Sandbox::none() } else { sandbox(options)? };
    let sandbox = sandbox.hiding(&course.folder).hiding(&options.submission);
    let sandbox = match &options.out {
        Some(folder) => sandbox.hiding(folder),
        None => sandbox,
    };
    if let Some(refused) = grader::refused(&class).filter(|_| results.is_none()) {
        let mutants = prepare::bugs(&course, assignment)?;
        output.write(&course, (assignment, submission), &mutants, &refused)?;
        return exit(&refused, options.fail_under);
    }
    output.not_limited = sandbox.unlimited().map(|problem| problem.message);
    let harness = if results.is_some() { digest::of_harness()? } else { String::new() };
    let progress = Progress::new("building the programs", None);
    let is_for_staff = options.audience.is_none_or(|audience| audience == Audience::Staff);
    let suites = Suites::build(&course, assignment, options.seed, is_for_staff)?;
    let limits = trial::limits(submission);
    let reference = Reference::build(&course, assignment, &sandbox, limits)?;
    if let Some(outcome) = reference.rejects_all(&suites.witnesses())? {
        return Err(uncounted::rejects_all(assignment, &outcome));
    }
    if let Some(results) = results.as_ref().filter(|_| options.slurm) {
        drop(progress);
        return slurm::submit(options, &assignment.id, results, class.paths.len());
    }
    let judge = Judge::new(&course, assignment)?;
    // The results of a class also make a scoreboard.
    let shows_times = options.times || results.is_some();
    let bench = Bench::new(&sandbox, (assignment, submission), judge, reference, shows_times);
    progress.say("making the cases");
    let store = results.as_ref().map_or_else(Store::none, |it| Store::new(&it.kept(), &harness));
    let grader = Grader::new((bench, store), &suites, &course, options.seed)?;
    drop(progress);
    let cores = Cores::find()?;
    // More submissions at a time would only wait for a core.
    let jobs = prepare::jobs(options.jobs).min(cores.count());
    let (class, grader) = (&class, &grader);
    let Some(results) = &results else {
        let graded = each(class, grader, &cores, jobs)?;
        output.write(&course, (assignment, submission), &suites.mutants, &graded)?;
        return exit(&graded, options.fail_under);
    };
    let grading = Grading { class, results, grader, harness: &harness, cores: &cores, jobs };
    into_folder(&grading, options, output, (&course, &suites.mutants))
}

/// Grades a class into a folder, or grades it again, and reports what is there then.
fn into_folder(
    grading: &Grading<'_>,
    options: &Grade,
    output: Output,
    (course, mutants): (&Course, &[Mutant]),
) -> Result<Exit, Failure> {
    let results = grading.results;
    let about = (grading.class.assignment, grading.class.submission);
    let entries = grading.entries(options.shard)?;
    let (left_out, not_limited) = (&grading.class.left_out, output.not_limited.clone());
    if options.regrade {
        let names: Vec<_> = entries.iter().map(|entry| entry.name.clone()).collect();
        output.write_regraded(&regrade::regrade(grading, entries, options.apply)?)?;
        let all: Vec<_> = names.iter().filter_map(|name| grading.result(name)).collect();
        reports::write(results, course, about, &all, left_out, not_limited)?;
        return Ok(Exit::Done);
    }
    let graded = grading.grade(entries)?;
    // The reports of a shard would lack the others.
    if options.shard.is_none() {
        reports::write(results, course, about, &graded, left_out, not_limited)?;
    }
    output.write(course, about, mutants, &graded)?;
    if graded.is_empty() { Ok(Exit::Done) } else { exit(&graded, options.fail_under) }
}

/// Grades each submission.
fn each(
    class: &Class<'_>,
    grader: &Grader<'_>,
    cores: &Cores,
    jobs: usize,
) -> Result<Vec<SubmissionReport>, Failure> {
    let progress = Progress::with_estimate(&class.assignment.title, class.paths.len() as u64);
    parallel::map(class.paths.len(), jobs, |at| {
        let held = cores.take()?;
        let report = grader.grade(grader.read(&class.paths[at]), Some(held.core));
        progress.add(1);
        report
    })
}

/// The sandbox, unless the user takes the risk.
fn sandbox(options: &Grade) -> Result<Sandbox, Failure> {
    if options.unsafe_no_sandbox {
        return Ok(Sandbox::none());
    }
    Sandbox::open().map_err(|problem| Failure::new(FailureKind::Machine, problem))
}

fn exit(graded: &[SubmissionReport], fail_under: Option<f64>) -> Result<Exit, Failure> {
    if graded.iter().all(|report| report.refused) {
        let problem = Problem::new("no submission could be graded");
        let hint = "the report says what each of them breaks";
        return Err(Failure::new(FailureKind::NothingValid, problem.hint(hint)));
    }
    let is_under = |least: f64| graded.iter().any(|report| report.points.earned < least);
    Ok(if fail_under.is_some_and(is_under) { Exit::UnderThreshold } else { Exit::Done })
}
