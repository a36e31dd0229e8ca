//! `harness mutants cases`: which of the instructor's cases for submissions expose which mutants.

use super::{Choice, choose, print};
use crate::cli::mutants::CasesOf;
use crate::command::cases;
use crate::course::Course;
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::result::cases::{Cases, SCHEMA};
use crate::run::prepare;
use crate::run::programs::Plan;
use crate::run::work::Work;
use crate::submission::exposure::Effort;
use subject::wire::MutantSet;

pub(super) fn run(work: &Work, options: &CasesOf) -> Result<Exit, Failure> {
    let course = Course::read(&options.which.course)?;
    let choices = choose(&course, &options.which, &options.ids)?;
    if choices.iter().all(|choice| choice.assignment.submission.is_none()) {
        return Err(without_cases(&choices));
    }
    let mut report = Cases { schema: SCHEMA.to_owned(), assignments: Vec::new() };
    for choice in &choices {
        let Some(submission) = &choice.assignment.submission else { continue };
        let mutants = prepare::bugs(&course, choice.assignment)?;
        let is_chosen = |id: &str| choice.selected().any(|(_, mutant)| mutant.id == id);
        let chosen: MutantSet =
            (0..mutants.len()).filter(|&index| is_chosen(&mutants[index].id)).collect();
        if let ([id, ..], true) = (options.ids.as_slice(), chosen.is_empty()) {
            let problem = Problem::new(format!("`{id}` does not count, so no case need expose it"));
            return Err(Failure::usage(problem.hint("`harness mutants show ID` says why")));
        }
        let plan = Plan::new(work, &course, choice.assignment, &mutants)
            .only(chosen)
            .jobs(prepare::jobs(options.jobs));
        report.assignments.push(cases::exposures(&plan, submission, options.seed, Effort::Full)?);
    }
    print("the result", &report, options.which.format)?;
    let is_complete = report.assignments.iter().all(|it| it.missed().next().is_none());
    Ok(if is_complete { Exit::Done } else { Exit::UnderThreshold })
}

/// The failure if nothing that was chosen has cases.
fn without_cases(choices: &[Choice<'_>]) -> Failure {
    let ids: Vec<_> = choices.iter().map(|choice| format!("`{}`", choice.assignment.id)).collect();
    let message = format!("the course says nothing about submissions for {}", ids.join(", "));
    let problem = Problem::new(message);
    Failure::usage(problem.hint("add a `submission:` entry to the assignment in harness.yaml"))
}
