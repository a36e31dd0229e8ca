//! `harness explain TEST [MUTANT]`: shows how a mutant differs on a test, or all mutants that the test exposes.

mod unit;

use crate::catalogue::sites;
use crate::catalogue::{self, Mutant};
use crate::cli::{Explain, Format};
use crate::command::terminal;
use crate::course::{Assignment, Course};
use crate::diagnostic::progress::Progress;
use crate::diagnostic::similar_path;
use crate::diagnostic::{Failure, Problem};
use crate::exit::Exit;
use crate::report::explained;
use crate::report::words::command;
use crate::result::TestReport;
use crate::result::engines::{self, SlowerProgram};
use crate::result::explain::explain;
use crate::result::explained::{Explained, MutantExplained, SCHEMA};
use crate::result::grade;
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use crate::run::work::Work;
use crate::suite::decode::{self, Spelled};
use crate::suite::name::{self, FileName};
use crate::suite::{Test, layout};
use std::io::{self, Write};
use std::path::Path;
use subject::Case;
use subject::wire::MutantSet;

pub(super) fn run(work: &Work, options: &Explain) -> Result<Exit, Failure> {
    let path = &options.test;
    if let Some((file, case)) = unit::named(path) {
        return unit::run(work, options, &file, &case);
    }
    if path.symlink_metadata().is_err() {
        return Err(Failure::usage(missing(path, &options.course)));
    }
    let course = Course::read(&options.course)?;
    if let Some(problem) = no_test(path, &course) {
        return Err(Failure::usage(problem));
    }
    let folder =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let assignment = layout::assignment(folder, &course, options.assignment.as_deref())?;
    terminal::warn_of_differences(&course, assignment)?;
    let mutants = prepare::written(&course, assignment, catalogue::read(assignment)?)?;
    let asked = options.mutant.as_ref().map(|id| find(id, &mutants)).transpose()?;
    let mut explanation = Explanation {
        options,
        file: path,
        name: layout::folder_name(path),
        assignment,
        mutants: &mutants,
        asked,
        engines: Vec::new(),
    };
    let test = match Test::read(path, assignment) {
        Ok(test) => test,
        Err(problem) => return explanation.reject(problem, Vec::new(), &[]),
    };
    let case = case_of(options, assignment, &test);
    let (row, engines) = run_on(work, &course, assignment, &mutants, asked, &case)?;
    explanation.engines = engines;
    match grade::rejection(&row, &test, assignment) {
        Some(problem) => explanation.reject(problem, case.args, &test.input),
        None => explanation.explain(&test, &case, &row),
    }
}

/// That there is no file of the test.
fn missing(path: &Path, course: &Path) -> Problem {
    let hint = unit::hint_of_path(path, course)
        .or_else(|| similar_path::hint(path))
        .unwrap_or_else(|| "name one test file; `harness score` takes a folder".to_owned());
    Problem::new(format!("there is no file {}", path.display())).hint(hint)
}

/// Why a file is no test by its name, if it is none.
fn no_test(path: &Path, course: &Course) -> Option<Problem> {
    let (shown, assignments) = (path.display(), &course.assignments);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let is_of_tests = |it: &Assignment| it.unit.as_ref().is_some_and(|unit| unit.has(&file));
    if assignments.iter().any(is_of_tests) || unit::witnessed(course, path).is_some() {
        let problem = Problem::new(format!("{shown} has several test cases"));
        return Some(problem.hint(format!(
            "name one, as in `harness explain {shown}:CASE`; `harness score` names them"
        )));
    }
    let is_named = |it: &Assignment| !matches!(name::read(&file, &it.tests), FileName::Other);
    if assignments.iter().any(is_named) {
        return None;
    }
    let is_unit = |it: &Assignment| it.unit.is_some();
    let hint = if assignments.iter().all(is_unit) {
        "name a test case with its file, as in FILE:CASE; `harness score` names them"
    } else if assignments.iter().any(is_unit) {
        "a test is named test-n-flags.txt, as for `harness score`, or FILE:CASE if it is a unit test"
    } else {
        "a test is named test-n-flags.txt, as for `harness score`"
    };
    Some(Problem::new(format!("{shown} is not named like a test")).hint(hint))
}

fn find(id: &str, mutants: &[Mutant]) -> Result<usize, Failure> {
    mutants.iter().position(|mutant| mutant.id == id).ok_or_else(|| {
        let otherwise = "without a mutant, `harness explain` lists all that the test exposes";
        catalogue::unknown(id, mutants.iter().map(|mutant| mutant.id.as_str()), otherwise)
    })
}

