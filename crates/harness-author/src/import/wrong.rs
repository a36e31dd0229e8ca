//! Runs the wrong submissions of a package on its data. The smallest input that exposes one is its witness.

use super::contents::Package;
use super::data::Data;
use super::submissions::{Submission, part};
use super::writing::{Copier, word};
use crate::report::imported::{ExposedBy, Remark, Verdict, Wrong};
use harness::catalogue::expected::Expected;
use harness::catalogue::{self, Mutant, Witness};
use harness::course::{Assignment, Course};
use harness::diagnostic::Failure;
use harness::diagnostic::progress::Progress;
use harness::domain::How;
use harness::run::build::{self, Variant};
use harness::run::programs::{Claim, Plan, Programs, Run};
use harness::run::work::Work;
use harness::run::{parallel, prepare};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use subject::wire::MutantSet;

/// The longest witness.
const LONGEST: usize = 100_000;
/// The number of inputs that are run at once.
const BATCH: usize = 4;

/// The wrong submissions that can be built. The others are left out, and their files are removed.
pub(super) fn built<'a>(
    package: &'a Package,
    course: &Course,
    left_out: &mut Vec<Remark>,
) -> Result<Vec<&'a Submission>, Failure> {
    let assignment = &course.assignments[0];
    let wrong: Vec<_> = package.wrong().collect();
    let is_combined = assignment.program.has_combined_build();
    let results = parallel::map(wrong.len(), prepare::jobs(None), |at| {
        let id = &wrong[at].id;
        let variant = if is_combined { Variant::Selected(id) } else { Variant::Mutant(id) };
        Ok(build::build(course, assignment, variant))
    })?;
    let mut built = Vec::new();
    for (submission, result) in wrong.into_iter().zip(results) {
        let Err(failure) = result else {
            built.push(submission);
            continue;
        };
        left_out.push(part(&submission.path, super::accepted::reason(&failure)));
        let Some(path) = assignment.own_program(&submission.id) else { continue };
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| Failure::machine(format!("remove {}", path.display()), error))?;
    }
    Ok(built)
}

/// What exposes a mutant.
struct Exposure {
    /// The number of the input.
    at: usize,
    how: How,
    expected: Option<Expected>,
}

/// Writes a catalogue file for each of `submissions`, with its witness.
pub(super) fn describe(
    work: &Work,
    copier: &Copier<'_>,
    course: &Course,
    submissions: &[&Submission],
    data: &mut Data,
) -> Result<Vec<Wrong>, Failure> {
    let assignment = &course.assignments[0];
    for submission in submissions {
        write(copier, submission, None)?;
    }
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let mutants = catalogue::read(assignment)?;
    let mut exposures = exposures(work, course, &mutants, submissions, data)?;
    let mut wrong = Vec::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let Some(submission) = submissions.iter().find(|it| it.id == mutant.id) else { continue };
        let exposure = exposures.remove(&index);
        let exposed = exposure
            .map(|exposure| witness(copier, assignment, submission, exposure, data))
            .transpose()?;
        wrong.push(Wrong {
            id: mutant.id.clone(),
            submission: part(&submission.path, "").part,
            expected: expected(submission),
            exposed,
        });
    }
    Ok(wrong)
}

fn expected(submission: &Submission) -> Verdict {
    submission.expected.unwrap_or(Verdict::Rejected)
}

/// Writes the catalogue file of a submission, which may say how its witness exposes it.
fn write(copier: &Copier<'_>, submission: &Submission, how: Option<How>) -> Result<(), Failure> {
    let verdict = expected(submission).words();
    let path = submission.path.display().to_string();
    let mut text = format!(
        "summary: {}\nkind: implementation\ntopic: {verdict}\nspec: {}\nhint: {}\npoints: 1\n",
        word(&format!("A wrong submission of the package: {verdict}.")),
        word(&path),
        word("Which kinds of inputs does your suite lack?"),
    );
    if let Some(how) = how {
        text.extend(["expect: { how: ", how.word(), " }\n"]);
    }
    copier.write(&Path::new("mutants").join(format!("{}.yaml", submission.id)), text.as_bytes())
}

