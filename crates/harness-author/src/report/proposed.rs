//! The result of `mutants propose`, as text and as JSON.

use crate::candidates::Operator;
use harness::catalogue::Witness;
use harness::diagnostic::printable;
use harness::report::explained;
use harness::report::screen::{BAD, FAINT, GOOD, STRONG, Screen, WriteText};
use harness::report::words::counted;
use harness::result::discarded::Discarded;
use harness::result::engines::SlowerProgram;
use harness::result::explained::MutantDifference;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `mutants propose --format json` writes.
pub const SCHEMA: &str = "harness-proposed/1";

/// Mutants that could be added to the catalogue of an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposed {
    /// `harness-proposed/1`.
    pub schema: String,
    pub assignment: String,
    /// The seed of the random cases.
    pub seed: u64,
    /// The number of changes of the reference's source that compile.
    pub candidates: usize,
    /// The number of changes that do not compile.
    pub not_compiled: usize,
    /// The number of candidates that exceed a limit on their smallest test. They are not proposed.
    pub hanging: usize,
    /// Every case of the alphabet up to this size was tried, unless all candidates were exposed before. Absent if there is no such size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enumerated_size: Option<usize>,
    /// The alphabet: what those cases consist of.
    pub alphabet: String,
    /// The number of those cases.
    pub enumerated: u64,
    /// The number of random cases that were tried.
    pub sampled: u64,
    /// Whether time ran out before the search was complete.
    pub out_of_time: bool,
    /// The number of valid cases on which candidates and mutants were compared, to find out which imply which.
    pub compared: usize,
    /// The number of proposals before `--limit`.
    pub found: usize,
    /// The proposals, those that add the most to the catalogue first.
    pub proposals: Vec<Proposal>,
    /// The candidates that the same cases expose as a mutant or an earlier candidate, with the same outcomes.
    pub twins: Vec<Twin>,
    /// The candidates that no case exposes: equivalent up to the bound.
    pub equivalent: Vec<Change>,
    /// Whether candidates ran under the sanitizers of the compiler. Absent for languages that have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitizers: Option<Sanitizers>,
    /// The programs that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
    /// The inputs that the search discarded. Absent if there are none.
    #[serde(default, skip_serializing_if = "Discarded::is_nothing")]
    pub discarded: Discarded,
}

/// The address and undefined-behaviour sanitizers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sanitizers {
    /// Whether they ran. If not, the compiler or the machine has none.
    pub ran: bool,
    /// What they report of the reference itself. Absent if they report nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A candidate that some case exposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The number for `--accept`, from 1.
    pub number: usize,
    /// The id that `--accept` gives it, unless `--id` names another.
    pub id: String,
    pub change: Change,
    /// The smallest test that exposes it, as far as it is known.
    pub witness: Witness,
    /// The size of its input.
    pub size: usize,
    /// Whether every smaller case was tried, so that none exposes it.
    pub certified: bool,
    /// The share of random tests that expose it.
    pub chance: f64,
    /// The mutant that is exposed most nearly together with it. Absent if none ever is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
    /// A mutant or another candidate that implies it: each compared case that exposes that one exposes this one too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implied_by: Option<Other>,
    /// What the sanitizers report of it, such as a read out of bounds. Such proposals are the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// What the reference and the changed program do on the witness.
    pub difference: MutantDifference,
}

/// A mutant of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nearest {
    pub id: String,
    /// The part of the assignment that it is in, which is probably the candidate's too.
    pub topic: String,
}

/// A mutant of the catalogue, or a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Other {
    /// The mutant's id.
    Mutant(String),
    /// The number of the proposal.
    Proposal(usize),
}

/// A candidate that is not proposed, because another one does the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twin {
    pub change: Change,
    /// What it is a twin of.
    pub of: Other,
}

/// A change of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub file: String,
    /// The line of its start, from 1.
    pub line: usize,
    /// The name of the function around it. Empty if there is none.
    pub function: String,
    pub operator: Operator,
    /// The lines that change.
    pub before: Vec<String>,
    /// What they become.
    pub after: Vec<String>,
}

