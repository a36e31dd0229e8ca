//! `validators:` in the course file: which inputs are valid, beside what the reference says.

use super::course::Course;
use super::language::PYTHON;
use harness::report::generated::Generated;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A line with a number from 3 to 5.
const SHAPE: &str = "input:\n  - line: [{ x: 3 .. 5 }]\n";

/// A validator in Python, which accepts even numbers only. `{valid}` and `{invalid}` are exit statuses.
const EVEN: &str = "\
import sys
if int(sys.stdin.read()) % 2:
    print('line 1: the number is odd', file=sys.stderr)
    sys.exit({invalid})
sys.exit({valid})
";

fn even(valid: u8, invalid: u8) -> String {
    EVEN.replace("{invalid}", &invalid.to_string()).replace("{valid}", &valid.to_string())
}

/// A course whose reference prints its input, and whose mutant prints 2.
fn course(validators: &str) -> Course {
    Course::new("a", "{ python: copy.py }")
        .with("domain", "shape")
        .with("input", "shape.yaml")
        .with("validators", validators)
        .file("shape.yaml", SHAPE)
        .file("copy.py", "print(input())\n")
        .file("mutants/prints-2.py", "print(2)\n")
        .file("suite/test-1.txt", "3\n")
        .file("suite/test-2.txt", "4\n")
        .mutant("prints-2", &[("witness", "{ flags: \"\", input: \"4\\n\" }")])
}

