//! A report as `grade` prints it, for clients. They have no course, so the server writes it.

use crate::web::Refusal;
use harness::course::Assignment;
use harness::diagnostic::Problem;
use harness::report::formats::{Format, TEXT};
use harness::report::screen::Screen;
use harness::result::graded::Graded;

/// The widest terminal that is believed.
const WIDEST: usize = 500;

/// A pipe.
pub fn plain() -> Screen {
    Screen::default()
}

/// The terminal of a client.
pub fn screen(columns: Option<usize>, colored: bool) -> Screen {
    Screen { columns: columns.map(|columns| columns.clamp(20, WIDEST)), colored }
}

/// The report as `grade` prints it for a student.
///
/// # Errors
/// If it cannot be written.
pub fn text(graded: &Graded, assignment: &Assignment, screen: Screen) -> Result<String, Refusal> {
    let format = Format::named(TEXT).expect("there is this format");
    let written = format.graded(graded, &*assignment.domain, "bug", screen);
    let written = written.expect("it holds submissions");
    written.map_err(|error| {
        tracing::error!(%error, "a report as text");
        Refusal::Broken(Problem::new("something went wrong on this server"))
    })
}
