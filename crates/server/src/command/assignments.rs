//! Whether the course and `serve.yaml` agree about what students hand in. Pure.

use crate::rules::Rules;
use harness::course::{Assignment, Course};

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
    for assignment in taken() {
        mistakes.extend(rubrics(assignment, rules));
        mistakes.extend(parts_without_a_rubric(assignment, rules));
    }
    mistakes
}

/// Where rubrics and the course file do not agree about what a person grades.
fn rubrics<'a>(
    assignment: &'a Assignment,
    rules: &Rules,
) -> impl Iterator<Item = (String, String)> + use<'a> {
    let by_hand = assignment.submission.as_ref().map(|it| &it.points.by_hand.0);
    let known = move |part: &str| by_hand?.iter().find(|(name, _)| name == part).map(|it| it.1);
    let id = &assignment.id;
    rules.of(id).rubrics.0.into_iter().filter_map(move |(part, rubric)| {
        let most = rubric.value.most.0 as f64 / 100.0;
        let named = match known(&part) {
            Some(points) if (points - most).abs() < 0.005 => return None,
            Some(points) => format!("has {points} points in the course file"),
            None => "is not in the course file, so students do not see that it comes".to_owned(),
        };
        let remedy =
            format!("write `by_hand: {{ {part}: {most} }}` in `points` of {id} in harness.yaml");
        Some((
            format!("the rubric for `{part}` of `{id}` has {most} points, and the part {named}"),
            remedy,
        ))
    })
}

/// The parts of the course file for which people grade without a rubric: nobody can give their points here.
fn parts_without_a_rubric<'a>(
    assignment: &'a Assignment,
    rules: &Rules,
) -> impl Iterator<Item = (String, String)> + use<'a> {
    let by_hand = assignment.submission.iter().flat_map(|it| &it.points.by_hand.0);
    let (id, rubrics) = (&assignment.id, rules.of(&assignment.id).rubrics.0);
    let has_rubric = move |part: &str| rubrics.iter().any(|(name, _)| name == part);
    by_hand.filter(move |(part, _)| !has_rubric(part)).map(move |(part, most)| {
        (
            format!("the part `{part}` of `{id}` has no rubric, so nobody can grade it here"),
            format!("write `{part}: {{ most: {most} }}` in `rubrics` of {id} in serve.yaml"),
        )
    })
}
