//! Starts a program for one case, under limits.
//!
//! Each run has a new folder, so that it finds no file of the user's or of another run, and changes none. Everything that the program
//! started ends with the run ([`containment()`]). A time-out is confirmed by a second run while the harness
//! runs nothing else, so that a busy machine is not taken for a hanging program. A program that has used up its processor time needs no
//! confirmation.

mod containment;
mod folder;
mod init;
mod launcher;
mod limit;
mod namespace;
mod obstacle;
mod porter;
mod running;
mod starter;
mod streams;
mod usage;

pub(crate) use containment::contain;
pub use containment::{Containment, containment};
pub(in crate::run) use launcher::shown_by;
pub use launcher::{EXTRA_PROCESSES, Launch, Launched, Launcher};
pub use limit::{limit, refused, step_back, with_others};
pub use namespace::{Guard, new_for_children};
pub(in crate::run) use obstacle::OfAnother;
pub use obstacle::{failure, no_temporary_files};
pub(in crate::run) use porter::Porters;
pub use running::{Running, end_all};
pub use usage::{Charge, Usage, is_any_runnable, usage, usage_of_tree};

use crate::files;
use crate::run::build::Runnable;
use crate::run::interactor::{Interactor, Streams};
use crate::run::search::Search;
use crate::run::work::Work;
use folder::CaseFolder;
use rustix::process::Signal;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};
use streams::{read_some, ready};
use subject::{Case, End, Outcome};
use usage::{threads_of_the_system, usage_of_run};

/// What one run may use.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// Time by the wall clock. While the program waits for the processor, only its processor time counts.
    pub time: Duration,
    /// The most time by the wall clock. It is not known whether a program that is stopped by this would have finished.
    pub wall: Duration,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of output, and of each file.
    pub output: u64,
    /// Processes at the same time.
    pub processes: u64,
}

/// Every run holds this for reading. A run that must be alone on the machine holds it for writing, so it also waits for the runs of
/// other work in this process.
static ALONE: RwLock<()> = RwLock::new(());

