//! Points that are fractions, and thresholds that count them: `scoring: { thresholds: points }`.

use super::course::Course;
use super::formats::decoded;
use harness::result::Report;

const PROGRAM: &str = "case $1 in\n\
    drops-a) tr -d a;;\n\
    drops-b) tr -d b;;\n\
    drops-c) tr -d c;;\n\
    *) cat;;\nesac\n";

/// Three mutants, worth 1.5, 0.25 and 2 points. The suite exposes the first two.
fn letters(scoring: &str) -> Course {
    let course = Course::of_commands("letters", "sh letters.sh right", "sh letters.sh {mutant}")
        .with("scoring", scoring)
        .with("feedback", "{ student: all }")
        .file("letters.sh", PROGRAM)
        .file("suite/test-1.txt", "ab\n");
    let worth = [("a", "1.5"), ("b", "0.25"), ("c", "2")];
    worth.iter().fold(course, |course, (letter, points)| {
        let expected = format!("expected: {{ exit: 0, stdout: \"{letter}\\n\" }}");
        let witness = format!("{{ flags: \"\", input: \"{letter}\\n\", {expected} }}");
        let id = format!("drops-{letter}");
        let course = course.mutant(&id, &[("witness", &witness)]);
        course.replace(&format!("mutants/{id}.yaml"), "points: 1", &format!("points: {points}"));
        course
    })
}

const IN_POINTS: &str =
    "{ thresholds: points, start: 0.5, extra_submission: 1.75, full: 3.5, points: 10 }";

fn score_of(course: &Course) -> serde_json::Value {
    let run = course.score("suite", &["--format", "json"]).exits(0);
    let report: Report = serde_json::from_str(&run.stdout).expect("it is a report");
    serde_json::to_value(&report.assignments[0].suites[0].score).unwrap()
}

#[test]
fn without_points_in_the_course_file_fractions_are_added() {
    let score = score_of(&letters("{ start: 1, full: 3 }"));
    assert_eq!((&score["points"], &score["max_points"]), (&1.75.into(), &3.75.into()));
}

#[test]
fn thresholds_can_count_points() {
    let expected = serde_json::json!({
        "exposed": 2, "mutants": 3, "points": 5.0, "max_points": 10.0,
        "start": 0.5, "full": 3.5, "extra_submission": 1.75, "worth": { "exposed": 1.75, "all": 3.75 }
    });
    assert_eq!(score_of(&letters(IN_POINTS)), expected);
}

#[test]
fn every_format_takes_fractions() {
    let course = letters(IN_POINTS);
    let score = |format: &str| course.score("suite", &["--format", format]).exits(0).stdout;
    let text = score("text");
    for line in [
        "Score: 5 of 10 points\n",
        "points of these                1.75\n",
        "needed to start earning points  0.5  reached\n",
        "needed for full points          3.5  1.75 more\n",
        "needed for an extra submission 1.75  reached\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(score("csv").contains("suite,letters,5,10,2,3,yes,1,0"), "{}", score("csv"));
    assert!(score("html").contains("2 of 3 mutants exposed, worth 1.75 of 3.75 points"));
    assert!(score("stryker").contains("\"thresholds\":{\"high\":93,\"low\":13}"));
    for format in ["gradescope", "prairielearn", "github-classroom"] {
        let text = decoded(format, &score(format));
        assert!(text.contains("points of bugs needed for first points: 0.5 (reached)"), "{text}");
    }
    let json = score("json");
    assert!(json.contains("\"points\":1.5") && json.contains("\"points\":2"), "{json}");
}

#[test]
fn a_fraction_of_a_bug_is_an_error_with_its_place() {
    letters("{ start: 0.5, full: 3, points: 10 }").score("suite", &[]).fails(
        2,
        "\
error: 0.5 is no number of bugs
 --> COURSE/harness.yaml:[..]
  |
[..]{ start: 0.5, full: 3, points: 10 }
  |[..]
hint: write a whole number, or `thresholds: points`
",
    );
    let course = letters(IN_POINTS);
    course.replace("mutants/drops-a.yaml", "points: 1.5", "points: 1.125");
    course.score("suite", &[]).fails(
        4,
        "\
error: 1.125 has more than two decimals
 --> COURSE/mutants/drops-a.yaml:6:9
  |
6 | points: 1.125
  |         ^
",
    );
}
