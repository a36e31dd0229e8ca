//! Builds the programs of a course, and runs them: as workers, snapshots or processes, and hostile ones in a sandbox.

pub mod run;
pub mod sandbox;

// Code names the modules of the crates that come before as modules of this one.
use harness_course::{catalogue, course, files, hash};
use {harness_diagnostic as diagnostic, harness_domain as domain};

/// What a program that runs others calls first in `main`, while it has one thread. It enters a user namespace, if the machine requires
/// that for containing programs. It does not return if this process was started as a part of another one: as the supervisor of a sandbox,
/// as a porter in it, or as the first process of a namespace. A process calls it once, whatever it runs afterwards.
pub fn enter() {
    sandbox::serve_if_asked();
    run::process::contain();
}
