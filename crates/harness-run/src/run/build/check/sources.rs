//! Checks sources in any language but Rust.

use super::CompileError;
use crate::course::{Assignment, Course, Sources};
use crate::diagnostic::{Failure, Problem};
use crate::run::build::compiler::Compilation;
use crate::run::build::language::{Build, builder};
use crate::run::build::{self, Variant};
use crate::run::parallel;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Output;

pub(super) fn check(
    course: &Course,
    assignment: &Assignment,
    sources: &Sources,
    folder: &Path,
) -> Result<Vec<CompileError>, Failure> {
    let build = Build::new(course, assignment, sources, Variant::Combined);
    let outputs = builder(sources.language).check(&build)?;
    let mut errors = Vec::new();
    for output in outputs.into_iter().filter(|output| !output.status.success()) {
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        let found = errors_in(&printed, folder);
        if found.iter().all(|error| error.places.is_empty()) {
            let message = format!("cannot check {}\n{}", folder.display(), printed.trim_end());
            return Err(Failure::broken_course(Problem::new(message)));
        }
        errors.extend(found.into_iter().filter(|error| !error.places.is_empty()));
    }
    Ok(errors)
}

/// The errors that a compiler printed. What led to an error in a library's file comes before it or after it.
fn errors_in(printed: &str, folder: &Path) -> Vec<CompileError> {
    let mut errors: Vec<CompileError> = Vec::new();
    let mut before = Vec::new();
    for line in printed.lines() {
        let Some((path, row, column, message)) = located(line) else { continue };
        let place = path.strip_prefix(folder).ok().and_then(|within| {
            let text = fs::read_to_string(path).ok()?;
            let (line, start) = line_from(&text, row, column)?;
            Some([(within.to_owned(), start), (within.to_owned(), line)])
        });
        if message.starts_with("error") || message.starts_with("fatal error") {
            let places = place.into_iter().chain(before.drain(..).rev()).collect::<Vec<_>>();
            // Where an error begins tells more than its line.
            let (starts, lines): (Vec<_>, Vec<_>) = places.into_iter().map(<_>::into).unzip();
            let places = starts.into_iter().chain(lines).collect();
            errors.push(CompileError { places, is_start: true, text: line.to_owned() });
        } else if message.starts_with("note") {
            errors
                .last_mut()
                .into_iter()
                .for_each(|error| error.places.extend(place.clone().into_iter().flatten()));
        } else {
            before.extend(place);
        }
    }
    errors
}

/// The parts of a line such as `main.cpp:3:7: error: …`.
fn located(line: &str) -> Option<(&Path, usize, usize, &str)> {
    let (place, message) = line.split_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let (column, row) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((Path::new(parts.next()?), row, column, message.trim_start()))
}

/// A line, and its rest from this column.
fn line_from(text: &str, row: usize, column: usize) -> Option<(Range<usize>, Range<usize>)> {
    let mut start = 0;
    for _ in 1..row {
        start += text[start..].find('\n')? + 1;
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let at = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let end = start + line.len();
    Some((start..end, start + at..end))
}

impl Compilation<'_> {
    /// Checks each source, this many at a time.
    pub(in crate::run::build) fn check(&self, jobs: usize) -> Result<Vec<Output>, Failure> {
        let include = self.include()?;
        let files: Vec<PathBuf> = self.sources().cloned().collect();
        let outputs = parallel::map(files.len(), jobs, |at| {
            // A tab is one column, as in the place of a candidate.
            let options = ["-fsyntax-only", "-ftabstop=1"].map(str::to_owned);
            let mut command = self.compiling(&files[at], &include, &options);
            Ok(build::run(command.env("LC_ALL", "C"), self.compiler()))
        })?;
        outputs.into_iter().collect()
    }
}
