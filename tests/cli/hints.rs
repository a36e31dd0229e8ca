//! `harness score --hints`: a limited number of new hints for each suite and day.

use super::course::Course;
use super::letters::letters;
use super::{Run, harness};
use harness::result::hints::HintsFile;
use std::fs;

const TWO_A_DAY: &str = "{ normal: count, final: all, hints: { per_day: 2 } }";

/// A course with a suite that exposes nothing.
fn course() -> Course {
    let course = letters(TWO_A_DAY);
    course.write("mine/test-1.txt", "xyz\n");
    course
}

fn run_on(course: &Course, suite: &str, day: &str, options: &[&str]) -> Run {
    let file = course.word("hints.json");
    let always = ["--hints", &file, "--today", day, "--format", "json"];
    let audience: &[&str] =
        if options.contains(&"--audience") { &[] } else { &["--audience", "normal"] };
    course.score(suite, &[&always[..], audience, options].concat())
}

/// The hints that the report shows for the suite, each with its day.
fn hints(course: &Course, suite: &str, day: &str) -> Vec<(String, String)> {
    let report = run_on(course, suite, day, &[]).exits(0).report();
    let hints = &report.assignments[0].suites[0].hints;
    assert!(
        hints.iter().all(|hint| hint.mutant.is_none()),
        "a reader at the level `count` sees whose hint it is"
    );
    hints.iter().map(|hint| (hint.day.clone(), hint.hint.clone())).collect()
}

fn given(course: &Course) -> HintsFile {
    serde_json::from_str(&fs::read_to_string(course.path("hints.json")).unwrap()).unwrap()
}

#[test]
fn a_suite_gets_a_few_new_hints_a_day_and_repeats_are_free() {
    let course = course();
    let first = hints(&course, "mine", "2026-11-20");
    assert_eq!(first.len(), 2);
    assert!(first.iter().all(|(day, _)| day == "2026-11-20"));
    let words: Vec<_> = first.iter().map(|(_, hint)| hint.as_str()).collect();
    assert!(
        words.contains(&"Which letter comes first?")
            && words.contains(&"Which letter comes second?"),
        "{words:?}"
    );
    assert_eq!(hints(&course, "mine", "2026-11-20"), first);

    let second = hints(&course, "mine", "2026-11-21");
    assert_eq!(second[..2], first);
    assert_eq!(second.len(), 4);
    let third = hints(&course, "mine", "2026-11-22");
    assert_eq!(third[..4], second);
    assert_eq!(third.len(), 5, "there are no more hints");
    assert_eq!(hints(&course, "mine", "2026-11-23"), third);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn exposing_a_mutant_removes_its_hint_and_does_not_refund_it() {
    let course = course();
    let first = hints(&course, "mine", "2026-11-20");
    course.write("mine/test-2.txt", "ab\n");
    assert_eq!(hints(&course, "mine", "2026-11-20"), [], "the daily limit is reached");
    assert_eq!(hints(&course, "mine", "2026-11-21").len(), 2);
    fs::remove_file(course.path("mine/test-2.txt")).unwrap();
    assert_eq!(hints(&course, "mine", "2026-11-21")[..2], first, "earlier hints are repeated");
}

#[test]
fn every_suite_has_its_own_daily_limit_whatever_its_name() {
    let course = course();
    let hostile = ["a\nb", "\"}]", "suite..", "\u{1b}[2J", "ä \\u001b"];
    for name in hostile {
        course.write(&format!("class/{name}/test-1.txt"), "xyz\n");
    }
    let run = run_on(&course, "class", "2026-11-20", &[]).exits(0);
    assert!(run.report().assignments[0].suites.iter().all(|suite| suite.hints.len() == 2));
    assert_eq!(given(&course).suites.len(), hostile.len());
    let again = run_on(&course, "class", "2026-11-20", &[]).exits(0);
    assert_eq!(run.stdout, again.stdout);
}

#[test]
fn the_text_report_shows_hints_and_their_mutants_only_to_readers_who_may_see_them() {
    let course = course();
    let file = course.word("hints.json");
    let always = ["--hints", &file, "--today", "2026-11-20"];
    let text =
        course.score("mine", &[&always[..], &["--audience", "student"]].concat()).exits(0).stdout;
    let hint = "  2026-11-20  Which letter comes first?\n";
    assert!(
        text.contains("\nHints, and the day on which each was given\n") && text.contains(hint),
        "{text}"
    );
    let text =
        course.score("mine", &[&always[..], &["--audience", "final"]].concat()).exits(0).stdout;
    assert!(text.contains("  2026-11-20  Which letter comes first? (drops-a)\n"), "{text}");
    let text = course
        .score("mine", &[&always[..], &["--audience", "past-limit"]].concat())
        .exits(0)
        .stdout;
    assert!(!text.contains("Which letter"), "{text}");
}

#[test]
fn every_format_for_students_shows_hints() {
    let course = course();
    let (file, page) = (course.word("hints.json"), course.word("page.html"));
    let formats: Vec<_> =
        ["md", "gradescope", "prairielearn"].map(|name| (name, course.word(name))).into();
    let wanted: Vec<_> = formats.iter().map(|(name, file)| format!("{name}={file}")).collect();
    let hints = ["--hints", &file, "--today", "2026-11-20", "--audience", "normal"];
    course
        .score("mine", &[&hints[..], &["--html", &page, "--format", &wanted.join(",")]].concat())
        .exits(0);
    for (name, file) in formats.iter().chain(&[("html", page)]) {
        let text = fs::read_to_string(file).unwrap();
        let shown = text.contains("2026-11-20") && text.contains("Which letter comes first?");
        assert!(shown && !text.contains("drops-a"), "{name}: {text}");
    }
}

#[test]
fn two_runs_at_the_same_time_lose_no_hints() {
    let course = course();
    let names: Vec<_> = (0..6).map(|number| format!("suite-{number}")).collect();
    for name in &names {
        course.write(&format!("{name}/test-1.txt"), "xyz\n");
    }
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(|| run_on(&course, name, "2026-11-20", &[]).exits(0));
        }
    });
    let given = given(&course);
    assert_eq!(given.suites.len(), names.len());
    assert!(given.suites.iter().all(|suite| suite.hints.len() == 2));
}

