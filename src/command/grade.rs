//! `harness grade SUBMISSION`: builds and runs whole submissions in a sandbox, and reports what they earn.

mod grader;
mod layout;
mod output;
mod results;
mod suites;

use crate::cli::grade::Grade;
use crate::course::{Audience, Course};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem, Warning};
use crate::result::graded::SubmissionReport;
use crate::result::graded::stored::Change;
use crate::run::judge::Judge;
use crate::run::{parallel, prepare};
use crate::sandbox::Sandbox;
use crate::submission::reference::Reference;
use crate::submission::trial::{self, Bench};
use grader::Grader;
use output::Output;
use results::Results;
use std::path::{Path, PathBuf};
use suites::Suites;

pub(super) fn run(options: &Grade) -> Result<Exit, Failure> {
    let output = Output::new(options)?;
    let course = Course::read(&options.course)?;
    let class = layout::find(&options.submission, &course, options.assignment.as_deref())?;
    output.check_count(class.paths.len())?;
    let sandbox = sandbox(options)?.hiding(&course.folder);
    let (assignment, submission) = (class.assignment, class.submission);
    let progress = Progress::new("building the programs", None);
    let is_for_staff = options.audience.is_none_or(|audience| audience == Audience::Staff);
    let suites = Suites::build(&course, assignment, options.seed, is_for_staff)?;
    let limits = trial::limits(submission);
    let reference = Reference::build(&course, assignment, &sandbox, limits)?;
    let judge = Judge::new(&course, assignment);
    // Results that are kept hold times, so that any report can be made of them.
    let has_times = options.times || options.out.is_some();
    let bench = Bench::new(&sandbox, (assignment, submission), judge, reference, has_times);
    progress.say("making the cases");
    let grader = Grader::new(bench, &suites, &course, options.seed)?;
    drop(progress);
    let digest = || {
        let parts = (grader.reference_digest(), grader.cases(), options.seed);
        results::digest_of_course(&course, assignment, parts)
    };
    let results =
        options.out.as_ref().map(|folder| Results::open(folder, digest()?)).transpose()?;
    let paths = shard(class.paths, options.shard);
    let progress = Progress::with_estimate(&assignment.title, paths.len() as u64);
    let mut lanes: Vec<_> = cores(options.jobs).into_iter().map(Some).collect();
    let done = parallel::share(&mut lanes, paths.len(), |core, queue| {
        while let Some(at) = queue.take() {
            let one = one(&grader, &paths[at], results.as_ref(), options, *core)?;
            progress.add(1);
            queue.put(at, one);
        }
        Ok::<_, Failure>(())
    })?;
    drop(progress);
    let changes: Vec<_> = done.iter().filter_map(|one| one.change.clone()).collect();
    let stale = done.iter().filter(|one| one.is_stale).count();
    let graded: Vec<_> = done.into_iter().map(|one| one.report).collect();
    output.write(&course, (assignment, submission), &suites.mutants, &graded)?;
    if options.regrade {
        output::print_changes(&changes, options.apply)?;
    } else if stale > 0 {
        let message =
            format!("{stale} of {} results are of another version of the course", graded.len());
        let hint = "to see what changes, use --regrade";
        anstream::eprintln!("{}", Warning(Problem::new(message).hint(hint)));
    }
    exit(&graded, options.fail_under)
}

/// The result of one submission.
struct Done {
    report: SubmissionReport,
    /// Whether the result is of another version of the course.
    is_stale: bool,
    /// How its points change, if it was graded again.
    change: Option<Change>,
}

/// Grades a submission, unless there is a result that may be used.
fn one(
    grader: &Grader<'_>,
    path: &Path,
    results: Option<&Results>,
    options: &Grade,
    core: Option<usize>,
) -> Result<Done, Failure> {
    let contents = grader.read(path);
    let before = results.and_then(|it| it.read(&contents.name, &contents.digest()));
    if let Some((report, is_of_course)) = &before
        && (*is_of_course || !options.regrade)
    {
        return Ok(Done { report: report.clone(), is_stale: !is_of_course, change: None });
    }
    let report = grader.grade(contents, core)?;
    let change = before.as_ref().and_then(|(before, _)| Change::between(before, &report));
    if let Some(results) = results.filter(|_| before.is_none() || options.apply) {
        results.write(&report)?;
    }
    Ok(Done { report, is_stale: false, change })
}

/// Every `of`th submission, from the one with the number `at` on.
fn shard(paths: Vec<PathBuf>, shard: Option<(usize, usize)>) -> Vec<PathBuf> {
    let (at, of) = shard.unwrap_or((1, 1));
    paths.into_iter().skip(at - 1).step_by(of).collect()
}

/// The sandbox, unless the user takes the risk.
fn sandbox(options: &Grade) -> Result<Sandbox, Failure> {
    if options.unsafe_no_sandbox {
        return Ok(Sandbox::none());
    }
    Sandbox::open().map_err(|problem| Failure::new(Exit::Machine, problem))
}

/// The cores that submissions are graded on: one for each submission that is graded at the same time.
fn cores(jobs: Option<u16>) -> Vec<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).ok();
    let most = rustix::thread::CpuSet::MAX_CPU;
    let cores = (0..most).filter(|&core| allowed.as_ref().is_none_or(|set| set.is_set(core)));
    let cores: Vec<_> = cores.take(prepare::jobs(jobs)).collect();
    if cores.is_empty() { vec![0] } else { cores }
}

fn exit(graded: &[SubmissionReport], fail_under: Option<f64>) -> Result<Exit, Failure> {
    if graded.iter().all(|report| report.refused) {
        let problem = Problem::new("no submission could be graded");
        let hint = "the report says what each of them breaks";
        return Err(Failure::new(Exit::NoValidTest, problem.hint(hint)));
    }
    let is_under = |least: f64| graded.iter().any(|report| report.points.earned < least);
    Ok(if fail_under.is_some_and(is_under) { Exit::UnderThreshold } else { Exit::Done })
}
