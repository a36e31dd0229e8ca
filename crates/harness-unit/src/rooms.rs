//! Sandboxes that were entered before there was a program for them: while tests are compiled, another core has nothing to do.
//!
//! A test can tell how old its sandbox is. So only mutants get these, which must be exposed in their disguises too. Disguises and right
//! programs have new ones.

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
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(room);
        }
        Ok(())
    }

    /// One that has no program yet.
    pub(crate) fn take(&self) -> Option<Runnable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
