//! Writes generated tests as data of a problem package: an input and its answer for each. It overwrites nothing.

use super::out::create;
use crate::course::Assignment;
use crate::diagnostic::{Failure, Problem};
use crate::domain::Draft;
use crate::suite::decode;
use std::path::Path;

/// The folder of a package with the data that contestants do not see.
pub(super) const FOLDER: &str = "data/secret";

/// That each test is an input with an answer, and nothing else.
///
/// # Errors
/// If tests of the assignment have options, arguments or files, or if the reference may refuse them.
pub(super) fn can_hold(assignment: &Assignment) -> Result<(), Failure> {
    let plain = Draft { flags: String::new(), input: Vec::new() };
    let case = decode::case_of_draft(assignment, &plain);
    let rules = &assignment.tests;
    let has_flags = rules.flag_combinations().iter().any(|flags| !flags.is_empty());
    let has_more = has_flags
        || !rules.parameters.is_empty()
        || !case.args.is_empty()
        || !case.files.is_empty()
        || assignment.refusals.are_tests();
    if !has_more {
        return Ok(());
    }
    let message = format!("tests of `{}` are more than inputs with answers", assignment.id);
    let hint =
        "a package has no arguments, options, files or refused inputs; leave out `--as package`";
    Err(Failure::usage(Problem::new(message).hint(hint)))
}

/// Whether a file of this test is there already.
pub(super) fn is_taken(folder: &Path, number: u32) -> bool {
    ["in", "ans"].iter().any(|end| folder.join(name(number, end)).exists())
}

/// Writes a test, and gives the name of its input.
///
/// # Errors
/// If a file is there already, or cannot be written.
pub(super) fn write(
    folder: &Path,
    number: u32,
    input: &[u8],
    answer: &[u8],
) -> Result<String, Failure> {
    let file = name(number, "in");
    create(folder, &name(number, "ans"), answer)?;
    create(folder, &file, input)?;
    Ok(file)
}

/// The data of packages is in the order of its names.
fn name(number: u32, end: &str) -> String {
    format!("{FOLDER}/generated-{number:02}.{end}")
}
