//! Draws calls of a program whose tests are programs too, and writes a file of tests.

use crate::catalogue::Mutant;
use crate::cli::Generate;
use crate::course::{Assignment, Course, UnitTests};
use crate::diagnostic::{Failure, Problem};
use crate::files;
use crate::grading::contained;
use crate::interrupt;
use crate::report::generated::{Generated, GeneratedFile, SCHEMA, Smallest};
use crate::result::discarded::Discarded;
use crate::result::grade;
use crate::run::matrix::Row;
use crate::run::prepare;
use crate::run::work::Work;
use crate::suite::{Suite, TestProgram};
use crate::unit::Variants;
use crate::unit::calls::{Drawn, Found, Probe, Search, WrittenCase, callable, file_name};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use subject::MutantSet;

pub(super) fn generate(
    work: &Work,
    options: &Generate,
    course: &Course,
    assignment: &Assignment,
    unit: &UnitTests,
    folder: Option<&Path>,
) -> Result<Generated, Failure> {
    let budget = super::budget(options.budget)?;
    callable(assignment)?;
    let generator = assignment.generator().filter(|_| unit.has_calls).ok_or_else(no_calls)?;
    let out = super::out::folder(options);
    is_free(&out, unit)?;
    let mutants = prepare::bugs(course, assignment)?;
    let jobs = prepare::jobs(options.jobs);
    let work = &contained(work, course)?;
    let variants = Variants::build(work, course, assignment, unit, &mutants, jobs)?;
    let probe = Probe::build(work, course, assignment, unit, &mutants, jobs)?;
    let mut targets = super::selected(options, &mutants)?;
    let counts =
        |exposed: &MutantSet| grade::too_broad(exposed, &mutants, &assignment.scoring).is_none();
    if let Some(folder) = folder {
        let (_, rows) = variants.score(Suite::read(folder, assignment)?)?;
        let exposed = rows.iter().map(Row::exposed_mutants).filter(counts);
        exposed.for_each(|exposed| targets = targets.without(&exposed));
    }
    interrupt::listen(&work.cancellation);
    let search = Search {
        variants: &variants,
        probe: &probe,
        generator,
        rules: &assignment.tests,
        before: None,
        targets,
        counts: &counts,
        seed: options.seed,
        size: options.size.unwrap_or_else(|| generator.reach(&assignment.tests)),
        most_cases: options.max_files.map_or(assignment.tests.files as usize, usize::from),
        until: Instant::now() + budget,
    };
    let drawn = search.run()?;
    super::has_tried(work, drawn.tried as u64, drawn.out_of_time, options.budget)?;
    let file = drawn.file.as_ref().map(|file| write(&out, file)).transpose()?;
    let written = file.map(|file| (out, file));
    Ok(report(work, options, assignment, &mutants, &drawn, written.as_ref()))
}

fn no_calls() -> Failure {
    let problem = Problem::new("nothing says which calls of this program tests can make");
    let hint = "describe them with `calls:` in `tests` of the course file, and generate again";
    Failure::usage(problem.hint(hint))
}

/// That the tests can be written there. It fails now, and not after the search.
fn is_free(folder: &Path, unit: &UnitTests) -> Result<(), Failure> {
    let path = folder.join(file_name(unit));
    if path.exists() {
        return Err(Failure::unwritable(&path, &io::ErrorKind::AlreadyExists.into()));
    }
    files::check_writable(folder)
        .map_err(|error| Failure::unwritable_as(&format!("into {}", folder.display()), &error))
}

/// Writes the tests as a new file, and gives its name.
fn write(folder: &Path, file: &TestProgram) -> Result<String, Failure> {
    let path = folder.join(&file.file);
    files::create_with_folders(&path, &file.source)
        .map_err(|error| Failure::unwritable(&path, &error))?;
    Ok(file.file.clone())
}

fn report(
    work: &Work,
    options: &Generate,
    assignment: &Assignment,
    mutants: &[Mutant],
    drawn: &Drawn,
    written: Option<&(PathBuf, String)>,
) -> Generated {
    let ids = |set: &MutantSet| set.iter().map(|at| mutants[at].id.clone()).collect();
    let case = |WrittenCase { name, size, exposes }: &WrittenCase| GeneratedFile {
        file: written.map(|(_, file)| format!("{file}:{name}")).unwrap_or_default(),
        size: *size,
        exposes: ids(exposes),
        again: false,
    };
    let smallest = |(mutant, found): (&usize, &Found)| {
        let certified = drawn.enumerated.is_some_and(|size| found.size <= size + 1);
        Smallest {
            mutant: mutants[*mutant].id.clone(),
            size: found.size,
            certified,
            cut: drawn.out_of_time && !certified,
            flags: String::new(),
            input: String::from_utf8_lossy(&found.draft.input).into_owned(),
            file: None,
        }
    };
    let mut all: Vec<_> = drawn.smallest.iter().map(smallest).collect();
    all.sort_by_key(|smallest| smallest.size);
    Generated {
        schema: SCHEMA.to_owned(),
        assignment: assignment.id.clone(),
        folder: written.map(|(folder, _)| folder.display().to_string()),
        selection: "each exposes a mutant that those before it do not".to_owned(),
        files: drawn.cases.iter().map(case).collect(),
        smallest: all,
        behaviours: None,
        missed: ids(&drawn.missed),
        unsettled: if drawn.no_tests > 0 { ids(&drawn.missed) } else { Vec::new() },
        only_disputed: Vec::new(),
        lenient: Vec::new(),
        disputed: Vec::new(),
        unconfirmed: ids(&drawn.unconfirmed),
        unchecked: Vec::new(),
        enumerated_size: drawn.enumerated,
        whole_size: None,
        alphabet: assignment.generator().map(|it| it.alphabet().to_owned()).unwrap_or_default(),
        cases: drawn.tried as u64,
        largest_bytes: 0,
        seed: options.seed,
        stopped: super::stopped(work, drawn.out_of_time),
        against: None,
        given_up: Vec::new(),
        discarded: Discarded::default(),
        engines: Vec::new(),
    }
}
