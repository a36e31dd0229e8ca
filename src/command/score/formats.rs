//! Which formats are written, who reads each of them, and whether it can hold what is scored.

use super::sources;
use crate::catalogue::Mutant;
use crate::cli::formats::{FormatName, Wanted};
use crate::course::{Audience, Course, Level};
use crate::problem::{Failure, Problem};
use crate::report::csv::Csv;
use crate::report::format::Format;
use crate::report::json::Json;
use crate::report::junit::Junit;
use crate::report::markdown::Markdown;
use crate::report::platform::Platform;
use crate::report::screen::Screen;
use crate::report::stryker::{Source, Stryker};
use crate::report::text::Text;
use crate::suite::layout::{Group, Shape};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{self, PathBuf};

/// What is scored.
pub(super) struct Scored<'a> {
    pub(super) course: &'a Course,
    pub(super) groups: &'a [Group<'a>],
    /// The mutants of each group.
    pub(super) catalogues: &'a [Vec<Mutant>],
}

/// Whether a format is read by a platform, which is told the score to keep it even where the reader there may not know it.
fn is_for_a_platform(name: FormatName) -> bool {
    matches!(name, FormatName::Gradescope | FormatName::Prairielearn | FormatName::GithubClassroom)
}

/// Who reads a format: students see what a platform shows.
pub(super) fn reader(name: FormatName) -> Audience {
    if is_for_a_platform(name) { Audience::Normal } else { Audience::Staff }
}

/// What a format is told, for a reader at `level`.
pub(super) fn told(name: FormatName, level: Level) -> Level {
    if is_for_a_platform(name) { level.max(Level::Count) } else { level }
}

/// Checks that a format can hold the results of what is scored, and shows its reader no more than it may.
pub(super) fn fits(
    name: FormatName,
    audience: Audience,
    scored: &Scored<'_>,
) -> Result<(), Failure> {
    let refused = |message, hint| Err(Failure::usage(Problem::new(message).hint(hint)));
    for Group { assignment, shape, folder, .. } in scored.groups {
        let (word, level) = (name.word(), assignment.feedback.level(audience));
        if is_for_a_platform(name) && *shape == Shape::Class {
            let message = format!(
                "`{word}` holds the result of one student, and {} is a class",
                folder.display()
            );
            return refused(message, "score each student's folder on its own");
        }
        if matches!(name, FormatName::Prairielearn | FormatName::GithubClassroom)
            && level < Level::Count
        {
            let message = format!(
                "`{word}` always shows the score, which its reader may not know of `{}`",
                assignment.id
            );
            return refused(
                message,
                "let `feedback:` in the course file tell students the `count`, or name another --audience",
            );
        }
        let has_pseudonyms =
            audience != Audience::Staff && assignment.feedback.pseudonyms.is_some();
        if name == FormatName::Stryker && (level < Level::All || has_pseudonyms) {
            let message = format!(
                "`{word}` shows every mutant in the source, which its reader may not know of `{}`",
                assignment.id
            );
            return refused(message, "it is for the course's staff: --audience staff");
        }
    }
    Ok(())
}

/// The formats that were asked for, each with a place of its own. Text goes to standard output where nothing else does.
pub(super) fn wanted(asked: &[Wanted]) -> Result<Vec<Wanted>, Failure> {
    let mut all: Vec<Wanted> = Vec::new();
    for format in asked {
        if let Some(other) = all.iter().find(|other| whole(other) == whole(format)) {
            let (one, two) = (other.name.word(), format.name.word());
            let place = format
                .file
                .as_ref()
                .map_or("standard output".to_owned(), |file| file.display().to_string());
            let hint = format!("name a file for each but one, for example {two}=report.{two}");
            return Err(Failure::usage(
                Problem::new(format!("`{one}` and `{two}` both go to {place}")).hint(hint),
            ));
        }
        all.push(format.clone());
    }
    if all.iter().all(|format| format.file.is_some()) {
        all.insert(0, Wanted { name: FormatName::Text, file: None });
    }
    Ok(all)
}

/// The file of a format, however it is written.
fn whole(format: &Wanted) -> Option<PathBuf> {
    format.file.as_ref().map(|file| path::absolute(file).unwrap_or_else(|_| file.clone()))
}

/// A writer of the format `name`.
pub(super) fn format(
    name: FormatName,
    out: Box<dyn Write>,
    screen: Screen,
    scored: &Scored<'_>,
) -> Result<Box<dyn Format>, Failure> {
    Ok(match name {
        FormatName::Text => Box::new(Text::new(out, screen)),
        FormatName::Json => Box::new(Json::new(out)),
        FormatName::Csv => Box::new(Csv::new(out)),
        FormatName::Md => Box::new(Markdown::new(out)),
        FormatName::Junit => Box::new(Junit::new(out)),
        FormatName::Gradescope => Box::new(Platform::gradescope(out)),
        FormatName::Prairielearn => Box::new(Platform::prairielearn(out)),
        FormatName::GithubClassroom => Box::new(Platform::classroom(out)),
        FormatName::Stryker => Box::new(Stryker::new(out, scored.sources()?)),
    })
}

impl Scored<'_> {
    /// The sources that the mutants of each assignment are in, by its id.
    fn sources(&self) -> Result<BTreeMap<String, Vec<Source>>, Failure> {
        let groups = self.groups.iter().zip(self.catalogues);
        groups
            .map(|(group, mutants)| {
                Ok((
                    group.assignment.id.clone(),
                    sources::of(self.course, group.assignment, mutants)?,
                ))
            })
            .collect()
    }
}
