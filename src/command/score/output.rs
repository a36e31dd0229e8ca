//! The reports that the command line asks for. All of them are written in one pass.

use super::formats::{self, Scored};
use super::request::Request;
use crate::catalogue::Mutant;
use crate::command::destination::Destination;
use crate::course::Level;
use crate::course::{Audience, Course};
use crate::diagnostic::Failure;
use crate::report::formats::{Format, Given};
use crate::report::writer::{About, Writer};
use crate::result::drawn::{DrawnTest, Shows};
use crate::result::engines::SlowerProgram;
use crate::result::reader::Reader;
use crate::result::{LeftOut, SuiteReport};
use crate::suite::layout::Group;
use std::io::{self, ErrorKind};
use std::mem;

pub(super) struct Output {
    reports: Vec<Report>,
}

/// A report in one format.
struct Report {
    format: &'static Format,
    writer: Box<dyn Writer>,
    destination: Destination,
    audience: Audience,
    /// What its reader may see of the assignment that is being scored.
    reader: Option<Reader>,
}

impl Output {
    /// Opens the reports. Fails now if one of them cannot be written, and not after the run.
    pub(super) fn open(request: &Request, scored: &Scored<'_>) -> Result<Self, Failure> {
        let mut reports = Vec::new();
        for report in &request.reports {
            formats::fits(report, scored)?;
            let suites = scored.groups.iter().flat_map(|group| &group.suites);
            let students = suites.map(|suite| suite.name.as_str());
            let (destination, out) = report.open(students, request.overwrite)?;
            let given = Given { screen: report.screen(), sources: &|| scored.sources() };
            let (format, audience) = (report.wanted.format, report.audience);
            let writer = format.scored(out, &given)?;
            reports.push(Report { format, writer, destination, audience, reader: None });
        }
        Ok(Self { reports })
    }

    /// Begins the reports.
    pub(super) fn begin(&mut self, course: &Course) -> Result<(), Failure> {
        self.each(|report| report.writer.begin(course))
    }

    /// Begins an assignment.
    pub(super) fn assignment(
        &mut self,
        group: &Group<'_>,
        mutants: &[Mutant],
    ) -> Result<(), Failure> {
        let names: Vec<_> = group.suites.iter().map(|suite| suite.name.clone()).collect();
        let left_out: Vec<_> = group.strays.iter().cloned().map(LeftOut::from).collect();
        let files = self.reports.iter().flat_map(|report| report.destination.renamed()).collect();
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
                mutant_names: &reader.names(mutants),
                catalogue: reader.sees_everything().then_some(mutants),
                audience: report.audience,
                names: &names,
                inner_folders: group.inner_folders(),
                left_out: &left_out,
                files: &files,
            };
            report.writer.assignment(&about)?;
            reader.level = report.format.level(level);
            report.reader = Some(reader);
            Ok(())
        })
    }

    /// What the reports show of the tests in the assignment, besides their results.
    pub(super) fn shows(&self) -> Shows {
        let shows = self.reports.iter().map(|report| report.writer.shows());
        shows.max().unwrap_or(Shows::Results)
    }

    /// Adds a test of the next suite to the reports that show tests.
    pub(super) fn test(&mut self, test: &DrawnTest<'_>) -> Result<(), Failure> {
        let input = DrawnTest { draft: test.draft.clone(), outcomes: None, ..*test };
        self.each(|report| match report.writer.shows() {
            Shows::Results => Ok(()),
            Shows::Inputs => report.writer.test(&input),
            Shows::Outcomes => report.writer.test(test),
        })
    }

    /// Adds the result of a suite, cut down to what each reader may see.
    pub(super) fn suite(&mut self, suite: &SuiteReport) -> Result<(), Failure> {
        self.each(|report| {
            let reader = report.reader.as_ref().expect("an assignment was begun");
            report.writer.suite(&reader.suite(suite.clone()))
        })
    }

    /// Adds the programs that ran by a slower engine, for readers who may see everything.
    pub(super) fn engines(&mut self, programs: &[SlowerProgram]) -> Result<(), Failure> {
        self.each(|report| {
            let reader = report.reader.as_ref().expect("an assignment was begun");
            if reader.level == Level::All { report.writer.engines(programs) } else { Ok(()) }
        })
    }

    /// Ends the assignment.
    pub(super) fn end_assignment(&mut self) -> Result<(), Failure> {
        self.each(|report| report.writer.end_assignment())
    }

    /// Ends every report, and puts the files in their places once all reports are complete.
    pub(super) fn end(self) -> Result<(), Failure> {
        let mut kept = Kept::default();
        for Report { writer, destination, .. } in self.reports {
            let name = destination.name();
            kept.add(writer.end(), destination, &name)?;
        }
        // One file that cannot be written does not keep the others from their places.
        let written: Vec<_> = kept
            .or_broken_pipe()?
            .into_iter()
            .map(|destination| {
                let name = destination.name();
                destination.keep().map_err(|error| Failure::unwritten(&name, &error))
            })
            .collect();
        written.into_iter().collect()
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
        self.reports = kept.or_broken_pipe()?;
        Ok(())
    }
}

/// Reports that are still written. A report whose reader has closed the pipe is dropped, so that the others are written.
struct Kept<T> {
    kept: Vec<T>,
    dropped: Option<io::Error>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), dropped: None }
    }
}

impl<T> Kept<T> {
    fn add(&mut self, written: io::Result<()>, report: T, name: &str) -> Result<(), Failure> {
        match written {
            Ok(()) => self.kept.push(report),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.dropped = Some(error),
            Err(error) => return Err(Failure::unwritten(name, &error)),
        }
        Ok(())
    }

    /// The reports that are kept. It is a failure if none is left.
    fn or_broken_pipe(self) -> Result<Vec<T>, Failure> {
        match self.dropped {
            Some(error) if self.kept.is_empty() => Err(Failure::unwritten("the report", &error)),
            _ => Ok(self.kept),
        }
    }
}
