//! Whether the course and `serve.yaml` agree about what students hand in. Pure.

use crate::rules::Rules;
use harness::course::Course;

/// What lets no student hand in, or gives an assignment other rules than somebody meant: each with its remedy.
pub(super) fn mistakes(course: &Course, rules: &Rules) -> Vec<(String, String)> {
    let taken = || course.assignments.iter().filter(|it| it.submission.is_some());
    let ids: Vec<_> = taken().map(|it| it.id.as_str()).collect();
    let mut mistakes = Vec::new();
    if ids.is_empty() {
        let found = "no assignment has a `submission:`, so nobody can hand in anything";
        let remedy = "give one a program and cases, as docs/serving.md shows, then `harness serve course --apply`";
        mistakes.push((found.to_owned(), remedy.to_owned()));
    }
    for id in rules.assignments.keys().filter(|id| !ids.contains(&id.as_str())) {
        let (found, remedy) = if course.assignments.iter().any(|it| it.id == *id) {
            ("which has no `submission:`".to_owned(), "give it one in harness.yaml".to_owned())
        } else {
            let known = match ids.as_slice() {
                [] => "none".to_owned(),
                ids => ids.join(", "),
            };
            ("which the course does not have".to_owned(), format!("students hand in: {known}"))
        };
        mistakes.push((format!("serve.yaml has rules of `{id}`, {found}"), remedy));
    }
    mistakes
}
