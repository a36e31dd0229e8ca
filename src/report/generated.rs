//! The result of `generate`, as text and as JSON.

use super::against::Against;
use super::disputed::{self, Disputed};
use super::screen::{STRONG, Screen, WriteText};
use super::table::Table;
use super::tried::Tried;
use super::words::counted;
use crate::generate::select::Quality;
use crate::result::discarded::Discarded;
use crate::result::engines::SlowerProgram;
use crate::result::given_up::GivenUp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// The version of the document that `generate --format json` writes.
pub const SCHEMA: &str = "harness-generated/2";

/// The tests that were found and written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// `harness-generated/2`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The folder that the files were written to. Absent if there are none.
    pub folder: Option<String>,
    /// The selected files.
    pub files: Vec<GeneratedFile>,
    /// How good the selection is, as a phrase.
    pub selection: String,
    /// The smallest case that was found for each mutant.
    pub smallest: Vec<Smallest>,
    /// The ids of the mutants that no case exposed.
    pub missed: Vec<String>,
    /// Those of them that were not compared on every small case: they were too slow, or a case is no test. Nothing is proved of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<String>,
    /// Those of them that cases exposed on which right programs differ. Such a case is no test, so nothing is proved of them either.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_disputed: Vec<String>,
    /// The mutants that were exposed only in a form of the file that the assignment's document does not promise. No file is written for
    /// them, because a right program may fail on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lenient: Vec<LenientCase>,
    /// The mutants that were exposed by what is in no test: no time was left to confirm it by a process, or it is no valid test case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<String>,
    /// For each other right program that differs from the reference, the smallest case on which it does. No file is written for such a
    /// case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<Disputed>,
    /// What no time was left for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
    /// How many behaviours these are, if the course counts behaviours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviours: Option<BehavioursGenerated>,
    /// The largest size up to which every case of the alphabet was tried. Absent if there is none.
    #[serde(rename = "enumerated_area", default, skip_serializing_if = "Option::is_none")]
    pub enumerated_size: Option<usize>,
    /// The largest size up to which every case at all was tried. Absent if there is none.
    #[serde(rename = "whole_area", default, skip_serializing_if = "Option::is_none")]
    pub whole_size: Option<usize>,
    /// The alphabet: what these cases contain.
    pub alphabet: String,
    /// The number of cases that were tried.
    pub cases: u64,
    /// The size in bytes of the largest input that was tried for mutants. Absent if it is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub largest_bytes: usize,
    /// The seed of the random cases.
    pub seed: u64,
    /// What stopped the search early. With more time, it may find more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// The differences of a program from the reference, with `--against`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// The programs that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
    /// The mutants that the search stopped running, because they hang without counting steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<GivenUp>,
    /// The inputs that the search discarded. Absent if there are none.
    #[serde(default, skip_serializing_if = "Discarded::is_nothing")]
    pub discarded: Discarded,
}

/// Numbers of behaviours of the catalogue, as in a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BehavioursGenerated {
    /// How many were looked for.
    pub sought: usize,
    /// How many of them a case exposes.
    pub exposed: usize,
    /// How many of them the files expose.
    pub by_files: usize,
}

/// What stops a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The time of `--budget` ran out.
    Time,
    /// The user pressed Ctrl-C.
    Interrupt,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedFile {
    pub file: String,
    /// The size of the input.
    #[serde(rename = "area")]
    pub size: usize,
    /// The ids of the wanted mutants that it exposes.
    pub exposes: Vec<String>,
    /// Whether other files expose all of them too. It exposes them in other ways.
    #[serde(default)]
    pub again: bool,
}

/// The smallest case that was found for a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Smallest {
    /// The id of the mutant.
    pub mutant: String,
    /// The size of the input.
    #[serde(rename = "area")]
    pub size: usize,
    /// Whether every smaller case of the alphabet was tried, so that this is a smallest one of these.
    pub certified: bool,
    /// Whether time ran out before the case was reduced in full.
    #[serde(default)]
    pub cut: bool,
    /// The flags in the file's name.
    pub flags: String,
    /// The contents of the file.
    pub input: String,
    /// The file that it was written to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A case in a form that the document does not promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LenientCase {
    /// The id of the mutant that it exposes.
    pub mutant: String,
    /// What is unusual, such as `no newline at the end`.
    pub form: String,
    /// The flags that a file's name would have.
    pub flags: String,
    /// The contents that the file would have.
    pub input: String,
}

impl WriteText for Generated {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        match &self.against {
            Some(against) => against.write(self, out, screen)?,
            None => self.write_mutants(out, screen)?,
        }
        disputed::write(&self.disputed, out, screen)?;
        if !self.unchecked.is_empty() {
            writeln!(out, "\nNo time was left for")?;
        }
        for what in &self.unchecked {
            writeln!(out, "  {what}")?;
        }
        screen.discarded(out, &self.discarded)?;
        screen.notes(out, &self.engines)?;
        match self.stopped {
            Some(Stopped::Time) => {
                let what = self.would_find();
                writeln!(out, "The time to search ran out: a larger --budget may find {what}")
            }
            Some(Stopped::Interrupt) => {
                let kept = counted(self.files.len(), "test");
                writeln!(out, "Stopped by Ctrl-C: {kept} kept; more time may find more")
            }
            None => Ok(()),
        }
    }
}

