//! The program that `--against` names, and how the options say to run it.

use crate::cli::against::Against;
use crate::course::{Assignment, Course};
use crate::diagnostic::{Failure, Problem, did_you_mean};
use crate::domain::{Draft, Generator, TestRules};
use crate::generate::comparer::UnderTest;
use crate::run::build::{self, Runnable};
use crate::run::process;
use crate::run::programs;
use crate::run::work::Work;
use proptest::test_runner::TestRunner;
use rustix::io::Errno;
use std::io;
use std::path::Path;
use std::time::Duration;
use subject::Case;

/// The program that `options` describe. It is started once, in an empty folder, so that a wrong command line fails before anything is
/// built.
pub(super) fn under_test(
    work: &Work,
    options: &Against,
    course: &Course,
    assignment: &Assignment,
    generator: &dyn Generator,
) -> Result<UnderTest, Failure> {
    let mut limits = programs::process_limits(&assignment.run);
    if let Some(seconds) = options.time_limit {
        limits.time = Duration::from_secs_f64(seconds);
    }
    if let Some(megabytes) = options.memory_limit {
        limits.memory = u64::from(megabytes) << 20;
    }
    let mut tests = assignment.tests.clone();
    for (name, most) in &options.limit {
        lower(&mut tests, name, *most, assignment)?;
    }
    for flag in &options.without {
        leave_out(&mut tests, flag, assignment)?;
    }
    let fixed_size =
        options.fixed_size.map(|(columns, rows)| (usize::from(columns), usize::from(rows)));
    if let Some((columns, rows)) = fixed_size {
        fix_size(&mut tests, columns, rows, assignment, generator)?;
    }
    let (words, program) = program(work, &options.program, course, assignment)?;
    check(work, &program, limits)?;
    Ok(UnderTest {
        words,
        program: program.talking(course, assignment)?,
        tests,
        fixed_size,
        limits,
        document_args: options.document_args,
    })
}

/// Starts a program once, in an empty folder.
///
/// # Errors
/// If it cannot be started.
pub fn check(
    work: &Work,
    program: &Runnable,
    limits: process::ProcessLimits,
) -> Result<(), Failure> {
    let briefly = process::ProcessLimits { wall: Duration::from_millis(100), ..limits };
    let started = process::run_among_others(work, program, &Case::default(), &briefly);
    started.map(drop).map_err(|error| cannot_run(program, &error))
}

/// Lowers the limit `name`.
fn lower(
    tests: &mut TestRules,
    name: &str,
    most: u64,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let id = &assignment.id;
    let names: Vec<_> = tests.limits.keys().cloned().collect();
    let Some(limit) = tests.limits.get_mut(name) else {
        let all = || format!("its limits are {}", names.join(", "));
        let hint = did_you_mean(name, names.iter().map(String::as_str)).unwrap_or_else(all);
        let problem = Problem::new(format!("the tests of `{id}` have no limit `{name}`"));
        return Err(Failure::usage(problem.hint(hint).printable()));
    };
    if most > *limit {
        let problem = Problem::new(format!("--limit {name}={most} is above the course's {limit}"));
        return Err(Failure::usage(problem.hint("a larger test would be rejected")));
    }
    *limit = most;
    Ok(())
}

/// Removes a letter, or all letters of a group.
fn leave_out(tests: &mut TestRules, flag: &str, assignment: &Assignment) -> Result<(), Failure> {
    let is_letter = |letter: char| flag.chars().eq([letter]);
    let mut is_known = false;
    for group in &mut tests.groups {
        let all = group.letters.len();
        if group.name == flag {
            group.letters.clear();
        }
        group.letters.retain(|known| !is_letter(known.letter));
        is_known |= group.letters.len() < all;
        if group.required && group.letters.is_empty() {
            let name = &group.name;
            let message =
                format!("--without {flag} leaves no test: each has a flag of the group `{name}`");
            return Err(Failure::usage(Problem::new(message).printable()));
        }
    }
    if is_known {
        return Ok(());
    }
    let groups = assignment.tests.groups.iter().map(|group| {
        let letters: Vec<_> = group.letters.iter().map(|flag| flag.letter.to_string()).collect();
        format!("{} ({})", group.name, letters.join(", "))
    });
    let groups: Vec<_> = groups.collect();
    let message = format!("the tests of `{}` have no flag `{flag}`", assignment.id);
    let hint = match groups.as_slice() {
        [] => "they have no flags".to_owned(),
        groups => format!("their flags are {}", groups.join(", ")),
    };
    Err(Failure::usage(Problem::new(message).hint(hint).printable()))
}

