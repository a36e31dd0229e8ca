//! `harness generate [DIR]`: finds tests that expose what a suite misses, and writes the fewest that do.

use crate::cli::{Format, Generate};
use crate::course::{Assignment, Course};
use crate::domain::Draft;
use crate::generate::{self, Arena, Found, arena};
use crate::matrix::{Combined, Runner};
use crate::prepare::{self, Workbench};
use crate::problem::{Exit, Failure, Problem, nearest};
use crate::report::generated::{Generated, GeneratedFile, SCHEMA, Smallest, in_words};
use crate::suite::{Suite, Test, layout, name};
use crate::worker::Pool;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use subject::wire::MutantSet;

pub(super) fn run(options: &Generate) -> Result<Exit, Failure> {
    let start = Instant::now();
    let course = Course::read(&options.course)?;
    let (assignment, folder) = assignment(options, &course)?;
    let bench = Workbench::new(&course, assignment)?;
    let jobs = prepare::jobs(options.jobs);
    let settings = prepare::settings(assignment, &bench.mutants, bench.combined.clone());
    let mut runner = Combined::new(assignment.domain, bench.reference.clone(), &settings, jobs);

    let suite = folder.map(|folder| Suite::read(folder, assignment)).transpose()?;
    let mut targets = wanted(options, &bench)?;
    if let Some(suite) = &suite {
        targets = targets.without(&exposed_by_suite(suite, assignment, &mut runner)?);
    }
    let out = Out::new(options, suite.as_ref(), assignment)?;
    let budget = Duration::try_from_secs_f64(options.budget).unwrap_or(Duration::ZERO);
    let mut arena = Arena::new(assignment, bench.generator, Pool::new(&settings, jobs), start.checked_add(budget));
    let points: Vec<_> = bench.mutants.iter().map(|mutant| mutant.points).collect();
    let limits = generate::Options { seed: options.seed, area: options.area, max_files: out.numbers.len() };
    let found = generate::generate(&mut arena, &targets, &points, &limits)?;
    let report = Writer { options, bench: &bench, targets, runner, out }.write(&found)?;
    print(&report, options.format)?;
    Ok(Exit::Done)
}

/// The assignment, and the suite's folder if there is one.
fn assignment<'a>(options: &'a Generate, course: &'a Course) -> Result<(&'a Assignment, Option<&'a Path>), Failure> {
    if let Some(folder) = &options.folder {
        let groups = layout::find(folder, course, options.assignment.as_deref())?;
        return match groups.as_slice() {
            [group] if group.shape == layout::Shape::Suite => Ok((group.assignment, Some(folder))),
            _ => Err(Failure::usage(
                Problem::new(format!("{} is not one suite", folder.display())).hint("name the folder of one student"),
            )),
        };
    }
    match (&options.assignment, course.assignments.as_slice()) {
        (Some(id), _) => Ok((course.assignment(id)?, None)),
        (None, [only]) => Ok((only, None)),
        (None, all) => {
            let ids: Vec<_> = all.iter().map(|assignment| assignment.id.as_str()).collect();
            let hint = format!("name it with --assignment: {}", ids.join(", "));
            Err(Failure::usage(Problem::new("it is not clear which assignment to make tests of").hint(hint)))
        }
    }
}

/// The mutants that were asked for: all, or those named.
fn wanted(options: &Generate, bench: &Workbench<'_>) -> Result<MutantSet, Failure> {
    if options.mutants.is_empty() {
        return Ok(MutantSet::all(bench.mutants.len()));
    }
    let index = |id: &String| {
        bench.mutants.iter().position(|mutant| mutant.id == *id).ok_or_else(|| {
            let near = nearest(id, bench.mutants.iter().map(|mutant| mutant.id.as_str()));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            Failure::usage(Problem::new(format!("there is no mutant `{id}`")).maybe_hint(hint))
        })
    };
    options.mutants.iter().map(index).collect()
}

fn exposed_by_suite(suite: &Suite, assignment: &Assignment, runner: &mut Combined) -> Result<MutantSet, Failure> {
    let draft = |test: &Test| Draft { flags: test.name.flags.clone(), input: test.input.clone() };
    let cases: Vec<_> = suite.tests.iter().map(|test| arena::case(assignment, &draft(test))).collect();
    let rows = runner.rows(&cases)?;
    Ok(rows.iter().flat_map(|row| &row.exposed).map(|(mutant, _)| *mutant).collect())
}

