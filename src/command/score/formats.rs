//! Checks that a format can hold what is scored, and finds what a format needs besides results.

use super::sources;
use crate::catalogue::Mutant;
use crate::command::reports::ReportRequest;
use crate::course::{Audience, Course, Level};
use crate::diagnostic::{Failure, Problem};
use crate::report::formats::Format;
use crate::report::stryker::Source;
use crate::suite::layout::{Group, Shape};
use std::collections::BTreeMap;

/// What is scored.
pub(super) struct Scored<'a> {
    pub(super) course: &'a Course,
    pub(super) groups: &'a [Group<'a>],
    /// The mutants of each group.
    pub(super) catalogues: &'a [Vec<Mutant>],
}

/// Checks that a format can hold the results, and shows its reader no more than the course allows.
pub(super) fn fits(report: &ReportRequest, scored: &Scored<'_>) -> Result<(), Failure> {
    let refused =
        |message: String, hint: &str| Err(Failure::usage(Problem::new(message).hint(hint)));
    let ReportRequest { wanted, audience } = report;
    let Format { name, needs, .. } = wanted.format;
    for Group { assignment, shape, folder, .. } in scored.groups {
        let level = assignment.feedback.level(*audience);
        match (wanted.folder(), shape) {
            (None, Shape::Class) if wanted.format.is_for_platform() => {
                let message = format!(
                    "`{name}` holds the result of one student, and {} is a class",
                    folder.display()
                );
                let hint = format!("to write a file for each student, name a folder: {name}=DIR/");
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
                    &format!("name a file, without the final `/`: {name}=FILE"),
                );
            }
            _ => {}
        }
        // Whoever may see only other names of mutants may not see where they are.
        let has_pseudonyms =
            *audience != Audience::Staff && assignment.feedback.pseudonyms.is_some();
        if level < *needs || (*needs == Level::All && has_pseudonyms) {
            let (always, hidden, hint) = shown(*needs);
            let id = &assignment.id;
            let message =
                format!("`{name}` {always}, but its reader may not see the {hidden} of `{id}`");
            return refused(message, hint);
        }
    }
    Ok(())
}

/// What a format for readers of this level always shows, what is hidden from others, and what to do.
fn shown(needs: Level) -> (&'static str, &'static str, &'static str) {
    match needs {
        Level::All => (
            "shows every mutant in the source",
            "mutants",
            "this format is for staff: --audience staff",
        ),
        _ => (
            "always shows the score",
            "score",
            "set `feedback:` in the course file to `count` or more, or name another --audience",
        ),
    }
}

impl Scored<'_> {
    /// The sources that the mutants of each assignment are in, by its id.
    pub(super) fn sources(&self) -> Result<BTreeMap<String, Vec<Source>>, Failure> {
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
