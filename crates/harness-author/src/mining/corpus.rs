//! The cases that all programs run on, and what the reference and the mutants do on them.

use super::Shown;

use fastrand::Rng;
use harness::diagnostic::Failure;
use harness::diagnostic::progress::Progress;
use harness::domain::{Draft, Generator, TestRules};
use harness::generate::Evaluator;
use harness::generate::evaluator::{Batch, is_valid};
use harness::generate::seeds::mixed;
use harness::hash::Digest;
use harness::run::matrix::Difference;
use harness::suite::decode;
use std::collections::{BTreeMap, BTreeSet};
use subject::wire::MutantSet;
use subject::{Case, Outcome};

/// Random neighbours of each witness, small cases in order of size, and random cases.
const NEIGHBOURS: usize = 12;
const SMALL: usize = 1_000;
const RANDOM: usize = 1_500;
/// The largest size of a small case. Usually the first [`SMALL`] cases are all much smaller.
const LARGEST_SIZE: usize = 16;
/// The most steps of the reference on a case that is made, and the longest input. Each case runs on every program.
const MOST_STEPS: u64 = 1_000_000;
const MOST_BYTES: usize = 4096;
/// Cases whose outcomes are held in memory at the same time.
const BATCH: usize = 256;

/// The cases, in the order in which they are tried: those that tell most first.
pub struct Corpus {
    pub cases: Vec<Known>,
    pub counts: Counts,
}

/// A valid case, and what is known about it.
pub struct Known {
    pub draft: Draft,
    pub case: Case,
    pub size: usize,
    /// Whether the assignment's document promises the form of its file. A correct program may differ on the others.
    pub is_plain: bool,
    pub reference: Outcome,
    /// What each mutant that differs shows.
    pub mutants: BTreeMap<usize, Shown>,
}

/// The numbers of valid cases, by where they come from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub handed_in: usize,
    pub small: usize,
    pub random: usize,
}

impl Corpus {
    /// The cases for an assignment: the tests `handed_in` and their plain forms, the mutants' witnesses and what is near them, small
    /// cases, and random ones. Stops at the end of the evaluator's budget.
    ///
    /// # Errors
    /// If the machine fails, or the course is broken.
    pub fn new(
        evaluator: &mut Evaluator<'_>,
        handed_in: &[Draft],
        seed: u64,
    ) -> Result<Self, Failure> {
        let progress = Progress::new("running the mutants", None);
        let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
        let witnesses: Vec<_> = evaluator
            .mutants
            .iter()
            .filter_map(|mutant| Some(generator.plain(&mutant.witness.as_ref()?.draft())))
            .collect();
        let random = near(generator, rules, &witnesses, seed);
        let random = random.into_iter().chain((0..RANDOM).map(|at| {
            let mut rng = Rng::with_seed(mixed(seed, at as u64));
            generator.sample_of(at % generator.kinds().len(), rules, &mut rng)
        }));
        let random = random.map(|draft| generator.plain(&draft)).collect();
        let small = small(generator, rules);
        let mut corpus = Self { cases: Vec::new(), counts: Counts::default() };
        let mut seen = BTreeSet::new();
        let plain = handed_in.iter().map(|draft| generator.plain(draft));
        let handed_in = handed_in.iter().cloned().chain(plain).collect();
        corpus.counts.handed_in = corpus.add(evaluator, handed_in, &mut seen)?;
        for (made, is_random) in [(witnesses, true), (small, false), (random, true)] {
            let made = short(evaluator, made)?;
            let added = corpus.add(evaluator, made, &mut seen)?;
            let counts = &mut corpus.counts;
            *(if is_random { &mut counts.random } else { &mut counts.small }) += added;
        }
        drop(progress);
        Ok(corpus)
    }

    /// A hash of the cases and of what the reference does on them.
    pub fn digest(&self) -> String {
        let add = |digest: Digest, known: &Known| {
            let Known { draft, reference, .. } = known;
            let files = reference.files.iter();
            let digest = digest.with(&draft.flags).with(&draft.input).with(&reference.stdout);
            files.fold(digest, |digest, (name, file)| digest.with(name).with(file))
        };
        self.cases.iter().fold(Digest::default(), add).hex()
    }

    /// Adds the valid ones among `drafts` that are not `seen` yet. Gives their number.
    fn add(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        mut drafts: Vec<Draft>,
        seen: &mut BTreeSet<Draft>,
    ) -> Result<usize, Failure> {
        let before = self.cases.len();
        drafts.retain(|draft| seen.insert(draft.clone()));
        for drafts in drafts.chunks(BATCH) {
            if evaluator.out_of_time() {
                break;
            }
            let case = |draft: &Draft| decode::case_of_draft(evaluator.assignment, draft);
            let cases: Vec<_> = drafts.iter().map(case).collect();
            let rows = evaluator.programs.unsettled_outcomes(&cases)?;
            let generator = evaluator.generator;
            for ((draft, case), row) in drafts.iter().zip(cases).zip(rows) {
                if row.is_test(evaluator.assignment, &draft.flags, &draft.input) {
                    self.cases.push(Known {
                        size: generator.size(&draft.input),
                        is_plain: generator.plain(draft) == *draft,
                        draft: draft.clone(),
                        case,
                        mutants: row.exposed.iter().filter_map(shown).collect(),
                        reference: row.reference,
                    });
                }
            }
        }
        Ok(self.cases.len() - before)
    }
}

fn shown(difference: &Difference) -> Option<(usize, Shown)> {
    let outcome = difference.outcome.as_ref()?;
    Some((difference.mutant, Shown::of(difference.how, outcome)))
}

/// The drafts that are short, and on which the reference takes few steps.
fn short(evaluator: &mut Evaluator<'_>, mut drafts: Vec<Draft>) -> Result<Vec<Draft>, Failure> {
    const SIZE: usize = 16;
    drafts.retain(|draft| draft.input.len() <= MOST_BYTES);
    let none = MutantSet::default();
    let batches: Vec<_> = drafts.chunks(SIZE).collect();
    let assignment = evaluator.assignment;
    let short = evaluator.sweep(
        batches.len(),
        |at| Batch { most_steps: MOST_STEPS, ..Batch::new(batches[at].to_vec(), &none) },
        |_, drafts, answers| {
            let valid = drafts
                .into_iter()
                .zip(answers)
                .filter(|(draft, answer)| is_valid(assignment, draft, answer));
            valid.map(|(draft, _)| draft).collect::<Vec<_>>()
        },
    )?;
    Ok(short.into_iter().flatten().collect())
}

/// Neighbours of the witnesses, and what is one step smaller.
fn near(
    generator: &dyn Generator,
    rules: &TestRules,
    witnesses: &[Draft],
    seed: u64,
) -> Vec<Draft> {
    let mut rng = Rng::with_seed(mixed(seed, u64::MAX));
    let mut all = Vec::new();
    for witness in witnesses {
        all.extend(generator.smaller(witness));
        all.extend((0..NEIGHBOURS).map(|_| generator.neighbour(witness, rules, &mut rng)));
    }
    all
}

/// The first plain cases in order of size.
fn small(generator: &dyn Generator, rules: &TestRules) -> Vec<Draft> {
    let all = (1..=LARGEST_SIZE).flat_map(|size| {
        let families = generator.families(size, rules).into_iter();
        families.flat_map(|family| (0..family.count).filter_map(move |at| (family.make)(at)))
    });
    all.filter(|draft| generator.plain(draft) == *draft).take(SMALL).collect()
}
