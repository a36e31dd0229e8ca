//! What a list of small cases proves of a case that exposes a mutant.

use super::Enumerated;
use crate::domain::Draft;

/// How far cases were tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The largest size up to which every case of the alphabet was tried; `None` if there is none.
    pub size: Option<usize>,
    /// The largest size up to which every case at all was tried.
    pub whole: Option<usize>,
}

impl Reach {
    /// How far cases were tried if the `smallest` has this size, there are no untried ones of the alphabet up to the size `tried`, and
    /// none at all up to `whole`. Below the smallest case, nothing was tried. There are none either, as far as the list is `whole`.
    pub(super) fn of(smallest: Option<usize>, tried: Option<usize>, whole: Option<usize>) -> Self {
        let is_known = |size: &usize| smallest.is_some_and(|smallest| smallest <= *size);
        let size = tried.filter(is_known);
        Self { size, whole: whole.filter(|whole| size.is_none() || is_known(whole)) }
    }
}

impl Enumerated {
    /// Notes that some cases of a size were put off, and never tried. They may expose what larger ones were found to expose.
    pub(super) fn unsettle(&mut self, untried: usize, size: impl Fn(&Draft) -> usize) {
        let larger = self.found.iter().filter(|(_, draft)| untried < size(draft));
        larger.for_each(|(&mutant, _)| self.unsettled.insert(mutant));
    }

    /// What is known of a case of this size that exposes `mutant`, and whose reduction may have been cut. If the mutant is settled, every
    /// smaller case was tried, even if this case itself was not.
    pub fn certificate(&self, mutant: usize, size: usize, is_cut: bool) -> Certificate {
        match self.reach.size.filter(|_| !self.unsettled.contains(mutant)) {
            Some(tried) if size <= tried + 1 => Certificate::Certified,
            _ if is_cut => Certificate::Cut,
            _ => Certificate::Reduced,
        }
    }
}

/// What is known of smaller cases than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Time ran out before the case was reduced in full.
    Cut,
    /// No single step makes the case smaller.
    Reduced,
    /// Every smaller case of the alphabet was tried.
    Certified,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use subject::MutantSet;

    #[test]
    fn nothing_is_certified_of_a_mutant_of_which_runs_on_small_cases_are_unknown() {
        let enumerated = Enumerated {
            reach: Reach { size: Some(3), whole: None },
            unsettled: MutantSet::from_iter([1]),
            ..Enumerated::default()
        };
        let certificates = [0, 1].map(|mutant| enumerated.certificate(mutant, 4, false));
        assert_eq!(certificates, [Certificate::Certified, Certificate::Reduced]);
        assert_eq!(enumerated.certificate(0, 5, true), Certificate::Cut);
    }

    #[test]
    fn below_the_smallest_case_it_is_known_whether_the_list_leaves_anything_out() {
        let reach = |tried, whole| Reach::of(Some(1), tried, whole);
        assert_eq!(reach(Some(0), Some(0)), Reach { size: None, whole: Some(0) });
        assert_eq!(reach(Some(0), None), Reach { size: None, whole: None });
        assert_eq!(reach(Some(2), Some(0)), Reach { size: Some(2), whole: None });
        assert_eq!(reach(Some(2), Some(1)), Reach { size: Some(2), whole: Some(1) });
    }

    #[test]
    fn nothing_is_certified_that_is_larger_than_a_case_that_was_never_tried() {
        let draft = |input: &[u8]| Draft { flags: String::new(), input: input.to_vec() };
        let mut enumerated = Enumerated {
            found: BTreeMap::from([(0, draft(b"ab")), (1, draft(b"abc")), (2, draft(b"abcd"))]),
            ..Enumerated::default()
        };
        enumerated.unsettle(3, |draft| draft.input.len());
        assert_eq!(enumerated.unsettled, MutantSet::from_iter([2]));
    }
}
