//! What one reader is told of an assignment: cuts results down, and puts pseudonyms in the place of ids. Every format writes only what
//! comes out here.

use super::{MutantReport, SuiteReport, mutants_for_level};
use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Level};
use crate::problem::Failure;
use crate::result::pseudonym::Pseudonyms;

/// What one reader is told of an assignment.
pub struct Reader {
    /// How much.
    pub level: Level,
    audience: Audience,
    pseudonyms: Option<Pseudonyms>,
}

impl Reader {
    /// What `audience` is told of an assignment with these mutants.
    ///
    /// # Errors
    /// Where two mutants have the same pseudonym.
    pub fn new(
        assignment: &Assignment,
        audience: Audience,
        mutants: &[Mutant],
    ) -> Result<Self, Failure> {
        let pseudonyms = match audience {
            Audience::Staff => None,
            _ => Pseudonyms::of_all(assignment, mutants)?,
        };
        Ok(Self { level: assignment.feedback.level(audience), audience, pseudonyms })
    }

    /// Whether the reader may see hints, witnesses and outputs.
    pub fn sees_everything(&self) -> bool {
        self.audience == Audience::Staff && self.level == Level::All
    }

    /// What the reader may see of the catalogue.
    pub fn mutants(&self, mutants: &[Mutant]) -> Vec<MutantReport> {
        let mut seen = mutants_for_level(mutants, self.level);
        if let Some(pseudonyms) = &self.pseudonyms {
            for mutant in &mut seen {
                mutant.id = pseudonyms.of(&mutant.id).to_owned();
                mutant.summary.clear();
            }
            seen.sort_by(|one, other| one.id.cmp(&other.id));
        }
        seen
    }

    /// What the reader calls the mutants, in order: the order of the ids would tell something of them.
    pub fn names(&self, mutants: &[Mutant]) -> Vec<String> {
        let name = |mutant: &Mutant| {
            self.pseudonyms
                .as_ref()
                .map_or(mutant.id.as_str(), |names| names.of(&mutant.id))
                .to_owned()
        };
        let mut names: Vec<_> = mutants.iter().map(name).collect();
        names.sort();
        names
    }

    /// What the reader may see of a suite's result.
    pub fn suite(&self, suite: SuiteReport) -> SuiteReport {
        let mut seen = suite.for_level(self.level);
        if let Some(pseudonyms) = &self.pseudonyms {
            let named = |id: &String| pseudonyms.of(id).to_owned();
            for test in &mut seen.tests {
                test.exposes = test.exposes.iter().map(named).collect();
                // The order of the ids would tell something of them.
                test.exposes.sort();
                // These are numbers in the order of the ids.
                test.reached = None;
            }
            seen.hints.iter_mut().for_each(|hint| hint.mutant = hint.mutant.as_ref().map(named));
            seen.exposed_by = seen
                .exposed_by
                .into_iter()
                .map(|(id, exposures)| (named(&id), exposures))
                .collect();
        }
        seen
    }
}
