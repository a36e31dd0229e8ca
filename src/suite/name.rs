//! The names of tests: `test-n-flags.txt`.
//!
//! The flags are read by the groups of letters in the course file. A name that breaks a rule is answered with the rule and, where one
//! is near, the name that was probably meant.

use crate::course::{Flag, FlagGroup, TestRules};
use crate::problem::{Excerpt, Problem};

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
        Err(Wrong { at, problem }) => {
            let near = nearest_name(file, rules);
            if near.is_none() && !file.to_ascii_lowercase().starts_with("test") {
                return Named::Other;
            }
            let hint = problem.hint.clone().or_else(|| placeholders(file, rules));
            let hint = hint.or_else(|| near.map(|name| format!("did you mean `{name}`?")));
            Named::Malformed(Problem { name: Some(Excerpt::new(file, Some(at + 1))), ..problem.maybe_hint(hint) })
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
    take_apart(text, rules).map_err(|wrong| wrong.problem)
}

/// A rule that is broken, and how many characters stand before what breaks it.
struct Wrong {
    at: usize,
    problem: Problem,
}

impl Wrong {
    fn new(at: usize, message: String) -> Self {
        Self { at, problem: Problem::new(message) }
    }
}

fn take_apart<'a>(text: &str, rules: &'a TestRules) -> Result<Tail<'a>, Wrong> {
    let wanted = rules.parameters.len();
    let end = text.chars().count();
    let mut parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('-').collect() };
    let numbers = parts.split_off(parts.len().saturating_sub(wanted));
    let parameters: Vec<u32> = numbers.iter().filter_map(|part| part.parse().ok()).collect();
    if parameters.len() < wanted {
        let names = rules.parameters.join("-");
        return Err(Wrong::new(end, format!("the name lacks numbers for {names} behind the flags")));
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
            let message = format!("`{letter}` is not a flag: the flags are {}", all_letters(&rules.groups));
            return Err(Wrong::new(here, message));
        };
        let group = &rules.groups[at];
        if let Some((_, other)) = chosen.iter().find(|(group, _)| *group == at) {
            if other.letter == letter {
                return Err(Wrong::new(here, format!("the flag `{letter}` stands twice")));
            }
            let wrong = Wrong::new(here, format!("`{}` and `{letter}` exclude each other", other.letter));
            return Err(Wrong { problem: wrong.problem.hint(format!("keep one of {}", letters_of(group))), ..wrong });
        }
        if let Some((before, other)) = chosen.iter().find(|(group, _)| rules.ordered && *group > at) {
            let order = format!("{} follows {}", letters_of(&rules.groups[*before]), letters_of(group));
            return Err(Wrong::new(here, format!("`{}` stands before `{letter}`: {order}", other.letter)));
        }
        chosen.push((at, flag));
    }
    match rules.groups.iter().enumerate().find(|(at, group)| group.required && !chosen.iter().any(|(group, _)| group == at)) {
        Some((_, group)) => Err(Wrong::new(letters.chars().count(), format!("the flags lack {}", letters_of(group)))),
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

const START: &str = "test-";
const END: &str = ".txt";

fn parse(file: &str, rules: &TestRules) -> Result<TestName, Wrong> {
    let shape = |at| Wrong::new(at, format!("a test's name is {}", example(rules)));
    let Some(rest) = file.strip_prefix(START) else {
        let alike = file.chars().zip(START.chars()).take_while(|(c, expected)| c == expected);
        return Err(shape(alike.count()));
    };
    let Some(middle) = rest.strip_suffix(END) else {
        // From the ending on that it has, if it has one.
        return Err(shape(file.rfind('.').map_or(file.chars().count(), |dot| file[..dot].chars().count())));
    };
    let (number, letters) = middle.split_once('-').unwrap_or((middle, ""));
    let first = START.len();
    let number = parse_number(number, rules.files).ok_or_else(|| match number.parse::<u64>() {
        Ok(value) if number.starts_with('0') && value > 0 => {
            let without = file.replacen(number, &value.to_string(), 1);
            let wrong = Wrong::new(first, format!("the number `{number}` has a zero in front"));
            Wrong { problem: wrong.problem.hint(format!("did you mean `{without}`?")), ..wrong }
        }
        Ok(_) => Wrong::new(first, format!("the number {number} is not from 1 to {}", rules.files)),
        Err(_) => shape(first + number.chars().take_while(char::is_ascii_digit).count()),
    })?;
    take_apart(letters, rules).map_err(|wrong| {
        let before = file.len() - letters.len() - END.len();
        Wrong { at: wrong.at + before, ..wrong }
    })?;
    Ok(TestName { number, flags: letters.to_owned() })
}

/// What to do with a name that was taken from a rule word by word.
fn placeholders(file: &str, rules: &TestRules) -> Option<String> {
    let mut words = file.strip_suffix(END).unwrap_or(file).split('-').skip(1);
    let stands_for = |word| match word {
        "n" => Some("`n` stands for a number"),
        "flags" => Some("`flags` stands for letters"),
        _ => None,
    };
    let word = words.find_map(stands_for)?;
    Some(format!("{word}: a name is for example {}", first_name(rules)))
}

fn parse_number(text: &str, most: u32) -> Option<u32> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number))?;
    (number.to_string() == text).then_some(number)
}

