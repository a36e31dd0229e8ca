//! A course that `harness init` writes can be served at once.

use super::support::grading::{SERVER, cannot_grade};
use super::support::{program, sums};
use std::path::Path;
use std::process::Command;

fn doctor(course: &Path) -> String {
    program::run(program::serve(course, &["doctor"])).out
}

#[test]
fn a_new_course_takes_submissions_at_once() {
    if cannot_grade() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let course = folder.path().join("course");
    let mut init = Command::new(SERVER);
    init.args(["init", "--language", "cpp"]).arg(&course);
    assert_eq!(program::run(init).status, 0);
    sums::write(&course, "serve.yaml", "workers: 0\n");
    let said = doctor(&course);
    assert!(!said.contains("no assignment has a `submission:`"), "{said}");
    let mut grade = Command::new(SERVER);
    grade.arg("grade").arg(course.join("submissions/tally/right")).arg("--course").arg(&course);
    grade.args(["--format", "json"]).stdin(std::process::Stdio::null());
    let done = program::run(grade);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect(&done.error);
    let groups = report["submissions"][0]["groups"].as_array().expect(&done.out);
    assert_eq!(groups.len(), 3, "{}", done.out);
    let cases = groups.iter().flat_map(|group| group["cases"].as_array().unwrap());
    let outcomes: Vec<_> = cases.map(|case| case["verdict"].clone()).collect();
    assert!(outcomes.len() == 9 && outcomes.iter().all(|it| it == "passed"), "{}", done.out);
}
