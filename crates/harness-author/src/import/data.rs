//! The inputs and answers of a package, in memory.

use super::contents::Package;
use super::submissions::part;
use crate::report::imported::Remark;
use harness::diagnostic::{Failure, Place, Problem};
use harness::domain::How;
use harness::run::interactor::RIGHT;
use harness::run::judge::Judge;
use harness::shape::make::MOST_MADE;
use harness::shape::{self, Inputs, Options, Shape};
use std::collections::BTreeMap;
use subject::{Case, End, Outcome};

/// All data of a package.
pub(super) struct Data {
    pub(super) cases: Vec<Loaded>,
    /// What is wrong with it.
    pub(super) problems: Vec<Remark>,
    /// The size of the largest of some large inputs of the shape.
    largest_of_shape: usize,
}

/// An input with its answer.
pub(super) struct Loaded {
    /// Its path in the package.
    pub(super) name: String,
    pub(super) case: Case,
    answer: Option<Vec<u8>>,
}

impl Data {
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn read(package: &Package) -> Result<Self, Failure> {
        let mut data = Self { cases: Vec::new(), problems: Vec::new(), largest_of_shape: 0 };
        for datum in &package.data {
            let input = package.tree.read(&datum.input)?;
            let answer =
                datum.answer.as_ref().map(|answer| package.tree.read(answer)).transpose()?;
            if answer.is_none() && !package.settings.is_interactive() {
                data.problems.push(part(&datum.input, "has no answer beside it (.ans)"));
            }
            let name = part(&datum.input, "").part;
            let case = Case { input, ..Case::default() };
            data.cases.push(Loaded { name, case, answer });
        }
        Ok(data)
    }

    /// The size of the largest input, of the data or as `generate` can make it.
    pub(super) fn largest(&self) -> usize {
        let sizes = self.cases.iter().map(|datum| datum.case.input.len());
        sizes.fold(self.largest_of_shape, usize::max)
    }

    /// Notes the inputs that are not as the shape describes them, and how large its inputs can be.
    ///
    /// # Errors
    /// If the shape cannot be read.
    pub(super) fn check_shape(&mut self, package: &Package) -> Result<(), Failure> {
        let Some(file) = &package.shape else { return Ok(()) };
        let text = package.tree.read(file)?;
        let shape = shape::parse(file, &text).map_err(|problem| {
            let (line, column) = shape::place(&text, problem.at);
            let source = String::from_utf8_lossy(&text);
            let place = Place::new(&package.tree.shown(file), &source, line, Some(column));
            let found = Problem::new(problem.message).maybe_hint(problem.hint);
            Failure::usage(found.at(place).printable())
        })?;
        for datum in &self.cases {
            if let Err(failure) = shape.check(&datum.case.input, &Options::default()) {
                let (line, column) = shape::place(&datum.case.input, failure.in_input);
                let message = harness::diagnostic::printable(&failure.message);
                let reason = format!("line {line}, column {column}: {message}");
                self.problems.push(Remark { part: datum.name.clone(), reason });
            }
        }
        self.largest_of_shape = largest(shape);
        Ok(())
    }

    /// How `outcome` differs from the answer to an input, if there is an answer. An answer that the checker does not accept says
    /// nothing; it is a problem of the data.
    pub(super) fn fault(&mut self, at: usize, judge: &Judge, outcome: &Outcome) -> Option<String> {
        let datum = &self.cases[at];
        // An interactor has no answer to compare with.
        let stdout =
            if judge.is_interactive() { Some(RIGHT.to_vec()) } else { datum.answer.clone() };
        let right = Outcome {
            end: End::Exit(0),
            stdout: stdout?,
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        match judge.fault(&datum.case, &right, outcome) {
            Ok(fault) => {
                let fault = fault?;
                let how = How::from(fault.how);
                Some(fault.why.map_or_else(|| format!("another {}", how.word()), |why| why.message))
            }
            Err(failure) => {
                let message = failure.problems.first().map(|problem| problem.message.clone());
                let reason =
                    message.as_deref().and_then(|it| it.lines().next()).unwrap_or_default();
                let (part, reason) = (datum.name.clone(), reason.to_owned());
                if !self.problems.iter().any(|known| known.part == part) {
                    self.problems.push(Remark { part, reason });
                }
                None
            }
        }
    }
}

/// About how large the inputs of a shape can be that are made: a power of two.
fn largest(shape: Shape) -> usize {
    const TRIES: u64 = 8;
    let inputs = Inputs::new(shape);
    let mut largest = 0;
    for seed in 0..TRIES {
        let sample = inputs.largest(MOST_MADE as u64, seed);
        largest = sample.map_or(0, |it| it.bytes.len()).max(largest);
        if largest > MOST_MADE / 2 {
            break;
        }
    }
    largest.next_power_of_two().min(MOST_MADE)
}