/// The smallest input that exposes each mutant as expected, or else in another way.
fn exposures(
    work: &Work,
    course: &Course,
    mutants: &[Mutant],
    submissions: &[&Submission],
    data: &mut Data,
) -> Result<BTreeMap<usize, Exposure>, Failure> {
    const TIME: Duration = Duration::from_secs(2);
    let plan = Plan::new(work, course, &course.assignments[0], mutants).jobs(prepare::jobs(None));
    let mut programs = Programs::build(&plan)?;
    let mut order: Vec<_> = (0..data.cases.len()).collect();
    order.sort_by_key(|&at| data.cases[at].case.input.len());
    let first: Vec<_> = order.iter().take(BATCH).map(|&at| data.cases[at].case.clone()).collect();
    programs.check(&first, TIME)?;
    let is_expected = |mutant: usize, how: How| {
        let submission = submissions.iter().find(|it| it.id == mutants[mutant].id);
        submission.is_some_and(|submission| expected(submission).is(how))
    };
    let progress = Progress::new("running the wrong submissions", Some(order.len() as u64));
    let mut found: BTreeMap<usize, Exposure> = BTreeMap::new();
    for batch in order.chunks(BATCH) {
        let is_open = |mutant: &usize| {
            found.get(mutant).is_none_or(|exposure| !is_expected(*mutant, exposure.how))
        };
        let open: MutantSet = (0..mutants.len()).filter(is_open).collect();
        let run = |&at: &usize| Run { case: &data.cases[at].case, mutants: open.clone() };
        let rows = programs.rows_of(&batch.iter().map(run).collect::<Vec<_>>())?;
        for (&at, row) in batch.iter().zip(&rows) {
            if !row.is_valid() {
                let said = String::from_utf8_lossy(&row.reference.stderr);
                let reason =
                    harness::diagnostic::printable(said.lines().next().unwrap_or_default());
                let name = data.cases[at].name.clone();
                let reason = format!("is not valid: {reason}");
                data.problems.push(Remark { part: name, reason });
            }
            for difference in &row.exposed {
                let (mutant, how) = (difference.mutant, How::from(difference.how));
                let is_better = found.get(&mutant).is_none_or(|known| {
                    !is_expected(mutant, known.how) && is_expected(mutant, how)
                });
                if is_better && confirmed(&mut programs, &data.cases[at].case, mutant)? {
                    let expected = Expected::of(&row.reference);
                    found.insert(mutant, Exposure { at, how, expected });
                }
            }
        }
        progress.add(batch.len() as u64);
    }
    Ok(found)
}

fn confirmed(
    programs: &mut Programs,
    case: &subject::Case,
    mutant: usize,
) -> Result<bool, Failure> {
    let exposes = MutantSet::from_iter([mutant]);
    let confirmed = programs.confirm(&[Claim::new(case.clone(), exposes)])?.remove(0);
    Ok(confirmed.is_some_and(|confirmed| confirmed.contains(mutant)))
}

/// Writes the input as the witness of a mutant, unless it is too long or no text.
fn witness(
    copier: &Copier<'_>,
    assignment: &Assignment,
    submission: &Submission,
    exposure: Exposure,
    data: &Data,
) -> Result<ExposedBy, Failure> {
    let Exposure { at, how, expected } = exposure;
    let datum = &data.cases[at];
    let short = Some(&datum.case.input).filter(|input| input.len() <= LONGEST);
    let text = short.and_then(|input| String::from_utf8(input.clone()).ok());
    let is_witness = text.is_some();
    if let Some(input) = text {
        write(copier, submission, self::expected(submission).is(how).then_some(how))?;
        let mutants = catalogue::read(assignment)?;
        let mutant = mutants.iter().find(|mutant| mutant.id == submission.id);
        let witness = Witness { flags: String::new(), input, expected };
        if let Some(mutant) = mutant {
            catalogue::write_witness(mutant, &witness, assignment)?;
        }
    }
    Ok(ExposedBy { input: datum.name.clone(), how, is_witness })
}
