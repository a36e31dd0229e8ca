//! The library that a reference program links.
//!
//! A reference is a function over an [`Env`] (arguments, streams, files by name), and its `main` passes this function to [`main`].
//! Its source contains the mutants, each marked with [`bug!`], and its loops count their steps with [`tick!`]. In a build without
//! features, both macros cost nothing.
//!
//! A program that a user starts runs once, on the real streams. A program that the harness starts is a worker: it reads cases from a
//! pipe ([`wire`] defines the frames). This crate depends on no assignment and on no other crate, so that a reference builds fast.

#![deny(missing_docs)]

mod case;
mod cycles;
mod direct;
mod env;
mod index_set;
mod select;
pub mod wire;
mod worker;

pub use case::{Case, End, How, Outcome};
pub use cycles::Cycles;
pub use env::{Env, Files};
pub use index_set::{IndexSet, MutantSet};
pub use select::{Site, tick};

use std::process::ExitCode;

/// The environment variable that makes a program a worker. Its value is [`wire::VERSION`].
pub const WORKER_VARIABLE: &str = "SUBJECT_WORKER";

/// The environment variable with the id of the mutant that a combined build selects if it is started as an ordinary process.
pub const MUTANT_VARIABLE: &str = "SUBJECT_MUTANT";

/// A program: a function that runs in an environment and returns an exit status.
pub type Program = fn(&mut Env<'_>) -> u8;

/// Runs `program` on the real environment, or as a worker if [`WORKER_VARIABLE`] is set.
pub fn main(program: Program) -> ExitCode {
    if let Some(version) = std::env::var_os(WORKER_VARIABLE) {
        return worker::serve(program, &version);
    }
    if let Ok(mutant) = std::env::var(MUTANT_VARIABLE) {
        select::name_mutants(vec![mutant]);
        select::begin(Some(0), u64::MAX);
    }
    direct::run(program)
}

/// Whether the mutant with this id is active. The id is a Cargo feature of the crate that uses the macro.
///
/// | build | `bug!("id")` is |
/// |---|---|
/// | no features | the constant `false` |
/// | the feature `id` alone | the constant `true` |
/// | all features, with `select-at-run-time` | whether the harness has selected `id` for this run; the check marks `id` as reached |
///
/// A mutant that is reached is run. `bug!("id", if condition)` reaches it only where it matters; a build without the feature does not
/// look at the condition, so it may be slow. A build of all mutants looks only until the mutant is reached, and not while another one
/// is selected, so the condition must change nothing.
#[macro_export]
macro_rules! bug {
    ($id:literal, if $condition:expr) => {
        cfg!(feature = $id)
            && if cfg!(feature = "select-at-run-time") {
                static SITE: $crate::Site = $crate::Site::new($id);
                SITE.is_undecided() && ($condition) && SITE.selected()
            } else {
                $condition
            }
    };
    ($id:literal) => {
        cfg!(feature = $id)
            && (!cfg!(feature = "select-at-run-time") || {
                static SITE: $crate::Site = $crate::Site::new($id);
                SITE.selected()
            })
    };
}

/// Counts one step of a loop, so that a mutant that does not finish is stopped after the same number of steps on every machine.
///
/// `tick!(cycles, place, memory)` also stops a mutant as soon as it cannot leave the loop any more, see [`Cycles`].
///
/// Only a build with `select-at-run-time` counts. In any other build, the macro does nothing.
#[macro_export]
macro_rules! tick {
    ($cycles:ident, $place:expr, $memory:expr) => {
        if cfg!(feature = "select-at-run-time") {
            $cycles.step($place, $memory);
        }
    };
    () => {
        if cfg!(feature = "select-at-run-time") {
            $crate::tick();
        }
    };
}
