//! A way out of the sandbox for tools that run in it beside a hostile program: the scripts before the compiler, and valgrind.
//!
//! It is a pipe with a name, in a folder that the sandbox shows read-only. Whoever runs inside can add to it. Nobody inside can read it,
//! or change or remove what was written.
//!
//! What tools in the sandbox say of a hostile program leaves it through a *channel*: a pipe with a name,
//! which nobody inside can read or change. The scripts before the compiler list the compilations there, and valgrind writes its report
//! there. A program can still add to a channel. So the compiler marks what it makes, valgrind's exit status says whether there are
//! errors, and what does not fit together is not believed.

use crate::diagnostic::Failure;
use crate::files;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;

const NAME: &str = "channel";

/// A channel, which is read all the time.
pub(super) struct Channel {
    folder: TempDir,
    /// The reader stops when this is closed.
    running: OwnedFd,
    reader: JoinHandle<io::Result<Received>>,
}

/// What was written to a channel.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) bytes: Vec<u8>,
    /// Whether that is all. What exceeds the limit is lost.
    pub(super) is_whole: bool,
}

impl Channel {
    /// A channel that takes `most` bytes.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn open(most: usize) -> Result<Self, Failure> {
        Self::new(most).map_err(|error| Failure::machine("make a pipe", error))
    }

    fn new(most: usize) -> io::Result<Self> {
        let folder = files::temporary_folder()?;
        let path = folder.path().join(NAME);
        rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        let open = |flags| rustix::fs::open(&path, flags | OFlags::CLOEXEC, Mode::empty());
        let source = open(OFlags::RDONLY | OFlags::NONBLOCK)?;
        // As long as it is open, the end of a writer is not the end of the channel.
        let keeper = open(OFlags::WRONLY)?;
        for (path, mode) in [(folder.path(), 0o755), (&*path, 0o222)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
        let (stop, running) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let reader = thread::Builder::new().name("channel".to_owned());
        let reader = reader.spawn(move || {
            let received = receive(source.into(), &stop, most);
            drop(keeper);
            received
        })?;
        Ok(Self { folder, running, reader })
    }

    /// The folder that the sandbox must show.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The pipe, which is written as a file is.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }

    /// What was written. The run that writes has ended.
    pub(super) fn received(self) -> Received {
        drop(self.running);
        // A reader that fails has received nothing that can be trusted.
        self.reader.join().ok().and_then(Result::ok).unwrap_or_default()
    }
}

/// Reads until `stop` is closed and nothing is left to read.
fn receive(mut source: File, stop: &OwnedFd, most: usize) -> io::Result<Received> {
    let mut received = Received { bytes: Vec::new(), is_whole: true };
    let mut buffer = vec![0; 64 << 10];
    loop {
        let mut ready = [
            PollFd::new(&source, PollFlags::IN),
            PollFd::from_borrowed_fd(stop.as_fd(), PollFlags::empty()),
        ];
        match poll(&mut ready, None) {
            Err(rustix::io::Errno::INTR) => continue,
            polled => polled?,
        };
        let is_stopped = !ready[1].revents().is_empty();
        let is_written = ready[0].revents().contains(PollFlags::IN);
        if is_written {
            let count = source.read(&mut buffer)?;
            let room = most - received.bytes.len();
            received.bytes.extend(&buffer[..count.min(room)]);
            received.is_whole &= count <= room;
        }
        if is_stopped && !(is_written && received.is_whole) {
            return Ok(received);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn write(channel: &Channel, text: &[u8]) {
        let mut pipe = fs::OpenOptions::new().write(true).open(channel.path()).unwrap();
        pipe.write_all(text).unwrap();
    }

    #[test]
    fn what_several_writers_say_arrives() {
        let channel = Channel::open(1000).unwrap();
        write(&channel, b"one\n");
        write(&channel, b"two\n");
        let received = channel.received();
        assert_eq!((&*received.bytes, received.is_whole), (&b"one\ntwo\n"[..], true));
    }

    #[test]
    fn a_flood_ends_and_is_noticed() {
        let channel = Channel::open(1000).unwrap();
        write(&channel, &vec![b'x'; 1 << 20]);
        let received = channel.received();
        assert_eq!((received.bytes.len(), received.is_whole), (1000, false));
    }
}
