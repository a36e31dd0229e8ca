//! Runs a checker: a program that judges outputs. What it says is cached, because mutants often have equal outputs.
//!
//! A checker that fails is an error of the course, and never a bug exposed.

use crate::course::{self, Assignment, Course, Protocol};
use crate::diagnostic::{Failure, Problem};
use crate::domain::Flaw;
use crate::files;
use crate::run::inspector::{self, Inspector};
use crate::run::process;
use crate::run::search::Search;
use crate::run::work::Work;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{fs, io};
use subject::{Case, End, Outcome};

/// A checker, and what it has said in this run.
pub(super) struct Checker {
    protocol: Protocol,
    inspector: Inspector,
    verdicts: Mutex<HashMap<[u8; 32], Verdict>>,
}

/// What a checker says of an output.
#[derive(Clone, PartialEq)]
enum Verdict {
    Right,
    /// With its message, on one line.
    Wrong(String),
}

impl Checker {
    pub(super) fn new(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        settings: &course::Checker,
    ) -> Result<Self, Failure> {
        let inspector = Inspector::new(work, course, assignment, &settings.inspector)?;
        Ok(Self { protocol: settings.protocol, inspector, verdicts: Mutex::default() })
    }

    /// When it may not run any more.
    pub(super) fn search(&self) -> &Search {
        &self.inspector.work.search
    }

    /// Its program.
    pub(super) fn program(&self) -> Result<PathBuf, Problem> {
        self.inspector.program()
    }

    /// What is wrong with `output`; `None` if it is right. Many a checker that crashes seems to say "wrong", so it is believed only if it
    /// accepts the right output.
    pub(super) fn flaw(
        &self,
        input: &[u8],
        right: &[u8],
        output: &[u8],
    ) -> Result<Option<Flaw>, Failure> {
        let Verdict::Wrong(message) = self.verdict(input, right, output)? else { return Ok(None) };
        if let Verdict::Wrong(message) = self.verdict(input, right, right)? {
            return Err(self.rejects_the_reference(message));
        }
        Ok(Some(Flaw::whole(message)))
    }

    /// What it says of `output`, now or before.
    fn verdict(&self, input: &[u8], right: &[u8], output: &[u8]) -> Result<Verdict, Failure> {
        let key = digest([input, right, output]);
        let verdicts = || self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = verdicts().get(&key).cloned();
        if let Some(verdict) = known {
            return Ok(verdict);
        }
        let verdict = self.run(input, right, output)?;
        verdicts().insert(key, verdict.clone());
        Ok(verdict)
    }

    /// Fails unless the checker accepts the right output, rejects an empty one, and says the same twice.
    pub(super) fn trial(&self, input: &[u8], right: &[u8]) -> Result<(), Failure> {
        let twice = |output| {
            let verdict = self.run(input, right, output)?;
            if self.run(input, right, output)? == verdict {
                Ok(verdict)
            } else {
                Err(self.failure("judges the same output in two ways", None))
            }
        };
        if let Verdict::Wrong(message) = twice(right)? {
            return Err(self.rejects_the_reference(message));
        }
        let is_blank = right.iter().all(u8::is_ascii_whitespace);
        if twice(&[])? == Verdict::Right && !is_blank {
            return Err(self.failure("accepts an empty output", None));
        }
        Ok(())
    }

    fn run(&self, input: &[u8], right: &[u8], output: &[u8]) -> Result<Verdict, Failure> {
        let files = Files::write(input, right, output).map_err(|error| {
            process::failure("check an output", &process::no_temporary_files(&error))
        })?;
        let outcome = self.inspector.run(&self.case(&files, output))?;
        self.meaning(&files, &outcome)
    }

    /// How the protocol calls it.
    fn case(&self, files: &Files, output: &[u8]) -> Case {
        let (names, stdin): (&[&str], _) = match self.protocol {
            Protocol::Kattis => (&[INPUT, ANSWER, FEEDBACK], output),
            Protocol::Testlib => (&[INPUT, OUTPUT_FILE, ANSWER], &[] as &[u8]),
            Protocol::Cms => (&[INPUT, ANSWER, OUTPUT_FILE], &[] as &[u8]),
        };
        let paths = names.iter().map(|name| files.path(name).display().to_string());
        let args = paths.chain(self.inspector.args().iter().cloned()).collect();
        Case { args, input: stdin.to_vec(), ..Case::default() }
    }

