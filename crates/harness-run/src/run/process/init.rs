//! The first process of a PID namespace.
//!
//! It reads orders from standard input. On each, it ends every other process of the namespace, and replies when none is left. It ends
//! with its input, which it loses when the harness ends.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, wait};
use rustix::thread::sched_yield;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

/// The name under which this program starts as the first process of a namespace.
pub(super) const NAME: &str = "harness-init";

/// Serves until standard input ends.
pub(super) fn serve() -> io::Result<()> {
    /// How long an adopted process may stay unreaped after its end.
    const LOOK: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };
    let (mut orders, mut replies) = (io::stdin().lock(), io::stdout().lock());
    loop {
        let stdin = io::stdin();
        let mut fds = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)];
        if poll(&mut fds, Some(&LOOK)) == Ok(0) {
            reap(WaitOptions::NOHANG);
            continue;
        }
        if orders.read(&mut [0])? == 0 {
            return Ok(());
        }
        end_all();
        replies.write_all(&[0])?;
        replies.flush()?;
    }
}

/// Ends every other process of the namespace.
pub(super) fn end_all() {
    // To the system, the process group of number 1 is every process except the first. A process that is being created gets the signal too.
    while kill_process_group(Pid::INIT, Signal::KILL) != Err(Errno::SRCH) {
        // The parent of a process that has ended may be about to end, and then this process adopts it.
        reap(WaitOptions::empty());
        sched_yield();
    }
}

/// Reaps the children of this process that have ended.
fn reap(options: WaitOptions) {
    while let Ok(Some(_)) = wait(options) {}
}
