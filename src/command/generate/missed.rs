//! Tests that expose the mutants which a suite misses, and the fewest that do.

use super::out::Out;
use crate::catalogue;
use crate::cli::Generate;
use crate::course::{Assignment, Course};
use crate::domain::Draft;
use crate::generate::{self, Arena, Found, arena};
use crate::problem::Failure;
use crate::report::generated::{Generated, GeneratedFile, SCHEMA, Smallest, in_words};
use crate::run::interrupt;
use crate::run::matrix::{Combined, Runner};
use crate::run::prepare::{self, Workbench};
use crate::run::worker::Pool;
use crate::suite::{Suite, Test};
use std::path::Path;
use std::time::Instant;
use subject::MutantSet;

pub(super) fn generate(
    options: &Generate,
    course: &Course,
    assignment: &Assignment,
    folder: Option<&Path>,
) -> Result<Generated, Failure> {
    let budget = super::budget(options)?;
    let bench = Workbench::new(course, assignment)?;
    let jobs = prepare::jobs(options.jobs);
    let settings = prepare::settings(assignment, &bench.mutants, bench.combined.clone());
    let mut runner = Combined::new(assignment.domain, bench.reference.clone(), &settings, jobs);

    let suite = folder.map(|folder| Suite::read(folder, assignment)).transpose()?;
    let mut targets = wanted(options, &bench)?;
    if let Some(suite) = &suite {
        targets = targets.without(&exposed_by_suite(suite, assignment, &mut runner)?);
    }
    let out = Out::new(options, suite.as_ref(), assignment)?;
    interrupt::listen();
    let ids = bench.mutants.iter().map(|mutant| mutant.id.clone()).collect();
    let deadline = Instant::now().checked_add(budget);
    let mut arena =
        Arena::new(assignment, bench.generator, Pool::new(&settings, jobs), deadline).watched(ids);
    let points: Vec<_> = bench.mutants.iter().map(|mutant| mutant.points).collect();
    let limits = generate::Options {
        seed: options.seed,
        area: options.area.unwrap_or_else(|| bench.generator.reach()),
        max_files: out.numbers.len(),
    };
    let found = generate::generate(&mut arena, &targets, &points, &limits)?;
    Writer { options, bench: &bench, targets, runner, out }.write(&found)
}

/// The mutants that were asked for: all, or those named.
fn wanted(options: &Generate, bench: &Workbench<'_>) -> Result<MutantSet, Failure> {
    if options.mutants.is_empty() {
        return Ok(MutantSet::all(bench.mutants.len()));
    }
    let index = |id: &String| {
        bench.mutants.iter().position(|mutant| mutant.id == *id).ok_or_else(|| {
            let all = bench.mutants.iter().map(|mutant| mutant.id.as_str());
            catalogue::unknown(id, all, "`harness mutants list` names all of them")
        })
    };
    options.mutants.iter().map(index).collect()
}

fn exposed_by_suite(
    suite: &Suite,
    assignment: &Assignment,
    runner: &mut Combined,
) -> Result<MutantSet, Failure> {
    let draft = |test: &Test| Draft { flags: test.name.flags.clone(), input: test.input.clone() };
    let cases: Vec<_> =
        suite.tests.iter().map(|test| arena::case(assignment, &draft(test))).collect();
    let rows = runner.rows(&cases)?;
    Ok(rows.iter().flat_map(|row| &row.exposed).map(|(mutant, _)| *mutant).collect())
}

/// Turns what was found into files and a report.
struct Writer<'a> {
    options: &'a Generate,
    bench: &'a Workbench<'a>,
    targets: MutantSet,
    runner: Combined,
    out: Out,
}

impl Writer<'_> {
    fn write(mut self, found: &Found) -> Result<Generated, Failure> {
        let drafts: Vec<_> = found.selected.iter().map(|(draft, _)| draft.clone()).collect();
        let drafts = self.commented(&drafts)?;
        let mut files = Vec::new();
        let mut numbers = self.out.numbers.clone().into_iter();
        for (draft, exposed) in &drafts {
            let Some(number) = numbers.next() else { break };
            let file = self.out.write(number, draft)?;
            files.push(GeneratedFile {
                file,
                area: self.bench.generator.area(&draft.input),
                exposes: self.ids(exposed),
            });
        }
        let mut smallest = Vec::new();
        for (&mutant, find) in &found.finds {
            let file = if self.options.keep_all {
                Some(self.out.keep(&self.bench.mutants[mutant].id, &find.draft)?)
            } else {
                None
            };
            smallest.push(Smallest {
                mutant: self.bench.mutants[mutant].id.clone(),
                area: self.bench.generator.area(&find.draft.input),
                certified: find.certified,
                flags: find.draft.flags.clone(),
                input: String::from_utf8_lossy(&find.draft.input).into_owned(),
                file,
            });
        }
        smallest.sort_by_key(|smallest| smallest.area);
        let written = !files.is_empty() || self.options.keep_all && !smallest.is_empty();
        Ok(Generated {
            schema: SCHEMA.to_owned(),
            assignment: self.bench.assignment.id.clone(),
            folder: written.then(|| self.out.folder.display().to_string()),
            selection: in_words(found.quality, files.len()),
            files,
            smallest,
            missed: self.ids(&found.missed),
            enumerated_area: found.area,
            alphabet: self.bench.generator.alphabet().to_owned(),
            cases: found.cases,
            seed: self.options.seed,
            stopped: super::stopped(found.out_of_time),
            against: None,
        })
    }

    /// Each draft with a comment that says what it tests, where the comment takes nothing from what it exposes; all checked against
    /// the clean build.
    fn commented(&mut self, drafts: &[Draft]) -> Result<Vec<(Draft, MutantSet)>, Failure> {
        let plain = self.exposed(drafts)?;
        let with_comment: Vec<_> = drafts
            .iter()
            .zip(&plain)
            .map(|(draft, (stdout, _))| {
                let comment = self.bench.generator.describe(draft, stdout);
                self.bench.generator.commented(draft, &comment).unwrap_or_else(|| draft.clone())
            })
            .collect();
        let commented = self.exposed(&with_comment)?;
        let both = drafts.iter().zip(plain).zip(with_comment.into_iter().zip(commented));
        Ok(both
            .map(|((draft, (_, exposed)), (with_comment, (_, still)))| {
                if exposed.is_subset(&still) {
                    (with_comment, still)
                } else {
                    (draft.clone(), exposed)
                }
            })
            .collect())
    }

    /// What the reference prints on each draft, and the targets that it exposes.
    fn exposed(&mut self, drafts: &[Draft]) -> Result<Vec<(Vec<u8>, MutantSet)>, Failure> {
        let cases: Vec<_> =
            drafts.iter().map(|draft| arena::case(self.bench.assignment, draft)).collect();
        let rows = self.runner.rows(&cases)?;
        let exposed = |exposed: &[(usize, subject::How)]| {
            exposed.iter().map(|(mutant, _)| *mutant).collect::<MutantSet>()
        };
        Ok(rows
            .into_iter()
            .map(|row| (row.reference.stdout, exposed(&row.exposed).both(&self.targets)))
            .collect())
    }

    fn ids(&self, mutants: &MutantSet) -> Vec<String> {
        mutants.iter().map(|mutant| self.bench.mutants[mutant].id.clone()).collect()
    }
}
