//! How reports explain a rejected test: the line, the place, the rule, and a suggestion.

use super::letters::letters;
use super::run::NO_VALID_TEST;
use super::{folder, harness, path};
use harness::diagnostic::Mark;

/// The section `Rejected:` in the report of a Puzzle Solver suite.
fn rejected(files: &[(&str, &[u8])]) -> String {
    let suite = folder(files);
    let args = ["score", path(&suite), "--assignment", "puzzle", "--audience", "student"];
    let text = harness(&args).fails(3, NO_VALID_TEST).stdout;
    let (_, rest) = text.split_once("\nRejected: ").unwrap_or_else(|| panic!("{text}"));
    rest.split_once('\n').unwrap().1.split("\n\n").next().unwrap().to_owned()
}

#[test]
fn an_invalid_character_is_marked_and_a_valid_one_is_suggested() {
    let expected = "  \
  test-1-ql.txt  line 3, column 3: '*' is not a map character
                 3 | .a*
                   |   ^
                 hint: did you mean '#'? the characters allowed here are '.', '#', '@', '?', '^', 'a' and 'A'
  test-2-ql.txt  line 2, column 3: 'B' is none of the map's 1 colors
                 2 | @.B?
                   |   ^
                 hint: the characters allowed here are '.', '#', '@', '?', '^', 'a' and 'A'";
    assert_eq!(
        rejected(&[("test-1-ql.txt", b"1 2 3\n@.?\n.a*\n"), ("test-2-ql.txt", b"1 1 4\n@.B?\n")]),
        expected
    );
}

#[test]
fn the_caret_is_right_in_lines_with_tabs_wide_characters_or_great_length() {
    let long = format!("0 1 10\n@{}?{}\n", ".".repeat(8), "\u{1b}[31m".repeat(1000));
    let text = rejected(&[
        ("test-1-q.txt", "0 1 3\n\t漢*\n".as_bytes()),
        ("test-2-q.txt", "// 漢字\n".as_bytes()),
        ("test-3-q.txt", long.as_bytes()),
        ("test-4-q.txt", b"0 1 3\n@.\xff\n"),
    ]);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[1].ends_with("2 | \\t漢*") && lines[2].ends_with("  | ^^"), "{text}");
    let at = lines.iter().position(|line| line.contains("longer than 10")).unwrap();
    let (shown, carets) = (lines[at + 1], lines[at + 2]);
    assert!(
        shown.ends_with('…') && shown.chars().count() < 100 && !shown.contains('\u{1b}'),
        "{text}"
    );
    let start = carets.find('^').unwrap();
    let begins: String = shown.chars().skip(start).collect();
    assert!(begins.starts_with("\\u{1b}") && carets.ends_with("^^^^^^"), "{text}");
    assert!(text.contains("2 | @.\u{fffd}\n                  |   ^"), "{text}");
}

#[test]
fn a_name_that_breaks_a_rule_is_marked() {
    let expected = "  \
  test-6-q1.txt     `1` is not a flag: the flags are `s`, `q`, `m`, `l`
                    test-6-q1.txt
                            ^
                    hint: did you mean `test-6-ql.txt`?
  test-n-flags.txt  a test is named test-n-flags.txt, for example test-1-sm.txt
                    test-n-flags.txt
                         ^
                    hint: replace `n` with a number, as in `test-1-sm.txt`";
    assert_eq!(rejected(&[("test-6-q1.txt", b"x"), ("test-n-flags.txt", b"x")]), expected);
}

#[test]
fn json_has_the_marked_line_as_a_field() {
    let suite =
        folder(&[("test-1-q.txt", b"0 1 3\n@*?\n"), ("test-2-x.txt", b"x"), ("test-3-q.txt", b"")]);
    let report = harness(&["score", path(&suite), "--assignment", "puzzle", "--format", "json"])
        .fails(3, NO_VALID_TEST)
        .report();
    let excerpts: Vec<_> =
        report.assignments[0].suites[0].tests.iter().map(|test| test.excerpt.clone()).collect();
    let [Some(line), Some(name), None] = excerpts.as_slice() else { panic!("{excerpts:?}") };
    assert_eq!((line.text.as_str(), line.mark), ("@*?", Some(Mark { start: 1, width: 1 })));
    assert_eq!(
        (name.text.as_str(), name.mark),
        ("test-2-x.txt", Some(Mark { start: 7, width: 1 }))
    );
}

#[test]
fn a_place_that_any_reference_reports_is_marked_and_its_column_counts_bytes() {
    let course = letters("{ }");
    course.write("mine/test-1.txt", "aü!\n");
    let text = course.score("mine", &[]).fails(3, NO_VALID_TEST).stdout;
    let expected = "1 | aü!\n                |   ^\n              hint: leave it out";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn explain_shows_why_a_test_is_rejected_in_the_same_way() {
    let suite = folder(&[("test-1-q1.txt", b"0 1 3\n@.?\n"), ("test-1-q.txt", b"0 1 3\n@*?\n")]);
    let explain = |file: &str| {
        let file = suite.path().join(file);
        harness(&["explain", file.to_str().unwrap(), "--assignment", "puzzle"]).exits(3).stdout
    };
    assert!(
        explain("test-1-q1.txt")
            .contains("\n  test-1-q1.txt\n          ^\nhint: did you mean `test-1-ql.txt`?\n")
    );
    assert!(
        explain("test-1-q.txt").contains(":2:2\n  |\n2 | @*?\n  |  ^\nhint: did you mean '#'?")
    );
}
