//! `behaviour:` and `scoring: { by: behaviours }`: mutants that are always exposed together count once.

use super::course::Course;
use super::formats::decoded;
use super::language::PYTHON;
use super::sums::{MAKEFILE, SUM, course as submission, grade_with, has_no_compiler};
use harness::report::generated::{BehavioursGenerated, Generated};
use harness::report::surveyed::Surveyed;
use harness::result::Report;
use std::fs;

const PROGRAM: &str = "case $1 in\n\
    drops-a) tr -d a;;\n\
    doubles-a) sed s/a/aa/g;;\n\
    drops-two-a) sed s/aa//;;\n\
    drops-b) tr -d b;;\n\
    loses-b) tr -d b;;\n\
    drops-c) tr -d c;;\n\
    *) cat;;\nesac\n";

/// Letters are lost in five ways: two mutants each have the behaviours `a` and `b`.
fn letters(by: &str) -> Course {
    let scoring = format!("{{ start: 2, full: 3, extra_submission: 3, points: 9{by} }}");
    let course = Course::of_commands("letters", "sh letters.sh right", "sh letters.sh {mutant}")
        .with("scoring", &scoring)
        .with("feedback", "{ student: all, hints: { per_day: 5 } }")
        .file("letters.sh", PROGRAM)
        .file("suite/test-1.txt", "ab\n");
    let course = course.mutant("drops-c", &[("witness", &witness("c"))]);
    let joined = [("drops-a", "a"), ("doubles-a", "a"), ("drops-b", "b"), ("loses-b", "b")];
    joined.iter().fold(course, |course, (id, letter)| join(course, id, letter, letter))
}

/// Adds a mutant of the behaviour `name`.
fn join(course: Course, id: &str, input: &str, name: &str) -> Course {
    // Of equal hints, only one is given.
    let hint = format!("Look at {id}.");
    let course = course.mutant(id, &[("witness", &witness(input)), ("hint", &hint)]);
    let file = format!("mutants/{id}.yaml");
    let text = course.read(&file);
    course.file(&file, format!("{text}behaviour: {name}\n"))
}

fn witness(input: &str) -> String {
    format!(
        "{{ flags: \"\", input: \"{input}\\n\", expected: {{ exit: 0, stdout: \"{input}\\n\" }} }}"
    )
}

const BEHAVIOURS: &str = ", by: behaviours";

fn score_of(course: &Course) -> serde_json::Value {
    let run = course.score("suite", &["--format", "json"]).exits(0);
    let report: Report = serde_json::from_str(&run.stdout).expect("it is a report");
    serde_json::to_value(&report.assignments[0].suites[0].score).unwrap()
}

#[test]
fn mutants_of_one_behaviour_count_once() {
    let mutants = serde_json::json!({
        "exposed": 4, "mutants": 5, "points": 9.0, "max_points": 9.0, "start": 2, "full": 3, "extra_submission": 3
    });
    assert_eq!(score_of(&letters("")), mutants, "by default, each mutant counts");
    assert_eq!(score_of(&letters(", by: mutants")), mutants);
    let behaviours = serde_json::json!({
        "by": "behaviours", "exposed": 2, "mutants": 3, "points": 4.5, "max_points": 9.0,
        "start": 2, "full": 3, "extra_submission": 3
    });
    assert_eq!(score_of(&letters(BEHAVIOURS)), behaviours);
}

#[test]
fn without_points_in_the_course_file_each_behaviour_earns_its_points_once() {
    let course = letters("").with("scoring", "{ start: 1, full: 3, by: behaviours }");
    for id in ["drops-a", "doubles-a"] {
        course.replace(&format!("mutants/{id}.yaml"), "points: 1", "points: 5");
    }
    let score = score_of(&course);
    assert_eq!((&score["points"], &score["max_points"]), (&6.0.into(), &7.0.into()));
}

