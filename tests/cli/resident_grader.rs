//! `harness grade --jobs-from`: a process that grades one submission after the other.

use super::grading_a_class::class;
use super::path;
use super::run::command;
use super::sums::{SUM, has_no_compiler};
use harness::course::{Audience, Course};
use harness::diagnostic::FailureKind;
use harness::grading::jobs::{Answer, End};
use harness::grading::{Cut, Stage};
use harness::result::graded::SubmissionReport;
use harness::run::prepare;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};
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
        let Answer::Ready { mutants, .. } = grader.answer() else { panic!("it is ready") };
        assert_eq!(mutants, ["adds-one"]);
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

/// The stages of the job whose answers come next, each with its report, and the report of the record.
fn stages(grader: &mut Grader) -> (Vec<(Stage, SubmissionReport)>, SubmissionReport) {
    let mut stages = Vec::new();
    loop {
        match grader.answer() {
            Answer::Progress { submission, stage, report } => {
                assert!(submission.ends_with("class/ann"));
                stages.push((stage, *report));
            }
            Answer::Graded { record, .. } => return (stages, record.report),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_job_is_told_what_is_known_after_each_stage() {
    if has_no_compiler() {
        return;
    }
    let course = class(&[("ann", SUM)]);
    let mut grader = Grader::start(&course, &["--most-jobs", "2"]);
    let submission = course.path().join("class/ann");
    let job = |progress: bool| {
        serde_json::json!({ "submission": submission, "progress": progress }).to_string()
    };
    grader.send(&job(true));
    let (stages, report) = stages(&mut grader);
    let order: Vec<_> = stages.iter().map(|(stage, _)| *stage).collect();
    assert_eq!(order, [Stage::Tests, Stage::Build, Stage::Cases, Stage::Cases]);
    let (first, last) = (&stages[0].1, &stages[3].1);
    assert_eq!((&first.tests, &first.build, first.groups.len()), (&report.tests, &None, 0));
    assert!(first.tests.as_ref().unwrap().score.is_some() && first.points.parts.is_empty());
    assert_eq!((&last.build, &last.findings), (&report.build, &report.findings));
    assert_eq!(last.groups, report.groups);
    let read = Course::read(course.path()).unwrap_or_else(|it| panic!("{:?}", it.problems));
    let assignment = read.assignment("sum").unwrap_or_else(|it| panic!("{:?}", it.problems));
    let mutants = prepare::bugs(&read, assignment).unwrap_or_else(|it| panic!("{:?}", it.problems));
    let rules = assignment.submission.as_ref().unwrap();
    let cut = Cut::new(assignment, rules, &mutants, Audience::Normal, false);
    let cut = cut.unwrap_or_else(|it| panic!("{:?}", it.problems));
    for (_, report) in &stages {
        assert_eq!(cut.submission(report).groups.len(), report.groups.len());
    }

    grader.send(&job(false));
    assert!(matches!(grader.answer(), Answer::Graded { .. }));
    grader.ends(End::Enough);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_grader_whose_answers_nobody_reads_ends_in_the_middle_of_a_job() {
    if has_no_compiler() {
        return;
    }
    let endless =
        SUM.replace("int main() {", "int main() {\n    for (volatile int i = 0;; ++i) {}");
    let course = class(&[("ann", &endless)]);
    let mut grader = Grader::start(&course, &[]);
    let submission = course.path().join("class/ann");
    grader.send(&serde_json::json!({ "submission": submission, "progress": true }).to_string());
    let is_build = |answer: &Answer| matches!(answer, Answer::Progress { stage: Stage::Build, .. });
    while !is_build(&grader.answer()) {}
    let Grader { mut child, jobs, answers } = grader;
    let start = Instant::now();
    drop(answers);
    assert_eq!(child.wait().unwrap().code(), Some(141));
    assert!(start.elapsed() < Duration::from_secs(25), "the cases take half a minute each");
    drop(jobs);
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
