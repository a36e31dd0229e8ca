//! The reference beside a submission: its answers, which are kept by digest, and its time and memory.

use super::case::MadeCase;
use super::cores::Turn;
use super::program::{Call, Measured, RunLimits, SandboxedProgram};
use super::timed::Timed;
use crate::course::{Assignment, Course, Submission};
use crate::diagnostic::{Failure, Problem};
use crate::domain::Refusals;
use crate::files;
use crate::run::build::{self, Runnable, Variant};
use crate::run::outside::no_answer;
use crate::sandbox::Sandbox;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use subject::{Case, End, Outcome};

/// The most cases of which is known about how long the reference takes. Students' own tests are among them.
const MOST_KNOWN: usize = 10_000;
/// How long a measurement of the reference counts for other submissions.
const MINUTE: Duration = Duration::from_secs(60);

/// The reference of an assignment.
pub struct Reference {
    sandbox: Arc<Sandbox>,
    program: SandboxedProgram<'static>,
    /// The program whose time counts, if it is another one.
    timed: Option<Timed>,
    limits: RunLimits,
    refusals: Refusals,
    /// The folder of the answers.
    answers: PathBuf,
    /// The digest of the program.
    digest: String,
    measured: Mutex<BTreeMap<String, (Instant, f64, u64)>>,
    /// About how long it takes on a case, for limits.
    about: Mutex<BTreeMap<String, f64>>,
}

impl Reference {
    /// Builds the reference of an assignment, for its submissions.
    ///
    /// # Errors
    /// If the build fails.
    pub fn build(
        course: &Course,
        assignment: &Assignment,
        submission: &Submission,
        sandbox: Arc<Sandbox>,
        limits: RunLimits,
    ) -> Result<Self, Failure> {
        let runnable = build::build(course, assignment, Variant::Reference)?;
        let timed = Timed::build(course, submission, &sandbox)?;
        let mut digest = digest_of(course, assignment, &runnable);
        digest.extend(timed.as_ref().map(|timed| format!(" {}", timed.digest)));
        let answers = build::target_folder(course, assignment).join("answers");
        files::prune(&answers);
        // The reference is given the time that it needs.
        let limits = RunLimits {
            time: limits.time * 4,
            wall: limits.wall * 4,
            memory: limits.memory * 2,
            ..limits
        };
        let program = SandboxedProgram::of_course(&runnable);
        let (measured, about) = (Mutex::default(), Mutex::default());
        let refusals = assignment.refusals.clone();
        Ok(Self { sandbox, program, timed, limits, refusals, answers, digest, measured, about })
    }

    /// The SHA-256 of the program, in hexadecimal, and that of the one whose time counts.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Its answer to a case: that of an earlier run, if it was kept.
    ///
    /// # Errors
    /// If it cannot be run, or gives no answer.
    pub fn answer(&self, made: &MadeCase, turn: Turn<'_>) -> Result<Outcome, Failure> {
        let outcome = self.outcome(&made.case, turn)?;
        if self.refusals.is_failure(&outcome) {
            return Err(no_answer(&made.name, &outcome));
        }
        Ok(outcome)
    }

