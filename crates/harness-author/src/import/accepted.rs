//! Runs the accepted submissions of a package on its data. The fastest that is right becomes the reference.

use super::contents::Package;
use super::data::Data;
use super::submissions::{Submission, part};
use crate::report::imported::{Accepted, Remark};
use harness::course::{Assignment, Course};
use harness::diagnostic::{Failure, Problem};
use harness::run::build::{self, Runnable, Variant};
use harness::run::interactor::WRONG;
use harness::run::judge::Judge;
use harness::run::process::{self, ProcessLimits};
use harness::run::work::Work;
use harness::run::{parallel, prepare};
use sha2::{Digest, Sha256};
use std::time::Duration;
use subject::{Case, End, Outcome};

/// The longest time that an accepted submission may take if the package sets no limit.
const MOST: Duration = Duration::from_secs(20);

/// An accepted submission that was built.
struct Submitted<'a> {
    work: &'a Work,
    submission: &'a Submission,
    runnable: Runnable,
    limits: ProcessLimits,
    /// The total and the longest time.
    total: Duration,
    longest: Duration,
    /// A hash of each output.
    outputs: Vec<[u8; 32]>,
    differs: Option<String>,
}

/// The result of running the accepted submissions.
pub(super) struct Chosen<'a> {
    pub(super) reference: &'a Submission,
    pub(super) others: Vec<Accepted>,
    /// Those of the others that agree with it.
    pub(super) right: Vec<&'a Submission>,
    /// The longest time that a right submission took for an input.
    pub(super) slowest: Duration,
}

/// Chooses the reference among the accepted submissions. `course` has an assignment for each of them.
///
/// # Errors
/// If none can be built, or none is right.
pub(super) fn choose<'a>(
    work: &'a Work,
    package: &'a Package,
    course: &Course,
    data: &mut Data,
    left_out: &mut Vec<Remark>,
) -> Result<Chosen<'a>, Failure> {
    let mut submitted = build(work, package, course, left_out)?;
    let judge = Judge::new(work, course, &course.assignments[0])?;
    for one in &mut submitted {
        one.run(&judge, data)?;
    }
    let chosen = fastest(&submitted).ok_or_else(|| none_is_right(package, &submitted))?;
    let reference = submitted.remove(chosen);
    let slowest = submitted.iter().filter(|it| it.differs.is_none()).map(|it| it.longest);
    let slowest = slowest.fold(reference.longest, Duration::max);
    let (mut others, mut right) = (Vec::new(), Vec::new());
    for mut other in submitted {
        if other.differs.is_none() {
            other.differs = other.difference(&reference, &judge, data)?;
        }
        right.extend(other.differs.is_none().then_some(other.submission));
        let submission = part(&other.submission.path, "").part;
        others.push(Accepted { submission, differs: other.differs });
    }
    Ok(Chosen { reference: reference.submission, others, right, slowest })
}

/// Those that can be built. The others are left out.
fn build<'a>(
    work: &'a Work,
    package: &'a Package,
    course: &Course,
    left_out: &mut Vec<Remark>,
) -> Result<Vec<Submitted<'a>>, Failure> {
    let assignments: Vec<&Assignment> = course.assignments.iter().collect();
    let built = parallel::map(assignments.len(), prepare::jobs(None), |at| {
        Ok(build::build(course, assignments[at], Variant::Reference))
    })?;
    let mut submitted = Vec::new();
    let mut broken = String::new();
    for ((submission, assignment), built) in package.accepted().zip(assignments).zip(built) {
        match built {
            Ok(runnable) => {
                let time = package.settings.limits.time_limit.unwrap_or(MOST.as_secs_f64());
                let time = Duration::try_from_secs_f64(time.max(1.0)).unwrap_or(MOST);
                let run = &assignment.run;
                let limits = ProcessLimits {
                    time,
                    wall: Duration::MAX,
                    memory: run.memory_mb << 20,
                    output: run.output_kb << 10,
                    processes: run.processes,
                };
                submitted.push(Submitted {
                    work,
                    submission,
                    runnable,
                    limits,
                    total: Duration::ZERO,
                    longest: Duration::ZERO,
                    outputs: Vec::new(),
                    differs: None,
                });
            }
            Err(failure) => {
                let remark = part(&submission.path, reason(&failure));
                broken.extend(["\n  ", &remark.part, ": ", &remark.reason]);
                left_out.push(remark);
            }
        }
    }
    if submitted.is_empty() {
        let folder = package.tree.shown("submissions/accepted".as_ref());
        let message = format!("no submission in {} can be built{broken}", folder.display());
        let hint = "one of them becomes the reference; correct it, or install its compiler";
        return Err(Failure::usage(Problem::new(message).hint(hint)));
    }
    Ok(submitted)
}

