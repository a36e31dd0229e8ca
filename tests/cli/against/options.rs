//! Options of `generate --against` for programs that have less than the reference.

use super::{built_of, folder, found, harness};
use harness::report::against::Against;
use harness::run::build::Variant;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Options for few mazes. When all of them were tried, a search ends long before its budget.
pub(super) const SMALL: [&str; 4] = ["--limit", "rows=1", "--limit", "columns=3"];

/// What is found about a script that knows where a program of the repository is. The folder has a folder `out` if a test was written.
pub(super) fn found_of(assignment: &str, program: &Path, options: &[&str]) -> (Against, TempDir) {
    let place = folder(&[]);
    let out = place.path().join("out");
    let args = ["generate", "--assignment", assignment, "--format", "json", "--out"];
    // In the sandbox, the script sees no other file.
    let program = ["--unsafe-no-sandbox", "--against", program.to_str().unwrap()];
    let out = [out.to_str().unwrap()];
    let run = harness(&[&args[..], &out, options, &program[..]].concat()).exits(0);
    (found(&run), place)
}

pub(super) fn reference(assignment: &str) -> PathBuf {
    built_of(assignment, Variant::Reference)
}

/// An executable shell script.
pub(super) fn executable(lines: &str) -> (TempDir, PathBuf) {
    let place = folder(&[("program", format!("#!/bin/sh\n{lines}\n").as_bytes())]);
    let program = place.path().join("program");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    (place, program)
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_without_the_extra_credit_is_right_without_its_flag() {
    let solver = reference("sliding");
    let (_place, program) =
        executable(&format!("[ \"$1\" = -h ] && exit 2\nexec '{}' \"$@\"", solver.display()));
    let (against, _out) = found_of("sliding", &program, &["--without", "page", "--budget", "3"]);
    assert_eq!(against.differing_cases, 0, "{against:?}");
    let (against, _out) = found_of("sliding", &program, &["--budget", "6", "--max-files", "1"]);
    assert_eq!(against.differences[0].all_flags, ["h"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_solver_that_was_compiled_with_full_is_right_with_the_documents_arguments() {
    let solver = reference("maze-solver");
    let (_place, program) =
        executable(&format!("[ $# = 6 ] || exit 2\nexec '{}' --full \"$@\"", solver.display()));
    let options = ["--without", "p", "--document-args", "--budget", "3"];
    let (against, _out) = found_of("maze-solver", &program, &options);
    assert_eq!((against.differing_cases, against.slow_cases), (0, 0), "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_generator_with_one_argument_and_one_size_is_right() {
    let generator = reference("maze-generator");
    let (_place, program) = executable(&format!(
        "[ $# = 1 ] || exit 2\nexec '{}' --seed 5 --size 25x10 \"$1\"",
        generator.display()
    ));
    let options = ["--fixed-size", "25x10", "--document-args", "--budget", "3"];
    let (against, _out) = found_of("maze-generator", &program, &options);
    assert!(against.random_cases > 0 && against.differing_cases == 0, "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_solver_of_one_size_gets_only_mazes_of_that_size() {
    let solver = reference("maze-solver");
    // Wrong on all mazes of 25x10 that do not begin in the first row, and on every other size.
    let (_place, program) = executable(&format!(
        "rows=0; while IFS= read -r row; do rows=$((rows + 1)); [ ${{#row}} = 25 ] || exit 3; done < \"$1\"\n\
         [ $rows = 10 ] || exit 3\n[ \"$4\" = 0 ] || exit 4\nexec '{}' \"$@\"",
        solver.display()
    ));
    let options = ["--fixed-size", "25x10", "--without", "f", "--budget", "8"];
    let (against, _out) = found_of("maze-solver", &program, &options);
    let [difference] = against.differences.as_slice() else { panic!("{against:?}") };
    assert_eq!(difference.outcomes.program.end, "exits with status 4");
    assert_eq!(difference.size, 250);
}

#[test]
fn options_that_leave_no_test_are_explained() {
    for (options, message) in [
        (
            &["puzzle", "--without", "search"][..],
            "--without search leaves no test: each has a flag of the group `search`\n",
        ),
        (
            &["puzzle", "--without", "z"],
            "the tests of `puzzle` have no flag `z`\n\
             hint: their flags are search (s, q), output (m, l)\n",
        ),
        (
            &["puzzle", "--fixed-size", "3x3"],
            "the tests of `puzzle` have no fixed size\n\
             hint: bound them with --limit instead, for example --limit rows=5\n",
        ),
        (
            &["puzzle", "--limit", "rows=11"],
            "--limit rows=11 is above the course's 10\nhint: a larger test would be rejected\n",
        ),
        (
            &["puzzle", "--limit", "row=1"],
            "the tests of `puzzle` have no limit `row`\nhint: did you mean `rows`?\n",
        ),
    ] {
        let args = [&["generate", "--against", "true", "--assignment"], options].concat();
        harness(&args).fails(2, &format!("error: {message}"));
    }
}