#[test]
fn an_invalid_hints_file_is_an_error_and_is_not_changed() {
    let course = course();
    let broken = [
        (
            "{\n  \"schema\": \"harness-hints/1\",\n  \"suites\": [}\n",
            "not a valid hints file: expected value\n --> COURSE/hints.json:3:14\n  |\n3 |   \"suites\": [}\n  |              ^",
        ),
        ("", "not a valid hints file: EOF while parsing a value\n --> COURSE/hints.json:1"),
        (
            "{\n\"suites\": [], \"schema\": \"harness-hints/2\"}",
            "expected a hints file of the version `harness-hints/1`\n --> COURSE/hints.json:2\n  |\n\
             2 | \"suites\": [], \"schema\": \"harness-hints/2\"}",
        ),
        (
            "{\"schema\": \"harness-hints/1\", \"suites\": [], \"more\": 1}",
            "not a valid hints file: unknown field `more`, expected `schema` or `suites`\n --> COURSE/hints.json:1:50\n  |\n\
             1 | {\"schema\": \"harness-hints/1\", \"suites\": [], \"more\": 1}\n  |                                                  ^",
        ),
    ];
    let hint = "hint: correct the file, or name a new one, which starts without any hints given";
    for (text, message) in broken {
        course.write("hints.json", text);
        let run = run_on(&course, "mine", "2026-11-20", &[]);
        assert_eq!(run.fails(2, &format!("error: {message}\n{hint}\n")).stdout, "");
        assert_eq!(fs::read_to_string(course.path("hints.json")).unwrap(), text);
    }
}

#[test]
fn hints_require_a_student_reader_a_valid_day_and_a_daily_limit() {
    let course = course();
    run_on(&course, "mine", "2026-11-20", &["--audience", "staff"]).fails(
        2,
        "\
error: --hints needs a report for a student
hint: name the reader, for example --audience student
",
    );
    for day in ["tomorrow", "2026-02-30", "2026-1-1"] {
        let expected = format!(
            "error: invalid value '{day}' for '--today <YYYY-MM-DD>': expected a day such as 2026-11-20\n\n\
             For more information, try '--help'.\n"
        );
        run_on(&course, "mine", day, &[]).fails(2, &expected);
    }
    let without = letters("{ }");
    without.write("mine/test-1.txt", "xyz\n");
    run_on(&without, "mine", "2026-11-20", &[]).fails(
        2,
        "\
error: the course file gives no hints
hint: say how many under `feedback:`, for example `hints: { per_day: 3 }`
",
    );
    harness(&["score", "x", "--today", "2026-11-20"]).fails(
        2,
        "\
error: the following required arguments were not provided:
  --hints <FILE>

Usage: harness score --hints <FILE> --today <YYYY-MM-DD> <DIR>

For more information, try '--help'.
",
    );
    assert!(!course.path("hints.json").exists());
}
