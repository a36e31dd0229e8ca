//! Decodes a test into its case: the flags in the name become options, the file becomes input. Pure.

use crate::course::Assignment;
use crate::diagnostic::Problem;
use crate::domain::Draft;
use crate::suite::name;
use crate::suite::spelling::{self, Spelling};
use std::collections::BTreeMap;
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
    let (options, parameters) = options(assignment, flags, spelled)?;
    Ok(assignment.domain.case(options, &parameters, input))
}

/// The options and the parameters that `flags` stand for.
fn options(
    assignment: &Assignment,
    flags: &str,
    spelled: &Spelled<'_>,
) -> Result<(Vec<String>, Vec<u32>), Problem> {
    let tail = name::tail(flags, &assignment.tests)?;
    let Spelled { spelling, file, seed } = *spelled;
    let joined = assignment.tests.joined_options;
    Ok((spelling::arguments(&tail.flags, spelling, joined, file, seed), tail.parameters))
}

/// The case of a draft, with long options. If the flags of the draft break a rule, the case has no options, and the reference rejects
/// it.
pub fn case_of_draft(assignment: &Assignment, draft: &Draft) -> Case {
    cases_of_drafts(assignment, std::slice::from_ref(draft)).remove(0)
}

/// The cases of drafts, as of [`case_of_draft`]. Many drafts have the same flags, which are decoded once.
pub fn cases_of_drafts(assignment: &Assignment, drafts: &[Draft]) -> Vec<Case> {
    let mut known = BTreeMap::new();
    let mut cases = Vec::with_capacity(drafts.len());
    for Draft { flags, input } in drafts {
        let decode = || options(assignment, flags, &Spelled::LONG).ok();
        cases.push(match known.entry(flags.as_str()).or_insert_with(decode) {
            Some((options, parameters)) => {
                assignment.domain.case(options.clone(), parameters, input.clone())
            }
            None => Case::default(),
        });
    }
    cases
}
