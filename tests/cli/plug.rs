//! `harness plug`: the commands of autograder.io's mutation test suites. No failure awards a bug.

use super::formats::Zoo;
use super::{Run, folder, harness, path};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const LOUD: &str =
    "error: THIS BUG WAS NOT GRADED, and counts as not exposed. Please tell the course's staff: ";

/// A zoo whose programs are built, with three tests: a cat, a cow, and an empty file.
fn zoo() -> Zoo {
    let suites: [(&str, &[u8]); 3] =
        [("suite/test-1.txt", b"cat\n"), ("suite/test-2.txt", b"cow\n"), ("suite/test-3.txt", b"")];
    let zoo = Zoo::new("count", &suites);
    let run = harness(&["plug", "setup", "--course", path(&zoo.folder)]).exits(0);
    assert_eq!(run.stdout, "zoo: built, with 2 bugs\n");
    zoo
}

impl Zoo {
    fn plug(&self, command: &str, words: &[&str]) -> Run {
        let suite = self.folder.path().join("suite");
        harness(
            &[
                &[
                    "plug",
                    command,
                    "--course",
                    path(&self.folder),
                    "--suite",
                    suite.to_str().unwrap(),
                ],
                words,
            ]
            .concat(),
        )
    }

    /// Grades, and requires that there is no verdict: an error that ends with `why`, and exit status 0.
    #[track_caller]
    fn is_not_graded(&self, words: &[&str], why: &str) {
        let run = self.plug("grade", words).exits(0);
        assert!(run.stderr.contains(why) && run.stderr.contains(LOUD), "{}", run.stderr);
    }
}

#[test]
fn names_prints_only_names_that_are_safe_in_a_shell() {
    let zoo = zoo();
    let suite = zoo.folder.path().join("suite");
    for name in [
        "test-4 test-5.txt",
        "test-$(reboot).txt",
        "test-6;true.txt",
        "test-7.txt\nx",
        "-rf",
        "test-8.txt ",
        "`test-9.txt`",
    ] {
        fs::write(suite.join(name), "cat\n").unwrap();
    }
    let run = zoo.plug("names", &[]).exits(0);
    assert_eq!(run.stdout, "test-1.txt\ntest-2.txt\ntest-3.txt\n");
    assert!(run.stderr.contains("test-7.txt\\nx: not counted: "), "{}", run.stderr);
    let none =
        harness(&["plug", "names", "--course", path(&zoo.folder), "--suite", "no-such-folder"]);
    assert!(none.status != 0 && none.stdout.is_empty());
}

#[test]
fn names_reports_a_missing_folder_as_score_does() {
    let zoo = zoo();
    let run = harness(&["plug", "names", "--course", path(&zoo.folder), "--suite", "student_test"]);
    let scored = harness(&["score", "student_test", "--course", path(&zoo.folder)]);
    let expected = "error: student_test does not exist\nhint: did you mean `student_tests`?\n";
    assert_eq!((run.status, run.stderr.as_str()), (2, expected));
    assert_eq!((scored.status, scored.stderr.as_str()), (2, expected));
}

#[test]
fn names_prints_only_as_many_tests_as_count() {
    let zoo = zoo();
    for number in 1..=9 {
        fs::write(zoo.folder.path().join(format!("suite/test-{number}.txt")), "cat\n").unwrap();
    }
    assert_eq!(zoo.plug("names", &[]).exits(0).stdout.lines().count(), 9);
    let course = zoo.folder.path().join("harness.yaml");
    let two = fs::read_to_string(&course)
        .unwrap()
        .replace("flags: []", "flags: [{ group: g, letters: { a: {}, b: {} } }]");
    fs::write(course, two).unwrap();
    fs::write(zoo.folder.path().join("suite/test-1-a.txt"), "cat\n").unwrap();
    let run = zoo.plug("names", &[]).exits(0);
    assert_eq!((run.stdout.lines().count(), run.stderr.lines().count()), (9, 1), "{}", run.stderr);
}

