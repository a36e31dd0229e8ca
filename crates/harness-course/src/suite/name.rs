//! The names of tests: `test-n-flags.txt`.
//!
//! The groups of letters in the course file define the valid flags. For an invalid name, the error says which rule it breaks, and
//! suggests a valid name if one is similar.

mod suggestion;
mod tail;

pub use tail::{Tail, tail};

use crate::diagnostic::{Excerpt, Problem};
use crate::domain::TestRules;
use std::collections::{BTreeSet, HashSet};
use suggestion::{nearest_name, placeholders, with_number};
use tail::parse_tail;

/// The name of a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    pub number: u32,
    /// The part between the number and `.txt`, as it is written.
    pub flags: String,
}

/// The name of a file in a suite.
pub enum FileName {
    /// A valid name of a test.
    Test(TestName),
    /// A name that looks like a test's but breaks a rule.
    Malformed(Problem),
    /// The file is not a test.
    Other,
}

/// The names that a suite's tests have. None of them is suggested for another file.
#[derive(Default)]
pub struct Taken {
    names: HashSet<String>,
    /// The first number that no test has.
    free_number: Option<u32>,
}

impl Taken {
    pub fn new(
        names: impl Iterator<Item = String>,
        numbers: &BTreeSet<u32>,
        rules: &TestRules,
    ) -> Self {
        let free_number = (1..=rules.files).find(|number| !numbers.contains(number));
        Self { names: names.collect(), free_number }
    }
}

/// The parsed name, if it is a valid name of a test.
pub fn valid(file: &str, rules: &TestRules) -> Option<TestName> {
    parse(file, rules).ok()
}

/// Reads a name alone.
pub fn read(file: &str, rules: &TestRules) -> FileName {
    read_beside(file, rules, &Taken::default())
}

/// Reads the name of a file beside tests with the names `taken`.
pub fn read_beside(file: &str, rules: &TestRules, taken: &Taken) -> FileName {
    match parse(file, rules) {
        Ok(name) => FileName::Test(name),
        Err(NameError { at, is_out_of_range, problem }) => {
            let near = nearest_name(file, rules);
            if near.is_none() && !file.to_ascii_lowercase().starts_with("test") {
                return FileName::Other;
            }
            let is_free = |name: &&String| !is_out_of_range && !taken.names.contains(*name);
            let suggested = near.as_ref().filter(is_free).cloned().or_else(|| {
                let name = if is_out_of_range { file } else { near.as_deref()? };
                with_number(name, taken.free_number?, rules)
            });
            let hint = problem.hint.clone().or_else(|| placeholders(file, rules));
            let hint = hint.or_else(|| suggested.map(|name| format!("did you mean `{name}`?")));
            FileName::Malformed(Problem {
                name: Some(Excerpt::new(file, Some(at + 1))),
                ..problem.maybe_hint(hint)
            })
        }
    }
}

/// Whether the name begins and ends like a test's.
pub fn is_like_a_test(file: &str) -> bool {
    file.starts_with(START) && file.ends_with(END)
}

/// A broken rule, and the position in the name, in characters from 0.
struct NameError {
    at: usize,
    /// Whether the number is too small or too large.
    is_out_of_range: bool,
    problem: Problem,
}

impl NameError {
    fn new(at: usize, message: String) -> Self {
        Self { at, is_out_of_range: false, problem: Problem::new(message) }
    }
}

/// The file name of test `number` with `flags`.
pub fn file_name(number: u32, flags: &str) -> String {
    if flags.is_empty() {
        format!("test-{number}.txt")
    } else {
        format!("test-{number}-{flags}.txt")
    }
}

const START: &str = "test-";
const END: &str = ".txt";

fn parse(file: &str, rules: &TestRules) -> Result<TestName, NameError> {
    let shape = |at| NameError::new(at, format!("a test is named {}", example(rules)));
    let Some(rest) = file.strip_prefix(START) else {
        let alike = file.chars().zip(START.chars()).take_while(|(c, expected)| c == expected);
        return Err(shape(alike.count()));
    };
    let Some(middle) = rest.strip_suffix(END) else {
        // The error starts at the name's own extension, if it has one.
        return Err(shape(
            file.rfind('.').map_or(file.chars().count(), |dot| file[..dot].chars().count()),
        ));
    };
    let (number, letters) = middle.split_once('-').unwrap_or((middle, ""));
    let first = START.len();
    let number = parse_number(number, rules.files).ok_or_else(|| match number.parse::<u64>() {
        Ok(value) if number.starts_with('0') && value > 0 => {
            let without = file.replacen(number, &value.to_string(), 1);
            let wrong = NameError::new(first, format!("the number `{number}` has a leading zero"));
            NameError { problem: wrong.problem.hint(format!("did you mean `{without}`?")), ..wrong }
        }
        Ok(_) => {
            let message = format!("the number {number} is not between 1 and {}", rules.files);
            NameError { is_out_of_range: true, ..NameError::new(first, message) }
        }
        Err(_) => shape(first + number.chars().take_while(char::is_ascii_digit).count()),
    })?;
    parse_tail(letters, rules).map_err(|wrong| {
        let before = file.len() - letters.len() - END.len();
        NameError { at: wrong.at + before, ..wrong }
    })?;
    Ok(TestName { number, flags: letters.to_owned() })
}

fn parse_number(text: &str, most: u32) -> Option<u32> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number))?;
    (number.to_string() == text).then_some(number)
}

/// The form of a test's name, with an example.
pub(super) fn example(rules: &TestRules) -> String {
    let shape: String = rules.parameters.iter().map(|name| format!("-{name}")).collect();
    format!("test-n-flags{shape}.txt, for example {}", first_name(rules))
}

/// The first valid name.
pub(super) fn first_name(rules: &TestRules) -> String {
    file_name(1, &first_flags(rules))
}

