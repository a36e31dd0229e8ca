//! `harness grade SUBMISSION`: builds and runs whole submissions in a sandbox, and reports what they earn.

mod output;
mod reports;
mod resident;
mod slurm;

use crate::cli::As;
use crate::cli::grade::Grade;
use crate::command::terminal::Terminal;
use crate::course::{Audience, Course};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::exit::Exit;
use crate::grading::class::{self, Class};
use crate::grading::{self, Counted, Observer, Ready, Results, Settings, Submissions};
use crate::grading::{regrade, submissions};
use crate::interrupt;
use crate::result::graded::SubmissionReport;
use crate::run::work::Work;
use crate::run::{parallel, prepare};
use crate::sandbox::Sandbox;
use crate::submission::cores::Cores;
use crate::submission::store::Store;
use crate::suite::layout::Reading;
use output::Output;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(work: &Work, options: &Grade) -> Result<Exit, Failure> {
    if let Some(from) = &options.jobs_from {
        return resident::run(work, options, from);
    }
    let course = Course::read(&options.course)?;
    let has_folder = options.out.is_some() || output::has_folder(options);
    let reading = if has_folder { Reading::RatherClass } else { Reading::Seen };
    let reading = As::reading(options.read_as, reading);
    let folder = options.submission.as_deref().expect("the command line requires it");
    let wanted = options.assignment.as_deref();
    let found = submissions::find(folder, &course, wanted, reading)?;
    if has_folder {
        class::check_names(&found.paths)?;
    }
    let mut output = Output::new(options, &found)?;
    let (assignment, submission) = (found.assignment, found.submission);
    let results = options.out.as_deref().map(|folder| Results::open(folder, &assignment.id));
    let results = results.transpose()?;
    let on = Terminal::new(options.audience.is_none_or(|audience| audience == Audience::Staff));
    if let Some(results) = results.as_ref().filter(|_| options.slurm) {
        // The jobs find the programs built. They may run on other machines than this one.
        Counted::build(work, &course, assignment, &on)?;
        return slurm::submit(options, folder, &assignment.id, results, found.paths.len());
    }
    let sandbox = sandbox(options, &course.folder)?;
    if results.is_none()
        && let Some(refused) = grading::refused(&found.paths, assignment, submission)
    {
        let mutants = prepare::bugs(&course, assignment)?;
        output.write(&course, assignment, submission, &mutants, &refused)?;
        return exit(&refused, options.fail_under);
    }
    output.not_limited = sandbox.unlimited().map(|problem| problem.message);
    let settings = Settings {
        work: work.clone(),
        sandbox: Arc::new(sandbox),
        store: match &results {
            Some(results) => Store::new(&results.kept(), &grading::of_harness()?),
            None => Store::none(),
        },
        seed: options.seed,
        // The results of a class also make a scoreboard.
        shows_times: options.times || results.is_some(),
    };
    let ready = Ready::build(&course, &assignment.id, settings, &on)?;
    let cores = Cores::find()?;
    interrupt::listen(&work.cancellation);
    // More submissions at a time would only wait for a core.
    let jobs = prepare::jobs(options.jobs).min(cores.count());
    let Some(results) = &results else {
        let graded = each(work, &found, &ready, &cores, jobs, &on)?;
        output.write(&course, assignment, submission, ready.mutants(), &graded)?;
        return exit(&graded, options.fail_under);
    };
    let cancellation = &work.cancellation;
    let class = Class { results, ready: &ready, cores: &cores, cancellation, jobs, on: &on };
    into_folder(&class, &found, options, output, &course)
}

/// Grades a class into a folder, or grades it again, and reports what is there then.
fn into_folder(
    class: &Class<'_>,
    found: &Submissions<'_>,
    options: &Grade,
    output: Output,
    course: &Course,
) -> Result<Exit, Failure> {
    let (assignment, submission) = (found.assignment, found.submission);
    let is_wanted = |at| options.shard.is_none_or(|shard| shard.has(at));
    let entries = class.entries(&found.paths, is_wanted)?;
    let (results, not_limited) = (class.results, output.not_limited.clone());
    let report = |all: &[SubmissionReport]| {
        reports::write(results, course, assignment, submission, all, &found.left_out, not_limited)
    };
    if options.regrade {
        let names: Vec<_> = entries.iter().map(|entry| entry.name.clone()).collect();
        output.write_regraded(&regrade::regrade(class, entries, options.apply)?)?;
        report(&names.iter().filter_map(|name| class.result(name)).collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let graded = class.grade(entries)?;
    // The reports of a shard would lack the others.
    if options.shard.is_none() {
        report(&graded)?;
    }
    output.write(course, assignment, submission, class.ready.mutants(), &graded)?;
    if graded.is_empty() { Ok(Exit::Done) } else { exit(&graded, options.fail_under) }
}

/// Grades each submission.
fn each(
    work: &Work,
    found: &Submissions<'_>,
    ready: &Ready,
    cores: &Cores,
    jobs: usize,
    on: &Terminal,
) -> Result<Vec<SubmissionReport>, Failure> {
    on.begin(&found.assignment.title, Some(found.paths.len()));
    let graded = parallel::map(found.paths.len(), jobs, |at| {
        let opened = ready.open(&found.paths[at]);
        let record = ready.grade(opened, &cores.take()?, &work.cancellation)?;
        on.advance();
        Ok(record.report)
    });
    on.end();
    graded
}

/// The sandbox, unless the user takes the risk. No program sees the course, the submissions and the results.
fn sandbox(options: &Grade, course: &Path) -> Result<Sandbox, Failure> {
    let sandbox = if options.unsafe_no_sandbox {
        Sandbox::none()
    } else {
        Sandbox::open().map_err(|problem| Failure::new(FailureKind::Machine, problem))?
    };
    let folders = options.submission.iter().chain(&options.out);
    Ok(folders.fold(sandbox.hiding(course), |sandbox, folder| sandbox.hiding(folder)))
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
