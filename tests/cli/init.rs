//! `harness init`.

use super::course::Course;
use super::language::PYTHON;
use super::{folder, harness, path};

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_course_builds_and_scores_at_once() {
    let parent = folder(&[]);
    let course = parent.path().join("course");
    let course = course.to_str().unwrap();
    harness(&["init", course]).exits(0);
    let run = harness(&[
        "score",
        &format!("{course}/student_tests"),
        "--course",
        course,
        "--format",
        "json",
    ])
    .exits(0);
    let score = run.report().assignments[0].suites[0].score.clone().unwrap();
    assert_eq!((score.exposed, score.mutants), (2, 3));
}

#[test]
fn nothing_is_overwritten() {
    let full = folder(&[("notes.txt", b"mine")]);
    harness(&["init", path(&full)]).fails(
        2,
        "\
error: [..] already exists and is not an empty folder
hint: name a new folder; existing files are never overwritten
",
    );
    assert_eq!(std::fs::read_dir(full.path()).unwrap().count(), 1);
}

#[test]
fn a_new_course_forgives_what_nobody_sees_at_the_end_of_a_line() {
    let Some(course) = PYTHON.course() else { return };
    let course: Course = course
        .file("t/test-1-m.txt", "1\n2")
        .file("t/test-2-m.txt", "1 \n2\t\n")
        .file("t/test-3-m.txt", "1\r\n2\r\n")
        .file("t/test-4-m.txt", "\u{feff}1\n2\n");
    let run = course.score("t", &["--format", "json"]).exits(0);
    let suite = &run.report().assignments[0].suites[0];
    let rejected = suite.tests.iter().filter_map(|test| Some((&test.file, test.reason.as_ref()?)));
    let rejected: Vec<_> = rejected.collect();
    let [(file, reason)] = rejected.as_slice() else { panic!("{rejected:?}") };
    assert_eq!(file.as_str(), "test-4-m.txt");
    assert!(reason.starts_with("the file begins with a byte order mark: "), "{reason}");
}
