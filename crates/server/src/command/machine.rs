//! What a machine must be able to do before a server or a worker begins on it.

use harness::diagnostic::{Failure, Problem};
use harness::files::check_writable;
use harness::sandbox::Sandbox;
use std::path::Path;

/// What to do if the folder for courses cannot be written.
pub(super) const NO_CACHE: &str =
    "let the server's user write there, or name another folder: `cache: /var/cache/harness`";

/// Checks that courses can be unpacked there, which every page needs, and every job.
pub(super) fn check_cache(folder: &Path) -> Result<(), Failure> {
    check_writable(folder).map_err(|error| {
        let what = format!("courses cannot be unpacked in {}: {error}", folder.display());
        Failure::usage(Problem::new(what).hint(NO_CACHE))
    })
}

/// What keeps this machine from grading, if anything does: programs of students run only in a sandbox.
pub(super) async fn cannot_grade() -> Option<Problem> {
    tokio::task::spawn_blocking(|| Sandbox::open().err()).await.ok().flatten()
}
