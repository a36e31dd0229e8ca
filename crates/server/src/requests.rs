//! Regrade requests: what a student asks about a place of a report, and what staff answer. How many there may be is a constraint.

mod place;

pub use place::{Place, places, title};

use crate::audit;
use crate::database::{Connection, Result, Row, Value};
use crate::people::{Person, sight};
use crate::rules::{Moment, Requests};
use crate::submissions::Submission;

/// The longest text of a student or an answer, in letters.
pub const LONGEST: usize = 4000;

/// How many are on the page of all.
const MOST: i64 = 200;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub id: i64,
    pub submission: i64,
    pub assignment: String,
    /// The name of the place in the report.
    pub place: String,
    pub text: String,
    /// `open`, `answered` or `withdrawn`.
    pub state: String,
    pub at: Moment,
    pub answer: String,
    pub answered: Option<Moment>,
    pub login: String,
    /// The student's name.
    pub name: String,
    /// The name of who answered.
    pub by: Option<String>,
}

impl Request {
    const QUERY: &str = "select request.id, request.submission, request.assignment, request.place, \
        request.text, request.state, request.at, request.answer, request.answered, person.login, \
        person.name, staff.name from request join person on person.id = request.person \
        left join person staff on staff.id = request.answered_by";

    fn of(row: &Row) -> Self {
        Self {
            id: row.int(0),
            submission: row.int(1),
            assignment: row.text(2),
            place: row.text(3),
            text: row.text(4),
            state: row.text(5),
            at: Moment(row.int(6)),
            answer: row.text(7),
            answered: row.maybe_int(8).map(Moment),
            login: row.text(9),
            name: row.text(10),
            by: row.maybe_text(11),
        }
    }

    pub fn is_open(&self) -> bool {
        self.state == "open"
    }
}

/// What became of a new request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Yes,
    /// There is an open one about this place.
    Before,
    /// So many of the student are open.
    TooManyOpen(i64),
    /// The student made so many for this assignment.
    TooMany(i64),
}

/// Opens a request.
///
/// # Errors
/// If the database fails.
pub fn open(
    connection: &mut Connection<'_>,
    limits: Requests,
    submission: &Submission,
    student: &Person,
    place: &str,
    text: &str,
) -> Result<Asked> {
    // Whoever asks twice at the same moment waits here. The constraints hold all the same.
    connection.hold(&format!("requests of {}", student.id))?;
    let sql = "select 1 from request where submission = $1 and place = $2 and state = 'open'";
    if connection.first(sql, &[submission.id.into(), place.into()])?.is_some() {
        return Ok(Asked::Before);
    }
    let (person, assignment) = (student.id, &submission.assignment);
    let open = "select open_number from request where person = $1 and open_number is not null";
    let Some(open) = free(connection, open, &[person.into()], limits.open.0)? else {
        return Ok(Asked::TooManyOpen(limits.open.0));
    };
    let all = "select number from request where person = $1 and assignment = $2 \
        and number is not null";
    let key = [person.into(), assignment.into()];
    let Some(number) = free(connection, all, &key, limits.each.0)? else {
        return Ok(Asked::TooMany(limits.each.0));
    };
    let now = connection.now()?;
    let sql = "insert into request (submission, person, assignment, place, text, state, at, number, \
        open_number) values ($1, $2, $3, $4, $5, 'open', $6, $7, $8)";
    let values = [
        submission.id.into(),
        person.into(),
        assignment.into(),
        place.into(),
        text.into(),
        now.into(),
        number.into(),
        open.into(),
    ];
    let id = connection.insert(sql, &values)?;
    note(connection, "open request", student, submission, student.id, (id, "", text))?;
    Ok(Asked::Yes)
}

/// The first number up to `most` that no row of a query has.
fn free(
    connection: &mut Connection<'_>,
    sql: &str,
    key: &[Value],
    most: i64,
) -> Result<Option<i64>> {
    let used: Vec<_> = connection.query(sql, key)?.iter().map(|row| row.int(0)).collect();
    Ok((1..=most).find(|number| !used.contains(number)))
}

fn note(
    connection: &mut Connection<'_>,
    action: &str,
    student: &Person,
    submission: &Submission,
    by: i64,
    (id, reason, text): (i64, &str, &str),
) -> Result<()> {
    let object = format!("student {}, {}", student.login, submission.assignment);
    let entry = audit::Entry { person: Some(by), action, object: &object, reason };
    let after = serde_json::json!({ "request": id, "submission": submission.id, "text": text });
    audit::add(connection, &entry, (), after)
}

/// Takes an open request back. It does not count any more. False if it is not open.
///
/// # Errors
/// If the database fails.
pub fn withdraw(
    connection: &mut Connection<'_>,
    submission: &Submission,
    student: &Person,
    id: i64,
) -> Result<bool> {
    let sql = "update request set state = 'withdrawn', number = null, open_number = null \
        where id = $1 and submission = $2 and state = 'open'";
    if connection.execute(sql, &[id.into(), submission.id.into()])? == 0 {
        return Ok(false);
    }
    note(connection, "withdraw request", student, submission, student.id, (id, "", ""))?;
    Ok(true)
}

/// Answers an open request. False if it is not open: somebody else was faster, or the student took it back.
///
/// # Errors
/// If the database fails.
pub fn answer(
    connection: &mut Connection<'_>,
    submission: &Submission,
    student: &Person,
    id: i64,
    text: &str,
    by: i64,
) -> Result<bool> {
    let now = connection.now()?;
    let sql = "update request set state = 'answered', open_number = null, answer = $3, \
        answered = $4, answered_by = $5 where id = $1 and submission = $2 and state = 'open'";
    let values = [id.into(), submission.id.into(), text.into(), now.into(), by.into()];
    if connection.execute(sql, &values)? == 0 {
        return Ok(false);
    }
    note(connection, "answer request", student, submission, by, (id, "", text))?;
    Ok(true)
}

/// The requests about a submission, the first one first.
///
/// # Errors
/// If the database fails.
pub fn of(connection: &mut Connection<'_>, submission: i64) -> Result<Vec<Request>> {
    let sql = format!("{} where request.submission = $1 order by request.id", Request::QUERY);
    Ok(connection.query(&sql, &[submission.into()])?.iter().map(Request::of).collect())
}

/// Those in a state of students whom `viewer` may see: open ones the oldest first, others the newest first.
///
/// # Errors
/// If the database fails.
pub fn list(connection: &mut Connection<'_>, viewer: &Person, state: &str) -> Result<Vec<Request>> {
    let (seen, people) = sight::students(viewer, 3);
    let order = if state == "open" { "request.id" } else { "request.id desc" };
    let sql =
        format!("{} where request.state = $1 and {seen} order by {order} limit $2", Request::QUERY);
    let mut values: Vec<Value> = vec![state.into(), MOST.into()];
    values.extend(people);
    Ok(connection.query(&sql, &values)?.iter().map(Request::of).collect())
}

/// How many are open of students whom `viewer` may see.
///
/// # Errors
/// If the database fails.
pub fn count_open(connection: &mut Connection<'_>, viewer: &Person) -> Result<i64> {
    let (seen, people) = sight::students(viewer, 1);
    let sql = format!(
        "select count(*) from request join person on person.id = request.person \
         where request.state = 'open' and {seen}"
    );
    Ok(connection.first(&sql, &people)?.map_or(0, |row| row.int(0)))
}
