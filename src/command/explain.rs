//! `harness explain TEST [MUTANT]`: what a test does to a mutant, or all that it exposes.

use crate::catalogue::sites;
use crate::catalogue::{self, Mutant};
use crate::cli::{Color, Explain, Format};
use crate::course::{Assignment, Course, Program};
use crate::problem::progress::Progress;
use crate::problem::similar_path;
use crate::problem::{Exit, Failure, Problem};
use crate::report::explained::{self, Page};
use crate::result::TestReport;
use crate::result::explain::explain;
use crate::result::explained::{Explained, MutantExplained, SCHEMA};
use crate::result::grade;
use crate::run::build::{self, Variant};
use crate::run::matrix::{Combined, Isolated};
use crate::run::prepare;
use crate::suite::decode::{self, Spelled};
use crate::suite::name::{self, FileName};
use crate::suite::{Test, layout};
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};
use std::path::Path;
use subject::wire::{Difference, MutantSet};
use subject::{Case, Outcome};

pub(super) fn run(options: &Explain) -> Result<Exit, Failure> {
    let path = &options.test;
    if path.symlink_metadata().is_err() {
        let hint = similar_path::hint(path)
            .unwrap_or_else(|| "name one test file; `harness score` takes a folder".to_owned());
        return Err(Failure::usage(
            Problem::new(format!("there is no file {}", path.display())).hint(hint),
        ));
    }
    let course = Course::read(&options.course)?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    if course
        .assignments
        .iter()
        .all(|assignment| matches!(name::read(&file, &assignment.tests), FileName::Other))
    {
        let hint = "a test is called test-n-flags.txt, as `harness score` wants it";
        return Err(Failure::usage(
            Problem::new(format!("{} is not named like a test", path.display())).hint(hint),
        ));
    }
    let folder =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let assignment = layout::assignment(folder, &course, options.assignment.as_deref())?;
    let mutants = catalogue::read(assignment)?;
    let wanted = options.mutant.as_ref().map(|id| find(id, &mutants)).transpose()?;
    let telling = Telling { options, assignment, mutants: &mutants, wanted };
    let test = match Test::read(path, assignment) {
        Ok(test) => test,
        Err(problem) => return telling.rejected(problem, Vec::new(), &[]),
    };
    let case = case_of(options, assignment, &test);
    let seen = see(&course, assignment, &mutants, wanted, &case)?;
    match grade::rejection(&seen.reference, &test, assignment.domain) {
        Some(problem) => telling.rejected(problem, case.args, &test.input),
        None => telling.explained(&test, &case, &seen),
    }
}

fn find(id: &str, mutants: &[Mutant]) -> Result<usize, Failure> {
    mutants.iter().position(|mutant| mutant.id == id).ok_or_else(|| {
        let otherwise = "without a mutant, `harness explain` names all that the test exposes";
        catalogue::unknown(id, mutants.iter().map(|mutant| mutant.id.as_str()), otherwise)
    })
}

fn case_of(options: &Explain, assignment: &Assignment, test: &Test) -> Case {
    let spelled = Spelled { spelling: options.spelling, file: &test.file, seed: options.seed };
    decode::case(assignment, &test.name.flags, test.input.clone(), &spelled)
        .expect("the name was read before")
}

/// What the programs did on the case.
struct Seen {
    reference: Outcome,
    /// The mutants that the reference comes to, where that is known.
    reached: Option<MutantSet>,
    /// The mutants that differ, of those that were asked for.
    differing: Vec<Difference>,
}

/// Builds and runs what it takes: the combined build beside the clean one, or a program for each mutant where there is no combined build.
fn see(
    course: &Course,
    assignment: &Assignment,
    mutants: &[Mutant],
    wanted: Option<usize>,
    case: &Case,
) -> Result<Seen, Failure> {
    prepare::agree(course, assignment, mutants)?;
    let asked: Vec<usize> =
        wanted.map_or_else(|| (0..mutants.len()).collect(), |mutant| vec![mutant]);
    let has_combined = matches!(assignment.program, Program::Cargo(_));
    let mut variants = vec![(assignment, Variant::Reference)];
    if has_combined {
        variants.push((assignment, Variant::Combined));
    } else {
        variants
            .extend(asked.iter().map(|&mutant| (assignment, Variant::Mutant(&mutants[mutant].id))));
    }
    let progress = Progress::new("building the programs", None);
    let mut built = build::all(course, &variants)?;
    progress.say("running them");
    let others = built.split_off(1);
    let reference = built.remove(0);
    if has_combined {
        let settings = prepare::settings(assignment, mutants, others[0].clone());
        let answer = Combined::new(assignment.domain, reference, &settings, 1)
            .look(case, &asked.into_iter().collect())?;
        return Ok(Seen {
            reference: answer.reference,
            reached: Some(answer.reached),
            differing: answer.differing,
        });
    }
    let limits = prepare::process_limits(&assignment.run);
    let isolated = Isolated {
        domain: assignment.domain,
        reference,
        mutants: others,
        limits,
        factor: assignment.run.factor,
        jobs: 1,
    };
    let (reference, mut differing) = isolated.look(case)?;
    for difference in &mut differing {
        difference.mutant = asked[difference.mutant];
    }
    Ok(Seen { reference, reached: None, differing })
}

