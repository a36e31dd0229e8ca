//! A thread that starts programs, and lives as long as it may be asked to.
//!
//! The system ends a program when the thread that started it ends ([`super::limit`]), so that no program outlives a harness that was
//! killed. It also remembers for each thread to which PID namespace its children belong.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::thread;

type Started = io::Result<Child>;

/// A thread that starts programs. It ends when this is dropped.
pub(super) struct Starter(Sender<(Command, Sender<Started>)>);

impl Starter {
    /// A thread that calls `prepare` first.
    pub(super) fn new(
        prepare: impl FnOnce() -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (orders, wanted) = channel::<(Command, Sender<Started>)>();
        let (prepared, is_prepared) = channel();
        thread::Builder::new().name("starter".to_owned()).spawn(move || {
            // The callers wait for what is sent.
            let _ = prepared.send(prepare());
            for (mut command, started) in wanted {
                let _ = started.send(command.spawn());
            }
        })?;
        is_prepared.recv().map_err(|_| gone())??;
        Ok(Self(orders))
    }

    pub(super) fn start(&self, command: Command) -> Started {
        let (started, program) = channel();
        self.0.send((command, started)).map_err(|_| gone())?;
        program.recv().map_err(|_| gone())?
    }
}

fn gone() -> io::Error {
    io::Error::other("the thread that starts programs has ended")
}
