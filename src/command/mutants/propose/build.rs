//! Builds one program with all candidates that compile.

use crate::catalogue::Mutant;
use crate::catalogue::candidates::marked;
use crate::catalogue::candidates::workshop::{Workshop, Written};
use crate::cli::mutants::Propose;
use crate::course::{Assignment, Course, Package, Program};
use crate::problem::progress::Progress;
use crate::problem::{Failure, Problem};
use crate::run::build::check::{CompileError, check};
use crate::run::build::{self, Variant};
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use std::ops::Range;
use std::path::Path;

/// Steps that a candidate may always take. One that goes in circles takes all of them on each case.
const STEPS: u64 = 5_000;

/// The programs, and what is in them.
pub(super) struct Built {
    pub(super) workshop: Workshop,
    /// The assignment of the copy.
    pub(super) copy: Assignment,
    /// The catalogue's mutants, followed by the candidates.
    pub(super) mutants: Vec<Mutant>,
    /// The number of the catalogue's mutants.
    pub(super) known: usize,
    /// The number of each candidate in the workshop, in the order of the mutants.
    pub(super) numbers: Vec<usize>,
}

pub(super) fn build(
    course: &Course,
    assignment: &Assignment,
    options: &Propose,
) -> Result<(Built, Programs), Failure> {
    let known = prepare::bugs(course, assignment)?;
    let mut workshop = Workshop::open(assignment, known.len())?;
    let Program::Cargo(package) = &assignment.program else { unreachable!("a workshop is open") };
    // Its name cannot be that of another assignment.
    let id = format!(".proposed/{}", assignment.id);
    let copy = Assignment { id, ..assignment.clone() };
    let folder = build::target_folder(course, &copy).join("source");
    let _progress = Progress::new("building the candidates", None);
    leave_out_what_does_not_compile(&mut workshop, package, &folder)?;
    let package = Package { folder, ..package.clone() };
    let mut copy = Assignment { program: Program::Cargo(package), ..copy };
    // Every loop counts steps in the copy.
    copy.run.reference_steps = copy.run.reference_steps.saturating_mul(100);
    copy.run.steps = copy.run.steps.min(STEPS);
    let reference = build::build(course, assignment, Variant::Reference)?;
    let combined = build::build(course, &copy, Variant::Combined)?;
    let candidates = workshop.left().map(|number| Mutant::proposed(marked::id(number)));
    let mutants: Vec<_> = known.iter().cloned().chain(candidates).collect();
    let plan = Plan::new(course, &copy, &mutants).jobs(prepare::jobs(options.jobs));
    let programs = Programs::new(&plan, reference, vec![combined])?;
    let numbers = workshop.left().collect();
    Ok((Built { known: known.len(), numbers, workshop, copy, mutants }, programs))
}

/// Checks the copy until it compiles. Each time, the candidates that the compiler complains about are left out.
fn leave_out_what_does_not_compile(
    workshop: &mut Workshop,
    package: &Package,
    folder: &Path,
) -> Result<(), Failure> {
    loop {
        let written = workshop.write(package, folder)?;
        let errors = check(folder, package.binary.as_deref())?;
        let before = workshop.state();
        for error in &errors {
            culprits(error, &written).into_iter().for_each(|number| workshop.retreat(number));
        }
        match errors.first() {
            None => return Ok(()),
            Some(error) if workshop.state() == before => {
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

/// The candidates that an error is about: the innermost one around the first of its places that has any. Otherwise those inside its
/// places, such as a statement that must not be left out, or else all of the file.
fn culprits(error: &CompileError, written: &[Written]) -> Vec<usize> {
    let of = |path: &Path| written.iter().find(|written| written.path == path);
    let places = || error.places.iter().filter_map(|(path, place)| Some((of(path)?, place)));
    let around = |(file, place): (&Written, &Range<usize>)| {
        // The whole of an inner candidate is the right branch of an outer one.
        let contains = |candidate: &Range<usize>| is_inside(place, candidate) && candidate != place;
        let all = file.places.iter().filter(|(_, candidate)| contains(candidate));
        all.min_by_key(|(_, candidate)| candidate.len()).map(|(number, _)| *number)
    };
    if let Some(culprit) = places().find_map(around) {
        return vec![culprit];
    }
    let within = |(file, place): (&Written, &Range<usize>)| {
        let inside = file.places.iter().filter(|(_, candidate)| is_inside(candidate, place));
        inside.map(|(number, _)| *number).collect::<Vec<_>>()
    };
    let inside: Vec<_> = places().flat_map(within).collect();
    let file = || places().flat_map(|(file, _)| &file.places).map(|(number, _)| *number).collect();
    if inside.is_empty() { file() } else { inside }
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
