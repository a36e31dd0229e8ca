//! All trials of one submission's sources: the build, the runs on cases, and the check for leaks. What the store knows is not done again.

use super::SourceFile;
use super::build::{self, Built};
use super::case::MadeCase;
use super::cores::Turn;
use super::leak;
use super::patience::Patience;
use super::store::{KeptKind, Store};
use super::trial::Bench;
use crate::course::submission::{Rule, Submission};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::hash::Digest;
use crate::result::graded::points::share_of_time;
use crate::result::graded::{BuildReport, CaseReport, LeaksReport, Verdict};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

/// The most bytes of programs that are kept.
const MOST_BYTES: usize = 16 << 20;

/// The trials of the sources of a submission.
pub struct Trials<'a> {
    bench: &'a Bench,
    store: &'a Store,
    sources: &'a [SourceFile],
    /// The key of the runs.
    key: String,
    turn: Turn<'a>,
    patience: Patience,
    runs: Runs,
    has_run: bool,
    pub built: Built,
    /// The most bytes that a run on one of the cases wrote to standard error.
    most_said: usize,
}

/// What is known of runs, by the digest of what was run.
#[derive(Default, Serialize, Deserialize)]
struct Runs {
    cases: BTreeMap<String, CaseReport>,
    leaks: BTreeMap<String, LeaksReport>,
    /// The bytes that the runs on cases wrote to standard error.
    said: BTreeMap<String, usize>,
    /// Of runs that were stopped, the seconds that the reference takes, and those after which they were stopped.
    #[serde(default)]
    stopped: BTreeMap<String, (f64, f64)>,
}

/// A build as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptBuild {
    report: BuildReport,
    /// The rules that were broken.
    broken: Vec<(Rule, Problem)>,
    /// The contents of the files of each program.
    programs: BTreeMap<String, BTreeMap<String, String>>,
}

impl<'a> Trials<'a> {
    /// Builds the sources. Everything runs in this turn.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn begin(
        bench: &'a Bench,
        store: &'a Store,
        sources: &'a [SourceFile],
        turn: Turn<'a>,
    ) -> Result<Self, Failure> {
        let submission = &bench.submission;
        let key = sources_key(store, sources, submission);
        let known = store.read::<KeptBuild>(KeptKind::Build, &key).and_then(KeptBuild::built);
        let built = if let Some(built) = known {
            built
        } else {
            let built = build::build(&bench.sandbox, sources, submission, turn)?;
            if let Some(kept) = KeptBuild::new(&built) {
                store.write(KeptKind::Build, &key, &kept)?;
            }
            built
        };
        let key = runs_key(bench, store, &key);
        let runs = if is_repeatable(bench) { store.read(KeptKind::Runs, &key) } else { None };
        let runs = runs.unwrap_or_default();
        let patience = Patience::default();
        let (has_run, most_said) = (false, 0);
        Ok(Self { bench, store, sources, key, turn, patience, runs, has_run, built, most_said })
    }

    /// The result of a case. A wrong one is shown in full if `is_shown`.
    ///
    /// # Errors
    /// If the machine or the reference fails.
    pub fn case(&mut self, made: &MadeCase, is_shown: bool) -> Result<CaseReport, Failure> {
        let Bench { reference, submission, .. } = self.bench;
        let (key, time) =
            (format!("{} {:?}", reference.key(&made.case), made.answer), &submission.time);
        let known = self.runs.cases.get(&key);
        let known = known.filter(|it| it.verdict.is_right() || it.shown.is_some() || !is_shown);
        let limit = self.runs.stopped.get(&key);
        let limit = limit.map(|&(reference, most)| (self.patience.limit(reference, time), most));
        // A run that was stopped could finish within a higher limit.
        let has_room = limit.as_ref().is_some_and(|(limit, most)| limit.seconds > *most);
        if let Some(known) = known.filter(|_| !has_room) {
            self.patience.learn(known.verdict);
            self.most_said = self.most_said.max(self.runs.said.get(&key).copied().unwrap_or(0));
            let mut report = CaseReport { name: made.name.clone(), ..known.clone() };
            report.shown = report.shown.filter(|_| is_shown);
            report.stopped = limit.map(|(limit, _)| limit.why);
            self.weigh(&mut report);
            return Ok(report);
        }
        let mut tried =
            self.bench.try_case(made, &self.built.programs, &mut self.patience, self.turn)?;
        let said = tried.outcome.as_ref().map_or(0, |(outcome, _)| outcome.stderr.len());
        self.most_said = self.most_said.max(said);
        let verdict = tried.report.verdict;
        if is_shown && !verdict.is_right() {
            tried.report.shown = self.bench.shown(made, &tried)?;
        }
        if verdict != Verdict::NotRun {
            self.has_run = true;
            self.runs.said.insert(key.clone(), said);
            self.runs.stopped.remove(&key);
            if verdict == Verdict::Timeout {
                let reference = reference.about(&made.case, self.turn)?;
                let most = self.patience.limit(reference, time).seconds;
                self.runs.stopped.insert(key.clone(), (reference, most));
            }
            self.patience.learn(verdict);
            self.runs.cases.insert(key, tried.report.clone());
        }
        Ok(tried.report)
    }

    /// Checks passed cases for leaks.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn leaks(&mut self, passed: &[&MadeCase]) -> Result<LeaksReport, Failure> {
        let settings = format!("{:?}", self.bench.submission.leaks);
        let digest = self.store.digest().with(settings);
        let reference = &self.bench.reference;
        let key = passed
            .iter()
            .fold(digest, |digest, made| digest.with(&made.name).with(reference.key(&made.case)));
        let key = key.hex();
        if let Some(known) = self.runs.leaks.get(&key) {
            return Ok(known.clone());
        }
        let report =
            leak::check(self.bench, passed, self.sources, &self.built.programs, self.turn)?;
        // What could not be checked may be checked the next time.
        if report.unchecked.is_none() && !passed.is_empty() {
            self.has_run = true;
            self.runs.leaks.insert(key, report.clone());
        }
        Ok(report)
    }

    /// The problem that the program says too much, by the runs on cases until now.
    pub fn says_too_much(&self) -> Option<(Rule, Problem)> {
        let most = self.bench.submission.stderr_kb;
        let kilobytes = self.most_said.div_ceil(1024);
        (kilobytes as u64 > most).then(|| {
            let problem = Problem::new(format!(
                "the program writes {kilobytes} kilobytes to standard error, more than {most}"
            ));
            let hint = "messages there are free, but they must not grow with the input";
            (Rule::Stderr, problem.hint(hint))
        })
    }

    /// Keeps what was found out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(self) -> Result<(), Failure> {
        if !self.has_run || !is_repeatable(self.bench) {
            return Ok(());
        }
        self.store.write(KeptKind::Runs, &self.key, &self.runs)
    }

    /// Computes the points of a known time, because the course may weigh times differently now.
    fn weigh(&self, report: &mut CaseReport) {
        let time = &self.bench.submission.time;
        let Some(measures) = report.measures.filter(|_| report.verdict.is_right()) else { return };
        let reference = measures.reference_seconds.unwrap_or(time.least);
        report.share = share_of_time(measures.seconds, reference, time);
        report.verdict = if report.share < 1.0 { Verdict::Slow } else { Verdict::Passed };
    }
}

