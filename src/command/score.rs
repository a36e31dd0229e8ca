//! `harness score DIR`: runs every test through every mutant, and reports which bugs are exposed.

mod destination;
mod formats;
mod hints;
mod noticed;
mod output;
mod page;
mod sources;
mod watch;

use crate::catalogue::Mutant;
use crate::cli;
use crate::course::{Assignment, Course, Program};
use crate::problem::progress::Progress;
use crate::problem::{Exit, Failure, Problem};
use crate::result::SuiteReport;
use crate::result::grade::grade;
use crate::run::build::{self, Runnable, Variant};
use crate::run::matrix::{Combined, Isolated, Runner};
use crate::run::prepare;
use crate::suite::Suite;
use crate::suite::decode::{self, Spelled};
use crate::suite::layout::{self, Group};
use formats::Scored;
use hints::Hints;
use output::Output;
use page::Page;
use std::iter;
use subject::Case;

/// Tests that are held in memory at the same time, about.
const TESTS_AT_ONCE: usize = 1024;

pub(super) fn run(options: &cli::Score) -> Result<Exit, Failure> {
    if options.watch {
        return watch::run(options);
    }
    let course = Course::read(&options.course)?;
    let groups = layout::find(&options.folder, &course, options.assignment.as_deref())?;
    let catalogues: Vec<_> = groups
        .iter()
        .map(|group| prepare::bugs(&course, group.assignment))
        .collect::<Result<_, _>>()?;
    let hints = Hints::open(options, groups.iter().map(|group| group.assignment))?;
    let mut out = Output::open(
        options,
        &Scored { course: &course, groups: &groups, catalogues: &catalogues },
    )?;
    let mut page = Page::open(options, &course)?;
    let builds = build(&course, &groups, &catalogues, options)?;
    out.begin(&course)?;
    let mut tally = Tally::default();
    for ((group, mutants), built) in groups.iter().zip(catalogues).zip(builds) {
        let mut runner = runner(group.assignment, &mutants, &built, options);
        out.assignment(group, &mutants)?;
        page.iter_mut().try_for_each(|page| page.assignment(group, &mutants))?;
        let progress = Progress::new(&group.assignment.title, Some(group.suites.len() as u64));
        let scoring = Scoring { options, assignment: group.assignment, mutants: &mutants };
        let suites_at_once = (TESTS_AT_ONCE / group.assignment.tests.files as usize).max(1);
        for folders in group.suites.chunks(suites_at_once) {
            let mut suites = scoring.suites(folders, runner.as_mut(), page.as_mut())?;
            if let Some(hints) = &hints {
                hints.give(group.assignment, &mutants, &mut suites)?;
            }
            for suite in suites {
                tally.add(&suite, options.fail_under);
                progress.aside(|| out.suite(&suite))?;
                page.iter_mut().for_each(|page| page.suite(&suite));
            }
            progress.add(folders.len() as u64);
        }
        drop(progress);
        out.end_assignment()?;
        page.iter_mut().for_each(Page::end_assignment);
    }
    page.map_or(Ok(()), Page::end)?;
    out.end()?;
    tally.exit()
}

/// Builds the variants of every assignment, side by side.
fn build(
    course: &Course,
    groups: &[Group<'_>],
    catalogues: &[Vec<Mutant>],
    options: &cli::Score,
) -> Result<Vec<Vec<Runnable>>, Failure> {
    let mut wanted = Vec::new();
    for (group, mutants) in groups.iter().zip(catalogues) {
        wanted.push(variants(group.assignment, mutants, options.isolated));
    }
    let all: Vec<_> = groups
        .iter()
        .zip(&wanted)
        .flat_map(|(group, variants)| variants.iter().map(|&variant| (group.assignment, variant)))
        .collect();
    let _progress = Progress::new("building the programs", None);
    let mut built = build::all(course, &all)?.into_iter();
    Ok(wanted.iter().map(|variants| built.by_ref().take(variants.len()).collect()).collect())
}

/// The variants that are built to score an assignment.
fn variants<'a>(
    assignment: &Assignment,
    mutants: &'a [Mutant],
    isolated: bool,
) -> Vec<Variant<'a>> {
    let others = if runs_isolated(assignment, isolated) {
        mutants.iter().map(|mutant| Variant::Mutant(&mutant.id)).collect()
    } else {
        vec![Variant::Combined]
    };
    iter::once(Variant::Reference).chain(others).collect()
}

