//! Tests of error handling: which of the inputs that the reference refuses are tests, and what is compared on them. Pure.

use crate::uncaught::is_uncaught;
use crate::{Fault, Flaw, shortened};
use regex::bytes::Regex;
use subject::{End, How, Outcome};

/// The most characters of standard error that a message quotes.
const MOST_QUOTED: usize = 200;

/// What a course says of inputs that the reference refuses.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    pub tests: RefusedTests,
    /// The exit statuses that are refusals. If there are none, each is one except 0.
    pub statuses: Vec<u8>,
    /// Whether standard output and the files that the program writes are compared.
    pub compares_output: bool,
    /// What is compared of standard error: whatever these match in its lines.
    pub compared_lines: Vec<Regex>,
}

/// Which of the inputs that the reference refuses are tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefusedTests {
    #[default]
    None,
    All,
    /// Those with this letter in the names of their tests. Other tests must be accepted.
    Lettered(char),
}

/// What the reference does with a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// It exits with status 0.
    Accepted,
    /// It refuses the input, and the course tests this.
    Refused,
}

impl Refusals {
    /// Whether an input that the reference refuses can be a test.
    pub fn are_tests(&self) -> bool {
        self.tests != RefusedTests::None
    }

    /// What the reference does with a test, by its outcome; `None` if that is no answer.
    pub fn kind(&self, reference: &Outcome) -> Option<TestKind> {
        match reference.end {
            End::Exit(0) => Some(TestKind::Accepted),
            _ if self.are_tests() && self.is_refusal(reference) => Some(TestKind::Refused),
            _ => None,
        }
    }

    /// The letter in the names of the tests that the reference refuses, if there is one.
    pub fn letter(&self) -> Option<char> {
        match self.tests {
            RefusedTests::Lettered(letter) => Some(letter),
            RefusedTests::None | RefusedTests::All => None,
        }
    }

    /// Whether a program that should have refused its input deliberately did not.
    pub fn is_no_answer(&self, outcome: &Outcome) -> bool {
        self.are_tests() && !self.is_refusal(outcome)
    }

    /// Whether what the reference does is no answer at all: it does not exit, or nothing catches an exception. Where refusals are no tests,
    /// such an exception may be how it refuses an input.
    pub fn is_failure(&self, reference: &Outcome) -> bool {
        let exits = matches!(reference.end, End::Exit(_));
        !exits || self.are_tests() && is_uncaught(reference)
    }

    /// Whether the name of a test, with these flags, fits what the reference does with it.
    pub fn fits(&self, flags: &str, kind: TestKind) -> bool {
        // What follows the flags is numbers.
        self.letter().is_none_or(|letter| flags.contains(letter) == (kind == TestKind::Refused))
    }

    /// Whether a program refuses its input deliberately. An uncaught exception is no refusal.
    fn is_refusal(&self, outcome: &Outcome) -> bool {
        let End::Exit(status) = outcome.end else { return false };
        let is_one =
            if self.statuses.is_empty() { status != 0 } else { self.statuses.contains(&status) };
        is_one && !is_uncaught(outcome)
    }

    /// How `mutant` is wrong on an input that the reference refuses; `None` if it is right. The flaw of an output says that both refuse
    /// the input with the same status, but differ in what is compared.
    pub fn fault(&self, reference: &Outcome, mutant: &Outcome) -> Option<Fault> {
        match mutant.end {
            End::Exit(0) => return Some(How::Accepts.into()),
            End::Exit(_) if is_uncaught(mutant) => return Some(How::Crash.into()),
            _ => {}
        }
        match How::between(reference, mutant) {
            None => {}
            Some(How::Output) if !self.compares_output => {}
            Some(how) => return Some(how.into()),
        }
        let why =
            self.compared_lines.iter().find_map(|pattern| differing(pattern, reference, mutant))?;
        Some(Fault { how: How::Message, why: Some(why) })
    }
}

/// How what `pattern` matches differs in what two programs say.
fn differing(pattern: &Regex, reference: &Outcome, mutant: &Outcome) -> Option<Flaw> {
    let [right, found] = [reference, mutant].map(|outcome| matches(pattern, &outcome.stderr));
    (right != found).then(|| {
        let [right, found] = [right, found].map(|lines| quoted(&lines));
        Flaw::whole(format!("standard error should have {right}, but has {found}"))
    })
}

