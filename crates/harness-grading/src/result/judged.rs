//! The verdict on one answer to one test. Pure.

use crate::diagnostic::printable;
use crate::domain::{Domain, Fault, Flaw, shortened};
use serde::{Deserialize, Serialize};
use subject::Outcome;

/// The version of the document that `judge --format json` writes.
pub const SCHEMA: &str = "harness-judged/1";

/// The verdict on an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// `harness-judged/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The test's file name.
    pub test: String,
    /// The arguments that the test stands for.
    pub args: Vec<String>,
    /// Whether the answer is right.
    pub right: bool,
    /// What is wrong; nothing if the answer is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The line of the answer, from 1, if the reason has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, from 1, in characters, if the reason has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

/// What is wrong with `answer`, in which the judge found `fault`.
pub fn flaw(domain: &dyn Domain, reference: &Outcome, answer: &[u8], fault: Fault) -> Flaw {
    fault.why.unwrap_or_else(|| first_difference(domain, reference, answer))
}

/// Where an answer first differs from the reference's.
fn first_difference(domain: &dyn Domain, reference: &Outcome, answer: &[u8]) -> Flaw {
    const MOST: usize = 60;
    let lines = |text: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(text).split('\n').map(str::to_owned).collect()
    };
    let (right, own) = (lines(&reference.stdout), lines(answer));
    let at = right.iter().zip(&own).take_while(|(right, own)| right == own).count();
    let quoted = |line: &String| format!("`{}`", shortened(&printable(line), MOST));
    let message = match (right.get(at), own.get(at)) {
        (Some(right), Some(own)) => format!("expected {}, found {}", quoted(right), quoted(own)),
        (Some(right), None) => format!("expected {} in one more line", quoted(right)),
        (None, _) => "expected no more lines".to_owned(),
    };
    let in_words = domain.first_difference(&reference.stdout, answer);
    let line = Some((at + 1).min(own.len()));
    Flaw { line, column: None, message: in_words.unwrap_or(message) }
}
