//! Broken courses: `harness` scores nothing and exits with 4.

use super::{folder, harness, path, repository};

#[test]
fn a_combined_build_that_disagrees_with_the_reference_stops_the_run() {
    let course = "tests/courses/disagreeing";
    let run = harness(&["score", "tests/courses/disagreeing/tests", "--course", course]).exits(4);
    assert!(
        run.stderr
            .starts_with("error: the combined build with nothing selected is not the reference"),
        "{}",
        run.stderr
    );
    assert!(!run.stdout.contains("Score:"), "{}", run.stdout);
}

#[test]
fn a_mutant_that_is_missing_from_the_catalogue_or_the_crate_is_reported() {
    let course = repository().join("tests/courses/disagreeing");
    let crate_folder = course.to_str().unwrap();
    let yaml = format!(
        "course: x\nassignments:\n  hello:\n    domain: text\n    program: {{ cargo: {crate_folder} }}\n    mutants: mutants\n    \
         tests: {{ files: 3, flags: [] }}\n    scoring: {{ start: 1, full: 1 }}\n"
    );
    let mutant = "summary: s\nkind: misreading\narea: a\nspec: s\nhint: h\npoints: 1\n";
    let files = [
        ("harness.yaml", yaml.as_bytes()),
        ("mutants/says-nothing.yaml", mutant.as_bytes()),
        ("t/test-1.txt", b"x"),
    ];
    let course = folder(&files);
    let tests = course.path().join("t");
    let run = harness(&["score", tests.to_str().unwrap(), "--course", path(&course)]).exits(4);
    assert!(
        run.stderr.contains("error: the mutant `says-nothing` is no feature of "),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("hint: add `says-nothing = []` under [features]"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("error: the feature `says-goodbye` of "), "{}", run.stderr);
}
