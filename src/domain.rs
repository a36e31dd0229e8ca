//! What the harness knows of an assignment's inputs and outputs.
//!
//! A domain is pure: it gets bytes and gives answers. Everything that is particular to one assignment is behind this trait, in one
//! folder; the rest of the harness knows no colours, rooms or walls.

mod puzzle;
mod text;

use crate::problem::Problem;
use std::collections::BTreeMap;

/// Values of a domain's limits by name.
pub type Limits = BTreeMap<&'static str, u64>;

/// One limit on what a test may describe.
pub struct Limit {
    /// Its key in the course file.
    pub name: &'static str,
    /// Its value where the course file names none.
    pub default: u64,
}

/// What the harness knows of an assignment.
pub trait Domain: Sync {
    /// The name that a course file calls it by.
    fn name(&self) -> &'static str;

    /// The limits that it can check.
    fn limits(&self) -> &'static [Limit];

    /// Checks that `input` is within `limits`. Whether it is *valid* is for the reference to say: what this can't read, it lets pass.
    ///
    /// # Errors
    /// With the limit that it breaks, and the place in the input.
    fn check(&self, input: &[u8], limits: &Limits) -> Result<(), Oversize>;
}

/// A limit that an input breaks.
pub struct Oversize {
    /// The line, from 1.
    pub line: usize,
    /// What is too large.
    pub problem: Problem,
}

static DOMAINS: [&dyn Domain; 2] = [&puzzle::Puzzle, &text::Text];

/// The domain that a course file calls `name`.
pub fn named(name: &str) -> Option<&'static dyn Domain> {
    DOMAINS.into_iter().find(|domain| domain.name() == name)
}

/// The names of all domains.
pub fn names() -> impl Iterator<Item = &'static str> {
    DOMAINS.iter().map(|domain| domain.name())
}