fn case_of(options: &Explain, assignment: &Assignment, test: &Test) -> Case {
    let spelled = Spelled { spelling: options.spelling, file: &test.file, seed: options.seed };
    decode::case(assignment, &test.name.flags, test.input.clone(), &spelled)
        .expect("the name was read before")
}

/// Builds the programs, and runs the reference and the mutants that are asked for on the case.
fn run_on(
    work: &Work,
    course: &Course,
    assignment: &Assignment,
    mutants: &[Mutant],
    asked: Option<usize>,
    case: &Case,
) -> Result<(Row, Vec<SlowerProgram>), Failure> {
    let plan = Plan::new(work, course, assignment, mutants);
    let plan = match asked {
        Some(mutant) => plan.only(MutantSet::from_iter([mutant])),
        None => plan,
    };
    let progress = Progress::new("building the programs", None);
    let mut programs = Programs::build(&plan)?;
    progress.say("running the programs");
    let row = programs.outcomes(std::slice::from_ref(case))?.remove(0);
    Ok((row, engines::slower(programs.slower())))
}

/// The explanation of a test.
struct Explanation<'a> {
    options: &'a Explain,
    /// The file of the test.
    file: &'a Path,
    /// What the test is called.
    name: String,
    assignment: &'a Assignment,
    mutants: &'a [Mutant],
    asked: Option<usize>,
    /// The programs that ran by a slower engine.
    engines: Vec<SlowerProgram>,
}

impl Explanation<'_> {
    fn explain(&self, test: &Test, case: &Case, row: &Row) -> Result<Exit, Failure> {
        let sites = sites::of(self.assignment)?;
        let reached = |mutant: usize| row.reached.as_ref().map(|reached| reached.contains(mutant));
        let explained = |mutant: usize| {
            let (difference, domain) = (row.difference(mutant), &*self.assignment.domain);
            let (mutant, reached) = (&self.mutants[mutant], reached(mutant));
            explain(mutant, reached, &sites, domain, &row.reference, difference)
        };
        let mut mutants: Vec<_> = match self.asked {
            Some(mutant) => vec![explained(mutant)],
            None => row.exposed_mutants().iter().map(explained).collect(),
        };
        // The sort is stable, so mutants of the same size stay in the order of their ids.
        mutants.sort_by_key(MutantExplained::size);
        let id = |mutant: usize| self.mutants[mutant].id.clone();
        let others = |reached: bool| -> Vec<String> {
            let of = self.mutants.len();
            let others = row.unexposed(reached, of).filter(|_| self.asked.is_none());
            others.map(id).collect()
        };
        let exposes = row.exposed_mutants().iter().map(id).collect();
        let explained = Explained {
            schema: SCHEMA.to_owned(),
            assignment: self.assignment.id.clone(),
            test: TestReport {
                refused: grade::refusal(row),
                ..TestReport::valid(test.file.clone(), case.args.clone(), exposes)
            },
            input: String::from_utf8_lossy(&test.input).into_owned(),
            line: None,
            asked: self.options.mutant.clone(),
            mutants,
            reached: others(true),
            unreached: others(false),
            engines: self.engines.clone(),
        };
        self.show(&explained)
    }

    fn show(&self, explained: &Explained) -> Result<Exit, Failure> {
        let mut text = String::new();
        explained::write(&mut text, explained, &*self.assignment.domain, super::screen())
            .expect("a `String` takes any text");
        self.print(explained, &text)?;
        Ok(Exit::Done)
    }

    /// Prints why the test was rejected. The exit status is that of a suite without a valid test.
    fn reject(
        &self,
        mut problem: Problem,
        args: Vec<String>,
        input: &[u8],
    ) -> Result<Exit, Failure> {
        if let Some(place) = &mut problem.place {
            self.file.clone_into(&mut place.file);
        }
        let file = self.name.clone();
        let command = if args.is_empty() {
            String::new()
        } else {
            format!(" ({})", command(&self.assignment.id, &args))
        };
        let text = format!("{file}{command} is rejected, and exposes nothing\n{problem}\n");
        let text = super::screen().fit(&text);
        let explained = Explained {
            schema: SCHEMA.to_owned(),
            assignment: self.assignment.id.clone(),
            test: TestReport::rejected(file, problem, args),
            input: String::from_utf8_lossy(input).into_owned(),
            line: None,
            asked: self.options.mutant.clone(),
            mutants: Vec::new(),
            reached: Vec::new(),
            unreached: Vec::new(),
            engines: self.engines.clone(),
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
