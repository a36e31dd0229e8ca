//! Runs hostile programs: what a student wrote, and what builds it.
//!
//! Layers hold a program, and none is trusted alone: namespaces, which bubblewrap makes; a filter of system calls ([`filter`]); control
//! groups ([`groups`]); an ordinary user; and limits on resources ([`supervisor`]). Every run has a disk of its own ([`disk`]), of which
//! nothing is left after the run, except copies of plain files if the caller wants to keep them.
//!
//! A *spawner* (`sandbox/spawner.rs`) is a thread that starts programs, one after the other. It has a mount namespace of its own, in which
//! each run gets a disk in memory with a limit on bytes and on files, and the files of the run are copied there. Bubblewrap makes the
//! other namespaces: no network, no process and no file of the machine except `/usr` and what the loader needs, all of it read-only.
//! The first process inside is `harness` again, the *supervisor* (`sandbox/supervisor.rs`). It starts the program as an ordinary user,
//! under limits on resources, and behind a filter that lists the allowed system calls. If root started `harness`, the supervisor belongs to
//! another user than the program. In any case it cannot be read, traced or ended by the program. After the program's end it ends and reaps
//! everything else, and reports the status, processor time and memory. If it is killed, or the harness is, everything inside ends with it.
//! All that a spawner starts is also in a PID namespace of the spawner, whose first process ends with the harness: bubblewrap's own child
//! waits for bubblewrap before it agrees to end with it.

mod bubblewrap;
mod disk;
mod filter;
mod groups;
mod launcher;
mod layers;
mod running;
mod spawner;
mod supervisor;

pub use layers::{Layer, Layers};

use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::run::cancellation::Cancellation;
use crate::run::process;
use spawner::Spawners;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// What a program that runs others calls first in `main`, while it has one thread. It enters a user namespace, if the machine requires
/// that for containing programs. It does not return if this process was started as a part of another one: as the supervisor of a sandbox,
/// or as the first process of a namespace. A process calls it once, whatever it runs afterwards.
pub fn enter() {
    supervisor::serve_if_asked();
    process::contain();
}

/// The folder in which a program runs, as the program sees it.
pub const BOX: &str = "/box";

/// The folders in which a program in the sandbox looks for others.
const FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Whether the first word of a command names a program of the machine, which no student can help to be missing. Other paths are files of
/// the folder in which the command runs.
pub fn is_of_machine(program: &str) -> bool {
    let path = Path::new(program);
    !program.contains('/') || path.is_absolute() && !path.starts_with(BOX)
}

/// The place of a program of the machine, if programs in the sandbox see it.
pub fn seen(program: &str) -> Option<PathBuf> {
    let is_seen = |path: &Path| {
        let place = path.canonicalize().unwrap_or_default();
        ["/usr", "/bin", "/sbin"].iter().any(|folder| place.starts_with(folder))
    };
    let places = FOLDERS.iter().map(|folder| Path::new(folder).join(program));
    places.into_iter().find(|path| files::is_executable(path) && is_seen(path))
}

/// What holds programs on this machine.
pub struct Sandbox {
    /// They end before what they use.
    spawners: Spawners,
    layers: Layers,
}