#[test]
fn every_format_says_that_behaviours_count() {
    let course = letters(BEHAVIOURS);
    let score = |format: &str| course.score("suite", &["--format", format]).exits(0).stdout;
    let text = score("text");
    assert!(text.contains("behaviours that exist             3\n"), "{text}");
    assert!(text.contains("behaviours exposed                2\n"), "{text}");
    assert!(text.contains("Exposed: 4 mutants\n"), "{text}");
    assert!(text.contains("needed for full points            3  1 more\n"), "{text}");
    let md = score("md");
    assert!(md.contains("2 of 3 behaviours exposed"), "{md}");
    assert!(md.contains("| behaviours needed for | | |"), "{md}");
    assert!(score("html").contains("2 of 3 behaviours exposed"));
    assert!(score("csv").contains("suite,letters,4.5,9,2,3,no,1,0"), "{}", score("csv"));
    for format in ["gradescope", "prairielearn", "github-classroom"] {
        let text = decoded(format, &score(format));
        for said in [
            "letters: behaviours exposed",
            "2 of 3 behaviours exposed",
            "behaviours needed for first points: 2",
        ] {
            assert!(text.contains(said), "{text}");
        }
    }
    let junit = course.score("suite", &["--format", "junit", "--audience", "final"]).exits(0);
    assert!(junit.stdout.contains("2 of 3 behaviours exposed"), "{}", junit.stdout);
    assert!(score("stryker").contains("\"thresholds\":{\"high\":100,\"low\":67}"));
    let course = course.file("class/ann/test-1.txt", "ab\n").file("class/bob/test-1.txt", "c\n");
    let md = course.score("class", &["--format", "md"]).exits(0).stdout;
    assert!(md.contains("| student | points | behaviours exposed |"), "{md}");
    let student = course.score("suite", &["--audience", "student"]).exits(0).stdout;
    assert!(student.contains("behaviours exposed                2\n"), "{student}");
    assert!(student.contains("Exposed: 4 bugs\n"), "{student}");
}

#[test]
fn no_hint_is_spent_on_a_behaviour_that_is_exposed() {
    let hints = |course: Course| {
        let course = join(course, "drops-two-a", "aa", "a");
        let file = course.word("hints.json");
        let options = ["--audience", "student", "--hints", &file, "--today", "2026-11-20"];
        course.score("suite", &options).exits(0).stdout
    };
    let (mutants, behaviours) = (hints(letters("")), hints(letters(BEHAVIOURS)));
    assert!(mutants.contains("  2026-11-20  Look at drops-two-a."), "{mutants}");
    assert!(behaviours.contains("  2026-11-20  h"), "the one of `drops-c`: {behaviours}");
    assert!(!behaviours.contains("Look at"), "{behaviours}");
}

#[test]
fn an_unknown_word_for_what_counts_is_an_error_with_its_place() {
    letters(", by: behaviors").score("suite", &[]).fails(
        2,
        "\
error: expected one of mutants, behaviours, found `behaviors`
 --> COURSE/harness.yaml:[..]
  |
[..]by: behaviors }
  |[..]
hint: did you mean `behaviours`?
",
    );
}

#[test]
fn mutants_of_one_behaviour_with_different_points_break_the_course() {
    let course = letters(BEHAVIOURS);
    course.replace("mutants/drops-a.yaml", "points: 1", "points: 2");
    course.score("suite", &[]).fails(
        4,
        "\
error: `drops-a` is worth 2, but `doubles-a` of the same behaviour, `a`, is worth 1
 --> COURSE/mutants/drops-a.yaml:6
  |
6 | points: 2
hint: give the mutants of a behaviour the same points
",
    );
}

#[test]
fn verify_shows_a_case_that_tells_mutants_of_one_behaviour_apart() {
    let verify = ["mutants", "verify"];
    letters(BEHAVIOURS).harness(&verify).exits(0);
    let course = join(letters(BEHAVIOURS), "drops-two-a", "aa", "a");
    course.harness(&verify).fails(
        4,
        "\
error: `doubles-a` and `drops-two-a` are not one behaviour, `a`: this case exposes only `doubles-a`:

a
 --> COURSE/mutants/drops-two-a.yaml:8
  |
8 | behaviour: a
hint: give them different behaviours, or remove `behaviour`
",
    );
    course.harness(&["mutants", "verify", "drops-b"]).exits(0);
}

#[test]
fn verify_reports_a_behaviour_of_a_single_mutant() {
    let course = letters(BEHAVIOURS);
    course.replace("mutants/drops-b.yaml", "behaviour: b", "behaviour: lost-b");
    course.replace("mutants/loses-b.yaml", "behaviour: b", "behaviour: lots-b");
    let run = course.harness(&["mutants", "verify", "loses-b"]);
    let problem = "error: `loses-b` is the only mutant of the behaviour `lots-b`\n";
    assert!(run.stderr.contains(problem), "{}", run.stderr);
    assert!(run.stderr.contains("hint: did you mean `lost-b`?"), "{}", run.stderr);
}

#[test]
fn twins_are_no_problem_if_they_count_once() {
    let run = letters("").harness(&["mutants", "verify"]);
    assert_eq!(run.status, 4);
    assert!(run.stderr.contains("`drops-b` and `loses-b` are twins"), "{}", run.stderr);
    letters(BEHAVIOURS).harness(&["mutants", "verify"]).exits(0);
}

