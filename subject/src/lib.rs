//! What a reference program links.
//!
//! A reference is a function over an [`Env`] (arguments, streams, files by name) and a `main` of a few lines that hands it to
//! [`main`]. Its bugs are written where they bite, with [`bug!`]; its loops count their steps with [`tick!`]. Built without
//! features it is the oracle, and both macros cost nothing.
//!
//! Started by hand the program streams; started by the harness it serves cases from a pipe ([`wire`] has the frames). This crate
//! knows no assignment, opens no file but those a program names, and has no dependency, so that a reference builds fast.

#![deny(missing_docs)]

mod case;
mod direct;
mod env;
mod mutant_set;
mod select;
pub mod wire;
mod worker;

pub use case::{Case, End, How, Outcome};
pub use env::{Env, Files};
pub use mutant_set::MutantSet;
pub use select::{Site, tick};

use std::process::ExitCode;

/// The environment variable that turns a program into a worker; its value is [`wire::VERSION`].
pub const WORKER_VARIABLE: &str = "SUBJECT_WORKER";

/// A program: what it does with its environment, and the exit status that it ends with.
pub type Program = fn(&mut Env<'_>) -> u8;

/// Runs `program` on the real environment, or as a worker if [`WORKER_VARIABLE`] is set.
pub fn main(program: Program) -> ExitCode {
    match std::env::var_os(WORKER_VARIABLE) {
        Some(version) => worker::serve(program, &version),
        None => direct::run(program),
    }
}

/// True where the bug with this id is to bite. The id is a Cargo feature of the crate that asks.
///
/// | build | `bug!("id")` is |
/// |---|---|
/// | no features | the constant `false` |
/// | the feature `id` alone | the constant `true` |
/// | all features, with `select-at-run-time` | whether the harness has selected `id` for this run; asking marks `id` as reached |
#[macro_export]
macro_rules! bug {
    ($id:literal) => {
        cfg!(feature = $id)
            && (!cfg!(feature = "select-at-run-time") || {
                static SITE: $crate::Site = $crate::Site::new($id);
                SITE.selected()
            })
    };
}

/// Counts one step of a loop, so that a mutant that never ends is cut after the same step on every machine.
///
/// Only the build with `select-at-run-time` counts; elsewhere this is nothing.
#[macro_export]
macro_rules! tick {
    () => {
        if cfg!(feature = "select-at-run-time") {
            $crate::tick();
        }
    };
}