/// Where files go, and which numbers are free.
struct Out {
    folder: PathBuf,
    numbers: Vec<u32>,
}

impl Out {
    fn new(options: &Generate, suite: Option<&Suite>, assignment: &Assignment) -> Result<Self, Failure> {
        let folder = options.out.clone().unwrap_or_else(new_folder);
        let there = if folder.is_dir() { Some(Suite::read(&folder, assignment)?) } else { None };
        let taken: BTreeSet<u32> =
            suite.into_iter().chain(&there).flat_map(|suite| &suite.tests).map(|test| test.name.number).collect();
        let most = options.max_files.map_or(usize::MAX, usize::from);
        let numbers: Vec<_> = (1..=assignment.tests.files).filter(|number| !taken.contains(number)).take(most).collect();
        if numbers.is_empty() {
            let message = format!("all of the {} tests that a suite may have are there", assignment.tests.files);
            return Err(Failure::usage(Problem::new(message).hint("remove a test that exposes nothing, and generate again")));
        }
        Ok(Self { folder, numbers })
    }
}

/// `generated`, or the first `generated-n` that does not exist.
fn new_folder() -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("generated-{number}")));
    std::iter::once(PathBuf::from("generated")).chain(numbered).find(|folder| !folder.exists()).expect("the numbers do not end")
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
            let file = self.write_file(number, draft)?;
            files.push(GeneratedFile { file, area: self.bench.generator.area(&draft.input), exposes: self.ids(exposed) });
        }
        let mut smallest = Vec::new();
        for (&mutant, find) in &found.finds {
            let file = if self.options.keep_all { Some(self.keep(mutant, &find.draft)?) } else { None };
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
            out_of_time: found.out_of_time,
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
            .map(
                |((draft, (_, exposed)), (with_comment, (_, still)))| {
                    if exposed.is_subset(&still) { (with_comment, still) } else { (draft.clone(), exposed) }
                },
            )
            .collect())
    }

    /// What the reference prints on each draft, and the targets that it exposes.
    fn exposed(&mut self, drafts: &[Draft]) -> Result<Vec<(Vec<u8>, MutantSet)>, Failure> {
        let cases: Vec<_> = drafts.iter().map(|draft| arena::case(self.bench.assignment, draft)).collect();
        let rows = self.runner.rows(&cases)?;
        let exposed = |exposed: &[(usize, subject::How)]| exposed.iter().map(|(mutant, _)| *mutant).collect::<MutantSet>();
        Ok(rows.into_iter().map(|row| (row.reference.stdout, exposed(&row.exposed).both(&self.targets))).collect())
    }

    fn ids(&self, mutants: &MutantSet) -> Vec<String> {
        mutants.iter().map(|mutant| self.bench.mutants[mutant].id.clone()).collect()
    }

    fn write_file(&self, number: u32, draft: &Draft) -> Result<String, Failure> {
        let file = name::file_name(number, &draft.flags);
        write_new(&self.out.folder.join(&file), &draft.input)?;
        Ok(file)
    }

    /// Writes the smallest case for a mutant into a folder of the mutant's own: it is no test of the suite.
    fn keep(&self, mutant: usize, draft: &Draft) -> Result<String, Failure> {
        let file = format!("smallest/{}/{}", self.bench.mutants[mutant].id, name::file_name(1, &draft.flags));
        write_new(&self.out.folder.join(&file), &draft.input)?;
        Ok(file)
    }
}

fn write_new(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().expect("a test is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::File::create_new(path)?.write_all(contents));
    written.map_err(|error| Failure::machine(format!("write {}", path.display()), error))
}

fn print(report: &Generated, format: Format) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let printed = match format {
        Format::Text => write!(stdout, "{report}"),
        Format::Json => serde_json::to_string_pretty(report).map_err(io::Error::from).and_then(|json| writeln!(stdout, "{json}")),
    };
    printed.and_then(|()| stdout.flush()).map_err(|error| Failure::unwritten("the report", &error))
}
