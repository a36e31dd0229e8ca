//! The result of `mutants witness`, as text and as JSON.

mod drawn;

pub use drawn::{DrawnCases, DrawnMutant};

use super::screen::{STRONG, Screen, WriteText};
use super::table::Table;
use super::tried::Tried;
use crate::catalogue::Witness;
use crate::domain::How;
use crate::result::discarded::Discarded;
use crate::result::engines::SlowerProgram;
use crate::result::given_up::GivenUp;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `mutants witness --format json` writes.
pub const SCHEMA: &str = "harness-witnessed/1";

/// The witnesses that were searched for or recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witnessed {
    /// `harness-witnessed/1`.
    pub schema: String,
    /// The result of the search for each assignment.
    pub assignments: Vec<WitnessedAssignment>,
    /// The result for each assignment whose tests are unit tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<DrawnCases>,
    /// The result of `--record` for each mutant that has a witness.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<RecordedWitness>,
}

impl Default for Witnessed {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            assignments: Vec::new(),
            drawn: Vec::new(),
            recorded: Vec::new(),
        }
    }
}

/// The result of `--record` for one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedWitness {
    /// The assignment's id.
    pub assignment: String,
    /// The mutant's id.
    pub id: String,
    /// What happened to the record in the catalogue file.
    pub record: Record,
}

/// What `--record` does to the record of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// There was none, and it was added.
    Added,
    /// The reference does something else than before, and the record was replaced.
    Replaced,
    /// The reference does what is recorded.
    Unchanged,
    /// The reference rejects the witness, so nothing is recorded.
    Rejected,
}

/// The result of one assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WitnessedAssignment {
    pub assignment: String,
    /// Every case of the alphabet up to this size was tried, unless all mutants were exposed before. Absent if there is no such size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enumerated_size: Option<usize>,
    /// The largest size up to which every case at all was tried. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_size: Option<usize>,
    /// The alphabet: what those cases consist of.
    pub alphabet: String,
    /// The number of those cases.
    pub enumerated: u64,
    /// The number of random cases that were tried.
    pub sampled: u64,
    /// Whether time ran out before the search was complete.
    pub out_of_time: bool,
    /// The mutants, in the order of their ids.
    pub mutants: Vec<WitnessedMutant>,
    /// Mutants that the same cases of the corpus expose, with the same outcomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<Vec<String>>,
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

/// The result of one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WitnessedMutant {
    pub id: String,
    /// What happened to its catalogue file.
    pub status: Status,
    /// The witness, if a case exposes the mutant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundWitness>,
}

/// What happened to a catalogue file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The witness was written into it.
    Written,
    /// The witness in it is already the smallest.
    Kept,
    /// No case that was tried exposes the mutant.
    NotExposed,
    /// Only cases expose it on which right programs differ, which are no tests.
    OnlyDisputed,
    /// A case exposed it in the search, and no process confirmed that.
    Unconfirmed,
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundWitness {
    pub witness: Witness,
    /// The size of its input.
    pub size: usize,
    /// Whether every smaller case of the alphabet was tried, so that none of these exposes the mutant.
    pub certified: bool,
    /// Whether time ran out before the case was reduced in full.
    #[serde(default)]
    pub cut: bool,
    /// How the mutant differs on it.
    pub how: How,
    /// The form in which the mutant shows, if it shows only in one that the assignment's document does not promise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

impl WriteText for Witnessed {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        if self.assignments.is_empty() && self.drawn.is_empty() && self.recorded.is_empty() {
            writeln!(out, "nothing to do: every mutant has a witness")?;
        }
        self.write_recorded(out, screen)?;
        self.drawn.iter().try_for_each(|drawn| drawn.write(out, screen))?;
        self.assignments.iter().try_for_each(|assignment| assignment.write(out, screen))
    }
}

impl Witnessed {
    /// The number of records of each kind, with the ids of those that need a person's attention.
    fn write_recorded(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let of =
            |record: Record| self.recorded.iter().filter(move |mutant| mutant.record == record);
        for (record, text) in [
            (Record::Unchanged, "unchanged"),
            (Record::Added, "added"),
            (Record::Replaced, "replaced; check that the reference is right"),
            (Record::Rejected, "not recorded: the reference rejects the witness"),
        ] {
            let count = of(record).count();
            if count > 0 {
                writeln!(out, "{count:>4} {text}")?;
            }
            if matches!(record, Record::Replaced | Record::Rejected) {
                of(record).try_for_each(|mutant| screen.field(out, "     ", &mutant.id))?;
            }
        }
        Ok(())
    }
}

impl WitnessedAssignment {
    fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Self { assignment, enumerated, sampled, .. } = self;
        let tried =
            Tried { size: self.enumerated_size, whole: self.whole_size, alphabet: &self.alphabet };
        let equivalence = tried.equivalence().map(|so| format!(": {so}")).unwrap_or_default();
        writeln!(out, "{assignment}: {enumerated} small cases and {sampled} random cases tried")?;
        let mut table = Table::new(2);
        for WitnessedMutant { id, status, found } in &self.mutants {
            let text = match found {
                None if *status == Status::OnlyDisputed => {
                    "only cases on which right programs differ exposed it".to_owned()
                }
                None if *status == Status::Unconfirmed => {
                    let why = if self.out_of_time {
                        "no time was left for it"
                    } else {
                        "it does not do the same each time"
                    };
                    format!("a case exposed it, and no process confirmed that: {why}")
                }
                None if self.out_of_time => format!("not found in time{equivalence}"),
                None => format!("nothing exposes it{equivalence}"),
                Some(found) => found.in_words(*status, tried),
            };
            table.row([screen.styled(STRONG, id), text]);
        }
        table.write(out, screen)?;
        screen.prose(out, &tried.to_string())?;
        let has_unexposed = self.mutants.iter().any(|mutant| mutant.status == Status::NotExposed);
        if !self.out_of_time && has_unexposed {
            let advice = "If nothing exposes a mutant, move its bug to where it has an effect, \
                or explain it with `expect: { equivalent: … }`";
            screen.prose(out, advice)?;
        }
        for twins in &self.twins {
            let text = format!(
                "Twins: {}; each case that exposes one exposes the others in the same way",
                twins.join(", ")
            );
            screen.prose(out, &text)?;
        }
        screen.discarded(out, &self.discarded)?;
        screen.notes(out, &self.engines)?;
        let is_certified =
            |mutant: &WitnessedMutant| mutant.found.as_ref().is_some_and(|found| found.certified);
        if self.out_of_time && self.mutants.iter().all(is_certified) {
            writeln!(
                out,
                "Time ran out before twins were looked for; a larger --budget finds them"
            )?;
        } else if self.out_of_time {
            writeln!(
                out,
                "Stopped early: what was found is kept, twins were not looked for, and a larger --budget may find more"
            )?;
        }
        Ok(())
    }
}

impl FoundWitness {
    fn in_words(&self, status: Status, tried: Tried<'_>) -> String {
        let status = if status == Status::Kept { "kept   " } else { "written" };
        let certified = tried.certificate(self.certified, self.cut, self.size);
        let form = self.form.as_ref().map(|form| {
            format!("; shows only in a form that the document does not promise: {form}")
        });
        let form = form.unwrap_or_default();
        format!("{status}  size {:>2}, by {}; {certified}{form}", self.size, self.how.word())
    }
}
