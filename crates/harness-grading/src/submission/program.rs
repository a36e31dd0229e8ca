//! Runs a program on a case in the sandbox: the student's, or the reference under the same conditions.

use super::cores::Turn;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use crate::run::build::Runnable;
use crate::run::interactor::{Interactor, Streams, Talk};
use crate::run::process;
use crate::run::search::Search;
use crate::sandbox::{self, Ending, Job, Ran, Sandbox, SandboxLimits};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use std::{fs, io};
use subject::{Case, End, Outcome};

/// A program that the sandbox can run.
pub struct SandboxedProgram<'a> {
    /// Its words, to which the arguments of a case are added.
    command: Vec<OsString>,
    /// The folder that it runs in a copy of, if it is in one.
    folder: Option<&'a Path>,
    shown: Vec<PathBuf>,
    /// Whether it may start no other process.
    is_alone: bool,
    /// What it talks with.
    interactor: Option<Interactor>,
    /// The program of the machine that runs what a student wrote, if there is one.
    starter: Option<String>,
}

/// What a run may use, as the course says.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Of the processor, and of sleep.
    pub time: Duration,
    /// By the clock, which says little on a busy machine.
    pub wall: Duration,
    pub memory: u64,
    pub output: u64,
}

/// What a program did, and what it used.
#[derive(Clone, Debug)]
pub struct Measured {
    pub outcome: Outcome,
    /// How the sandbox says that it ended.
    pub ending: Ending,
    pub seconds: f64,
    pub memory: u64,
}

/// A case, and the arguments with which a program is called on it.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub case: &'a Case,
    pub args: &'a [String],
}

/// The failure of a program of the machine that cannot be started. A student cannot help it.
pub(super) fn cannot_start(program: &str, does: &str, why: &str, hint: &str) -> Failure {
    let problem = Problem::new(format!("cannot start `{program}`, which {does}: {why}"));
    Failure::new(FailureKind::Machine, problem.hint(hint))
}

impl<'a> SandboxedProgram<'a> {
    /// A program of a student, alone in its folder. These words start it there.
    pub fn of_student(words: &[String], folder: &'a Path) -> Self {
        let starter = words.first().filter(|word| sandbox::is_of_machine(word)).cloned();
        Self { folder: Some(folder), starter, ..Self::of_machine(words) }
    }

    /// A program of the machine.
    pub fn of_machine<W: AsRef<OsStr>>(words: &[W]) -> Self {
        let command = words.iter().map(|word| word.as_ref().to_owned()).collect();
        let (shown, is_alone) = (Vec::new(), false);
        Self { command, folder: None, shown, is_alone, interactor: None, starter: None }
    }

    /// The reference.
    pub fn of_course(reference: &Runnable) -> Self {
        // As in the folder of the course, where a command can name its files without a folder.
        let whole = |(at, word): (usize, &String)| {
            let path = reference.folder.join(word);
            let is_path = if at == 0 { word.contains('/') } else { path.is_file() };
            if is_path { path.canonicalize().unwrap_or(path).into_os_string() } else { word.into() }
        };
        let command: Vec<OsString> = reference.words.iter().enumerate().map(whole).collect();
        let paths = command.iter().map(PathBuf::from).filter(|path| path.is_absolute());
        // A program in Python imports the files beside it.
        let shown = paths.filter_map(|path| Some(path.parent()?.to_owned())).collect();
        let interactor = reference.interactor.as_deref().cloned();
        Self { command, folder: None, shown, is_alone: false, interactor, starter: None }
    }

    /// The same program, which talks with an interactor, if there is one. That runs outside of the sandbox.
    #[must_use]
    pub fn talking(self, interactor: Option<&Interactor>) -> Self {
        Self { interactor: interactor.cloned(), ..self }
    }

    /// The same program, started by another one.
    #[must_use]
    pub fn under(mut self, words: Vec<OsString>) -> Self {
        self.command = words.into_iter().chain(self.command).collect();
        self.starter = None;
        self
    }

