//! Runs the candidates on many tests, finds the smallest that exposes each, and compares them with the catalogue.

use super::build::Built;
use crate::gain::{self, Gain};
use harness::cli::mutants::Propose;
use harness::command::generate::{budget, has_tried};
use harness::command::mutants::corpus::Corpus;
use harness::command::mutants::twins;
use harness::course::{Assignment, Course};
use harness::diagnostic::Failure;
use harness::domain::Draft;
use harness::generate::enumerate::{self, Enumerated};
use harness::generate::reduce::{self, Reduced};
use harness::generate::survey::order::Cases;
use harness::generate::{Evaluator, sample};
use harness::interrupt;
use harness::run::matrix::Row;
use harness::run::programs::Run;
use harness::suite::decode;
use std::collections::BTreeMap;
use std::mem;

use subject::wire::MutantSet;
use subject::{Case, How};

/// Rounds of random cases near those that reach a candidate without exposing it.
const ROUNDS: sample::Rounds = sample::Rounds { most: 16, more: 1 };

/// Cases that are compared before the clock is read again.
const CHUNK: usize = 128;

/// Cases that are kept of those that expose a candidate.
const MOST_KEPT: usize = 12;

/// What the search found. Indices are those of the evaluator, in which the catalogue's mutants come first.
pub(super) struct Search {
    pub(super) enumerated: Enumerated,
    /// The number of random cases that were tried.
    pub(super) sampled: u64,
    pub(super) out_of_time: bool,
    /// The smallest case that exposes each candidate.
    pub(super) found: BTreeMap<usize, Smallest>,
    /// The candidates that exceed a limit on their smallest case.
    pub(super) hanging: MutantSet,
    pub(super) comparison: Comparison,
}

/// The smallest case that exposes a candidate.
pub(super) struct Smallest {
    pub(super) draft: Draft,
    /// Whether every smaller case was tried.
    pub(super) certified: bool,
}

/// How the candidates compare with each other and with the catalogue.
pub(super) struct Comparison {
    /// The number of cases that they were compared on, and of the random ones among them.
    pub(super) cases: usize,
    pub(super) random: usize,
    /// Whether there was no time for all random cases.
    is_cut: bool,
    /// The mutant or candidate that each twin is a twin of.
    pub(super) twins: BTreeMap<usize, usize>,
    /// The number of random cases that expose each mutant and candidate.
    pub(super) exposed: Vec<usize>,
    /// Some of the cases that expose each candidate.
    pub(super) exposing: BTreeMap<usize, Vec<Case>>,
    /// The candidates that are left, ranked.
    pub(super) ranked: Vec<Gain>,
}

pub(super) fn search(
    options: &Propose,
    course: &Course,
    assignment: &Assignment,
    built: &Built,
    evaluator: &mut Evaluator<'_>,
) -> Result<Search, Failure> {
    // One half is for the search, and the other for comparing what it found.
    let half = budget(options.budget)? / 2;
    interrupt::listen(&evaluator.programs.work().cancellation);
    evaluator.limit(half);
    evaluator.show_progress();
    let candidates: MutantSet = (built.known..evaluator.mutants.len()).collect();
    let mut enumerated = enumerate::enumerate(evaluator, &candidates, options.size)?;
    let small = mem::take(&mut enumerated.found)
        .into_iter()
        .map(|(at, draft)| (at, Smallest { draft, certified: !enumerated.unsettled.contains(at) }));
    let mut found: BTreeMap<_, _> = small.collect();
    let missing = candidates.without(&found.keys().copied().collect());
    let sampled = sampled(options, evaluator, &missing, &mut found)?;
    let (tried, work) = (enumerated.cases + sampled, evaluator.programs.work());
    has_tried(work, tried, evaluator.out_of_time(), options.budget)?;
    let hanging = hanging(evaluator, &mut found)?;
    evaluator.say("comparing");
    let is_cut = enumerated.is_cut || evaluator.out_of_time();
    evaluator.limit(half);
    let comparison = comparison(options, course, assignment, built, evaluator, &found)?;
    let out_of_time = is_cut || comparison.is_cut || evaluator.out_of_time();
    Ok(Search { enumerated, sampled, out_of_time, found, hanging, comparison })
}

/// Tries random cases for the candidates that no small case exposes. Gives their number.
fn sampled(
    options: &Propose,
    evaluator: &mut Evaluator<'_>,
    missing: &MutantSet,
    found: &mut BTreeMap<usize, Smallest>,
) -> Result<u64, Failure> {
    let mut small: Vec<_> = found.values().map(|found| found.draft.clone()).collect();
    small.extend(evaluator.mutants.iter().filter_map(|it| Some(it.witness.as_ref()?.draft())));
    let known = sample::Known { small, ..sample::Known::default() };
    let sampled =
        sample::sample(evaluator, missing, known, &MutantSet::default(), ROUNDS, options.seed)?;
    evaluator.say("reducing");
    let large: Vec<_> = sampled
        .killers
        .into_iter()
        .map(|(candidate, draft)| (draft, MutantSet::from_iter([candidate])))
        .collect();
    if !large.is_empty() {
        for (Reduced { draft, .. }, (_, candidate)) in
            reduce::reduce_all(evaluator, &large)?.into_iter().zip(&large)
        {
            let smallest =
                |candidate| (candidate, Smallest { draft: draft.clone(), certified: false });
            found.extend(candidate.iter().map(smallest));
        }
    }
    Ok(sampled.cases)
}

