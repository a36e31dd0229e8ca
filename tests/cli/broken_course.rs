//! Broken courses: `harness` scores nothing and exits with 4.

use super::course::Course;
use super::{harness, repository};

#[test]
fn a_combined_build_that_disagrees_with_the_reference_stops_the_run() {
    let course = "tests/courses/disagreeing";
    let run = harness(&["score", "tests/courses/disagreeing/tests", "--course", course]).fails(
        4,
        "\
error: the combined build with no mutant selected differs from the reference on this case:

go

hint: a `bug!` changes more than its own mutant; `harness mutants verify` finds out which
",
    );
    assert!(!run.stdout.contains("Score:"), "{}", run.stdout);
}

#[test]
fn a_mutant_that_is_missing_from_the_catalogue_or_the_crate_is_reported() {
    let disagreeing = repository().join("tests/courses/disagreeing");
    let course = Course::new("hello", &format!("{{ cargo: {} }}", disagreeing.display()))
        .mutant("says-nothing", &[])
        .file("t/test-1.txt", "x");
    course.score("t", &[]).fails(
        4,
        "\
error: the mutant `says-nothing` is not a feature of [..]/tests/courses/disagreeing/Cargo.toml
hint: add `says-nothing = []` under [features], or remove [..]/mutants/says-nothing.yaml
error: the feature `says-goodbye` of [..]/tests/courses/disagreeing is not a mutant
hint: describe it in [..]/mutants/says-goodbye.yaml
",
    );
}
