//! Builds a program that no Makefile makes: with the command of its language, or of the course.

use super::diagnostic;
use super::said;
use super::{Built, Programs, Tools, written};
use crate::course::submission::Submission;
use crate::diagnostic::Failure;
use crate::files;
use crate::result::graded::{BuildReport, Diagnostic};
use crate::sandbox::{Ending, Ran, Sandbox};
use crate::submission::cores::Turn;
use crate::submission::language::Language;
use crate::submission::{SourceFile, check};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Builds the files `sources` in this language.
///
/// # Errors
/// If the machine fails.
pub(super) fn build(
    language: &dyn Language,
    sandbox: &Sandbox,
    sources: &[SourceFile],
    submission: &Submission,
    turn: Turn<'_>,
) -> Result<Built, Failure> {
    let source = written(sources)?;
    let names: Vec<_> = sources.iter().map(|file| file.name.as_str()).collect();
    let words = language.build(&submission.program, &names, submission.build.memory_mb)?;
    if words.is_empty() {
        return finish(language, source.path(), submission, shown(&words), None, sources);
    }
    let kept = files::temporary_folder()
        .map_err(|error| Failure::machine("make a temporary folder", error))?;
    let tools = Tools { shown: language.shown(), variables: Vec::new() };
    let ran =
        super::run(sandbox, &words, source.path(), Some(kept.path()), tools, turn, submission)?;
    finish(language, kept.path(), submission, shown(&words), Some(&ran), sources)
}

/// What a build that left its files in `kept` made.
fn finish(
    language: &dyn Language,
    kept: &Path,
    submission: &Submission,
    command: String,
    ran: Option<&Ran>,
    sources: &[SourceFile],
) -> Result<Built, Failure> {
    let seconds = submission.build.seconds;
    let text = ran.map(|ran| String::from_utf8_lossy(&ran.stderr).into_owned()).unwrap_or_default();
    let has_failed = ran.is_some_and(|ran| ran.ending != Ending::Exited(0));
    let names = submission.program.names();
    let is_missing = |name: &&&str| language.made(name).is_some_and(|it| !kept.join(it).is_file());
    let absent = absent(submission, sources);
    let error = match (ran, names.iter().find(is_missing)) {
        (Some(ran), _) if has_failed => Some(
            diagnostic::stopped(ran, seconds).unwrap_or_else(|| failed(&text, sources, absent)),
        ),
        (_, Some(name)) => absent.or_else(|| {
            let source = sources.iter().find(|source| source.name == **name)?;
            Some(language.why_missing(name, source))
        }),
        (None, _) => absent,
        _ => None,
    };
    let error = error.or_else(|| sources.iter().find_map(|source| language.mistake(source)));
    let (warnings, more_warnings) = diagnostic::warnings(&text);
    let mut programs = Programs::new();
    for name in names.iter().filter(|_| error.is_none()) {
        programs.insert((*name).to_owned(), program(language, name, kept)?);
    }
    let built = error.is_none();
    let report =
        BuildReport { command, built, compilations: Vec::new(), warnings, more_warnings, error };
    Ok(Built { report, broken: Vec::new(), programs })
}

/// Why a build failed that said `text`: the first error in a file, or else that a file is `absent`.
fn failed(text: &str, sources: &[SourceFile], absent: Option<Diagnostic>) -> Diagnostic {
    let error = said::error(text, sources);
    if error.file.is_some() { error } else { absent.unwrap_or(error) }
}

/// The problem that a file is not there that starts the program.
fn absent(submission: &Submission, sources: &[SourceFile]) -> Option<Diagnostic> {
    let has = |name: &str| sources.iter().any(|source| source.name == name);
    let name = submission.starting().into_iter().find(|name| !has(name))?;
    let names = sources.iter().map(|source| source.name.as_str());
    let hint = check::misspelt(name, names);
    let error = Diagnostic::plain(format!("there is no file {name}, which starts the program"));
    Some(Diagnostic { hint, ..error })
}

/// A folder with the files of a program.
fn program(language: &dyn Language, name: &str, kept: &Path) -> Result<TempDir, Failure> {
    let copy = || -> io::Result<TempDir> {
        let folder = files::temporary_folder()?;
        for entry in fs::read_dir(kept)? {
            let entry = entry?;
            let file = entry.file_name();
            if entry.file_type()?.is_file() && language.keeps(name, &file.to_string_lossy()) {
                fs::copy(entry.path(), folder.path().join(file))?;
            }
        }
        Ok(folder)
    };
    copy().map_err(|error| Failure::machine("copy the program", error))
}

/// A command without what only this machine needs: where its compiler is, and limits on the compiler itself.
fn shown(words: &[String]) -> String {
    let program = words.first().map(PathBuf::from);
    let program = program
        .as_ref()
        .and_then(|path| path.file_name())
        .map(|name| name.to_string_lossy().into_owned());
    let rest = words.iter().skip(1).filter(|word| !word.starts_with("-J")).cloned();
    program.into_iter().chain(rest).collect::<Vec<_>>().join(" ")
}
