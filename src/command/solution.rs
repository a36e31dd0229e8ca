//! `harness solution ASSIGNMENT --out DIR`: the reference without its bugs, as a package of its own.

use crate::catalogue::solution::solution;
use crate::cli::Solution;
use crate::course::Course;
use crate::files;
use crate::problem::{Exit, Failure};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

pub(super) fn run(options: &Solution) -> Result<Exit, Failure> {
    let course = Course::read(&options.course)?;
    let assignment = course.assignment(&options.assignment)?;
    let sources = solution(&course, assignment)?;
    files::write_tree(
        &options.out,
        sources.iter().map(|file| (file.path.as_path(), file.text.as_str())),
    )?;
    if !format(&options.out) {
        let note = "note: the files are not formatted, because `cargo fmt` does not run here";
        // The note is not worth a failure.
        let _ = writeln!(io::stderr(), "{note}");
    }
    let (id, folder) = (&assignment.id, options.out.display());
    writeln!(
        io::stdout(),
        "The solution of `{id}` is in {folder}. Test it:\n\n    cargo test --manifest-path {folder}/Cargo.toml"
    )
    .map_err(|error| Failure::unwritten("where the solution is", &error))?;
    Ok(Exit::Done)
}

/// Formats a package; whether that succeeded.
fn format(package: &Path) -> bool {
    let manifest = package.join("Cargo.toml");
    let output = Command::new("cargo").arg("fmt").arg("--manifest-path").arg(manifest).output();
    output.is_ok_and(|output| output.status.success())
}
