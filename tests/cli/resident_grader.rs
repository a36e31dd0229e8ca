//! `harness grade --jobs-from`: a process that grades one submission after the other.

use super::grading_a_class::class;
use super::path;
use super::run::command;
use super::sums::{SUM, has_no_compiler};
use harness::diagnostic::FailureKind;
use harness::grading::jobs::{Answer, End};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use tempfile::TempDir;

/// A resident grader, and the pipes to it.
struct Grader {
    child: Child,
    jobs: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Grader {
    fn start(course: &TempDir, args: &[&str]) -> Self {
        let mut command = command();
        command.args([
            "grade",
            "--jobs-from",
            "-",
            "--unsafe-no-sandbox",
            "--course",
            path(course),
        ]);
        let mut child =
            command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (jobs, answers) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut grader = Self { child, jobs, answers: BufReader::new(answers) };
        let ready = grader.answer();
        assert!(matches!(ready, Answer::Ready { .. }), "{ready:?}");
        grader
    }

    fn send(&mut self, line: &str) {
        writeln!(self.jobs.as_mut().unwrap(), "{line}").unwrap();
    }

    fn answer(&mut self) -> Answer {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    /// Requires that it says why it ends, and ends well.
    fn ends(mut self, expected: End) {
        let answer = self.answer();
        assert!(matches!(answer, Answer::Ended { why } if why == expected), "{answer:?}");
        drop(self.jobs.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn job(course: &TempDir, name: &str) -> String {
    let submission = course.path().join("class").join(name);
    serde_json::json!({ "submission": submission }).to_string()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_job_is_answered_before_the_next_and_none_ends_the_grader() {
    if has_no_compiler() {
        return;
    }
    let wrong = SUM.replace("a + b", "a - b");
    let course = class(&[("ann", SUM), ("bob", &wrong)]);
    let mut grader = Grader::start(&course, &[]);
    let points = |answer: Answer| match answer {
        Answer::Graded { record, .. } => (record.report.name, record.report.points.earned),
        other => panic!("{other:?}"),
    };
    grader.send(&job(&course, "ann"));
    assert_eq!(points(grader.answer()), ("ann".to_owned(), 90.0));
    grader.send(&job(&course, "nobody"));
    let missing = grader.answer();
    assert!(
        matches!(missing, Answer::Failed { kind: FailureKind::Machine, .. }),
        "what is not there is no student's fault: {missing:?}"
    );
    grader.send("{");
    let malformed = grader.answer();
    assert!(
        matches!(malformed, Answer::Failed { kind: FailureKind::Request, submission: None, .. }),
        "{malformed:?}"
    );
    let bob = course.path().join("class/bob");
    grader.send(&serde_json::json!({ "submission": bob, "name": "7" }).to_string());
    assert_eq!(points(grader.answer()), ("7".to_owned(), 50.0));
    drop(grader.jobs.take());
    grader.ends(End::NoMoreJobs);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_record_equals_that_of_a_class() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM)]);
    super::grading_a_class::run(&course, &[]).exits(0);
    let of_class = super::grading_a_class::records(&course, "results").remove("ann").unwrap();
    let other = course.path().join("other");
    let out = ["--most-jobs", "1", "--out", other.to_str().unwrap()];
    let mut grader = Grader::start(&course, &out);
    grader.send(&job(&course, "ann"));
    let Answer::Graded { mut record, .. } = grader.answer() else { panic!("it is graded") };
    assert_eq!(super::grading_a_class::records(&course, "other")["ann"], *record, "it is kept");
    let mut expected = of_class;
    for record in [&mut *record, &mut expected] {
        let groups = record.report.groups.iter_mut();
        groups.flat_map(|group| &mut group.cases).for_each(|case| case.measures = None);
    }
    assert_eq!(*record, expected);
    grader.ends(End::Enough);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_change_of_the_course_ends_the_grader_without_an_answer() {
    if has_no_compiler() {
        return;
    }
    let files: [(&str, fn(&str) -> String); 3] = [
        ("harness.yaml", |text| text.replace("Sums", "More sums")),
        ("cases.yaml", |text| text.replace("20 22", "20 23")),
        ("mutants/adds-one.yaml", |text| text.replace("Adds one.", "Adds 1.")),
    ];
    for (file, change) in files {
        let course = class(&[("ann", SUM)]);
        let mut grader = Grader::start(&course, &[]);
        let path = course.path().join(file);
        fs::write(&path, change(&fs::read_to_string(&path).unwrap())).unwrap();
        grader.send(&job(&course, "ann"));
        grader.ends(End::CourseChanged);
    }
}