    /// What the outcome of a run means.
    fn meaning(&self, files: &Files, outcome: &Outcome) -> Result<Verdict, Failure> {
        let Outcome { end, stdout, stderr, .. } = outcome;
        let fails = |what: &str| Err(self.failure(what, files.message(stderr)));
        let status = match end {
            End::Exit(status) => *status,
            end => return Err(self.inspector.no_verdict(end, files.message(stderr))),
        };
        let undefined =
            |defined: &str| fails(&format!("exits with status {status}, but {defined}"));
        let wrong = |said: Option<String>| {
            Verdict::Wrong(said.unwrap_or_else(|| "the checker rejects the output".to_owned()))
        };
        match (self.protocol, status) {
            (Protocol::Kattis, 42) | (Protocol::Testlib, 0) => Ok(Verdict::Right),
            (Protocol::Kattis, 43) => Ok(wrong(files.feedback())),
            (Protocol::Kattis, _) => undefined("42 is right and 43 is wrong"),
            (Protocol::Testlib, 1 | 2 | 4 | 8) => Ok(wrong(files.message(stderr))),
            (Protocol::Testlib, 3) => fails("says that the course is wrong"),
            (Protocol::Testlib, 7) => fails("gives points, which are no verdict"),
            (Protocol::Testlib, _) => undefined("0 is right, and 1, 2, 4 and 8 are wrong"),
            (Protocol::Cms, 0) => match score(stdout) {
                Some(score) if score >= 1.0 => Ok(Verdict::Right),
                Some(_) => Ok(wrong(files.message(stderr))),
                None => fails("prints no number from 0 to 1"),
            },
            (Protocol::Cms, _) => undefined("a verdict has status 0"),
        }
    }

    fn rejects_the_reference(&self, said: String) -> Failure {
        self.failure("rejects what the reference prints", Some(said))
    }

    fn failure(&self, what: &str, said: Option<String>) -> Failure {
        self.inspector.failure(what, said)
    }
}

const INPUT: &str = "input";
const ANSWER: &str = "answer";
const OUTPUT_FILE: &str = "output";
/// Kattis' checkers append names to it.
const FEEDBACK: &str = "feedback/";

/// The files of one run.
pub(in crate::run) struct Files(tempfile::TempDir);

impl Files {
    pub(in crate::run) fn write(input: &[u8], right: &[u8], output: &[u8]) -> io::Result<Self> {
        let files = Self(files::temporary_folder()?);
        fs::write(files.path(INPUT), input)?;
        fs::write(files.path(ANSWER), right)?;
        fs::write(files.path(OUTPUT_FILE), output)?;
        fs::create_dir(files.path(FEEDBACK))?;
        Ok(files)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The words of the protocol of Kattis.
    pub(in crate::run) fn of_kattis(&self) -> [PathBuf; 3] {
        [INPUT, ANSWER, FEEDBACK].map(|name| self.path(name))
    }

    /// What a Kattis checker says to the judges, or else to the team. What it wrote is not trusted: it may be no file.
    pub(in crate::run) fn feedback(&self) -> Option<String> {
        let read = |name: &str| {
            let path = self.path(FEEDBACK).join(name);
            let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
            self.message(&if is_file { fs::read(path).unwrap_or_default() } else { Vec::new() })
        };
        read("judgemessage.txt").or_else(|| read("teammessage.txt"))
    }

    /// The beginning of what a checker says, on one line; `None` if it says nothing. The folder of these files has another name in each
    /// run, so it is left out.
    fn message(&self, said: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(said).replace(&*self.path("").to_string_lossy(), "");
        inspector::message(&text)
    }
}

/// The number from 0 to 1 in the first line.
fn score(stdout: &[u8]) -> Option<f64> {
    let first = str::from_utf8(stdout).ok()?.lines().next()?.trim();
    first.parse().ok().filter(|score| (0.0..=1.0).contains(score))
}

/// A hash of all parts, each with its length.
fn digest(parts: [&[u8]; 3]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}
