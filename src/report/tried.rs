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
        // Of the smallest size, no case was tried in full, and none is smaller.
        let is_whole = self.whole.map_or(self.size.is_none(), |whole| size <= whole + 1);
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
            return write!(f, "No size was tried in full");
        };
        write!(f, "Every case up to size {size} was tried: {}", self.alphabet)?;
        match self.whole {
            Some(whole) => write!(f, "; there is no other case up to size {whole}"),
            None => Ok(()),
        }
    }
}
