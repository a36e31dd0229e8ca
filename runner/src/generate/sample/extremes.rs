//! Cases on which the reference does or says the most.

use crate::domain::Draft;
use std::collections::BTreeMap;

/// The number of cases that are kept of each kind.
const KEPT: usize = 2;

/// Of the cases with the same flags on which the reference takes steps of the same order of magnitude, those on which it writes the most.
/// Few steps for a long answer are a case that is small and hard; cases with the most steps reach what others do not.
#[derive(Default)]
pub(super) struct Extremes(BTreeMap<Kind, Vec<(u64, Draft)>>);

type Kind = (String, Option<u32>);

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
        let kept = self.0.get(&Self::kind(draft, effort));
        kept.is_none_or(|kept| kept.len() < KEPT || kept[KEPT - 1].0 < effort.written)
    }

    pub(super) fn add(&mut self, draft: &Draft, effort: Effort) {
        let kept = self.0.entry(Self::kind(draft, effort)).or_default();
        let at = kept.partition_point(|(written, _)| *written >= effort.written);
        if at < KEPT && kept.iter().all(|(_, other)| other != draft) {
            kept.insert(at, (effort.written, draft.clone()));
            kept.truncate(KEPT);
        }
    }

    /// A case of a random kind.
    pub(super) fn any(&self, rng: &mut fastrand::Rng) -> Option<&Draft> {
        let kept = self.0.values().nth(rng.usize(..self.0.len().max(1)))?;
        rng.choice(kept).map(|(_, draft)| draft)
    }
}
