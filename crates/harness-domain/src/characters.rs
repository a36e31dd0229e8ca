//! Suggests a valid character for one that is not allowed. Pure.

use std::ops::RangeInclusive;

/// Characters that are easily confused: those that are written, and those that may be meant, the most likely first.
const CONFUSED: &[(&str, &str)] = &[
    ("*+xX=%|-█■▓", "#"),
    (", _:·o", "."),
    ("vV<>tT!", "^"),
    ("$gG¿", "?"),
    ("&", "@"),
    ("oOQ", "0"),
    ("lI|", "1"),
];

/// A hint about `found` in a place where only the characters in `allowed` are valid; `None` if it is one of them.
pub fn hint(found: char, allowed: &str) -> Option<String> {
    if allowed.contains(found) {
        return None;
    }
    let suggestion = similar(found, allowed)
        .map(|similar| format!("did you mean '{similar}'? "))
        .unwrap_or_default();
    Some(format!("{suggestion}the characters allowed here are {}", listed(allowed)))
}

fn similar(found: char, allowed: &str) -> Option<char> {
    let other_case = if found.is_lowercase() {
        found.to_uppercase().next()
    } else {
        found.to_lowercase().next()
    };
    let alike = CONFUSED
        .iter()
        .filter(|(written, _)| written.contains(found))
        .flat_map(|(_, meant)| meant.chars());
    other_case.into_iter().chain(alike).find(|&c| allowed.contains(c))
}

/// `'.', '#' and 'a' to 'c'`.
fn listed(allowed: &str) -> String {
    let mut runs: Vec<RangeInclusive<char>> = Vec::new();
    for c in allowed.chars() {
        match runs.last_mut() {
            Some(run) if c.is_alphanumeric() && u32::from(*run.end()) + 1 == u32::from(c) => {
                *run = *run.start()..=c;
            }
            _ => runs.push(c..=c),
        }
    }
    let name = |run: &RangeInclusive<char>| match (run.start(), run.end()) {
        (start, end) if start == end => format!("'{start}'"),
        (start, end) => format!("'{start}' to '{end}'"),
    };
    let names: Vec<_> = runs.iter().map(name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_suggests_a_similar_character_and_lists_all_that_are_allowed() {
        let allowed = ".#@?^abcABC";
        let all =
            "the characters allowed here are '.', '#', '@', '?', '^', 'a' to 'c' and 'A' to 'C'";
        assert_eq!(hint('*', allowed).unwrap(), format!("did you mean '#'? {all}"));
        assert_eq!(hint(',', allowed).unwrap(), format!("did you mean '.'? {all}"));
        assert_eq!(hint('d', allowed).unwrap(), all);
        assert_eq!(hint('a', allowed), None);
        assert_eq!(
            hint('S', "Cps").unwrap(),
            "did you mean 's'? the characters allowed here are 'C', 'p' and 's'"
        );
        assert_eq!(
            hint('O', "0123456789abcdef").unwrap(),
            "did you mean '0'? the characters allowed here are '0' to '9' and 'a' to 'f'"
        );
    }
}
