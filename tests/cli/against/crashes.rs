//! Crashes of one program, told apart by what they are and where they happen.

use super::found;
use crate::course::Course;
use crate::engines;
use harness::report::against::Against;

const SUM: &str = "import sys
total = 0
for line in sys.stdin:
    word, number = line.split()
    total += int(number)
print(total)
";

/// What is found about a program in Python that should add the number on each line, if it does `lines` with each `word` and `number` first.
#[track_caller]
fn sum_that_does(lines: &str) -> Against {
    let input = r#"{ input: [{ lines: 1 .. 3, line: [{ word: { text: "[a-z]{3,5}" } }, { number: 0 .. 9 }] }] }"#;
    let adds = "    total += int(number)\n";
    let course = Course::of_commands("sum", "python3 sum.py", "echo {mutant}")
        .with("domain", "shape")
        .with("input", input)
        .mutant("says-its-name", &[])
        .file("sum.py", SUM)
        .file("wrong.py", SUM.replace(adds, &format!("{lines}{adds}")));
    let program = course.word("wrong.py");
    let args =
        ["generate", "--format", "json", "--out", &course.word("out"), "--against", &program];
    found(&course.harness(&args).exits(0))
}

#[test]
fn an_exception_whose_message_quotes_the_input_is_one_deviation() {
    if !engines::has(&["python3"]) {
        return;
    }
    let against = sum_that_does("    if number == '3':\n        int(word)\n");
    assert_eq!(against.differences.len(), 1, "{against:?}");
    assert!(against.left_out.is_empty() && against.told_apart > 2, "{against:?}");
}

#[test]
fn exceptions_of_one_kind_on_two_lines_are_two_deviations() {
    if !engines::has(&["python3"]) {
        return;
    }
    let lines =
        "    if number == '3':\n        {}[word]\n    if word[0] == 'b':\n        {}[word]\n";
    let against = sum_that_does(lines);
    assert_eq!(against.differences.len(), 2, "{against:?}");
}
