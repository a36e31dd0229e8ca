//! `--jobs-from`: grades the submissions that come as lines of JSON, one after the other. The course is prepared once.
//!
//! A job that was read gets its answer before the next one is read. So whoever sends jobs knows which ones were not graded.

use crate::cli::grade::Grade;
use crate::command::terminal::Terminal;
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::grading::jobs::{Answer, End, Job};
use crate::grading::{self, Ready, Results, Settings, Stage, Watch};
use crate::interrupt;
use crate::result::graded::SubmissionReport;
use crate::result::record::Record;
use crate::run::work::Work;
use crate::submission::cores::Cores;
use crate::submission::store::Store;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

/// Takes jobs from `from`, a file, or `-` for standard input.
pub(super) fn run(work: &Work, options: &Grade, from: &Path) -> Result<Exit, Failure> {
    interrupt::end_if_unread();
    let course = Course::read(&options.course)?;
    let assignment = course.assignment_or_only(options.assignment.as_deref())?;
    let mut jobs = jobs(from)?;
    let watch = Watch::new(&course, assignment);
    let results = options.out.as_deref().map(|folder| Results::open(folder, &assignment.id));
    let results = results.transpose()?;
    let ready = ready(work, options, &course, assignment, results.as_ref())?;
    // More files are known now. Those that were known before have not changed since.
    let later = Watch::new(&course, assignment);
    let is_changed = watch.has_changed();
    say(&Answer::Ready {
        assignment: assignment.id.clone(),
        course: ready.version().to_owned(),
        harness: ready.harness().to_owned(),
    })?;
    let why = if is_changed {
        End::CourseChanged
    } else {
        let grader =
            Grader { work, ready: &ready, results: results.as_ref(), cores: Cores::find()? };
        grader.all(&mut *jobs, &later, options.most_jobs)?
    };
    say(&Answer::Ended { why })?;
    Ok(Exit::Done)
}

fn ready(
    work: &Work,
    options: &Grade,
    course: &Course,
    assignment: &Assignment,
    results: Option<&Results>,
) -> Result<Ready, Failure> {
    let harness = grading::of_harness()?;
    let settings = Settings {
        work: work.clone(),
        sandbox: Arc::new(super::sandbox(options, &course.folder)?),
        store: match results {
            Some(results) => Store::new(&results.kept(), &harness),
            None => Store::nothing_of(&harness),
        },
        seed: options.seed,
        shows_times: true,
    };
    Ready::build(course, &assignment.id, settings, &Terminal::new(true))
}

struct Grader<'a> {
    work: &'a Work,
    ready: &'a Ready,
    /// Where records are kept too, if anywhere.
    results: Option<&'a Results>,
    cores: Cores,
}

impl Grader<'_> {
    /// Grades jobs until there are no more, or the course has changed.
    fn all(
        &self,
        jobs: &mut dyn BufRead,
        watch: &Watch,
        most: Option<u32>,
    ) -> Result<End, Failure> {
        let mut line = Vec::new();
        for _ in 0..most.unwrap_or(u32::MAX) {
            line.clear();
            let read = jobs.read_until(b'\n', &mut line);
            if read.map_err(|error| Failure::machine("read the jobs", error))? == 0 {
                return Ok(End::NoMoreJobs);
            }
            if watch.has_changed() {
                return Ok(End::CourseChanged);
            }
            say(&self.answer(&line))?;
        }
        Ok(End::Enough)
    }

    /// Grades one job.
    fn answer(&self, line: &[u8]) -> Answer {
        let job: Job = match serde_json::from_slice(line) {
            Ok(job) => job,
            Err(error) => {
                let problem = Problem::new(format!("this line is no job: {error}"));
                let hint = "a job is a line such as {\"submission\": \"alice.tar.gz\"}";
                return Answer::failed(None, Failure::usage(problem.hint(hint)));
            }
        };
        match self.grade(&job) {
            Ok(record) => Answer::Graded { submission: job.submission, record: Box::new(record) },
            Err(failure) => Answer::failed(Some(job.submission), failure),
        }
    }

    fn grade(&self, job: &Job) -> Result<Record, Failure> {
        // A submission that is not there is no fault of the student.
        let path = &job.submission;
        path.symlink_metadata()
            .map_err(|error| Failure::machine(format!("read {}", path.display()), error))?;
        let opened = self.ready.open(path);
        let opened = match &job.name {
            Some(name) => opened.named(name),
            None => opened,
        };
        let held = self.cores.take()?;
        let mut watch = |stage, report: &SubmissionReport| match job.progress {
            true => progress(job, stage, report),
            false => Ok(()),
        };
        let record =
            self.ready.grade_watched(opened, &held, &self.work.cancellation, &mut watch)?;
        if let Some(results) = self.results {
            results.write(&record)?;
        }
        Ok(record)
    }
}

/// Says how far a job is.
fn progress(job: &Job, stage: Stage, report: &SubmissionReport) -> Result<(), Failure> {
    let (submission, report) = (job.submission.clone(), Box::new(report.clone()));
    say(&Answer::Progress { submission, stage, report })
}

fn jobs(from: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if from == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(from)
        .map_err(|error| Failure::machine(format!("read {}", from.display()), error))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Writes a line.
fn say(answer: &Answer) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, answer)
        .map_err(io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(|error| Failure::unwritten("an answer", &error))
}
