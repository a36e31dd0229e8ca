//! `harness shape`: checks inputs against a shape, and makes inputs from one.

mod check;
mod list;
mod sample;

use super::view;
use crate::cli::shape::Shape as Action;
use crate::diagnostic::{Failure, Place, Problem};
use crate::exit::Exit;
use crate::report::shapes::Unreached;
use crate::shape::random::Random;
use crate::shape::{self, Inputs, Reached, Sample, Shape};
use proptest::strategy::ValueTree;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(options: &Action) -> Result<Exit, Failure> {
    match options {
        Action::Check(options) => check::run(options),
        Action::Sample(options) => sample::run(options),
        Action::List(options) => list::run(options),
    }
}

/// A shape with its source.
struct Source {
    file: PathBuf,
    text: Vec<u8>,
    shape: Arc<Shape>,
}

impl Source {
    fn read(file: &Path) -> Result<Self, Failure> {
        let text = view::read(file)?;
        let shape = shape::parse(file, &text);
        let shape = shape.map_err(|problem| {
            let found = Problem::new(problem.message).maybe_hint(problem.hint);
            Failure::usage(found.at(place(file, &text, problem.at)).printable())
        })?;
        Ok(Self { file: file.to_owned(), text, shape: Arc::new(shape) })
    }

    /// Draws an input.
    fn draw(&self, random: &mut Random) -> Result<Sample, shape::Failure> {
        Ok(Inputs::new(self.shape.clone()).tree(random)?.current())
    }

    /// The name of the file, for reports.
    fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// The failure of a shape that makes no inputs.
    fn fails(&self, failure: &shape::Failure) -> Failure {
        let problem = Problem::new(format!("the shape makes no input: {}", failure.message));
        Failure::usage(problem.at(place(&self.file, &self.text, failure.in_shape)).printable())
    }

    /// The failure of a shape by which an input cannot be checked.
    fn cannot_check(&self, input: &Path, failure: &shape::Failure) -> Failure {
        let message = format!("{} cannot be checked: {}", input.display(), failure.message);
        let at = place(&self.file, &self.text, failure.in_shape);
        Failure::usage(Problem::new(message).at(at).printable())
    }

    /// What of the shape was not reached.
    fn unreached(&self, reached: &Reached) -> Vec<Unreached> {
        let missing = reached.missing(&self.shape).into_iter();
        let unreached = missing.map(|missing| {
            let (line, column) = shape::place(&self.text, missing.at);
            Unreached { line, column, what: missing.what }
        });
        unreached.collect()
    }
}

/// The place of an offset.
fn place(file: &Path, text: &[u8], at: usize) -> Place {
    let (line, column) = shape::place(text, at);
    Place::new(file, &String::from_utf8_lossy(text), line, Some(column))
}
