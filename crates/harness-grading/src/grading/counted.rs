//! The mutants that count as bugs, with their programs.

use super::Observer;
use super::contained;
use super::uncounted;
use super::witness_file;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, FailureKind, Problem, Warning};
use crate::result::SuiteReport;
use crate::result::coverage::CoverageReport;
use crate::result::grade::grade;
use crate::run::prepare;
use crate::run::programs::{Builds, Plan, Programs};
use crate::run::work::Work;
use crate::suite::Suite;
use crate::unit::Variants;
use std::collections::BTreeSet;

/// The mutants of an assignment whose witnesses expose them, ready to run.
pub struct Counted {
    pub mutants: Vec<Mutant>,
    pub programs: Tested,
}

/// The programs that tests are run on.
pub enum Tested {
    /// Tests are inputs of the programs.
    Inputs(Programs),
    /// Tests are programs themselves.
    Unit(Variants),
}

impl Tested {
    /// Lets the programs tell which lines of the reference tests reach. `on` hears of a reference that cannot, for example because it
    /// does not compile so: nothing depends on these lines.
    ///
    /// # Errors
    /// If tests are inputs, or the machine fails.
    pub(super) fn count_lines(
        &mut self,
        course: &Course,
        assignment: &Assignment,
        on: &dyn Observer,
    ) -> Result<(), Failure> {
        let message = format!("the lines that tests of `{}` reach cannot be told", assignment.id);
        let Self::Unit(variants) = self else {
            let hint = "--coverage is for unit tests";
            return Err(Failure::usage(Problem::new(message).hint(hint)));
        };
        match variants.count_lines(course, assignment) {
            Err(Failure { kind: FailureKind::Course, problems }) => {
                for problem in problems {
                    let message = format!("{message}: {}", problem.message);
                    on.warn(&Warning(Problem { message, ..problem }));
                }
                Ok(())
            }
            counted => counted,
        }
    }
}

/// The result of a suite of unit tests.
///
/// # Errors
/// If the machine fails.
pub(super) fn graded(
    variants: &Variants,
    suite: Suite,
    mutants: &[Mutant],
    assignment: &Assignment,
) -> Result<SuiteReport, Failure> {
    let (suite, rows, coverage) = variants.score_with_coverage(suite)?;
    let arguments = vec![Vec::new(); rows.len()];
    let report = grade(suite, arguments, &rows, mutants, assignment);
    let coverage = coverage.as_ref().and_then(CoverageReport::new);
    Ok(SuiteReport { coverage, ..report })
}

impl Counted {
    /// Builds the mutants of an assignment, one case at a time.
    ///
    /// # Errors
    /// As [`build_all`].
    pub fn build(
        work: &Work,
        course: &Course,
        assignment: &Assignment,
        on: &dyn Observer,
    ) -> Result<Self, Failure> {
        let declared = declared(course, assignment, on)?;
        let declared = vec![(assignment, declared)];
        let mut all = build_all(work, course, declared, Builds::Combined, 1, on)?;
        Ok(all.remove(0))
    }
}

/// The mutants that both the catalogue and the source of an assignment name. `on` hears of those that only one of them names.
///
/// # Errors
/// If the catalogue is wrong, or the source cannot be read.
pub fn declared(
    course: &Course,
    assignment: &Assignment,
    on: &dyn Observer,
) -> Result<Vec<Mutant>, Failure> {
    if let Some(warning) = uncounted::differences(course, assignment)? {
        on.warn(&warning);
    }
    prepare::bugs(course, assignment)
}

/// Builds the declared mutants of several assignments at the same time, and runs each on its witness. Those that do not count are left
/// out, and `on` hears of them.
///
/// # Errors
/// If a build fails, or a reference rejects every witness.
pub fn build_all(
    work: &Work,
    course: &Course,
    declared: Vec<(&Assignment, Vec<Mutant>)>,
    builds: Builds,
    jobs: usize,
    on: &dyn Observer,
) -> Result<Vec<Counted>, Failure> {
    on.begin("building the programs", None);
    let all = build_each(work, course, declared, builds, jobs, on);
    on.end();
    all
}

fn build_each(
    work: &Work,
    course: &Course,
    declared: Vec<(&Assignment, Vec<Mutant>)>,
    builds: Builds,
    jobs: usize,
    on: &dyn Observer,
) -> Result<Vec<Counted>, Failure> {
    let with_inputs = declared.iter().filter(|(assignment, _)| assignment.unit.is_none());
    let plans: Vec<_> = with_inputs
        .map(|(assignment, mutants)| {
            Plan::new(work, course, assignment, mutants).with(builds).jobs(jobs)
        })
        .collect();
    let mut programs = Programs::build_all(&plans)?.into_iter();
    drop(plans);
    let counted = |(assignment, mut mutants): (&Assignment, Vec<Mutant>)| {
        if let Some(unit) = &assignment.unit {
            let work = contained(work, course)?;
            let build = |mutants: &[Mutant]| {
                Variants::build(&work, course, assignment, unit, mutants, jobs)
            };
            let mut variants = build(&mutants)?;
            if let Some(file) = &unit.witnesses {
                let of = (course, assignment);
                let by_case =
                    witness_file::exposures(of, file, &mutants, |suite| variants.score(suite))?;
                let exposed = by_case.into_values().flatten().collect::<BTreeSet<_>>();
                let uncounted = uncounted::without_witness(&mutants, &exposed);
                if !uncounted.is_empty() {
                    on.warn(&uncounted::warning(assignment, &uncounted));
                    mutants.retain(|mutant| exposed.contains(&mutant.id));
                    variants = build(&mutants)?;
                }
            }
            let mut programs = Tested::Unit(variants);
            if unit.coverage {
                programs.count_lines(course, assignment, on)?;
            }
            return Ok(Counted { mutants, programs });
        }
        let mut programs = programs.next().expect("they are built");
        let uncounted = uncounted::find(assignment, &mutants, &mut programs)?;
        if !uncounted.is_empty() {
            on.warn(&uncounted::warning(assignment, &uncounted));
            mutants.retain(|mutant| uncounted.iter().all(|other| other.id != mutant.id));
            let plan = Plan::new(work, course, assignment, &mutants).with(builds).jobs(jobs);
            programs = Programs::build(&plan)?;
        }
        Ok(Counted { mutants, programs: Tested::Inputs(programs) })
    };
    declared.into_iter().map(counted).collect()
}
