//! Which character was probably meant where one stands that may not stand there. Pure.

use std::ops::RangeInclusive;

/// Characters that are taken for each other: what is written, and what may be meant by it, the likeliest first.
const TAKEN_FOR: &[(&str, &str)] = &[
    ("*+xX=%|-█■▓", "#"),
    (", _:·o", "."),
    ("vV<>tT!", "^"),
    ("$gG¿", "?"),
    ("&", "@"),
    ("oOQ", "0"),
    ("lI|", "1"),
];

/// What to do about `found`, where only one of `allowed` may stand: nothing, if it is one of them.
pub fn hint(found: char, allowed: &str) -> Option<String> {
    if allowed.contains(found) {
        return None;
    }
    let meant =
        meant(found, allowed).map(|meant| format!("did you mean '{meant}'? ")).unwrap_or_default();
    Some(format!("{meant}what may stand here is {}", listed(allowed)))
}

fn meant(found: char, allowed: &str) -> Option<char> {
    let other_case = if found.is_lowercase() {
        found.to_uppercase().next()
    } else {
        found.to_lowercase().next()
    };
    let alike = TAKEN_FOR
        .iter()
        .filter(|(written, _)| written.contains(found))
        .flat_map(|(_, meant)| meant.chars());
    other_case.into_iter().chain(alike).find(|&c| allowed.contains(c))
}

/// `.`, `#` and `a` to `c`.
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
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_character_is_named_with_all_that_may_stand_there() {
        let allowed = ".#@?^abcABC";
        let all = "what may stand here is '.', '#', '@', '?', '^', 'a' to 'c' or 'A' to 'C'";
        assert_eq!(hint('*', allowed).unwrap(), format!("did you mean '#'? {all}"));
        assert_eq!(hint(',', allowed).unwrap(), format!("did you mean '.'? {all}"));
        assert_eq!(hint('d', allowed).unwrap(), all);
        assert_eq!(hint('a', allowed), None);
        assert_eq!(
            hint('S', "Cps").unwrap(),
            "did you mean 's'? what may stand here is 'C', 'p' or 's'"
        );
        assert_eq!(
            hint('O', "0123456789abcdef").unwrap(),
            "did you mean '0'? what may stand here is '0' to '9' or 'a' to 'f'"
        );
    }
}