/// Why a program cannot be built: the first line of what the compiler says.
pub(super) fn reason(failure: &Failure) -> String {
    let message = failure.problems.first().map_or("", |problem| problem.message.as_str());
    let mut lines = message.lines();
    let first = lines.next().unwrap_or_default();
    let error = lines.find(|line| line.contains("rror")).map(str::trim);
    // The copy that the compiler names is not kept.
    let error = error.map(|line| line.split_once(" error: ").map_or(line, |(_, error)| error));
    let text = error.map_or_else(|| first.to_owned(), |error| format!("does not compile: {error}"));
    harness::diagnostic::printable(&harness::domain::shortened(&text, 200))
}

/// The first of those that take about the least time. One that is compiled comes before all others, unless it is much slower. So the
/// choice seldom depends on the machine, whose load adds more to a short run than to a long one.
fn fastest(submitted: &[Submitted<'_>]) -> Option<usize> {
    const NEAR: u32 = 2;
    const STARTS: Duration = Duration::from_millis(4);
    const INTERPRETER: Duration = Duration::from_millis(200);
    let nearest = |is_compiled| {
        let right = submitted.iter().enumerate().filter(move |(_, it)| {
            it.differs.is_none() && it.submission.language.compiler().is_some() == is_compiled
        });
        let best = right.clone().map(|(_, it)| it.total).min()?;
        right.into_iter().find(|(_, it)| it.total <= it.with_starts(best * NEAR, STARTS))
    };
    match [true, false].map(nearest) {
        [Some((at, compiled)), Some((other, interpreted))] => {
            let most = compiled.with_starts(interpreted.total * NEAR, INTERPRETER);
            Some(if compiled.total <= most { at } else { other })
        }
        [first, second] => first.or(second).map(|(at, _)| at),
    }
}

fn none_is_right(package: &Package, submitted: &[Submitted<'_>]) -> Failure {
    let wrong = submitted.iter().map(|it| {
        let differs = it.differs.as_deref().unwrap_or_default();
        format!("\n  {}: {differs}", it.submission.path.display())
    });
    let folder = package.tree.shown("submissions/accepted".as_ref());
    let folder = folder.display();
    let message =
        format!("no submission in {folder} is right on all data{}", wrong.collect::<String>());
    let hint = "the reference decides what is right; correct a submission, or the data";
    Failure::usage(Problem::new(message).hint(hint))
}

impl Submitted<'_> {
    /// A time for all its runs, with what the start of one may take.
    fn with_starts(&self, time: Duration, start: Duration) -> Duration {
        time + start * self.outputs.len() as u32
    }

    fn outcome(&self, case: &Case) -> Result<(Outcome, Duration), Failure> {
        let name = self.submission.path.display();
        process::run(self.work, &self.runnable, case, &self.limits)
            .map_err(|error| process::failure(format!("run {name}"), &error))
    }

    /// Runs it on all data, until it differs from an answer.
    fn run(&mut self, judge: &Judge, data: &mut Data) -> Result<(), Failure> {
        for at in 0..data.cases.len() {
            let (outcome, time) = self.outcome(&data.cases[at].case)?;
            self.total += time;
            self.longest = self.longest.max(time);
            self.outputs.push(Sha256::digest(&outcome.stdout).into());
            let name = data.cases[at].name.clone();
            let is_refused = judge.is_interactive() && outcome.end == End::Exit(WRONG);
            if outcome.end != End::Exit(0) && !is_refused {
                self.differs = Some(format!("{} on {name}", in_words(&outcome.end)));
            } else if let Some(why) = data.fault(at, judge, &outcome) {
                self.differs = Some(format!("{why} on {name}"));
            }
            if self.differs.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// How it differs from the reference, according to the judge.
    fn difference(
        &self,
        reference: &Self,
        judge: &Judge,
        data: &Data,
    ) -> Result<Option<String>, Failure> {
        for (at, datum) in data.cases.iter().enumerate() {
            if self.outputs.get(at) == reference.outputs.get(at) {
                continue;
            }
            let (right, _) = reference.outcome(&datum.case)?;
            let (own, _) = self.outcome(&datum.case)?;
            if let Some(fault) = judge.fault(&datum.case, &right, &own)? {
                let why = fault.why.map_or_else(|| "another output".to_owned(), |why| why.message);
                return Ok(Some(format!("{why} on {}", datum.name)));
            }
        }
        Ok(None)
    }
}

fn in_words(end: &End) -> String {
    match end {
        End::Exit(status) => format!("exits with status {status}"),
        End::Crash(how) => format!("crashes ({how})"),
        End::Timeout => "does not finish in time".to_owned(),
        End::Memory => "runs out of memory".to_owned(),
        End::OutputLimit => "prints too much".to_owned(),
    }
}