/// Checks that tests can have this size, and that the course allows it.
fn fix_size(
    tests: &mut TestRules,
    columns: usize,
    rows: usize,
    assignment: &Assignment,
    generator: &dyn Generator,
) -> Result<(), Failure> {
    for (name, most) in [("columns", columns), ("rows", rows)] {
        if let Some(limit) = tests.limits.get(name).copied() {
            lower(tests, name, (most as u64).min(limit), assignment)?;
        }
    }
    let sample = generator.plain(&generator.sample(tests, &mut TestRunner::deterministic()));
    let fitting = generator.resized(&sample, columns, rows);
    let is_allowed =
        |draft: &Draft| assignment.domain.check(&draft.input, &assignment.tests.limits).is_ok();
    match fitting {
        Some(draft) if is_allowed(&draft) => Ok(()),
        Some(_) => {
            let message = format!("the course allows no test of {columns}x{rows}");
            Err(Failure::usage(Problem::new(message)))
        }
        None => {
            let message = format!("the tests of `{}` have no fixed size", assignment.id);
            let hint = "bound them with --limit instead, for example --limit rows=5";
            Err(Failure::usage(Problem::new(message).hint(hint)))
        }
    }
}

/// The file that a command line names, if it names nothing else. It may be a source.
pub(super) fn source(words: &[String]) -> Option<&Path> {
    let [file] = words else { return None };
    Some(Path::new(file)).filter(|file| file.is_file())
}

/// The program, and the words that name it: a source that is compiled first, or a command line. A single word is split as a shell does.
fn program(
    work: &Work,
    words: &[String],
    course: &Course,
    assignment: &Assignment,
) -> Result<(Vec<String>, Runnable), Failure> {
    if let Some(file) = source(words)
        && let Some(program) = build::source(work, course, assignment, file)?
    {
        return Ok((words.to_vec(), program));
    }
    let program = command_line(words)?;
    Ok((program.words.clone(), program))
}

/// The program that a command line starts. A single word is split as a shell does.
///
/// # Errors
/// If it names no program.
pub fn command_line(words: &[String]) -> Result<Runnable, Failure> {
    let words = match words {
        [one] if !Path::new(one).exists() => shlex::split(one).ok_or_else(|| {
            let hint = "quote as in a shell: \"python3 'my solver.py'\"";
            Failure::usage(
                Problem::new(format!("a quote in `{one}` is not closed")).hint(hint).printable(),
            )
        })?,
        words => words.to_vec(),
    };
    if words.is_empty() {
        return Err(Failure::usage(
            Problem::new("no program is named").hint("for example: ./solver"),
        ));
    }
    let folder = std::env::current_dir()
        .map_err(|error| Failure::machine("find the current folder", error))?;
    Ok(Runnable::new(words, folder).with_whole_paths().hostile())
}

/// The failure of a program that cannot be started. If the program is missing, or is not a program, the command line is wrong.
fn cannot_run(program: &Runnable, error: &io::Error) -> Failure {
    let name = program.words.first().map_or("", String::as_str);
    let path = program.folder.join(name);
    let Some(hint) = hint(name, &path, error) else {
        return process::failure(format!("run {}", program.words.join(" ")), error);
    };
    let message = format!("the program `{name}` cannot be started: {error}");
    Failure::usage(Problem::new(message).hint(hint).printable())
}

fn hint(name: &str, path: &Path, error: &io::Error) -> Option<String> {
    let error = Errno::from_io_error(error)?;
    let is_path = name.contains('/');
    Some(match error {
        Errno::NOENT if is_path && path.exists() => {
            "its first line names an interpreter that does not exist".to_owned()
        }
        Errno::NOENT if is_path => {
            "there is no such file; paths are relative to the current folder".to_owned()
        }
        Errno::NOENT if path.is_file() => {
            format!("to run the program in this folder, write `./{name}`")
        }
        Errno::NOENT => {
            "is it installed and on the PATH? write `./NAME` for a program in this folder"
                .to_owned()
        }
        Errno::ACCESS if path.is_dir() => "this is a folder; name the program in it".to_owned(),
        Errno::ACCESS => format!(
            "make it executable with `chmod +x {name}`, or name its interpreter, as in `python3 {name}`"
        ),
        Errno::NOTDIR => "a part of its path is a file, not a folder".to_owned(),
        _ => return None,
    })
}
