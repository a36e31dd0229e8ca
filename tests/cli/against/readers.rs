//! What each reader of the report of `generate --against` sees.

use super::{Run, found, harness};
use crate::engines;
use harness::report::against::ProgramDifference;
use std::fs;
use tempfile::TempDir;

/// A new course in Python that shows students so much, and a program with the bug of the mutant `max-starts-at-zero`.
fn course(student: &str) -> TempDir {
    let place = super::folder(&[]);
    let (course, solution) = (place.path().join("course"), place.path().join("solution"));
    let name = course.to_str().unwrap();
    harness(&["init", "--language", "python", name]).exits(0);
    let yaml = fs::read_to_string(course.join("harness.yaml")).unwrap();
    let changed = yaml.replacen("normal: count", student, 1);
    fs::write(course.join("harness.yaml"), changed).unwrap();
    let out = ["--course", name, "--out", solution.to_str().unwrap()];
    harness(&[&["solution", "tally"], &out[..]].concat()).exits(0);
    let program = fs::read_to_string(solution.join("tally.py")).unwrap();
    let (right, wrong) = ("max(numbers)", "max(numbers)\n    if result < 0:\n        result = 0");
    assert!(program.contains(right), "{program}");
    fs::write(solution.join("tally.py"), program.replacen(right, wrong, 1)).unwrap();
    place
}

/// The report for this reader.
fn report(place: &TempDir, audience: &str) -> Run {
    let at = |name: &str| place.path().join(name).display().to_string();
    let (course, out, program) = (at("course"), at(audience), at("solution/tally.py"));
    let options = ["--audience", audience, "--course", &course, "--out", &out];
    let args = ["generate", "--format", "json", "--against", &program];
    harness(&[&args[..], &options].concat())
}

/// The only difference that a student sees in a course that shows so much.
fn seen(student: &str, audience: &str) -> ProgramDifference {
    let place = course(student);
    let mut differences = found(&report(&place, audience).exits(0)).differences;
    assert_eq!(differences.len(), 1, "{differences:?}");
    differences.remove(0)
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_student_sees_which_mutant_and_which_lines_only_if_the_course_allows_it() {
    if !engines::has(&["python3"]) {
        return;
    }
    let known = Some("max-starts-at-zero");
    let count = seen("normal: count", "student");
    assert_eq!((count.resembles.as_deref(), count.suspects.len()), (None, 0), "{count:?}");
    assert!(count.outcomes.input.starts_with('-'), "the test is for its reader: {count:?}");
    let exposed = seen("normal: exposed", "student");
    assert_eq!((exposed.resembles.as_deref(), exposed.suspects.len()), (known, 0), "{exposed:?}");
    let all = seen("normal: all", "student");
    assert_eq!(all.resembles.as_deref(), known);
    assert!(all.suspects.iter().any(|it| it.text.contains("result = 0")), "{all:?}");
    let staff = seen("normal: count", "staff");
    assert_eq!(staff.resembles.as_deref(), known);
    assert_eq!(staff.suspects, all.suspects);
    let named = seen("pseudonyms: a secret of the staff\n      normal: all", "student");
    assert!(named.resembles.as_ref().is_some_and(|name| name.starts_with("bug-")), "{named:?}");
    assert_eq!(named.suspects, [], "whoever may not know the mutants may not see their places");
}

#[test]
fn a_reader_who_may_see_no_count_gets_no_report() {
    if !engines::has(&["python3"]) {
        return;
    }
    let place = course("normal: none");
    let run = report(&place, "student");
    run.fails(
        2,
        "error: the report says how many bugs a program has, but its reader may not see that\n\
         hint: set `feedback:` in the course file to `count` or more, or name another --audience\n",
    );
}
