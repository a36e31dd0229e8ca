//! What staff see of an assignment: what was sent, when, what waits, and what failed and why.

use super::columns;
use crate::database::{Connection, Result, Row};
use crate::rules::Moment;

/// How many grades, and how many students without one, are on a page.
pub const MOST: i64 = 100;

/// The condition of the grades that are shown. A student is in one of the courses of a platform, and the others do not take the grade.
const IS_SHOWN: &str = "passback_column.is_used = 1 and not (passback_grade.state = 'refused' \
    and exists (select 1 from passback_column beside join passback_grade other \
        on other.gradebook_column = beside.id and other.person = passback_grade.person \
        where beside.assignment = passback_column.assignment \
        and beside.platform = passback_column.platform and beside.is_used = 1 \
        and other.state = 'sent'))";

/// How many grades there are of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub sent: i64,
    /// Also those that are on their way.
    pub waiting: i64,
    pub refused: i64,
}

/// Counts the grades of an assignment.
///
/// # Errors
/// If the database fails.
pub fn counts(connection: &mut Connection<'_>, assignment: &str) -> Result<Counts> {
    let sql = format!(
        "select passback_grade.state, count(*) from passback_grade join passback_column \
         on passback_column.id = passback_grade.gradebook_column \
         where passback_column.assignment = $1 and {IS_SHOWN} group by passback_grade.state"
    );
    let mut counts = Counts::default();
    for row in connection.query(&sql, &[assignment.into()])? {
        match row.text(0).as_str() {
            "sent" => counts.sent += row.int(1),
            "refused" => counts.refused += row.int(1),
            _ => counts.waiting += row.int(1),
        }
    }
    Ok(counts)
}

/// A column of a gradebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnRow {
    pub platform: String,
    /// Its address. None: it is not made yet.
    pub line_item: Option<String>,
    /// Whether nothing goes there until staff ask for it.
    pub is_closed: bool,
    /// The last answer that was no success, and what the platform said.
    pub status: i64,
    pub reason: Option<String>,
    /// Until when the platform is left alone, and why.
    pub paused: Option<(Moment, i64, String)>,
}

/// The columns of an assignment.
///
/// # Errors
/// If the database fails.
pub fn columns(connection: &mut Connection<'_>, assignment: &str) -> Result<Vec<ColumnRow>> {
    let now = connection.now()?;
    let sql = format!(
        "select passback_column.platform, passback_column.line_item, \
         case when {} then 0 else 1 end, passback_column.status, passback_column.reason, \
         passback_pause.until, passback_pause.status, passback_pause.reason \
         from passback_column \
         left join passback_pause on passback_pause.platform = passback_column.platform \
         and passback_pause.until > $2 \
         where passback_column.assignment = $1 and passback_column.is_used = 1 \
         order by passback_column.id",
        columns::is_open()
    );
    let column = |row: &Row| ColumnRow {
        platform: row.text(0),
        line_item: row.maybe_text(1),
        is_closed: row.int(2) == 1,
        status: row.int(3),
        reason: row.maybe_text(4),
        paused: row.maybe_int(5).map(|until| (Moment(until), row.int(6), row.text(7))),
    };
    let rows = connection.query(&sql, &[assignment.into(), now.into()])?;
    Ok(rows.iter().map(column).collect())
}

/// The grade of a student in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradeRow {
    pub login: String,
    pub name: String,
    pub platform: String,
    /// `waiting`, `sending`, `sent` or `refused`.
    pub state: String,
    /// Hundredths of points. None: nothing counts any more.
    pub points: Option<i64>,
    pub max_points: i64,
    /// The next try.
    pub until: Moment,
    pub status: i64,
    pub reason: Option<String>,
    /// What the platform took last, and when.
    pub sent: Option<(Option<i64>, Moment)>,
}

impl GradeRow {
    fn of(row: &Row) -> Self {
        Self {
            login: row.text(0),
            name: row.text(1),
            platform: row.text(2),
            state: row.text(3),
            points: row.maybe_int(4),
            max_points: row.int(5),
            until: Moment(row.int(6)),
            status: row.int(7),
            reason: row.maybe_text(8),
            sent: row.maybe_int(10).map(|at| (row.maybe_int(9), Moment(at))),
        }
    }
}

/// The grades of an assignment, those first that need somebody.
///
/// # Errors
/// If the database fails.
pub fn grades(
    connection: &mut Connection<'_>,
    assignment: &str,
    page: i64,
) -> Result<Vec<GradeRow>> {
    let sql = format!(
        "select person.login, person.name, passback_column.platform, passback_grade.state, \
         passback_grade.points, passback_grade.max_points, passback_grade.until, \
         passback_grade.status, passback_grade.reason, \
         passback_grade.sent_points, passback_grade.sent_at \
         from passback_grade join person on person.id = passback_grade.person \
         join passback_column on passback_column.id = passback_grade.gradebook_column \
         where passback_column.assignment = $1 and {IS_SHOWN} \
         order by case passback_grade.state when 'refused' then 0 when 'sent' then 2 else 1 end, \
         person.login, passback_grade.id limit $2 offset $3"
    );
    let values = [assignment.into(), MOST.into(), (page * MOST).into()];
    Ok(connection.query(&sql, &values)?.iter().map(GradeRow::of).collect())
}

/// The students with points of an assignment that go nowhere, by login and name, and at most [`MOST`] of them.
///
/// # Errors
/// If the database fails.
pub fn unknown(connection: &mut Connection<'_>, assignment: &str) -> Result<Vec<(String, String)>> {
    let sql = "select person.login, person.name from person where person.role = 'student' \
        and person.active = 1 and exists (select 1 from contender \
            where contender.assignment = $1 and contender.person = coalesce( \
                (select member.keeper from member where member.assignment = $1 \
                and member.person = person.id), person.id)) \
        and not exists (select 1 from passback_column join passback_grade \
            on passback_grade.gradebook_column = passback_column.id \
            where passback_column.assignment = $1 and passback_column.is_used = 1 \
            and passback_grade.person = person.id) order by person.login limit $2";
    let rows = connection.query(sql, &[assignment.into(), MOST.into()])?;
    Ok(rows.iter().map(|row| (row.text(0), row.text(1))).collect())
}
