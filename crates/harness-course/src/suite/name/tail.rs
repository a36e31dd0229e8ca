//! The part of a test's name after the number: letters, and the assignment's parameters.

use super::NameError;
use crate::diagnostic::Problem;
use crate::domain::{Flag, FlagGroup, TestRules};

/// The part of a test's name after the number.
#[derive(Clone, Debug)]
pub struct Tail<'a> {
    /// The flags in the order of the name.
    pub flags: Vec<&'a Flag>,
    /// The numbers after the flags.
    pub parameters: Vec<u32>,
}

/// Parses the part between `test-n-` and `.txt`: letters, and the assignment's parameters, each after a `-`.
///
/// # Errors
/// With the rule that it breaks.
pub fn tail<'a>(text: &str, rules: &'a TestRules) -> Result<Tail<'a>, Problem> {
    parse_tail(text, rules).map_err(|wrong| wrong.problem)
}

pub(super) fn parse_tail<'a>(text: &str, rules: &'a TestRules) -> Result<Tail<'a>, NameError> {
    let wanted = rules.parameters.len();
    let end = text.chars().count();
    let mut parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('-').collect() };
    let numbers = parts.split_off(parts.len().saturating_sub(wanted));
    let parameters: Vec<u32> = numbers.iter().filter_map(|part| part.parse().ok()).collect();
    if parameters.len() < wanted {
        let names = rules.parameters.join("-");
        return Err(NameError::new(
            end,
            format!("the name needs the numbers {names} after the flags"),
        ));
    }
    match parts.as_slice() {
        [] => Ok(Tail { flags: flags("", rules)?, parameters }),
        [letters] => Ok(Tail { flags: flags(letters, rules)?, parameters }),
        [letters, rest, ..] => {
            let at = letters.chars().count() + 1;
            Err(NameError::new(at, format!("unexpected `{rest}` after the flags")))
        }
    }
}

/// The flags chosen by `letters`, in the order of `letters`, or the rule that they break.
fn flags<'a>(letters: &str, rules: &'a TestRules) -> Result<Vec<&'a Flag>, NameError> {
    let mut chosen: Vec<(usize, &Flag)> = Vec::new();
    for (here, letter) in letters.chars().enumerate() {
        let Some((at, flag)) = find(letter, &rules.groups) else {
            let message =
                format!("`{letter}` is not a flag: the flags are {}", all_letters(&rules.groups));
            return Err(NameError::new(here, message));
        };
        let group = &rules.groups[at];
        if let Some((_, other)) = chosen.iter().find(|(group, _)| *group == at) {
            if other.letter == letter {
                return Err(NameError::new(here, format!("the flag `{letter}` is repeated")));
            }
            let wrong = NameError::new(
                here,
                format!("`{}` and `{letter}` cannot be used together", other.letter),
            );
            return Err(NameError {
                problem: wrong.problem.hint(format!("use only one of {}", letters_of(group))),
                ..wrong
            });
        }
        if let Some((_, other)) = chosen.iter().find(|(group, _)| rules.ordered && *group > at) {
            let message = format!("`{letter}` must come before `{}`", other.letter);
            return Err(NameError::new(here, message));
        }
        chosen.push((at, flag));
    }
    match rules
        .groups
        .iter()
        .enumerate()
        .find(|(at, group)| group.required && !chosen.iter().any(|(group, _)| group == at))
    {
        Some((_, group)) => Err(NameError::new(
            letters.chars().count(),
            format!("missing flag: {}", letters_of(group)),
        )),
        None => Ok(chosen.into_iter().map(|(_, flag)| flag).collect()),
    }
}

fn find(letter: char, groups: &[FlagGroup]) -> Option<(usize, &Flag)> {
    groups.iter().enumerate().find_map(|(at, group)| {
        Some((at, group.letters.iter().find(|flag| flag.letter == letter)?))
    })
}

fn letters_of(group: &FlagGroup) -> String {
    let letters: Vec<_> = group.letters.iter().map(|flag| format!("`{}`", flag.letter)).collect();
    letters.join(" or ")
}

fn all_letters(groups: &[FlagGroup]) -> String {
    let letters: Vec<_> = groups
        .iter()
        .flat_map(|group| &group.letters)
        .map(|flag| format!("`{}`", flag.letter))
        .collect();
    letters.join(", ")
}
