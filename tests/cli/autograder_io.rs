//! `harness autograder-io`: the commands of autograder.io's mutation test suites. No failure awards a bug.

use super::course::Course;
use super::formats;
use super::run::{command, output};
use super::{Run, folder, harness};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const LOUD: &str =
    "error: THIS BUG WAS NOT GRADED, and counts as not exposed. Please tell the course's staff: ";

/// A zoo whose programs are built, with three tests: a cat, a cow, and an empty file.
fn zoo() -> Course {
    let suites: [(&str, &[u8]); 3] =
        [("suite/test-1.txt", b"cat\n"), ("suite/test-2.txt", b"cow\n"), ("suite/test-3.txt", b"")];
    let zoo = formats::zoo("count", &suites);
    let run = zoo.harness(&["autograder-io", "setup"]).exits(0);
    assert_eq!(run.stdout, "zoo: built, with 2 bugs\n");
    zoo
}

impl Course {
    fn call(&self, command: &str, words: &[&str]) -> Run {
        self.harness(&[&["autograder-io", command, "--suite", &self.word("suite")], words].concat())
    }

    /// Grades, and requires that there is no verdict: `error`, then `why`, and exit status 0.
    #[track_caller]
    fn is_not_graded(&self, words: &[&str], error: &str, why: &str) {
        self.call("grade", words).warns(&format!("{error}{LOUD}{why}\n"));
    }
}

/// What to do about programs that `autograder-io grade` cannot use.
const SET_UP: &str = "hint: run `harness autograder-io setup` in the course after each change\n";

