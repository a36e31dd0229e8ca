//! `harness grade SUBMISSION`: builds and runs whole submissions in a sandbox, and reports what they earn.

mod grader;
mod layout;
mod output;
mod suites;

use crate::cli::grade::Grade;
use crate::course::{Audience, Course};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem};
use crate::result::graded::SubmissionReport;
use crate::run::judge::Judge;
use crate::run::{parallel, prepare};
use crate::sandbox::Sandbox;
use crate::submission::reference::Reference;
use crate::submission::trial::{self, Bench};
use grader::Grader;
use output::Output;
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
    let bench = Bench::new(&sandbox, (assignment, submission), judge, reference, options.times);
    progress.say("making the cases");
    let grader = Grader::new(bench, &suites, &course, options.seed)?;
    drop(progress);
    let progress = Progress::new(&assignment.title, Some(class.paths.len() as u64));
    let cores = cores(options.jobs);
    let mut lanes: Vec<_> = cores.into_iter().map(Some).collect();
    let graded = parallel::share(&mut lanes, class.paths.len(), |core, queue| {
        while let Some(at) = queue.take() {
            let report = grader.grade(&class.paths[at], *core)?;
            progress.add(1);
            queue.put(at, report);
        }
        Ok::<_, Failure>(())
    })?;
    drop(progress);
    output.write(&course, (assignment, submission), &suites.mutants, &graded)?;
    exit(&graded, options.fail_under)
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
