//! Builds a submission in the sandbox, and says what the compiler really did.

mod assembly;
mod diagnostic;
mod elf;
mod options;
mod plain;
mod said;
mod script;
mod seen;
mod target;
mod trace;
mod unit;

use super::cores::Turn;
use super::program::cannot_start;
use super::{SourceFile, language};
use crate::course::submission::{Rule, Submission, targets};
use crate::diagnostic::{Failure, Problem, printable};
use crate::files;
use crate::result::graded::{BuildReport, Compilation};
use crate::sandbox::{self, Ending, Job, Ran, Sandbox, SandboxLimits};
use diagnostic::{Missing, shortened};
pub(super) use said::uncaught;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use trace::{Target, Trace};

/// The most compilations that a report lists, and the most options of one.
const MOST_COMPILATIONS: usize = 200;
const MOST_FLAGS: usize = 20;

/// A submission whose build has ended.
pub struct Built {
    pub report: BuildReport,
    /// The rules that the build broke.
    pub broken: Vec<(Rule, Problem)>,
    pub programs: Programs,
}

/// A folder for each program that was built, by name. There is nothing else in it than what the program consists of.
pub type Programs = BTreeMap<String, TempDir>;

/// Builds the files `sources`, in this turn.
///
/// # Errors
/// If the machine fails: there is no compiler, or the sandbox does not work.
pub fn build(
    sandbox: &Sandbox,
    sources: &[SourceFile],
    submission: &Submission,
    turn: Turn<'_>,
) -> Result<Built, Failure> {
    match language::of(&submission.program) {
        Some(language) => plain::build(language, sandbox, sources, submission, turn),
        None => build_seen(Trace::new(Target::AsAsked)?, sandbox, turn, sources, submission),
    }
}

/// The programs of these files, built for every processor of this architecture: without what `-march=native` adds. Where no student
/// writes a Makefile, they are the same programs.
///
/// # Errors
/// As for [`build`].
pub fn portable(
    sandbox: &Sandbox,
    sources: &[SourceFile],
    submission: &Submission,
    turn: Turn<'_>,
) -> Result<Programs, Failure> {
    if language::of(&submission.program).is_some() {
        return Ok(build(sandbox, sources, submission, turn)?.programs);
    }
    let trace = Trace::new(Target::AnyProcessor)?;
    Ok(build_seen(trace, sandbox, turn, sources, submission)?.programs)
}

/// What valgrind cannot see of a program, because of how it was made.
pub fn unseen_by_valgrind(name: &str, folder: &Path) -> Option<&'static str> {
    elf::unseen_by_valgrind(&fs::read(folder.join(name)).unwrap_or_default())
}

fn build_seen(
    trace: Trace,
    sandbox: &Sandbox,
    turn: Turn<'_>,
    sources: &[SourceFile],
    submission: &Submission,
) -> Result<Built, Failure> {
    let source = written(sources)?;
    let kept = files::temporary_folder()
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    let words = command(sandbox, turn, source.path(), submission)?;
    let keep = Some(kept.path());
    let tools = Tools { shown: trace.shown(), variables: trace.variables() };
    let ran = run(sandbox, words, source.path(), keep, tools, turn, submission)?;
    let flags = submission.flags();
    let traced = trace.end();
    let programs = programs(kept.path(), submission)?;
    let missing = submission.program.names().into_iter().find(|name| !programs.contains_key(*name));
    let missing =
        missing.map(|name| Missing { name, made: others(kept.path(), sources, submission) });
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    let (warnings, more_warnings) = diagnostic::warnings(&text);
    let built = missing.is_none() && ran.ending == Ending::Exited(0);
    let error = (!built)
        .then(|| diagnostic::error(&text, &ran, missing.as_ref(), submission.build.seconds));
    let compilations: Vec<_> =
        traced.commands.iter().map(|command| command.compilation(&flags)).collect();
    let made: Vec<_> =
        programs.iter().map(|(name, it)| (name.clone(), contents(name, it))).collect();
    let mut broken = options::wrong(&compilations, traced.is_whole, &flags, &made, sources);
    broken.extend(assembly::wrong(&traced, submission));
    broken.extend(seen::banned(
        sandbox,
        turn,
        &traced.commands,
        built,
        sources,
        kept.path(),
        submission,
    )?);
    if built {
        let clean = submission.build.clean();
        broken.extend(unclean(sandbox, clean, kept.path(), turn, submission)?);
    }
    let compilations = listed(compilations);
    let command = words.join(" ");
    let report = BuildReport { command, built, compilations, warnings, more_warnings, error };
    Ok(Built { report, broken, programs: if built { programs } else { BTreeMap::new() } })
}

/// The command that builds: the first one whose targets the Makefile has. Where `make` cannot say it, building fails for the same reason.
fn command<'a>(
    sandbox: &Sandbox,
    turn: Turn<'_>,
    sources: &Path,
    submission: &'a Submission,
) -> Result<&'a [String], Failure> {
    let Some((last, others)) = submission.build.commands().split_last() else { return Ok(&[]) };
    for command in others {
        let question = target::question(command);
        let ran = run(sandbox, &question, sources, None, Tools::default(), turn, submission)?;
        let can_tell = matches!(ran.ending, Ending::Exited(_)) && !targets(command).is_empty();
        if !can_tell || target::has_all(&String::from_utf8_lossy(&ran.stdout), command) {
            return Ok(command);
        }
    }
    Ok(last)
}

