//! The pages: a file for each subject, with its routes, handlers and templates. [`routes`] is the one table.

mod home;
mod layout;
mod operation;
mod sign_in;

pub use layout::{Frame, page, refused};

use crate::web::Route;

/// All routes of the server, with who may use each.
pub fn routes() -> Vec<Route> {
    [home::routes(), sign_in::routes(), operation::routes()].into_iter().flatten().collect()
}
