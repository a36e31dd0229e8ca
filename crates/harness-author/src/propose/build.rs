//! Builds one program with all candidates that compile.

use crate::candidates::Form;
use crate::candidates::marked::{self, MarkedPlace};
use crate::candidates::mutated_copy::{MutatedCopy, Written};
use harness::catalogue::Mutant;
use harness::cli::mutants::Propose;
use harness::course::{Assignment, Course};
use harness::diagnostic::progress::Progress;
use harness::diagnostic::{Failure, Problem};
use harness::run::build::check::{CompileError, check};
use harness::run::build::{self, Variant};
use harness::run::prepare;
use harness::run::programs::{Plan, Programs};
use harness::run::work::Work;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Steps that a candidate may always take. One that goes in circles takes all of them on each case.
const STEPS: u64 = 5_000;

/// The programs, and what is in them.
pub(super) struct Built {
    pub(super) mutated_copy: MutatedCopy,
    /// The assignment of the copy.
    pub(super) copy: Assignment,
    /// The catalogue's mutants, followed by the candidates.
    pub(super) mutants: Vec<Mutant>,
    /// The number of the catalogue's mutants.
    pub(super) known: usize,
    /// The number of each candidate in the mutated copy, in the order of the mutants.
    pub(super) numbers: Vec<usize>,
}

pub(super) fn build(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    options: &Propose,
) -> Result<(Built, Programs), Failure> {
    let known = prepare::bugs_if_any(course, assignment)?;
    let mut mutated_copy = MutatedCopy::open(assignment, known.len())?;
    let _progress = Progress::new("building the candidates", None);
    let reference = build::build(course, assignment, Variant::Reference)?;
    // Not in the folder of what is built of the copy, in which nothing counts as a source.
    let folder = build::target_folder(course, assignment).join("proposed");
    // Its name cannot be that of another assignment.
    let id = format!(".proposed/{}", assignment.id);
    let mut copy = Assignment { id, ..assignment.clone() };
    leave_out_what_does_not_compile(&mut mutated_copy, course, assignment, &mut copy, &folder)?;
    // Every loop counts steps in the copy.
    copy.run.reference_steps = copy.run.reference_steps.saturating_mul(100);
    copy.run.steps = copy.run.steps.min(STEPS);
    let candidates = mutated_copy.left().map(|number| Mutant::proposed(marked::id(number)));
    let mutants: Vec<_> = known.iter().cloned().chain(candidates).collect();
    let plan = Plan::new(work, course, &copy, &mutants).jobs(prepare::jobs(options.jobs));
    let variants: Vec<_> = plan.variants().into_iter().skip(1).collect();
    let variants: Vec<_> = variants.into_iter().map(|variant| (&copy, variant)).collect();
    let programs = Programs::new(&plan, reference, build::all(course, &variants)?)?;
    let numbers = mutated_copy.left().collect();
    Ok((Built { known: known.len(), numbers, mutated_copy, copy, mutants }, programs))
}

/// Checks the copy until it compiles. Each time, the candidates that the compiler complains about are left out.
fn leave_out_what_does_not_compile(
    mutated_copy: &mut MutatedCopy,
    course: &Course,
    assignment: &Assignment,
    copy: &mut Assignment,
    folder: &Path,
) -> Result<(), Failure> {
    loop {
        let (program, written) = mutated_copy.write(&assignment.program, folder)?;
        copy.program = program;
        let errors = check(course, copy, folder)?;
        let before = mutated_copy.state();
        let culprits: BTreeSet<_> =
            errors.iter().flat_map(|error| culprits(error, &written, mutated_copy)).collect();
        culprits.into_iter().for_each(|number| mutated_copy.retreat(number));
        match errors.first() {
            None => return Ok(()),
            Some(error) if mutated_copy.state() == before => {
                let message = format!(
                    "the reference does not compile with its candidates\n{}",
                    error.text.trim_end()
                );
                return Err(Failure::broken_course(Problem::new(message)));
            }
            Some(_) => {}
        }
    }
}

/// The candidates that an error is about: the innermost one around the first of its places that has any. Otherwise those inside the first
/// of its places that has any, such as a statement that must not be left out, or else all of the file.
fn culprits(error: &CompileError, written: &[Written], mutated_copy: &MutatedCopy) -> Vec<usize> {
    let of = |path: &Path| written.iter().find(|written| written.path == path);
    let places = || error.places.iter().filter_map(|(path, place)| Some((of(path)?, place)));
    let around = |(file, place): (&Written, &Range<usize>)| {
        let contains = |candidate: &&MarkedPlace| {
            if error.is_start {
                // What is right by itself is only wrong by another candidate in it.
                let start = place.start..place.start;
                let is_right = candidate.right.contains(&start.start);
                is_inside(&start, &candidate.range) && !is_right
            } else {
                // The whole of an inner candidate is the right branch of an outer one.
                is_inside(place, &candidate.range) && candidate.range != *place
            }
        };
        let all = file.places.iter().filter(contains);
        all.min_by_key(|candidate| candidate.range.len()).map(|candidate| candidate.number)
    };
    if let Some(culprit) = places().find_map(around) {
        return vec![culprit];
    }
    let within = |(file, place): (&Written, &Range<usize>)| {
        let inside = file.places.iter().filter(|it| is_inside(&it.range, place));
        inside.map(|it| it.number).collect::<Vec<_>>()
    };
    let inside = places().map(within).find(|inside| !inside.is_empty()).unwrap_or_default();
    // What is only added to a condition or a statement rarely makes it wrong.
    let is_choice = |number: &usize| mutated_copy.candidate(*number).1.form == Form::Choose;
    let choices: Vec<_> = inside.iter().copied().filter(is_choice).collect();
    if error.is_start && !choices.is_empty() {
        return choices;
    }
    let file = || places().flat_map(|(file, _)| &file.places).map(|it| it.number).collect();
    if inside.is_empty() { file() } else { inside }
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
