//! Broken courses: `harness` scores nothing and exits with 4.

use super::course::Course;
use super::language::{Language, PYTHON};
use super::{folder, harness, path, repository};

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_combined_build_that_disagrees_with_the_reference_stops_the_run() {
    let course = "tests/courses/disagreeing";
    let run = harness(&["score", "tests/courses/disagreeing/tests", "--course", course]).fails(
        4,
        "\
warning: 1 mutant of `hello` does not count, because a valid witness is missing
  says-goodbye: it has no witness
hint: `harness mutants verify --assignment hello` checks all mutants
error: the combined build with no mutant selected differs from the reference on this case:

go

hint: a bug changes more than its own mutant; `harness mutants verify` finds out which
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
    // The crate has no mutant of the catalogue at all.
    course.score("t", &[]).fails(
        4,
        "\
error: the mutant `says-nothing` is not a feature of [..]/tests/courses/disagreeing/Cargo.toml
hint: add `says-nothing = []` under [features], or remove [..]/mutants/says-nothing.yaml
error: the feature `says-goodbye` of [..]/tests/courses/disagreeing is not a mutant
hint: describe it in [..]/mutants/says-goodbye.yaml; `harness mutants new hello --missing` writes this file
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_with_another_worker_protocol_breaks_the_course_and_rejects_no_test() {
    let subject = repository().join("crates/subject");
    let manifest = format!(
        "[package]\nname = \"old\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\nsubject = {{ path = \"{}\" }}\n\
         [features]\nselect-at-run-time = []\nbug = []\n",
        subject.display()
    );
    // Asks its `subject` for a version of the protocol that this `subject` does not have.
    let main = b"use std::process::ExitCode;\nfn main() -> ExitCode {\n    if std::env::var_os(subject::WORKER_VARIABLE).is_some() {\n        \
        std::env::set_var(subject::WORKER_VARIABLE, \"0\");\n    }\n    subject::main(|_| 0)\n}\n";
    let course = folder(&[
        ("harness.yaml", b"course: x\nassignments:\n  a:\n    domain: text\n    program: { cargo: old }\n    mutants: mutants\n    \
            tests: { files: 3, flags: [] }\n    scoring: { start: 1, full: 1 }\n"),
        ("old/Cargo.toml", manifest.as_bytes()),
        ("old/src/main.rs", main),
        ("mutants/bug.yaml", b"summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\n"),
        ("t/test-1.txt", b"x"),
    ]);
    let tests = format!("{}/t", path(&course));
    let run = harness(&["score", &tests, "--course", path(&course)]);
    assert_eq!(run.status, 4, "{}{}", run.stdout, run.stderr);
    let expected = format!(
        " links another version of `subject`: its version of the worker protocol is {}, not 0\n\
         hint: let the crate depend on the `subject` that comes with this version of `harness`\n",
        subject::wire::VERSION
    );
    assert!(run.stderr.ends_with(&expected), "{}", run.stderr);
}

#[test]
fn a_reference_that_lacks_a_file_breaks_the_course_and_rejects_no_test() {
    let Some(course) = PYTHON.course() else { return };
    let source = PYTHON.source();
    course.write(&source, format!("import tables\n{}", course.read(&source)));
    course.write("mine/tally.py", "print(1)\n");
    course.write("mine/test-1-s.txt", "1\n2\n");
    let expected = "\
error: the reference of `tally` rejects every witness: ModuleNotFoundError: No module named 'tables'
hint: does it lack a file?; `harness mutants verify --assignment tally` says more
";
    course.harness(&["grade", &course.word("mine"), "--unsafe-no-sandbox"]).fails(4, expected);
    let found = course.harness(&["doctor"]).exits(4).stdout;
    // How wide the columns are depends on the machine.
    let words: Vec<&str> = found.split_whitespace().collect();
    let expected_words = "MISSING reference of tally error: the reference of `tally` rejects every";
    assert!(words.join(" ").contains(expected_words), "{found}");
    course.score("student_tests", &[]).fails(4, expected);
}

#[test]
fn a_python_course_without_subject_py_is_told_so_before_it_runs() {
    let Some(course) = PYTHON.course() else { return };
    let file = "reference/tally/subject.py";
    std::fs::remove_file(course.path(file)).unwrap();
    let (_, line, _) = Language::place(&course, &PYTHON.source(), "import bug");
    let expected = format!(
        "error: cannot build the reference of `tally`\n  File \"[..]tally.py\", line {line}\n\
         ModuleNotFoundError: there is no `subject.py` beside the program\n\
         hint: `harness init --language python DIR` writes one\n"
    );
    course.score("student_tests", &[]).fails(4, &expected);
    // Something else of this name is no module.
    course.replace(&PYTHON.source(), "from subject import bug", "from tools import bug, subject");
    course.write("reference/tally/tools.py", "subject = None\ndef bug(id):\n    return False\n");
    let run = course.score("student_tests", &[]);
    assert!(run.stdout.contains("Valid: "), "{}{}", run.stdout, run.stderr);
}
