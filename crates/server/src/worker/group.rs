//! A child process with all that it starts, and what it says last.

use rustix::process::{Pid, Signal, kill_process_group, setpriority_process};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr};
use tokio::task::JoinHandle;

/// How much of what it says on standard error is kept.
const LAST_WORDS: usize = 4096;

/// How long it may take to end after it was told to.
pub(super) const FAREWELL: Duration = Duration::from_secs(3);

/// A process group, until it is dropped.
pub(super) struct Group(pub(super) Child);

impl Group {
    /// Kills all processes of the group. Until the first one is waited for, no other group has its number.
    pub(super) fn kill(&self) {
        if let Some(id) = self.id() {
            let _ = kill_process_group(id, Signal::KILL);
        }
    }

    /// Lets others go before it and what it starts.
    pub(super) fn yields(&self) {
        if let Some(id) = self.id() {
            let _ = setpriority_process(Some(id), 10);
        }
    }

    fn id(&self) -> Option<Pid> {
        self.0.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The end of what a process says on standard error.
pub(super) struct LastWords(JoinHandle<Vec<u8>>);

impl LastWords {
    pub(super) fn hear(mut from: ChildStderr) -> Self {
        Self(tokio::spawn(async move {
            let (mut last, mut part) = (Vec::new(), [0; LAST_WORDS]);
            while let Ok(read @ 1..) = from.read(&mut part).await {
                last.extend_from_slice(&part[..read]);
                let surplus = last.len().saturating_sub(LAST_WORDS);
                last.drain(..surplus);
            }
            last
        }))
    }

    /// All of it, after the process has ended.
    pub(super) async fn all(&mut self) -> String {
        match tokio::time::timeout(FAREWELL, &mut self.0).await {
            Ok(Ok(words)) => harness::diagnostic::printable(&String::from_utf8_lossy(&words)),
            _ => String::new(),
        }
    }
}
