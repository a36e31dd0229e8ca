//! Sandboxes that wait for a program. Some were entered before there was one: while tests are compiled, another core has nothing to do. In
//! others, one variant runs after the other.
//!
//! A test can tell how old its sandbox is, and how many programs ran there. So all variants run first in sandboxes that they share, in an
//! order that chance decides, and a mutant that a case fails on is confirmed in a sandbox in which nothing has run. The decoy beside it has
//! another such one: both were entered before, or both are new.

use crate::built::Built;
use crate::diagnostic::Failure;
use crate::kit::Kit;
use crate::run::build::Runnable;
use crate::run::process;
use crate::run::work::Work;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most that are entered for one file: more may be for nothing, and take memory.
const MOST: usize = 80;

/// Programs, each in a folder of its own, of which the sandbox was entered and nothing runs.
#[derive(Default)]
pub(crate) struct Rooms(Mutex<Vec<Runnable>>);

impl Rooms {
    /// Enters sandboxes until `is_built`, if the kit has rooms.
    pub(crate) fn enter(
        &self,
        kit: &dyn Kit,
        built: Built<'_>,
        most: usize,
        is_built: &AtomicBool,
    ) -> Result<(), Failure> {
        let Some(make) = kit.makes_rooms() else { return Ok(()) };
        for _ in 0..most.min(MOST) {
            if is_built.load(Ordering::Relaxed) {
                break;
            }
            let room = make(built)?;
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
        self.all().push(room);
    }

    /// Any of them.
    pub(crate) fn take(&self) -> Option<Runnable> {
        any(&mut self.all())
    }

    /// Any two of them, or none.
    pub(crate) fn two(&self) -> Self {
        let mut all = self.all();
        let two = if all.len() < 2 { Vec::new() } else { vec![any(&mut all), any(&mut all)] };
        Self(Mutex::new(two.into_iter().flatten().collect()))
    }

    /// Leaves the sandboxes in which nothing will run.
    pub(crate) fn close(&self, work: &Work) {
        self.all().drain(..).for_each(|room| process::forget(work, &room));
    }

    fn all(&self) -> MutexGuard<'_, Vec<Runnable>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn any(rooms: &mut Vec<Runnable>) -> Option<Runnable> {
    let at = (!rooms.is_empty()).then(|| fastrand::usize(..rooms.len()))?;
    Some(rooms.swap_remove(at))
}