#[test]
fn names_prints_only_names_that_are_safe_in_a_shell() {
    let zoo = zoo();
    let suite = zoo.path("suite");
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
    let run = zoo.call("names", &[]).warns("\
`test-9.txt`: not counted: a test is named test-n-flags.txt, for example test-1.txt (hint: did you mean `test-9.txt`?)
test-$(reboot).txt: not counted: a test is named test-n-flags.txt, for example test-1.txt
test-4 test-5.txt: not counted: a test is named test-n-flags.txt, for example test-1.txt
test-6;true.txt: not counted: a test is named test-n-flags.txt, for example test-1.txt
test-7.txt\\nx: not counted: a test is named test-n-flags.txt, for example test-1.txt (hint: did you mean `test-7.txt`?)
test-8.txt : not counted: a test is named test-n-flags.txt, for example test-1.txt (hint: did you mean `test-8.txt`?)
");
    assert_eq!(run.stdout, "test-1.txt\ntest-2.txt\ntest-3.txt\n");
    let none = zoo.harness(&["autograder-io", "names", "--suite", "no-such-folder"]);
    assert!(none.status != 0 && none.stdout.is_empty());
}

#[test]
fn names_reports_a_missing_folder_as_score_does() {
    let zoo = zoo();
    let expected = "error: student_test does not exist\nhint: did you mean `student_tests`?\n";
    let course = zoo.word("");
    harness(&["autograder-io", "names", "--course", &course, "--suite", "student_test"])
        .fails(2, expected);
    harness(&["score", "--course", &course, "student_test"]).fails(2, expected);
}

#[test]
fn names_prints_only_as_many_tests_as_count() {
    let zoo = zoo();
    for number in 1..=9 {
        fs::write(zoo.path(&format!("suite/test-{number}.txt")), "cat\n").unwrap();
    }
    assert_eq!(zoo.call("names", &[]).exits(0).stdout.lines().count(), 9);
    let course = zoo.path("harness.yaml");
    let two = fs::read_to_string(&course)
        .unwrap()
        .replace("flags: []", "flags: [{ group: g, letters: { a: {}, b: {} } }]");
    fs::write(course, two).unwrap();
    fs::write(zoo.path("suite/test-1-a.txt"), "cat\n").unwrap();
    let run =
        zoo.call("names", &[]).warns("test-9.txt: not counted: only the first 9 tests count\n");
    assert_eq!(run.stdout.lines().count(), 9);
}

#[test]
fn validate_exits_with_0_only_for_a_valid_test() {
    let zoo = zoo();
    zoo.call("validate", &["test-1.txt"]).exits(0);
    zoo.call("validate", &["test-3.txt"]).fails(3, "error: the file is empty\n");
    for name in
        ["test-4.txt", "../suite/test-1.txt", "mutants", "", "--help-me", "test-1.txt test-2.txt"]
    {
        assert_ne!(zoo.call("validate", &[name]).status, 0, "{name}");
    }
    fs::remove_dir_all(zoo.path("target")).unwrap();
    zoo.call("validate", &["test-1.txt"])
        .fails(4, &format!("error: the programs of `zoo` were not built yet\n{SET_UP}"));
}

#[test]
fn grade_exits_with_1_if_one_or_several_tests_expose_the_bug() {
    let zoo = zoo();
    assert_eq!(
        zoo.call("grade", &["cat", "test-1.txt"]).exits(1).stdout,
        "cat: exposed by test-1.txt (output)\n"
    );
    assert_eq!(zoo.call("grade", &["cat", "test-2.txt"]).exits(0).stdout, "cat: not exposed\n");
    zoo.call("grade", &["cat", "test-3.txt", "test-2.txt", "test-1.txt"])
        .fails(1, "test-3.txt: not valid: the file is empty\n");
    zoo.call("grade", &["dog", "test-1.txt", "test-2.txt"]).exits(0);
    assert_eq!(zoo.call("grade", &["cat"]).exits(0).stdout, "cat: not exposed\n");
}

#[test]
fn an_invalid_test_exposes_nothing() {
    let zoo = zoo();
    let run = zoo
        .call(
            "grade",
            &["cat", "test-3.txt", "test-9.txt", "../suite/test-1.txt", "test-\u{1b}.txt"],
        )
        .warns(
            "\
test-3.txt: not valid: the file is empty
test-9.txt: not valid: cannot read the file: No such file or directory (os error 2)
../suite/test-1.txt: not valid: `../suite/test-1.txt` is not the name of a test
test-\\u{1b}.txt: not valid: a test is named test-n-flags.txt, for example test-1.txt
",
        );
    assert_eq!(run.stdout, "cat: not exposed\n");
}

#[test]
fn no_failure_awards_a_bug() {
    let zoo = zoo();
    let built = zoo.path("target/harness/zoo/programs.json");
    let whole = fs::read_to_string(&built).unwrap();
    let status = |status: i32| format!("judging ended with exit status: {status}");
    zoo.is_not_graded(
        &["cta", "test-1.txt"],
        "error: there is no bug `cta`\nhint: did you mean `cat`?\n",
        &status(2),
    );
    zoo.is_not_graded(
        &["cat", "test-1.txt", "--assignment", "cats"],
        "error: there is no assignment `cats`\nhint: the assignments are zoo\n",
        &status(2),
    );
    zoo.is_not_graded(&["cat", "test-1.txt", "--seconds", "0"], "", "judging took too long");
    let cat = |error: &str, code| zoo.is_not_graded(&["cat", "test-1.txt"], error, &status(code));
    fs::write(&built, whole.replace("sed", "no-such-program")).unwrap();
    cat("error: cannot run no-such-program s/cat//: No such file or directory (os error 2)\n", 5);
    fs::write(&built, "{").unwrap();
    cat(&format!("error: the programs of `zoo` were built by another version\n{SET_UP}"), 4);
    fs::remove_file(&built).unwrap();
    cat(&format!("error: the programs of `zoo` were not built yet\n{SET_UP}"), 4);
    fs::write(&built, &whole).unwrap();
    let course = zoo.path("harness.yaml");
    let text = fs::read_to_string(&course).unwrap();
    zoo.replace("harness.yaml", "run: ['cat']", "run: ['cat', '-u']");
    cat(&format!("error: the programs of `zoo` are out of date\n{SET_UP}"), 4);
    fs::write(&course, "course: [").unwrap();
    cat(
        "error: expected one value, found a list\n --> COURSE/harness.yaml:1:9\n  |\n1 | course: [\n  |         ^\n",
        2,
    );
    fs::write(&course, text).unwrap();
    zoo.call("grade", &["cat", "test-1.txt"]).exits(1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_that_changed_since_setup_exposes_nothing() {
    let course = Course::copy_of("docs/any-program");
    let call = |words: &[&str], at: &str| {
        let output =
            output(command().arg("autograder-io").args(words).current_dir(course.path(at)));
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(call(&["setup", "--course", "."], "").0, Some(0));
    let grade =
        || call(&["grade", "--course", "..", "words-end-at-two", "test-1-w.txt"], "student_tests");
    assert_eq!(grade(), (Some(1), String::new()), "wherever the programs were built from");

    let program = course.path("target/harness/countdown/words-end-at-two");
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
    let source = course.path("countdown.c");
    fs::write(&source, fs::read_to_string(&source).unwrap() + "// changed\n").unwrap();
    let (status, said) = grade();
    assert!(status == Some(0) && said.contains("are out of date"), "{status:?} {said}");
}

#[test]
fn a_mistyped_command_line_awards_no_bug() {
    let lines: [&[&str]; 8] = [
        &["autograder-io", "grade"],
        &["autograder-io", "grade", "cat", "test-1.txt"],
        &["autograder-io", "grade", "cat", "--course", ".", "--sweet", "x"],
        &["autograder-io", "grade", "--course", ".", "--", "--cat"],
        &["autograder-io", "grad", "cat", "test-1.txt"],
        &["autograder-io", "garde", "cat"],
        &["autograder-io"],
        &["plugg", "grade", "cat"],
    ];
    for line in lines {
        let why = if line.contains(&"--cat") {
            "judging ended with exit status: 2"
        } else {
            "the command line is wrong"
        };
        harness(line).warns(&format!("...\n{LOUD}{why}\n"));
    }
    harness(&["autograder-io", "names", "--corse", "x"]).fails(
        2,
        "\
error: unexpected argument '--corse' found

hint: a similar argument exists: '--course'

Usage: harness autograder-io names --course <FILE>

For more information, try '--help'.
",
    );
    harness(&["autograder-io", "validate"]).fails(
        2,
        "\
error: the following required arguments were not provided:
  --course <FILE>
  <TEST>

Usage: harness autograder-io validate --course <FILE> <TEST>

For more information, try '--help'.
",
    );
    harness(&["score", "--corse"]).fails(
        2,
        "\
error: unexpected argument '--corse' found

hint: a similar argument exists: '--course'

Usage: harness score --course <FILE> <DIR>

For more information, try '--help'.
",
    );
}

#[test]
fn the_verdict_does_not_depend_on_open_output_streams() {
    let zoo = zoo();
    let line = |test: &str, to: &str| {
        let (program, folder) = (env!("CARGO_BIN_EXE_harness"), zoo.word(""));
        let line = format!(
            "{program} autograder-io grade --course {folder} --suite {folder}/suite cat {test} {to}"
        );
        output(Command::new("bash").args(["-c", &line])).status.code()
    };
    assert_eq!(line("test-1.txt", ">/dev/null 2>&-"), Some(1));
    for to in [">&-", ">/dev/full", "2>&-", "2>/dev/full", ">&- 2>&-"] {
        assert_eq!(line("test-2.txt test-3.txt", to), Some(0), "{to}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn grade_and_score_agree_on_every_bug_of_a_crate() {
    harness(&["autograder-io", "setup", "--assignment", "puzzle"]).exits(0);
    let report = harness(&["score", "student_tests/puzzle", "--format", "json"]).exits(0).report();
    let assignment = &report.assignments[0];
    let names = harness(&[
        "autograder-io",
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
        let run = harness(&[&["autograder-io", "grade", id], names.as_slice(), &place].concat());
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
    let words = ["autograder-io", "grade", "cat", "test-1.txt"];
    Run::from(output(command().args(words).current_dir(suite.path()))).warns("\
error: the following required arguments were not provided:
  --course <FILE>

Usage: harness autograder-io grade --course <FILE> <BUG> <TEST>...

For more information, try '--help'.
error: THIS BUG WAS NOT GRADED, and counts as not exposed. Please tell the course's staff: the command line is wrong
");
}
