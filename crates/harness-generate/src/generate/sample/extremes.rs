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
    kinds: BTreeMap<EffortKind, Kept>,
    /// How many cases were ever kept.
    count: u64,
}

type EffortKind = (String, Option<u32>);

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
    fn kind(draft: &Draft, effort: Effort) -> EffortKind {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(input: &str) -> Draft {
        Draft { flags: String::new(), input: input.into() }
    }

    #[test]
    fn the_longest_answers_of_each_order_of_steps_are_kept() {
        let mut extremes = Extremes::default();
        for written in [5, 9, 7] {
            extremes.add(&draft(&written.to_string()), Effort { steps: 100, written });
        }
        assert!(!extremes.want(&draft("6"), Effort { steps: 100, written: 6 }));
        assert!(extremes.want(&draft("6"), Effort { steps: 200, written: 6 }));
        let mut rng = Rng::with_seed(1);
        for _ in 0..50 {
            let any = extremes.any(&mut rng).unwrap();
            assert!([draft("7"), draft("9")].contains(any));
        }
    }

    #[test]
    fn cases_of_an_order_of_steps_that_changed_lately_come_more_often() {
        let mut extremes = Extremes::default();
        for kind in 0..8 {
            let effort = Effort { steps: 1 << kind, written: 1 };
            extremes.add(&draft(&kind.to_string()), effort);
        }
        extremes.add(&draft("new"), Effort { steps: 1, written: 2 });
        let mut rng = Rng::with_seed(1);
        let lately = ["0", "new"].map(draft);
        let count = (0..800).filter(|_| lately.contains(extremes.any(&mut rng).unwrap())).count();
        assert!((200..400).contains(&count), "{count}");
    }
}
