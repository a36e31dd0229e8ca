//! Makes the writers of formats, and checks that a format can hold what is scored.

use super::sources;
use crate::catalogue::Mutant;
use crate::cli::formats::FormatName;
use crate::course::{Audience, Course, Level};
use crate::problem::{Failure, Problem};
use crate::report::csv::Csv;
use crate::report::format::Format;
use crate::report::html::Html;
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
pub(super) fn fits(
    name: FormatName,
    audience: Audience,
    scored: &Scored<'_>,
) -> Result<(), Failure> {
    let refused = |message, hint| Err(Failure::usage(Problem::new(message).hint(hint)));
    for Group { assignment, shape, folder, .. } in scored.groups {
        let (word, level) = (name.word(), assignment.feedback.level(audience));
        if name.is_for_platform() && *shape == Shape::Class {
            let message = format!(
                "`{word}` holds the result of one student, and {} is a class",
                folder.display()
            );
            return refused(message, "score each student's folder separately");
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
