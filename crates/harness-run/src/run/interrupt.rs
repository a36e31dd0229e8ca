//! Ctrl-C. After [`listen`], the first one is a request to stop and keep the results, and the second one ends the program. After
//! [`end_at_once`], the first one ends it.

use crate::run::process;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit status that shells give to a program ended by Ctrl-C.
const STATUS: i32 = 130;

/// From now on, Ctrl-C is a request to stop.
pub fn listen() {
    // If the handler cannot be set, Ctrl-C ends the program as before.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            process::end_all(STATUS);
        }
    });
}

/// From now on, Ctrl-C ends the harness and all programs that it started, with status 0.
pub fn end_at_once() {
    // If the handler cannot be set, Ctrl-C ends the program as before.
    let _ = ctrlc::set_handler(|| process::end_all(0));
}

/// Whether Ctrl-C was pressed since [`listen`].
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
