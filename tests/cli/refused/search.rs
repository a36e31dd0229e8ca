//! Searches among inputs that the reference refuses: `mutants witness`, `mutants verify` and `generate`.

use super::*;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn witnesses_are_found_certified_and_verified_among_inputs_with_a_mistake() {
    if !has(&["python3"]) {
        return;
    }
    let course = described();
    let found: Witnessed = course.mutants(&["witness", "--all", "--format", "json"]).json();
    let found = &found.assignments[0].mutants;
    let found: Vec<_> = found
        .iter()
        .map(|mutant| (mutant.id.as_str(), mutant.found.as_ref().expect("it is exposed")))
        .map(|(id, found)| (id, found.how, found.size, found.certified))
        .collect();
    let expected = [
        ("begins-with-one", How::Output, 1, true),
        ("crashes-at-a-word", How::Crash, 2, true),
        ("has-another-code", How::Message, 1, true),
        ("has-no-limit", How::Accepts, 1, true),
        ("has-one-status", How::Exit, 1, true),
        ("prints-before-it-refuses", How::Output, 1, true),
        ("skips-what-is-no-number", How::Accepts, 1, true),
    ];
    assert_eq!(found, expected);
    assert!(course.read("mutants/has-one-status.yaml").contains("\n    exit: 2\n"));
    let verified = course.mutants(&["verify"]).exits(0).stdout;
    assert!(verified.starts_with("sum: 7 mutants verified"), "{verified}");
}

/// As `described`, but a letter says which tests the program must refuse.
fn lettered() -> Course {
    let tests = "{ files: 9, rejected: e, flags: [{ group: errors, letters: { e: { } } }] }";
    described().with("tests", tests)
}

#[test]
fn a_witness_has_the_letter_of_what_the_program_must_refuse() {
    if !has(&["python3"]) {
        return;
    }
    let course = lettered();
    let found: Witnessed =
        course.mutants(&["witness", "has-one-status", "--format", "json"]).json();
    let found = found.assignments[0].mutants[0].found.as_ref().expect("it is exposed");
    assert_eq!(found.witness.flags, "e", "{:?}", found.witness);
}

#[test]
fn an_input_that_is_accepted_must_be_one_that_the_shape_describes() {
    if !has(&["python3"]) {
        return;
    }
    let course = described();
    course.write("suite/test-4.txt", "1\n 5\n");
    let report = course.score("suite", &["--format", "json"]).report();
    let tests = &report.assignments[0].suites[0].tests;
    let reason = "expected `x`, a whole number from 0 to 99, found a space";
    assert_eq!(tests[3].reason.as_deref(), Some(reason));
    assert_eq!((tests[3].line, tests[3].column), (Some(2), Some(1)));
    assert!(tests[3].exposes.is_empty());
    let refused: Vec<_> = tests.iter().filter(|test| test.refused.is_some()).collect();
    assert_eq!(refused.len(), 2, "what the shape does not describe is a test if it is refused");
    let text = course.harness(&["explain", &course.word("suite/test-4.txt")]).stdout;
    assert!(text.contains("the reference accepts it; what is not described"), "{text}");
}

/// Accepts blanks, which the shape does not describe, and has a bug with them only.
const BLANKS: &str = r#"import sys
from subject import bug

lines = sys.stdin.read().split("\n")
if not all(line.strip().isdigit() for line in lines[:-1]):
    sys.exit("this is no number")
blanks = any(" " in line for line in lines)
print(sum(int(line) for line in lines[:-1]) + (blanks and bug("counts-blanks")))
"#;