#[test]
fn show_names_the_behaviour() {
    let shown = letters(BEHAVIOURS).harness(&["mutants", "show", "drops-a"]).exits(0).stdout;
    assert!(shown.contains("  behaviour a\n"), "{shown}");
}

#[test]
fn the_survey_lists_candidates_and_behaviours_that_a_test_tells_apart() {
    let Some(course) = PYTHON.course() else { return };
    let tally = "reference/tally/tally.py";
    let wrong = "0 if result < 0 and bug(\"max-starts-at-zero\") else ";
    let other = "1 if result < 0 and bug(\"max-starts-at-one\") else ";
    course.replace(tally, wrong, &format!("{wrong}{other}"));
    let zero = "mutants/tally/max-starts-at-zero.yaml";
    course.write("mutants/tally/max-starts-at-one.yaml", course.read(zero));
    let survey = |options: &[&str]| {
        let args = ["mutants", "survey", "--cases", "100"];
        course.harness(&[&args, options].concat()).exits(0).stdout
    };
    let text = survey(&[]);
    let candidates = "Twins: no test tells these apart\n  max-starts-at-one = max-starts-at-zero\n\n  \
        Candidates for a behaviour:";
    assert!(text.contains(candidates), "{text}");
    for id in ["max-starts-at-zero", "max-starts-at-one"] {
        let file = format!("mutants/tally/{id}.yaml");
        course.write(&file, course.read(&file) + "behaviour: negative-maximum\n");
    }
    let text = survey(&[]);
    let joined = "  max-starts-at-one = max-starts-at-zero  (behaviour `negative-maximum`)\n";
    assert!(text.contains(joined), "{text}");
    assert!(!text.contains("Candidates") && !text.contains("Behaviours"), "{text}");
    let file = "mutants/tally/skips-the-first-number.yaml";
    course.write(file, course.read(file) + "behaviour: negative-maximum\n");
    let text = survey(&[]);
    let apart = "Behaviours with mutants that a test tells apart\n  negative-maximum: max-starts-at-one, \
        max-starts-at-zero, skips-the-first-number\n";
    assert!(text.contains(apart), "{text}");
    let report: Surveyed = serde_json::from_str(&survey(&["--format", "json"])).unwrap();
    let joined = report.mutants.iter().filter(|mutant| mutant.behaviour.is_some()).count();
    assert_eq!(joined, 3);
}

#[test]
fn thresholds_are_proposed_in_behaviours() {
    let Some(course) = PYTHON.course() else { return };
    let scoring = |course: &Course| {
        let run = course.harness(&[
            "mutants",
            "survey",
            "--cases",
            "10",
            "--suites",
            &course.word("student_tests"),
        ]);
        run.exits(0).stdout
    };
    assert!(scoring(&course).contains("  bugs that they expose: 2\n"));
    course.count_behaviours();
    let text = scoring(&course);
    assert!(text.contains("  behaviours that they expose: 1\n"), "{text}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_generated_suite_is_measured_in_what_the_course_counts() {
    let Some(course) = PYTHON.course() else { return };
    let generate = |out: &str, options: &[&str]| {
        let out = course.word(out);
        course
            .harness(&[&["generate", "--fewest", "--out", &out], options].concat())
            .exits(0)
            .stdout
    };
    let text = generate("mutants", &[]);
    assert!(text.starts_with("tally: 3 of 3 mutants exposed"), "{text}");
    course.count_behaviours();
    let text = generate("behaviours", &[]);
    assert!(text.starts_with("tally: 2 of 2 behaviours exposed"), "{text}");
    let report: Generated = serde_json::from_str(&generate("all", &["--format", "json"])).unwrap();
    let all = BehavioursGenerated { sought: 2, exposed: 2, by_files: 2 };
    assert_eq!((report.behaviours, report.smallest.len()), (Some(all), 3));
}

#[test]
fn a_graded_submission_says_that_behaviours_count() {
    if has_no_compiler() {
        return;
    }
    let files = [("sum.cpp", SUM), ("Makefile", MAKEFILE), ("test-1.txt", "1 2\n")];
    let course = submission(&files);
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("points: 10 }", "points: 10, by: behaviours }")).unwrap();
    let grade = |format: &str| grade_with(&course, "mine", &["--format", format]).stdout;
    assert!(grade("text").contains("1 of 1 behaviour exposed"), "{}", grade("text"));
    assert!(grade("html").contains("1 of 1 behaviours exposed"));
}