#[test]
fn validate_exits_with_0_only_for_a_valid_test() {
    let zoo = zoo();
    zoo.plug("validate", &["test-1.txt"]).exits(0);
    assert_eq!(zoo.plug("validate", &["test-3.txt"]).exits(3).stderr, "error: the file is empty\n");
    for name in
        ["test-4.txt", "../suite/test-1.txt", "mutants", "", "--help-me", "test-1.txt test-2.txt"]
    {
        assert_ne!(zoo.plug("validate", &[name]).status, 0, "{name}");
    }
    fs::remove_dir_all(zoo.folder.path().join("target")).unwrap();
    assert!(
        zoo.plug("validate", &["test-1.txt"])
            .exits(4)
            .stderr
            .contains("hint: run `harness plug setup` ")
    );
}

#[test]
fn grade_exits_with_1_if_one_or_several_tests_expose_the_bug() {
    let zoo = zoo();
    assert_eq!(
        zoo.plug("grade", &["cat", "test-1.txt"]).exits(1).stdout,
        "cat: exposed by test-1.txt (output)\n"
    );
    assert_eq!(zoo.plug("grade", &["cat", "test-2.txt"]).exits(0).stdout, "cat: not exposed\n");
    zoo.plug("grade", &["cat", "test-3.txt", "test-2.txt", "test-1.txt"]).exits(1);
    zoo.plug("grade", &["dog", "test-1.txt", "test-2.txt"]).exits(0);
    assert_eq!(zoo.plug("grade", &["cat"]).exits(0).stdout, "cat: not exposed\n");
}

#[test]
fn an_invalid_test_exposes_nothing() {
    let zoo = zoo();
    let run = zoo
        .plug(
            "grade",
            &["cat", "test-3.txt", "test-9.txt", "../suite/test-1.txt", "test-\u{1b}.txt"],
        )
        .exits(0);
    assert_eq!(run.stdout, "cat: not exposed\n");
    assert!(run.stderr.contains("test-3.txt: not valid: the file is empty\n"), "{}", run.stderr);
    assert!(run.stderr.contains(
        "../suite/test-1.txt: not valid: `../suite/test-1.txt` is not the name of a test\n"
    ));
    assert!(!run.stderr.contains('\u{1b}'));
}

#[test]
fn no_failure_awards_a_bug() {
    let zoo = zoo();
    let built = zoo.folder.path().join("target/harness/zoo/programs.json");
    let whole = fs::read_to_string(&built).unwrap();
    zoo.is_not_graded(
        &["cta", "test-1.txt"],
        "error: there is no bug `cta`\nhint: did you mean `cat`?\n",
    );
    zoo.is_not_graded(
        &["cat", "test-1.txt", "--assignment", "cats"],
        "there is no assignment `cats`",
    );
    zoo.is_not_graded(&["cat", "test-1.txt", "--seconds", "0"], "judging took too long");
    fs::write(&built, whole.replace("sed", "no-such-program")).unwrap();
    zoo.is_not_graded(&["cat", "test-1.txt"], "cannot run no-such-program");
    fs::write(&built, "{").unwrap();
    zoo.is_not_graded(&["cat", "test-1.txt"], "were built by another version");
    fs::remove_file(&built).unwrap();
    zoo.is_not_graded(
        &["cat", "test-1.txt"],
        "were not built yet\nhint: run `harness plug setup` ",
    );
    fs::write(&built, &whole).unwrap();
    let course = zoo.folder.path().join("harness.yaml");
    let text = fs::read_to_string(&course).unwrap();
    fs::write(&course, text.replace("run: [cat]", "run: [cat, -u]")).unwrap();
    zoo.is_not_graded(&["cat", "test-1.txt"], "the programs of `zoo` are out of date");
    fs::write(&course, "course: [").unwrap();
    zoo.is_not_graded(&["cat", "test-1.txt"], "harness.yaml:1:");
    fs::write(&course, text).unwrap();
    zoo.plug("grade", &["cat", "test-1.txt"]).exits(1);
}

