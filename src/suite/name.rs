//! The names of tests: `test-n-flags.txt`.
//!
//! The flags are read by the groups of letters in the course file. A name that breaks a rule is answered with the rule and, where one
//! is near, the name that was probably meant.

use crate::course::{Flag, FlagGroup, TestRules};
use crate::problem::Problem;

/// A test's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    /// The number.
    pub number: u32,
    /// The flags as they are written.
    pub flags: String,
}

/// What a file's name says of it.
pub enum Named {
    /// A test.
    Test(TestName),
    /// Something that was meant as a test but breaks a rule.
    Malformed(Problem),
    /// No test at all.
    Other,
}

/// Reads the name of a file in a suite.
pub fn read(file: &str, rules: &TestRules) -> Named {
    match parse(file, rules) {
        Ok(name) => Named::Test(name),
        Err(problem) => {
            let near = nearest_name(file, rules);
            if near.is_none() && !file.to_ascii_lowercase().starts_with("test") {
                return Named::Other;
            }
            let hint = problem.hint.clone().or_else(|| near.map(|name| format!("did you mean `{name}`?")));
            Named::Malformed(problem.maybe_hint(hint))
        }
    }
}

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
    let wanted = rules.parameters.len();
    let mut parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('-').collect() };
    let numbers = parts.split_off(parts.len().saturating_sub(wanted));
    let parameters: Vec<u32> = numbers.iter().filter_map(|part| part.parse().ok()).collect();
    if parameters.len() < wanted {
        let names = rules.parameters.join("-");
        return Err(Problem::new(format!("the name lacks numbers for {names} behind the flags")));
    }
    match parts.as_slice() {
        [] => Ok(Tail { flags: flags("", rules)?, parameters }),
        [letters] => Ok(Tail { flags: flags(letters, rules)?, parameters }),
        [_, rest, ..] => Err(Problem::new(format!("`{rest}` is left over behind the flags"))),
    }
}

/// The flags chosen by `letters`, in the order in which they are written.
///
/// # Errors
/// With the rule that the letters break.
fn flags<'a>(letters: &str, rules: &'a TestRules) -> Result<Vec<&'a Flag>, Problem> {
    let mut chosen: Vec<(usize, &Flag)> = Vec::new();
    for letter in letters.chars() {
        let Some((at, flag)) = find(letter, &rules.groups) else {
            return Err(Problem::new(format!("`{letter}` is not a flag: the flags are {}", all_letters(&rules.groups))));
        };
        let group = &rules.groups[at];
        if let Some((_, other)) = chosen.iter().find(|(group, _)| *group == at) {
            return Err(if other.letter == letter {
                Problem::new(format!("the flag `{letter}` stands twice"))
            } else {
                let message = format!("`{}` and `{letter}` exclude each other", other.letter);
                Problem::new(message).hint(format!("keep one of {}", letters_of(group)))
            });
        }
        if let Some((before, other)) = chosen.iter().find(|(group, _)| rules.ordered && *group > at) {
            let order = format!("{} follows {}", letters_of(&rules.groups[*before]), letters_of(group));
            return Err(Problem::new(format!("`{}` stands before `{letter}`: {order}", other.letter)));
        }
        chosen.push((at, flag));
    }
    match rules.groups.iter().enumerate().find(|(at, group)| group.required && !chosen.iter().any(|(group, _)| group == at)) {
        Some((_, group)) => Err(Problem::new(format!("the flags lack {}", letters_of(group)))),
        None => Ok(chosen.into_iter().map(|(_, flag)| flag).collect()),
    }
}

/// Every combination of letters that a name may hold, in the order of the groups.
pub fn combinations(rules: &TestRules) -> Vec<String> {
    let mut all = vec![String::new()];
    for group in &rules.groups {
        let mut longer = Vec::new();
        for start in &all {
            longer.extend(group.letters.iter().map(|flag| format!("{start}{}", flag.letter)));
            if !group.required {
                longer.push(start.clone());
            }
        }
        all = longer;
    }
    all
}

/// The name of the file of test `number` with `flags`.
pub fn file_name(number: u32, flags: &str) -> String {
    if flags.is_empty() { format!("test-{number}.txt") } else { format!("test-{number}-{flags}.txt") }
}

fn parse(file: &str, rules: &TestRules) -> Result<TestName, Problem> {
    let shape = || Problem::new(format!("a test's name is {}", example(rules)));
    let middle = file.strip_prefix("test-").and_then(|rest| rest.strip_suffix(".txt")).ok_or_else(shape)?;
    let (number, letters) = middle.split_once('-').unwrap_or((middle, ""));
    let number = parse_number(number, rules.files).ok_or_else(|| match number.parse::<u64>() {
        Ok(value) if number.starts_with('0') && value > 0 => {
            let without = file.replacen(number, &value.to_string(), 1);
            Problem::new(format!("the number `{number}` has a zero in front")).hint(format!("did you mean `{without}`?"))
        }
        Ok(_) => Problem::new(format!("the number {number} is not from 1 to {}", rules.files)),
        Err(_) => shape(),
    })?;
    tail(letters, rules)?;
    Ok(TestName { number, flags: letters.to_owned() })
}