/// What is needed to tell of a test.
struct Telling<'a> {
    options: &'a Explain,
    assignment: &'a Assignment,
    mutants: &'a [Mutant],
    wanted: Option<usize>,
}

impl Telling<'_> {
    fn explained(&self, test: &Test, case: &Case, seen: &Seen) -> Result<Exit, Failure> {
        let sites = match &self.assignment.program {
            Program::Cargo(package) => sites::find(&package.folder)?,
            Program::Commands { .. } => Vec::new(),
        };
        let reached = |mutant: usize| seen.reached.as_ref().map(|reached| reached.contains(mutant));
        let difference =
            |mutant: usize| seen.differing.iter().find(|difference| difference.mutant == mutant);
        let explained = |mutant: usize| {
            let (domain, seen_here) = (self.assignment.domain, difference(mutant));
            explain(
                &self.mutants[mutant],
                &sites,
                domain,
                (case, &seen.reference),
                seen_here,
                reached(mutant),
            )
        };
        let mut mutants: Vec<_> = match self.wanted {
            Some(mutant) => vec![explained(mutant)],
            None => seen.differing.iter().map(|difference| explained(difference.mutant)).collect(),
        };
        // The sort is stable, and the mutants come in the order of their ids.
        mutants.sort_by_key(MutantExplained::size);
        let others = |wanted: bool| -> Vec<String> {
            let is_other = |&mutant: &usize| {
                self.wanted.is_none()
                    && reached(mutant) == Some(wanted)
                    && difference(mutant).is_none()
            };
            (0..self.mutants.len())
                .filter(is_other)
                .map(|mutant| self.mutants[mutant].id.clone())
                .collect()
        };
        let exposes = seen
            .differing
            .iter()
            .map(|difference| self.mutants[difference.mutant].id.clone())
            .collect();
        let explained = Explained {
            schema: SCHEMA.to_owned(),
            assignment: self.assignment.id.clone(),
            test: TestReport::valid(test.file.clone(), case.args.clone(), exposes),
            input: String::from_utf8_lossy(&test.input).into_owned(),
            asked: self.options.mutant.clone(),
            mutants,
            reached: others(true),
            unreached: others(false),
        };
        let mut page_text = String::new();
        explained::write(
            &mut page_text,
            &explained,
            self.assignment.domain,
            page(self.options.color),
        )
        .expect("a text has room");
        self.print(&explained, &page_text)?;
        Ok(Exit::Done)
    }

    /// Says why the test was rejected: that is the answer, and its status that of a suite without a valid test.
    fn rejected(
        &self,
        mut problem: Problem,
        args: Vec<String>,
        input: &[u8],
    ) -> Result<Exit, Failure> {
        if let Some(place) = &mut problem.place {
            place.file.clone_from(&self.options.test);
        }
        let file = layout::folder_name(&self.options.test);
        let command = if args.is_empty() {
            String::new()
        } else {
            format!(" ({} {})", self.assignment.id, args.join(" "))
        };
        let text = format!("{file}{command} is rejected, and exposes nothing\n{problem}\n");
        let explained = Explained {
            schema: SCHEMA.to_owned(),
            assignment: self.assignment.id.clone(),
            test: TestReport::rejected(file, problem, args),
            input: String::from_utf8_lossy(input).into_owned(),
            asked: self.options.mutant.clone(),
            mutants: Vec::new(),
            reached: Vec::new(),
            unreached: Vec::new(),
        };
        self.print(&explained, &text)?;
        Ok(Exit::NoValidTest)
    }

    fn print(&self, explained: &Explained, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        let printed = match self.options.format {
            Format::Text => stdout.write_all(text.as_bytes()),
            Format::Json => serde_json::to_string_pretty(explained)
                .map_err(io::Error::from)
                .and_then(|json| writeln!(stdout, "{json}")),
        };
        printed
            .and_then(|()| stdout.flush())
            .map_err(|error| Failure::unwritten("the explanation", &error))
    }
}

/// The terminal, or a plain page where there is none.
fn page(color: Color) -> Page {
    const WIDTH: usize = 100;
    let stdout = io::stdout();
    let width =
        terminal_size::terminal_size_of(&stdout).map_or(WIDTH, |(width, _)| usize::from(width.0));
    let colored = match color {
        Color::Auto => AutoStream::choice(&stdout) != ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    };
    Page { width, colored }
}