/// The first valid combination of flags, with a 0 for each parameter.
pub fn first_flags(rules: &TestRules) -> String {
    let flags = rules.flag_combinations().into_iter().next().unwrap_or_default();
    let zeros: String = rules.parameters.iter().map(|_| "-0").collect();
    format!("{flags}{zeros}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::InputLimits;
    use crate::domain::{Flag, FlagGroup};

    fn rules() -> TestRules {
        let flag = |letter: char| Flag {
            letter,
            long: vec![format!("--{letter}")],
            short: vec![format!("-{letter}")],
        };
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
            limits: InputLimits::new(),
            groups,
            ordered: true,
            parameters: Vec::new(),
            accepts_empty: false,
            follows_links: false,
            joined_options: false,
            literals: std::sync::Arc::default(),
        }
    }

    fn check(file: &str) -> String {
        match read(file, &rules()) {
            FileName::Test(name) => format!("{} {}", name.number, name.flags),
            FileName::Malformed(problem) => match problem.hint {
                Some(hint) => format!("{}; {hint}", problem.message),
                None => problem.message,
            },
            FileName::Other => "other".to_owned(),
        }
    }

    #[test]
    fn a_name_gives_its_number_and_flags() {
        assert_eq!(check("test-1-sl.txt"), "1 sl");
        assert_eq!(check("test-15-q.txt"), "15 q");
    }

    #[test]
    fn a_digit_that_looks_like_a_letter_is_corrected() {
        assert_eq!(
            check("test-6-q1.txt"),
            "`1` is not a flag: the flags are `s`, `q`, `m`, `l`; did you mean `test-6-ql.txt`?"
        );
    }

    #[test]
    fn flags_that_exclude_each_other_are_rejected() {
        assert_eq!(
            check("test-2-sq.txt"),
            "`s` and `q` cannot be used together; use only one of `s` or `q`"
        );
        assert!(check("test-2-ss.txt").starts_with("the flag `s` is repeated"));
    }

    #[test]
    fn the_order_of_the_groups_is_a_rule() {
        let expected = "`q` must come before `l`; did you mean `test-3-ql.txt`?";
        assert_eq!(check("test-3-lq.txt"), expected);
        let any = TestRules { ordered: false, ..rules() };
        assert!(matches!(read("test-3-lq.txt", &any), FileName::Test(_)));
    }

    #[test]
    fn a_missing_required_flag_is_reported() {
        assert_eq!(
            check("test-3-m.txt"),
            "missing flag: `s` or `q`; did you mean `test-3-qm.txt`?"
        );
        assert!(check("test-3.txt").starts_with("missing flag: `s` or `q`"));
    }

    #[test]
    fn a_number_out_of_range_or_with_a_leading_zero_is_rejected() {
        assert!(check("test-16-sl.txt").starts_with("the number 16 is not between 1 and 15"));
        assert!(check("test-0-sl.txt").starts_with("the number 0 is not between 1 and 15"));
        assert_eq!(
            check("test-01-sl.txt"),
            "the number `01` has a leading zero; did you mean `test-1-sl.txt`?"
        );
    }

    #[test]
    fn a_number_out_of_range_is_replaced_by_one_that_no_test_has() {
        let hint = |numbers: &[u32]| {
            let numbers: BTreeSet<_> = numbers.iter().copied().collect();
            let taken = Taken::new(std::iter::empty(), &numbers, &rules());
            match read_beside("test-16-sl.txt", &rules(), &taken) {
                FileName::Malformed(problem) => problem.hint,
                _ => panic!("16 is out of range"),
            }
        };
        assert_eq!(hint(&[1, 2, 6]).as_deref(), Some("did you mean `test-3-sl.txt`?"));
        let all: Vec<_> = (1..=15).collect();
        assert_eq!(hint(&all), None, "no number is free");
    }

    #[test]
    fn a_name_that_the_suite_already_has_is_suggested_with_another_number() {
        let names = ["test-6-ql.txt".to_owned()];
        let taken = Taken::new(names.into_iter(), &BTreeSet::from([6]), &rules());
        let FileName::Malformed(problem) = read_beside("test-6-q1.txt", &rules(), &taken) else {
            panic!("`1` is not a flag")
        };
        assert_eq!(problem.hint.as_deref(), Some("did you mean `test-1-ql.txt`?"));
    }

    #[test]
    fn a_name_of_another_form_is_rejected_with_an_example() {
        let shape = "a test is named test-n-flags.txt, for example test-1-sm.txt";
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
            let FileName::Malformed(problem) = read(file, &rules()) else { panic!("{file}") };
            let name = problem.name.unwrap();
            assert_eq!((name.text.as_str(), name.carets().unwrap().as_str()), (file, carets));
        }
    }

    #[test]
    fn placeholders_in_a_name_are_explained() {
        assert!(
            check("test-n-flags.txt")
                .ends_with("; replace `n` with a number, as in `test-1-sm.txt`")
        );
        assert!(
            check("test-1-flags.txt")
                .ends_with("; replace `flags` with letters, as in `test-1-sm.txt`")
        );
    }

    #[test]
    fn an_invalid_name_is_never_suggested() {
        let rules = TestRules { parameters: vec!["x".to_owned()], ..rules() };
        let hint = |file| match read(file, &rules) {
            FileName::Malformed(problem) => problem.hint,
            _ => panic!("{file}"),
        };
        assert_eq!(hint("test-1-sl-4294967296.txt"), None);
        assert_eq!(hint("test-1-s1-0.txt").as_deref(), Some("did you mean `test-1-sl-0.txt`?"));
    }

    #[test]
    fn a_file_that_is_not_a_test_is_ignored() {
        assert_eq!(check("README.md"), "other");
    }
}
