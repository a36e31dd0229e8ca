//! A resident grader: a child process that has prepared one assignment of one version of the course.

use super::group::{FAREWELL, Group, LastWords};
use super::program::Program;
use harness::grading::Stage;
use harness::grading::jobs::{Answer, End, Job};
use harness::result::graded::SubmissionReport;
use harness::result::record::Record;
use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

/// The longest line that a grader may write.
const LONGEST: usize = 64 << 20;

/// A resident grader. When it is dropped, its whole process group is killed.
pub(super) struct Grader {
    process: Group,
    jobs: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// The line that is being read. It stays if whoever reads is interrupted.
    line: Vec<u8>,
    errors: LastWords,
    is_ready: bool,
    silence: Duration,
}

/// Why there is no record.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The grader is of no use any more, and why.
    Grader(String),
    /// The files of the course on this machine are not those of the version any more.
    CourseChanged,
    /// The job cannot be graded, and why. If there is a grader, it is well.
    Job(String),
    /// The database is away, and why.
    Away(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grader(why) | Self::Job(why) | Self::Away(why) => f.write_str(why),
            Self::CourseChanged => {
                f.write_str("something changed the files of the course where they were unpacked")
            }
        }
    }
}

impl Grader {
    /// Starts one. It prepares the course by itself.
    pub(super) fn start(
        program: &Program,
        course: &Path,
        assignment: &str,
        silence: Duration,
    ) -> io::Result<Self> {
        let mut child = program.grade(course, assignment).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Group(child);
        let (jobs, Some(answers), Some(errors)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        Ok(Self {
            process,
            jobs,
            answers: BufReader::new(answers),
            line: Vec::new(),
            errors: LastWords::hear(errors),
            is_ready: false,
            silence,
        })
    }

    /// Whether the course is prepared.
    pub(super) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Waits until the course is prepared. It can be interrupted and called again.
    pub(super) async fn ready(&mut self) -> Result<(), Trouble> {
        if self.is_ready {
            return Ok(());
        }
        match self.answer().await? {
            Answer::Ready { .. } => {
                self.is_ready = true;
                Ok(())
            }
            Answer::Ended { why: End::CourseChanged } => Err(Trouble::CourseChanged),
            other => Err(nonsense(&other)),
        }
    }

    /// Grades a submission. `watch` hears of each stage. If it is interrupted, the grader is of no use any more.
    pub(super) async fn grade(
        &mut self,
        job: &Job,
        mut watch: impl FnMut(Stage, &SubmissionReport),
    ) -> Result<Record, Trouble> {
        self.ready().await?;
        let mut line = serde_json::to_vec(job).map_err(|error| Trouble::Job(error.to_string()))?;
        line.push(b'\n');
        // If it does not read, it says or has said why.
        if let Some(jobs) = &mut self.jobs {
            let _ = jobs.write_all(&line).await;
        }
        loop {
            match self.answer().await? {
                Answer::Progress { submission, stage, report } if submission == job.submission => {
                    watch(stage, &report);
                }
                Answer::Graded { submission, record } if submission == job.submission => {
                    return Ok(*record);
                }
                Answer::Failed { submission, problems, .. }
                    if submission.as_ref() == Some(&job.submission) =>
                {
                    let all: Vec<_> = problems.iter().map(|it| it.message.as_str()).collect();
                    return Err(Trouble::Job(all.join("; ")));
                }
                Answer::Ended { why: End::CourseChanged } => return Err(Trouble::CourseChanged),
                other => return Err(nonsense(&other)),
            }
        }
    }

    /// Ends it. What it holds on the disk is removed, if it does so in time.
    pub(super) async fn end(mut self) {
        drop(self.jobs.take());
        let _ = tokio::time::timeout(FAREWELL, self.process.0.wait()).await;
    }

    /// The next answer. It can be interrupted and called again.
    async fn answer(&mut self) -> Result<Answer, Trouble> {
        let read = read_line(&mut self.answers, &mut self.line);
        match tokio::time::timeout(self.silence, read).await {
            Err(_) => {
                let minutes = self.silence.as_secs().div_ceil(60);
                Err(Trouble::Grader(format!("the grader said nothing for {minutes} min")))
            }
            Ok(Err(error)) => Err(Trouble::Grader(format!("the grader: {error}"))),
            Ok(Ok(false)) => Err(Trouble::Grader(self.how_it_ended().await)),
            Ok(Ok(true)) => {
                let answer = serde_json::from_slice(&self.line);
                self.line.clear();
                answer.map_err(|error| {
                    Trouble::Grader(format!("the grader said what is no answer: {error}"))
                })
            }
        }
    }

    /// What is known of the end of a grader that closed its output.
    async fn how_it_ended(&mut self) -> String {
        // What it started must not hold the pipes open.
        self.process.kill();
        let status = self.process.0.wait().await;
        let words = self.errors.all().await;
        let signal = status.ok().and_then(|status| status.signal());
        match (signal, words.trim()) {
            (Some(signal), _) => format!("the grader was ended by signal {signal}"),
            (None, "") => "the grader ended without saying why".to_owned(),
            (None, words) => words.to_owned(),
        }
    }
}

/// Reads up to the end of a line. False at the end of the output.
async fn read_line(from: &mut BufReader<ChildStdout>, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let left = LONGEST.saturating_sub(line.len()) as u64;
        if left == 0 {
            return Err(io::Error::other("a line without an end"));
        }
        if from.take(left).read_until(b'\n', line).await? == 0 {
            return Ok(false);
        }
        if line.ends_with(b"\n") {
            return Ok(true);
        }
    }
}

fn nonsense(answer: &Answer) -> Trouble {
    let what = match answer {
        Answer::Ready { .. } => "ready",
        Answer::Progress { .. } => "progress",
        Answer::Graded { .. } => "graded",
        Answer::Failed { .. } => "failed",
        Answer::Ended { .. } => "ended",
    };
    Trouble::Grader(format!("the grader answered `{what}`, which nobody had asked for"))
}
