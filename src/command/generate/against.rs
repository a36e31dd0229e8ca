//! Finds tests on which a program differs from the reference.

use super::out::Out;
use crate::cli::Generate;
use crate::course::{Assignment, Course};
use crate::domain::Draft;
use crate::generate;
use crate::generate::against::{self, Behaviour, Find, Found};
use crate::generate::comparer::{self, Comparer, Comparison, Discrepancy};
use crate::problem::{Failure, Problem};
use crate::report::against::{self as report, Against, Way};
use crate::report::generated::{Generated, GeneratedFile, SCHEMA};
use crate::run::build::Runnable;
use crate::run::interrupt;
use crate::run::prepare;
use crate::run::process;
use crate::run::programs;
use crate::suite::decode;
use std::path::Path;
use std::time::Duration;
use subject::{Case, How};

pub(super) fn generate(
    options: &Generate,
    course: &Course,
    assignment: &Assignment,
) -> Result<Generated, Failure> {
    generate::generator(assignment)?;
    let budget = super::budget(options)?;
    let program = program(&options.against)?;
    check_start(&program, &programs::process_limits(&assignment.run))?;
    let out = Out::new(options, None, assignment)?;
    let jobs = prepare::jobs(options.jobs);
    let mut comparer = Comparer::build(course, assignment, &program, jobs, budget)?;
    interrupt::listen();
    let limits =
        against::Options { seed: options.seed, area: options.area, max_files: out.numbers.len() };
    let found = against::against(&mut comparer, &limits)?;
    Writer { options, comparer, program: &program, out }.write(found)
}

/// The command line of the program. A single word is split as a shell does.
fn program(words: &[String]) -> Result<Runnable, Failure> {
    let words = match words {
        [one] if !Path::new(one).exists() => shlex::split(one).ok_or_else(|| {
            let hint = "quote as in a shell: --against \"python3 'my solver.py'\"";
            Failure::usage(
                Problem::new(format!("a quote in `{one}` is not closed")).hint(hint).printable(),
            )
        })?,
        words => words.to_vec(),
    };
    if words.is_empty() {
        return Err(Failure::usage(
            Problem::new("--against names no program").hint("for example: --against ./solver"),
        ));
    }
    let folder = std::env::current_dir()
        .map_err(|error| Failure::machine("find the current folder", error))?;
    let words = words
        .into_iter()
        .enumerate()
        .map(|(at, word)| if at == 0 { word } else { whole(word, &folder) })
        .collect();
    Ok(Runnable { words, folder })
}

/// Makes the path of a file absolute, because a case may run in another folder.
fn whole(word: String, folder: &Path) -> String {
    match folder.join(&word) {
        path if path.is_file() => path.to_str().map_or(word, str::to_owned),
        _ => word,
    }
}

/// Starts the program once, so that a wrong command line fails before anything is built.
fn check_start(program: &Runnable, limits: &process::Limits) -> Result<(), Failure> {
    let briefly = process::Limits { wall: Duration::from_millis(100), ..*limits };
    match process::run_among_others(program, &Case::default(), &briefly) {
        Ok(_) => Ok(()),
        Err(error) => Err(comparer::cannot_run(program, &error)),
    }
}

/// Writes the drafts that were found, and reports them.
struct Writer<'a> {
    options: &'a Generate,
    comparer: Comparer<'a>,
    program: &'a Runnable,
    out: Out,
}

impl Writer<'_> {
    fn write(mut self, found: Found) -> Result<Generated, Failure> {
        let (cases, on_every_case) = (found.cases(), found.on_every_case());
        let mut finds: Vec<_> = found.finds.into_values().collect();
        finds.sort_by_cached_key(|find| {
            (self.comparer.generator.area(&find.draft.input), find.draft.flags.clone())
        });
        let (mut files, mut differences) = (Vec::new(), Vec::new());
        for (find, number) in finds.iter().zip(self.out.numbers.clone()) {
            let (draft, difference) = self.commented(find)?;
            let file = self.out.write(number, &draft)?;
            let area = self.comparer.generator.area(&draft.input);
            files.push(GeneratedFile { file: file.clone(), area, exposes: Vec::new() });
            differences.push(self.reported(file, &draft, &difference, find));
        }
        let assignment = self.comparer.assignment;
        Ok(Generated {
            schema: SCHEMA.to_owned(),
            assignment: assignment.id.clone(),
            folder: (!files.is_empty()).then(|| self.out.folder.display().to_string()),
            selection: "the smallest for each way in which it differs".to_owned(),
            files,
            smallest: Vec::new(),
            missed: Vec::new(),
            enumerated_area: found.area,
            alphabet: self.comparer.generator.alphabet().to_owned(),
            cases,
            seed: self.options.seed,
            stopped: super::stopped(found.out_of_time),
            against: Some(Against {
                program: self.program.words.clone(),
                differences,
                left_out: ways(found.left_out),
                unsteady: ways(found.unsteady),
                small_cases: found.small,
                random_cases: found.large,
                differing_cases: found.differing,
                slow_cases: found.slow,
                on_every_case,
            }),
        })
    }

    /// Adds a comment that says what the find tests, unless the program then differs in another way.
    fn commented(&mut self, find: &Find) -> Result<(Draft, Discrepancy), Failure> {
        let comment =
            self.comparer.generator.describe(&find.draft, &find.difference.reference.stdout);
        // A comment is not worth another run of a program that does not finish.
        if find.difference.how != How::Timeout
            && let Some(draft) = self.comparer.generator.commented(&find.draft, &comment)
            && let Comparison::Differ(difference) = self.comparer.compare_patiently(&draft)?
            && difference.how == find.difference.how
        {
            return Ok((draft, *difference));
        }
        Ok((find.draft.clone(), find.difference.clone()))
    }

    fn reported(
        &self,
        file: String,
        draft: &Draft,
        difference: &Discrepancy,
        find: &Find,
    ) -> report::ProgramDifference {
        report::ProgramDifference {
            file,
            flags: draft.flags.clone(),
            input: String::from_utf8_lossy(&draft.input).into_owned(),
            args: decode::case_of_draft(self.comparer.assignment, draft).args,
            area: self.comparer.generator.area(&draft.input),
            certified: find.certified,
            how: difference.how.into(),
            why: difference.why.clone(),
            cases: find.cases,
            reference: (&difference.reference).into(),
            program: (&difference.program).into(),
        }
    }
}

fn ways(behaviours: Vec<Behaviour>) -> Vec<Way> {
    behaviours.into_iter().map(|(flags, how)| Way { flags, how: how.into() }).collect()
}
