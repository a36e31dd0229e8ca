//! Suggestions for an invalid name.

use super::{END, START, file_name, first_name, parse};
use crate::domain::TestRules;

/// The valid name nearest to `file`, if it is near enough.
pub(super) fn nearest_name(file: &str, rules: &TestRules) -> Option<String> {
    const MOST_CHANGES: usize = 2;
    // No valid name is this long, and comparing long names takes time.
    const LONGEST: usize = 100;
    if file.len() > LONGEST {
        return None;
    }
    let written = unconfused(file);
    let length = written.chars().count();
    // The parameters are the student's choice, so a suggestion keeps them.
    let stem = file.strip_suffix(END).unwrap_or(file);
    let numbers: Vec<_> =
        stem.rsplitn(rules.parameters.len() + 1, '-').take(rules.parameters.len()).collect();
    let parameters: String = numbers.iter().rev().map(|number| format!("-{number}")).collect();
    let with_parameters = |flags: String| format!("{flags}{parameters}");
    let tails: Vec<_> = rules.flag_combinations().into_iter().map(with_parameters).collect();
    let names =
        (1..=rules.files).flat_map(|number| tails.iter().map(move |tail| file_name(number, tail)));
    names
        .filter(|name| name.len().abs_diff(length) <= MOST_CHANGES)
        .filter_map(|name| {
            let near = unconfused(&name);
            let changes = strsim::damerau_levenshtein(&written, &near);
            let lost = || written.chars().filter(|&c| !near.contains(c)).count();
            (changes <= MOST_CHANGES)
                .then(|| (changes, lost(), strsim::damerau_levenshtein(file, &name), name))
        })
        .min()
        .map(|(.., name)| name)
        .filter(|name| parse(name, rules).is_ok())
}

/// The name of `file` with another number, if that is valid.
pub(super) fn with_number(file: &str, number: u32, rules: &TestRules) -> Option<String> {
    let middle = file.strip_prefix(START)?.strip_suffix(END)?;
    let tail = middle.split_once('-').map_or("", |(_, tail)| tail);
    Some(file_name(number, tail)).filter(|name| parse(name, rules).is_ok())
}

/// `name` in lower case, with characters that are easily confused replaced by one of them.
fn unconfused(name: &str) -> String {
    let one = |c| match c {
        '1' | 'i' | '|' => 'l',
        '0' => 'o',
        '_' | ' ' | '\u{2013}' | '\u{2014}' => '-',
        other => other,
    };
    name.to_lowercase().chars().map(one).collect()
}

/// The hint for a name that contains a placeholder of the rule.
pub(super) fn placeholders(file: &str, rules: &TestRules) -> Option<String> {
    let mut words = file.strip_suffix(END).unwrap_or(file).split('-').skip(1);
    let replacement = |word| match word {
        "n" => Some("replace `n` with a number"),
        "flags" => Some("replace `flags` with letters"),
        _ => None,
    };
    let replacement = words.find_map(replacement)?;
    Some(format!("{replacement}, as in `{}`", first_name(rules)))
}
