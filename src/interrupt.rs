//! Ctrl-C. After [`listen`], the first one asks the work to end, which keeps its results, and the second one ends the program. After
//! [`end_at_once`], the first one ends it. After [`end_if_unread`], so does whoever closes the output.

use crate::exit::Exit;
use crate::run::cancellation::Cancellation;
use crate::run::process;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use std::io;
use std::thread;

/// From now on, Ctrl-C asks this work to end.
pub fn listen(cancellation: &Cancellation) {
    let cancellation = cancellation.clone();
    // If the handler cannot be set, Ctrl-C ends the program as before.
    let _ = ctrlc::set_handler(move || {
        if cancellation.cancel() {
            process::end_all(Exit::Interrupted as i32);
        }
    });
}

/// From now on, Ctrl-C ends the harness and all programs that it started, with status 0.
pub fn end_at_once() {
    // If the handler cannot be set, Ctrl-C ends the program as before.
    let _ = ctrlc::set_handler(|| process::end_all(0));
}

/// From now on, the harness and all programs that it started end as soon as nobody can read standard output any more. So they do not
/// outlive the process that started them to read it, however that one ended.
pub fn end_if_unread() {
    thread::spawn(|| {
        let stdout = io::stdout();
        // The end of the reader is reported without being asked for. A file has none.
        let mut ends = [PollFd::new(&stdout, PollFlags::empty())];
        if retry_on_intr(|| poll(&mut ends, None)).is_ok() {
            process::end_all(Exit::ClosedPipe as i32);
        }
    });
}
