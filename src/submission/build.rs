//! Builds a submission in the sandbox, and says what the compiler really did.

mod diagnostic;
mod trace;

use super::SourceFile;
use crate::course::submission::{Rule, Submission};
use crate::files;
use crate::problem::{Exit, Failure, Problem, printable};
use crate::result::graded::{BuildReport, Compilation};
use crate::sandbox::{Ending, Job, Limits, Ran, Sandbox};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use trace::{Trace, Traced, is_marked};

/// A submission whose build has ended.
pub struct Built {
    pub report: BuildReport,
    /// The rules that the build broke.
    pub broken: Vec<(Rule, Problem)>,
    /// A folder for each program that was built, by name. There is nothing else in it.
    pub programs: BTreeMap<String, TempDir>,
}

/// Builds the files `sources`, on `core`.
///
/// # Errors
/// If the machine fails: there is no compiler, or the sandbox does not work.
pub fn build(
    sandbox: &Sandbox,
    sources: &[SourceFile],
    submission: &Submission,
    core: Option<usize>,
) -> Result<Built, Failure> {
    let folders = || files::temporary_folder();
    let (source, kept) = folders()
        .and_then(|source| Ok((source, folders()?)))
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    for file in sources {
        fs::write(source.path().join(&file.name), &file.bytes)
            .map_err(|error| Failure::machine("write a temporary file", error))?;
    }
    let trace = Trace::new(&submission.flags)?;
    let ran = run(
        sandbox,
        &submission.build.command,
        (source.path(), kept.path()),
        (Some(&trace), core),
        submission,
    )?;
    let traced = trace.end();
    let programs = programs(kept.path(), submission)?;
    let mut broken = wrong_flags(&traced, submission, &programs);
    let missing = submission.program.names().into_iter().find(|name| !programs.contains_key(*name));
    broken.extend(debug_information(&programs, submission));
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    let (warnings, more_warnings) = diagnostic::warnings(&text);
    let built = missing.is_none() && ran.ending == Ending::Exited(0);
    let error = (!built).then(|| diagnostic::error(&text, &ran, missing, submission.build.seconds));
    if built {
        let clean = &submission.build.clean;
        broken.extend(unclean(sandbox, clean, kept.path(), core, submission)?);
    }
    let command = submission.build.command.join(" ");
    let compilations = traced.compilations;
    let report = BuildReport { command, built, compilations, warnings, more_warnings, error };
    Ok(Built { report, broken, programs: if built { programs } else { BTreeMap::new() } })
}

