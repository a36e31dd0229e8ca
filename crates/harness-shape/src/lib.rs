//! Shapes: what the inputs of an assignment look like, as data.
//!
//! A shape is read or made as a sequence of choices ([`choice`]). One interpreter ([`run`]) does both: it runs on a [`stream`], which
//! either reads an input and checks it, or writes one. So an input can be checked, drawn at random, listed, shrunk and changed, all by the
//! same description. Two languages describe shapes: checktestdata ([`ctd`]) and YAML ([`yaml`]).
//!
//! Whenever the shape leaves something open, the writer makes a *choice*, a number below the number of its options, of which a lower
//! one is simpler. The reader can record the choices that would make its input. Everything else works on choices: `enumerate.rs` raises
//! the last one that can be raised, `smaller.rs` deletes and lowers some, `neighbour.rs` makes some again, and each result is run
//! again, so that it is valid by construction. Only `text_change.rs` changes the text of an input and drops what is not valid, because one
//! other choice may change what all later ones mean.
//!
//! Inputs are drawn in one way: a shape is a strategy of `proptest` ([`Inputs`]). So the property tests of any Rust program can use one:
//!
//! ```
//! use harness_shape::inputs;
//! use proptest::prelude::*;
//!
//! proptest!(|(map in inputs("docs/shapes/puzzle.yaml").at_most("rows", 10))| {
//!     let text = map.text();
//!     let rows: Vec<&str> = text.lines().skip(1).filter(|line| !line.starts_with("//")).collect();
//!     prop_assert!((1..=10).contains(&rows.len()));
//!     prop_assert_eq!(rows.concat().matches('?').count(), 1);
//! });
//! ```
//!
//! Every run counts its steps, and every regular expression its work, so that no shape and no input takes for ever.

mod apart;
pub mod choice;
mod colour;
pub mod ctd;
mod distinct;
mod edges;
mod enumerate;
mod figure;
mod follow;
mod grid;
mod lengths;
mod literals;
pub mod make;
mod mistaken;
mod neighbour;
pub mod number;
pub mod pattern;
pub mod random;
pub mod reached;
pub mod run;
mod sizes;
mod smaller;
mod strategy;
pub mod stream;
mod structure;
mod text_change;
pub mod tree;
mod usual;
pub mod value;
pub mod yaml;

use std::path::Path;

pub use colour::Colour;
pub use enumerate::{Listed, ListedInput};
pub use literals::Literals;
pub use make::Input;
pub use reached::Reached;
pub use run::{Exceeded, Failure, Most, Options};
pub use smaller::Steps;
pub use strategy::{InputTree, Inputs, Sample, inputs};
pub use tree::Shape;

/// A mistake in a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The offset in the shape's source, in bytes.
    pub at: usize,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), hint: None }
    }
}

/// Parses a shape: a checktestdata script if the name of its file ends in `.ctd`, or else a description in YAML.
///
/// # Errors
/// At the first thing that is wrong.
pub fn parse(file: &Path, source: &[u8]) -> Result<Shape, Problem> {
    if file.extension().is_some_and(|extension| extension == "ctd") {
        yaml::with_usual_in_comments(source, ctd::parse(source)?)
    } else {
        yaml::parse(source)
    }
}

/// The most bytes of a shape's source.
pub const MOST_BYTES: usize = 1 << 20;

/// The line and the column of an offset, both from 1. A column counts characters.
pub fn place(source: &[u8], at: usize) -> (usize, usize) {
    let before = &source[..at.min(source.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}
