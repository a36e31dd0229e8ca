//! The pages: a file for each subject, with its routes, handlers and templates. [`routes`] is the one table.

mod assignment;
mod home;
mod layout;
mod operation;
mod scoreboard;
mod sign_in;
mod submission;
mod words;

pub use layout::{Frame, page, refused};

use crate::web::Route;

/// All routes of the server, with who may use each.
pub fn routes() -> Vec<Route> {
    [
        home::routes(),
        assignment::routes(),
        submission::routes(),
        scoreboard::routes(),
        sign_in::routes(),
        operation::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
