//! Processor cores that only one submission uses at a time, whatever number of submissions and of runs of `harness` share the machine.
//!
//! Whoever uses a core holds the lock on a file. The system releases it when the process ends.

use crate::diagnostic::Failure;
use crate::run::cancellation::Cancellation;
use rustix::fs::OFlags;
use std::env;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The cores that this process may use.
pub struct Cores {
    cores: Vec<usize>,
    /// The folder of the locks.
    folder: PathBuf,
}

/// A core, until this is dropped.
pub struct Held {
    pub core: usize,
    _lock: File,
}

/// The turn of one grading: the core on which its programs run, if it holds one, and what asks it to end.
#[derive(Clone, Copy, Default)]
pub struct Turn<'a> {
    pub core: Option<usize>,
    pub cancellation: Option<&'a Cancellation>,
}

impl Cores {
    /// How often a busy core is tried.
    const PAUSE: Duration = Duration::from_millis(10);

    /// Finds the cores, and prepares the locks, which all processes of the machine share.
    ///
    /// # Errors
    /// If the locks cannot be prepared.
    pub fn find() -> Result<Self, Failure> {
        Self::with_locks_in(env::temp_dir().join("harness-cores"))
    }

    fn with_locks_in(folder: PathBuf) -> Result<Self, Failure> {
        let allowed = rustix::thread::sched_getaffinity(None).ok();
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        let is_allowed = |core: &usize| allowed.as_ref().is_some_and(|set| set.is_set(*core));
        let mut cores: Vec<_> = all.filter(is_allowed).collect();
        if cores.is_empty() {
            cores.push(0);
        }
        let failed = |error| Failure::machine(format!("make {}", folder.display()), error);
        if !folder.is_dir() {
            // Another process may make it at the same time. As in `/tmp`, every user may add files, and remove only their own.
            let made = fs::create_dir(&folder)
                .and_then(|()| fs::set_permissions(&folder, Permissions::from_mode(0o1777)));
            if let Err(error) =
                made.or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) })
            {
                return Err(failed(error));
            }
        }
        Ok(Self { cores, folder })
    }

    pub fn count(&self) -> usize {
        self.cores.len()
    }

    /// Waits for a core that nobody uses, and takes it.
    ///
    /// # Errors
    /// If a lock cannot be opened.
    pub fn take(&self) -> Result<Held, Failure> {
        loop {
            for &core in &self.cores {
                let file = self.folder.join(core.to_string());
                let failed = |error| Failure::machine(format!("lock {}", file.display()), error);
                let lock = open(&file).map_err(failed)?;
                match lock.try_lock() {
                    Ok(()) => return Ok(Held { core, _lock: lock }),
                    Err(TryLockError::WouldBlock) => {}
                    Err(TryLockError::Error(error)) => return Err(failed(error)),
                }
            }
            thread::sleep(Self::PAUSE);
        }
    }
}

/// Opens a lock, which may belong to another user. It does not wait if that user made a pipe instead.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            options.write(true).create(true).mode(0o644).open(path)
        }
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn no_core_is_used_twice_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let locks = || Cores::with_locks_in(folder.path().to_owned()).unwrap();
        let used = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    // Each has its own view of the locks, as another process would.
                    let held = locks().take().unwrap();
                    let mut now = used.lock().unwrap();
                    assert!(!now.contains(&held.core), "{} is used already", held.core);
                    now.push(held.core);
                    drop(now);
                    thread::sleep(Duration::from_millis(5));
                    used.lock().unwrap().retain(|core| *core != held.core);
                });
            }
        });
    }
}
