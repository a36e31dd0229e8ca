//! The result of `generate`, for a person and for a machine.

use super::against::Against;
use super::words::counted;
use crate::generate::select::Quality;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The version of the document that `generate --format json` writes.
pub const SCHEMA: &str = "harness-generated/1";

/// What was found and written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// `harness-generated/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The folder that the files are in, or nothing where there is none to write.
    pub folder: Option<String>,
    /// The selected files.
    pub files: Vec<GeneratedFile>,
    /// How good the selection is, in words.
    pub selection: String,
    /// The smallest case that was found for each mutant.
    pub smallest: Vec<Smallest>,
    /// The mutants that nothing exposed.
    pub missed: Vec<String>,
    /// The largest area up to which every case was tried.
    pub enumerated_area: usize,
    /// What those cases are.
    pub alphabet: String,
    /// How many cases were tried.
    pub cases: u64,
    /// What random cases were drawn from.
    pub seed: u64,
    /// What ended the search before it was done: with more time, more may be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// What was found of a program, where it was not mutants that were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
}

/// What ends a search before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The time that `--budget` gave.
    Time,
    /// Ctrl-C.
    Interrupt,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedFile {
    /// Its name.
    pub file: String,
    /// The area of its map.
    pub area: usize,
    /// The ids of the mutants that it exposes, among those that were looked for.
    pub exposes: Vec<String>,
}

/// The smallest case that was found for a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Smallest {
    /// The mutant's id.
    pub mutant: String,
    /// The area of the map.
    pub area: usize,
    /// Whether every smaller case was tried, so that none exposes it.
    pub certified: bool,
    /// The flags.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
    /// The file that it was written to, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl fmt::Display for Generated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.against {
            Some(against) => against.write(self, f)?,
            None => self.write_mutants(f)?,
        }
        match self.stopped {
            Some(Stopped::Time) => {
                writeln!(f, "Time ran out: with a larger --budget, more may be found")
            }
            Some(Stopped::Interrupt) => {
                writeln!(f, "Stopped by Ctrl-C: with more time, more may be found")
            }
            None => Ok(()),
        }
    }
}

impl Generated {
    fn write_mutants(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sought = self.smallest.len() + self.missed.len();
        if sought == 0 {
            return writeln!(
                f,
                "{}: nothing is left to find: the suite exposes every mutant that was asked for",
                self.assignment
            );
        }
        writeln!(
            f,
            "{}: {} of {sought} mutants exposed, {} cases tried",
            self.assignment,
            self.smallest.len(),
            self.cases
        )?;
        if let Some(folder) = &self.folder {
            let written: BTreeSet<_> = self.files.iter().flat_map(|file| &file.exposes).collect();
            let share = match written.len() {
                all if all == self.smallest.len() => String::new(),
                some => format!(": {some} of the {}", counted(self.smallest.len(), "mutant")),
            };
            writeln!(f, "\nWritten to {folder}, {}{share}", self.selection)?;
        }
        let width = self.files.iter().map(|file| file.file.len()).max().unwrap_or(0);
        for file in &self.files {
            writeln!(
                f,
                "  {:<width$}  exposes {:>2}: {}",
                file.file,
                file.exposes.len(),
                file.exposes.join(", ")
            )?;
        }
        if !self.smallest.is_empty() {
            writeln!(f, "\nThe smallest that was found for each mutant, by area")?;
        }
        let width = self.smallest.iter().map(|smallest| smallest.mutant.len()).max().unwrap_or(0);
        for smallest in &self.smallest {
            let file = smallest.file.as_ref().map(|file| format!("  {file}")).unwrap_or_default();
            writeln!(
                f,
                "  {:<width$}  {:>3}  {}{file}",
                smallest.mutant,
                smallest.area,
                smallness(smallest.certified)
            )?;
        }
        if !self.missed.is_empty() {
            writeln!(
                f,
                "\nNothing exposed these; each is equivalent up to area {}",
                self.enumerated_area
            )?;
        }
        for id in &self.missed {
            writeln!(f, "  {id}")?;
        }
        writeln!(f, "\nUp to area {} all was tried: {}", self.enumerated_area, self.alphabet)
    }
}

/// How small a find is.
pub(super) fn smallness(certified: bool) -> &'static str {
    if certified {
        "certified: nothing smaller exposes it"
    } else {
        "no single step makes it smaller"
    }
}

/// What a selection's quality means, in words.
pub fn in_words(quality: Quality, files: usize) -> String {
    match quality {
        Quality::ProvenFewest => {
            format!("{files}, the fewest of those found that expose all of them")
        }
        Quality::AtLeast(least) => format!("{files}; no selection has fewer than {least}"),
        Quality::ProvenMostPoints => format!("{files}, those that expose the most points"),
        Quality::AtMostPoints(points) => {
            format!("{files}; no selection of as many is worth more than {points} points")
        }
    }
}