    /// Whether it accepts a case.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn accepts(&self, case: &Case) -> Result<bool, Failure> {
        Ok(self.outcome(case, Turn::default())?.end == End::Exit(0))
    }

    /// What it does on the first of `cases`, if it accepts none of them.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn rejects_all(&self, cases: &[Case]) -> Result<Option<Outcome>, Failure> {
        let mut first = None;
        for case in cases {
            // What it says is not kept with its answers.
            let outcome = self.run(case, Turn::default())?.outcome;
            if outcome.end == End::Exit(0) {
                return Ok(None);
            }
            first = first.or(Some(outcome));
        }
        Ok(first)
    }

    /// What it does on a case. If it exits, that is kept.
    fn outcome(&self, case: &Case, turn: Turn<'_>) -> Result<Outcome, Failure> {
        let file = self.answers.join(self.key(case));
        let kept =
            files::read_kept(&file).ok().and_then(|it| serde_json::from_slice::<Kept>(&it).ok());
        if let Some(outcome) = kept.and_then(Kept::outcome) {
            return Ok(outcome);
        }
        let outcome = self.run(case, turn)?.outcome;
        if let Some(kept) = Kept::new(&outcome)
            && let Ok(text) = serde_json::to_vec(&kept)
        {
            // Without it, the reference runs again.
            let _ = fs::create_dir_all(&self.answers).and_then(|()| files::replace(&file, &text));
        }
        Ok(outcome)
    }

    /// Runs it once.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn run(&self, case: &Case, turn: Turn<'_>) -> Result<Measured, Failure> {
        let call = Call { case, args: &case.args };
        self.program.run(&self.sandbox, call, self.limits, turn)
    }

    /// Runs the program whose time counts.
    ///
    /// # Errors
    /// If it cannot be run, or ends in another way than the reference.
    pub fn time(&self, case: &Case, turn: Turn<'_>) -> Result<Measured, Failure> {
        let Some(timed) = &self.timed else { return self.run(case, turn) };
        let call = Call { case, args: &case.args };
        let measured = timed.program().run(&self.sandbox, call, self.limits, turn)?;
        let (right, end) = (self.outcome(case, turn)?.end, &measured.outcome.end);
        if *end == right {
            return Ok(measured);
        }
        let message = format!(
            "`reference` of the submission's program ends a case with {end:?}, and the reference with {right:?}"
        );
        let hint = "it must be right on all cases; `harness grade` says of it what it says of a submission";
        Err(Failure::broken_course(Problem::new(message).hint(hint)))
    }

    /// Its time and memory on a case, if they were measured in the last minute.
    pub fn measured(&self, case: &Case) -> Option<(f64, u64)> {
        let measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let (when, seconds, memory) = measured.get(&self.key(case))?;
        (when.elapsed() < MINUTE).then_some((*seconds, *memory))
    }

    /// About how many seconds it takes on a case: those of one run.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn about(&self, case: &Case, turn: Turn<'_>) -> Result<f64, Failure> {
        let key = self.key(case);
        let known = self.about.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some(seconds) = known {
            return Ok(seconds);
        }
        let seconds = self.time(case, turn)?.seconds;
        let mut about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        if about.len() >= MOST_KNOWN {
            about.clear();
        }
        about.insert(key, seconds);
        Ok(seconds)
    }

    /// Remembers its time and memory on a case.
    pub fn remember(&self, case: &Case, seconds: f64, memory: u64) {
        let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        measured.retain(|_, (when, ..)| when.elapsed() < MINUTE);
        measured.insert(self.key(case), (Instant::now(), seconds, memory));
    }

    /// The digest of the program and a case.
    pub fn key(&self, case: &Case) -> String {
        let mut hasher = Sha256::new();
        let mut add = |part: &[u8]| {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(self.digest.as_bytes());
        case.args.iter().for_each(|arg| add(arg.as_bytes()));
        add(&case.input);
        case.files.iter().for_each(|(name, contents)| {
            add(name.as_bytes());
            add(contents);
        });
        hex(&hasher.finalize())
    }
}

/// The digest of the program and of what it reads.
pub fn digest_of(course: &Course, assignment: &Assignment, runnable: &Runnable) -> String {
    let words = runnable.words.iter().map(|word| runnable.folder.join(word));
    let mut files: Vec<PathBuf> = words.filter(|path| path.is_file()).collect();
    if !assignment.program.needs_cargo() {
        files.extend(build::sources(course, assignment));
    }
    let mut hasher = Sha256::new();
    for file in files {
        let contents = fs::read(&file).unwrap_or_default();
        hasher.update((contents.len() as u64).to_le_bytes());
        hasher.update(contents);
    }
    hex(&hasher.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    status: u8,
    stdout: String,
    /// A course may compare its lines.
    stderr: String,
    files: BTreeMap<String, String>,
}

impl Kept {
    /// `None` if the program did not exit.
    fn new(outcome: &Outcome) -> Option<Self> {
        let End::Exit(status) = outcome.end else { return None };
        let text = |bytes: &Vec<u8>| BASE64_STANDARD.encode(bytes);
        let files = outcome.files.iter().map(|(name, bytes)| (name.clone(), text(bytes))).collect();
        let [stdout, stderr] = [&outcome.stdout, &outcome.stderr].map(text);
        Some(Self { status, stdout, stderr, files })
    }

    fn outcome(self) -> Option<Outcome> {
        let bytes = |text: String| BASE64_STANDARD.decode(text).ok();
        let files = self.files.into_iter().map(|(name, text)| Some((name, bytes(text)?)));
        Some(Outcome {
            end: End::Exit(self.status),
            stdout: bytes(self.stdout)?,
            stderr: bytes(self.stderr)?,
            files: files.collect::<Option<_>>()?,
        })
    }
}
