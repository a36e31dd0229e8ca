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
mod watch;

pub(crate) use containment::contain;
pub use containment::{Containment, containment};
pub(in crate::run) use launcher::shown_by;
pub use launcher::{EXTRA_PROCESSES, Launch, Launched, Launcher};
pub use limit::{limit, refused, step_back, with_others};
pub use namespace::{Guard, new_for_children};
pub(in crate::run) use obstacle::OfAnother;
pub use obstacle::{failure, no_temporary_files};
pub(in crate::run) use porter::Porters;
pub use porter::serve_as_porter;
pub use running::{Running, end_all};
pub use usage::{Charge, Usage, is_any_runnable, usage, usage_of_tree};
pub use watch::end_of;

use crate::files;
use crate::run::build::Runnable;
use crate::run::interactor::{Interactor, Streams};
use crate::run::search::Search;
use crate::run::work::Work;
use folder::CaseFolder;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::Duration;
use subject::{Case, Outcome};
use watch::{Ended, watched};

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

/// Runs a program on a case, and gives its outcome and the time that it is charged with.
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
    work.account.charge(ended.time);
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
    work.account.charge(only.time);
    Ok((only.outcome, only.time))
}

/// Enters the sandbox of a hostile program that will run there. Its file need not be in a folder that it is shown yet.
///
/// # Errors
/// If there is no sandbox, or it cannot be entered.
pub fn expect(work: &Work, runnable: &Runnable) -> io::Result<()> {
    let (Some(shown), Some(porters)) = (&runnable.hostile, &work.porters) else {
        return Err(io::ErrorKind::Unsupported.into());
    };
    porters.expect(inside(runnable, shown)?)
}

/// Leaves the sandbox of a program that will not run there.
pub fn forget(work: &Work, runnable: &Runnable) {
    if let (Some(shown), Some(porters)) = (&runnable.hostile, &work.porters)
        && let Ok((words, _)) = inside(runnable, shown)
    {
        porters.forget(&words);
    }
}

fn run_in_new_folder(
    work: &Work,
    runnable: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<Ended> {
    let run = || match (&runnable.interactor, &runnable.hostile, &work.porters) {
        (Some(interactor), ..) => run_talking(work, runnable, interactor, case, limits),
        (None, Some(shown), Some(porters)) => {
            // The sandbox does not know when all must end.
            let limits = ProcessLimits { wall: limits.wall.min(work.search.left()), ..*limits };
            porters.run(inside(runnable, shown)?, case, &limits)
        }
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
        let ended = ended?;
        work.account.charge(ended.time);
        return Ok(ended.outcome);
    }
    let place = || CaseFolder::Given(runnable.folder.clone());
    let ended = run_confirmed(|| run_once(&work.search, runnable, case, limits, &place(), None))?;
    work.account.charge(ended.time);
    Ok(ended.outcome)
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
    command.env_remove(subject::WORKER_VARIABLE);
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
    let is_inside = |path: &PathBuf| shown.iter().any(|folder| path.starts_with(folder));
    let more = named.into_iter().filter(|path| !is_inside(path));
    Ok((words, shown.iter().cloned().chain(more).collect()))
}

fn nothing_to_run() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the command line is empty")
}

/// Variables of the environment with which a program does the same each time. Without the first, a set in Python has another order in
/// each run. Without the second, the C library reserves 64 MB of address space for each thread, and Java 21 does not start within 1 GB.
pub const STEADY: [(&str, &str); 2] = [("PYTHONHASHSEED", "0"), ("MALLOC_ARENA_MAX", "1")];

/// Gives a program an environment in which it does the same each time.
pub fn steady(command: &mut Command) {
    // A backtrace takes a hundred times as long as the panic.
    command.envs(STEADY).env_remove("RUST_BACKTRACE");
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
