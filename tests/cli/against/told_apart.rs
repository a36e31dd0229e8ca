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
