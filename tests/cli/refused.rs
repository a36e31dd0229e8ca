//! `rejected:` in the course file: an input that the reference refuses as a test of error handling.

mod search;

use super::course::Course;
use super::engines::has;
use super::run::has_a_compiler;
use super::{Run, repository};
use harness::domain::How;
use harness::report::witnessed::Witnessed;
use harness::result::Refusal;
use harness::result::explained::Explained;
use std::fs;

/// Adds numbers, one in a line, and refuses what is no number below 100. Each of its mutants is wrong in another way.
const PYTHON: &str = r#"import sys
from subject import bug

def refuse(status, code, why):
    if bug("prints-before-it-refuses"):
        print("sum: ?")
    print(f"error {code}: {why}", file=sys.stderr)
    sys.exit(status)

total = 1 if bug("begins-with-one") else 0
for line in sys.stdin:
    word = line.strip()
    if word.startswith("--crash"):
        raise ValueError(word)
    if not word.isdigit() and not (bug("crashes-at-a-word") and word.isalpha()):
        if bug("skips-what-is-no-number"):
            continue
        refuse(1, "E7" if bug("has-another-code") else "E1", "this is no number")
    if int(word) > 99 and not bug("has-no-limit"):
        refuse(1 if bug("has-one-status") else 2, "E2", "this is too large")
    total += int(word)
print(total)
"#;

/// As the program in Python, but nothing crashes.
const C: &str = r#"#include "subject.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(int status, const char *code, const char *why) {
    if (BUG("prints-before-it-refuses")) puts("sum: ?");
    fprintf(stderr, "error %s: %s\n", code, why);
    exit(status);
}

int main(void) {
    char word[100];
    long total = BUG("begins-with-one") ? 1 : 0;
    while (scanf("%99s", word) == 1) {
        if (strspn(word, "0123456789") != strlen(word)) {
            if (BUG("crashes-at-a-word")) abort();
            if (BUG("skips-what-is-no-number")) continue;
            refuse(1, BUG("has-another-code") ? "E7" : "E1", "this is no number");
        }
        if (atol(word) > 99 && !BUG("has-no-limit")) refuse(BUG("has-one-status") ? 1 : 2, "E2", "this is too large");
        total += atol(word);
    }
    printf("%ld\n", total);
    return 0;
}
"#;

const WORD: &str = "1\nx\n";
const LARGE: &str = "100\n";

/// Compares all that can be compared. Every mutant counts then.
const EVERYTHING: &str = "{ are: valid, compare: [status, stdout, { stderr: 'E[0-9]+' }] }";

/// The mutants, and an input that exposes each if everything is compared.
const MUTANTS: [(&str, &str); 7] = [
    ("begins-with-one", "1\n2\n"),
    ("crashes-at-a-word", WORD),
    ("has-another-code", WORD),
    ("has-no-limit", LARGE),
    ("has-one-status", LARGE),
    ("prints-before-it-refuses", LARGE),
    ("skips-what-is-no-number", WORD),
];

/// A course with this program. `rejected` is the value of the key.
fn course(file: &str, source: &str, rejected: &str) -> Course {
    let language = if source == C { "c" } else { "python" };
    let tests = format!("{{ files: 9, flags: [], rejected: {rejected} }}");
    let course = Course::new("sum", &format!("{{ {language}: {file} }}")).with("tests", &tests);
    let library = |path: &str| fs::read(repository().join("crates/subject").join(path)).unwrap();
    let course = MUTANTS.iter().fold(course, |course, (id, input)| {
        course.mutant(id, &[("witness", &format!("{{ flags: \"\", input: {input:?} }}"))])
    });
    course
        .file(file, source)
        .file("subject.h", library("c/subject.h"))
        .file("subject.py", library("python/subject.py"))
        .file("suite/test-1.txt", "1\n2\n")
        .file("suite/test-2.txt", WORD)
        .file("suite/test-3.txt", LARGE)
}

fn python(rejected: &str) -> Course {
    course("sum.py", PYTHON, rejected)
}

/// The course in Python with a shape.
fn described() -> Course {
    let shape = "input:\n  - line: [{ n: 1 .. 4 }]\n  - lines: n\n    line: [{ x: 0 .. 99 }]\n";
    let course = python(EVERYTHING).file("numbers.yaml", shape);
    course.replace("harness.yaml", "domain: text", "domain: shape\n    input: numbers.yaml");
    course
}

/// Which mutants the suite exposes, and how.
fn exposed(course: &Course) -> Vec<(String, How)> {
    let report = course.score("suite", &["--format", "json"]).report();
    let suite = &report.assignments[0].suites[0];
    suite.exposed_by.iter().map(|(id, by)| (id.clone(), by[0].how)).collect()
}

fn explain(course: &Course, args: &[&str]) -> Run {
    course.harness(&[&["explain", &course.word("suite/test-3.txt")], args].concat())
}

