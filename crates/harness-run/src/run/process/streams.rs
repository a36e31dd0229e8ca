//! The output of a program, as it arrives.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Duration;

/// Waits until a pipe can be read or is closed, at most for `most`. Gives the indices of these pipes.
pub(super) fn ready(pipes: &[Option<File>; 2], most: Duration) -> io::Result<Vec<usize>> {
    let open: Vec<_> =
        pipes.iter().enumerate().filter_map(|(at, pipe)| Some((at, pipe.as_ref()?))).collect();
    let mut polled: Vec<_> = open
        .iter()
        .map(|(_, pipe)| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN))
        .collect();
    let most = Timespec { tv_sec: 0, tv_nsec: i64::from(most.subsec_nanos()) };
    match poll(&mut polled, Some(&most)) {
        Ok(_) => Ok(open
            .iter()
            .zip(&polled)
            .filter(|(_, fd)| !fd.revents().is_empty())
            .map(|((at, _), _)| *at)
            .collect()),
        Err(rustix::io::Errno::INTR) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Reads what has arrived. Gives its number of bytes, which is 0 once the pipe is closed.
pub(super) fn read_some(pipe: &mut File, stream: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 1 << 14];
    let count = pipe.read(&mut buffer)?;
    stream.extend_from_slice(&buffer[..count]);
    Ok(count)
}
