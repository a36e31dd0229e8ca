//! What students handed in: how a submission is taken, how many count on a day, and which one counts in the end.

pub mod adjust;
pub mod class;
pub mod day;
pub mod exceptions;
pub mod group;
pub mod hand_in;
pub mod history;
pub mod late;
pub mod overview;
pub mod results;
pub mod standing;

use crate::database::{Connection, Result, Row};
use crate::rules::{Lateness, Moment};
use harness::course::Audience;

/// A submission, without its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    pub id: i64,
    /// The student.
    pub person: i64,
    pub assignment: String,
    /// When it was acknowledged.
    pub at: Moment,
    /// The date of that moment in the course's time zone.
    pub day: String,
    /// Its number among those that count on that day. None if it does not count against the limit.
    pub slot: Option<i64>,
    /// Whether it was past the limit, and gets less feedback.
    pub past_limit: bool,
    pub late: Lateness,
    /// Hundredths of points that staff added by hand, and why.
    pub adjusted: i64,
    pub adjusted_why: String,
    /// The digest of its archive.
    pub archive: String,
    pub file_name: String,
}

impl Submission {
    /// The columns that [`of`](Self::of) reads first. The table is called `submission`.
    pub const COLUMNS: &str = "submission.id, submission.person, submission.assignment, submission.at, \
        submission.day, submission.slot, submission.feedback, submission.late_days, \
        submission.archive, submission.file_name, submission.late_hours, submission.covered_days, \
        submission.adjusted, submission.adjusted_why";

    /// The submission in the first columns of a row.
    pub fn of(row: &Row) -> Self {
        Self {
            id: row.int(0),
            person: row.int(1),
            assignment: row.text(2),
            at: Moment(row.int(3)),
            day: row.text(4),
            slot: row.maybe_int(5),
            past_limit: row.text(6) == "past_limit",
            late: Lateness { days: row.int(7), hours: row.int(10), covered: row.int(11) },
            adjusted: row.int(12),
            adjusted_why: row.text(13),
            archive: row.text(8),
            file_name: row.text(9),
        }
    }

    /// # Errors
    /// If the database fails.
    pub fn find(connection: &mut Connection<'_>, id: i64) -> Result<Option<Self>> {
        let sql = format!("select {} from submission where id = $1", Self::COLUMNS);
        Ok(connection.first(&sql, &[id.into()])?.map(|row| Self::of(&row)))
    }

    /// As which reader its student reads its report.
    pub fn audience(&self) -> Audience {
        if self.past_limit { Audience::PastLimit } else { Audience::Normal }
    }
}
