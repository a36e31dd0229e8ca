//! What stands in a test's name behind the number: letters, and the assignment's parameters.

use super::Wrong;
use crate::domain::{Flag, FlagGroup, TestRules};
use crate::problem::Problem;

/// What stands in a name behind the number, taken apart.
#[derive(Clone, Debug)]
pub struct Tail<'a> {
    /// The flags, in the order in which they are written.
    pub flags: Vec<&'a Flag>,
    /// The numbers behind them.
    pub parameters: Vec<u32>,
}

/// Takes apart what stands between `test-n-` and `.txt`: letters, and the assignment's parameters, each behind a `-`.
///
/// # Errors
/// With the rule that it breaks.
pub fn tail<'a>(text: &str, rules: &'a TestRules) -> Result<Tail<'a>, Problem> {
    take_apart(text, rules).map_err(|wrong| wrong.problem)
}

pub(super) fn take_apart<'a>(text: &str, rules: &'a TestRules) -> Result<Tail<'a>, Wrong> {
    let wanted = rules.parameters.len();
    let end = text.chars().count();
    let mut parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('-').collect() };
    let numbers = parts.split_off(parts.len().saturating_sub(wanted));
    let parameters: Vec<u32> = numbers.iter().filter_map(|part| part.parse().ok()).collect();
    if parameters.len() < wanted {
        let names = rules.parameters.join("-");
        return Err(Wrong::new(
            end,
            format!("the name lacks numbers for {names} behind the flags"),
        ));
    }
    match parts.as_slice() {
        [] => Ok(Tail { flags: flags("", rules)?, parameters }),
        [letters] => Ok(Tail { flags: flags(letters, rules)?, parameters }),
        [letters, rest, ..] => {
            let at = letters.chars().count() + 1;
            Err(Wrong::new(at, format!("`{rest}` is left over behind the flags")))
        }
    }
}

/// The flags chosen by `letters`, in the order in which they are written, or the rule that the letters break.
fn flags<'a>(letters: &str, rules: &'a TestRules) -> Result<Vec<&'a Flag>, Wrong> {
    let mut chosen: Vec<(usize, &Flag)> = Vec::new();
    for (here, letter) in letters.chars().enumerate() {
        let Some((at, flag)) = find(letter, &rules.groups) else {
            let message =
                format!("`{letter}` is not a flag: the flags are {}", all_letters(&rules.groups));
            return Err(Wrong::new(here, message));
        };
        let group = &rules.groups[at];
        if let Some((_, other)) = chosen.iter().find(|(group, _)| *group == at) {
            if other.letter == letter {
                return Err(Wrong::new(here, format!("the flag `{letter}` stands twice")));
            }
            let wrong =
                Wrong::new(here, format!("`{}` and `{letter}` exclude each other", other.letter));
            return Err(Wrong {
                problem: wrong.problem.hint(format!("keep one of {}", letters_of(group))),
                ..wrong
            });
        }
        if let Some((before, other)) = chosen.iter().find(|(group, _)| rules.ordered && *group > at)
        {
            let order =
                format!("{} follows {}", letters_of(&rules.groups[*before]), letters_of(group));
            return Err(Wrong::new(
                here,
                format!("`{}` stands before `{letter}`: {order}", other.letter),
            ));
        }
        chosen.push((at, flag));
    }
    match rules
        .groups
        .iter()
        .enumerate()
        .find(|(at, group)| group.required && !chosen.iter().any(|(group, _)| group == at))
    {
        Some((_, group)) => Err(Wrong::new(
            letters.chars().count(),
            format!("the flags lack {}", letters_of(group)),
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
