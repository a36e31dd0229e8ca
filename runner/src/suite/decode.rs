//! Decodes a test into its case: the flags in the name become options, the file becomes input. Pure.

use crate::course::Assignment;
use crate::domain::Draft;
use crate::problem::Problem;
use crate::suite::name;
use crate::suite::spelling::{self, Spelling};
use subject::Case;

/// How to spell the options of a test. The file name and the seed determine the random choices.
#[derive(Clone, Copy, Debug)]
pub struct Spelled<'a> {
    pub spelling: Spelling,
    /// The name of the test's file.
    pub file: &'a str,
    pub seed: u64,
}

impl Spelled<'_> {
    /// Long options, which need no random choices.
    pub const LONG: Self = Spelled { spelling: Spelling::Long, file: "", seed: 0 };
}

/// The case of the test that has `flags` in its name, between the number and `.txt`.
///
/// # Errors
/// With the rule that `flags` breaks.
pub fn case(
    assignment: &Assignment,
    flags: &str,
    input: Vec<u8>,
    spelled: &Spelled<'_>,
) -> Result<Case, Problem> {
    let tail = name::tail(flags, &assignment.tests)?;
    let Spelled { spelling, file, seed } = *spelled;
    let joined = assignment.tests.joined_options;
    let options = spelling::arguments(&tail.flags, spelling, joined, file, seed);
    Ok(assignment.domain.case(options, &tail.parameters, input))
}

/// The case of a draft, with long options. If the flags of the draft break a rule, the case has no options, and the reference rejects
/// it.
pub fn case_of_draft(assignment: &Assignment, draft: &Draft) -> Case {
    case(assignment, &draft.flags, draft.input.clone(), &Spelled::LONG).unwrap_or_default()
}