impl Generated {
    fn write_mutants(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let assignment = &self.assignment;
        let BehavioursGenerated { sought, exposed, .. } = self.counts();
        if sought == 0 {
            let text =
                format!("{assignment}: nothing to find: the suite exposes all of these mutants");
            return screen.prose(out, &text);
        }
        writeln!(
            out,
            "{assignment}: {exposed} of {sought} {}s exposed, {} cases tried",
            self.noun(),
            self.cases
        )?;
        self.write_files(out, screen)?;
        if !self.smallest.is_empty() {
            writeln!(out, "\nThe smallest case found for each mutant, with its size")?;
        }
        let mut table = Table::new(2).right_aligned(&[1]);
        for smallest in &self.smallest {
            let file = smallest.file.as_ref().map(|file| format!("  {file}")).unwrap_or_default();
            let certificate =
                self.tried().certificate(smallest.certified, smallest.cut, smallest.size);
            let text = format!("{certificate}{file}");
            table.row([smallest.mutant.clone(), format!("{:>3}", smallest.size), text]);
        }
        table.write(out, screen)?;
        self.write_missed(out, screen)?;
        if !self.unconfirmed.is_empty() {
            let why = if self.stopped.is_some() {
                "No time was left to confirm by a process what exposed these"
            } else {
                "What exposed these is no valid test, or one too many"
            };
            writeln!(out, "\n{why}")?;
        }
        for id in &self.unconfirmed {
            writeln!(out, "  {id}")?;
        }
        if !self.lenient.is_empty() {
            let text = "Only forms of a file that the document does not promise exposed these; \
                a right program may fail on them, so no test is written";
            writeln!(out)?;
            screen.prose(out, text)?;
        }
        let mut table = Table::new(2);
        for LenientCase { mutant, form, .. } in &self.lenient {
            table.row([mutant.clone(), form.clone()]);
        }
        table.write(out, screen)?;
        writeln!(out)?;
        screen.prose(out, &self.tried().to_string())
    }

    /// What a longer search may find.
    fn would_find(&self) -> &'static str {
        let finds_all = self.missed.is_empty() && self.unconfirmed.is_empty();
        let is_whole = self.against.is_none() && finds_all && self.unchecked.is_empty();
        if is_whole { "smaller or fewer tests" } else { "more" }
    }

    /// The mutants that no test exposed, with what that proves, and how large the files were.
    fn write_missed(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let equivalent = self.tried().equivalence();
        let (disputed, missed): (Vec<_>, Vec<_>) =
            self.missed.iter().partition(|id| self.only_disputed.contains(id));
        let (unsettled, settled): (Vec<_>, Vec<_>) =
            missed.into_iter().partition(|id| equivalent.is_some() && self.unsettled.contains(id));
        if !settled.is_empty() {
            let equivalent = equivalent.map(|so| format!("; each {so}")).unwrap_or_default();
            writeln!(out)?;
            screen.prose(out, &format!("No case exposed these{equivalent}"))?;
        }
        settled.iter().try_for_each(|id| writeln!(out, "  {id}"))?;
        if !unsettled.is_empty() {
            writeln!(out, "\nNo case exposed these, but they were not compared on every case")?;
        }
        unsettled.iter().try_for_each(|id| writeln!(out, "  {id}"))?;
        if !disputed.is_empty() {
            writeln!(out, "\nOnly cases on which right programs differ exposed these")?;
        }
        disputed.iter().try_for_each(|id| writeln!(out, "  {id}"))?;
        if self.missed.is_empty() || self.largest_bytes == 0 {
            return Ok(());
        }
        writeln!(out, "\nFiles of up to {} were tried", counted(self.largest_bytes, "byte"))
    }

    pub(super) fn tried(&self) -> Tried<'_> {
        Tried { size: self.enumerated_size, whole: self.whole_size, alphabet: &self.alphabet }
    }

    /// The word for what [`Self::counts`] counts.
    fn noun(&self) -> &'static str {
        if self.behaviours.is_some() { "behaviour" } else { "mutant" }
    }

    /// How many mutants there are, or behaviours if the course counts those.
    fn counts(&self) -> BehavioursGenerated {
        let written: BTreeSet<_> = self.files.iter().flat_map(|file| &file.exposes).collect();
        let exposed = self.smallest.len();
        let sought = exposed + self.missed.len() + self.lenient.len() + self.unconfirmed.len();
        let mutants = BehavioursGenerated { sought, exposed, by_files: written.len() };
        self.behaviours.unwrap_or(mutants)
    }

    fn write_files(&self, out: &mut String, screen: Screen) -> fmt::Result {
        if let Some(folder) = &self.folder {
            let BehavioursGenerated { exposed, by_files, .. } = self.counts();
            let share = match by_files {
                all if all == exposed => String::new(),
                some => format!(" ({some} of {})", counted(exposed, self.noun())),
            };
            writeln!(out)?;
            let again = self.files.iter().filter(|file| file.again).count();
            let files = counted(self.files.len() - again, "test");
            let more = match again {
                0 => String::new(),
                _ => format!(", and {again} more that expose the same mutants in other ways"),
            };
            let selection = &self.selection;
            screen.prose(out, &format!("Wrote {files} to {folder}, {selection}{share}{more}"))?;
        }
        let mut table = Table::new(2);
        for GeneratedFile { file, exposes, .. } in &self.files {
            let exposes = format!("exposes {:>2}: {}", exposes.len(), exposes.join(", "));
            table.row([screen.styled(STRONG, file), exposes]);
        }
        table.write(out, screen)
    }
}

/// Whether serde leaves a number out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Describes how good a selection is.
pub fn in_words(quality: Quality) -> String {
    match quality {
        Quality::ProvenFewest => "the fewest of those found that expose all of them".to_owned(),
        Quality::AtLeast(least) => format!("and no selection has fewer than {least}"),
        Quality::ProvenMostPoints => "chosen to expose the most points".to_owned(),
        Quality::AtMostPoints(points) => {
            format!("and no selection of as many is worth more than {points} points")
        }
    }
}
