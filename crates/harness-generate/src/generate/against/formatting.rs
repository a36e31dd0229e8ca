//! Tries forms of a file that the assignment's document does not promise, on cases on which the program is right.

use super::deviation::{Seen, letters};
use crate::diagnostic::Failure;
use crate::domain::Draft;
use crate::generate::comparer::{Comparer, Comparison, Discrepancy};
use std::collections::BTreeMap;

/// A difference that only shows if a file is written in a form that the document does not promise.
#[derive(Clone, Debug)]
pub struct Formatting {
    /// What is unusual, such as `a blank line at the end`.
    pub form: &'static str,
    pub draft: Draft,
    pub difference: Discrepancy,
    /// Every set of letters with which this was seen.
    pub letters: Vec<String>,
}

/// Writes the smallest case with each set of letters on which the program is right in each such form, and compares.
pub(super) fn differences(
    comparer: &mut Comparer<'_>,
    seen: &[Seen],
) -> Result<Vec<Formatting>, Failure> {
    let mut right: BTreeMap<&str, &Draft> = BTreeMap::new();
    // The smallest comes first.
    for case in seen.iter().filter(|case| case.kind.is_none()) {
        right.entry(letters(&case.draft)).or_insert(&case.draft);
    }
    let (generator, rules) = (comparer.generator, &comparer.under_test.tests);
    let forms: Vec<_> = right
        .values()
        .flat_map(|plain| {
            let forms = generator.lenient(plain, rules).into_iter();
            forms.filter(|(_, draft)| draft != *plain)
        })
        .collect();
    let drafts: Vec<_> = forms.iter().map(|(_, draft)| draft.clone()).collect();
    let comparisons = comparer.compare_quickly(&drafts)?;
    let mut differences: BTreeMap<&str, Formatting> = BTreeMap::new();
    for ((form, draft), comparison) in forms.into_iter().zip(comparisons) {
        let Comparison::Differ(difference) = comparison else { continue };
        let with = letters(&draft).to_owned();
        let first = || Formatting { form, draft, difference: *difference, letters: Vec::new() };
        differences.entry(form).or_insert_with(first).letters.push(with);
    }
    Ok(differences.into_values().collect())
}
