//! The mutant selected for this run, the mutants that the run has reached, and the steps that it has left.
//!
//! A worker runs one case at a time on one thread, so plain variables would do. They are atomics only because a `static` requires
//! it. Every access is a relaxed load or store, which costs no more than an ordinary one.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// The largest number of mutants in a program.
pub(crate) const MAX_MUTANTS: usize = 1024;

/// The index for no mutant: none is selected, or the site is not resolved yet.
const NONE: u32 = u32::MAX;
/// The index of a site whose id the harness did not name.
const UNNAMED: u32 = MAX_MUTANTS as u32;

static IDS: OnceLock<Vec<String>> = OnceLock::new();
static SELECTED: AtomicU32 = AtomicU32::new(NONE);
/// A flag for each mutant, and one for all that the harness did not name. Bits would be slower, because setting one depends on
/// the previous value of its word.
static REACHED: [AtomicBool; MAX_MUTANTS + 1] = [const { AtomicBool::new(false) }; MAX_MUTANTS + 1];
static STEPS_LEFT: AtomicU64 = AtomicU64::new(u64::MAX);

/// A place in the source that contains a mutant. Created by [`bug!`](crate::bug).
pub struct Site {
    id: &'static str,
    index: AtomicU32,
}

impl Site {
    /// A site of the mutant `id`.
    pub const fn new(id: &'static str) -> Self {
        Self { id, index: AtomicU32::new(NONE) }
    }

    /// Whether the mutant is selected for this run. Marks it as reached.
    #[inline]
    pub fn selected(&self) -> bool {
        let index = self.index();
        REACHED[index as usize].store(true, Relaxed);
        SELECTED.load(Relaxed) == index
    }

    /// Whether it makes a difference if the mutant matters here: it is selected, or none is and it is not reached yet.
    #[inline]
    pub fn is_undecided(&self) -> bool {
        let index = self.index();
        match SELECTED.load(Relaxed) {
            NONE => !REACHED[index as usize].load(Relaxed),
            selected => selected == index,
        }
    }

    #[inline]
    fn index(&self) -> u32 {
        match self.index.load(Relaxed) {
            NONE => self.resolve(),
            index => index,
        }
    }

    #[cold]
    fn resolve(&self) -> u32 {
        let ids = IDS.get().map_or(&[][..], Vec::as_slice);
        let index = ids.iter().position(|id| id == self.id).map_or(UNNAMED, |index| index as u32);
        self.index.store(index, Relaxed);
        index
    }
}

/// Why a run was stopped. This is the payload of the unwinding that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    Steps,
    /// It came back to a state that it was in.
    Endless,
    Output,
}

impl Cut {
    /// Leaves the program at once, without running the panic hook.
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

/// Whether a mutant is selected, and its run ends after a number of steps. In a process, only time ends it.
pub(crate) fn is_limited() -> bool {
    SELECTED.load(Relaxed) != NONE && STEPS_LEFT.load(Relaxed) < u64::MAX / 2
}

/// Sets the ids of the mutants: mutant `i` is `ids[i]`. Must be called only once per process.
pub(crate) fn name_mutants(ids: Vec<String>) {
    IDS.set(ids).expect("the mutants are named once");
}

/// Begins a run: selects one mutant or none, clears the reached mutants, and sets the limit of `steps`.
pub(crate) fn begin(mutant: Option<usize>, steps: u64) {
    SELECTED.store(mutant.map_or(NONE, |index| index as u32), Relaxed);
    for flag in named() {
        flag.store(false, Relaxed);
    }
    STEPS_LEFT.store(steps, Relaxed);
}

/// The number of steps that the run has left.
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