fn runs_isolated(assignment: &Assignment, isolated: bool) -> bool {
    isolated || matches!(assignment.program, Program::Commands { .. })
}

/// What runs the variants of an assignment; `built` are those of [`variants`].
fn runner(
    assignment: &Assignment,
    mutants: &[Mutant],
    built: &[Runnable],
    options: &cli::Score,
) -> Box<dyn Runner> {
    let jobs = prepare::jobs(options.jobs);
    let (reference, others) = built.split_first().expect("the reference is built first");
    if runs_isolated(assignment, options.isolated) {
        let limits = prepare::process_limits(&assignment.run);
        let (reference, mutants) = (reference.clone(), others.to_vec());
        return Box::new(Isolated {
            domain: assignment.domain,
            reference,
            mutants,
            limits,
            factor: assignment.run.factor,
            jobs,
        });
    }
    let settings = prepare::settings(assignment, mutants, others[0].clone());
    Box::new(Combined::new(assignment.domain, reference.clone(), &settings, jobs))
}

/// What is needed to score the suites of one assignment.
struct Scoring<'a> {
    options: &'a cli::Score,
    assignment: &'a Assignment,
    mutants: &'a [Mutant],
}

impl Scoring<'_> {
    /// The results of the suites in `folders`, all of their tests run together.
    fn suites(
        &self,
        folders: &[std::path::PathBuf],
        runner: &mut dyn Runner,
        mut page: Option<&mut Page>,
    ) -> Result<Vec<SuiteReport>, Failure> {
        let suites: Vec<_> = folders
            .iter()
            .map(|folder| Suite::read(folder, self.assignment))
            .collect::<Result<_, _>>()?;
        let cases: Vec<_> =
            suites.iter().flat_map(|suite| &suite.tests).map(|test| self.case(test)).collect();
        let rows = runner.rows(&cases)?;
        if let Some(page) = &mut page {
            let tests = suites.iter().flat_map(|suite| &suite.tests);
            tests
                .zip(&cases)
                .zip(&rows)
                .try_for_each(|((test, case), row)| page.look(test, case, row, runner))?;
        }
        let mut rows = rows.into_iter();
        let mut cases = cases.into_iter();
        let mut reports = Vec::new();
        for suite in suites {
            let count = suite.tests.len();
            let rows: Vec<_> = rows.by_ref().take(count).collect();
            let arguments = cases.by_ref().take(count).map(|case| case.args).collect();
            reports.push(grade(suite, arguments, &rows, self.mutants, self.assignment));
        }
        Ok(reports)
    }

    fn case(&self, test: &crate::suite::Test) -> Case {
        let spelled =
            Spelled { spelling: self.options.spelling, file: &test.file, seed: self.options.seed };
        decode::case(self.assignment, &test.name.flags, test.input.clone(), &spelled)
            .expect("the name was read before")
    }
}

/// What decides the exit status.
#[derive(Default)]
struct Tally {
    valid_tests: usize,
    under: bool,
}

impl Tally {
    fn add(&mut self, suite: &SuiteReport, fail_under: Option<f64>) {
        self.valid_tests += suite.valid_tests();
        let points = suite.score.as_ref().map_or(0.0, |score| score.points);
        self.under |= fail_under.is_some_and(|least| points < least);
    }

    fn exit(&self) -> Result<Exit, Failure> {
        if self.valid_tests == 0 {
            let hint = "the report says why each file was rejected";
            return Err(Failure::new(
                Exit::NoValidTest,
                Problem::new("there is no valid test").hint(hint),
            ));
        }
        Ok(if self.under { Exit::UnderThreshold } else { Exit::Done })
    }
}
