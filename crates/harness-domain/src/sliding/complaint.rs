//! Reads what a message says about discarded pieces: which ones, why, and how many.

use super::answer::shortened;
use super::mention::{Mention, OVERLAPS, mentions};
use super::words::{Word, words};
use crate::Flaw;

/// The stems of the words for what a message is about.
pub(super) const ABOUT_PIECES: &str = "piece block tile error warning";

/// A message that may be about a discarded piece.
pub(super) struct Complaint {
    line: Option<usize>,
    pub(super) text: String,
    /// Whether it is certainly about a discarded piece.
    pub(super) is_certain: bool,
    /// Whether its words say that a piece is discarded. Otherwise, only the piece that it names can tell.
    pub(super) is_told: bool,
    /// The number of discarded pieces, if it states one.
    pub(super) count: Option<u32>,
    pub(super) faults: Faults,
    pub(super) mentions: Vec<Mention>,
}

impl Complaint {
    /// The message in a text that begins at `line`, if it may be about a discarded piece.
    pub(super) fn read((line, text): (Option<usize>, String)) -> Option<Self> {
        let lower = text.to_lowercase();
        let has = |parts: &str| parts.split('|').any(|part| lower.contains(part));
        let words = words(&text);
        let mentions = mentions(&words);
        let faults = Faults {
            outside: has("outside|out of|beyond|exceed|bounds|off the|stick|too |fit"),
            direction: has("direction|movement"),
            overlap: has("on top of") || words.iter().any(|word| word.begins(OVERLAPS)),
        };
        let is_none = has("no error|none|no invalid|no warning|no piece|without error");
        if is_none || text.ends_with(':') && mentions.is_empty() {
            return None;
        }
        // A message may name no piece, and then only its words tell that it is one.
        let is_sure = has("error|invalid|illegal|discard|outside|overlap|out of|ignor|warning");
        let is_certain = is_sure || !mentions.is_empty() && (faults.outside || faults.overlap);
        let is_doubt =
            faults != Faults::default() || has("not |n't|cannot|drop|remov|reject|skip|bad|wrong");
        let is_told = is_certain || is_doubt && words.iter().any(|word| word.begins(ABOUT_PIECES));
        let count = count(&words);
        let may_tell = is_told || !mentions.is_empty();
        may_tell.then_some(Self { line, text, is_certain, is_told, count, faults, mentions })
    }

    /// The flaw that the message has, for this reason.
    pub(super) fn flaw(&self, why: &str) -> Flaw {
        Flaw::at(self.line, format!("`{}`{why}", shortened(&self.text)))
    }

    /// Its words without the numbers and names. Messages of the same form mean the same.
    pub(super) fn form(&self) -> Vec<String> {
        let is_word = |word: &Word| word.integer().is_none() && word.name().is_none();
        words(&self.text).into_iter().filter(is_word).map(|word| word.text).collect()
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
    const THINGS: &str = "pieces errors warnings messages problems piece error warning";
    const BEFORE: &str = "found were was are is total discarded ignored with";
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let is_count = at == 0 || words[at - 1].is(BEFORE);
        pair[0].text.parse().ok().filter(|_| is_count && pair[1].is(THINGS))
    })
}
