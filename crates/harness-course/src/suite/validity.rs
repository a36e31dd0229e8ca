//! Whether a test is valid, by what the reference does with it. Pure.

use super::{checked, malformed};
use crate::course::Assignment;
use crate::diagnostic::Problem;
use crate::domain::{Reason, TestKind};

/// Whether a test with these flags in its name is valid, if the reference does this with it.
pub fn is_test(assignment: &Assignment, flags: &str, input: &[u8], kind: TestKind) -> bool {
    assignment.refusals.fits(flags, kind)
        && (assignment.tests.accepts_empty || !input.is_empty())
        && (kind == TestKind::Refused || !is_undescribed(assignment, input))
}

/// Whether the domain does not describe an input that the reference accepts, which is then no test.
pub fn is_undescribed(assignment: &Assignment, input: &[u8]) -> bool {
    assignment.refusals.are_tests()
        && checked(input, assignment).is_err_and(|exceeded| exceeded.reason == Reason::Form)
}

/// Why an input that the reference accepts is no test: the domain does not describe it, and it was kept only because the reference could
/// have refused it.
pub fn undescribed(assignment: &Assignment, input: &[u8]) -> Option<Problem> {
    if !assignment.refusals.are_tests() {
        return None;
    }
    let hint = "the reference accepts it; what is not described is a test only if the program must refuse it";
    let problem = malformed(input, assignment)?;
    Some(if problem.hint.is_none() { problem.hint(hint) } else { problem })
}
