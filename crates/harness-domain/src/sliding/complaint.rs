//! Reads what a message says about discarded pieces: which ones, why, and how many.

use super::mention::{Mention, Word, mentions, words};

/// A message that may be about a discarded piece.
pub(super) struct Complaint {
    /// Whether it may be about a discarded piece.
    pub(super) may_complain: bool,
    /// Whether it is certainly about a discarded piece.
    pub(super) complains: bool,
    /// The number of discarded pieces, if it states one.
    pub(super) count: Option<u32>,
    pub(super) faults: Faults,
    pub(super) mentions: Vec<Mention>,
}

impl Complaint {
    pub(super) fn read(text: &str) -> Self {
        const SURE: [&str; 9] = [
            "error", "invalid", "illegal", "discard", "outside", "overlap", "out of", "ignor",
            "warning",
        ];
        const MAYBE: [&str; 34] = [
            "not ",
            "n't",
            "cannot",
            "beyond",
            "exceed",
            "stick",
            "bad",
            "wrong",
            "drop",
            "remov",
            "reject",
            "skip",
            "dismiss",
            "unable",
            "fail",
            "omit",
            "exclu",
            "throw",
            "delet",
            "left out",
            "problem",
            "occupied",
            "clash",
            "intersect",
            "conflict",
            "collid",
            "collision",
            "too large",
            "too wide",
            "too big",
            "too tall",
            "off the",
            "unknown",
            "already",
        ];
        let lower = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let words = words(text);
        let is_none = has(&[
            "no error",
            "none",
            "no invalid",
            "0 error",
            "no warning",
            "no piece",
            "without error",
        ]);
        let faults = Faults::read(&has);
        let mentions = mentions(&words);
        let is_other = is_none || text.ends_with(':') && mentions.is_empty();
        let may_complain = !is_other && (has(&SURE) || has(&MAYBE));
        // A piece that is not on the board, or on another one, is discarded.
        let is_certain = has(&SURE) || !mentions.is_empty() && (faults.outside || faults.overlap);
        Self {
            may_complain,
            complains: may_complain && is_certain,
            count: count(&words),
            faults,
            mentions,
        }
    }
}

/// The reasons for which a piece is discarded, or those that a message gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Faults {
    pub(super) outside: bool,
    pub(super) direction: bool,
    pub(super) overlap: bool,
}

impl Faults {
    /// The faults that a text names. `has` tells whether it contains one of the given words.
    fn read(has: &impl Fn(&[&str]) -> bool) -> Self {
        Self {
            outside: has(&[
                "outside",
                "out of",
                "beyond",
                "exceed",
                "bounds",
                "off the",
                "stick",
                "too large",
                "too wide",
                "too big",
                "too tall",
                "fit",
            ]),
            direction: has(&["direction", "movement"]),
            overlap: has(&[
                "overlap",
                "collid",
                "collision",
                "clash",
                "intersect",
                "occupied",
                "conflict",
                "on top of",
            ]),
        }
    }

    /// Whether a message that gives these reasons may be about a piece with the `real` ones. A message may give no reason.
    pub(super) fn may_be(self, real: Self) -> bool {
        self == Self::default()
            || self.outside && real.outside
            || self.direction && real.direction
            || self.overlap && real.overlap
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self { outside: true, .. } => "is not inside the grid",
            Self { direction: true, .. } => "has no valid direction",
            Self { .. } => "overlaps another piece",
        }
    }
}

/// The number before a word such as `pieces` or `errors`.
fn count(words: &[Word]) -> Option<u32> {
    const THINGS: [&str; 8] =
        ["pieces", "errors", "warnings", "messages", "problems", "piece", "error", "warning"];
    const BEFORE: [&str; 9] =
        ["found", "were", "was", "are", "is", "total", "discarded", "ignored", "with"];
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let is_count = at.checked_sub(1).is_none_or(|before| words[before].is(&BEFORE));
        pair[0].text.parse().ok().filter(|_| is_count && pair[1].is(&THINGS))
    })
}