#[test]
fn an_input_that_the_reference_refuses_is_rejected_unless_the_course_tests_this() {
    if !has(&["python3"]) {
        return;
    }
    let course = python("reject");
    let report = course.score("suite", &["--format", "json"]).report();
    let tests = &report.assignments[0].suites[0].tests;
    assert_eq!(tests[1].reason.as_deref(), Some("error E1: this is no number"));
    assert_eq!(tests.iter().filter(|test| test.reason.is_none()).count(), 1);
}

#[test]
fn a_mutant_is_exposed_if_it_accepts_crashes_or_exits_with_another_status() {
    if !has(&["python3"]) {
        return;
    }
    let expected = [
        ("begins-with-one", How::Output),
        ("crashes-at-a-word", How::Crash),
        ("has-no-limit", How::Accepts),
        ("has-one-status", How::Exit),
        ("skips-what-is-no-number", How::Accepts),
    ];
    let expected = expected.map(|(id, how)| (id.to_owned(), how));
    assert_eq!(exposed(&python("valid")), expected);
    if has_a_compiler() {
        assert_eq!(exposed(&course("sum.c", C, "valid")), expected);
    }
}

#[test]
fn standard_output_and_lines_of_standard_error_are_compared_if_the_course_asks() {
    if !has(&["python3"]) {
        return;
    }
    let also = [
        ("has-another-code".to_owned(), How::Message),
        ("prints-before-it-refuses".to_owned(), How::Output),
    ];
    let mut programs = vec![python(EVERYTHING)];
    if has_a_compiler() {
        programs.push(course("sum.c", C, EVERYTHING));
    }
    for course in programs {
        let exposed = exposed(&course);
        assert_eq!(exposed.len(), 7, "{exposed:?}");
        assert!(also.iter().all(|mutant| exposed.contains(mutant)), "{exposed:?}");
    }
    // What the pattern does not match may differ.
    let course = python("{ are: valid, compare: [{ stderr: '^error' }] }");
    assert!(!exposed(&course).iter().any(|(id, _)| id == "has-another-code"));
}

#[test]
fn a_refused_test_says_in_each_report_with_which_status() {
    if !has(&["python3"]) {
        return;
    }
    let course = python(EVERYTHING);
    let page = course.word("page.html");
    let html = format!("html={page}");
    let text = course.score("suite", &["--format", "text", "--format", &html]).exits(0).stdout;
    let line = text.lines().find(|line| line.contains("test-3.txt  ")).unwrap();
    assert!(line.contains("refused with status 2  exposes  3: has-no-limit"), "{line}");
    assert!(text.contains("has-no-limit              by test-3.txt (accepts)"), "{text}");
    let report = course.score("suite", &["--format", "json"]).report();
    let says = "error E2: this is too large".to_owned();
    let test = &report.assignments[0].suites[0].tests[2];
    assert_eq!(test.refused, Some(Refusal { status: 2, says }));
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains("accepts what must be refused") && page.contains("refused with status 2")
    );
}

#[test]
fn explain_says_what_the_mutant_does_instead_of_refusing() {
    if !has(&["python3"]) {
        return;
    }
    let course = python("valid");
    let text = explain(&course, &["has-no-limit"]).exits(0).stdout;
    let said = "The reference refuses it with status 2: error E2: this is too large\n";
    assert!(text.contains(said), "{text}");
    let end = "the reference refuses the input with status 2; the mutant accepts it\n";
    assert!(text.contains(end), "{text}");
    let found: Explained = explain(&course, &["--format", "json"]).json();
    assert_eq!(found.test.refused.unwrap().status, 2);
    let ids: Vec<_> = found.mutants.iter().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(ids, ["has-one-status", "has-no-limit"], "the smallest difference is first");
}

#[test]
fn explain_shows_the_part_of_the_message_that_differs() {
    if !has(&["python3"]) {
        return;
    }
    let course = python("{ are: valid, compare: [{ stderr: 'E[0-9]+' }] }");
    course.write("suite/test-3.txt", WORD);
    let text = explain(&course, &["has-another-code"]).exits(0).stdout;
    let why = "  wrong:  standard error should have \"E1\", but has \"E7\"\n";
    assert!(text.contains(why), "{text}");
}

#[test]
fn an_uncaught_exception_of_the_reference_is_no_answer() {
    if !has(&["python3"]) {
        return;
    }
    let course = python("valid");
    course.write("suite/test-1.txt", "--crash\n");
    let report = course.score("suite", &["--format", "json"]).report();
    let test = &report.assignments[0].suites[0].tests[0];
    let reason = "nothing catches an exception of the reference on this test: ValueError: --crash";
    assert_eq!(test.reason.as_deref(), Some(reason));
    assert!(test.hint.as_deref().unwrap().contains("tell the course's staff"));
}

