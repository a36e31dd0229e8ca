//! The course's own file of test cases, where tests are unit tests: one case at least exposes each mutant, and all cases are valid.

use super::contained;
use super::digest;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::result::grade::too_broad;
use crate::run::build;
use crate::run::matrix::Row;
use crate::run::work::Work;
use crate::suite::{Suite, TestProgram};
use crate::unit::{NO_CASES, Variants, code};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use subject::How;

/// What the cases of the file do.
#[derive(Default)]
pub struct Witnessed {
    /// How many of them are valid.
    pub cases: usize,
    /// The mutants that one of them exposes, each in some ways.
    pub exposed: BTreeMap<usize, Vec<How>>,
    /// Of each mutant that only cases expose which are credited with nothing, because they expose too many bugs: the narrowest of them,
    /// and how many it exposes.
    pub too_broad: BTreeMap<usize, (String, usize)>,
    /// Why the others are rejected, and where a case does something else if it has a process of its own.
    pub problems: Vec<Problem>,
    /// What the sample suites do.
    pub samples: Samples,
}

/// What sample suites do.
#[derive(Default)]
pub struct Samples {
    /// How many of their cases are valid.
    pub cases: usize,
    /// The mutants that one of them exposes, and is credited with.
    pub exposed: BTreeSet<usize>,
}

/// Builds the right programs and `mutants`, and runs the cases on them: all in few processes, and each in one of its own, which must say
/// the same. The sample suites run, too. `None` if the course has no such file.
///
/// # Errors
/// If a build fails, or the machine fails.
pub fn check(
    work: &Work,
    (course, assignment): (&Course, &Assignment),
    unit: &UnitTests,
    mutants: &[Mutant],
    samples: Vec<Suite>,
    jobs: usize,
) -> Result<Option<Witnessed>, Failure> {
    let variants =
        Variants::build(&contained(work, course)?, course, assignment, unit, mutants, jobs)?;
    let Some(file) = &unit.witnesses else { return Ok(None) };
    let (suite, rows) = variants.score(suite(file)?)?;
    let breadth = |row: &Row| too_broad(&row.exposed_mutants(), mutants, &assignment.scoring);
    let samples = on_samples(&variants, samples, &breadth)?;
    let (alone, alone_rows) = variants.isolated().score(self::suite(file)?)?;
    let problem = |problem: &Problem, case: &str| {
        let place = problem.place.clone().map(|mut place| {
            file.clone_into(&mut place.file);
            place
        });
        let message = format!("the witness `{case}` is rejected: {}", problem.message);
        Problem { message, place, ..problem.clone() }
    };
    let mut problems: Vec<_> =
        suite.rejected.iter().map(|it| problem(&it.problem, &it.file)).collect();
    let exposed = |rows: &[Row], at: usize| -> BTreeSet<usize> {
        rows[at].exposed.iter().map(|it| it.mutant).collect()
    };
    for (at, test) in suite.tests.iter().enumerate() {
        let same = alone.tests.iter().position(|other| other.file == test.file);
        if same.is_none_or(|same| exposed(&rows, at) != exposed(&alone_rows, same)) {
            let message = format!("`{}` does something else in a process of its own", test.file);
            problems.push(Problem::new(message).hint("does it depend on the cases before it?"));
        }
    }
    let mut all = BTreeMap::<_, Vec<_>>::new();
    for difference in rows.iter().flat_map(|row| &row.exposed) {
        all.entry(difference.mutant).or_default().push(difference.how);
    }
    let names = suite.tests.iter().map(|test| test.file.as_str());
    let too_broad = only_broadly(names.zip(&rows), &breadth);
    Ok(Some(Witnessed { cases: rows.len(), exposed: all, too_broad, problems, samples }))
}

/// How many bugs a case with this row exposes, if that is too many.
type Breadth<'a> = &'a dyn Fn(&Row) -> Option<usize>;

/// The mutants that only cases expose which expose too many bugs.
fn only_broadly<'a>(
    cases: impl Iterator<Item = (&'a str, &'a Row)>,
    breadth: Breadth<'_>,
) -> BTreeMap<usize, (String, usize)> {
    let (mut broadly, mut narrowly) = (BTreeMap::<_, (String, usize)>::new(), BTreeSet::new());
    for (name, row) in cases {
        let exposed = row.exposed.iter().map(|it| it.mutant);
        let Some(bugs) = breadth(row) else {
            narrowly.extend(exposed);
            continue;
        };
        for mutant in exposed {
            let narrowest = broadly.entry(mutant).or_insert_with(|| (name.to_owned(), bugs));
            if bugs < narrowest.1 {
                *narrowest = (name.to_owned(), bugs);
            }
        }
    }
    broadly.retain(|mutant, _| !narrowly.contains(mutant));
    broadly
}

