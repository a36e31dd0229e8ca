//! Submissions of unit tests: `grade`, `explain` and what else reads suites.

use super::course::Course;
use super::run::{has_a_sandbox, has_pytest};
use super::unit_tests::{FRAMEWORKS, SHARED, sharing_frameworks};
use super::{Run, folder, harness, unit_python};
use harness::report::catalogue::Shown;
use harness::report::surveyed::Surveyed;
use harness::report::verified::Verified;
use harness::result::explained::Explained;
use harness::result::graded::Graded;
use std::fs;

/// Whether this machine can run the example in C++. If not, the test is skipped.
fn has_what_it_needs() -> bool {
    has_a_sandbox() && FRAMEWORKS[0].is_there()
}

/// A copy of the example, which the test may change.
fn matrix() -> Option<Course> {
    let copy = || sharing_frameworks(Course::copy_of("examples/matrix-cpp"), "matrix");
    has_what_it_needs().then(copy)
}

/// A path in the copy of the example that all tests share, as a word of a command line.
fn shared(name: &str) -> String {
    SHARED.join(name).to_str().expect("the target folder has a plain name").to_owned()
}

/// Runs `harness` with the course that all tests share.
#[track_caller]
fn with_shared(args: &[&str]) -> Run {
    harness(&[args, &["--course", &shared("")]].concat())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_submission_of_unit_tests_earns_points_for_the_mutants_that_it_exposes() {
    if !has_what_it_needs() {
        return;
    }
    let place = folder(&[]);
    let page = place.path().join("bob.html");
    let html = ["--html", page.to_str().unwrap()];
    let bob = shared("student_tests/bob");
    let run = with_shared(&[&["grade", &bob, "--format", "json"], &html[..]].concat());
    let graded: Graded = run.exits(0).json();
    let report = &graded.submissions[0];
    let tests = report.tests.as_ref().unwrap();
    assert_eq!((tests.valid_tests(), tests.exposed_by.len()), (2, 2));
    let rejected = tests.tests.iter().find(|test| test.reason.is_some()).unwrap();
    assert_eq!(rejected.file, "Matrix_tests.cpp:minimum in the whole row");
    let parts: Vec<_> = report.points.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((parts, report.findings.len()), (vec!["tests"], 0));
    assert!(report.build.is_none() && report.groups.is_empty());
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("minimum in the whole row") && !page.contains("Build"), "{page}");
}

#[test]
fn what_is_for_programs_has_no_effect_where_tests_are_unit_tests() {
    for (keys, says) in [
        ("program: matrix\n      points: {", "`program` has"),
        ("scoreboard: names\n      points: {", "`scoreboard` has"),
        ("time: { seconds: 9 }\n      points: { cases: 5,", "`time`, `points.cases` have"),
    ] {
        let course = Course::copy_of("examples/matrix-cpp");
        course.replace("harness.yaml", "      points: {", &format!("      {keys}"));
        let run = course.score("student_tests/bob", &[]);
        run.fails(2, &format!("...\n[..]{says} no effect where tests are unit tests\n...\n"));
    }
}

