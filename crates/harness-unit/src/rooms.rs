//! Sandboxes without a program. Some were entered before there was one: while tests are compiled, another core has nothing to do. In others,
//! one mutant runs after the other.
//!
//! A test can tell how old its sandbox is, and how many programs ran there. So a mutant that runs in one with others must be exposed in its
//! disguise too. That and the reference beside it have sandboxes in which nothing has run, and chance decides which was entered before.

use crate::built::Built;
use crate::diagnostic::Failure;
use crate::kit::Kit;
use crate::run::build::Runnable;
use crate::run::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Programs without files, each in a folder of its own, of which the sandbox was entered.
#[derive(Default)]
pub(crate) struct Rooms(Mutex<Vec<Runnable>>);

impl Rooms {
    /// Enters so many sandboxes, if the kit's programs have folders that it can make before, or fewer, if `is_built` comes first.
    pub(crate) fn enter(
        &self,
        kit: &dyn Kit,
        built: Built<'_>,
        most: usize,
        is_built: &AtomicBool,
    ) -> Result<(), Failure> {
        for _ in 0..most {
            if is_built.load(Ordering::Relaxed) {
                break;
            }
            let Some(room) = kit.empty(built)? else { break };
            // Whatever keeps it from being entered will be told when the program runs.
            if process::expect(built.work, &room).is_err() {
                break;
            }
            self.add(room);
        }
        Ok(())
    }

    /// Adds one in which another program may run.
    pub(crate) fn add(&self, room: Runnable) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(room);
    }

    /// Any of them.
    pub(crate) fn take(&self) -> Option<Runnable> {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (!rooms.is_empty()).then(|| fastrand::usize(..rooms.len()))?;
        Some(rooms.swap_remove(at))
    }
}
