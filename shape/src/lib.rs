//! Shapes: what the inputs of an assignment look like, as data.
//!
//! A shape is read or made as a sequence of choices ([`choice`]). One interpreter does both: it runs on a [`medium`], which either reads an
//! input and checks it, or writes one. So an input can be checked, drawn at random, shrunk and changed, all by the same description.

pub mod choice;
pub mod ctd;
pub mod medium;
pub mod number;
pub mod pattern;
pub mod value;

/// A mistake in a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The offset in the shape's source, in bytes.
    pub at: usize,
    pub message: String,
}

/// The line and the column of an offset, both from 1. A column counts bytes.
pub fn place(source: &[u8], at: usize) -> (usize, usize) {
    let before = &source[..at.min(source.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    (line, before.len() - start + 1)
}
