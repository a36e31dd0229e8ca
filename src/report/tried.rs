//! What a search in order of size has tried, in words. It claims nothing of what was not tried.

use std::fmt;

/// How far cases were tried.
#[derive(Clone, Copy)]
pub(super) struct Tried<'a> {
    /// The largest area up to which every case of the alphabet was tried.
    pub(super) area: Option<usize>,
    /// The largest area up to which every case at all was tried.
    pub(super) whole: Option<usize>,
    pub(super) alphabet: &'a str,
}

impl Tried<'_> {
    /// Says whether a smaller case than one of this area may exist.
    pub(super) fn certificate(self, certified: bool, area: usize) -> &'static str {
        match (certified, self.whole.is_some_and(|whole| area <= whole + 1)) {
            (true, true) => "certified: nothing smaller exposes it",
            (true, false) => "certified for the cases below",
            (false, _) => "no single step makes it smaller",
        }
    }

    /// Says of a mutant that nothing exposed what that proves; `None` if it proves nothing.
    pub(super) fn equivalence(self) -> Option<String> {
        let area = self.area?;
        if self.whole == Some(area) {
            return Some(format!("equivalent up to area {area}"));
        }
        Some(format!("equivalent up to area {area}, for the cases below"))
    }
}

impl fmt::Display for Tried<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(area) = self.area else {
            return write!(f, "Of no area was every case tried");
        };
        write!(f, "Every case up to area {area} was tried: {}", self.alphabet)?;
        match self.whole {
            Some(whole) if whole == area => write!(f, "; there are no others"),
            Some(whole) => write!(f, "; up to area {whole}, there are no others"),
            None => Ok(()),
        }
    }
}
