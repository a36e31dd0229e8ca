//! From handing in to the record, with the real grader.

use super::support::grading::{Process, SERVER, cannot_grade, name_of, options, slow, wait};
use super::support::{site_on_both, sums};
use harness::grading::jobs::Answer;
use harness::result::graded::SubmissionReport;
use harness::result::record::Record;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

fn without_times(mut record: Record) -> Record {
    let groups = record.report.groups.iter_mut();
    groups.flat_map(|group| &mut group.cases).for_each(|case| case.measures = None);
    record
}

/// What `harness grade --jobs-from -` says of an archive of this student.
fn graded(course: &std::path::Path, archive: &[u8], student: &str) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.tar.gz");
    fs::write(&file, archive).unwrap();
    let mut command = Command::new(SERVER);
    command.args(["grade", "--jobs-from", "-", "--course"]).arg(course);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let job = serde_json::json!({ "submission": file, "name": student });
    writeln!(child.stdin.take().unwrap(), "{job}").unwrap();
    let answers = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let answer = answers.lines().nth(1).unwrap();
    match serde_json::from_str(answer).unwrap() {
        Answer::Graded { record, .. } => *record,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_submission_gets_the_record_that_the_command_line_gives() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let _working = site.workers(&options());
        let (ann, bob) = (site.student(), site.student());
        let wrong = sums::SUM.replace("a + b", "a - b");
        let wrong = sums::archive(&[("sum.cpp", &wrong), ("Makefile", sums::MAKEFILE)]);
        let refused = b"no archive".to_vec();
        for (student, archive) in [(&ann, sums::right()), (&bob, wrong), (&bob, refused)] {
            let submission = site.hand_in(student, archive.clone());
            let record = site.record(submission);
            let expected = graded(site.course.path(), &archive, &student.login);
            assert_eq!(without_times(record), without_times(expected));
        }
        let points = site.number("select points from result order by job limit 1");
        assert_eq!(points, 9000);
        let slots = site.number("select count(*) from submission where slot is not null");
        assert_eq!(slots, 2, "what was refused costs no attempt");
        assert_eq!(site.number("select count(*) from progress"), 0);
        assert_eq!(site.number("select max(attempt) from job"), 1);
    });
}

#[test]
fn the_exposed_bugs_are_known_while_the_program_still_runs() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let _working = site.workers(&options());
        wait("the grader is ready", || site.text("select state from worker") == "waiting");
        let submission = site.hand_in(&site.student(), slow(6));
        let mut report = String::new();
        wait("the tests are scored", || {
            report = site.text(
                "select progress.report from progress, job, worker where job.state = 'running' \
                 and worker.state = 'grading' and not exists (select 1 from result)",
            );
            !report.is_empty()
        });
        let report: SubmissionReport = serde_json::from_str(&report).unwrap();
        let score = report.tests.as_ref().and_then(|tests| tests.score.as_ref()).unwrap();
        assert_eq!(score.exposed, 1);
        site.record(submission);
    });
}

#[test]
fn a_worker_process_grades_what_waits_and_ends_with_the_queue() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        let student = site.student();
        let all = [site.hand_in(&student, sums::right()), site.hand_in(&student, slow(0))];
        // One waits for its next attempt.
        site.write(move |connection| {
            let later = connection.now()? + 1500;
            let sql = "update job set until = $1 where submission = $2";
            connection.execute(sql, &[later.into(), all[1].into()])
        });
        let mut process = Process::start(site, &["--until-empty"]);
        assert!(process.child.wait().unwrap().success());
        assert_eq!(site.number("select count(*) from result"), 2);
        assert_eq!(site.number("select count(*) from worker"), 0, "it said that it ends");
    });
}

#[test]
fn a_worker_needs_a_database_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("missing.sqlite");
    let output =
        Command::new(SERVER).args(["serve", "worker", "--database"]).arg(&file).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("there is no database") && words.contains("--database"), "{words}");
    assert!(!file.exists());
}

#[test]
fn the_grader_has_nothing_of_the_environment_and_no_descriptors() {
    if cannot_grade() {
        return;
    }
    site_on_both("", |site| {
        // The worker is started by a shell that leaves a descriptor open.
        let cache = tempfile::tempdir().unwrap();
        let script = "exec 7<\"$0\"; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(site.course.path().join("harness.yaml")).arg(SERVER);
        command.args(["serve", "worker", "--workers", "1", "--database", &name_of(site)]);
        command.arg("--cache").arg(cache.path()).env("HARNESS_SECRET", "4711");
        let mut worker = command.spawn().unwrap();
        let mut grader = 0;
        wait("the worker has a grader that waits for jobs", || {
            let children = super::support::grading::children(worker.id());
            grader = children.first().copied().unwrap_or_default();
            site.text("select state from worker") == "waiting" && grader > 0
        });
        assert!(fs::metadata(format!("/proc/{}/fd/7", worker.id())).is_ok(), "the worker has it");
        let environment = fs::read(format!("/proc/{grader}/environ")).unwrap();
        let environment = String::from_utf8_lossy(&environment).into_owned();
        let names = environment.split('\0').filter_map(|it| Some(it.split_once('=')?.0));
        let allowed = ["PATH", "HOME", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"];
        let other: Vec<_> = names.filter(|name| !allowed.contains(name)).collect();
        assert!(other.is_empty(), "{other:?}");
        for entry in fs::read_dir(format!("/proc/{grader}/fd")).unwrap().flatten() {
            let target = fs::read_link(entry.path()).unwrap_or_default();
            let target = target.to_string_lossy().into_owned();
            let foreign = ["socket:", "sqlite", "harness.yaml"];
            assert!(!foreign.iter().any(|it| target.contains(it)), "{target}");
        }
        worker.kill().unwrap();
        worker.wait().unwrap();
    });
}
