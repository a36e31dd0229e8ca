//! Bugs of one program that are told apart by where they are, though what they show is of one sort.

use super::found;
use crate::course::Course;
use crate::{engines, repository};
use harness::report::against::Against;
use std::collections::BTreeSet;
use std::fs;

const IMPORT: &str = "from subject import bug\n";
const SUM: &str = "import sys
from subject import bug
total = 0
for line in sys.stdin:
    word, number = line.split()
    total += int(number)
print('' if bug('says-nothing') else total)
";

/// What is found about a program in Python that should add the number on its line, if it does `lines` with each `word` and `number` first.
#[track_caller]
fn sum_that_does(lines: &str) -> Against {
    let input =
        r#"{ input: [{ lines: 1, line: [{ word: { text: "[a-c]{3}" } }, { number: 0 .. 9 }] }] }"#;
    let adds = "    total += int(number)\n";
    let course = Course::new("sum", "{ python: sum.py }")
        .with("domain", "shape")
        .with("input", input)
        .mutant("says-nothing", &[]);
    let wrong = SUM.replace(adds, &format!("{lines}{adds}"));
    compared(course, SUM, wrong.replace(IMPORT, "def bug(_):\n    return False\n"))
}

/// What is found about a program in Python in a course with another one.
#[track_caller]
fn compared(course: Course, right: &str, wrong: String) -> Against {
    let subject = fs::read(repository().join("crates/subject/python/subject.py")).unwrap();
    let course = course.file("subject.py", subject).file("sum.py", right).file("wrong.py", wrong);
    let (program, out) = (course.word("wrong.py"), course.word("out"));
    let options = ["--budget", "600", "--format", "json", "--out", &out, "--against", &program];
    found(&course.harness(&[&["generate"], &options[..]].concat()).exits(0))
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_exception_whose_message_quotes_the_input_is_one_deviation() {
    if !engines::has(&["python3"]) {
        return;
    }
    let against = sum_that_does("    if number == '3':\n        int(word)\n");
    assert_eq!(against.differences.len(), 1, "{against:?}");
    assert!(against.left_out.is_empty() && against.told_apart > 2, "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn exceptions_of_one_kind_on_two_lines_are_two_deviations() {
    if !engines::has(&["python3"]) {
        return;
    }
    let lines =
        "    if number == '3':\n        {}[word]\n    if word[0] == 'b':\n        {}[word]\n";
    let against = sum_that_does(lines);
    assert_eq!(against.differences.len(), 2, "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn two_bugs_that_print_wrong_numbers_are_two_deviations() {
    if !engines::has(&["python3"]) {
        return;
    }
    let lines =
        "    if number == '7':\n        total += 2\n    if word[0] == 'b':\n        total += 1\n";
    let against = sum_that_does(lines);
    let texts = against.differences.iter().map(|it| it.suspects[0].text.trim());
    let texts: BTreeSet<_> = texts.collect();
    assert_eq!(texts, BTreeSet::from(["total += 1", "total += 2"]), "{against:?}");
    let shown: usize = against.differences.iter().map(|it| it.shows_on).sum();
    assert_eq!((against.differences.len(), shown), (2, against.told_apart), "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_bug_that_goes_on_in_two_ways_is_one_deviation() {
    if !engines::has(&["python3"]) {
        return;
    }
    let lines = "    if number == '7':\n        if word[0] == 'b':\n            total += 1\n        else:\n            total += 2\n";
    let against = sum_that_does(lines);
    assert_eq!(against.differences.len(), 1, "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_rare_bug_and_a_frequent_one_of_which_each_is_a_mutant_are_two_deviations() {
    if !engines::has(&["python3"]) {
        return;
    }
    let input = "{ input: [{ lines: 1 .. 4, line: [{ a: 0 .. 9 }] }] }";
    let program = "import sys
from subject import bug
total = 0
for at, line in enumerate(sys.stdin):
    total += int(line) + (bug('nine') and at == 0 and line[0] == '9') + (bug('later') and at > 0 and int(line) % 3 == 0)
print(total)
";
    let course = Course::new("sum", "{ python: sum.py }")
        .with("domain", "shape")
        .with("input", input)
        .mutant("nine", &[])
        .mutant("later", &[]);
    let wrong = program.replace(IMPORT, "def bug(_):\n    return True\n");
    let against = compared(course, program, wrong);
    let like: Vec<_> = against.differences.iter().map(|it| it.resembles.as_deref()).collect();
    assert_eq!(like, [Some("nine"), Some("later")], "{against:?}");
}

/// Answers questions about two numbers, each on a line of its own.
const ASKED: &str = "import sys
for line in sys.stdin:
    word, one, other = line.split()
    one, other = int(one), int(other)
    if word == 'sum':
        print('the sum', one + other)
    else:
        print('the max', max(one, other))
print('end')
";

/// What is found about the program that answers questions if it does something else where it says `right`.
#[track_caller]
fn answers_with(wrong: &[(&str, &str)]) -> Against {
    let line = "{ lines: 1 .. 3, line: [{ word: { one of: [sum, max] } }, { one: -9 .. 9 }, { other: -9 .. 9 }] }";
    let course = Course::new("sum", "{ python: sum.py }")
        .with("domain", "shape")
        .with("input", &format!("{{ input: [{line}] }}"));
    std::fs::create_dir(course.path("mutants")).unwrap();
    let replaced =
        wrong.iter().fold(ASKED.to_owned(), |text, (right, wrong)| text.replace(right, wrong));
    compared(course, ASKED, replaced)
}

const WRONG_SUM: (&str, &str) = ("one + other)", "max(one + other, -5))");
const WRONG_MAX: (&str, &str) = ("max(one, other))", "max(one, other) if one != 2 else other)");

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn wrong_numbers_after_other_words_are_two_deviations() {
    if !engines::has(&["python3"]) {
        return;
    }
    // Runs with right answers reach the same lines.
    let against = answers_with(&[WRONG_SUM, WRONG_MAX]);
    let shown = against.differences.iter().map(|it| it.outcomes.reference.stdout[..7].to_owned());
    let shown: BTreeSet<_> = shown.collect();
    assert_eq!(shown, ["the max", "the sum"].map(str::to_owned).into(), "{against:?}");
    assert_eq!(against.differences.len(), 2, "{against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn wrong_numbers_with_and_without_a_sign_are_one_deviation() {
    if !engines::has(&["python3"]) {
        return;
    }
    for bug in [WRONG_SUM, WRONG_MAX] {
        let against = answers_with(&[bug]);
        assert_eq!(against.differences.len(), 1, "{against:?}");
    }
}
