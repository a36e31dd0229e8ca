//! `harness solution`.

use super::run::output;
use super::{folder, harness, path, repository, skip};
use harness::catalogue;
use harness::course::{AssignmentProgram, Course};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

/// The text of every file below a folder, by its path in it.
fn texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
    files.map(|entry| (name(entry.path()), text(entry.path()))).collect()
}

/// Runs Cargo on a package. Nobody debugs what it builds.
#[track_caller]
fn cargo(package: &Path, target: &Path, args: &[&str]) {
    let mut command = Command::new("cargo");
    command
        .args(args)
        .current_dir(package)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("RUSTFLAGS");
    let output = output(&mut command);
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{args:?} in {}\n{stdout}\n{stderr}", package.display());
}

/// Whether Clippy is there; if not, that part of the test is skipped.
fn has_clippy() -> bool {
    let found = Command::new("cargo").args(["clippy", "--version"]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        skip("there is no `cargo clippy` on this machine");
    }
    found
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_solution_builds_alone_passes_the_references_tests_and_has_no_dead_code() {
    let (around, target) = (folder(&[]), folder(&[]));
    let course = Course::read(repository()).unwrap();
    let mut written: BTreeMap<&Path, BTreeMap<PathBuf, String>> = BTreeMap::new();
    for assignment in &course.assignments {
        let AssignmentProgram::Cargo(package) = &assignment.program else { continue };
        let out = around.path().join(&assignment.id);
        harness(&["solution", &assignment.id, "--out", out.to_str().unwrap()]).exits(0);
        let files = texts(&out);
        for id in catalogue::ids(assignment).unwrap() {
            let naming = files.iter().find(|(_, text)| text.contains(&id));
            assert_eq!(naming.map(|(file, _)| file), None, "names `{id}`");
        }
        // Two assignments may be programs of one crate.
        if let Some(other) = written.get(package.folder.as_path()) {
            assert!(files == *other, "the solutions of one crate differ");
            continue;
        }
        written.insert(&package.folder, files);
        cargo(&out, target.path(), &["test", "--offline", "--quiet"]);
        if has_clippy() {
            let lints = ["--", "-D", "warnings", "-D", "unused", "-D", "dead_code"];
            let args = ["clippy", "--offline", "--quiet", "--all-targets"];
            cargo(&out, target.path(), &[&args[..], &lints].concat());
        }
    }
    assert!(!written.is_empty(), "no assignment of this course is a crate");
}

#[test]
fn nothing_is_overwritten() {
    let full = folder(&[("notes.txt", b"mine")]);
    harness(&["solution", "puzzle", "--out", path(&full)]).fails(
        2,
        "\
error: [..] already exists and is not an empty folder
hint: name a new folder; existing files are never overwritten
",
    );
    assert_eq!(fs::read_dir(full.path()).unwrap().count(), 1);
}

#[test]
fn a_program_that_is_built_by_commands_has_no_solution() {
    let out = folder(&[]);
    let course = ["--course", "docs/any-program"];
    harness(&[&["solution", "countdown", "--out", path(&out)], &course[..]].concat()).fails(
        2,
        "\
error: `countdown` is built by commands, so its bugs cannot be removed
hint: only a program of `cargo:`, `c:`, `cpp:` or `python:` in the course file has a solution
",
    );
}

#[test]
fn a_new_courses_solution_keeps_its_comments_and_its_correct_branches() {
    let around = folder(&[]);
    let (course, out) = (around.path().join("course"), around.path().join("out"));
    harness(&["init", course.to_str().unwrap()]).exits(0);
    let course = course.to_str().unwrap();
    harness(&["solution", "tally", "--out", out.to_str().unwrap(), "--course", course]).exits(0);
    let main = fs::read_to_string(out.join("src/main.rs")).unwrap();
    assert!(!main.contains("bug"), "{main}");
    let reference =
        fs::read_to_string(Path::new(course).join("reference/tally/src/main.rs")).unwrap();
    assert_eq!(main.lines().next(), reference.lines().next());
}

#[test]
fn a_bug_that_cannot_be_replaced_is_shown_with_its_place() {
    let around = folder(&[]);
    let course = around.path().join("course");
    let out = around.path().join("out");
    harness(&["init", course.to_str().unwrap()]).exits(0);
    let source = course.join("reference/tally/src/main.rs");
    let mut text = fs::read_to_string(&source).unwrap();
    text.push_str("fn is_wrong() -> bool { bug!(\"max-starts-at-zero\") }\n");
    fs::write(&source, text).unwrap();
    let args =
        ["solution", "tally", "--out", out.to_str().unwrap(), "--course", course.to_str().unwrap()];
    harness(&args).fails(
        4,
        "\
error: this `bug!` cannot be replaced by its correct branch
  --> [..]/course/reference/tally/src/main.rs:[..]
   |
[..] | fn is_wrong() -> bool { bug!(\"max-starts-at-zero\") }
   |                         ^
hint: write it as the condition of an `if` or of an arm, alone or with `!`, `&&` and `||`
",
    );
    assert!(!out.exists());
}