#[test]
fn a_mistake_in_what_unit_tests_are_is_one_error() {
    let course = Course::copy_of("examples/matrix-cpp");
    course.replace("harness.yaml", "unit: doctest ", "unit: doctst ");
    course.replace("harness.yaml", "points: 10 }", "points: 10, bugs_per_test: 1 }");
    course.score("student_tests/bob", &[]).fails(
        2,
        "error: there is no framework `doctst` of unit tests\n  --> COURSE/harness.yaml:13:13\n   |\n\
         13 |       unit: doctst  [..]\n   |             ^\n\
         hint: did you mean `doctest`?\n",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn explain_shows_the_assertion_that_fails_on_a_mutant_and_the_code_of_the_case() {
    if !has_what_it_needs() {
        return;
    }
    let test = shared("student_tests/ann/Matrix_tests.cpp:fill reaches every element");
    let asked = ["explain", &test, "fills-all-but-the-last"];
    let explained: Explained =
        with_shared(&[&asked[..], &["--format", "json"]].concat()).exits(0).json();
    let assertion = explained.mutants[0].difference.as_ref().unwrap().assertion.clone().unwrap();
    assert_eq!((&*assertion.file, assertion.line), ("Matrix_tests.cpp", Some(28)));
    assert!(assertion.message.contains("0 == -4"), "{}", assertion.message);
    assert_eq!((explained.line, explained.input.lines().count()), (Some(23), 8));
    let text = with_shared(&asked).exits(0).stdout;
    assert!(text.contains("  fails:  Matrix_tests.cpp:28: CHECK("), "{text}");
    assert!(text.contains("    28      CHECK(*Matrix_at(&matrix, 2, 1) == -4);"), "{text}");
    let test = shared("student_tests/bob/Matrix_tests.cpp:minimum in the whole row");
    let run = with_shared(&["explain", &test]);
    assert!(run.status == 3 && run.stdout.contains("Matrix_tests.cpp:23"), "{}", run.stdout);
    let test = shared("student_tests/bob/Matrix_tests.cpp:widht");
    with_shared(&["explain", &test]).fails(
        2,
        "error: there is no test case `widht` in Matrix_tests.cpp\nhint: did you mean `width`?\n",
    );
}

#[test]
fn what_makes_or_runs_inputs_says_that_tests_are_unit_tests() {
    let course = Course::copy_of("examples/matrix-cpp");
    course.harness(&["mutants", "cases"]).fails(
        2,
        "error: the tests of `matrix` are unit tests, and no inputs\nhint: [..]take unit tests\n",
    );
    course.mutants(&["witness", "--record"]).fails(
        2,
        "error: the witnesses of `matrix` are test cases\nhint: they say themselves what the reference does; leave out `--record`\n",
    );
    let java = Course::copy_of("examples/bank-java");
    java.mutants(&["witness", "--missing"]).fails(
        2,
        "error: the witnesses of `bank` are test cases, which you write\nhint: name their file with `witnesses: FILE` in `tests`\n",
    );
    let file = course.word("student_tests/bob/Matrix_tests.cpp");
    course.harness(&["explain", &file]).fails(
        2,
        "error: [..]Matrix_tests.cpp has several test cases\nhint: name one, as in [..]Matrix_tests.cpp:CASE[..]\n",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_survey_counts_the_cases_of_the_course_and_of_its_samples() {
    if !has_what_it_needs() {
        return;
    }
    let survey: Surveyed = with_shared(&["mutants", "survey", "--format", "json"]).exits(0).json();
    let mutant = |id: &str| survey.mutants.iter().find(|mutant| mutant.id == id).unwrap();
    let (easy, hard) =
        (mutant("swaps-width-and-height"), mutant("keeps-the-size-when-transposing"));
    assert!(easy.cases > hard.cases && hard.cases > 0, "{survey:?}");
    // Every case reaches the size of a matrix, and few transpose one.
    assert!(easy.reached > Some(0.99) && hard.reached < Some(0.5), "{survey:?}");
    assert!(survey.unexposed.is_empty() && survey.seed.is_none());
    let folder = shared("student_tests");
    let survey: Surveyed =
        with_shared(&["mutants", "survey", "--suites", &folder, "--format", "json"])
            .exits(0)
            .json();
    let suites = survey.suites.unwrap().suites;
    assert_eq!(suites.iter().map(|suite| &*suite.name).collect::<Vec<_>>(), ["bob", "ann"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn show_prints_the_test_case_of_the_course_that_exposes_a_mutant() {
    let id = "looks-for-the-maximum-in-all-rows-but-the-last";
    let Some(course) = matrix() else { return };
    let shown: Shown = course.mutants(&["show", id, "--format", "json"]).exits(0).json();
    let unit = shown.unit.unwrap();
    assert!(unit.file.unwrap().ends_with("witnesses_tests.cpp"));
    let case = unit.case.unwrap();
    let lines = course.read("witnesses_tests.cpp");
    let first = lines.lines().nth(case.line.unwrap() - 1).unwrap();
    assert_eq!(first, "TEST_CASE(\"the maximum may be in the last row\") {");
    assert_eq!(case.name, "the maximum may be in the last row");
    assert_eq!(case.along, ["swaps-width-and-height"]);
    // It is explained as the cases of a student are.
    let test = course.word("witnesses_tests.cpp:the maximum may be in the last row");
    let text = course.harness(&["explain", &test, id]).exits(0).stdout;
    assert!(text.contains("  fails:  witnesses_tests.cpp:"), "{text}");
    let file = course.word("witnesses_tests.cpp");
    course.harness(&["explain", &file]).fails(2, "error: [..] has several test cases\n...\n");
    let text = course.mutants(&["show", id]).exits(0).stdout;
    for line in case.code.lines() {
        assert!(text.contains(line), "{text}");
    }
    course.replace(
        "witnesses_tests.cpp",
        "CHECK(Matrix_max(&matrix) == 5);",
        "CHECK(Matrix_max(&matrix) >= 0);",
    );
    let text = course.mutants(&["show", id]).exits(0).stdout;
    let none = "none: no test case in COURSE/witnesses_tests.cpp exposes it, so it does not count";
    assert!(text.contains(none), "{text}");
    course.replace("harness.yaml", "      witnesses: witnesses_tests.cpp", "      cases: 90");
    let text = course.mutants(&["show", id]).exits(0).stdout;
    assert!(text.contains("none, so it counts unseen"), "{text}");
}

/// Verifies a course in which each mutant is exposed by a test case of the course, and some by no sample suite.
fn says_what_samples_miss(course: &Course) {
    let verified: Verified = course.mutants(&["verify", "--format", "json"]).exits(0).json();
    let (matrix, scored) =
        (&verified.assignments[0], course.score("student_tests/bob", &["--format", "json"]));
    let suite = &scored.report().assignments[0].suites[0];
    assert_eq!((matrix.mutants.len(), matrix.corpus.witnesses), (14, 8));
    assert_eq!(matrix.corpus.tests, suite.valid_tests());
    let missed: Vec<_> =
        matrix.mutants.iter().filter(|id| !suite.exposed_by.contains_key(*id)).collect();
    assert_eq!(missed.len(), 12);
    assert_eq!(matrix.missed.iter().collect::<Vec<_>>(), missed);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_names_the_mutants_that_no_sample_suite_or_no_test_case_of_the_course_exposes() {
    let Some(course) = matrix() else { return };
    fs::remove_dir_all(course.word("student_tests/ann")).unwrap();
    says_what_samples_miss(&course);
    let file = "witnesses_tests.cpp";
    course.replace(file, "CHECK(Matrix_max(&matrix) == 5);", "CHECK(Matrix_max(&matrix) >= 0);");
    course.replace(
        file,
        "CHECK(Matrix_width(&matrix) == 2);",
        "CHECK(Matrix_width(&matrix) == 9);",
    );
    let run = course.mutants(&["verify"]);
    assert_eq!(run.status, 4);
    for said in [
        "the witness `witnesses_tests.cpp:a matrix has its size` is rejected: it fails on a right program",
        "no test case in witnesses_tests.cpp exposes `looks-for-the-maximum-in-all-rows-but-the-last`",
    ] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let run = course.score("student_tests/bob", &["--format", "json"]);
    let message = "no test case in the file of witnesses exposes it";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    let counted = run.report().assignments[0].mutants.len();
    assert!(counted < 14, "{counted}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_says_if_a_mutant_is_exposed_in_another_way_than_its_file_says() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = unit_python::example();
    fs::remove_dir_all(course.path("student_tests")).unwrap();
    course.write("test_witnesses.py", "from loans import fee\n\n\ndef test_fees():\n    assert fee(11, False) == 250\n    assert fee(1, True) == 13\n");
    for (id, how) in [("charges-without-end", "timeout"), ("rounds-the-half-down", "exit")] {
        let file = format!("mutants/{id}.yaml");
        course.write(&file, format!("{}expect: {{ how: {how} }}\n", course.read(&file)));
    }
    let message = "error: `charges-without-end` is exposed by exit, but `expect` says timeout\n --> COURSE/mutants/charges-without-end.yaml:[..]\n...\n";
    course.mutants(&["verify", "charges-without-end", "rounds-the-half-down"]).fails(4, message);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_says_if_only_cases_that_expose_too_many_bugs_expose_a_mutant() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = unit_python::example();
    fs::remove_dir_all(course.path("student_tests")).unwrap();
    course.replace("harness.yaml", "points: 10 }\n\n", "points: 10, bugs_per_test: 1 }\n\n");
    let broad = "from loans import fee\n\n\ndef test_fees():\n    assert fee(11, False) == 250 and fee(1, True) == 13\n";
    course.write("test_witnesses.py", broad);
    let verify = ["verify", "rounds-the-half-down"];
    let message = "error: only test cases that expose more bugs than `bugs_per_test` allows expose `rounds-the-half-down`: `test_witnesses.py:test_fees` exposes [..]\n --> COURSE/mutants/rounds-the-half-down.yaml:[..]\n...\n";
    course.mutants(&verify).fails(4, message);
    let narrow = "\n\ndef test_half():\n    assert fee(1, True) == 13\n";
    course.write("test_witnesses.py", broad.to_owned() + narrow);
    course.mutants(&verify).exits(0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_class_of_test_files_says_how_many_cases_are_rejected() {
    if !has_a_sandbox() || !has_pytest() {
        return;
    }
    let course = unit_python::example();
    let tests = "def test_a():\n    assert False\n\n\ndef test_b():\n    assert False\n";
    course.write("class/ann/test_loans.py", tests);
    course.write("class/bob/loans.txt", "Not yet.\n");
    let run = harness(&[
        "grade",
        course.path("class").to_str().unwrap(),
        "--course",
        course.path("").to_str().unwrap(),
    ]);
    let text = run.exits(0).stdout;
    assert!(text.contains(" rejected: test_loans.py:test_a and 1 more\n"), "{text}");
    assert!(text.contains(" it has no tests\n"), "{text}");
}
