//! The survey of mutants of unit tests: nobody draws such tests, so it counts the cases of the course's own file and of suites.

use super::{check_any, show};
use crate::catalogue::{self, Mutant};
use crate::cli::mutants::Survey;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::generate::survey::suites::SuiteResult;
use crate::generate::survey::{Tallies, Tally};
use crate::grading::witness_file;
use crate::report::surveyed::{SuitesSurveyed, Surveyed};
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::layout::{self, Reading};
use crate::suite::{Suite, Test};
use crate::unit::code;
use std::collections::BTreeSet;
use subject::MutantSet;

/// The only kind of test.
const KINDS: [&str; 1] = ["case"];

pub(super) fn run(
    work: &Work,
    options: &Survey,
    (course, assignment): (&Course, &Assignment),
    unit: &UnitTests,
) -> Result<Exit, Failure> {
    let mutants = prepare::written(course, assignment, catalogue::read(assignment)?)?;
    let suites = suites(options, course, assignment)?;
    let progress = Progress::new("running the test cases", None);
    let jobs = prepare::jobs(options.jobs);
    let of = (course, assignment);
    let scored = witness_file::score_with(work, of, unit, &mutants, suites, jobs)?;
    drop(progress);
    let tallies = tallies(&mutants, &scored);
    if tallies.cases() == 0 {
        let problem = Problem::new(format!("`{}` has no valid test cases to count", assignment.id));
        let hint = "name a file with `witnesses:` in `tests`, or suites with `--suites`";
        return Err(Failure::usage(problem.hint(hint)));
    }
    let mean = tallies.cases().div_ceil(scored.len());
    let files = u32::try_from(mean).unwrap_or(u32::MAX);
    let mut report = Surveyed::new(assignment, &mutants, &KINDS, &tallies, files, None);
    if let Some(folder) = &options.suites {
        let own = usize::from(unit.witnesses.is_some());
        let result = |it: &(Suite, Vec<Row>)| result(it, assignment, &mutants);
        let mut results: Vec<_> = scored.iter().skip(own).map(result).collect();
        results.retain(|suite| suite.valid_tests > 0);
        check_any(&results, folder)?;
        report.suites = Some(SuitesSurveyed::new(&results, &assignment.scoring));
    }
    show(options, &report)
}

/// The suites that are named, or else the samples of the course.
fn suites(
    options: &Survey,
    course: &Course,
    assignment: &Assignment,
) -> Result<Vec<Suite>, Failure> {
    let samples = course.folder.join("student_tests");
    let folder = options.suites.as_ref().or(Some(&samples).filter(|samples| samples.is_dir()));
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let groups = layout::find(folder, course, Some(&assignment.id), Reading::RatherClass)?;
    let folders = groups.into_iter().flat_map(|group| group.suites);
    Ok(folders.map(|folder| Suite::of_student(&folder, assignment)).collect())
}

fn tallies(mutants: &[Mutant], scored: &[(Suite, Vec<Row>)]) -> Tallies {
    let is_told = scored.iter().flat_map(|(_, rows)| rows).any(|row| row.reached.is_some());
    let mut tally = Tally::default();
    tally.exposed.push(0);
    tally.reached = is_told.then_some(0);
    let mut tallies = Tallies { valid: vec![0], near: 0, mutants: vec![tally; mutants.len()] };
    let all = scored.iter().flat_map(|(suite, rows)| suite.tests.iter().zip(rows));
    for (number, (test, row)) in all.enumerate() {
        tallies.valid[0] += 1;
        let lines = lines(test);
        for mutant in row.exposed_mutants().iter() {
            let tally = &mut tallies.mutants[mutant];
            tally.killers.insert(number);
            tally.exposed[0] += 1;
            tally.smallest = tally.smallest.into_iter().chain(lines).min();
        }
        for mutant in row.reached.iter().flat_map(MutantSet::iter) {
            tallies.mutants[mutant].reached.iter_mut().for_each(|count| *count += 1);
        }
    }
    tallies
}

/// How many lines a case has, if it can be found in its file.
fn lines(test: &Test) -> Option<usize> {
    let (_, name) = test.file.split_once(':')?;
    let text = String::from_utf8_lossy(&test.input);
    code(&text, name).map(|(_, code)| code.lines().count())
}

fn result(
    (suite, rows): &(Suite, Vec<Row>),
    assignment: &Assignment,
    mutants: &[Mutant],
) -> SuiteResult {
    let exposed: BTreeSet<_> =
        rows.iter().flat_map(|row| &row.exposed).map(|it| it.mutant).collect();
    let exposed = exposed.into_iter().map(|at| &mutants[at]);
    SuiteResult::new(suite.name.clone(), rows.len(), exposed, assignment.scoring.by)
}