    /// The same program, which may read this folder too.
    #[must_use]
    pub fn showing(mut self, folder: &Path) -> Self {
        self.shown.push(folder.to_owned());
        self
    }

    /// The same program, which may have threads, but may start no other process.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.is_alone = true;
        self
    }

    /// Runs the program once.
    ///
    /// # Errors
    /// If the machine fails, or lacks what runs the program.
    pub fn run(
        &self,
        sandbox: &Sandbox,
        call: Call<'_>,
        limits: RunLimits,
        turn: Turn<'_>,
    ) -> Result<Measured, Failure> {
        let kept = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        let failed = |error: io::Error| process::failure("run an interactor", &error);
        let interactor = self.interactor.as_ref();
        let mut talk = interactor.map(|it| it.start(call.case)).transpose().map_err(failed)?;
        let streams = Mutex::new(talk.as_mut().and_then(Talk::streams));
        let ran = self.ran(sandbox, call, limits, turn, kept.path(), &streams)?;
        if let (Ending::NotStarted(why), Some(starter)) = (&ran.ending, &self.starter) {
            let hint = "install it below /usr, or change `program` of the submission in harness.yaml; what the build makes is `./NAME`";
            return Err(cannot_start(starter, "runs submissions", why, hint));
        }
        let files = self.written(kept.path(), call.case);
        let end = match &ran.ending {
            Ending::Exited(status) => End::Exit(u8::try_from(*status).unwrap_or(u8::MAX)),
            Ending::Signal(signal) => End::Crash(format!("signal {signal}")),
            Ending::TimeLimit | Ending::WallLimit => End::Timeout,
            Ending::MemoryLimit => End::Memory,
            Ending::OutputLimit => End::OutputLimit,
            Ending::ProcessLimit => End::Crash("it started too many processes".to_owned()),
            Ending::NotStarted(why) => End::Crash(format!("it cannot be started: {why}")),
        };
        let Ran { ending, stdout, stderr, cpu, peak_memory, .. } = ran;
        let outcome = Outcome { end, stdout, stderr, files };
        let outcome = match talk {
            Some(talk) => {
                // Only the program of a student has a folder.
                let is_hostile = self.folder.is_some();
                talk.verdict(&Search::default(), outcome, is_hostile).map_err(failed)?
            }
            None => outcome,
        };
        Ok(Measured { outcome, ending, seconds: cpu.as_secs_f64(), memory: peak_memory })
    }

    /// Runs the program once, and keeps the files that it leaves.
    fn ran(
        &self,
        sandbox: &Sandbox,
        call: Call<'_>,
        limits: RunLimits,
        turn: Turn<'_>,
        keep: &Path,
        streams: &Mutex<Option<Streams>>,
    ) -> Result<Ran, Failure> {
        let command = self.command.iter().cloned();
        let command = command.chain(call.args.iter().map(Into::into)).collect();
        let job = Job {
            command,
            folder: self.folder,
            files: Some(&call.case.files),
            keep: Some(keep),
            shown: self.shown.clone(),
            stdin: &call.case.input,
            streams: Some(streams),
            limits: SandboxLimits {
                time: limits.time,
                wall: limits.wall,
                memory: limits.memory,
                output: limits.output,
                file: limits.output,
                ..SandboxLimits::default()
            },
            core: turn.core,
            cancellation: turn.cancellation,
            is_alone: self.is_alone,
            ..Job::default()
        };
        sandbox.run(&job)
    }

    /// The plain files that are new, or differ from those of the case. Without files in the case, what a program writes does not count.
    fn written(&self, kept: &Path, case: &Case) -> BTreeMap<String, Vec<u8>> {
        if case.files.is_empty() {
            return BTreeMap::new();
        }
        let entries = fs::read_dir(kept).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let files = files.filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_program = self.folder.is_some_and(|folder| folder.join(&name).exists());
            let contents = if is_program { None } else { fs::read(entry.path()).ok() }?;
            (case.files.get(&name) != Some(&contents)).then_some((name, contents))
        });
        files.collect()
    }
}
