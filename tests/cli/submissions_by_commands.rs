//! Submissions that the course's own commands build and run.

use super::Run;
use super::run::{command, has_a_sandbox, output};
use super::submissions_by_language::{build_error, course, graded, verdicts};
use harness::report::doctor::{Diagnosis, Health};
use harness::result::graded::Verdict;
use std::fs;
use tempfile::TempDir;

/// Grades the submission in `mine`.
fn grade(course: &TempDir) -> Run {
    let mut grade = command();
    grade.arg("grade").arg(course.path().join("mine")).arg("--course").arg(course.path());
    output(&mut grade).into()
}

#[test]
fn imports_of_a_program_that_commands_run_are_found() {
    if !has_a_sandbox() {
        return;
    }
    let keys = "      files: [\"*.js\"]\n      banned: { imports: [child_process] }\n";
    let source = "// child_process\nconst { exec } = require('node:child_process');\n";
    let course = course("{ run: [sh, upto.js] }", keys, &[("mine/upto.js", source)]);
    let found = &graded(&course).findings[0];
    assert_eq!(found.message, "`child_process` may not be imported");
    assert_eq!((found.file.as_deref(), found.line), (Some("upto.js"), Some(2)));
}

#[test]
fn a_file_that_a_command_of_the_course_starts_is_said_to_be_missing() {
    if !has_a_sandbox() {
        return;
    }
    let keys = "      files: [\"*.sh\"]\n";
    let course = course("{ run: [sh, upto.sh] }", keys, &[("mine/other.sh", "exit 1\n")]);
    let report = graded(&course);
    assert_eq!(build_error(&report).message, "there is no file upto.sh, which starts the program");
    assert_eq!(report.findings[0].message, "there is no file upto.sh");
}

#[test]
fn a_missing_interpreter_stops_grading_and_doctor_names_it() {
    if !has_a_sandbox() {
        return;
    }
    for (program, missing) in [
        ("{ run: [no-such-node, upto.sh] }", "no-such-node"),
        ("{ build: ['true'], run: [/opt/no-such/node, upto.sh] }", "/opt/no-such/node"),
        ("{ build: [/opt/no-such/tsc, upto.sh], run: [sh, upto.sh] }", "/opt/no-such/tsc"),
    ] {
        let files = [("mine/upto.sh", "read n\n"), ("mine/test-1.txt", "3\n")];
        let course = course(program, "      files: [\"*.sh\", \"test*.txt\"]\n", &files);
        let run = grade(&course);
        assert!(run.stderr.starts_with(&format!("error: cannot start `{missing}`, which ")));
        assert!(run.stderr.contains("\nhint: install it"), "{}", run.stderr);
        assert_eq!((run.status, run.stdout.as_str()), (5, ""), "nobody loses a point");
        let mut doctor = command();
        doctor.args(["doctor", "--format", "json", "--course"]).arg(course.path());
        let found = Run::from(output(&mut doctor)).exits(5).json::<Diagnosis>().findings;
        let finding = found.into_iter().find(|finding| finding.what == missing).unwrap();
        assert_eq!(finding.health, Health::Missing, "{finding:?}");
    }
}

#[test]
fn a_program_of_a_student_that_cannot_be_started_is_wrong_alone() {
    if !has_a_sandbox() {
        return;
    }
    let keys = "      files: [\"*.sh\"]\n";
    for run in ["./upto", "/box/upto"] {
        let program = format!("{{ run: [{run}] }}");
        let course = course(&program, keys, &[("mine/upto.sh", "read n\n")]);
        assert_eq!(verdicts(&graded(&course)), [Verdict::Crashed; 3], "{run}");
        let text = grade(&course).exits(0).stdout;
        assert!(text.contains("\nBuild: nothing to build\n"), "{text}");
    }
}

#[test]
fn a_case_on_which_the_reference_does_not_end_names_the_limit() {
    if !has_a_sandbox() {
        return;
    }
    let keys = "      files: [\"*.sh\"]\n";
    let endless = "read n\nwhile [ \"$n\" = 1000 ]; do :; done\necho $((n * (n + 1) / 2))\n";
    let files = [("upto.sh", endless), ("mine/upto.sh", "read n\necho $((n * (n + 1) / 2))\n")];
    let course = course("{ run: [sh, upto.sh] }", keys, &files);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("seconds: 10", "seconds: 0.2")).unwrap();
    grade(&course).fails(
        4,
        "error: the reference does not exit on the case `Large`: it takes too long\n\
         hint: mend the reference, make the case smaller, or raise `time.seconds` of the submission\n",
    );
}
