//! `harness mutants`: lists, shows, adds and checks mutants.

mod cases;
pub mod corpus;
mod list;
pub mod new;
mod show;
mod survey;
pub mod twins;
mod verify;
mod witness;

use crate::catalogue::{self, Mutant, behaviours};
use crate::cli::mutants::{Mutants, Which};
use crate::command::{companion, print};
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::run::work::Work;
use subject::wire::MutantSet;
use twins::Twins;

pub(super) fn run(work: &Work, options: &Mutants) -> Result<Exit, Failure> {
    match options {
        Mutants::List(options) => list::run(options),
        Mutants::Show(options) => show::run(work, options),
        Mutants::New(options) => new::run(options),
        Mutants::Witness(options) => witness::run(work, options),
        Mutants::Verify(options) => verify::run(work, options),
        Mutants::Survey(options) => survey::run(work, options),
        Mutants::Cases(options) => cases::run(work, options),
        Mutants::Mine(_) | Mutants::Propose(_) => Err(companion::AUTHOR.start()),
    }
}

/// An assignment, its catalogue, and the mutants that the command line selects.
struct Choice<'a> {
    assignment: &'a Assignment,
    mutants: Vec<Mutant>,
    selected: MutantSet,
}

impl Choice<'_> {
    fn selected(&self) -> impl Iterator<Item = (usize, &Mutant)> {
        self.selected.iter().map(|index| (index, &self.mutants[index]))
    }

    /// The problem of a selected mutant that has twins among the mutants that run on `cases` cases. The selected mutants come first.
    fn twins(&self, twins: &Twins, cases: usize) -> Option<Problem> {
        let (mut mutants, others): (Vec<_>, Vec<_>) =
            twins.mutants.iter().partition(|index| self.selected.contains(**index));
        let has_selected = !mutants.is_empty();
        mutants.extend(others);
        let mutants: Vec<_> = mutants.into_iter().map(|&index| &self.mutants[index]).collect();
        // Twins that count once do no harm.
        let counted = behaviours::counted(mutants.iter().copied(), self.assignment.scoring.by);
        (has_selected && counted.len() > 1)
            .then(|| crate::result::verify::twins(&mutants, twins.cases, cases))
    }
}

/// The mutants with these ids, or all mutants if there is no id. Assignments without a selected mutant are left out.
fn choose<'a>(
    course: &'a Course,
    which: &Which,
    ids: &[String],
) -> Result<Vec<Choice<'a>>, Failure> {
    let assignments: Vec<_> = match &which.assignment {
        Some(id) => vec![course.assignment(id)?],
        None => course.assignments.iter().collect(),
    };
    let mut choices = Vec::new();
    for assignment in assignments {
        let mutants = catalogue::read(assignment)?;
        let selected =
            if ids.is_empty() { MutantSet::all(mutants.len()) } else { MutantSet::default() };
        choices.push(Choice { assignment, mutants, selected });
    }
    for id in ids {
        select(&mut choices, id)?;
    }
    choices.retain(|choice| !choice.selected.is_empty());
    Ok(choices)
}

/// Selects the mutant `id`.
fn select(choices: &mut [Choice<'_>], id: &str) -> Result<(), Failure> {
    let index = |choice: &Choice<'_>| choice.mutants.iter().position(|mutant| mutant.id == id);
    let found: Vec<_> =
        choices.iter().enumerate().filter_map(|(at, choice)| Some((at, index(choice)?))).collect();
    match found.as_slice() {
        [(at, index)] => {
            choices[*at].selected.insert(*index);
            Ok(())
        }
        [] => {
            let all =
                choices.iter().flat_map(|choice| &choice.mutants).map(|mutant| mutant.id.as_str());
            Err(catalogue::unknown(id, all, "`harness mutants list` lists all of them"))
        }
        several => {
            let of: Vec<_> =
                several.iter().map(|(at, _)| choices[*at].assignment.id.as_str()).collect();
            let hint = format!("name the assignment with --assignment: {}", of.join(", "));
            Err(Failure::usage(
                Problem::new(format!("several assignments have a mutant `{id}`")).hint(hint),
            ))
        }
    }
}
