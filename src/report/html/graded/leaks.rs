//! What valgrind found, for a page.

use crate::report::graded::leaking;
use crate::result::graded::{Leak, LeaksReport, MemoryError};

pub(super) struct Leaks<'a> {
    /// On how many cases the program leaks.
    pub(super) summary: String,
    pub(super) found: Vec<Found<'a>>,
    pub(super) evaded: Option<&'a str>,
    pub(super) unchecked: Option<&'a str>,
}

/// A leak, or another error of memory.
pub(super) struct Found<'a> {
    pub(super) counts: bool,
    /// `definite`, or `memory error`.
    pub(super) kind: &'a str,
    /// How much memory it is, or valgrind's words for the error.
    pub(super) what: String,
    /// What the kind means.
    pub(super) meaning: &'static str,
    pub(super) case: &'a str,
    /// The functions that led to it, the innermost first.
    pub(super) place: &'a [String],
}

impl<'a> Leaks<'a> {
    pub(super) fn of(leaks: &'a LeaksReport) -> Self {
        let lost = leaks.leaks.iter().map(leak);
        Self {
            summary: leaking(leaks),
            found: lost.chain(leaks.errors.iter().map(error)).collect(),
            evaded: leaks.evaded.as_deref(),
            unchecked: leaks.unchecked.as_deref(),
        }
    }
}

fn leak(leak: &Leak) -> Found<'_> {
    let Leak { kind, counts, bytes, place, case } = leak;
    let meaning = match kind.as_str() {
        "definite" => "nothing points to this memory any more",
        "indirect" => "only other lost memory points to this memory",
        "possible" => "only pointers into the middle of this memory are left",
        "reachable" => "this memory was not released when the program ended",
        _ => "",
    };
    Found { counts: *counts, kind, what: grouped(*bytes), meaning, case, place }
}

fn error(error: &MemoryError) -> Found<'_> {
    let MemoryError { message, place, case } = error;
    let (kind, what) = ("memory error", message.clone());
    Found { counts: false, kind, what, meaning: "", case, place }
}

/// `1,234,567 bytes`.
fn grouped(bytes: u64) -> String {
    let digits = bytes.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} byte{}", if bytes == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_groups_of_three_digits() {
        assert_eq!(
            [0, 1, 999, 1000, 1_234_567].map(grouped),
            ["0 bytes", "1 byte", "999 bytes", "1,000 bytes", "1,234,567 bytes"]
        );
    }
}