/// What a command of the build sees beside its folder and the system's programs.
#[derive(Default)]
struct Tools {
    /// Files and folders.
    shown: Vec<PathBuf>,
    variables: Vec<(String, String)>,
}

/// A folder with these files.
fn written(sources: &[SourceFile]) -> Result<TempDir, Failure> {
    let folder = files::temporary_folder()
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    for file in sources {
        fs::write(folder.path().join(&file.name), &file.bytes)
            .map_err(|error| Failure::machine("write a temporary file", error))?;
    }
    Ok(folder)
}

/// Runs a command of the build in a copy of a folder, and keeps what it leaves there.
fn run(
    sandbox: &Sandbox,
    command: &[String],
    folder: &Path,
    keep: Option<&Path>,
    tools: Tools,
    turn: Turn<'_>,
    submission: &Submission,
) -> Result<Ran, Failure> {
    let seconds = Duration::try_from_secs_f64(submission.build.seconds).unwrap_or(Duration::MAX);
    let job = Job {
        command: command.iter().map(Into::into).collect(),
        folder: Some(folder),
        keep,
        shown: tools.shown,
        variables: tools.variables,
        limits: SandboxLimits {
            time: seconds,
            wall: seconds.saturating_mul(2),
            memory: submission.build.memory_mb << 20,
            output: 4 << 20,
            ..SandboxLimits::default()
        },
        core: turn.core,
        cancellation: turn.cancellation,
        ..Job::default()
    };
    let ran = sandbox.run(&job)?;
    match (&ran.ending, command.first()) {
        // The student cannot help it.
        (Ending::NotStarted(why), Some(program)) if sandbox::is_of_machine(program) => {
            let hint = "install it, or change `build` of the submission in harness.yaml";
            Err(cannot_start(program, "builds", why, hint))
        }
        _ => Ok(ran),
    }
}

/// The programs that the course expects, each in a folder of its own.
fn programs(kept: &Path, submission: &Submission) -> Result<Programs, Failure> {
    let mut programs = BTreeMap::new();
    for name in submission.program.names() {
        let file = kept.join(name);
        if !file.symlink_metadata().is_ok_and(|it| it.is_file()) || !files::is_executable(&file) {
            continue;
        }
        let folder = files::temporary_folder()
            .and_then(|folder| fs::copy(&file, folder.path().join(name)).map(|_| folder))
            .map_err(|error| Failure::machine("copy the program", error))?;
        programs.insert(name.to_owned(), folder);
    }
    Ok(programs)
}

/// The first compilations, without what a hostile build adds to them.
fn listed(compilations: Vec<Compilation>) -> Vec<Compilation> {
    let first = compilations.into_iter().take(MOST_COMPILATIONS);
    let short = |Compilation { file, flags }| Compilation {
        file: shortened(&file),
        flags: flags.iter().take(MOST_FLAGS).map(|flag| shortened(flag)).collect(),
    };
    first.map(short).collect()
}

/// The names of the programs that the build left and nobody asked for, in order.
fn others(kept: &Path, sources: &[SourceFile], submission: &Submission) -> Vec<String> {
    let entries = fs::read_dir(kept).into_iter().flatten().flatten();
    let is_program = |entry: &fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file()) && files::is_executable(&entry.path())
    };
    let names = entries.filter(is_program);
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> =
        names.filter(|name| sources.iter().all(|source| source.name != *name)).collect();
    names.retain(|name| !submission.program.names().contains(&name.as_str()));
    names.sort();
    names
}

/// The contents of a program.
fn contents(name: &str, folder: &TempDir) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap_or_default()
}

/// What is left after the command that removes what was built.
fn unclean(
    sandbox: &Sandbox,
    command: &[String],
    built: &Path,
    turn: Turn<'_>,
    submission: &Submission,
) -> Result<Option<(Rule, Problem)>, Failure> {
    if command.is_empty() {
        return Ok(None);
    }
    let after = files::temporary_folder()
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    let ran = run(sandbox, command, built, Some(after.path()), Tools::default(), turn, submission)?;
    let words = command.join(" ");
    if ran.ending != Ending::Exited(0) {
        let problem = Problem::new(format!("`{words}` fails"));
        let hint = "it must remove object files and programs";
        return Ok(Some((Rule::Clean, problem.hint(hint))));
    }
    let mut left: Vec<String> = submission.program.names().into_iter().map(str::to_owned).collect();
    left.retain(|name| after.path().join(name).symlink_metadata().is_ok());
    let entries = fs::read_dir(after.path()).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    left.extend(names.filter(|name| Path::new(name).extension().is_some_and(|it| it == "o")));
    left.sort();
    if left.is_empty() {
        return Ok(None);
    }
    let problem = Problem::new(format!("`{words}` leaves {}", printable(&left.join(", "))));
    Ok(Some((Rule::Clean, problem.hint("it must remove object files and programs"))))
}
