//! Finds the smallest case of a deviation.

use super::deviations::Deviation;
use super::trial::Candidate;
use super::{Corpus, Shown};
use harness::diagnostic::Failure;
use harness::domain::{Draft, Flaw};
use harness::generate::Evaluator;
use harness::suite::decode;
use std::path::Path;
use subject::{Case, How, Outcome};

/// Steps that are tried at the same time, and the most rounds of them.
const CHUNK: usize = 32;
const MOST_ROUNDS: usize = 200;

/// The smallest known case of a deviation, and what the reference and a program do on it.
pub struct Smallest {
    pub draft: Draft,
    pub case: Case,
    pub size: usize,
    pub how: How,
    pub why: Option<Flaw>,
    pub reference: Outcome,
    pub program: Outcome,
}

impl Smallest {
    /// The same, without the `folder` of the program's source in what it wrote to standard error: nobody knows it.
    #[must_use]
    pub fn without_folder(mut self, folder: &Path) -> Self {
        let text = String::from_utf8_lossy(&self.program.stderr);
        self.program.stderr = text.replace(&format!("{}/", folder.display()), "").into_bytes();
        self
    }
}

/// A deviation, and the others of the program in which it is shown.
pub struct Wanted<'a> {
    pub deviation: &'a Deviation,
    pub others: Vec<&'a Deviation>,
}

impl Wanted<'_> {
    /// The smallest case of the deviation as `candidate`, its example, shows it in a process. `None` if it does not show there.
    ///
    /// # Errors
    /// If a program cannot be started.
    pub fn smallest(
        &self,
        evaluator: &mut Evaluator<'_>,
        corpus: &Corpus,
        candidate: &mut Candidate<'_>,
    ) -> Result<Option<Smallest>, Failure> {
        let Some((number, shown)) = self.first(corpus) else { return Ok(None) };
        let first = corpus.cases[number].draft.clone();
        let reduced = match self.deviation.mutant {
            // The mutant's own witness is among the cases.
            Some(_) => first.clone(),
            None => self.reduce(evaluator, candidate, first.clone(), shown)?,
        };
        for draft in [reduced, first] {
            if let Some(smallest) = by_process(evaluator, candidate, draft)? {
                return Ok(Some(smallest));
            }
        }
        Ok(None)
    }

    /// The smallest case of the corpus on which it shows alone, or on which it shows at all.
    fn first(&self, corpus: &Corpus) -> Option<(usize, Shown)> {
        let is_alone = |case: usize| !self.others.iter().any(|it| it.signature.contains_key(&case));
        let key = |(case, _): &(usize, Shown)| {
            let known = &corpus.cases[*case];
            (!is_alone(*case), known.size, known.draft.clone())
        };
        self.deviation.signature.iter().map(|(&case, &shown)| (case, shown)).min_by_key(key)
    }

    /// Takes steps to smaller cases on which the program differs in the same way, and none of its other deviations shows.
    fn reduce(
        &self,
        evaluator: &mut Evaluator<'_>,
        candidate: &mut Candidate<'_>,
        mut draft: Draft,
        shown: Shown,
    ) -> Result<Draft, Failure> {
        for _ in 0..MOST_ROUNDS {
            let generator = evaluator.generator;
            let steps = generator.smaller(&draft).into_iter();
            let steps: Vec<_> = steps.filter(|step| generator.plain(step) == *step).collect();
            let mut next = None;
            for steps in steps.chunks(CHUNK) {
                if evaluator.out_of_time() {
                    return Ok(draft);
                }
                if let Some(at) = self.first_that_shows(evaluator, candidate, steps, shown)? {
                    next = Some(steps[at].clone());
                    break;
                }
            }
            match next {
                Some(smaller) => draft = smaller,
                None => break,
            }
        }
        Ok(draft)
    }

    fn first_that_shows(
        &self,
        evaluator: &mut Evaluator<'_>,
        candidate: &mut Candidate<'_>,
        steps: &[Draft],
        shown: Shown,
    ) -> Result<Option<usize>, Failure> {
        let case = |draft: &Draft| decode::case_of_draft(evaluator.assignment, draft);
        let cases: Vec<_> = steps.iter().map(case).collect();
        let rows = evaluator.programs.unsettled_rows(&cases)?;
        let others: Vec<_> = self.others.iter().filter_map(|other| other.mutant).collect();
        let shows_other =
            |at: usize| others.iter().any(|&mutant| rows[at].difference(mutant).is_some());
        let is_test = |at: usize| {
            let Draft { flags, input } = &steps[at];
            rows[at].is_test(evaluator.assignment, flags, input)
        };
        let fitting = (0..steps.len()).filter(|&at| is_test(at) && !shows_other(at));
        let fitting: Vec<_> = fitting.collect();
        let given: Vec<_> = fitting.iter().map(|&at| cases[at].clone()).collect();
        for (at, outcome) in fitting.into_iter().zip(candidate.outcomes(&given)?) {
            let fault = evaluator.programs.judge().fault_of_stranger(
                &cases[at],
                &rows[at].reference,
                &outcome,
            )?;
            let is_alike = fault.is_some_and(|it| Shown::of(it.how, &outcome).how == shown.how);
            // What was stopped at the end proves nothing.
            if is_alike && !evaluator.has_ended() {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}

/// What both do on `draft`, the program in a process. `None` if it does not differ there.
fn by_process(
    evaluator: &mut Evaluator<'_>,
    candidate: &Candidate<'_>,
    draft: Draft,
) -> Result<Option<Smallest>, Failure> {
    let case = decode::case_of_draft(evaluator.assignment, &draft);
    let reference = evaluator.programs.references(std::slice::from_ref(&case))?.remove(0).reference;
    let program = candidate.by_process(&case)?;
    let fault = evaluator.programs.judge().fault_of_stranger(&case, &reference, &program)?;
    // What was stopped at the end did not differ.
    let fault = fault.filter(|_| !evaluator.has_ended());
    let size = evaluator.generator.size(&draft.input);
    Ok(fault.map(|fault| {
        let (how, why) = (fault.how, fault.why);
        Smallest { draft, case, size, how, why, reference, program }
    }))
}