/// The key of these sources: submissions with the same key are built once.
pub fn sources_key(store: &Store, sources: &[SourceFile], submission: &Submission) -> String {
    let Submission { program, build, banned, .. } = submission;
    let flags = submission.flags();
    let digest = store.digest().with(format!("{:?}", (program, build, flags, banned)));
    let add = |digest: Digest, file: &SourceFile| digest.with(&file.name).with(&file.bytes);
    sources.iter().fold(digest, add).hex()
}

fn runs_key(bench: &Bench, store: &Store, build: &str) -> String {
    let Submission { arguments, memory_mb, output_kb, time, .. } = &*bench.submission;
    let limits = (arguments, memory_mb, output_kb, time.seconds, time.least, time.runs);
    let judge = &bench.assignment.judge;
    store.digest().with(build).with(format!("{limits:?} {judge:?}")).hex()
}

/// Whether the same run gets the same verdict again. It is not known what else a checker depends on.
fn is_repeatable(bench: &Bench) -> bool {
    bench.assignment.judge.inspector().is_none()
}

impl KeptBuild {
    /// `None` if it is too large.
    fn new(built: &Built) -> Option<Self> {
        let mut room = MOST_BYTES;
        let mut programs = BTreeMap::new();
        for (name, folder) in &built.programs {
            let mut files = BTreeMap::new();
            for entry in fs::read_dir(folder.path()).ok()? {
                let entry = entry.ok()?;
                let bytes = fs::read(entry.path()).ok()?;
                room = room.checked_sub(bytes.len())?;
                files.insert(entry.file_name().into_string().ok()?, BASE64_STANDARD.encode(bytes));
            }
            programs.insert(name.clone(), files);
        }
        Some(Self { report: built.report.clone(), broken: built.broken.clone(), programs })
    }

    fn built(self) -> Option<Built> {
        let program = |(name, texts): (String, BTreeMap<String, String>)| {
            let folder = files::temporary_folder().ok()?;
            for (file, text) in texts {
                let bytes = BASE64_STANDARD.decode(text).ok()?;
                let mut options = fs::OpenOptions::new();
                options.write(true).create_new(true).mode(0o755);
                options.open(folder.path().join(file)).ok()?.write_all(&bytes).ok()?;
            }
            Some((name, folder))
        };
        Some(Built {
            report: self.report,
            broken: self.broken,
            programs: self.programs.into_iter().map(program).collect::<Option<_>>()?,
        })
    }
}
