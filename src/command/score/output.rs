//! The reports that were asked for, written side by side.

use super::destination::Destination;
use crate::catalogue::Mutant;
use crate::cli::formats::{FormatName, Wanted};
use crate::cli::{self, Audience};
use crate::course::{Assignment, Course, Level};
use crate::problem::{Failure, Problem};
use crate::report::format::{About, Format};
use crate::report::json::Json;
use crate::report::text::Text;
use crate::report::{SuiteReport, mutants_for_level};
use crate::suite::layout::{self, Group};
use std::io::{self, Write};

/// The reports.
pub(super) struct Output {
    reports: Vec<Report>,
}

/// A report in one format.
struct Report {
    format: Box<dyn Format>,
    destination: Destination,
    audience: Audience,
    /// What its reader may see of the assignment that is being scored.
    level: Level,
}

impl Output {
    /// Finds out that everything that was asked for can be written, before anything is run.
    pub(super) fn open(options: &cli::Score) -> Result<Self, Failure> {
        let mut reports = Vec::new();
        for Wanted { name, file } in wanted(&options.format)? {
            let (destination, out) = match &file {
                Some(path) => Destination::file(path, options.overwrite)?,
                None => Destination::stdout(),
            };
            reports.push(Report { format: format(name, out), destination, audience: options.audience, level: Level::None });
        }
        Ok(Self { reports })
    }

    /// Begins the reports.
    pub(super) fn begin(&mut self, course: &Course) -> Result<(), Failure> {
        self.each(|report| report.format.begin(course))
    }

    /// Begins an assignment.
    pub(super) fn assignment(&mut self, group: &Group<'_>, mutants: &[Mutant]) -> Result<(), Failure> {
        let names: Vec<_> = group.suites.iter().map(|folder| layout::folder_name(folder)).collect();
        self.each(|report| {
            report.level = level(report.audience, group.assignment);
            let (assignment, level, shape) = (group.assignment, report.level, group.shape);
            let mutants = mutants_for_level(mutants, level);
            report.format.assignment(&About { assignment, level, mutants: &mutants, shape, names: &names })
        })
    }

    /// Adds the result of a suite, cut down to what each reader may see.
    pub(super) fn suite(&mut self, suite: &SuiteReport) -> Result<(), Failure> {
        self.each(|report| report.format.suite(&suite.clone().for_level(report.level)))
    }

    /// Ends the assignment.
    pub(super) fn end_assignment(&mut self) -> Result<(), Failure> {
        self.each(|report| report.format.end_assignment())
    }

    /// Ends every report, and puts those that go to files in their places once all of them are whole.
    pub(super) fn end(self) -> Result<(), Failure> {
        let mut whole = Vec::new();
        for Report { format, destination, .. } in self.reports {
            format.end().map_err(|error| Failure::unwritten(&destination.name(), &error))?;
            whole.push(destination);
        }
        whole.into_iter().try_for_each(|destination| {
            let name = destination.name();
            destination.keep().map_err(|error| Failure::unwritten(&name, &error))
        })
    }

    fn each(&mut self, mut write: impl FnMut(&mut Report) -> io::Result<()>) -> Result<(), Failure> {
        self.reports
            .iter_mut()
            .try_for_each(|report| write(report).map_err(|error| Failure::unwritten(&report.destination.name(), &error)))
    }
}

/// What a reader may see.
pub(super) fn level(audience: Audience, assignment: &Assignment) -> Level {
    match audience {
        Audience::Staff => assignment.feedback.staff,
        Audience::Student => assignment.feedback.student,
    }
}

/// The formats that were asked for, each with a place of its own. Text goes to standard output where nothing else does.
fn wanted(asked: &[Wanted]) -> Result<Vec<Wanted>, Failure> {
    let mut all: Vec<Wanted> = Vec::new();
    for format in asked {
        if let Some(other) = all.iter().find(|other| other.file == format.file) {
            let (one, two) = (other.name.word(), format.name.word());
            let place = format.file.as_ref().map_or("standard output".to_owned(), |file| file.display().to_string());
            let hint = format!("name a file for each but one, for example {two}=report.{two}");
            return Err(Failure::usage(Problem::new(format!("`{one}` and `{two}` both go to {place}")).hint(hint)));
        }
        all.push(format.clone());
    }
    if all.iter().all(|format| format.file.is_some()) {
        all.insert(0, Wanted { name: FormatName::Text, file: None });
    }
    Ok(all)
}

fn format(name: FormatName, out: Box<dyn Write>) -> Box<dyn Format> {
    match name {
        FormatName::Text => Box::new(Text::new(out)),
        FormatName::Json => Box::new(Json::new(out)),
    }
}