/// A program to run.
#[derive(Clone, Debug, Default)]
pub struct Job<'a> {
    /// The program and its arguments. A relative path is relative to the folder in which the program runs. A name without a slash is
    /// looked up in the folders of programs.
    pub command: Vec<OsString>,
    /// The program runs in a copy of this folder, which it may change. Links are not copied. Without it, the program runs in an empty
    /// folder.
    pub folder: Option<&'a Path>,
    /// More files of the folder, such as those of a case.
    pub files: Option<&'a BTreeMap<String, Vec<u8>>>,
    /// The plain files that the program leaves in its folder are copied to this folder, which exists.
    pub keep: Option<&'a Path>,
    /// Files and folders that the program may read, at the same place as outside: compilers that are not below `/usr`.
    pub shown: Vec<PathBuf>,
    /// Variables beside `PATH`, `HOME`, `LANG` and `TMPDIR`.
    pub variables: Vec<(String, String)>,
    pub stdin: &'a [u8],
    /// Standard input and output, if they are there, instead of `stdin` and what is read. The run takes them.
    pub streams: Option<&'a Mutex<Option<[OwnedFd; 2]>>>,
    pub limits: SandboxLimits,
    /// The processor core on which the program runs. Otherwise it runs on any.
    pub core: Option<usize>,
    /// Asks the work that the program runs for to end. The program is stopped then.
    pub cancellation: Option<&'a Cancellation>,
    /// Whether the program may start no other process. It may have threads, and become another program.
    pub is_alone: bool,
}

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct SandboxLimits {
    /// The processor time of all processes of the run, and also the time for which it sleeps. Waiting for the processor is free.
    pub time: Duration,
    /// The time by the clock.
    pub wall: Duration,
    /// Bytes of memory, of all processes, with what they write into their folder.
    pub memory: u64,
    /// Bytes of the stack of the first thread.
    pub stack: u64,
    /// Processes and threads at the same time.
    pub processes: u64,
    /// Bytes of standard output, and of standard error.
    pub output: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of all files in the folder of the run and in `/tmp`, with those that were there at the start.
    pub disk: u64,
    /// Files and folders on this disk.
    pub files: u64,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(35),
            wall: Duration::from_secs(350),
            memory: 4 << 30,
            stack: 8 << 20,
            processes: 64,
            output: 64 << 20,
            file: 256 << 20,
            disk: 256 << 20,
            files: 10_000,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signal(i32),
    /// It was stopped because it used up its processor time.
    TimeLimit,
    /// It was stopped because it slept too long, or took too long by the clock.
    WallLimit,
    /// It was stopped because it used up its memory.
    MemoryLimit,
    /// It was stopped because it wrote too much to standard output or standard error, or into one file.
    OutputLimit,
    /// It was stopped because it started too many processes.
    ProcessLimit,
    /// It cannot be started, for this reason: it is missing, or no program.
    NotStarted(String),
}

/// A run that has ended. None of its processes is left.
#[derive(Clone, Debug)]
pub struct Ran {
    pub ending: Ending,
    /// What it wrote, up to the limit.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The processor time of all its processes, of the system and of the user.
    pub cpu: Duration,
    pub wall: Duration,
    /// The most bytes of memory that one of its processes held at a time.
    pub peak_memory: u64,
    /// Whether its disk was full in the end.
    pub disk_is_full: bool,
    /// What it left in its folder and was not kept, because it is no plain file or folder, or lies too deep: names in the folder.
    pub not_kept: Vec<PathBuf>,
}

impl Sandbox {
    /// A sandbox with every layer of this machine.
    ///
    /// # Errors
    /// If an essential layer is missing. The problem names it, and says how to install it.
    pub fn open() -> Result<Self, Problem> {
        let sandbox = Self { layers: Layers::find()?, spawners: Spawners::default() };
        let trial = Job { command: vec!["true".into()], ..Job::default() };
        let refused = |why: String| {
            Problem::new(format!("programs cannot be isolated on this machine: {why}")).hint(
                "allow user namespaces, which Ubuntu forbids programs without an AppArmor profile, or in a container, the capability CAP_SYS_ADMIN",
            )
        };
        let failed = |failure: Failure| {
            refused(failure.problems.into_iter().map(|problem| problem.message).collect())
        };
        match sandbox.run(&trial).map_err(failed)?.ending {
            Ending::Exited(0) => Ok(sandbox),
            Ending::NotStarted(why) => Err(refused(format!("`true` does not start: {why}"))),
            other => Err(refused(format!("`true` ends with {other:?}"))),
        }
    }

    /// No namespaces and no filter: only what needs nothing installed, which are limits and an end to what a run started.
    pub fn none() -> Self {
        Self { layers: Layers::none(), spawners: Spawners::default() }
    }

    /// The same sandbox, in which no program sees this folder: not even if it is below `/usr`, which every program sees.
    #[must_use]
    pub fn hiding(mut self, folder: &Path) -> Self {
        self.layers.hide(folder);
        self
    }

    /// Whether programs are isolated.
    pub fn isolates(&self) -> bool {
        self.layers.isolates()
    }

    /// What holds programs, for `doctor`.
    pub fn layers(&self) -> Vec<Layer> {
        self.layers.list()
    }

    /// What the limit on memory does not hold on this machine, and how to change that. `None` if it holds for all that a run uses.
    pub fn unlimited(&self) -> Option<Problem> {
        self.layers.unlimited()
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// If it could not be run for a reason that is not its own, or was stopped because its work is asked to end.
    pub fn run(&self, job: &Job) -> Result<Ran, Failure> {
        running::run(&self.layers, &self.spawners, job)
    }
}
