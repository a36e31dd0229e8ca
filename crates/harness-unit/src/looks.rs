//! What a suite looks at. A case looks at a mutant if it exposes only one of the mutant and its disguise, or fails on the reference in the
//! same disguise.

use crate::columns::Tried;
use std::collections::BTreeSet;
use subject::End;

/// So many mutants that one case looks at, and so many cases of a suite that fail on decoys, are no chance, such as what is left in memory.
const MANY: usize = 2;

/// What the cases of a suite look at.
#[derive(Default)]
pub(crate) struct Looks {
    /// The numbers of the mutants that they look at.
    mutants: BTreeSet<usize>,
    /// How many of them fail on a decoy, each time. That is never chance.
    on_decoys: usize,
    /// How many of them do not do the same each time where a mutant is confirmed.
    varying: usize,
}

impl Looks {
    /// Adds what a case that is right did on decoys and on mutants, by their numbers. Says whether it looks at more than chance explains.
    pub(crate) fn add<'c>(
        &mut self,
        on_decoys: impl Iterator<Item = (usize, &'c Tried)>,
        on_mutants: impl Iterator<Item = (usize, &'c Tried)>,
    ) -> bool {
        let (mut fails, mut varies, mut looked_at) = (false, false, Vec::new());
        for (_, tried) in on_decoys {
            if tried.outcome.end == End::Timeout {
                // It is slow there.
                return false;
            }
            fails |= tried.is_steady && tried.outcome.end != End::Exit(0);
        }
        for (mutant, tried) in on_mutants {
            varies |= !tried.is_steady;
            if tried.is_steady && !(tried.is_alike && tried.passes_on_decoy) {
                fails |= !tried.passes_on_decoy;
                looked_at.push(mutant);
            }
        }
        self.on_decoys += usize::from(fails);
        self.varying += usize::from(varies);
        self.mutants.extend(&looked_at);
        looked_at.len() >= MANY || fails
    }

    /// Whether what so many cases of the suite expose is a guess, even where they look at nothing: all cases together look at most of so
    /// many mutants, or more than a few fail on decoys, or do not do the same each time, and these are far more than those that expose
    /// something.
    pub(crate) fn are_guesses(&self, mutants: usize, exposing: usize) -> bool {
        let is_most = self.mutants.len() > MANY && 2 * self.mutants.len() > mutants;
        let doubtful = self.on_decoys + self.varying;
        is_most || self.on_decoys > MANY || doubtful > MANY && doubtful >= 2 * exposing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use subject::Outcome;

    /// What a case did that came out so.
    fn tried(status: u8, is_steady: bool, is_alike: bool, passes_on_decoy: bool) -> Tried {
        let outcome = Outcome {
            end: End::Exit(status),
            stdout: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        Tried { outcome, is_steady, is_alike, passes_on_decoy }
    }

    /// Adds a case that passes on two decoys, and did this on the first mutants.
    fn add(looks: &mut Looks, on_mutants: &[Tried]) -> bool {
        let decoys = [tried(0, true, true, true), tried(0, true, true, true)];
        looks.add(decoys.iter().enumerate(), on_mutants.iter().enumerate())
    }

    #[test]
    fn cases_that_expose_mutants_and_a_few_that_vary_are_no_guesses() {
        let (exposes, varies) = (tried(1, true, true, true), tried(1, false, true, true));
        let mut looks = Looks::default();
        for _ in 0..5 {
            assert!(!add(&mut looks, &[tried(0, true, true, true), tried(1, true, true, true)]));
        }
        assert!(!add(&mut looks, &[exposes, varies]));
        for _ in 0..2 {
            assert!(!add(&mut looks, &[tried(1, false, false, false)]));
        }
        assert!(!looks.are_guesses(2, 6));
        assert!(looks.are_guesses(2, 1), "these are far more than the one that exposes something");
    }

    #[test]
    fn cases_that_fail_on_decoys_look_and_several_of_them_guess() {
        let mut looks = Looks::default();
        for count in 1..=3 {
            assert!(add(&mut looks, &[tried(1, true, true, false)]));
            assert_eq!(looks.are_guesses(100, 50), count == 3);
        }
        // One that never ends there is slow.
        let slow = Tried {
            outcome: Outcome { end: End::Timeout, ..tried(1, true, true, true).outcome },
            ..tried(1, true, true, true)
        };
        assert!(!Looks::default().add([(0, &slow)].into_iter(), std::iter::empty()));
    }

    #[test]
    fn one_of_two_disguises_may_be_chance_for_one_mutant() {
        let mut looks = Looks::default();
        assert!(!add(&mut looks, &[tried(1, true, false, true)]));
        assert!(add(&mut looks, &[tried(1, true, false, true), tried(1, true, false, true)]));
    }
}
