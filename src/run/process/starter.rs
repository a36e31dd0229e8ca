//! A thread that starts programs which outlive the threads that want them.
//!
//! The system ends a program when the thread that started it ends ([`super::limit`]), so that no program outlives a harness that was
//! killed. A program that several short-lived threads use is started here, by a thread that lives as long as the harness.

use super::Running;
use std::io;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

type Started = io::Result<Running>;

static STARTER: LazyLock<io::Result<Sender<(Command, Sender<Started>)>>> = LazyLock::new(|| {
    let (orders, wanted) = channel::<(Command, Sender<Started>)>();
    std::thread::Builder::new().name("starter".to_owned()).spawn(move || {
        for (mut command, started) in wanted {
            // The caller waits for it.
            let _ = started.send(Running::start(&mut command));
        }
    })?;
    Ok(orders)
});

/// Starts a program with its own process group that does not end with this thread.
pub(super) fn start(command: Command) -> Started {
    let gone = || io::Error::other("the thread that starts programs has ended");
    let (started, program) = channel();
    let orders =
        STARTER.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
    orders.send((command, started)).map_err(|_| gone())?;
    program.recv().map_err(|_| gone())?
}
