//! A thread that starts programs, one after the other.
//!
//! It has a mount namespace, in which the disk of the run is, and control groups. What it starts inherits both. Moving a process into a
//! group takes the system several milliseconds, and moving this thread takes them only once.

use super::SandboxLimits;
use super::groups::Group;
use super::layers::Layers;
use crate::run::process::{self, Guard};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::thread::{UnshareFlags, gettid, unshare_unsafe};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Spawners that no run uses.
#[derive(Default)]
pub(super) struct Spawners(Mutex<Vec<Spawner>>);

/// A thread that waits for work.
pub(super) struct Spawner {
    /// `None` once the thread has to end.
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
    /// Where the whole process finds the files that the thread sees.
    root: PathBuf,
    /// The first process of the PID namespace of all that the thread starts, if programs are isolated. Everything ends with it, and it
    /// ends with the harness, even if the harness is killed while bubblewrap starts.
    guard: Option<Mutex<Guard>>,
    /// They are removed after the end of the thread.
    pub(super) group: Option<Group>,
}

type Work = Box<dyn FnOnce() + Send>;

impl Spawners {
    /// A spawner for one run with these limits.
    pub(super) fn take(&self, layers: &Layers, limits: &SandboxLimits) -> io::Result<Spawner> {
        loop {
            let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(spawner) = free else { break };
            // What is left of an earlier run can be more than a lower limit allows.
            if spawner.limit(limits).is_ok() {
                return Ok(spawner);
            }
        }
        let spawner = Spawner::new(layers)?;
        spawner.limit(limits)?;
        Ok(spawner)
    }

    /// Gives back a spawner whose run has ended.
    pub(super) fn give_back(&self, spawner: Spawner) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(spawner);
    }
}

impl Spawner {
    fn new(layers: &Layers) -> io::Result<Self> {
        let group = layers.groups.as_ref().ok().map(super::groups::Groups::group).transpose()?;
        let (work, orders) = channel::<Work>();
        let thread = thread::Builder::new().name("spawner".to_owned());
        let thread = Some(thread.spawn(move || orders.into_iter().for_each(|work| work()))?);
        let root = PathBuf::from("/");
        let mut spawner = Self { work: Some(work), thread, root, guard: None, group };
        let thread = spawner.does(|| gettid().as_raw_nonzero())?;
        if layers.isolates() {
            spawner.does(leave_mount_namespace)??;
            spawner.root = format!("/proc/self/task/{thread}/root").into();
            let guard = spawner.does(|| {
                process::new_for_children()?;
                Guard::start(|mut command| {
                    #[expect(unsafe_code, reason = "only a process in the namespace can do this")]
                    // SAFETY: between fork and exec the closure only makes a system call.
                    unsafe {
                        command.pre_exec(show_own_processes);
                    }
                    command.spawn()
                })
            })??;
            spawner.guard = Some(Mutex::new(guard));
            if let Some(mut group) = spawner.group.take() {
                let joined = spawner.does(move || group.join_as_thread().map(|()| group))??;
                spawner.group = Some(joined);
            }
        }
        Ok(spawner)
    }

    /// Sets the limits of the groups, in which nothing of an earlier run counts.
    fn limit(&self, limits: &SandboxLimits) -> io::Result<()> {
        let Some(group) = &self.group else { return Ok(()) };
        group.start_counting();
        group.limit(limits)
    }

    /// Lets the thread do something, and waits for the result.
    pub(super) fn does<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        let gone = || io::Error::other("the thread that starts programs has ended");
        let (done, result) = channel();
        let work = Box::new(move || {
            // The caller waits for it.
            let _ = done.send(work());
        });
        self.work.as_ref().ok_or_else(gone)?.send(work).map_err(|_| gone())?;
        result.recv().map_err(|_| gone())
    }

    /// Ends everything that the thread started.
    pub(super) fn end_processes(&self) -> io::Result<()> {
        let Some(guard) = &self.guard else { return Ok(()) };
        guard.lock().unwrap_or_else(PoisonError::into_inner).end_processes()
    }

    /// Where this process finds the file or folder that the thread sees as `path`.
    pub(super) fn outside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }
}

impl Drop for Spawner {
    fn drop(&mut self) {
        self.guard = None;
        self.work = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to do any more, and cannot have panicked without its caller.
            let _ = thread.join();
        }
    }
}

/// Shows the processes of this process's PID namespace to all in its mount namespace. Bubblewrap asks `/proc` about its child.
fn show_own_processes() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("proc", "/proc", "proc", flags, None)?)
}

/// Gives this thread a mount namespace of its own.
fn leave_mount_namespace() -> io::Result<()> {
    #[expect(unsafe_code, reason = "only `UnshareFlags::FILES` is unsafe, which this is not")]
    // SAFETY: file descriptors stay shared.
    unsafe {
        unshare_unsafe(UnshareFlags::NEWNS)?;
    }
    Ok(mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?)
}