fn on_samples(
    variants: &Variants,
    suites: Vec<Suite>,
    breadth: Breadth<'_>,
) -> Result<Samples, Failure> {
    let mut samples = Samples::default();
    for suite in suites {
        let (_, rows) = variants.score(suite)?;
        samples.cases += rows.len();
        let credited = rows.iter().filter(|row| breadth(row).is_none());
        samples.exposed.extend(credited.flat_map(|row| &row.exposed).map(|it| it.mutant));
    }
    Ok(samples)
}

/// Scores the course's own cases, if it has any, and then these suites, on the mutants.
///
/// # Errors
/// If a build fails, or the machine fails.
pub fn score_with(
    work: &Work,
    (course, assignment): (&Course, &Assignment),
    unit: &UnitTests,
    mutants: &[Mutant],
    suites: Vec<Suite>,
    jobs: usize,
) -> Result<Vec<(Suite, Vec<Row>)>, Failure> {
    let variants =
        Variants::build(&contained(work, course)?, course, assignment, unit, mutants, jobs)?;
    let own = unit.witnesses.iter().map(|file| suite(file));
    own.chain(suites.into_iter().map(Ok)).map(|suite| variants.score(suite?)).collect()
}

/// The ids of the mutants that each valid case exposes, by the names of the cases.
pub(super) type Exposures = BTreeMap<String, BTreeSet<String>>;

/// What the cases of a file expose. It is kept until something changes that it depends on; otherwise, `score` runs the cases.
///
/// # Errors
/// If the machine fails, or the file has no valid case.
pub(super) fn exposures(
    (course, assignment): (&Course, &Assignment),
    file: &Path,
    mutants: &[Mutant],
    score: impl FnOnce(Suite) -> Result<(Suite, Vec<Row>), Failure>,
) -> Result<Exposures, Failure> {
    let key = digest::of_mutants(course, assignment, mutants)?;
    let folder = build::target_folder(course, assignment).join("unit");
    let kept = folder.join(format!("witnesses-{key}.json"));
    let known = fs::read(&kept).ok().and_then(|text| serde_json::from_slice(&text).ok());
    if let Some(known) = known {
        return Ok(known);
    }
    let (suite, rows) = score(suite(file)?)?;
    let rejected = suite.rejected.first();
    // A file without cases is one that nobody has written yet.
    let rejected = rejected.filter(|first| !first.problem.message.starts_with(NO_CASES));
    if let (true, Some(first)) = (rows.is_empty(), rejected) {
        let message = format!("no test case in {} is valid", file.display());
        let said = first.problem.message.clone();
        return Err(Failure::broken_course(Problem::new(message).hint(said)));
    }
    let ids = |row: &Row| row.exposed.iter().map(|it| mutants[it.mutant].id.clone()).collect();
    let names = suite.tests.iter().map(|test| test.file.clone());
    let exposures: Exposures = names.zip(rows.iter().map(ids)).collect();
    if let Ok(text) = serde_json::to_vec(&exposures) {
        // Without it, the cases run again.
        let _ = fs::create_dir_all(&folder).and_then(|()| files::replace(&kept, &text));
    }
    Ok(exposures)
}

/// A case that exposes a mutant.
pub struct WitnessCase {
    pub name: String,
    /// The number of its first line, from 1, if it can be found.
    pub line: Option<usize>,
    /// Its lines.
    pub code: String,
    /// The ids of the other mutants that it exposes.
    pub along: Vec<String>,
}

/// The case in `file` that exposes the mutant with this id, and as few others as possible.
///
/// # Errors
/// If a build fails, the machine fails, or the file has no valid case.
pub fn case_for(
    work: &Work,
    (course, assignment): (&Course, &Assignment),
    (unit, file): (&UnitTests, &Path),
    mutants: &[Mutant],
    id: &str,
    jobs: usize,
) -> Result<Option<WitnessCase>, Failure> {
    let exposures = exposures((course, assignment), file, mutants, |suite| {
        Variants::build(&contained(work, course)?, course, assignment, unit, mutants, jobs)?
            .score(suite)
    })?;
    let exposing = exposures.into_iter().filter(|(_, ids)| ids.contains(id));
    let Some((title, ids)) = exposing.min_by_key(|(_, ids)| ids.len()) else { return Ok(None) };
    let program = program(file)?;
    let text = String::from_utf8_lossy(&program.source);
    let prefix = format!("{}:", program.file);
    let name = title.strip_prefix(&prefix).unwrap_or(&title).to_owned();
    let (line, code) = code(&text, &name).unzip();
    let along = ids.into_iter().filter(|other| other != id).collect();
    Ok(Some(WitnessCase { name, line, code: code.unwrap_or_default().to_owned(), along }))
}

fn suite(file: &Path) -> Result<Suite, Failure> {
    Ok(Suite { programs: vec![program(file)?], ..Suite::default() })
}

/// The file as a file of tests.
///
/// # Errors
/// If it cannot be read.
pub fn program(file: &Path) -> Result<TestProgram, Failure> {
    let source = fs::read(file)
        .map_err(|error| Failure::machine(format!("read {}", file.display()), error))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(TestProgram { file: name, source })
}
