//! Ctrl-C. After [`listen`], the first one asks the work to end, which keeps its results, and the second one ends the program. After
//! [`end_at_once`], the first one ends it.

use crate::exit::Exit;
use crate::run::cancellation::Cancellation;
use crate::run::process;

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