/// A script in the shell that is a validator.
fn script(course: &Course, text: &str) {
    course.write("validate", format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(course.path("validate"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// The rejected tests with their reasons, and the exposed mutants.
#[track_caller]
fn scored(course: &Course) -> (Vec<(String, String)>, Vec<String>) {
    let suite = course.score("suite", &["--format", "json"]).report().assignments.remove(0);
    let suite = suite.suites.into_iter().next().unwrap();
    let rejected = suite.tests.into_iter().filter(|test| test.reason.is_some());
    let rejected = rejected.map(|test| (test.file, test.reason.unwrap_or_default())).collect();
    (rejected, suite.exposed_by.into_keys().collect())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_test_that_a_validator_rejects_is_invalid_and_exposes_nothing() {
    for (rule, valid, invalid) in [("kattis", 42, 43), ("kattis", 42, 1), ("testlib", 0, 3)] {
        let course =
            course(&format!("[{{ {rule}: even.py }}]")).file("even.py", even(valid, invalid));
        let (rejected, exposed) = scored(&course);
        let reason = ("test-1.txt".to_owned(), "the number is odd".to_owned());
        assert_eq!((rejected, exposed), (vec![reason], vec!["prints-2".to_owned()]));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_validator_must_accept_an_input() {
    let course = course("[{ kattis: even.py }, { kattis: ./validate, args: [some] }]")
        .file("even.py", even(42, 43));
    script(&course, "[ \"$1\" = some ] && echo 'it is never right' && exit 43");
    let (rejected, _) = scored(&course);
    let reasons: Vec<_> = rejected.iter().map(|(_, reason)| reason.as_str()).collect();
    assert_eq!(reasons, ["the number is odd", "it is never right"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_search_discards_what_a_validator_rejects_and_says_so() {
    let course = course("[{ kattis: even.py }]").file("even.py", even(42, 43));
    let out = course.word("made");
    let args = ["generate", "--out", &out, "--budget", "60", "--format", "json"];
    let generated: Generated = course.harness(&args).exits(0).json();
    assert!(generated.missed.is_empty());
    assert_eq!(course.read("made/test-1.txt"), "4\n");
    assert!(generated.discarded.refused > 0, "{:?}", generated.discarded);

    let survey = course.harness(&["mutants", "survey", "--cases", "30"]).exits(0).stdout;
    let hint = "\nhint: most inputs are not valid; describe valid inputs more closely";
    assert!(survey.contains("; a validator rejects ") && survey.contains(hint), "{survey}");
}

/// A course with six numbers, of which few are valid. Its mutant is wrong about numbers that follow each other.
fn rising(validator: &str) -> Course {
    course("[{ kattis: rising.py }]")
        .file("rising.py", validator)
        .file("shape.yaml", "input:\n  - line: [{ x: { list: 1 .. 50, count: 6 } }]\n")
        .file("copy.py", "print(sum(map(int, input().split())))\n")
        .file(
            "mutants/prints-2.py",
            "x = sorted(map(int, input().split()))\nprint(sum(x) + (x[5] - x[0] == 5))\n",
        )
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn where_most_inputs_are_not_valid_a_search_changes_valid_ones() {
    let rising = "\
import sys
x = list(map(int, sys.stdin.read().split()))
sys.exit(42 if x == sorted(x) and len(set(x)) == 6 else 43)
";
    let course = self::rising(rising);
    let out = course.word("made");
    let args = ["generate", "--out", &out, "--budget", "60", "--format", "json"];
    let generated: Generated = course.harness(&args).exits(0).json();
    assert!(generated.missed.is_empty());
    let discarded = generated.discarded;
    assert!(discarded.refused > 0 && discarded.refused < discarded.validated, "{discarded:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_search_looks_near_the_tests_of_the_corpus() {
    // Nobody guesses this number.
    let odd = "import sys\nsys.exit(42 if sys.stdin.read().startswith('27182818 ') else 43)\n";
    let course = course("[{ kattis: odd.py }]")
        .with("corpus", "corpus")
        .file("odd.py", odd)
        .file("shape.yaml", "input:\n  - line: [{ x: 0 .. 99999999 }, { y: 0 .. 99 }]\n")
        .file("mutants/prints-2.py", "x = input()\nprint(2 if int(x.split()[1]) % 2 else x)\n")
        .mutant("prints-2", &[])
        .file("corpus/test-1.txt", "27182818 50\n")
        .file("corpus/test-2.txt", "")
        .file("corpus/a.txt", "27182818 51\n");
    let out = course.word("made");
    let args = ["generate", "--out", &out, "--budget", "60", "--format", "json"];
    let warning =
        "warning: 2 files are no tests in the corpus [..]corpus, so no search looks near them
  a.txt: it is not named as a test
  test-2.txt: the file is empty
hint: a test is named test-n-flags.txt, for example test-1.txt
";
    let generated: Generated = course.harness(&args).warns(warning).json();
    assert!(generated.missed.is_empty());
    assert!(course.read("made/test-1.txt").starts_with("27182818 "));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_search_goes_on_where_a_checker_fails_and_shows_it() {
    let check = "\
import sys
if open(sys.argv[1]).read() == '4\\n':
    print('what is 4?', file=sys.stderr)
    sys.exit(1)
sys.exit(42 if sys.stdin.read() == open(sys.argv[2]).read() else 43)
";
    let course = course("[]").with("judge", "{ kattis: check.py }").file("check.py", check);
    let out = course.word("made");
    let args = ["generate", "--out", &out, "--budget", "60"];
    let stdout = course.harness(&args).exits(0).stdout;
    assert_ne!(course.read("made/test-1.txt"), "4\n");
    let says = |text: &str| assert!(stdout.contains(text), "{text}\n{stdout}");
    says("; the checker fails on ");
    says("The checker, or the reference, is wrong on the smallest of these:\n");
    says("what is 4?\n  on this case:\n  4\n");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_validator_that_fails_is_an_error_of_the_course() {
    for (rule, seconds, text, error) in [
        ("kattis", 10.0, "kill -9 $$", "crashes (signal 9)"),
        ("kattis", 0.2, "sleep 5", "takes more than 200ms"),
        (
            "testlib",
            10.0,
            "echo no >&2; exit 1",
            "exits with status 1, but 0 is valid and 3 is not: no",
        ),
    ] {
        let course = course(&format!("[{{ {rule}: ./validate, seconds: {seconds} }}]"));
        script(&course, text);
        let expected = format!("error: the validator `./validate` {error}\n");
        let run = course.score("suite", &[]);
        assert_eq!(run.status, 4, "{}", run.stderr);
        assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
    }
}

#[test]
fn a_validator_must_be_there_and_have_one_protocol() {
    if !PYTHON.is_here() {
        return;
    }
    let missing = course("[{ kattis: ./validate }]").score("suite", &[]);
    assert!(missing.stderr.starts_with("error: the validator `./validate` does not exist\n"));
    let both = course("[{ kattis: a, testlib: b }]").score("suite", &[]);
    assert!(both.stderr.starts_with("error: cannot tell which validator this is\n"));
    assert_eq!((missing.status, both.status), (4, 2));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_source_of_a_validator_or_a_checker_is_built_first() {
    let course = course("[{ kattis: validators }]")
        .with("judge", "{ testlib: check.cpp }")
        .file("check.cpp", "#include <cstdio>\nint main() { return std::puts(\"fine\") < 0; }\n")
        .file("validators/limits.h", "#define MOST 3\n")
        .file(
            "validators/validate.cpp",
            "#include \"limits.h\"\n#include <cstdio>\n#include <cassert>\n\
             int main() { int x; assert(std::scanf(\"%d\", &x) == 1 && x <= MOST); return 42; }\n",
        );
    let (rejected, exposed) = scored(&course);
    assert_eq!(rejected.len(), 1, "{rejected:?}");
    assert!(rejected[0].0 == "test-2.txt" && rejected[0].1.contains("x <= MOST"), "{rejected:?}");
    // The checker accepts every output.
    assert!(exposed.is_empty());
    course.write("validators/limits.h", "#define MOST\n");
    let error = course.score("suite", &[]).stderr;
    assert!(error.starts_with("error: cannot build the validator `validators`\n"), "{error}");
}
