//! What a search in order of size has tried, in words. It claims nothing of what was not tried.

use std::fmt;

/// How far cases were tried.
#[derive(Clone, Copy)]
pub(super) struct Tried<'a> {
    /// The largest size up to which every case of the alphabet was tried.
    pub(super) size: Option<usize>,
    /// The largest size up to which every case at all was tried.
    pub(super) whole: Option<usize>,
    pub(super) alphabet: &'a str,
}

impl Tried<'_> {
    /// Says whether a smaller case than one of this size may exist.
    pub(super) fn certificate(self, certified: bool, cut: bool, size: usize) -> &'static str {
        let is_whole = size == 0 || self.whole.is_some_and(|whole| size <= whole + 1);
        match (certified, is_whole) {
            (true, true) => "certified: nothing smaller exposes it",
            (true, false) => "certified for the cases below",
            (false, _) if cut => "not fully reduced: time ran out",
            (false, _) => "no single step makes it smaller",
        }
    }

    /// Says of a mutant that nothing exposed what that proves; `None` if it proves nothing.
    pub(super) fn equivalence(self) -> Option<String> {
        let size = self.size?;
        let of_these = if self.whole == Some(size) { "" } else { ", for the cases below" };
        Some(format!("does the same as the reference up to size {size}{of_these}"))
    }
}

impl fmt::Display for Tried<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(size) = self.size else {
            return write!(f, "No size was tried in full of these cases: {}", self.alphabet);
        };
        write!(f, "Every case up to size {size} was tried: {}", self.alphabet)?;
        match self.whole {
            Some(whole) => write!(f, "; there is no other case up to size {whole}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_if_no_smaller_input_was_left_out_nothing_smaller_exposes_a_mutant() {
        let certificate =
            |size, whole, of| Tried { size, whole, alphabet: "cases" }.certificate(true, false, of);
        let (whole, limited) =
            ("certified: nothing smaller exposes it", "certified for the cases below");
        assert_eq!(certificate(None, None, 0), whole, "nothing is smaller");
        assert_eq!(certificate(None, Some(0), 1), whole);
        assert_eq!(
            certificate(None, None, 1),
            limited,
            "the list has no case of size 0, but there may be one"
        );
        assert_eq!(certificate(Some(3), Some(1), 2), whole);
        assert_eq!(certificate(Some(3), Some(1), 3), limited);
    }
}
