//! The cases that mutants are compared on: the witnesses, the sample suite, and random cases, without duplicates.

use crate::catalogue::Mutant;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::report::verified;
use crate::run::matrix::Row;
use crate::suite::{Suite, decode};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeMap, HashMap};
use subject::Case;

/// Random cases of the corpus: for all mutants, and for mutants that are named on the command line.
pub(super) const SAMPLES: usize = 512;
pub(super) const FEW_SAMPLES: usize = 128;

/// The cases, and where they came from.
#[derive(Default)]
pub struct Corpus {
    pub cases: Vec<Case>,
    /// The index of the case that is a mutant's witness, by the mutant's index.
    pub(super) witnesses: BTreeMap<usize, usize>,
    pub(super) counts: verified::Corpus,
    numbers: HashMap<Draft, usize>,
}

impl Corpus {
    /// Every witness of the assignment, its sample suite if it has one, and `samples` random cases if its domain makes them.
    ///
    /// # Errors
    /// If the suite cannot be read.
    pub fn new(
        course: &Course,
        assignment: &Assignment,
        mutants: &[Mutant],
        samples: usize,
    ) -> Result<Self, Failure> {
        let mut corpus = Self::default();
        for (index, mutant) in mutants.iter().enumerate() {
            if let Some(witness) = &mutant.witness {
                let number = corpus.add(witness.draft(), assignment);
                corpus.witnesses.insert(index, number);
            }
        }
        corpus.counts.witnesses = corpus.cases.len();
        let folder = course.folder.join("student_tests").join(&assignment.id);
        let tests =
            if folder.is_dir() { Suite::read(&folder, assignment)?.tests } else { Vec::new() };
        for test in tests {
            corpus.add(test.draft(), assignment);
        }
        corpus.counts.tests = corpus.cases.len() - corpus.counts.witnesses;
        corpus.add_random(samples, assignment);
        Ok(corpus)
    }

    /// Adds random cases.
    pub fn add_random(&mut self, samples: usize, assignment: &Assignment) {
        let before = self.cases.len();
        for sample in random(assignment, [0; 32], samples) {
            self.add(sample, assignment);
        }
        self.counts.samples += self.cases.len() - before;
    }

    /// The index of the case of `draft`, which is added if it is new.
    pub fn add(&mut self, draft: Draft, assignment: &Assignment) -> usize {
        let cases = &mut self.cases;
        *self.numbers.entry(draft).or_insert_with_key(|draft| {
            cases.push(decode::case_of_draft(assignment, draft));
            cases.len() - 1
        })
    }

    /// Makes the rows of those drafts invalid that are no tests, because their flags or inputs do not fit what the reference does.
    pub fn check(&self, rows: &mut [Row], assignment: &Assignment) {
        for (draft, &number) in &self.numbers {
            if let Some(row) = rows.get_mut(number) {
                row.check(assignment, draft);
            }
        }
    }
}

/// Random drafts for mutants that the corpus does not tell apart, the same each time and others than those of the corpus.
pub(super) fn more(assignment: &Assignment) -> impl Iterator<Item = Draft> + '_ {
    /// One that differs on one of a thousand cases is nearly always told apart.
    const SAMPLES: usize = 8192;
    random(assignment, [1; 32], SAMPLES)
}

/// Random cases, if the domain makes them.
fn random(
    assignment: &Assignment,
    seed: [u8; 32],
    count: usize,
) -> impl Iterator<Item = Draft> + '_ {
    let generator = assignment.generator();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map_while(move |_| Some(generator?.sample(&assignment.tests, &mut runner)))
}
