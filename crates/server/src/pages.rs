//! The pages: a file for each subject, with its routes, handlers and templates. [`routes`] is the one table.

mod assignment;
mod class;
mod course;
mod exceptions;
mod exports;
mod gradebook;
mod home;
mod layout;
mod operation;
mod queue;
mod regrade;
mod roster;
mod scoreboard;
mod sign_in;
mod student;
mod students;
mod submission;
mod submission_tools;
mod words;

pub use layout::{Frame, page, refused};
pub use submission_tools::Tools;

use crate::web::Route;

/// All routes of the server, with who may use each.
pub fn routes() -> Vec<Route> {
    let all = [
        home::routes(),
        assignment::routes(),
        submission::routes(),
        scoreboard::routes(),
        sign_in::routes(),
        operation::routes(),
        students::routes(),
        roster::routes(),
        student::routes(),
        exceptions::routes(),
        queue::routes(),
        submission_tools::routes(),
        class::routes(),
        gradebook::routes(),
        exports::routes(),
        course::routes(),
        regrade::routes(),
    ];
    all.into_iter().flatten().collect()
}
