//! What the writer of a name that is no test's name may have meant.

use super::{END, combinations, file_name, first_name};
use crate::course::TestRules;

/// The valid name nearest to `file`, if few enough changes make it so.
pub(super) fn nearest_name(file: &str, rules: &TestRules) -> Option<String> {
    const MOST_CHANGES: usize = 2;
    let written = unconfused(file);
    // The numbers are the writer's own: only the rest can be guessed.
    let stem = file.strip_suffix(END).unwrap_or(file);
    let numbers: Vec<_> = stem.rsplitn(rules.parameters.len() + 1, '-').take(rules.parameters.len()).collect();
    let parameters: String = numbers.iter().rev().map(|number| format!("-{number}")).collect();
    let with_parameters = |flags: String| format!("{flags}{parameters}");
    let tails: Vec<_> = combinations(rules).into_iter().map(with_parameters).collect();
    let names = (1..=rules.files).flat_map(|number| tails.iter().map(move |tail| file_name(number, tail)));
    names
        .map(|name| {
            let near = unconfused(&name);
            let lost = written.chars().filter(|&c| !near.contains(c)).count();
            (strsim::damerau_levenshtein(&written, &near), lost, strsim::damerau_levenshtein(file, &name), name)
        })
        .filter(|&(changes, ..)| changes <= MOST_CHANGES)
        .min()
        .map(|(.., name)| name)
}

/// `name` in lower case, with the characters that are taken for each other made one.
fn unconfused(name: &str) -> String {
    let one = |c| match c {
        '1' | 'i' | '|' => 'l',
        '0' => 'o',
        '_' | ' ' | '\u{2013}' | '\u{2014}' => '-',
        other => other,
    };
    name.to_lowercase().chars().map(one).collect()
}

/// What to do with a name that was taken from a rule word by word.
pub(super) fn placeholders(file: &str, rules: &TestRules) -> Option<String> {
    let mut words = file.strip_suffix(END).unwrap_or(file).split('-').skip(1);
    let stands_for = |word| match word {
        "n" => Some("`n` stands for a number"),
        "flags" => Some("`flags` stands for letters"),
        _ => None,
    };
    let word = words.find_map(stands_for)?;
    Some(format!("{word}: a name is for example {}", first_name(rules)))
}
