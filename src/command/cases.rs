//! Runs an assignment's mutants on the instructor's cases, for `mutants cases` and `doctor`.

use crate::catalogue::Mutant;
use crate::course::Submission;
use crate::diagnostic::Failure;
use crate::diagnostic::progress::Progress;
use crate::grading::uncounted::{self, Uncounted};
use crate::result::cases::{AssignmentCases, CaseExposes, MutantCases};
use crate::result::engines;
use crate::run::programs::{Plan, Programs, Run};
use crate::submission::case::Maker;
use crate::submission::exposure::{self, Effort, Exposure};
use crate::suite::decode;
use std::collections::BTreeMap;
use subject::wire::MutantSet;

/// What the cases of a submission's assignment expose of the mutants that `plan` selects. Options are spelled by `seed`.
///
/// # Errors
/// If a build fails, a case cannot be made, or the machine or the course fails.
pub(super) fn exposures(
    plan: &Plan<'_>,
    submission: &Submission,
    seed: u64,
    effort: Effort,
) -> Result<AssignmentCases, Failure> {
    let Plan { ref work, course, assignment, mutants, .. } = *plan;
    let progress = Progress::new("building the programs", None);
    let mut programs = Programs::build(plan)?;
    progress.say("running the mutants on the cases");
    let maker = Maker { work, course, assignment, seed };
    let held = exposure::of_cases(&maker, submission, &mut programs, effort)?;
    let mut report = AssignmentCases {
        assignment: assignment.id.clone(),
        mutants: plan.selected.iter().map(|index| of_mutant(index, mutants, &held)).collect(),
        cases: held.iter().map(|held| of_case(held, submission, mutants)).collect(),
        engines: engines::slower(programs.slower()),
    };
    if report.missed().next().is_some() {
        excuse(&mut report, plan, &mut programs)?;
    }
    Ok(report)
}

/// Says of missed mutants why no case need expose them: no witness shows that a valid input can, or only one in a form that the
/// assignment's document does not promise.
fn excuse(
    report: &mut AssignmentCases,
    plan: &Plan<'_>,
    programs: &mut Programs,
) -> Result<(), Failure> {
    let (assignment, mutants) = (plan.assignment, plan.mutants);
    let mut unproven: BTreeMap<String, String> = BTreeMap::new();
    for Uncounted { id, reason } in uncounted::find(assignment, mutants, programs)? {
        unproven.insert(id, reason.to_owned());
    }
    let missed = report.missed().filter(|missed| !unproven.contains_key(&missed.id));
    let index = |id: &str| mutants.iter().position(|mutant| mutant.id == id);
    let missed: Vec<_> = missed.filter_map(|missed| index(&missed.id)).collect();
    for index in missed {
        if let Some(form) = form(index, plan, programs)? {
            unproven.insert(mutants[index].id.clone(), form);
        }
    }
    for mutant in report.mutants.iter_mut().filter(|mutant| mutant.cases.is_empty()) {
        mutant.unproven = unproven.remove(&mutant.id);
    }
    Ok(())
}

/// The form of a mutant's witness, if the witness does not expose it when it is written as the document says.
fn form(index: usize, plan: &Plan<'_>, programs: &mut Programs) -> Result<Option<String>, Failure> {
    let assignment = plan.assignment;
    let generator = assignment.generator();
    let (Some(generator), Some(witness)) = (generator, &plan.mutants[index].witness) else {
        return Ok(None);
    };
    let witness = witness.draft();
    let plain = generator.plain(&witness);
    if plain == witness {
        return Ok(None);
    }
    let case = decode::case_of_draft(assignment, &plain);
    let run = Run { case: &case, mutants: MutantSet::from_iter([index]) };
    let row = programs.settled_outcomes_of(&[run])?.remove(0);
    let forms = generator.lenient(&plain, &assignment.tests);
    let form = forms.iter().find(|(_, draft)| *draft == witness).map(|(form, _)| *form);
    let form = form.unwrap_or("that of its file");
    let reason =
        format!("its witness exposes it only in a form that the document does not promise: {form}");
    Ok((row.is_valid() && row.exposed.is_empty()).then_some(reason))
}

fn of_mutant(index: usize, mutants: &[Mutant], held: &[Exposure]) -> MutantCases {
    let exposing = held.iter().filter(|held| held.exposes.contains(index));
    MutantCases {
        id: mutants[index].id.clone(),
        summary: mutants[index].summary.clone(),
        cases: exposing.map(|held| held.made.name.clone()).collect(),
        unproven: None,
    }
}

fn of_case(held: &Exposure, submission: &Submission, mutants: &[Mutant]) -> CaseExposes {
    CaseExposes {
        group: held.group(submission).to_owned(),
        name: held.made.name.clone(),
        kind: held.kind,
        tried: held.tried,
        exposes: held.exposes.iter().map(|index| mutants[index].id.clone()).collect(),
    }
}
