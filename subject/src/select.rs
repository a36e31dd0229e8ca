//! Which bug bites in this run, which bugs it reached, and how many steps it may still take.
//!
//! A worker runs one case at a time on one thread, so this state is plain counters; they are atomics only because `static` asks
//! for it, and every access is a relaxed load or store that costs what an ordinary one does.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// How many mutants one program can have.
pub(crate) const MAX_MUTANTS: usize = 1024;

/// The index of no mutant: nothing is selected, or a site is not resolved yet.
const NONE: u32 = u32::MAX;
/// The index of a site whose id the harness did not name.
const UNNAMED: u32 = MAX_MUTANTS as u32;

static IDS: OnceLock<Vec<String>> = OnceLock::new();
static SELECTED: AtomicU32 = AtomicU32::new(NONE);
/// A flag for each mutant, and one for all that are not named. Not a bit: to set one, the processor must wait for the bit before.
static REACHED: [AtomicBool; MAX_MUTANTS + 1] = [const { AtomicBool::new(false) }; MAX_MUTANTS + 1];
static STEPS_LEFT: AtomicU64 = AtomicU64::new(u64::MAX);

/// One place in the source that asks for a bug. Made by [`bug!`](crate::bug).
pub struct Site {
    id: &'static str,
    index: AtomicU32,
}

impl Site {
    /// The place that asks for the bug `id`.
    pub const fn new(id: &'static str) -> Self {
        Self { id, index: AtomicU32::new(NONE) }
    }

    /// Whether the bug is selected for this run; marks it as reached.
    #[inline]
    pub fn selected(&self) -> bool {
        let index = match self.index.load(Relaxed) {
            NONE => self.resolve(),
            index => index,
        };
        REACHED[index as usize].store(true, Relaxed);
        SELECTED.load(Relaxed) == index
    }

    #[cold]
    fn resolve(&self) -> u32 {
        let ids = IDS.get().map_or(&[][..], Vec::as_slice);
        let index = ids.iter().position(|id| id == self.id).map_or(UNNAMED, |index| index as u32);
        self.index.store(index, Relaxed);
        index
    }
}

/// Why a run was cut short; the payload of the unwinding that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    Steps,
    Output,
}

impl Cut {
    /// Leaves the program at once. No panic hook runs, since nothing is wrong with the worker.
    pub(crate) fn unwind(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }
}

/// Counts one step. Called by [`tick!`](crate::tick).
#[inline]
pub fn tick() {
    match STEPS_LEFT.load(Relaxed) {
        0 => Cut::Steps.unwind(),
        left => STEPS_LEFT.store(left - 1, Relaxed),
    }
}

/// Names the mutants, once for the life of the process: from here on the mutant `i` is `ids[i]`.
pub(crate) fn name_mutants(ids: Vec<String>) {
    IDS.set(ids).expect("the mutants are named once");
}

/// Begins a run: selects one mutant or none, forgets what was reached, and grants `steps`.
pub(crate) fn begin(mutant: Option<usize>, steps: u64) {
    SELECTED.store(mutant.map_or(NONE, |index| index as u32), Relaxed);
    for flag in named() {
        flag.store(false, Relaxed);
    }
    STEPS_LEFT.store(steps, Relaxed);
}

/// The steps of the run that [`begin`] granted and that are still left.
pub(crate) fn steps_left() -> u64 {
    STEPS_LEFT.load(Relaxed)
}

/// The mutants that the run has reached so far, in order.
pub(crate) fn reached() -> impl Iterator<Item = usize> {
    named().iter().enumerate().filter(|(_, flag)| flag.load(Relaxed)).map(|(index, _)| index)
}

/// The flags of the mutants that the harness named.
fn named() -> &'static [AtomicBool] {
    &REACHED[..IDS.get().map_or(0, Vec::len)]
}
