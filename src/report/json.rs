//! `--format json`: one document with a line for each suite. Each is written as soon as it is scored, so that a class of any size needs
//! the same memory.

use super::writer::{About, Writer};
use crate::course::Course;
use crate::result::engines::SlowerProgram;
use crate::result::{SCHEMA, SuiteReport};
use serde::Serialize;
use serde_json::to_string;
use std::io::{self, Write};
use std::mem;

/// Writes a [`Report`](super::Report) piece by piece.
pub struct Json<W: Write> {
    out: W,
    assignments: usize,
    suites: usize,
    engines: Vec<SlowerProgram>,
}

impl<W: Write> Json<W> {
    pub fn new(out: W) -> Self {
        Self { out, assignments: 0, suites: 0, engines: Vec::new() }
    }
}

impl<W: Write> Writer for Json<W> {
    fn begin(&mut self, course: &Course) -> io::Result<()> {
        write!(
            self.out,
            "{{\"schema\":{},\"course\":{},\"assignments\":[",
            text(SCHEMA)?,
            text(&course.title)?
        )
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        let comma = if self.assignments == 0 { "" } else { "," };
        let (id, title, mutants) =
            (text(&about.assignment.id)?, text(&about.assignment.title)?, text(about.mutants)?);
        write!(self.out, "{comma}\n{{\"id\":{id},\"title\":{title},\"mutants\":{mutants}")?;
        if !about.left_out.is_empty() {
            write!(self.out, ",\"left_out\":{}", text(about.left_out)?)?;
        }
        if !about.files.is_empty() {
            write!(self.out, ",\"files\":{}", text(about.files)?)?;
        }
        write!(self.out, ",\"suites\":[")?;
        self.assignments += 1;
        self.suites = 0;
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let comma = if self.suites == 0 { "" } else { "," };
        self.suites += 1;
        write!(self.out, "{comma}\n{}", text(suite)?)
    }

    fn engines(&mut self, programs: &[SlowerProgram]) -> io::Result<()> {
        self.engines = programs.to_vec();
        Ok(())
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        match mem::take(&mut self.engines) {
            none if none.is_empty() => write!(self.out, "\n]}}"),
            engines => write!(self.out, "\n],\"engines\":{}}}", text(&engines)?),
        }
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        writeln!(self.out, "\n]}}")?;
        self.out.flush()
    }
}

fn text(value: &(impl Serialize + ?Sized)) -> io::Result<String> {
    Ok(to_string(value)?)
}