#[test]
fn nothing_is_found_where_the_reference_accepts_what_the_shape_does_not_describe() {
    if !has(&["python3"]) {
        return;
    }
    let course = described().file("sum.py", BLANKS);
    course.keep_mutants(&[]);
    let course =
        course.mutant("counts-blanks", &[("witness", "{ flags: \"\", input: \"1\\n 5\\n\" }")]);
    let found: Witnessed =
        course.mutants(&["witness", "--all", "--budget", "12", "--format", "json"]).json();
    assert!(found.assignments[0].mutants[0].found.is_none());
    let verified = course.mutants(&["verify", "--fast"]);
    let says = "the reference accepts the witness of `counts-blanks`, but it is no test: ";
    assert!(verified.stderr.contains(says), "{}", verified.stderr);
    let other =
        BLANKS.replace("from subject import bug\n", "").replace("bug(\"counts-blanks\")", "1");
    course.write("other.py", other);
    let other = course.word("other.py");
    let compared = course.harness(&["generate", "--against", &other, "--budget", "8"]);
    assert!(compared.stdout.contains("on none of"), "{}{}", compared.stdout, compared.stderr);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn generate_writes_inputs_that_must_be_refused() {
    if !has(&["python3"]) {
        return;
    }
    let course = described();
    let out = course.word("generated");
    course.harness(&["generate", "--out", &out]).exits(0);
    let report = course.score("generated", &["--format", "json"]).report();
    let suite = &report.assignments[0].suites[0];
    assert_eq!(suite.exposed_by.len(), 7);
    assert!(suite.tests.iter().any(|test| test.refused.is_some()));
    assert!(suite.tests.iter().any(|test| test.refused.is_none()));
}

/// Adds numbers up to a limit, which an option gives.
const WITH_A_LIMIT: &str = r#"import sys
from subject import bug

limit = 99
for word in sys.argv[1:]:
    name, _, value = word.partition("=")
    if name != "--limit" and not bug("ignores-unknown-options"):
        sys.exit(f"no option {name}")
    if not value.isdigit() and not bug("takes-any-limit"):
        sys.exit(f"no number: '{value}'")
    limit = int(value) if value.isdigit() else 0
print(sum(min(int(line), limit) for line in sys.stdin))
"#;

#[test]
fn a_test_with_its_command_line_in_its_first_line_finds_what_is_wrong_with_options() {
    if !has(&["python3"]) {
        return;
    }
    let library = fs::read(repository().join("crates/subject/python/subject.py")).unwrap();
    let course = Course::new("sum", "{ python: sum.py }")
        .with("tests", "{ files: 9, flags: [], rejected: valid }")
        .with("case", "{ arguments: [\"{first line}\"] }")
        .mutant(
            "ignores-unknown-options",
            &[("witness", "{ flags: \"\", input: \"--most=1\\n\" }")],
        )
        .mutant("takes-any-limit", &[("witness", "{ flags: \"\", input: \"--limit=\\n\" }")])
        .file("sum.py", WITH_A_LIMIT)
        .file("subject.py", library)
        .file("suite/test-1.txt", "--limit=5\n3\n8\n")
        .file("suite/test-2.txt", "'--the most=5'\n3\n")
        .file("suite/test-3.txt", "--limit=\"\"\n3\n");
    let report = course.score("suite", &["--format", "json"]).exits(0).report();
    let suite = &report.assignments[0].suites[0];
    let exposes: Vec<_> = suite.tests.iter().map(|test| test.exposes.join(" ")).collect();
    assert_eq!(exposes, ["", "ignores-unknown-options", "takes-any-limit"]);

    course.write("suite/test-4.txt", "'--limit=5\n3\n");
    course.write("suite/test-5.txt", format!("--limit={}\n3\n", "1 ".repeat(9_000)));
    let text = course.score("suite", &["--format", "text"]).exits(0).stdout;
    assert!(text.contains("test-2.txt  sum '--the most=5' "), "{text}");
    assert!(text.contains("line 1, column 1: the quote ' is not closed"), "{text}");
    assert!(text.len() < 5_000, "a long command line is cut: {text}");
    let explain = |file: &str| course.harness(&["explain", &course.word(file)]).stdout;
    assert!(explain("suite/test-3.txt").starts_with("test-3.txt: sum --limit=\n"));
    let text = explain("suite/test-5.txt");
    assert!(text.lines().next().unwrap().len() < 300, "{text}");
}
