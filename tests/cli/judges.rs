//! `judge:` in the course file: which outputs are right.

use super::course::Course;
use super::{Run, path};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// A course whose reference prints its input, with a mutant for each script of `sed`.
fn course(judge: &str, mutants: &[(&str, &str)]) -> Course {
    let mut course = Course::of_commands("a", "cat", "sed -f edits/{mutant}").with("judge", judge);
    for (id, script) in mutants {
        course = course.mutant(id, &[("witness", "{ flags: \"\", input: 1.0 x }")]);
        course.write(&format!("edits/{id}"), format!("{script}\n"));
    }
    course.file("suite/test-1.txt", "1.0 x")
}

/// A course with a checker in `sh`, a mutant whose output is different and right, and one whose output is wrong. In the script, `$input`,
/// `$answer` and `$output` are the files that the protocol gives.
fn checked(protocol: &str, script: &str) -> Course {
    let judge = format!("{{ {protocol}: ./check, seconds: 10 }}");
    let course = course(&judge, &[("right", "s/x/X/"), ("wrong", "s/x/y/")]);
    let files = match protocol {
        "kattis" => "input=$1 answer=$2 feedback=$3 output=$3/output; cat > $output",
        "testlib" => "input=$1 output=$2 answer=$3",
        _ => "input=$1 answer=$2 output=$3",
    };
    course.write("check", format!("#!/bin/sh\n{files}\n{script}\n"));
    make_executable(&course, true);
    course
}

fn make_executable(course: &Course, is_executable: bool) {
    let mode = if is_executable { 0o755 } else { 0o644 };
    fs::set_permissions(course.path("check"), fs::Permissions::from_mode(mode)).unwrap();
}

/// A checker that accepts `x` and `X`.
const KATTIS: &str =
    "grep -qi x $output && exit 42; echo no x > ${feedback}judgemessage.txt; exit 43";
const TESTLIB: &str = "grep -qi x $output && exit 0; echo no x >&2; exit 1";
const CMS: &str = "grep -qi x $output && echo 1.0 || echo 0.5; echo no x >&2";
const CHECKERS: [(&str, &str); 3] = [("kattis", KATTIS), ("testlib", TESTLIB), ("cms", CMS)];

/// The mutants that the suite exposes.
#[track_caller]
fn exposed(course: &Course) -> Vec<String> {
    let report = course.score("suite", &["--format", "json"]).report();
    report.assignments[0].suites[0].exposed_by.keys().cloned().collect()
}

fn explain(course: &Course) -> Run {
    course.harness(&["explain", &course.word("suite/test-1.txt")])
}

/// That the course is broken and nothing is scored. `error` is said of the checker.
#[track_caller]
fn breaks(course: &Course, error: &str) {
    let place = " --> [..]/harness.yaml:9:[..]\n  |\n9 |     judge: [..]\n  |  [..]^\n";
    let expected = format!("error: the checker {error}\n{place}hint: [..]\n");
    assert_eq!(course.score("suite", &[]).fails(4, &expected).stdout, "");
}

/// That the course is broken because the checker fails on the test.
#[track_caller]
fn breaks_on_the_test(course: &Course, error: &str) {
    breaks(course, &format!("`./check` {error}\non this case:\n1.0 x"));
}

#[test]
fn every_difference_counts_unless_the_course_says_otherwise() {
    let mutants =
        [("blanks", "s/ /  /"), ("case", "s/x/X/"), ("number", "s/1.0/1.01/"), ("twice", "p")];
    for (judge, wrong) in [
        ("bytes", vec!["blanks", "case", "number", "twice"]),
        ("tokens", vec!["number", "twice"]),
        ("{ tokens: { case_sensitive: true } }", vec!["case", "number", "twice"]),
        ("{ tokens: { space_change_sensitive: true } }", vec!["blanks", "number", "twice"]),
        ("{ tokens: { float_tolerance: 0.1 } }", vec!["twice"]),
        ("{ tokens: { float_relative_tolerance: 1e-6 } }", vec!["number", "twice"]),
        ("{ tokens: { float_absolute_tolerance: 1 } }", vec!["twice"]),
        ("lines", vec!["blanks", "case", "number", "twice"]),
    ] {
        assert_eq!(exposed(&course(judge, &mutants)), wrong, "{judge}");
    }
}

#[test]
fn lines_may_come_in_any_order() {
    let mutants = [("missing", "1d"), ("reversed", "1{h;d};G")];
    let course = course("lines", &mutants).file("suite/test-1.txt", "a\nb\n");
    for id in ["missing", "reversed"] {
        course.replace(&format!("mutants/{id}.yaml"), "1.0 x", "\"a\\nb\\n\"");
    }
    assert_eq!(exposed(&course), ["missing"]);
    let run = explain(&course).exits(0);
    assert!(run.stdout.contains("wrong:  the line `a` is missing\n"), "{}", run.stdout);
}

