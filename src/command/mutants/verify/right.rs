//! Runs the other right programs of an assignment on the corpus. A case on which one of them differs from the reference is no test.

use super::super::corpus::Corpus;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, Problem};
use crate::result::verify;
use crate::run::matrix::Row;
use crate::run::programs::{Plan, Programs, Run};
use crate::run::work::Work;
use subject::wire::MutantSet;

/// What is wrong with each of them. One that a limit stops may only be slow.
pub(super) fn problems(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    corpus: &Corpus,
    jobs: usize,
) -> Result<Vec<Problem>, Failure> {
    let count = assignment.references.len();
    if count == 0 {
        return Ok(Vec::new());
    }
    let _progress = Progress::new("running the other right programs", None);
    let ids = (0..count).map(Assignment::id_of_reference);
    let right: Vec<_> = ids.map(Mutant::proposed).collect();
    let mut programs = Programs::build(&Plan::new(work, course, assignment, &right).jobs(jobs))?;
    let run = |case| Run { case, mutants: MutantSet::all(count) };
    let runs: Vec<_> = corpus.cases.iter().map(run).collect();
    let mut rows = programs.settled_outcomes_of(&runs)?;
    corpus.check(&mut rows, assignment);
    let valid: Vec<_> = corpus.cases.iter().zip(&rows).filter(|(_, row)| row.is_valid()).collect();
    let problem = |at: usize| {
        let other = |row: &Row| {
            let mut exposed = row.exposed.iter();
            exposed.find(|it| it.mutant == at && !it.how.is_limit())?.outcome.clone()
        };
        let mut differing =
            valid.iter().filter_map(|(case, row)| Some((case, &row.reference, other(row)?)));
        let (case, reference, other) = differing.next()?;
        let counts = [1 + differing.count(), valid.len()];
        let program = &assignment.references[at];
        let program = program.strip_prefix(&course.folder).unwrap_or(program);
        Some(verify::disputed(program, case, [reference, &other], counts))
    };
    Ok((0..count).filter_map(problem).collect())
}
