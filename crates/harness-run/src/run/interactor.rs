//! Runs programs that talk with an interactor: a program of the course that asks, answers, and says whether the other one is right.
//!
//! The two are processes, and the output of each is the input of the other. The interactor is called as a checker of Kattis, and what it
//! says becomes the outcome of the program: one that is right exits with status 0 and has printed [`RIGHT`], and one that is wrong exits
//! with status [`WRONG`]. So nothing else needs to know that a program talks.
//!
//! A program that a signal ended, or that took too long, is wrong, whatever the interactor says of what it did before. Any other exit
//! status counts only if the interactor accepts. An interactor that fails while the program does not is an error of the course, unless
//! nobody has looked at the program: what that says may be what the interactor fails on, and it talked with the reference on the same case.

use super::build::Runnable;
use super::inspector::{self, OUTPUT, PROCESSES};
use super::judge::Files;
use super::process::{self, Charge, OfAnother, Running};
use super::search::Search;
use crate::course::{Assignment, Course, Judge};
use crate::diagnostic::{Failure, Problem, printable};
use rustix::process::Signal;
use serde::{Deserialize, Serialize};
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use subject::{Case, End, Outcome};

/// What a program has printed that the interactor accepts.
pub const RIGHT: &[u8] = b"accepted\n";
/// The exit status of a program that the interactor does not accept.
pub const WRONG: u8 = 43;
/// The exit status of an interactor that accepts.
const ACCEPTS: i32 = 42;

/// The standard input and the standard output of a program.
pub type Streams = [OwnedFd; 2];

/// A program that talks with others.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Interactor {
    words: Vec<String>,
    /// The folder of the course, in which it runs.
    folder: PathBuf,
    /// The words after those of the protocol.
    args: Vec<String>,
    /// The time that it may take after the other program, and its memory.
    time: Duration,
    memory: u64,
}

/// A talk between an interactor and a program.
pub struct Talk<'a> {
    interactor: &'a Interactor,
    running: Running,
    files: Files,
    streams: Option<Streams>,
}

impl Interactor {
    /// The interactor of an assignment, if it has one. It is built first if it is a source.
    ///
    /// # Errors
    /// If the build fails.
    pub fn of(course: &Course, assignment: &Assignment) -> Result<Option<Self>, Failure> {
        let Judge::Interactor(settings) = &assignment.judge else { return Ok(None) };
        let (Runnable { words, folder, .. }, _) =
            inspector::runnable(course, assignment, settings)?;
        let (args, time, memory) = (settings.args.clone(), settings.time, settings.memory);
        Ok(Some(Self { words, folder, args, time, memory }))
    }

    /// Starts it for a program on a case.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, case: &Case) -> io::Result<Talk<'_>> {
        let files = Files::write(super::judge::input(case), &[], &[]);
        let files = files.map_err(|error| process::no_temporary_files(&error))?;
        let (questions, asked) = io::pipe()?;
        let (answers, answered) = io::pipe()?;
        let mut command = Command::new(process::absolute(&self.words[0], &self.folder));
        command.args(&self.words[1..]).args(files.of_kattis()).args(&self.args);
        command.current_dir(&self.folder);
        process::steady(&mut command);
        command.stdin(answers).stdout(asked).stderr(Stdio::null());
        process::limit(&mut command, self.memory, OUTPUT, PROCESSES);
        let running = Running::start(command)
            .map_err(|error| self.failure(&format!("cannot be started: {error}"), None))?;
        let streams = Some([questions.into(), answered.into()]);
        Ok(Talk { interactor: self, running, files, streams })
    }

    fn failure(&self, what: &str, said: Option<String>) -> io::Error {
        let said = said.map(|said| format!(": {}", printable(&said))).unwrap_or_default();
        let message = format!("the interactor `{}` {what}{said}", self.words.join(" "));
        let hint = "this exposes no bug: correct the interactor, or its command";
        io::Error::other(OfAnother(Problem::new(message).hint(hint)))
    }
}

impl Talk<'_> {
    /// The streams of the program that talks with it. They are given once.
    pub fn streams(&mut self) -> Option<Streams> {
        self.streams.take()
    }

    /// What comes of a talk that a program ended with this outcome. If the interactor fails on one that `is_hostile`, that one is wrong.
    ///
    /// # Errors
    /// If the interactor fails, and the program may not be the cause.
    pub fn verdict(
        mut self,
        search: &Search,
        outcome: Outcome,
        is_hostile: bool,
    ) -> io::Result<Outcome> {
        let is_pipe = outcome.end == End::Crash(format!("signal {}", Signal::PIPE.as_raw()));
        if !is_pipe && !matches!(outcome.end, End::Exit(_)) {
            return Ok(outcome);
        }
        let has_ended = self.wait(search)?;
        if search.has_ended() {
            return Ok(Outcome { end: End::Timeout, ..outcome });
        }
        let said = self.files.feedback();
        if !has_ended {
            let what = format!("takes more than {:?}", self.interactor.time);
            let failure = self.interactor.failure(&what, said);
            return if is_hostile { Ok(failed(outcome, &failure)) } else { Err(failure) };
        }
        match self.running.end()?.code() {
            Some(code) if code == i32::from(WRONG) => {
                let said = said.unwrap_or_else(|| "the interactor does not accept it".to_owned());
                let (end, stdout, stderr) = (End::Exit(WRONG), Vec::new(), said.into_bytes());
                Ok(Outcome { end, stdout, stderr, ..outcome })
            }
            Some(ACCEPTS) if outcome.end == End::Exit(0) => {
                Ok(Outcome { stdout: RIGHT.to_vec(), stderr: Vec::new(), ..outcome })
            }
            Some(ACCEPTS) => Ok(outcome),
            status => {
                let what = match status {
                    Some(status) => {
                        format!("exits with status {status}, but 42 is right and 43 is wrong")
                    }
                    None => "crashes".to_owned(),
                };
                let failure = self.interactor.failure(&what, said);
                if outcome.end == End::Exit(0) && !is_hostile {
                    return Err(failure);
                }
                // Either of the two may have made the other one fail.
                Ok(failed(outcome, &failure))
            }
        }
    }

    /// Waits for the interactor, and tells whether it ended in time.
    fn wait(&mut self, search: &Search) -> io::Result<bool> {
        const LOOK: Duration = Duration::from_millis(2);
        let mut charge = Charge::new(Duration::ZERO);
        let id = self.running.child.id();
        while !self.running.has_ended()? {
            let used = || process::usage_of_tree(id);
            if search.has_ended() || charge.is_over(self.interactor.time, used) {
                return Ok(false);
            }
            thread::sleep(LOOK);
        }
        Ok(true)
    }
}

/// The outcome of a program that is wrong because the interactor failed: it has not printed [`RIGHT`].
fn failed(outcome: Outcome, failure: &io::Error) -> Outcome {
    let stderr = [outcome.stderr, format!("{failure}\n").into_bytes()].concat();
    Outcome { stdout: Vec::new(), stderr, ..outcome }
}
