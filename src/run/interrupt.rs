//! Ctrl-C: the first one asks to stop and keep what was found, a second one ends at once; or the first one does.
//!
//! It only listens; what to stop, and what to keep, is for whoever looks.

use crate::run::process;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit status of a program that Ctrl-C ended, as shells give it.
const STATUS: i32 = 130;

/// From now on, Ctrl-C is a request. Without this it ends the program.
pub fn listen() {
    // Where nobody can listen, Ctrl-C ends the program as ever.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            process::end_all(STATUS);
        }
    });
}

/// From now on, Ctrl-C ends the harness at once and all that it started, and is no failure.
pub fn end_at_once() {
    // Where nobody can listen, Ctrl-C ends the program as ever.
    let _ = ctrlc::set_handler(|| process::end_all(0));
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
