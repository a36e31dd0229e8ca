//! Finds the mutants that show only in forms of a file that the assignment's document does not promise. No test is written in such a
//! form, because a right program may fail on it, so the search does not go on for these mutants.

use super::enumerate::Cases;
use super::evaluator::{Batch, Evaluator, exposed_by};
use super::seeds::mixed;
use crate::diagnostic::Failure;
use crate::domain::Draft;
use fastrand::Rng;
use std::collections::BTreeMap;
use subject::MutantSet;

/// The numbers of small plain cases, the smallest first, and of random ones, that are written in each form.
const SMALL: usize = 512;
const RANDOM: usize = 256;
/// The cases in a batch, each of which is written in a few forms.
const BATCH: usize = 32;

/// A case that exposes a mutant in a form that the document does not promise.
#[derive(Clone, Debug)]
pub struct Lenient {
    /// The name of the form, such as `no newline at the end`.
    pub form: &'static str,
    pub draft: Draft,
}

/// Of `missing`, the mutants that a few cases expose in such a form, as processes confirm, and not in the plain form.
///
/// # Errors
/// If a worker cannot be started.
pub fn lenient(
    evaluator: &mut Evaluator<'_>,
    missing: &MutantSet,
    seed: u64,
) -> Result<BTreeMap<usize, Lenient>, Failure> {
    let mut found: BTreeMap<usize, Lenient> = BTreeMap::new();
    if missing.is_empty() {
        return Ok(found);
    }
    let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
    let plain = plain(evaluator, seed);
    if plain.iter().all(|plain| generator.lenient(plain, rules).is_empty()) {
        return Ok(found);
    }
    let batches: Vec<_> = plain.chunks(BATCH).collect();
    let exposed = evaluator.sweep(
        batches.len(),
        |at| {
            let forms = batches[at].iter().flat_map(|plain| {
                let forms = generator.lenient(plain, rules).into_iter().map(|(_, draft)| draft);
                std::iter::once(plain.clone()).chain(forms)
            });
            Batch::new(forms.collect(), missing)
        },
        |at, _, answers| {
            let mut exposed = answers.iter().map(exposed_by);
            let mut found = Vec::new();
            for plain in batches[at] {
                let without = exposed.next().unwrap_or_default();
                for (form, draft) in generator.lenient(plain, rules) {
                    let only_so = exposed.next().unwrap_or_default().without(&without);
                    found.extend(
                        only_so.iter().map(|at| (at, Lenient { form, draft: draft.clone() })),
                    );
                }
            }
            found
        },
    )?;
    for (mutant, form) in exposed.into_iter().flatten() {
        found.entry(mutant).or_insert(form);
    }
    let claim = |(&mutant, form): (&usize, &Lenient)| {
        evaluator.claim(&form.draft, MutantSet::from_iter([mutant]))
    };
    let claims: Vec<_> = found.iter().map(claim).collect();
    let confirmed = evaluator.programs.confirm(&claims)?;
    let is_confirmed =
        |exposed: &Option<MutantSet>| exposed.as_ref().is_some_and(|it| !it.is_empty());
    let mut confirmed = confirmed.iter().map(is_confirmed);
    found.retain(|_, _| confirmed.next().unwrap_or(false));
    Ok(found)
}

/// Small plain cases, the smallest first, and then random ones.
fn plain(evaluator: &Evaluator<'_>, seed: u64) -> Vec<Draft> {
    let (generator, rules) = (evaluator.generator, &evaluator.assignment.tests);
    let sizes = (1..=generator.reach(rules)).take_while(|&size| generator.has_all(size, rules));
    let small = sizes.flat_map(|size| {
        let cases = Cases::new(generator.families(size, rules));
        cases.drafts(0..cases.count.min(SMALL))
    });
    let random = (0..RANDOM).map(|at| {
        let mut rng = Rng::with_seed(mixed(seed, at as u64));
        generator.sample_of(rng.usize(..generator.kinds().len()), rules, &mut rng)
    });
    let cases = small.take(SMALL).chain(random);
    cases.map(|draft| generator.plain(&draft)).collect()
}