/// Removes the candidates that go in circles on their smallest case, or need too much memory. They would take all the time that is left,
/// and nearly every case that reaches them exposes them.
fn hanging(
    evaluator: &mut Evaluator<'_>,
    found: &mut BTreeMap<usize, Smallest>,
) -> Result<MutantSet, Failure> {
    let case = |smallest: &Smallest| decode::case_of_draft(evaluator.assignment, &smallest.draft);
    let cases: Vec<_> = found.values().map(case).collect();
    let runs = found.keys().zip(&cases);
    let runs: Vec<_> =
        runs.map(|(&at, case)| Run { case, mutants: MutantSet::from_iter([at]) }).collect();
    let rows = evaluator.programs.rows_of(&runs)?;
    let is_hanging = |(at, row): &(&usize, &Row)| {
        let how = row.difference(**at).map(|difference| difference.how);
        matches!(how, Some(How::Timeout | How::OutputLimit | How::Memory))
    };
    let hanging: MutantSet =
        found.keys().zip(&rows).filter(is_hanging).map(|(at, _)| *at).collect();
    found.retain(|&at, _| !hanging.contains(at));
    Ok(hanging)
}

/// Compares the candidates that were found with the catalogue, on the corpus and their smallest cases.
fn comparison(
    options: &Propose,
    course: &Course,
    assignment: &Assignment,
    built: &Built,
    evaluator: &mut Evaluator<'_>,
    found: &BTreeMap<usize, Smallest>,
) -> Result<Comparison, Failure> {
    let mutants = &built.mutants[..built.known];
    let mut corpus = Corpus::new(course, assignment, mutants, 0)?;
    for smallest in found.values() {
        corpus.add(smallest.draft.clone(), assignment);
    }
    let first_random = corpus.cases.len();
    corpus.add_random(options.cases as usize, assignment);
    let compared: MutantSet = (0..built.known).chain(found.keys().copied()).collect();
    let mut rows = compared_rows(evaluator, &corpus.cases, &compared)?;
    corpus.check(&mut rows, assignment);
    let is_cut = rows.len() < corpus.cases.len();
    corpus.cases.truncate(rows.len());
    let random = first_random.min(rows.len())..rows.len();
    let groups = twins::find(&mut evaluator.programs, &corpus.cases, &rows)?;
    let twins = groups.iter().flat_map(|group| {
        let (first, others) = group.mutants.split_first().expect("twins are two at least");
        let others = others.iter().filter(|it| found.contains_key(it));
        others.map(|&other| (other, *first)).collect::<Vec<_>>()
    });
    let twins: BTreeMap<_, _> = twins.collect();
    let mut killers = vec![Cases::default(); evaluator.mutants.len()];
    for (number, row) in rows.iter().enumerate() {
        row.exposed.iter().for_each(|difference| killers[difference.mutant].insert(number));
    }
    let exposed = killers.iter().map(|cases| cases.iter().filter(|at| random.contains(at)).count());
    let exposed = exposed.collect();
    let topics: Vec<_> = mutants.iter().map(|mutant| mutant.topic.as_str()).collect();
    let left: Vec<_> = found.keys().copied().filter(|it| !twins.contains_key(it)).collect();
    let exposing = |&at: &usize| {
        let cases = killers[at].iter().take(MOST_KEPT).map(|number| corpus.cases[number].clone());
        (at, cases.collect())
    };
    let exposing = left.iter().map(exposing).collect();
    let ranked = gain::rank(&killers.iter().collect::<Vec<_>>(), &topics, &left);
    let valid = |rows: &[Row]| rows.iter().filter(|row| row.is_valid()).count();
    let (cases, random) = (valid(&rows), valid(&rows[random]));
    Ok(Comparison { cases, random, is_cut, twins, exposed, exposing, ranked })
}

/// What the mutants in the set do on the cases, as far as there is time.
fn compared_rows(
    evaluator: &mut Evaluator<'_>,
    cases: &[Case],
    mutants: &MutantSet,
) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for part in cases.chunks(CHUNK) {
        if evaluator.out_of_time() {
            break;
        }
        let run = |case| Run { case, mutants: mutants.clone() };
        rows.extend(evaluator.programs.rows_of(&part.iter().map(run).collect::<Vec<_>>())?);
    }
    Ok(rows)
}