impl WriteText for Proposed {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let shown = self.proposals.len();
        let text = format!(
            "{}: {} in the source, {} of {}, those that add the most first",
            self.assignment,
            counted(self.candidates, "candidate"),
            shown,
            counted(self.found, "proposal")
        );
        screen.prose(out, &text)?;
        self.proposals.iter().try_for_each(|proposal| proposal.write(out, screen))?;
        writeln!(out)?;
        self.write_others(out, screen)?;
        self.write_sanitizers(out, screen)?;
        screen.discarded(out, &self.discarded)?;
        screen.notes(out, &self.engines)?;
        if shown > 0 {
            let advice = "harness mutants propose --accept N writes a proposal into the source and \
                the catalogue; nothing is changed without it";
            screen.prose(out, advice)?;
        }
        Ok(())
    }
}

impl Proposed {
    /// What became of the candidates that are not proposed, and what was tried.
    fn write_others(&self, out: &mut String, screen: Screen) -> fmt::Result {
        for (count, what) in [
            (self.twins.len(), "a twin of a mutant or of another candidate"),
            (self.equivalent.len(), "equivalent up to the bound: no case exposes it"),
            (self.hanging, "exceeds a limit on its smallest test"),
            (self.not_compiled, "does not compile"),
        ] {
            if count > 0 {
                writeln!(out, "{count:>5}  {what}")?;
            }
        }
        let Self { enumerated, enumerated_size: size, sampled, compared, .. } = self;
        let all = size.map(|size| format!(", all listed up to size {size},")).unwrap_or_default();
        let tried = format!(
            "Tried: {enumerated} small cases{all} and {sampled} random ones; compared on {compared} cases"
        );
        screen.prose(out, &tried)?;
        if self.out_of_time {
            writeln!(out, "Time ran out: a larger --budget may expose more candidates")?;
        }
        Ok(())
    }
}

impl Proposed {
    fn write_sanitizers(&self, out: &mut String, screen: Screen) -> fmt::Result {
        match &self.sanitizers {
            None | Some(Sanitizers { ran: true, reference: None, .. }) => Ok(()),
            Some(Sanitizers { ran: false, .. }) => screen.prose(
                out,
                "Not checked for undefined behaviour, such as reads out of bounds: the compiler or \
                 the machine has no address and undefined-behaviour sanitizers",
            ),
            Some(Sanitizers { reference: Some(reference), .. }) => screen.prose(
                out,
                &format!(
                    "The sanitizers report the reference itself: {}; where they do, no proposal is checked",
                    printable(reference)
                ),
            ),
        }
    }
}

impl Proposal {
    fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Self { number, change, witness, size, .. } = self;
        let place = format!("{}:{}", change.file, change.line);
        writeln!(out)?;
        let label = format!("{number:>3}. {}  ", screen.styled(STRONG, &place));
        screen.field(out, &label, &screen.styled(FAINT, change.operator.in_words()))?;
        for (sign, style, lines) in [("-", BAD, &change.before), ("+", GOOD, &change.after)] {
            for line in lines {
                let line = screen.styled(style, &format!("{sign} {}", printable(line)));
                screen.cut(out, &format!("     {line}"))?;
            }
        }
        writeln!(out)?;
        if let Some(undefined) = &self.undefined {
            let why = format!("{}; what it does is not defined", printable(undefined));
            screen.field(out, &format!("     {}  ", screen.styled(BAD, "undefined:")), &why)?;
        }
        let often = format!("by {:.1} % of random tests", self.chance * 100.0);
        screen.field(out, "     exposed:  ", &often)?;
        if let Some(Nearest { id, topic }) = &self.nearest {
            screen.field(out, "     nearest:  ", &format!("{id} ({topic})"))?;
        }
        let implied = match &self.implied_by {
            None => "by no mutant and no other candidate".to_owned(),
            Some(Other::Mutant(id)) => format!("by the mutant {id}"),
            Some(Other::Proposal(number)) => format!("by proposal {number}"),
        };
        screen.field(out, "     implied:  ", &implied)?;
        let certified = if self.certified { ", certified" } else { "" };
        let flags = if witness.flags.is_empty() { "none" } else { &witness.flags };
        screen.field(out, "     witness:  ", &format!("flags {flags}, size {size}{certified}"))?;
        for line in witness.input.lines() {
            screen.cut(out, &format!("       {}", printable(line)))?;
        }
        writeln!(out)?;
        explained::write_difference(out, &self.difference, "change", screen)
    }
}
