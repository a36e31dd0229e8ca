//! The running process groups, so that none of them outlives the harness.

use super::starter;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
/// Starting a program holds it for reading. Ending the harness holds it for writing.
static STARTING: RwLock<()> = RwLock::new(());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Held while a process group runs, so that [`end_all`] knows of it.
pub struct Running(u32);

impl Running {
    /// Starts a program with its own process group. A program under [`super::limit`] ends with this thread.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        let _not_at_the_end = STARTING.read().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        running().insert(child.id());
        let running = Self(child.id());
        Ok((child, running))
    }

    /// Starts a program with its own process group. A program under [`super::limit`] ends with the harness.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_for_long(command: Command) -> io::Result<(Child, Self)> {
        starter::start(command)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

/// Ends every running program, and then the harness.
pub fn end_all(status: i32) -> ! {
    let _no_more_start = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    for &group in running().iter() {
        if let Some(group) = Pid::from_raw(group.cast_signed()) {
            // The group may have ended by itself.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    std::process::exit(status)
}
