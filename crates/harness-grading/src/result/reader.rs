//! Cuts results down to what one reader may see, and replaces ids by pseudonyms. Every format writes only these results.

use super::{MutantReport, SuiteReport, mutants_for_level};
use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Level};
use crate::diagnostic::Failure;
use crate::result::coverage::CoverageReport;
use crate::result::grade;
use crate::result::pseudonym::Pseudonyms;

/// What one reader may see of an assignment's results.
pub struct Reader {
    pub level: Level,
    audience: Audience,
    pseudonyms: Option<Pseudonyms>,
}

impl Reader {
    /// The reader `audience` of an assignment with these mutants.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
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

    /// Whether the reader may see where programs are wrong: whoever may see only other names of mutants may not.
    pub fn sees_places(&self) -> bool {
        self.level == Level::All && self.pseudonyms.is_none()
    }

    /// The name of a mutant that a program resembles, if the reader may see it.
    pub fn resembled(&self, mutant: &Mutant) -> Option<String> {
        (self.level >= Level::Exposed).then(|| self.name(mutant))
    }

    /// The mutants that the reader may see.
    pub fn mutants(&self, mutants: &[Mutant]) -> Vec<MutantReport> {
        let mut seen = mutants_for_level(mutants, self.level);
        if let Some(pseudonyms) = &self.pseudonyms {
            for mutant in &mut seen {
                mutant.id = pseudonyms.of(&mutant.id).to_owned();
                mutant.summary.clear();
                mutant.behaviour = None;
            }
            seen.sort_by(|one, other| one.id.cmp(&other.id));
        }
        seen
    }

    /// The names of the mutants for this reader. They are sorted, because the order of the ids would reveal something.
    pub fn names(&self, mutants: &[Mutant]) -> Vec<String> {
        let mut names: Vec<_> = mutants.iter().map(|mutant| self.name(mutant)).collect();
        names.sort();
        names
    }

    fn name(&self, mutant: &Mutant) -> String {
        let id = &mutant.id;
        self.pseudonyms.as_ref().map_or(id.as_str(), |names| names.of(id)).to_owned()
    }

    /// Removes what the reader may not see of a suite's result.
    pub fn suite(&self, suite: SuiteReport) -> SuiteReport {
        let mut seen = suite.for_level(self.level);
        if !self.sees_everything() {
            // The lines that tests miss are those of a program that students are to write.
            seen.coverage = seen.coverage.map(CoverageReport::brief);
        }
        if self.audience != Audience::Staff {
            for reason in seen.tests.iter_mut().filter_map(|test| test.reason.as_mut()) {
                *reason = grade::for_students(reason).to_owned();
            }
        }
        if let Some(pseudonyms) = &self.pseudonyms {
            let named = |id: &String| pseudonyms.of(id).to_owned();
            for test in &mut seen.tests {
                test.exposes = test.exposes.iter().map(named).collect();
                // The order of the ids would reveal something.
                test.exposes.sort();
                // Indices in the order of the ids would reveal something too.
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