/// Runs a command of the build in a copy of a folder, and keeps what it leaves there. `trace` sees the compilations.
fn run(
    sandbox: &Sandbox,
    command: &[String],
    (folder, keep): (&Path, &Path),
    (trace, core): (Option<&Trace<'_>>, Option<usize>),
    submission: &Submission,
) -> Result<Ran, Failure> {
    let seconds = Duration::try_from_secs_f64(submission.build.seconds).unwrap_or(Duration::MAX);
    let job = Job {
        command: command.iter().map(Into::into).collect(),
        folder: Some(folder),
        keep: Some(keep),
        shown: trace.map_or_else(Vec::new, Trace::shown),
        variables: trace.map_or_else(Vec::new, Trace::variables),
        limits: Limits {
            time: seconds,
            wall: seconds.saturating_mul(2),
            memory: submission.build.memory_mb << 20,
            output: 4 << 20,
            ..Limits::default()
        },
        core,
        ..Job::default()
    };
    let ran = sandbox.run(&job).map_err(|problem| Failure::new(Exit::Machine, problem))?;
    match (&ran.ending, command.first()) {
        // The student cannot help it.
        (Ending::NotStarted(why), Some(program)) if !program.contains('/') => {
            let problem = Problem::new(format!("cannot start `{program}`, which builds: {why}"));
            let hint = "install it, or change `build` of the submission in harness.yaml";
            Err(Failure::new(Exit::Machine, problem.hint(hint)))
        }
        _ => Ok(ran),
    }
}

/// The programs that the course expects, each in a folder of its own.
fn programs(kept: &Path, submission: &Submission) -> Result<BTreeMap<String, TempDir>, Failure> {
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

/// What is wrong with the options of the compiler, by the compilations that were seen.
fn wrong_flags(
    traced: &Traced,
    submission: &Submission,
    programs: &BTreeMap<String, TempDir>,
) -> Vec<(Rule, Problem)> {
    let mut wrong = Vec::new();
    for Compilation { file, flags } in &traced.compilations {
        for required in &submission.flags.required {
            if !has(flags, required) {
                wrong.push(format!("{file} was compiled without {required}"));
            }
        }
        for refused in &submission.flags.refused {
            if has(flags, refused) {
                wrong.push(format!("{file} was compiled with {refused}"));
            }
        }
    }
    if !traced.is_whole {
        wrong.push("the build ran too many compilations to list them".to_owned());
    }
    if !submission.flags.required.is_empty() {
        for (name, _) in
            programs.iter().filter(|(name, folder)| !is_marked(&contents(name, folder)))
        {
            wrong.push(format!("{name} was made by no compilation of gcc or g++ that was seen"));
        }
    }
    let hint = "the Makefile decides; this is what `make` really ran";
    wrong.into_iter().map(|text| (Rule::Flags, Problem::new(printable(&text)).hint(hint))).collect()
}

/// Whether a compiler with these options has `flag`. Of several levels of optimization, the last one counts.
fn has(flags: &[String], flag: &str) -> bool {
    if flag == "-g" {
        let last = flags.iter().rfind(|other| is_debugging(other));
        return last.is_some_and(|last| last != "-g0");
    }
    if flag.starts_with("-O") {
        return flags
            .iter()
            .rfind(|other| other.starts_with("-O"))
            .is_some_and(|last| last == flag);
    }
    flags.iter().any(|other| other == flag)
}

/// Whether an option adds debugging information, or removes it.
fn is_debugging(flag: &str) -> bool {
    flag.strip_prefix("-g").is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with(|c: char| c.is_ascii_digit())
            || ["gdb", "dwarf", "stabs", "xcoff", "vms", "btf", "ctf"]
                .iter()
                .any(|it| rest.starts_with(it))
    })
}

/// The contents of a program.
fn contents(name: &str, folder: &TempDir) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap_or_default()
}

/// Debugging information in a program, whatever the commands were.
fn debug_information(
    programs: &BTreeMap<String, TempDir>,
    submission: &Submission,
) -> Vec<(Rule, Problem)> {
    const SECTION: &[u8] = b"\0.debug_info\0";
    let holds = |name: &str, folder: &TempDir| {
        contents(name, folder).windows(SECTION.len()).any(|window| window == SECTION)
    };
    let is_refused = submission.flags.refused.iter().any(|flag| flag == "-g");
    let found = programs.iter().filter(|(name, folder)| is_refused && holds(name, folder));
    let problem = |name: &String| {
        Problem::new(format!("{name} holds debugging information"))
            .hint("compile and link without -g: it slows the program down")
    };
    found.map(|(name, _)| (Rule::Flags, problem(name))).collect()
}

/// What is left after the command that removes what was built.
fn unclean(
    sandbox: &Sandbox,
    command: &[String],
    built: &Path,
    core: Option<usize>,
    submission: &Submission,
) -> Result<Option<(Rule, Problem)>, Failure> {
    if command.is_empty() {
        return Ok(None);
    }
    let after = files::temporary_folder()
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    let ran = run(sandbox, command, (built, after.path()), (None, core), submission)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_level_of_optimization_counts() {
        let flags = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(has(&flags("-O0 -O3"), "-O3") && !has(&flags("-O3 -O0"), "-O3"));
        assert!(has(&flags("-ggdb3"), "-g") && has(&flags("-g -O3"), "-g"));
        assert!(!has(&flags("-g -g0"), "-g") && !has(&flags("-gno-column-info -gnu"), "-g"));
    }
}
