//! `harness grade` where a document leaves the answer open: cases on which a program must only end by itself, and the mazes' targets.

use super::run::{command, has_a_sandbox, output};
use super::sums::{MAKEFILE, SUM, course, grade_with, has_no_compiler, set, submit};
use super::{Run, folder, harness, repository, skip};
use harness::files;
use harness::result::graded::{Graded, SubmissionReport, Verdict};
use std::fs;
use tempfile::TempDir;

/// A course with a group of cases on which every answer is right, and with one on which the reference's is.
fn lenient() -> TempDir {
    let course = course(&[]);
    let cases = "free:\n  answer: any\n  cases:\n    Word: { text: \"word\\n\" }\n    Strict: { text: \"word\\n\", answer: reference }\n";
    fs::write(course.path().join("cases.yaml"), cases).unwrap();
    set(&course, "time: { seconds: 1, runs: 1 }");
    course
}

fn verdicts(report: &SubmissionReport) -> Vec<Verdict> {
    report.groups.iter().flat_map(|group| &group.cases).map(|case| case.verdict).collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn where_every_answer_is_right_a_program_must_only_end_by_itself() {
    use Verdict::{Crashed, Passed, Status, Timeout};
    if has_no_compiler() {
        return;
    }
    let course = lenient();
    let bad = "        return 1;\n";
    let programs = [
        ("crashes", "        __builtin_trap();\n", [Crashed, Crashed]),
        ("divides", "        raise(SIGFPE);\n", [Crashed, Crashed]),
        ("hangs", "        for (;;)\n            std::getchar();\n", [Timeout, Timeout]),
        ("refuses", bad, [Passed, Passed]),
        ("says-seven", "        return std::puts(\"7\"), 3;\n", [Passed, Status]),
    ];
    for (name, does, _) in programs {
        let source = SUM.replace(bad, does);
        let source = format!("#include <csignal>\n#include <cstdio>\n{source}");
        submit(&course, name, &[("sum.cpp", &source), ("Makefile", MAKEFILE)]);
    }
    let all = grade_with(&course, "class", &["--format", "json"]).exits(0);
    let all = all.json::<Graded>().submissions;
    for (report, (name, _, expected)) in all.iter().zip(programs) {
        assert_eq!((report.name.as_str(), verdicts(report)), (name, expected.to_vec()));
    }
    let text = grade_with(&course, "class/crashes", &[]).exits(0).stdout;
    let ends = "the reference refuses the input with status 1; the program crashes: signal 4, an illegal instruction";
    assert!(text.contains(ends), "{text}");
}

#[test]
fn a_word_for_the_right_answer_that_is_not_known_has_its_place() {
    let course = lenient();
    let file = course.path().join("cases.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("answer: any", "answer: some")).unwrap();
    let run = grade_with(&course, "", &[]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("expected one of reference, any, found `some`"), "{}", run.stderr);
    assert!(run.stderr.contains("cases.yaml:2:11"), "{}", run.stderr);
}

/// The results of the sample submission of an assignment, with each of these changes in one file.
fn changed(
    assignment: &str,
    name: &str,
    changes: &[impl Fn(&str) -> String],
) -> Vec<SubmissionReport> {
    let sample = repository().join("submissions").join(assignment).join("correct");
    let class = tempfile::tempdir().unwrap();
    for (at, change) in changes.iter().enumerate() {
        let folder = class.path().join(format!("student-{at}"));
        fs::create_dir(&folder).unwrap();
        for entry in fs::read_dir(&sample).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
        let file = folder.join(name);
        fs::write(&file, change(&fs::read_to_string(&file).unwrap())).unwrap();
    }
    let class = class.path().to_str().unwrap();
    let run = harness(&[
        "grade",
        class,
        "--assignment",
        assignment,
        "--unsafe-no-sandbox",
        "--format",
        "json",
    ]);
    let submissions = run.exits(0).json::<Graded>().submissions;
    assert_eq!(submissions.len(), changes.len());
    submissions
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_makefile_without_a_target_of_the_mazes_is_told_which_one() {
    if has_no_compiler() {
        return;
    }
    let targets = [
        ("maze-generator", vec![("generator", "'generator'")]),
        (
            "maze-solver",
            vec![
                ("all", "'all'"),
                ("solver", "'solver', needed by 'all'"),
                ("solver_full", "'solver_full'"),
            ],
        ),
    ];
    for (assignment, targets) in targets {
        let renamed = |makefile: &str, target: &str| {
            let rules = makefile.split(".PHONY").next().unwrap();
            rules.replace(&format!("\n{target}: "), &format!("\nrenamed-{target}: "))
        };
        let changes: Vec<_> =
            targets.iter().map(|(target, _)| move |it: &str| renamed(it, target)).collect();
        let reports = changed(assignment, "Makefile", &changes);
        for (report, (target, named)) in reports.iter().zip(targets) {
            let build = report.build.as_ref().unwrap();
            let expected = format!("No rule to make target {named}.  Stop.");
            assert_eq!(build.error.as_ref().unwrap().message, expected, "{target}");
            let verdicts = verdicts(report);
            assert!(verdicts.iter().all(|verdict| *verdict == Verdict::NotRun), "{target}");
            let score = report.tests.as_ref().unwrap().score.as_ref().unwrap();
            assert!(score.exposed > 0, "{target}: the tests are scored all the same");
            assert!(report.findings.is_empty(), "{target}: {:?}", report.findings);
        }
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_makefile_that_names_a_target_but_makes_no_file_is_told_which_one() {
    if has_no_compiler() {
        return;
    }
    let targets = ["solver", "solver_full"];
    let changes = targets.map(|target| {
        move |makefile: &str| {
            let rules = makefile.replace(&format!("\n{target}: "), "\nrenamed: ");
            rules.replace(".PHONY: ", &format!(".PHONY: {target} "))
        }
    });
    for (report, target) in changed("maze-solver", "Makefile", &changes).into_iter().zip(targets) {
        let error = report.build.unwrap().error.unwrap();
        assert_eq!(error.message, format!("the build made no program `{target}`"));
        let hint = format!(
            "does the Makefile have a rule for `{target}`, with commands that make a file of this name?"
        );
        assert_eq!(error.hint, Some(hint));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_maze_that_crashes_on_bad_input_loses_points_and_one_that_answers_does_not() {
    if has_no_compiler() {
        return;
    }
    let invalid = |report: &SubmissionReport| {
        let group = report.groups.iter().find(|group| group.name == "invalid").unwrap();
        (group.passed, group.total)
    };
    let mazes = [("maze-generator", "generator.cpp"), ("maze-solver", "solver.cpp")];
    for (assignment, file) in mazes {
        let ends = ["exit(1);", "exit(0);", "__builtin_trap();"]
            .map(|how| move |source: &str| source.replace("exit(1);", how));
        let reports = changed(assignment, file, &ends);
        let (_, total) = invalid(&reports[0]);
        let passed: Vec<_> = reports.iter().map(invalid).collect();
        assert_eq!(passed, [(total, total), (total, total), (0, total)], "{assignment}");
    }
}

/// Programs whose first line of a test is their command line.
const ARGUMENTS: &str = r#"course: Arguments
assignments:
  sum:
    domain: text
    program: { python: right.py }
    mutants: mutants
    case: { arguments: ["{first line}"] }
    tests: { files: 3, flags: [], rejected: { are: valid, statuses: [1], compare: [status, { stderr: "^error E[0-9]" }] } }
    scoring: { start: 0, full: 1, points: 1 }
    submission:
      program: { python: sum.py }
      cases: cases.yaml
      time: { seconds: 9, full: 30, none: 60, runs: 1 }
"#;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn what_is_compared_of_standard_error_is_known_when_the_answer_was_kept() {
    if !has_a_sandbox() {
        return;
    }
    if files::on_path(&["python3"]).is_none() {
        return skip("there is no `python3` on this machine");
    }
    let right = b"import sys\ntry:\n    print(sum(map(int, sys.stdin.read().split())) * (-1 if '-n' in sys.argv else 1))\nexcept ValueError:\n    sys.exit('error E1: no number')\n";
    // The input of a case with arguments of its own has no command line.
    let cases = b"all:\n  cases:\n    Word: { args: [], text: \"a\\n\" }\n    Sum: { args: [-n], text: \"1 2\\n\" }\n    Line: { text: \"-n\\n1 2\\n\" }\n";
    let mutant = b"summary: Adds one.\nkind: implementation\ntopic: sum\nspec: sum\nhint: Add.\npoints: 1\nwitness:\n  flags: ''\n  input: \"\\n1\\n\"\n  expected: { exit: 0, stdout: \"1\\n\" }\n";
    let course = folder(&[
        ("harness.yaml", ARGUMENTS.as_bytes()),
        ("cases.yaml", cases),
        ("right.py", right),
        ("mutants/adds-one.yaml", mutant),
        ("mutants/adds-one.py", b"print(1 + int(input()))\n"),
        ("class/right/sum.py", right),
        ("class/wrong/sum.py", b"import sys\nsys.stdin.read()\nprint(-3)\n"),
    ]);
    for _ in 0..2 {
        let mut command = command();
        command.arg("grade").arg(course.path().join("class")).arg("--course").arg(course.path());
        let run: Run = output(command.args(["--format", "json"])).into();
        let reports = run.json::<Graded>().submissions;
        let verdicts: Vec<_> = reports.iter().map(verdicts).collect();
        assert_eq!(verdicts[0], [Verdict::Passed; 3], "{}", run.stdout);
        assert_eq!(verdicts[1], [Verdict::Status, Verdict::Passed, Verdict::Passed]);
    }
}