/// What a name looks like, for a message.
pub(super) fn example(rules: &TestRules) -> String {
    let shape: String = rules.parameters.iter().map(|name| format!("-{name}")).collect();
    format!("test-n-flags{shape}.txt, for example {}", first_name(rules))
}

/// The name of a first test.
fn first_name(rules: &TestRules) -> String {
    let flags = combinations(rules).into_iter().next().unwrap_or_default();
    let zeros: String = rules.parameters.iter().map(|_| "-0").collect();
    file_name(1, &format!("{flags}{zeros}"))
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
    // No name that is valid is nearly as long, and comparing such takes its time.
    const LONGEST: usize = 100;
    if file.len() > LONGEST {
        return None;
    }
    let written = unconfused(file);
    let length = written.chars().count();
    // The numbers are the writer's own: only the rest can be guessed.
    let stem = file.strip_suffix(".txt").unwrap_or(file);
    let numbers: Vec<_> = stem.rsplitn(rules.parameters.len() + 1, '-').take(rules.parameters.len()).collect();
    let parameters: String = numbers.iter().rev().map(|number| format!("-{number}")).collect();
    let with_parameters = |flags: String| format!("{flags}{parameters}");
    let tails: Vec<_> = combinations(rules).into_iter().map(with_parameters).collect();
    let names = (1..=rules.files).flat_map(|number| tails.iter().map(move |tail| file_name(number, tail)));
    names
        .filter(|name| name.len().abs_diff(length) <= MOST_CHANGES)
        .filter_map(|name| {
            let near = unconfused(&name);
            let changes = strsim::damerau_levenshtein(&written, &near);
            let lost = || written.chars().filter(|&c| !near.contains(c)).count();
            (changes <= MOST_CHANGES).then(|| (changes, lost(), strsim::damerau_levenshtein(file, &name), name))
        })
        .min()
        .map(|(.., name)| name)
        .filter(|name| parse(name, rules).is_ok())
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
    fn the_caret_is_below_the_letter_that_is_wrong() {
        let cases = [
            ("test-6-q1.txt", "        ^"),
            ("test-2-sq.txt", "        ^"),
            ("test-3-lq.txt", "        ^"),
            ("test-3-m.txt", "        ^"),
            ("test-3.txt", "      ^"),
            ("test-16-sl.txt", "     ^"),
            ("test-1x-sl.txt", "      ^"),
            ("test_2_sl.txt", "    ^"),
            ("tset-2-sl.txt", " ^"),
            ("test-2-sl.tx", "         ^"),
            ("test-2-sl", "         ^"),
            ("test-2-s-l.txt", "         ^"),
            ("test-2-ß.txt", "       ^"),
        ];
        for (file, carets) in cases {
            let Named::Malformed(problem) = read(file, &rules()) else { panic!("{file}") };
            let name = problem.name.unwrap();
            assert_eq!((name.text.as_str(), name.carets().unwrap().as_str()), (file, carets));
        }
    }

    #[test]
    fn a_name_taken_from_the_rule_word_by_word_is_explained() {
        assert!(check("test-n-flags.txt").ends_with("; `n` stands for a number: a name is for example test-1-sm.txt"));
        assert!(check("test-1-flags.txt").ends_with("; `flags` stands for letters: a name is for example test-1-sm.txt"));
    }

    #[test]
    fn no_name_is_suggested_that_breaks_a_rule_too() {
        let rules = TestRules { parameters: vec!["x".to_owned()], ..rules() };
        let hint = |file| match read(file, &rules) {
            Named::Malformed(problem) => problem.hint,
            _ => panic!("{file}"),
        };
        assert_eq!(hint("test-1-sl-4294967296.txt"), None);
        assert_eq!(hint("test-1-s1-0.txt").as_deref(), Some("did you mean `test-1-sl-0.txt`?"));
    }

    #[test]
    fn a_file_that_is_no_test_is_left_alone() {
        assert_eq!(check("README.md"), "other");
    }
}
