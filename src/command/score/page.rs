//! The page of `--html`: what it is told, and what is run again to show both outputs of a cell.

use super::destination::Destination;
use crate::catalogue::Mutant;
use crate::cli;
use crate::course::{Audience, Course};
use crate::domain::Draft;
use crate::problem::{Failure, Problem};
use crate::report::html::{Begin, DrawnTest, Html};
use crate::result::SuiteReport;
use crate::result::reader::Reader;
use crate::run::matrix::{Row, Runner};
use crate::suite::Test;
use crate::suite::layout::{Group, Shape};
use std::io::Write;
use std::path::Path;
use subject::{Case, End};

/// The page, and where it goes.
pub(super) struct Page {
    html: Html,
    destination: Destination,
    out: Box<dyn Write>,
    audience: Audience,
    /// Who reads of the assignment that is being scored.
    reader: Option<Reader>,
    /// Whether the tests of the assignment are drawn: those of a class are too many.
    draws_tests: bool,
    /// Whether the outputs behind the cells are told.
    tells_outputs: bool,
}

impl Page {
    /// The page that was asked for, if it can be written.
    pub(super) fn open(options: &cli::Score, course: &Course) -> Result<Option<Self>, Failure> {
        let Some(path) = &options.html else { return Ok(None) };
        if options.format.iter().any(|format| format.file.as_deref() == Some(path)) {
            let message = format!("--format and --html both go to {}", path.display());
            return Err(Failure::usage(Problem::new(message).hint("name a file for each")));
        }
        let (destination, out) = Destination::file(Path::new(path), options.overwrite)?;
        let (html, audience) =
            (Html::new(&course.title), options.audience.unwrap_or(Audience::Staff));
        Ok(Some(Self {
            html,
            destination,
            out,
            audience,
            reader: None,
            draws_tests: false,
            tells_outputs: false,
        }))
    }

    /// Begins an assignment.
    pub(super) fn assignment(
        &mut self,
        group: &Group<'_>,
        mutants: &[Mutant],
    ) -> Result<(), Failure> {
        let reader = Reader::new(group.assignment, self.audience, mutants)?;
        let (level, is_staff) = (reader.level, self.audience == Audience::Staff);
        let (assignment, names, shape) = (group.assignment, reader.names(mutants), group.shape);
        let begin = Begin { assignment, mutants, names, shape, level, is_staff };
        self.draws_tests = group.shape == Shape::Suite;
        self.tells_outputs = begin.tells_all();
        self.html.assignment(&begin);
        self.reader = Some(reader);
        Ok(())
    }

    /// Looks again at a test that was run, so that it can be drawn: with what each mutant did that it exposes, if the reader may know.
    pub(super) fn look(
        &mut self,
        test: &Test,
        case: &Case,
        row: &Row,
        runner: &mut dyn Runner,
    ) -> Result<(), Failure> {
        if !self.draws_tests || row.reference.end != End::Exit(0) {
            return Ok(());
        }
        let exposed: Vec<usize> = row.exposed.iter().map(|&(mutant, _)| mutant).collect();
        let outcomes =
            if self.tells_outputs { Some(runner.outcomes(case, &exposed)?) } else { None };
        let draft = Draft { flags: test.name.flags.clone(), input: test.input.clone() };
        self.html.draw(&DrawnTest { file: test.file.clone(), draft, case: case.clone(), outcomes });
        Ok(())
    }

    /// Adds the result of a suite, cut down to what the reader may see.
    pub(super) fn suite(&mut self, suite: &SuiteReport) {
        let reader = self.reader.as_ref().expect("an assignment was begun");
        self.html.suite(&reader.suite(suite.clone()));
    }

    /// Ends the assignment.
    pub(super) fn end_assignment(&mut self) {
        self.html.end_assignment();
    }

    /// Writes the page.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        let name = self.destination.name();
        let page = self.html.finish();
        let written = self.out.write_all(page.as_bytes()).and_then(|()| self.out.flush());
        written
            .and_then(|()| self.destination.keep())
            .map_err(|error| Failure::unwritten(&name, &error))
    }
}
