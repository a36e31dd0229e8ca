//! Cases on which the reference does or says the most.

use crate::domain::Draft;
use fastrand::Rng;
use std::collections::BTreeMap;

/// The number of cases that are kept of each kind.
const KEPT: usize = 2;

/// Of the cases with the same flags on which the reference takes steps of the same order of magnitude, those on which it writes the most.
/// Few steps for a long answer are a case that is small and hard; cases with the most steps reach what others do not.
#[derive(Default)]
pub(super) struct Extremes {
    kinds: BTreeMap<Kind, Kept>,
    /// How many cases were ever kept.
    count: u64,
}

type Kind = (String, Option<u32>);

/// The cases of a kind with the longest answers, the longest first.
#[derive(Default)]
struct Kept {
    cases: Vec<(u64, Draft)>,
    /// How many cases were ever kept when this kind got the last of them.
    changed: u64,
}

/// What the reference did on a case.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) steps: u64,
    pub(super) written: u64,
}

impl Extremes {
    fn kind(draft: &Draft, effort: Effort) -> Kind {
        (draft.flags.clone(), effort.steps.checked_ilog2())
    }

    /// Whether a case would be kept.
    pub(super) fn want(&self, draft: &Draft, effort: Effort) -> bool {
        let kept = self.kinds.get(&Self::kind(draft, effort));
        kept.is_none_or(|Kept { cases, .. }| {
            cases.len() < KEPT || cases[KEPT - 1].0 < effort.written
        })
    }

    pub(super) fn add(&mut self, draft: &Draft, effort: Effort) {
        let Kept { cases, changed } = self.kinds.entry(Self::kind(draft, effort)).or_default();
        let at = cases.partition_point(|(written, _)| *written >= effort.written);
        if at < KEPT && cases.iter().all(|(_, other)| other != draft) {
            cases.insert(at, (effort.written, draft.clone()));
            cases.truncate(KEPT);
            self.count += 1;
            *changed = self.count;
        }
    }

    /// A case of a random kind, rather of one that changed lately: there is more to come.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Draft> {
        let mut kind = || self.kinds.values().nth(rng.usize(..self.kinds.len().max(1)));
        let kept = [kind()?, kind()?, kind()?].into_iter().max_by_key(|kept| kept.changed)?;
        rng.choice(&kept.cases).map(|(_, draft)| draft)
    }
}
