//! The Puzzle Solver in C++: the Rust reference and many of its mutants, in another language.

use super::run::{Run, command, output};
use super::{harness, repository, skip};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn course() -> PathBuf {
    repository().join("examples/puzzle-cpp")
}

/// The files in a folder whose names end with `extension`.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The ids in `BUG("...")`.
fn ids(source: &str) -> impl Iterator<Item = String> {
    source.split("BUG(\"").skip(1).filter_map(|rest| Some(rest.split_once("\")")?.0.to_owned()))
}

#[test]
fn the_cpp_program_and_its_catalogue_name_the_same_mutants() {
    let sources = files(&course(), "cpp");
    let in_source: BTreeSet<_> =
        sources.iter().flat_map(|path| ids(&text(path)).collect::<Vec<_>>()).collect();
    let catalogue = files(&course().join("mutants"), "yaml");
    let in_catalogue: BTreeSet<_> = catalogue
        .iter()
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(in_source, in_catalogue);
}

#[test]
fn a_mutant_of_the_cpp_program_has_the_catalogue_file_of_the_rust_mutant() {
    for path in files(&course().join("mutants"), "yaml") {
        let original = repository().join("mutants/puzzle").join(path.file_name().unwrap());
        assert_eq!(text(&path), text(&original), "{}", path.display());
    }
}

#[test]
fn the_cpp_program_includes_the_same_header_whoever_compiles_it() {
    let own = text(&course().join("subject.h"));
    assert_eq!(own, text(&repository().join("crates/subject/c/subject.h")));
}

#[test]
#[ignore = "it compiles a larger program twice; .ci/run runs it"]
fn the_sample_suite_gets_the_same_verdicts_from_the_cpp_program_and_the_rust_crate() {
    if Command::new("c++").arg("--version").output().is_err() {
        return skip("there is no C++ compiler `c++` on this machine");
    }
    let score = ["score", "student_tests/puzzle", "--format", "json"];
    let rust = harness(&score).exits(0).report();
    let mut command = command();
    command.args(score).args(["--course", "examples/puzzle-cpp"]);
    let run: Run = output(&mut command).into();
    let cpp = run.exits(0).report();

    let (rust, cpp) = (&rust.assignments[0], &cpp.assignments[0]);
    let mut expected = rust.suites[0].exposed_by.clone();
    expected.retain(|id, _| cpp.mutants.iter().any(|mutant| mutant.id == *id));
    assert!(expected.len() > 24, "{expected:?}");
    assert_eq!(cpp.suites[0].exposed_by, expected);
}