/// Runs a program on a case, and gives its outcome and its time.
///
/// # Errors
/// If it cannot be started.
pub fn run(
    work: &Work,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<(Outcome, Duration)> {
    let ended = run_confirmed(|| run_in_new_folder(work, runnable, case, limits))?;
    Ok((ended.outcome, ended.time))
}

/// Runs once more, alone, if the first time is not certain.
fn run_confirmed(run: impl Fn() -> io::Result<Ended>) -> io::Result<Ended> {
    let first = {
        let _among_others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
        run()?
    };
    if first.is_certain {
        return Ok(first);
    }
    let _alone = ALONE.write().unwrap_or_else(PoisonError::into_inner);
    run()
}

/// Runs a program on a case once. A time-out may be the fault of other programs that run.
///
/// # Errors
/// If it cannot be started.
pub fn run_among_others(
    work: &Work,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<(Outcome, Duration)> {
    let _among_others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
    let only = run_in_new_folder(work, runnable, case, limits)?;
    Ok((only.outcome, only.time))
}

fn run_in_new_folder(
    work: &Work,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<Ended> {
    let run = || match (&runnable.interactor, &runnable.hostile, &work.porters) {
        (Some(interactor), ..) => run_talking(work, runnable, interactor, case, limits),
        (None, Some(shown), Some(porters)) => porters.run(inside(runnable, shown)?, case, limits),
        _ => run_once(&work.search, runnable, case, limits, &CaseFolder::new(case)?, None),
    };
    let mut ended = run();
    for _ in 1..MOST_TRIES {
        if !ended.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::ExecutableFileBusy) {
            break;
        }
        thread::sleep(MOMENT);
        ended = run();
    }
    ended
}

/// Runs a program that talks with an interactor, which says whether it is right.
fn run_talking(
    work: &Work,
    runnable: &Runnable,
    interactor: &Interactor,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<Ended> {
    let mut talk = interactor.start(case)?;
    let streams = talk.streams();
    let ended = if let (Some(shown), Some(porters)) = (&runnable.hostile, &work.porters) {
        let folder = files::temporary_folder()?;
        launched(work, porters, inside(runnable, shown)?, folder.path(), case, limits, streams)
    } else {
        let folder = CaseFolder::new(case)?;
        run_once(&work.search, runnable, case, limits, &folder, streams)
    };
    let ended = ended?;
    let is_hostile = runnable.hostile.is_some();
    Ok(Ended { outcome: talk.verdict(&work.search, ended.outcome, is_hostile)?, ..ended })
}

/// How often a program is started that was just written, and the pause before each time but the first. It is open for writing as long as
/// a process has it that another thread was about to start at that time.
const MOST_TRIES: u32 = 100;
const MOMENT: Duration = Duration::from_millis(50);

/// How often a sandbox is started that does not start, for example because a user has too many processes for a moment, and the pause
/// before each time but the first.
const MOST_STARTS: u32 = 4;
const PAUSE: Duration = Duration::from_millis(200);

/// Runs a program that works on files, such as a compiler or a checker, in the folder of its relative paths. If it is hostile, as a
/// compiler of what others wrote is, it may write only there.
///
/// # Errors
/// If it cannot be started.
pub fn run_in_place(
    work: &Work,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<Outcome> {
    if let (Some(shown), Some(porters)) = (&runnable.hostile, &work.porters) {
        let _among_others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
        let inside = inside(runnable, shown)?;
        let run = || launched(work, porters, inside.clone(), &runnable.folder, case, limits, None);
        let mut ended = run();
        for _ in 1..MOST_STARTS {
            if !launcher::has_not_started(&ended) {
                break;
            }
            thread::sleep(PAUSE);
            ended = run();
        }
        return Ok(ended?.outcome);
    }
    let place = || CaseFolder::Given(runnable.folder.clone());
    let ended = run_confirmed(|| run_once(&work.search, runnable, case, limits, &place(), None))?;
    Ok(ended.outcome)
}

/// A run that has ended.
struct Ended {
    outcome: Outcome,
    time: Duration,
    /// Whether the outcome does not depend on what else runs on the machine.
    is_certain: bool,
}

fn run_once(
    search: &Search,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
    folder: &CaseFolder,
    streams: Option<Streams>,
) -> io::Result<Ended> {
    let [program, words @ ..] = runnable.words.as_slice() else { return Err(nothing_to_run()) };
    let mut command = Command::new(absolute(program, &runnable.folder));
    command.args(words).args(&case.args).current_dir(folder.path());
    command.env_remove(subject::WORKER_VARIABLE).env_remove(porter::VARIABLE);
    steady(&mut command);
    match &runnable.mutant {
        Some(mutant) => command.env(subject::MUTANT_VARIABLE, mutant),
        None => command.env_remove(subject::MUTANT_VARIABLE),
    };
    connect(&mut command, case, streams)?;
    limit(&mut command, limits.memory, limits.output, limits.processes);
    watched(search, limits, case, folder, || {
        Running::start(command).map_err(|error| refused(error, limits.memory, limits.output))
    })
}

/// Runs a program in the sandbox, in a folder that it may write to.
fn launched(
    work: &Work,
    porters: &Porters,
    (mut words, shown): (Vec<OsString>, Vec<PathBuf>),
    folder: &Path,
    case: &Case,
    limits: &ProcessLimits,
    streams: Option<Streams>,
) -> io::Result<Ended> {
    words.extend(case.args.iter().map(OsString::from));
    let mut launched = porters.launcher.launch(&Launch {
        words,
        variables: Vec::new(),
        shown,
        work: Some(folder.to_owned()),
        memory: limits.memory,
        file_size: limits.output,
        processes: with_others(limits.processes),
    })?;
    connect(&mut launched.command, case, streams)?;
    let processes = limits.processes.saturating_add(EXTRA_PROCESSES);
    let limits = ProcessLimits { processes, ..*limits };
    let folder = CaseFolder::Given(folder.to_owned());
    watched(&work.search, &limits, case, &folder, || Running::start_launched(launched, false))
}

/// The words of a hostile program as the sandbox knows them, and what it is shown.
fn inside(runnable: &Runnable, shown: &[PathBuf]) -> io::Result<(Vec<OsString>, Vec<PathBuf>)> {
    let [program, words @ ..] = runnable.words.as_slice() else { return Err(nothing_to_run()) };
    let program = absolute(program, &runnable.folder).into_os_string();
    let mut words: Vec<_> = [program].into_iter().chain(words.iter().map(OsString::from)).collect();
    let named = shown_by(&mut words);
    Ok((words, shown.iter().cloned().chain(named).collect()))
}

fn nothing_to_run() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the command line is empty")
}

/// Starts a program and watches it to its end.
fn watched(
    search: &Search,
    limits: &ProcessLimits,
    case: &Case,
    folder: &CaseFolder,
    start: impl FnOnce() -> io::Result<Running>,
) -> io::Result<Ended> {
    let threads_before = threads_of_the_system();
    let (start, running) = (Instant::now(), start()?);
    let charge = Charge::new(Duration::ZERO);
    let mut run = Run { running, start, charge, threads_before, limits, search };
    let (cut, streams) = run.watch()?;
    let is_certain = cut != Some(End::Timeout)
        || usage_of_run(run.running.child.id()).is_some_and(|usage| usage.processor >= limits.time);
    let status = run.running.end()?;
    let time = start.elapsed();
    let [stdout, stderr] = streams;
    let end = cut.unwrap_or_else(|| end_of(status, &stderr));
    let outcome = Outcome { end, stdout, stderr, files: folder.written(case)? };
    Ok(Ended { outcome, time, is_certain })
}

/// Gives a program an environment in which it does the same each time.
pub fn steady(command: &mut Command) {
    // A set in Python would have another order in each run. A backtrace takes a hundred times as long as the panic.
    command.env("PYTHONHASHSEED", "0").env_remove("RUST_BACKTRACE");
}

/// A relative path of a program is relative to the program's own folder, wherever it runs. An absolute one stays as it is: an interpreter
/// finds its packages beside the link that starts it.
pub fn absolute(program: &str, folder: &Path) -> PathBuf {
    if program.starts_with('/') {
        program.into()
    } else if program.contains('/') {
        fs::canonicalize(folder.join(program)).unwrap_or_else(|_| folder.join(program))
    } else {
        crate::run::interpreter::resolved(program).into()
    }
}

/// Gives a program its streams: these, or else the input of a case, and a pipe.
fn connect(command: &mut Command, case: &Case, streams: Option<Streams>) -> io::Result<()> {
    match streams {
        Some([input, output]) => command.stdin(input).stdout(output),
        None => command.stdin(stdin_of(&case.input)?).stdout(Stdio::piped()),
    };
    command.stderr(Stdio::piped());
    Ok(())
}

/// Standard input as a file. Writing to it cannot block, and the program cannot close it too early.
fn stdin_of(input: &[u8]) -> io::Result<Stdio> {
    let filled = files::temporary().and_then(|mut file| {
        file.write_all(input)?;
        file.rewind()?;
        Ok(file)
    });
    filled.map(Stdio::from).map_err(|error| no_temporary_files(&error))
}

/// A program that is running.
struct Run<'a> {
    running: Running,
    start: Instant,
    charge: Charge,
    threads_before: u64,
    limits: &'a ProcessLimits,
    search: &'a Search,
}

impl Run<'_> {
    /// The time until the first check of a run, and the longest time between two checks.
    const FIRST_LOOK: Duration = Duration::from_millis(1);
    const LOOK: Duration = Duration::from_millis(20);
    /// How long processes that a program started may keep its streams open after its end.
    const GRACE: Duration = Duration::from_millis(200);

    /// Reads both streams until the program ends or must be stopped. Gives the reason if it is stopped.
    fn watch(&mut self) -> io::Result<(Option<End>, [Vec<u8>; 2])> {
        let mut pipes: [Option<File>; 2] = [
            self.running
                .child
                .stdout
                .take()
                .map(|pipe| File::from(std::os::fd::OwnedFd::from(pipe))),
            self.running
                .child
                .stderr
                .take()
                .map(|pipe| File::from(std::os::fd::OwnedFd::from(pipe))),
        ];
        let mut streams = [Vec::new(), Vec::new()];
        let mut ended_at = None;
        let mut look = Self::FIRST_LOOK;
        while pipes.iter().any(Option::is_some) {
            for at in ready(&pipes, look)? {
                if let Some(pipe) = &mut pipes[at]
                    && read_some(pipe, &mut streams[at])? == 0
                {
                    pipes[at] = None;
                }
            }
            // A run with a short limit must not go on for much longer.
            look = (look * 2).min(Self::LOOK).min(self.limits.time / 4);
            if streams.iter().any(|stream| stream.len() as u64 > self.limits.output) {
                return Ok((Some(End::OutputLimit), streams));
            }
            if let Some(cut) = self.overdue() {
                return Ok((Some(cut), streams));
            }
            if ended_at.is_none() && self.running.has_ended()? {
                ended_at = Some(Instant::now());
            }
            if ended_at.is_some_and(|at: Instant| at.elapsed() > Self::GRACE) {
                break;
            }
        }
        Ok((self.wait_for_end()?, streams))
    }

    /// Waits for a program that has closed its streams.
    fn wait_for_end(&mut self) -> io::Result<Option<End>> {
        let mut pause = Duration::from_micros(50);
        while !self.running.has_ended()? {
            if let Some(cut) = self.overdue() {
                return Ok(Some(cut));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Self::LOOK);
        }
        Ok(None)
    }

    fn overdue(&mut self) -> Option<End> {
        let used = || usage_of_run(self.running.child.id());
        let is_late = self.start.elapsed() > self.limits.wall || self.search.has_ended();
        if is_late || self.charge.is_over(self.limits.time, used) {
            return Some(End::Timeout);
        }
        self.has_too_many_processes().then(|| {
            End::Crash(format!("it started more than {} processes", self.limits.processes))
        })
    }

    /// Counts the processes only if the system has many more threads than when the run began.
    fn has_too_many_processes(&self) -> bool {
        let most = self.limits.processes;
        threads_of_the_system() > self.threads_before + most
            && self.running.has_more_processes_than(most)
    }
}

/// How a run ended, from the exit status and from messages about memory.
pub fn end_of(status: ExitStatus, stderr: &[u8]) -> End {
    const OUT_OF_MEMORY: [&str; 5] = [
        "memory allocation of",
        "std::bad_alloc",
        "MemoryError",
        "OutOfMemoryError",
        "Cannot allocate memory",
    ];
    if !status.success()
        && OUT_OF_MEMORY.iter().any(|text| String::from_utf8_lossy(stderr).contains(text))
    {
        return End::Memory;
    }
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code.try_into().unwrap_or(u8::MAX)),
        (None, Some(signal)) if signal == Signal::XFSZ.as_raw() => End::OutputLimit,
        (None, signal) => End::Crash(format!("signal {}", signal.unwrap_or_default())),
    }
}
