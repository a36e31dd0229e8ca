//! The pages: a file for each subject, with its routes, handlers and templates. [`routes`] is the one table.

mod account;
mod assignment;
mod audit;
mod by_hand;
mod class;
mod course;
mod exceptions;
mod exports;
mod gradebook;
mod groups;
mod home;
mod invitation;
mod layout;
mod live;
mod mining;
mod operation;
mod passback;
mod people;
mod platform;
mod platform_frame;
mod platforms;
mod queue;
mod receipts;
mod regrade;
mod requests;
mod roster;
mod scoreboard;
mod sign_in;
mod similar;
mod single_sign_on;
mod student;
mod students;
mod submission;
mod submission_tools;
mod words;

pub use layout::{Frame, page, refused};
pub use submission_tools::Tools;

use crate::app::App;
use crate::database::Result;
use crate::web::Route;

/// All routes of the server, with who may use each.
pub fn routes() -> Vec<Route> {
    let all = [
        home::routes(),
        assignment::routes(),
        submission::routes(),
        scoreboard::routes(),
        sign_in::routes(),
        single_sign_on::routes(),
        invitation::routes(),
        account::routes(),
        people::routes(),
        audit::routes(),
        operation::routes(),
        passback::routes(),
        students::routes(),
        roster::routes(),
        student::routes(),
        exceptions::routes(),
        queue::routes(),
        submission_tools::routes(),
        requests::routes(),
        class::routes(),
        groups::routes(),
        by_hand::routes(),
        similar::routes(),
        mining::routes(),
        gradebook::routes(),
        exports::routes(),
        course::routes(),
        regrade::routes(),
        receipts::routes(),
        platform::routes(),
        platforms::routes(),
    ];
    all.into_iter().flatten().collect()
}

/// The title of the course, for pages that need nothing else of it. Empty if there is none yet.
async fn course(app: &App) -> Result<String> {
    app.database
        .read(|connection| {
            let sql = "select course.title from course_in_force \
                join course on course.digest = course_in_force.course \
                order by course_in_force.id desc limit 1";
            Ok(connection.first(sql, &[])?.map_or_else(String::new, |row| row.text(0)))
        })
        .await
}
