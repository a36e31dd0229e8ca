//! The mutants that a search gave up.

use crate::diagnostic::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A mutant that hung without counting steps, so that the search stopped running it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenUp {
    pub id: String,
    /// Where the source asks for it, each as `file:line`.
    pub places: Vec<String>,
}

impl GivenUp {
    /// The mutant `id`, which the source asks for at `places`.
    pub fn new<'a>(id: &str, places: impl Iterator<Item = &'a Place>) -> Self {
        let place = |place: &Place| {
            let file: PathBuf = place.file.components().collect();
            format!("{}:{}", file.display(), place.line)
        };
        Self { id: id.to_owned(), places: places.map(place).collect() }
    }
}