#[test]
fn an_uncaught_exception_of_the_reference_on_a_case_stops_grading_where_refusals_are_tests() {
    if !has(&["python3"]) {
        return;
    }
    let graded = |rejected: &str| {
        let submission = "{ program: { python: sum.py }, cases: cases.yaml }";
        let course = python(rejected).with("submission", submission).file("mine/sum.py", "");
        let case = |name: &str, text: &str| format!("    {name}: {{ text: {text:?} }}\n");
        let cases = case("Word", WORD) + &case("Boom", "--crash\n");
        let course = course.file("cases.yaml", format!("sample:\n  cases:\n{cases}"));
        let mine = course.word("mine");
        let run = course.harness(&["grade", "--unsafe-no-sandbox", &mine]);
        (run, course.harness(&["mutants", "cases"]))
    };
    let error = "error: the reference fails on the case `Boom`: nothing catches an exception\nValueError: --crash\nhint: [..]\n";
    let (grade, cases) = graded(EVERYTHING);
    grade.fails(4, error);
    cases.fails(4, error);
    // Elsewhere, a reference may refuse an input so.
    let (grade, cases) = graded("reject");
    assert_eq!((grade.status, cases.status), (0, 1), "{}{}", grade.stderr, cases.stderr);
}

#[test]
fn only_staff_see_an_exception_of_the_reference() {
    if !has(&["python3"]) {
        return;
    }
    let course = python("valid");
    course.write("suite/test-1.txt", "--crash\n");
    let staff = course.score("suite", &["--audience", "staff"]).stdout;
    assert!(staff.contains("ValueError"), "{staff}");
    for format in ["text", "json", "gradescope"] {
        let seen = course.score("suite", &["--audience", "student", "--format", format]).stdout;
        assert!(seen.contains("the reference fails on this test"), "{format}: {seen}");
        assert!(!seen.contains("ValueError") && !seen.contains("exception"), "{format}: {seen}");
    }
}

#[test]
fn only_the_statuses_that_the_course_names_are_refusals() {
    if !has(&["python3"]) {
        return;
    }
    let course = python("{ are: valid, statuses: [2] }");
    let report = course.score("suite", &["--format", "json"]).report();
    let tests = &report.assignments[0].suites[0].tests;
    let rejected: Vec<_> = tests.iter().filter(|test| test.reason.is_some()).collect();
    assert_eq!((rejected.len(), rejected[0].file.as_str()), (1, "test-2.txt"));
    let reason = "the reference ends on this test with status 1, which is no refusal";
    assert_eq!(rejected[0].reason.as_deref(), Some(reason));
}

#[test]
fn a_letter_in_the_name_says_that_the_program_must_refuse_the_test() {
    if !has(&["python3"]) {
        return;
    }
    let tests = "{ files: 9, rejected: e, flags: [{ group: errors, letters: { e: { } } }] }";
    let course = python("valid").with("tests", tests);
    for (old, new) in [("test-1", "test-4-e"), ("test-3", "test-3-e")] {
        let input = course.read(&format!("suite/{old}.txt"));
        course.write(&format!("suite/{new}.txt"), input);
    }
    let report = course.score("suite", &["--format", "json"]).report();
    let tests = &report.assignments[0].suites[0].tests;
    let problems: Vec<_> = tests
        .iter()
        .filter_map(|test| {
            Some((test.file.as_str(), test.reason.as_deref()?, test.hint.as_deref()?))
        })
        .collect();
    let hint = "if the program should refuse it, write `e` among the letters of the name";
    let accepted = "the reference accepts this test, but `e` in its name says that it refuses it";
    let expected = [
        ("test-2.txt", "error E1: this is no number", hint),
        ("test-3.txt", "error E2: this is too large", hint),
        ("test-4-e.txt", accepted, "remove the `e`, or change the file"),
    ];
    assert_eq!(problems, expected);
}

#[test]
fn a_wrong_value_of_the_key_is_explained() {
    for (rejected, error) in [
        ("vaild", "expected `valid`, `reject`, or a letter of `flags`, found `vaild`"),
        ("{ are: valid, statuses: [] }", "`statuses` lists no exit status"),
        ("{ are: valid, statuses: [0] }", "a refusal has another status than 0"),
        ("{ are: valid, statuses: [256] }", "expected an exit status from 1 to 255, found 256"),
        ("{ are: valid, statuses: [-1] }", "expected an exit status from 1 to 255, found -1"),
        ("{ are: valid, compare: [{ stderr: '[' }] }", "`[` is not a regular expression: [..]"),
        (
            "{ are: valid, compare: [files] }",
            "expected `status`, `stdout`, or `stderr:` with a pattern, found `files`",
        ),
    ] {
        let place = " --> COURSE/harness.yaml:8:[..]\n...\n";
        python(rejected).score("suite", &[]).fails(2, &format!("error: {error}\n{place}"));
    }
}
