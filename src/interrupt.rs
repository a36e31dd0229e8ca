//! Ctrl-C: the first one asks to stop and keep what was found, a second one ends at once.
//!
//! It only listens; what to stop, and what to keep, is for whoever looks.

use crate::process;
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

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
