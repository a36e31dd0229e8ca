//! Whether the instructor's cases expose the mutants, as far as the cases show it that could be students' tests.

use super::finding;
use crate::command::cases;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::report::doctor::{Finding, Health};
use crate::run::prepare;
use crate::run::programs::Plan;
use crate::run::work::Work;
use crate::submission::exposure::Effort;

/// The most mutants that are named.
const MOST_NAMED: usize = 5;

/// A finding, if the assignment has cases and mutants.
pub(super) fn finding_of(work: &Work, course: &Course, assignment: &Assignment) -> Option<Finding> {
    let what = format!("cases of {}", assignment.id);
    let found = held(work, course, assignment, &what);
    let failed = |failure| Some(finding(&what, Health::Missing, super::in_words(&failure)));
    found.unwrap_or_else(failed)
}

fn held(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    what: &str,
) -> Result<Option<Finding>, Failure> {
    let submission = assignment.submission.as_ref().filter(|it| it.has_program());
    let Some(submission) = submission else { return Ok(None) };
    let mutants = prepare::bugs_if_any(course, assignment)?;
    if mutants.is_empty() {
        return Ok(None);
    }
    let plan = Plan::new(work, course, assignment, &mutants).jobs(prepare::jobs(None));
    let held = cases::exposures(&plan, submission, 0, Effort::Little)?;
    let missed: Vec<_> = held.missed().map(|mutant| mutant.id.as_str()).collect();
    if missed.is_empty() {
        let found = format!("expose {} of {} mutants", held.exposed(), mutants.len());
        return Ok(Some(finding(what, Health::Fine, found)));
    }
    let named = missed.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let rest = missed.len().saturating_sub(MOST_NAMED);
    let rest = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    let found = format!(
        "no small case exposes {} of {} mutants: {named}{rest}",
        missed.len(),
        mutants.len()
    );
    let remedy = format!("`harness mutants cases --assignment {}` shows all", assignment.id);
    Ok(Some(Finding { remedy: Some(remedy), ..finding(what, Health::Optional, found) }))
}