#[test]
fn a_judge_of_the_course_takes_the_place_of_the_domains_own() {
    let test = ("test-1-p-0-0-1-1.txt", b"519\n62a\n".as_slice());
    let folder = super::folder(&[test, ("answer.txt", b"1, 1\n1, 0\n0, 0\n")]);
    let (test, answer) =
        (format!("{}/{}", path(&folder), test.0), format!("{}/answer.txt", path(&folder)));
    let args = ["judge", &test, &answer, "--assignment", "maze-solver"];
    super::harness(&args).exits(0);
    maze("bytes").harness(&args).exits(1);
}

/// The maze solver of this repository, with this judge.
fn maze(judge: &str) -> Course {
    let course = Course::like(".", &super::repository().join("target"));
    let domain = "domain: maze-solver";
    course.replace("harness.yaml", domain, &format!("{domain}\n    judge: {judge}"));
    course
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_search_with_a_slow_checker_ends_with_its_budget() {
    let course = maze("{ testlib: ./check }").file("check", "#!/bin/sh\nsleep 0.2\ncmp -s $2 $3\n");
    make_executable(&course, true);
    let generate = |budget: &str| {
        let (start, out) = (Instant::now(), course.word(budget));
        let args = ["generate", "--assignment", "maze-solver", "--out", &out, "--budget", budget];
        let run = course.harness(&args);
        assert!(
            run.stdout.contains("The time to search ran out"),
            "{}\n{}",
            run.stdout,
            run.stderr
        );
        start.elapsed()
    };
    // The first run may have to build. On a busy machine, one or two seconds pass before a case is tried.
    generate("6");
    assert!(generate("5") < Duration::from_secs(60));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_checker_decides_and_explains() {
    for (protocol, script) in CHECKERS {
        let course = checked(protocol, script);
        assert_eq!(exposed(&course), ["wrong"], "{protocol}");
        let run = explain(&course).exits(0);
        assert!(run.stdout.contains("  wrong:  no x\n"), "{}", run.stdout);
        let page = course.word("page.html");
        course.score("suite", &["--html", &page]);
        assert!(course.read("page.html").contains("no x"));
        course.write("answer", "1.0 z");
        let judge = |answer: &str| {
            course.harness(&["judge", &course.word("suite/test-1.txt"), &course.word(answer)])
        };
        assert_eq!(judge("answer").exits(1).stdout, "wrong: no x\n");
        course.write("answer", "X");
        assert_eq!(judge("answer").exits(0).stdout, "right\n");
    }
}

#[test]
fn a_checker_gets_the_files_and_the_words_of_its_protocol() {
    for (protocol, script) in CHECKERS {
        let course =
            checked(protocol, &format!("cat $input $answer > seen; echo \"$@\" >> seen\n{script}"));
        course.replace("harness.yaml", "seconds:", "args: [--tolerance, '1'], seconds:");
        exposed(&course);
        let seen = course.read("seen");
        assert!(seen.starts_with("1.0 x1.0 x/"), "{seen}");
        assert!(seen.ends_with(" --tolerance 1\n"), "{seen}");
        assert_eq!(seen.contains("/feedback/ "), protocol == "kattis", "{seen}");
    }
}

#[test]
fn a_checker_runs_once_for_equal_outputs() {
    let course = checked("kattis", &format!("echo run >> runs\n{KATTIS}"));
    fs::remove_file(course.path("mutants/right.yaml")).unwrap();
    let witness = ("witness", "{ flags: \"\", input: 1.0 x }");
    let course = course.mutant("again", &[witness]).file("edits/again", "s/x/y/");
    course.score("suite", &["--jobs", "1"]).exits(0);
    // The second run asks about the reference's own output.
    assert_eq!(course.read("runs"), "run\nrun\n");
}

#[test]
fn a_checker_that_fails_breaks_the_course() {
    for (protocol, script, error) in [
        ("kattis", "exit 0", "exits with status 0, but 42 is right and 43 is wrong"),
        (
            "kattis",
            "echo oh >&2; echo no >&2; exit 1",
            "exits with status 1, but 42 is right and 43 is wrong: oh; no",
        ),
        ("testlib", "echo bad data >&2; exit 3", "says that the course is wrong: bad data"),
        ("testlib", "exit 7", "gives points, which are no verdict"),
        ("testlib", "exit 42", "exits with status 42, but 0 is right, and 1, 2, 4 and 8 are wrong"),
        ("cms", "exit 1", "exits with status 1, but a verdict has status 0"),
        ("cms", "echo 2", "prints no number from 0 to 1"),
        ("cms", "echo good", "prints no number from 0 to 1"),
        ("kattis", "kill -SEGV $$", "crashes (signal 11)"),
        ("kattis", "yes", "prints too much"),
        ("testlib", "yes >&2", "prints too much"),
    ] {
        breaks_on_the_test(&checked(protocol, script), error);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_checker_that_does_not_end_is_stopped() {
    for script in ["sleep 1000", "while :; do :; done"] {
        let (course, start) = (checked("kattis", script), Instant::now());
        course.replace("harness.yaml", "seconds: 10", "seconds: 0.5");
        breaks_on_the_test(&course, "takes more than 500ms");
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_checker_that_cannot_be_started_breaks_the_course() {
    let course = checked("kattis", KATTIS);
    make_executable(&course, false);
    breaks(&course, "`./check` cannot be executed");
    course.replace("harness.yaml", "./check", "check");
    breaks(&course, "`check` is not on the PATH");
    course.replace("harness.yaml", "check", "./checks/check");
    breaks(&course, "`./checks/check` does not exist");
    let run = course.harness(&["doctor"]).exits(4);
    assert!(
        run.stdout.contains("MISSING   checker of a ") && run.stdout.contains("does not exist"),
        "{}",
        run.stdout
    );
    let course = checked("kattis", KATTIS).file("check", "#!/no/such/program\n");
    make_executable(&course, true);
    breaks_on_the_test(&course, "cannot be started: No such file or directory (os error 2)");
}

#[test]
fn what_a_checker_says_cannot_control_a_terminal() {
    let course = checked(
        "testlib",
        "grep -qi x $output && exit 0; printf 'one\\033[31m\\n\\n  two\\377\\n' >&2; exit 1",
    );
    let run = explain(&course).exits(0);
    assert!(run.stdout.contains("  wrong:  one\\u{1b}[31m; two\u{fffd}\n"), "{}", run.stdout);
    let course = checked(
        "testlib",
        "grep -qi x $output && exit 0; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1",
    );
    let run = explain(&course).exits(0);
    assert!(run.stdout.len() < 5000 && run.stdout.contains("xxx…"), "{}", run.stdout);
}

#[test]
fn verify_tests_the_checker() {
    let verify = |script: &str| checked("testlib", script).harness(&["mutants", "verify"]);
    let on = |error: &str| {
        format!(
            "error: the checker `./check` {error}\non this case:\n1.0 x\n --> COURSE/harness.yaml:9:23\n"
        )
    };
    for (script, error) in [
        ("echo bad >&2; exit 1", "rejects what the reference prints: bad"),
        ("exit 0", "accepts an empty output"),
        ("test -e seen && exit 1; touch seen; exit 0", "judges the same output in two ways"),
    ] {
        let run = verify(script);
        assert!(run.stderr.contains(&on(error)), "{}", run.stderr);
    }
    assert!(verify("exit 9").stderr.contains("error: the checker `./check` exits with status 9,"));
    assert!(!verify(TESTLIB).stderr.contains("checker"));
}

#[test]
fn a_mistake_in_the_judge_is_shown_in_its_place() {
    let both = "hint: give one of `tokens:`, `kattis:`, `testlib:`, `cms:` and `interactive:`; only the last four have `args:`, `seconds:` and `memory_mb:`";
    for (judge, column, error, hint) in [
        ("tokns", 12, "there is no judge `tokns`", "hint: did you mean `tokens`?"),
        (
            "cms",
            12,
            "the judge `cms` needs the command of a checker",
            "hint: for example `judge: { cms: ./check }`",
        ),
        (
            "{ lines: true }",
            14,
            "unknown key `lines`",
            "hint: the keys here are tokens, kattis, testlib, cms, interactive, args, seconds, memory_mb",
        ),
        (
            "{ tokens: { case: true } }",
            24,
            "unknown key `case`",
            "hint: did you mean `case_sensitive`?",
        ),
        ("{ tokens: { float_tolerance: -1 } }", 12, "a tolerance must be a number, 0 or more", ""),
        ("{ cms: [] }", 19, "the command of the checker is empty", ""),
        ("{ cms: ./check, seconds: -1 }", 37, "seconds must be more than 0 and at most 86400", ""),
        ("{ cms: ./check, kattis: ./check }", 12, "cannot tell which judge this is", both),
        ("{ tokens: { }, seconds: 1 }", 12, "cannot tell which judge this is", both),
    ] {
        let hint = if hint.is_empty() { String::new() } else { format!("{hint}\n") };
        let place = format!(
            " --> [..]/harness.yaml:9:{column}\n  |\n9 |     judge: {judge}\n  | [..]^\n{hint}"
        );
        let course = course(judge, &[]).file("mutants/none.yaml", "");
        course.score("suite", &[]).fails(2, &format!("error: {error}\n{place}"));
    }
}
