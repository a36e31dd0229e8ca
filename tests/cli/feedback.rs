//! What each reader of a report sees.

use super::course::Course;
use super::letters::{MUTANTS, letters};
use super::{Run, harness};

const READERS: &str = "{ normal: count, final: exposed, past_limit: none, staff: all }";
const SECRET: &str = "pseudonyms: nobody-knows-this-1";

/// A suite that exposes `drops-b` and `drops-e`.
fn suite(feedback: &str) -> Course {
    let course = letters(feedback);
    course.write("mine/test-1.txt", "eb\n");
    course
}

fn told(run: &Run) -> Vec<&'static str> {
    MUTANTS.into_iter().filter(|id| run.stdout.contains(id)).collect()
}

#[test]
fn each_reader_sees_what_the_course_allows() {
    let course = suite(READERS);
    for format in ["text", "json"] {
        let run =
            |audience| course.score("mine", &["--format", format, "--audience", audience]).exits(0);
        assert_eq!(told(&run("staff")), MUTANTS, "{format}");
        assert_eq!(told(&run("final")), ["drops-b", "drops-e"], "{format}");
        for audience in ["normal", "student"] {
            let run = run(audience);
            assert_eq!(told(&run), [""; 0], "{format}");
            assert!(
                run.stdout.contains("2 of 5 points") || run.stdout.contains("\"points\":2.0"),
                "{}",
                run.stdout
            );
        }
        let past = run("past-limit");
        assert_eq!(told(&past), [""; 0], "{format}");
        assert!(
            !past.stdout.contains("points") && past.stdout.contains("test-1.txt"),
            "{}",
            past.stdout
        );
    }
}

#[test]
fn by_default_students_see_counts_and_nothing_past_the_limit() {
    let course = suite("{ }");
    for audience in ["normal", "final"] {
        let run = course.score("mine", &["--audience", audience]).exits(0);
        assert!(told(&run).is_empty() && run.stdout.contains("Score: 2 of 5"), "{}", run.stdout);
    }
    assert!(!course.score("mine", &["--audience", "past-limit"]).exits(0).stdout.contains("Score"));
}

#[test]
fn student_is_another_name_for_normal() {
    let course = suite("{ student: exposed }");
    assert_eq!(
        told(&course.score("mine", &["--audience", "normal"]).exits(0)),
        ["drops-b", "drops-e"]
    );
    suite("{ student: exposed, normal: count }").score("mine", &[]).fails(
        2,
        "\
error: duplicate key `normal`
 --> COURSE/harness.yaml:9:15
  |
9 |     feedback: { student: exposed, normal: count }
  |               ^
hint: this key has two names; use only one of them
",
    );
}

#[test]
fn an_unknown_reader_is_an_error_with_its_place() {
    suite("{ final: count, pastlimit: none }").score("mine", &[]).fails(
        2,
        "\
error: unknown key `pastlimit`
 --> COURSE/harness.yaml:9:31
  |
9 |     feedback: { final: count, pastlimit: none }
  |                               ^
hint: did you mean `past_limit`?
",
    );
}

#[test]
fn pseudonyms_hide_ids_summaries_and_their_order_from_students() {
    let course = suite(&format!("{{ normal: all, {SECRET} }}"));
    let staff = course.score("mine", &["--format", "json"]).exits(0).report();
    let run = course.score("mine", &["--format", "json", "--audience", "normal"]).exits(0);
    assert!(told(&run).is_empty() && !run.stdout.contains("Loses"), "{}", run.stdout);
    let (real, seen) = (&staff.assignments[0], &run.report().assignments[0]);
    let ids: Vec<_> = seen.mutants.iter().map(|mutant| mutant.id.clone()).collect();
    assert!(
        ids.is_sorted()
            && ids.len() == real.mutants.len()
            && ids.iter().all(|id| id.starts_with("bug-")),
        "{ids:?}"
    );
    assert!(seen.mutants.iter().all(|mutant| mutant.summary.is_empty()));
    let suite = &seen.suites[0];
    assert_eq!(suite.exposed_by.len(), 2);
    assert_eq!(suite.tests[0].exposes, suite.exposed_by.keys().cloned().collect::<Vec<_>>());
    assert!(suite.exposed_by.keys().all(|id| ids.contains(id)));

    let text = course.score("mine", &["--audience", "normal"]).exits(0);
    assert!(told(&text).is_empty() && !text.stdout.contains("Loses"), "{}", text.stdout);
    assert!(ids.iter().all(|id| text.stdout.contains(id)), "{}", text.stdout);
    assert_eq!(told(&course.score("mine", &[]).exits(0)), MUTANTS, "the staff sees the ids");
}

#[test]
fn a_pseudonym_is_stable_if_a_mutant_is_added_and_staff_see_its_mutant() {
    let course = suite(&format!("{{ normal: all, {SECRET} }}"));
    let list = || {
        let run = harness(&["mutants", "list", "--course", &course.word(""), "--format", "json"])
            .exits(0);
        let list: harness::report::catalogue::Listed = serde_json::from_str(&run.stdout).unwrap();
        list.mutants
            .into_iter()
            .map(|mutant| (mutant.id, mutant.pseudonym.unwrap()))
            .collect::<Vec<_>>()
    };
    let before = list();
    let exposed = |run: Run| {
        run.report().assignments[0].suites[0].exposed_by.keys().cloned().collect::<Vec<_>>()
    };
    let seen =
        exposed(course.score("mine", &["--format", "json", "--audience", "normal"]).exits(0));
    let mut expected: Vec<_> = [1, 4].map(|at: usize| before[at].1.clone()).to_vec();
    expected.sort();
    assert_eq!(seen, expected);

    let another = std::fs::read_to_string(course.path("mutants/drops-a.yaml")).unwrap();
    course.write("mutants/a-new-one.yaml", &another);
    let after = list();
    assert_eq!(after[1..], before);
}

#[test]
fn a_secret_that_is_too_short_is_an_error() {
    for short in ["secret", "true"] {
        let expected = format!(
            "error: a secret must have at least 16 characters, and be hard to guess\n \
             --> COURSE/harness.yaml:9:29\n  |\n9 |     feedback: {{ pseudonyms: {short} }}\n  |                             ^\n"
        );
        suite(&format!("{{ pseudonyms: {short} }}")).score("mine", &[]).fails(2, &expected);
    }
}
