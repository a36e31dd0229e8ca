//! The running programs, so that none of them outlives the harness.

use super::containment;
use super::launcher::{self, Launched};
use super::limit::detach;
use super::namespace::Namespace;
use super::starter::Starter;
use super::usage::{children, processes_in_group, processes_in_tree};
use crate::files;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};
use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

/// All programs that this process runs, so that none outlives it. Whoever ends the process ends them all, whatever work they are for.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
/// Starting a program holds it for reading. Ending the harness holds it for writing, and nothing else does, so that no work waits for
/// another.
static STARTING: RwLock<()> = RwLock::new(());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program from a thread that lives as long as the harness. It keeps nothing of what it has started, so all work shares it.
fn start_by_starter(command: Command) -> io::Result<Child> {
    static STARTER: LazyLock<io::Result<Starter>> = LazyLock::new(|| Starter::new(|| Ok(())));
    match &*STARTER {
        Ok(starter) => starter.start(command),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// A program that runs in a process group of its own, and in a PID namespace of its own if there are any.
pub struct Running {
    pub child: Child,
    namespace: Option<Namespace>,
    /// Where the status of a program arrives that a launcher has started.
    launched: Option<OwnedFd>,
    /// The exit status, once the program has been reaped.
    status: Option<ExitStatus>,
}

impl Running {
    /// Starts a program. Under [`super::limit`], it ends with this thread.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: Command) -> io::Result<Self> {
        Self::start_on(command, |mut command| command.spawn())
    }

    /// Starts a program. Under [`super::limit`], it ends with the harness.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_for_long(command: Command) -> io::Result<Self> {
        Self::start_on(command, start_by_starter)
    }

    /// Starts what a launcher has made. It ends with this thread, or if it is `for_long`, with the harness.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_launched(launched: Launched, for_long: bool) -> io::Result<Self> {
        let Launched { mut command, status } = launched;
        detach(&mut command);
        let _not_at_the_end = STARTING.read().unwrap_or_else(PoisonError::into_inner);
        // It makes namespaces itself, for which it must see its own number.
        let child = if for_long { start_by_starter(command)? } else { command.spawn()? };
        running().insert(child.id());
        Ok(Self { child, namespace: None, launched: Some(status), status: None })
    }

    /// Starts a program in a namespace if there are any, and otherwise with `spawn`.
    fn start_on(
        command: Command,
        spawn: impl FnOnce(Command) -> io::Result<Child>,
    ) -> io::Result<Self> {
        let _not_at_the_end = STARTING.read().unwrap_or_else(PoisonError::into_inner);
        let namespace = containment::take()?;
        let child = match &namespace {
            Some(namespace) => namespace.start(command)?,
            None => spawn(command)?,
        };
        running().insert(child.id());
        Ok(Self { child, namespace, launched: None, status: None })
    }

    /// Whether the program has ended. It is not reaped yet, so that no other process group can get its number.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        Ok(self.status.is_some() || waitid(WaitId::Pid(self.group()), options)?.is_some())
    }

    /// Ends the program and everything that it started, and gives its exit status.
    ///
    /// # Errors
    /// If the system does not give the status.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let launched = self.launched.take().map(|pipe| (pipe, self.has_ended()));
        if launched.is_some() {
            self.end_inside();
        }
        // One signal is enough for a group, because no fork completes while it is delivered. The group may have ended by itself, and the
        // program may have left it.
        let _ = kill_process_group(self.group(), Signal::KILL);
        let _ = self.child.kill();
        running().remove(&self.child.id());
        let mut status = self.child.wait()?;
        self.status = Some(status);
        if let Some(mut namespace) = self.namespace.take()
            && namespace.end_processes().is_ok()
        {
            containment::give_back(namespace);
        }
        if let Some((pipe, has_ended)) = launched {
            status = launcher::status(pipe, status, has_ended?)?;
            self.status = Some(status);
        }
        Ok(status)
    }

    /// Ends the first process that a launched command has started, and thereby everything inside. The command ends after it.
    fn end_inside(&self) {
        const LOOKS: usize = 2_000;
        const LOOK: Duration = Duration::from_millis(1);
        let inside = children(self.child.id());
        for process in inside.iter().filter_map(|id| Pid::from_raw(id.cast_signed())) {
            // It may have ended by itself.
            let _ = kill_process(process, Signal::KILL);
        }
        let mut looks = 0..if inside.is_empty() { 0 } else { LOOKS };
        while looks.next().is_some() && !self.has_ended().unwrap_or(true) {
            thread::sleep(LOOK);
        }
    }

    /// Whether more than `most` processes of the program are alive. A group is stopped while it is counted, because it could grow faster
    /// than the count.
    pub(super) fn has_more_processes_than(&self, most: u64) -> bool {
        if let Some(namespace) = &self.namespace {
            return namespace
                .has_more_processes_than(usize::try_from(most).unwrap_or(usize::MAX - 1));
        }
        if self.launched.is_some() {
            return processes_in_tree(self.child.id()) > most;
        }
        let send = |signal| kill_process_group(self.group(), signal).is_ok();
        if !send(Signal::STOP) {
            return false;
        }
        let has_more = processes_in_group(self.child.id()) > most;
        if !has_more {
            send(Signal::CONT);
        }
        has_more
    }

    fn group(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It was killed, whether its status is known or not.
        let _ = self.end();
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
    files::remove_temporary();
    std::process::exit(status)
}