fn parse_number(text: &str, most: u32) -> Option<u32> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number))?;
    (number.to_string() == text).then_some(number)
}

/// What a name looks like, for a message.
pub(super) fn example(rules: &TestRules) -> String {
    let flags = combinations(rules).into_iter().next().unwrap_or_default();
    let shape: String = rules.parameters.iter().map(|name| format!("-{name}")).collect();
    let zeros: String = rules.parameters.iter().map(|_| "-0").collect();
    format!("test-n-flags{shape}.txt, for example {}", file_name(1, &format!("{flags}{zeros}")))
}

fn find(letter: char, groups: &[FlagGroup]) -> Option<(usize, &Flag)> {
    groups.iter().enumerate().find_map(|(at, group)| Some((at, group.letters.iter().find(|flag| flag.letter == letter)?)))
}

fn letters_of(group: &FlagGroup) -> String {
    let letters: Vec<_> = group.letters.iter().map(|flag| format!("`{}`", flag.letter)).collect();
    letters.join(" or ")
}

fn all_letters(groups: &[FlagGroup]) -> String {
    let letters: Vec<_> = groups.iter().flat_map(|group| &group.letters).map(|flag| format!("`{}`", flag.letter)).collect();
    letters.join(", ")
}

/// The valid name nearest to `file`, if few enough changes make it so.
fn nearest_name(file: &str, rules: &TestRules) -> Option<String> {
    const MOST_CHANGES: usize = 2;
    let written = unconfused(file);
    // The numbers are the writer's own: only the rest can be guessed.
    let stem = file.strip_suffix(".txt").unwrap_or(file);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Limits;

    fn rules() -> TestRules {
        let flag = |letter: char| Flag { letter, long: vec![format!("--{letter}")], short: vec![format!("-{letter}")] };
        let group = |name: &str, required, letters: &str| FlagGroup {
            name: name.to_owned(),
            required,
            letters: letters.chars().map(flag).collect(),
        };
        let groups = vec![group("search", true, "sq"), group("output", false, "ml")];
        TestRules {
            files: 15,
            bytes: 1 << 16,
            convert_crlf: true,
            limits: Limits::new(),
            groups,
            ordered: true,
            parameters: Vec::new(),
        }
    }

    fn check(file: &str) -> String {
        match read(file, &rules()) {
            Named::Test(name) => format!("{} {}", name.number, name.flags),
            Named::Malformed(problem) => match problem.hint {
                Some(hint) => format!("{}; {hint}", problem.message),
                None => problem.message,
            },
            Named::Other => "other".to_owned(),
        }
    }

    #[test]
    fn a_name_gives_its_number_and_flags() {
        assert_eq!(check("test-1-sl.txt"), "1 sl");
        assert_eq!(check("test-15-q.txt"), "15 q");
    }

    #[test]
    fn a_digit_taken_for_a_letter_is_seen_through() {
        assert_eq!(check("test-6-q1.txt"), "`1` is not a flag: the flags are `s`, `q`, `m`, `l`; did you mean `test-6-ql.txt`?");
    }

    #[test]
    fn flags_that_exclude_each_other_are_named() {
        assert_eq!(check("test-2-sq.txt"), "`s` and `q` exclude each other; keep one of `s` or `q`");
        assert!(check("test-2-ss.txt").starts_with("the flag `s` stands twice"));
    }

    #[test]
    fn the_order_of_the_groups_is_a_rule() {
        let expected = "`l` stands before `q`: `m` or `l` follows `s` or `q`; did you mean `test-3-ql.txt`?";
        assert_eq!(check("test-3-lq.txt"), expected);
        let any = TestRules { ordered: false, ..rules() };
        assert!(matches!(read("test-3-lq.txt", &any), Named::Test(_)));
    }

    #[test]
    fn a_group_that_is_required_is_missed() {
        assert_eq!(check("test-3-m.txt"), "the flags lack `s` or `q`; did you mean `test-3-qm.txt`?");
        assert!(check("test-3.txt").starts_with("the flags lack `s` or `q`"));
    }

    #[test]
    fn numbers_have_a_range_and_one_spelling() {
        assert!(check("test-16-sl.txt").starts_with("the number 16 is not from 1 to 15"));
        assert!(check("test-0-sl.txt").starts_with("the number 0 is not from 1 to 15"));
        assert_eq!(check("test-01-sl.txt"), "the number `01` has a zero in front; did you mean `test-1-sl.txt`?");
    }

    #[test]
    fn another_shape_is_met_with_an_example() {
        let shape = "a test's name is test-n-flags.txt, for example test-1-sm.txt";
        assert_eq!(check("test_2_sl.txt"), format!("{shape}; did you mean `test-2-sl.txt`?"));
        assert_eq!(check("tset-2-sl.txt"), format!("{shape}; did you mean `test-2-sl.txt`?"));
        assert_eq!(check("testing notes.md"), shape);
    }

    #[test]
    fn a_file_that_is_no_test_is_left_alone() {
        assert_eq!(check("README.md"), "other");
    }
}
