//! `harness init`.

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
