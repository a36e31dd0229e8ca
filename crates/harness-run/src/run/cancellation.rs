//! Asks for an end.

use crate::diagnostic::{Failure, FailureKind, Problem};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks one piece of work, and no other, to end. Every clone asks the same work. A search that is asked stops, and keeps what it has
/// found; a grading fails with [`FailureKind::Interrupted`].
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asks the work to end. Gives whether that was asked before.
    pub fn cancel(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether the work is asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Goes on unless the work is asked to end.
    ///
    /// # Errors
    /// If it is.
    pub fn check(&self) -> Result<(), Failure> {
        if !self.is_cancelled() {
            return Ok(());
        }
        let problem = Problem::new("the work was interrupted before it was complete");
        let hint = "run the command again; what was kept of it is not done again";
        Err(Failure::new(FailureKind::Interrupted, problem.hint(hint)))
    }
}
