//! The matrix: tests × mutants, with a verdict for each pair.

use super::validators::rejected;
use crate::course::Assignment;
use crate::domain::{Draft, Flaw, TestKind};
use crate::suite::validity;
use subject::wire::MutantSet;
use subject::{How, Outcome};

/// What the programs of an assignment did on one case.
#[derive(Clone, Debug)]
pub struct Row {
    /// The reference's outcome.
    pub reference: Outcome,
    /// What the reference does with the case as a test. `None` if it is not valid.
    pub kind: Option<TestKind>,
    /// The mutants that differ, in the order of their indices. No mutant differs on a case that is not valid.
    pub exposed: Vec<Difference>,
    /// The mutants that the reference reaches, if the programs can tell. No other mutant can differ.
    pub reached: Option<MutantSet>,
    /// The mutants that never end, because they come back to a state.
    pub(super) endless: MutantSet,
    /// Whether the combined build with no mutant selected did what the reference did.
    pub agrees: bool,
}

/// A mutant that differs from the reference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The mutant's index.
    pub mutant: usize,
    /// How it differs.
    pub how: How,
    /// What is wrong with its answer, if the outcomes were asked for and the judge can say it.
    pub why: Option<Flaw>,
    /// Its outcome, if it was asked for.
    pub outcome: Option<Outcome>,
}

impl Row {
    /// The row of a case on which `exposed` differ from the reference.
    pub fn new(reference: Outcome, kind: Option<TestKind>, exposed: Vec<Difference>) -> Self {
        let endless = MutantSet::default();
        Self { reference, kind, exposed, reached: None, endless, agrees: true }
    }

    /// The same, with the mutants that the reference reaches.
    #[must_use]
    pub fn reaching(self, reached: Option<MutantSet>) -> Self {
        Self { reached, ..self }
    }

    /// Of so many mutants, those that do not differ, and that the reference is known to reach, or not to reach.
    pub fn unexposed(&self, reached: bool, of: usize) -> impl Iterator<Item = usize> + '_ {
        let known = self.reached.as_ref();
        (0..of).filter(move |&mutant| {
            known.is_some_and(|it| it.contains(mutant) == reached)
                && self.difference(mutant).is_none()
        })
    }

    /// The row of a case that is not valid, for this reason.
    pub(super) fn rejected(why: &str) -> Self {
        Self::new(rejected(why), None, Vec::new())
    }

    /// Whether the case is a valid test.
    pub fn is_valid(&self) -> bool {
        self.kind.is_some()
    }

    /// Whether a test that has these flags in its name, and this input, is valid.
    pub fn is_test(&self, assignment: &Assignment, flags: &str, input: &[u8]) -> bool {
        self.kind.is_some_and(|kind| validity::is_test(assignment, flags, input, kind))
    }

    /// Makes the case of a draft invalid, if its flags or its input do not fit what the reference does.
    pub fn check(&mut self, assignment: &Assignment, draft: &Draft) {
        if !self.is_test(assignment, &draft.flags, &draft.input) {
            self.kind = None;
            self.exposed.clear();
        }
    }

    /// The indices of the mutants that differ.
    pub fn exposed_mutants(&self) -> MutantSet {
        self.exposed.iter().map(|difference| difference.mutant).collect()
    }

    /// How the mutant with this index differs, if it does.
    pub fn difference(&self, mutant: usize) -> Option<&Difference> {
        self.exposed.iter().find(|difference| difference.mutant == mutant)
    }
}
