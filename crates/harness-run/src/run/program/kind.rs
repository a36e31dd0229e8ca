//! Which engines a program can have, and how each starts it.

use super::BuiltProgram;
use crate::course::Language;
use crate::run::build::Runnable;
use crate::run::engine::Engine;
use crate::run::host;
use crate::run::worker::Settings;
use rustix::process::{Resource, getrlimit};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What serves a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProgramKind {
    /// It links `subject` and is a worker itself.
    Linked,
    /// A dynamically linked executable, which the host is loaded into.
    Executable,
    /// A Python program: the worker in Python runs its file.
    Python,
    /// A Java program: the worker in Java loads its classes.
    Java,
    /// Nothing: it is started for each case.
    Other,
}

/// A worker writes little to standard error: why it aborted.
const STDERR: u64 = 1 << 20;
/// Bytes of address space that an interpreter needs beside its program.
const ROOM: u64 = 1 << 30;
/// How long the harness waits at least for a run that a host has not stopped.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

impl ProgramKind {
    /// The kind of a program that does not link `subject`. A program that is found through the PATH is an interpreter or belongs to the
    /// system, so that no host is loaded into it.
    pub(super) fn of(runnable: &Runnable) -> Self {
        match runnable.words.as_slice() {
            [python, flags @ .., file]
                if python == "python3" && Language::Python.has_source(Path::new(file)) =>
            {
                // With these, the file is an argument of another program.
                let is_flag =
                    |flag: &String| flag.starts_with('-') && !["-m", "-c"].contains(&flag.as_str());
                if flags.iter().all(is_flag) { Self::Python } else { Self::Other }
            }
            // A folder of classes, as a course's sources are compiled into.
            [java, .., option, classes, _]
                if java == "java" && option == "-cp" && is_folder(Path::new(classes)) =>
            {
                Self::Java
            }
            [program, ..] if program.contains('/') => {
                if is_dynamic_executable(&runnable.folder.join(program)) {
                    Self::Executable
                } else {
                    Self::Other
                }
            }
            _ => Self::Other,
        }
    }

    /// Its engines, the fastest first. The last one is always a process.
    pub(super) fn engines(&self) -> &'static [Engine] {
        match self {
            Self::Linked | Self::Java => &[Engine::Worker, Engine::Process],
            Self::Executable => &[Engine::Snapshot, Engine::Fork, Engine::Process],
            Self::Python => &[Engine::Worker, Engine::Fork, Engine::Process],
            Self::Other => &[Engine::Process],
        }
    }

    /// The fastest engine that is not faster than `fastest`.
    pub(super) fn from(&self, fastest: Engine) -> Engine {
        let engines = self.engines().iter().copied();
        engines.into_iter().find(|&engine| engine >= fastest).unwrap_or(Engine::Process)
    }

    /// The engine after `engine`. `None` after the last one.
    pub(super) fn after(&self, engine: Engine) -> Option<Engine> {
        self.engines().iter().copied().find(|&next| next > engine)
    }

    pub(super) fn settings(
        &self,
        program: &BuiltProgram,
        engine: Engine,
    ) -> Result<Settings, String> {
        let BuiltProgram { work, runnable, hello, limits, stalls, .. } = program;
        let mut settings = Settings {
            work: work.clone(),
            stalls: stalls.clone(),
            runnable: runnable.clone(),
            hello: hello.clone(),
            environment: Vec::new(),
            memory: limits.memory,
            file_size: STDERR,
            patience: limits.time,
            processes: 1,
        };
        if *self == Self::Linked {
            return Ok(settings);
        }
        // A host stops a run itself. The harness waits longer, in case that it cannot. Starting the program takes time too.
        settings.patience = limits.time.saturating_mul(2).max(LEAST_PATIENCE);
        settings.memory = ROOM.saturating_add(limits.memory);
        settings.file_size = settings.file_size.max(limits.output);
        settings.processes = limits.processes.saturating_add(2);
        if engine == Engine::Fork {
            settings.environment.push(("SUBJECT_ENGINE".to_owned(), "fork".into()));
        }
        if *self == Self::Python {
            let file = host::python_worker(program.standings.shared_folder())?;
            let last = settings.runnable.words.len() - 1;
            settings.runnable.words.insert(last, file.display().to_string());
        } else if *self == Self::Java {
            let worker = host::java_worker(program.standings.shared_folder())?;
            let words = &mut settings.runnable.words;
            let classes = words.len() - 2;
            let start = [&worker.display().to_string(), "SubjectWorker"].map(str::to_owned);
            words.splice(classes..classes, start);
            words.insert(1, host::WATCHING.to_owned());
        } else {
            let host = host::shared_object(program.standings.shared_folder())?;
            // The host reserves addresses, and limits the memory of the program itself.
            settings.memory = getrlimit(Resource::As).maximum.unwrap_or(u64::MAX);
            settings.environment.push(("LD_PRELOAD".to_owned(), host.into_os_string()));
            settings.environment.push(("LD_BIND_NOW".to_owned(), "1".into()));
        }
        Ok(settings)
    }
}

