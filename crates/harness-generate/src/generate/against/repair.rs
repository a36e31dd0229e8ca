//! Finds the changes of a file that leave its meaning as it is, but make the program right on it.
//!
//! Such a change tells a cause: the program handles what was changed wrongly, whatever its answer then looks like. If one change repairs
//! two cases, such as leaving out a comment, the cause is the same.

use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Comparison};
use std::collections::BTreeSet;

/// The most lines of a file that is changed.
const MOST_LINES: usize = 64;
/// The most lines of a header, which stay in their order.
const MOST_HEADER: usize = 5;

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repair {
    /// A comment is added, where the generator has them.
    Comment,
    /// A line with these bytes is left out.
    Without(Vec<u8>),
    /// All lines but so many of a header are sorted.
    Sorted(usize),
}

/// The changes that repair `draft`.
///
/// # Errors
/// If the reference or the program cannot be started.
pub(super) fn of(comparer: &mut Comparer<'_>, draft: &Draft) -> Result<BTreeSet<Repair>, Failure> {
    let mut changes = changes(draft);
    let commented = comparer.generator.commented(draft, "a comment");
    changes.extend(commented.map(|commented| (Repair::Comment, commented)));
    let drafts: Vec<_> = changes.iter().map(|(_, changed)| changed.clone()).collect();
    let mean_the_same = comparer.mean_the_same(draft, &drafts)?;
    let same = changes.into_iter().zip(mean_the_same).filter(|(_, means_the_same)| *means_the_same);
    let (repairs, drafts): (Vec<_>, Vec<_>) = same.map(|(change, _)| change).unzip();
    let comparisons = comparer.compare_quickly(&drafts)?;
    let tried = repairs.into_iter().zip(comparisons);
    Ok(tried.filter(|(_, it)| matches!(it, Comparison::Same)).map(|(repair, _)| repair).collect())
}

/// The changes of single lines and of their order, each with the changed draft.
fn changes(draft: &Draft) -> Vec<(Repair, Draft)> {
    let lines: Vec<_> = draft.input.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.len() > MOST_LINES {
        return Vec::new();
    }
    let with = |lines: &[&[u8]]| Draft { flags: draft.flags.clone(), input: lines.concat() };
    let without = |at: usize| {
        let (before, after) = (&lines[..at], &lines[at + 1..]);
        (Repair::Without(lines[at].to_vec()), with(&[before, after].concat()))
    };
    let sorted = |header: usize| {
        let mut sorted = lines.clone();
        sorted[header..].sort_unstable();
        (sorted != lines).then(|| (Repair::Sorted(header), with(&sorted)))
    };
    let orders = (0..=MOST_HEADER.min(lines.len())).filter_map(sorted);
    (0..lines.len()).map(without).chain(orders).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_changed_line_by_line_and_sorted_below_each_header() {
        let draft = Draft { flags: "q".to_owned(), input: b"c\nb\na\n".to_vec() };
        let changes: Vec<_> = changes(&draft)
            .into_iter()
            .map(|(repair, draft)| (repair, String::from_utf8(draft.input).unwrap()))
            .collect();
        let without = |line: &str| Repair::Without(line.as_bytes().to_vec());
        let expected = [
            (without("c\n"), "b\na\n"),
            (without("b\n"), "c\na\n"),
            (without("a\n"), "c\nb\n"),
            (Repair::Sorted(0), "a\nb\nc\n"),
            (Repair::Sorted(1), "c\na\nb\n"),
        ];
        assert_eq!(changes, expected.map(|(repair, text)| (repair, text.to_owned())));
    }
}