/// What `pattern` matches in each line.
fn matches(pattern: &Regex, text: &[u8]) -> Vec<Vec<u8>> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter_map(|line| Some(pattern.find(line)?.as_bytes().to_vec())).collect()
}

fn quoted(lines: &[Vec<u8>]) -> String {
    if lines.is_empty() {
        return "nothing that is compared".to_owned();
    }
    let texts: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line)).collect();
    format!("\"{}\"", shortened(&texts.join(" / "), MOST_QUOTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: u8, stdout: &str, stderr: &str) -> Outcome {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        Outcome { end: End::Exit(status), stdout, stderr, files: [].into() }
    }

    fn refusals(pattern: Option<&str>) -> Refusals {
        let compared_lines = pattern.into_iter().map(|pattern| Regex::new(pattern).unwrap());
        Refusals {
            tests: RefusedTests::All,
            compared_lines: compared_lines.collect(),
            ..Refusals::default()
        }
    }

    #[test]
    fn only_a_deliberate_refusal_is_an_answer() {
        let kind = |outcome: &Outcome| refusals(None).kind(outcome);
        assert_eq!(kind(&outcome(0, "", "")), Some(TestKind::Accepted));
        assert_eq!(kind(&outcome(1, "", "line 1: no map\n")), Some(TestKind::Refused));
        let trace = "Traceback (most recent call last):\n  File \"a.py\"\nValueError: x\n";
        assert_eq!(kind(&outcome(1, "", trace)), None);
        let crash = Outcome { end: End::Crash("signal 6".into()), ..outcome(1, "", "") };
        assert_eq!(kind(&crash), None);
        let two = Refusals { statuses: vec![2], ..refusals(None) };
        assert_eq!(two.kind(&outcome(1, "", "")), None);
        assert_eq!(two.kind(&outcome(2, "", "")), Some(TestKind::Refused));
        assert_eq!(Refusals::default().kind(&outcome(1, "", "")), None);
    }

    #[test]
    fn an_exception_that_nothing_catches_is_a_failure_only_where_refusals_are_tests() {
        let trace = "Traceback (most recent call last):\nRuntimeError: x\n";
        let (raises, refuses) = (outcome(1, "", trace), outcome(1, "", "line 1: no map\n"));
        let fails = |refusals: &Refusals, outcome: &Outcome| refusals.is_failure(outcome);
        assert!(fails(&refusals(None), &raises) && !fails(&Refusals::default(), &raises));
        let two = Refusals { statuses: vec![2], ..refusals(None) };
        assert!(!fails(&two, &refuses), "a case may expect another status");
        assert!(fails(&Refusals::default(), &Outcome { end: End::Timeout, ..refuses }));
    }

    #[test]
    fn a_mutant_is_wrong_if_it_accepts_crashes_or_exits_with_another_status() {
        let how =
            |mutant: &Outcome| Some(refusals(None).fault(&outcome(1, "", "no map"), mutant)?.how);
        assert_eq!(how(&outcome(0, "", "")), Some(How::Accepts));
        assert_eq!(how(&outcome(2, "", "")), Some(How::Exit));
        assert_eq!(how(&outcome(1, "x", "else")), None, "only the status is compared");
        let trace = "Traceback (most recent call last):\nValueError: x\n";
        assert_eq!(how(&outcome(1, "", trace)), Some(How::Crash));
    }

    #[test]
    fn only_what_the_pattern_matches_is_compared_of_standard_error() {
        let fault = |right: &str, found: &str| {
            refusals(Some("^error E[0-9]+")).fault(&outcome(1, "", right), &outcome(1, "", found))
        };
        assert_eq!(fault("error E1: no map\n", "note\nerror E1: where is it?\n"), None);
        let fault = fault("error E1: no map\n", "error E2\n").unwrap();
        assert_eq!(fault.how, How::Message);
        let why = fault.why.unwrap().to_string();
        assert_eq!(why, "standard error should have \"error E1\", but has \"error E2\"");
    }

    #[test]
    fn standard_output_is_compared_only_if_the_course_asks() {
        let asks = Refusals { compares_output: true, ..refusals(None) };
        let fault = asks.fault(&outcome(1, "a", ""), &outcome(1, "b", ""));
        assert_eq!(fault.unwrap().how, How::Output);
    }
}