fn is_folder(path: &Path) -> bool {
    path.is_absolute() && path.is_dir()
}

/// Whether `path` is an executable of this machine that glibc's dynamic linker loads, which loads the host as well.
fn is_dynamic_executable(path: &Path) -> bool {
    interpreter(path).is_some_and(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("ld-linux")
    })
}

/// The dynamic linker that an ELF executable with 64 bits names.
fn interpreter(path: &Path) -> Option<PathBuf> {
    const LOADS_INTERPRETER: u32 = 3;
    const FIRST_BYTES: u64 = 1 << 16;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(FIRST_BYTES).read_to_end(&mut bytes).ok()?;
    let number = |at: usize, length: usize| -> Option<usize> {
        let field = bytes.get(at..at.checked_add(length)?)?;
        Some(field.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    };
    let is_elf = bytes.starts_with(b"\x7fELF\x02\x01");
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let header = (0..count)
        .filter_map(|index| table.checked_add(index * size))
        .find(|&header| number(header, 4) == Some(LOADS_INTERPRETER as usize))
        .filter(|_| is_elf)?;
    let (start, length) = (number(header + 8, 8)?, number(header + 32, 8)?);
    let name = bytes.get(start..start.checked_add(length)?)?;
    let name = name.split(|&byte| byte == 0).next()?;
    Some(PathBuf::from(std::str::from_utf8(name).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runnable(words: &[&str]) -> Runnable {
        Runnable::new(words.iter().map(|&word| word.to_owned()).collect(), PathBuf::from("/"))
    }

    #[test]
    fn only_a_program_with_a_path_is_loaded_with_the_host() {
        let this = std::env::current_exe().unwrap().display().to_string();
        assert_eq!(ProgramKind::of(&runnable(&[&this])), ProgramKind::Executable);
        assert_eq!(ProgramKind::of(&runnable(&["cat"])), ProgramKind::Other);
        assert_eq!(ProgramKind::of(&runnable(&["/no/such/program"])), ProgramKind::Other);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(ProgramKind::of(&runnable(&[script])), ProgramKind::Other);
        assert_eq!(ProgramKind::of(&runnable(&["python3", "solver.py"])), ProgramKind::Python);
        assert_eq!(ProgramKind::of(&runnable(&["python3", "-m", "solver"])), ProgramKind::Other);
        let folder = env!("CARGO_MANIFEST_DIR");
        let java = ProgramKind::of(&runnable(&["java", "-Xmx64m", "-cp", folder, "Solver"]));
        assert_eq!(java, ProgramKind::Java);
        let archive = ["java", "-cp", "/no/such/solver.jar", "Solver"];
        assert_eq!(ProgramKind::of(&runnable(&archive)), ProgramKind::Other);
    }

    #[test]
    fn engines_get_slower_and_end_with_a_process() {
        for kind in [
            ProgramKind::Linked,
            ProgramKind::Executable,
            ProgramKind::Python,
            ProgramKind::Java,
            ProgramKind::Other,
        ] {
            assert!(kind.engines().is_sorted(), "{kind:?}");
            assert_eq!(kind.engines().last(), Some(&Engine::Process));
            assert_eq!(kind.after(Engine::Process), None);
            assert_eq!(kind.from(Engine::Process), Engine::Process);
        }
        assert_eq!(ProgramKind::Executable.from(Engine::Worker), Engine::Snapshot);
        assert_eq!(ProgramKind::Linked.from(Engine::Fork), Engine::Process);
    }
}
