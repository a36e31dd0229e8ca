//! Compares shapes with domains in Rust: how many mutants `generate` exposes from nothing, and how long it takes.
//!
//! Run it with `cargo bench --bench shapes`, which takes a few minutes, or name assignments: `cargo bench --bench shapes -- countess`. Both
//! courses have the same references and mutants. `tests/courses/shapes` knows nothing about the inputs but the shapes in `docs/shapes`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::report::generated::Generated;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Those whose domain does not use its shape.
const ASSIGNMENTS: [&str; 4] = ["countess", "sliding", "maze-solver", "maze-generator"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let courses = [root.to_owned(), root.join("tests/courses/shapes")];
    let named: Vec<_> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("{:15} {:>8} {:>9}   {:>8} {:>9}   {:>5}", "", "domain", "", "shape", "", "ratio");
    for id in
        ASSIGNMENTS.into_iter().filter(|id| named.is_empty() || named.iter().any(|name| name == id))
    {
        let [(domain, domain_time), (shape, shape_time)] =
            courses.each_ref().map(|course| generate(course, id));
        let all = domain.smallest.len() + domain.missed.len();
        let exposed = |found: &Generated| format!("{}/{all}", found.smallest.len());
        let ratio = shape_time.as_secs_f64() / domain_time.as_secs_f64();
        println!(
            "{id:15} {:>8} {:>7.1} s   {:>8} {:>7.1} s   {ratio:>5.1}",
            exposed(&domain),
            domain_time.as_secs_f64(),
            exposed(&shape),
            shape_time.as_secs_f64()
        );
        if !shape.missed.is_empty() {
            println!("  missed: {}", shape.missed.join(", "));
        }
    }
}

/// What `generate` finds from nothing, and its time without that of the builds.
fn generate(course: &PathBuf, id: &str) -> (Generated, Duration) {
    let run = |more: &[&str]| {
        let folder = tempfile::tempdir().expect("there is room for tests");
        let mut harness = Command::new(env!("CARGO_BIN_EXE_harness"));
        harness.args(["generate", "--assignment", id, "--fewest", "--format", "json", "--course"]);
        harness.arg(course).arg("--out").arg(folder.path().join("tests")).args(more);
        let start = Instant::now();
        let output = harness.output().expect("harness runs");
        let found = serde_json::from_slice(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (found.unwrap_or_else(|error| panic!("{error}: {stderr}")), start.elapsed())
    };
    // The first run builds the programs.
    run(&["--budget", "0.1"]);
    run(&[])
}
