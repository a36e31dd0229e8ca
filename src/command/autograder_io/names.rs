//! `harness autograder-io names`: prints the names of a student's tests for a shell that reads them without quotes.

use crate::cli::autograder_io::Names;
use crate::course::Course;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::suite::name::{self, FileName};
use crate::suite::{Suite, layout};
use std::io::{self, Write};

/// Prints the names of tests, which contain only letters, digits, `-`, `+` and `.`. Reports all other files on standard error.
pub(super) fn run(options: &Names) -> Result<Exit, Failure> {
    let handed = &options.handed;
    let course = Course::read(&handed.course)?;
    let assignment = super::assignment(&course, handed)?;
    layout::check_folder(&handed.suite, layout::OF_TESTS)?;
    let suite = Suite::read(&handed.suite, assignment)?;
    let mut names: Vec<_> = suite.tests.iter().map(|test| test.file.as_str()).collect();
    for rejection in &suite.rejected {
        let is_well_formed =
            matches!(name::read(&rejection.file, &assignment.tests), FileName::Test(_));
        // `validate` would accept a surplus test, because nothing is wrong with its file.
        if is_well_formed && !rejection.is_surplus {
            names.push(&rejection.file);
            continue;
        }
        let hint = rejection
            .problem
            .hint
            .as_ref()
            .map(|hint| format!(" (hint: {hint})"))
            .unwrap_or_default();
        let _ = writeln!(
            io::stderr(),
            "{}: not counted: {}{hint}",
            rejection.file,
            rejection.problem.message
        );
    }
    if suite.more_rejected > 0 {
        let _ = writeln!(io::stderr(), "{} more files are not counted", suite.more_rejected);
    }
    let mut out = io::stdout().lock();
    let printed = names
        .iter()
        .filter(|name| is_a_plain_word(name))
        .try_for_each(|name| writeln!(out, "{name}"));
    printed.and_then(|()| out.flush()).map_err(|error| Failure::unwritten("the names", &error))?;
    Ok(Exit::Done)
}

/// Whether a shell reads the word as it is, without expanding it.
fn is_a_plain_word(name: &str) -> bool {
    name.starts_with("test-")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+'))
}