#[test]
fn a_program_that_changed_since_setup_exposes_nothing() {
    let docs = super::repository().join("docs/any-program");
    let course = folder(&[]);
    for entry in walkdir::WalkDir::new(&docs)
        .min_depth(1)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "target")
    {
        let entry = entry.unwrap();
        let to = course.path().join("course").join(entry.path().strip_prefix(&docs).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        if entry.file_type().is_file() {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    let plug = |words: &[&str], at: &str| {
        let command = Command::new(env!("CARGO_BIN_EXE_harness"))
            .arg("plug")
            .args(words)
            .current_dir(course.path().join(at))
            .output();
        let output = command.unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(plug(&["setup", "--course", "course"], "").0, Some(0));
    let grade = || {
        plug(
            &["grade", "--course", "..", "words-end-at-two", "test-1-w.txt"],
            "course/student_tests",
        )
    };
    assert_eq!(grade(), (Some(1), String::new()), "wherever the programs were built from");

    let program = course.path().join("course/target/harness/countdown/words-end-at-two");
    let whole = fs::read(&program).unwrap();
    for part in [0, 1000] {
        fs::write(&program, &whole[..part]).unwrap();
        let (status, said) = grade();
        assert!(
            status == Some(0)
                && said.contains("has changed since it was built")
                && said.contains(LOUD),
            "{status:?} {said}"
        );
    }
    fs::write(&program, &whole).unwrap();
    let source = course.path().join("course/countdown.c");
    fs::write(&source, fs::read_to_string(&source).unwrap() + "// changed\n").unwrap();
    let (status, said) = grade();
    assert!(status == Some(0) && said.contains("are out of date"), "{status:?} {said}");
}

#[test]
fn a_mistyped_command_line_awards_no_bug() {
    let lines: [&[&str]; 8] = [
        &["plug", "grade"],
        &["plug", "grade", "cat", "test-1.txt"],
        &["plug", "grade", "cat", "--course", ".", "--sweet", "x"],
        &["plug", "grade", "--course", ".", "--", "--cat"],
        &["plug", "grad", "cat", "test-1.txt"],
        &["plug", "garde", "cat"],
        &["plug"],
        &["plugg", "grade", "cat"],
    ];
    for line in lines {
        let run = harness(line).exits(0);
        assert!(run.stderr.contains(LOUD), "{line:?}: {}", run.stderr);
    }
    harness(&["plug", "names", "--corse", "x"]).exits(2);
    harness(&["plug", "validate"]).exits(2);
    harness(&["score", "--corse"]).exits(2);
}

#[test]
fn the_verdict_does_not_depend_on_open_output_streams() {
    let zoo = zoo();
    let line = |test: &str, to: &str| {
        let (program, folder) = (env!("CARGO_BIN_EXE_harness"), path(&zoo.folder));
        let line = format!(
            "{program} plug grade --course {folder} --suite {folder}/suite cat {test} {to}"
        );
        Command::new("bash").args(["-c", &line]).output().unwrap().status.code()
    };
    assert_eq!(line("test-1.txt", ">/dev/null 2>&-"), Some(1));
    for to in [">&-", ">/dev/full", "2>&-", "2>/dev/full", ">&- 2>&-"] {
        assert_eq!(line("test-2.txt test-3.txt", to), Some(0), "{to}");
    }
}

#[test]
fn grade_and_score_agree_on_every_bug_of_a_crate() {
    harness(&["plug", "setup", "--assignment", "puzzle"]).exits(0);
    let report = harness(&["score", "student_tests/puzzle", "--format", "json"]).exits(0).report();
    let assignment = &report.assignments[0];
    let names = harness(&[
        "plug",
        "names",
        "--course",
        ".",
        "--assignment",
        "puzzle",
        "--suite",
        "student_tests/puzzle",
    ])
    .exits(0);
    let names: Vec<_> = names.stdout.lines().collect();
    let place = ["--course", ".", "--assignment", "puzzle", "--suite", "student_tests/puzzle"];
    let is_exposed = |id: &str| {
        let run = harness(&[&["plug", "grade", id], names.as_slice(), &place].concat());
        assert!(run.stderr.is_empty() && run.status < 2, "{}", run.stderr);
        run.status == 1
    };
    let graded: BTreeSet<_> =
        assignment.mutants.iter().map(|mutant| &mutant.id).filter(|id| is_exposed(id)).collect();
    assert_eq!(graded, assignment.suites[0].exposed_by.keys().collect());
}

#[test]
fn a_course_file_in_the_students_folder_is_ignored() {
    let suite =
        folder(&[("test-1.txt", b"cat\n"), ("harness.yaml", b"course: mine\nassignments: {}\n")]);
    let output = Command::new(env!("CARGO_BIN_EXE_harness"))
        .args(["plug", "grade", "cat", "test-1.txt"])
        .current_dir(suite.path())
        .output()
        .unwrap();
    let run = Run::from(output).exits(0);
    assert!(run.stderr.contains("--course <FILE>") && run.stderr.contains(LOUD), "{}", run.stderr);
}
