//! A PID namespace: a program in it sees and ends no process outside it, and none of its processes can leave it.
//!
//! The first process in it is this program again, as [`super::init`]. No process in the namespace can end it, it adopts the processes
//! whose parents have ended, and the system ends them all with it.

use super::init;
use super::starter::Starter;
use super::usage::is_stopped;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A PID namespace, for one program at a time.
pub(super) struct Namespace {
    starter: Starter,
    guard: Guard,
}

/// The first process of a PID namespace.
pub struct Guard {
    init: Child,
    orders: ChildStdin,
    replies: ChildStdout,
}

impl Guard {
    /// Starts it by `spawn`, on a thread whose next child is the first process of a new namespace ([`new_for_children`]).
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(spawn: impl FnOnce(Command) -> io::Result<Child>) -> io::Result<Self> {
        let mut command = Command::new("/proc/self/exe");
        command.arg0(init::NAME).env_clear().current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut init = spawn(command)?;
        let (orders, replies) = (init.stdin.take(), init.stdout.take());
        let orders = orders.expect("it is piped");
        let replies = replies.expect("it is piped");
        Ok(Self { init, orders, replies })
    }

    /// Ends every process in the namespace except the first. The program that was started in it must have been reaped.
    ///
    /// # Errors
    /// If the first process does not reply.
    pub fn end_processes(&mut self) -> io::Result<()> {
        /// The first process replies at once, unless a program has stopped it or the machine is very busy.
        const LOOK: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };
        const LOOKS: usize = 60;
        self.orders.write_all(&[0])?;
        for _ in 0..LOOKS {
            let mut fds = [PollFd::from_borrowed_fd(self.replies.as_fd(), PollFlags::IN)];
            while poll(&mut fds, Some(&LOOK)) == Err(rustix::io::Errno::INTR) {}
            if !fds[0].revents().is_empty() {
                return self.replies.read_exact(&mut [0]);
            }
            if is_stopped(self.init.id()) {
                break;
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The system ends everything in the namespace with its first process.
        let _ = self.init.kill();
        let _ = self.init.wait();
    }
}

impl Namespace {
    /// A new namespace, with only its first process.
    pub(super) fn new() -> io::Result<Self> {
        let starter = Starter::new(new_for_children)?;
        let guard = Guard::start(|command| starter.start(command))?;
        Ok(Self { starter, guard })
    }

    /// Starts a program in the namespace. It remains a child of this process.
    pub(super) fn start(&self, command: Command) -> io::Result<Child> {
        self.starter.start(command)
    }

    /// Ends every process in the namespace except the first. The program that was started in it must have been reaped.
    pub(super) fn end_processes(&mut self) -> io::Result<()> {
        self.guard.end_processes()
    }

    /// Whether more than `most` processes are in the namespace, as far as the system reports them. The count ends there, because they
    /// could multiply faster than they are counted.
    pub(super) fn has_more_processes_than(&self, most: usize) -> bool {
        let Ok(own) = fs::read_link(link_of(self.guard.init.id())) else { return false };
        let Ok(entries) = fs::read_dir("/proc") else { return false };
        let numbers =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let is_inside = |number: &u32| fs::read_link(link_of(*number)).is_ok_and(|it| it == own);
        // The first process is no process of the program.
        numbers.filter(is_inside).nth(most + 1).is_some()
    }
}

fn link_of(process: u32) -> PathBuf {
    Path::new("/proc").join(process.to_string()).join("ns/pid")
}

/// Makes the next child of this thread the first process of a new namespace, to which the later children belong too.
///
/// # Errors
/// If the system does not allow it.
pub fn new_for_children() -> io::Result<()> {
    #[expect(unsafe_code, reason = "only `UnshareFlags::FILES` is unsafe, which this is not")]
    // SAFETY: file descriptors stay shared.
    unsafe {
        unshare_unsafe(UnshareFlags::NEWPID)?;
    }
    Ok(())
}
