//! Measures how well `generate --against` tells bugs apart: a program with two bugs that the catalogue does not know should get two files,
//! one for each. A bug is lost if no file exposes it.
//!
//! Run it with `cargo bench --bench pairs`. It draws pairs of mutants, the same each time, and builds a program for each. That takes a few
//! minutes.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::report::generated::Generated;
use harness::result::Report;
use serde::de::DeserializeOwned;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The assignments, and how many pairs are drawn of each.
const ASSIGNMENTS: [(&str, usize); 2] = [("puzzle", 8), ("countess", 6)];
const SEED: u64 = 1;

fn main() {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let (mut pairs, mut files, mut lost) = (0, 0, 0);
    for (assignment, count) in ASSIGNMENTS {
        let ids = ids(assignment);
        for _ in 0..count {
            let pair = rng.choose_multiple(&ids, 2);
            let pair: Vec<_> = pair.into_iter().map(String::as_str).collect();
            let (written, missed) = measure(assignment, &pair);
            let missed = if missed.is_empty() {
                String::new()
            } else {
                format!(" without {}", missed.join(", "))
            };
            println!("{assignment}: {}: {written} files{missed}", pair.join(" and "));
            pairs += 1;
            files += written;
            lost += usize::from(!missed.is_empty());
        }
    }
    println!("{files} files for {pairs} pairs, in {lost} of which a bug is lost");
}

/// The mutants of an assignment, in order.
fn ids(assignment: &str) -> Vec<String> {
    let folder = Path::new(ROOT).join("mutants").join(assignment);
    let files = fs::read_dir(folder).expect("there are mutants").flatten();
    let ids =
        files.filter_map(|it| it.file_name().to_str()?.strip_suffix(".yaml").map(str::to_owned));
    let mut ids: Vec<_> = ids.collect();
    ids.sort();
    ids
}

/// The number of files for a program with two bugs, and the bugs that none of them exposes.
fn measure<'a>(assignment: &str, pair: &[&'a str]) -> (usize, Vec<&'a str>) {
    let program = program(assignment, pair).display().to_string();
    let course = course_without(assignment, pair);
    let (place, out) =
        (course.path().display().to_string(), course.path().join("out").display().to_string());
    let against = ["generate", "--budget", "240", "--unsafe-no-sandbox", "--against", &program];
    let generated: Generated = harness(
        &[&against[..], &["--out", &out], &["--assignment", assignment, "--course", &place]]
            .concat(),
    );
    if generated.files.is_empty() {
        return (0, pair.to_vec());
    }
    let report: Report = harness(&["score", &out, "--assignment", assignment, "--course", ROOT]);
    let exposed = &report.assignments[0].suites[0].exposed_by;
    let missed = pair.iter().copied().filter(|id| !exposed.contains_key(*id)).collect();
    (generated.files.len(), missed)
}

/// Builds the reference with these bugs.
fn program(assignment: &str, bugs: &[&str]) -> PathBuf {
    let (root, target) = (Path::new(ROOT), Path::new(ROOT).join("target/pairs"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--quiet",
        "--release",
        "--features",
        &bugs.join(","),
        "--bin",
        assignment,
    ]);
    cargo.arg("--manifest-path").arg(root.join("reference").join(assignment).join("Cargo.toml"));
    let status = cargo.arg("--target-dir").arg(&target).status().expect("Cargo starts");
    assert!(status.success(), "the program with {bugs:?} does not build");
    target.join("release").join(assignment)
}

/// The course without two mutants of an assignment. It uses the builds of the repository.
fn course_without(assignment: &str, pair: &[&str]) -> TempDir {
    let course = tempfile::tempdir().expect("a folder can be made");
    let text = fs::read_to_string(format!("{ROOT}/harness.yaml")).expect("there is a course");
    let mut text = text.replace("cases: cases/", &format!("cases: {ROOT}/cases/"));
    for key in ["cargo: ", "    mutants: "] {
        text = text.replace(key, &format!("{key}{ROOT}/"));
    }
    let (theirs, own) = (format!("{ROOT}/mutants/{assignment}"), format!("mutants/{assignment}"));
    let mutants = course.path().join(&own);
    fs::create_dir_all(&mutants).expect("a folder can be made");
    for id in ids(assignment).iter().filter(|id| !pair.contains(&id.as_str())) {
        fs::copy(format!("{theirs}/{id}.yaml"), mutants.join(format!("{id}.yaml")))
            .expect("a mutant can be copied");
    }
    // Another assignment has mutants in a folder whose name begins with this one's.
    let text = text
        .replace(&format!("{theirs}\n"), &format!("{own}\n"))
        .replace(&format!("{theirs} "), &format!("{own} "));
    fs::write(course.path().join("harness.yaml"), text).expect("the course can be written");
    symlink(format!("{ROOT}/target"), course.path().join("target")).expect("a link can be made");
    course
}

/// What a command reports.
fn harness<T: DeserializeOwned>(args: &[&str]) -> T {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.args(args).args(["--format", "json"]);
    let output = command.output().expect("harness starts");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}
