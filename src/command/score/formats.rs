//! Makes the writers of formats, and checks that a format can hold what is scored.

use super::request::ReportRequest;
use super::sources;
use crate::catalogue::Mutant;
use crate::cli::formats::FormatName;
use crate::course::{Audience, Course, Level};
use crate::diagnostic::{Failure, Problem};
use crate::report::csv::Csv;
use crate::report::format::Format;
use crate::report::html::Html;
use crate::report::json::Json;
use crate::report::junit::Junit;
use crate::report::markdown::Markdown;
use crate::report::platform::{Documents, Kind, Platform};
use crate::report::screen::Screen;
use crate::report::stryker::{Source, Stryker};
use crate::report::text::Text;
use crate::suite::layout::{Group, Shape};
use std::collections::BTreeMap;
use std::io::Write;

/// What is scored.
pub(super) struct Scored<'a> {
    pub(super) course: &'a Course,
    pub(super) groups: &'a [Group<'a>],
    /// The mutants of each group.
    pub(super) catalogues: &'a [Vec<Mutant>],
}

/// How much a format gets for a reader at `level`. A platform needs the score, even if its reader may not see it.
pub(super) fn level(name: FormatName, level: Level) -> Level {
    if name.is_for_platform() { level.max(Level::Count) } else { level }
}

/// Checks that a format can hold the results, and shows its reader no more than the course allows.
pub(super) fn fits(report: &ReportRequest, scored: &Scored<'_>) -> Result<(), Failure> {
    let refused =
        |message: String, hint: &str| Err(Failure::usage(Problem::new(message).hint(hint)));
    let (name, audience) = (report.name, report.audience);
    for Group { assignment, shape, folder, .. } in scored.groups {
        let (word, level) = (name.word(), assignment.feedback.level(audience));
        match (report.folder(), shape) {
            (None, Shape::Class) if name.is_for_platform() => {
                let message = format!(
                    "`{word}` holds the result of one student, and {} is a class",
                    folder.display()
                );
                let hint = format!("to write a file for each student, name a folder: {word}=DIR/");
                return refused(message, &hint);
            }
            (Some(results), Shape::Suite) => {
                let message = format!(
                    "{} is for a file for each student, and {} is not a class",
                    results.display(),
                    folder.display()
                );
                return refused(
                    message,
                    &format!("name a file, without the final `/`: {word}=FILE"),
                );
            }
            _ => {}
        }
        if matches!(name, FormatName::Prairielearn | FormatName::GithubClassroom)
            && level < Level::Count
        {
            let message = format!(
                "`{word}` always shows the score, but its reader may not see the score of `{}`",
                assignment.id
            );
            return refused(
                message,
                "set `feedback:` in the course file to `count` or more, or name another --audience",
            );
        }
        let has_pseudonyms =
            audience != Audience::Staff && assignment.feedback.pseudonyms.is_some();
        if name == FormatName::Stryker && (level < Level::All || has_pseudonyms) {
            let message = format!(
                "`{word}` shows every mutant in the source, but its reader may not see the mutants of `{}`",
                assignment.id
            );
            return refused(message, "this format is for staff: --audience staff");
        }
    }
    Ok(())
}

/// The documents of the platform that reads the format `name`.
pub(super) fn platform(name: FormatName) -> Option<Kind> {
    match name {
        FormatName::Gradescope => Some(Kind::GRADESCOPE),
        FormatName::Prairielearn => Some(Kind::PRAIRIELEARN),
        FormatName::GithubClassroom => Some(Kind::CLASSROOM),
        _ => None,
    }
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
        FormatName::Gradescope => Box::new(Platform::new(Kind::GRADESCOPE, Documents::One(out))),
        FormatName::Prairielearn => {
            Box::new(Platform::new(Kind::PRAIRIELEARN, Documents::One(out)))
        }
        FormatName::GithubClassroom => {
            Box::new(Platform::new(Kind::CLASSROOM, Documents::One(out)))
        }
        FormatName::Stryker => Box::new(Stryker::new(out, scored.sources()?)),
        FormatName::Html => Box::new(Html::new(out)),
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
