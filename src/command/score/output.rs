//! The reports that were asked for, written side by side.

use super::destination::Destination;
use super::formats::{self, Scored};
use crate::catalogue::Mutant;
use crate::cli;
use crate::cli::formats::{FormatName, Wanted};
use crate::command::screen;
use crate::course::{Audience, Course};
use crate::problem::Failure;
use crate::report::format::{About, Format};
use crate::report::screen::Screen;
use crate::result::SuiteReport;
use crate::result::reader::Reader;
use crate::suite::layout::{self, Group};
use std::io::{self, ErrorKind};
use std::mem;

/// The reports.
pub(super) struct Output {
    reports: Vec<Report>,
}

/// A report in one format.
struct Report {
    name: FormatName,
    format: Box<dyn Format>,
    destination: Destination,
    audience: Audience,
    /// What its reader may see of the assignment that is being scored.
    reader: Option<Reader>,
}

impl Output {
    /// Finds out that everything that was asked for can be written, before anything is run.
    pub(super) fn open(options: &cli::Score, scored: &Scored<'_>) -> Result<Self, Failure> {
        let mut reports = Vec::new();
        for Wanted { name, file } in formats::wanted(&options.format)? {
            let audience = options.audience.unwrap_or(formats::reader(name));
            formats::fits(name, audience, scored)?;
            let screen = file.as_ref().map_or_else(screen, |_| Screen::default());
            let (destination, out) = match &file {
                Some(path) => Destination::file(path, options.overwrite)?,
                None => Destination::stdout(),
            };
            let format = formats::format(name, out, screen, scored)?;
            reports.push(Report { name, format, destination, audience, reader: None });
        }
        Ok(Self { reports })
    }

    /// Begins the reports.
    pub(super) fn begin(&mut self, course: &Course) -> Result<(), Failure> {
        self.each(|report| report.format.begin(course))
    }

    /// Begins an assignment.
    pub(super) fn assignment(
        &mut self,
        group: &Group<'_>,
        mutants: &[Mutant],
    ) -> Result<(), Failure> {
        let names: Vec<_> = group.suites.iter().map(|folder| layout::folder_name(folder)).collect();
        let mut readers = Vec::new();
        for report in &self.reports {
            readers.push(Reader::new(group.assignment, report.audience, mutants)?);
        }
        let mut readers = readers.into_iter();
        self.each(|report| {
            let mut reader = readers.next().expect("each report has a reader");
            let (assignment, level, shape) = (group.assignment, reader.level, group.shape);
            let about = About {
                assignment,
                level,
                mutants: &reader.mutants(mutants),
                shape,
                audience: report.audience,
                names: &names,
            };
            report.format.assignment(&about)?;
            reader.level = formats::told(report.name, level);
            report.reader = Some(reader);
            Ok(())
        })
    }

    /// Adds the result of a suite, cut down to what each reader may see.
    pub(super) fn suite(&mut self, suite: &SuiteReport) -> Result<(), Failure> {
        self.each(|report| {
            let reader = report.reader.as_ref().expect("an assignment was begun");
            report.format.suite(&reader.suite(suite.clone()))
        })
    }

    /// Ends the assignment.
    pub(super) fn end_assignment(&mut self) -> Result<(), Failure> {
        self.each(|report| report.format.end_assignment())
    }

    /// Ends every report, and puts those that go to files in their places once all of them are whole.
    pub(super) fn end(self) -> Result<(), Failure> {
        let mut kept = Kept::default();
        for Report { format, destination, .. } in self.reports {
            let name = destination.name();
            kept.add(format.end(), destination, &name)?;
        }
        kept.or_given_up()?.into_iter().try_for_each(|destination| {
            let name = destination.name();
            destination.keep().map_err(|error| Failure::unwritten(&name, &error))
        })
    }

    fn each(
        &mut self,
        mut write: impl FnMut(&mut Report) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut kept = Kept::default();
        for mut report in mem::take(&mut self.reports) {
            let (written, name) = (write(&mut report), report.destination.name());
            kept.add(written, report, &name)?;
        }
        self.reports = kept.or_given_up()?;
        Ok(())
    }
}

/// What is still to be written. A report whose reader has had enough is given up, so that the others are written.
struct Kept<T> {
    kept: Vec<T>,
    given_up: Option<io::Error>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), given_up: None }
    }
}

impl<T> Kept<T> {
    fn add(&mut self, written: io::Result<()>, report: T, name: &str) -> Result<(), Failure> {
        match written {
            Ok(()) => self.kept.push(report),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.given_up = Some(error),
            Err(error) => return Err(Failure::unwritten(name, &error)),
        }
        Ok(())
    }

    /// What is kept; that nothing is left is a failure.
    fn or_given_up(self) -> Result<Vec<T>, Failure> {
        match self.given_up {
            Some(error) if self.kept.is_empty() => Err(Failure::unwritten("the report", &error)),
            _ => Ok(self.kept),
        }
    }
}
