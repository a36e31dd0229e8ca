//! Courses whose inputs a shape describes.

use super::course::COURSE;
use super::run::{Run, command, harness, has_a_compiler, output};
use super::{folder, path, repository};
use harness::report::generated::Generated;
use harness::result::Report;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

const NUMBERS: &str = "input:
  - line: [{ n: 1 .. 100 }]
  - lines: n
    line: [{ x: -1000 .. 1000 }]
";
/// Prints the largest number, and starts from 0 in the mutant.
const MAX: &str = "#include <stdio.h>
#include \"subject.h\"
int main(void) {
    int n, x, most = BUG(\"starts-at-zero\") ? 0 : -1001;
    scanf(\"%d\", &n);
    while (n-- > 0 && scanf(\"%d\", &x) == 1) if (x > most) most = x;
    printf(\"%d\\n\", most);
    return 0;
}
";
const MUTANT: &str = "summary: Starts from zero.
kind: implementation
topic: max
spec: the largest number
hint: Are all numbers positive?
points: 1
";

/// The course with this shape and an input that exceeds its limit.
fn course_with(shape: &str) -> tempfile::TempDir {
    course_of(COURSE, shape)
}

/// The course with this file.
fn course_of(course: &str, shape: &str) -> tempfile::TempDir {
    let header = fs::read(repository().join("crates/subject/c/subject.h")).unwrap();
    folder(&[
        ("harness.yaml", course.as_bytes()),
        ("numbers.yaml", shape.as_bytes()),
        ("max.c", MAX.as_bytes()),
        ("subject.h", &header),
        ("mutants/starts-at-zero.yaml", MUTANT.as_bytes()),
        ("mine/test-1.txt", b"5\n1\n2\n3\n4\n5\n"),
    ])
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn generate_finds_a_smallest_test_from_a_shape_alone() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let folder = course_with(NUMBERS);
    let out = format!("{}/out", path(&folder));
    let args = ["generate", "--course", path(&folder), "--out", &out, "--format", "json"];
    let found: Generated = harness(&args).exits(0).json();
    assert_eq!(found.missed, Vec::<String>::new());
    let smallest = &found.smallest[0];
    assert_eq!((smallest.input.as_str(), smallest.size), ("1\n-1\n", 1));
    assert!(smallest.certified);
    let mine = format!("{}/mine", path(&folder));
    let report = harness(&["score", &mine, "--course", path(&folder)]).stdout;
    assert!(report.contains("`n` is 5; a test may have at most 4"), "{report}");
}

#[test]
fn a_mistake_in_the_shape_of_a_course_is_shown_with_its_place() {
    let folder = course_with("input:\n  - line: [{ n: 5 .. 3 }]\n");
    let run = harness(&["score", path(&folder), "--course", path(&folder)]);
    assert_eq!(run.status, 2);
    let expected = "error: there is no number from 5 to 3\n --> ";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    assert!(run.stderr.contains("numbers.yaml:2:17"), "{}", run.stderr);
}

/// The course with its shape in the course file.
fn inline(input: &str) -> String {
    COURSE.replace("input: numbers.yaml", input)
}

/// Generates tests from nothing.
fn generate(folder: &tempfile::TempDir) -> Generated {
    let out = format!("{}/out", path(folder));
    // It ends long before, when there is nothing left to find. One file exposes the only mutant, and none is made to fill the rest.
    let args = ["generate", "--course", path(folder), "--out", &out, "--budget", "900"];
    let few = ["--max-files", "1", "--format", "json"];
    harness(&[&args[..], &few].concat()).exits(0).json()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_course_file_may_contain_the_shape() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let list = "input:
      - line: [{ n: 1 .. 100 }]
      - lines: n
        line: [{ x: -1000 .. 1000 }]";
    let keys = "input: { input: [{ lines: { n: 1 .. 4 }, line: [{ x: -9 .. 9 }] }], last newline: optional }";
    for (input, smallest) in [(list, "1\n-1\n"), (keys, "")] {
        let folder = course_of(&inline(input), "");
        let found = generate(&folder);
        assert_eq!(found.missed, Vec::<String>::new());
        assert!(found.smallest[0].input.starts_with(smallest), "{}", found.smallest[0].input);
    }
}

#[test]
fn a_mistake_in_a_shape_in_the_course_file_is_shown_there() {
    let wrong = [
        ("input: [{ line: [{ n: 5 .. 3 }] }]", "there is no number from 5 to 3", "5:27"),
        ("input: [{ line: [{ n: 1 .. m }] }]", "there is no field `m` before this", "5:32"),
        ("input: [{ linse: 3 }]", "unknown key `linse`", "5:15"),
    ];
    for (input, message, place) in wrong {
        let folder = course_of(&inline(input), "");
        let run = harness(&["score", path(&folder), "--course", path(&folder)]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.starts_with(&format!("error: {message}")), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("harness.yaml:{place}")), "{}", run.stderr);
    }
}

#[test]
fn a_test_that_the_shape_does_not_describe_is_rejected_with_its_place() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let folder = course_with(NUMBERS);
    fs::write(folder.path().join("mine/test-1.txt"), "2\n7\nx1\n").unwrap();
    let run = harness(&["score", &format!("{}/mine", path(&folder)), "--course", path(&folder)]);
    let shown = "line 3, column 1: expected `x`, a whole number from -1000 to 1000, found `x1`";
    assert!(run.stdout.contains(shown), "{}", run.stdout);
}

/// Prints the sum of a file's numbers, or their product if the option says so, to a file.
const FILES: &str = "#include <stdio.h>
#include <string.h>
#include \"subject.h\"
int main(int argc, char **argv) {
    int sum = 0, times = BUG(\"starts-at-zero\") ? 0 : 1, x, is_product = !strcmp(argv[1], \"--product\");
    if (argc != 5 + is_product || strcmp(argv[2 + is_product], \"numbers.txt\")) return 3;
    FILE *in = fopen(argv[2 + is_product], \"r\"), *out = fopen(argv[4 + is_product], \"w\");
    while (fscanf(in, \"%d\", &x) == 1) sum += x, times *= x;
    fprintf(out, \"%s %d\\n\", argv[1 + is_product], is_product ? times : sum);
    return 0;
}
";

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_case_may_have_a_file_and_arguments_from_the_input() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let flags = "flags: [{ group: kind, letters: { p: { long: --product, short: -p } } }]
      parameters: [k]";
    let case = "case:
      file: numbers.txt
      arguments: [\"{options}\", \"n={n}\", numbers.txt, \"{parameters}\", sum.txt]
      answer: sum.txt";
    let course = COURSE
        .replace("flags: []", flags)
        .replace("    program:", &format!("    {case}\n    program:"));
    let shape = format!("{NUMBERS}parameters: [{{ k: 0 .. n }}]\n");
    let folder = course_of(&course, &shape);
    fs::write(folder.path().join("max.c"), FILES).unwrap();
    let found = generate(&folder);
    assert_eq!(found.missed, Vec::<String>::new());
    let smallest = &found.smallest[0];
    assert_eq!((smallest.input.as_str(), smallest.flags.as_str()), ("1\n1\n", "p-0"));
}

#[test]
fn an_argument_names_fields_of_the_shape() {
    let course = COURSE
        .replace("    program:", "    case: { arguments: [\"{m}\"], file: a/b }\n    program:");
    let folder = course_of(&course, NUMBERS);
    let run = harness(&["score", path(&folder), "--course", path(&folder)]);
    assert_eq!(run.status, 2);
    for shown in ["expected the name of a file, without a folder", "there is no field `m`"] {
        assert!(run.stderr.contains(shown), "{}", run.stderr);
    }
    let text = COURSE
        .replace("shape", "puzzle")
        .replace("    input: numbers.yaml\n", "    case: { file: a }\n");
    let run = harness(&["score", path(&folder), "--course", path(&course_of(&text, ""))]);
    assert!(
        run.stderr.starts_with("error: `case` is for the domains `shape` and `text`"),
        "{}",
        run.stderr
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_shapes_of_the_assignments_score_the_sample_suites_as_their_domains_do() {
    let shapes = repository().join("tests/courses/shapes");
    for id in ["puzzle", "countess", "sliding", "maze-solver", "maze-generator"] {
        let suite = repository().join("student_tests").join(id);
        let score = |course: &std::path::Path| {
            let mut command = command();
            command.arg("score").arg(&suite).arg("--course").arg(course);
            command.args(["--assignment", id, "--format", "json"]);
            command
        };
        let exposed = |report: &Report| {
            let suite = &report.assignments[0].suites[0];
            suite.tests.iter().map(|test| test.exposes.clone()).collect::<Vec<_>>()
        };
        let domain = Run::from(output(&mut score(repository()))).report();
        // These programs are built for this test alone. Without optimization, that takes a third of the time.
        let mut shape = score(&shapes);
        let shape = output(shape.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"));
        let shape = Run::from(shape).report();
        assert_eq!(exposed(&domain), exposed(&shape), "{id}");
    }
}

/// A course whose program prints its input, but nothing in the mutant if `condition` holds for a character `c` of it.
fn echo(shape: &str, condition: &str) -> tempfile::TempDir {
    let program = format!(
        "#include <stdio.h>
#include \"subject.h\"
int main(void) {{
    int c, is_quiet = 0;
    while ((c = getchar()) != EOF) {{
        if (BUG(\"starts-at-zero\") && ({condition})) is_quiet = 1;
        if (!is_quiet) putchar(c);
    }}
    return 0;
}}
"
    );
    let header = fs::read(repository().join("crates/subject/c/subject.h")).unwrap();
    folder(&[
        ("harness.yaml", COURSE.replace("      limits: { n: 4 }\n", "").as_bytes()),
        ("numbers.yaml", shape.as_bytes()),
        ("max.c", program.as_bytes()),
        ("subject.h", &header),
        ("mutants/starts-at-zero.yaml", MUTANT.as_bytes()),
    ])
}

/// A text of one letter: the list has all of them, so the mutant that shows on `u` is not certified to be equivalent there.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn nothing_is_certified_of_letters_that_were_not_tried() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let course = echo("input:\n  - line: [{ w: { text: \"[a-z]+\" } }]\n", "c == 'u'");
    let found = generate(&course);
    let smallest = &found.smallest[0];
    assert_eq!((smallest.input.as_str(), smallest.size, smallest.certified), ("u\n", 1, true));
    // Of longer texts, the list has a few letters, and the report does not say more.
    let course = echo("input:\n  - line: [{ w: { text: \"[a-z]{6,8}\" } }]\n", "c == '*'");
    let text = harness(&["generate", "--course", path(&course), "--size", "6"]).exits(0).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("each does the same as the reference up to size 6, for the cases below"),
        "{text}"
    );
    assert!(!text.contains("there is no other case"), "{text}");
}

/// Commands without numbers: each has a size, so that there are few of a size.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn words_count_so_that_inputs_of_commands_are_certified() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let commands = "input:
  - lines: { n: 0 .. 6 }
    line: [{ kind: { one of: [report, clear] } }]
";
    let course = echo(commands, "c == '*'");
    let report = generate(&course);
    assert_eq!(report.missed, ["starts-at-zero"]);
    assert!(report.enumerated_size >= Some(3), "{report:?}");
    assert_eq!(report.whole_size, report.enumerated_size, "nothing is left out");
    assert!(report.cases < 100_000, "there are 127 inputs: {report:?}");
    // The empty input is the smallest.
    let course = echo(commands, "c == 'p'");
    let report = generate(&course);
    assert_eq!((report.smallest[0].input.as_str(), report.smallest[0].size), ("report\n", 1));
}

#[test]
fn a_search_that_tried_nothing_fails() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let course = echo("input:\n  - line: [{ w: { text: \"[a-z]+\" } }]\n", "c == 'u'");
    for args in [
        vec!["generate", "--course", path(&course), "--budget", "0.000001"],
        vec!["mutants", "witness", "--all", "--course", path(&course), "--budget", "0.000001"],
    ] {
        let run = harness(&args);
        assert_eq!(run.status, 2, "{}{}", run.stdout, run.stderr);
        let expected = "error: --budget 0.000001 ended the search before it tried a case\n";
        assert!(run.stderr.contains(expected), "{}", run.stderr);
        assert!(!run.stdout.contains("equivalent"), "{}", run.stdout);
    }
}

/// Half a minute is much more than two seconds, and much less than the checker would take for all that was found.
#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_budget_holds_for_witnesses_with_a_slow_checker() {
    if !has_a_compiler() {
        return super::skip("there is no C compiler");
    }
    let course = echo("input:\n  - line: [{ w: { text: \"[a-z]+\" } }]\n", "c == 'u' || c == 'z'");
    let file = course.path().join("harness.yaml");
    let with_judge = fs::read_to_string(&file).unwrap().replace(
        "    mutants: mutants\n",
        "    mutants: mutants\n    judge: { kattis: ./check }\n",
    );
    fs::write(&file, with_judge).unwrap();
    let check = course.path().join("check");
    fs::write(&check, "#!/bin/sh\nsleep 1\ncmp -s - \"$2\" && exit 42\nexit 43\n").unwrap();
    fs::set_permissions(&check, fs::Permissions::from_mode(0o755)).unwrap();
    let args = ["mutants", "witness", "--all", "--course", path(&course), "--budget"];
    // The first run may have to build.
    harness(&[args.as_slice(), &["0.1"]].concat());
    let start = Instant::now();
    harness(&[args.as_slice(), &["2"]].concat());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
