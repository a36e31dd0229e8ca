//! Columns that are to be made, where a launch named none. A server claims one for a time in which it looks for the column and, if there is
//! none, makes it: so there is one, also if two servers try, or one vanishes between the two.

use super::claims::{milliseconds, spread};
use super::score::{Outcome, Why};
use super::{columns, pauses, switch};
use crate::database::{Connection, Result, Row};

/// How long a claim lasts: longer than both requests may take. Milliseconds.
const LEASE: i64 = 60_000;

/// How long a column waits that could not be made, at first and at most. Milliseconds.
const PAUSE: i64 = 5_000;
const LONGEST_PAUSE: i64 = 30 * 60_000;

/// By this tag, columns are found that were made here.
pub const TAG: &str = "harness";

/// The type of a column, and of a list of them.
pub const LINE_ITEM: &str = "application/vnd.ims.lis.v2.lineitem+json";
pub const LINE_ITEMS: &str = "application/vnd.ims.lis.v2.lineitemcontainer+json";

/// A column that a server makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Making {
    pub column: i64,
    pub attempt: i64,
    pub platform: String,
    /// The address of all columns.
    pub container: String,
    pub assignment: String,
    /// Hundredths of points.
    pub max_points: i64,
}

impl Making {
    fn of(row: &Row) -> Self {
        Self {
            column: row.int(0),
            attempt: row.int(1) + 1,
            platform: row.text(2),
            container: row.text(3),
            assignment: row.text(4),
            max_points: row.int(5),
        }
    }
}

const WAITING: &str = "from passback_grade \
    where passback_grade.gradebook_column = passback_column.id and passback_grade.state = 'waiting'";

/// Where the columns are that are to be made, and for which grades wait that may be sent. `$1`: now, `$2`: the number of the rules in
/// force.
fn ready() -> String {
    format!(
        "passback_column where passback_column.line_item is null and passback_column.until <= $1 \
         and {} and exists (select 1 {WAITING}) and exists (select 1 from passback \
            where passback.assignment = passback_column.assignment and {} \
            and passback.rules = $2 and passback.shown <= $1) \
         and not exists (select 1 from passback_pause \
            where passback_pause.platform = passback_column.platform and passback_pause.until > $1)",
        columns::is_open(),
        switch::IS_ON
    )
}

/// Whether a column is to be made.
///
/// # Errors
/// If the database fails.
pub fn are_to_make(connection: &mut Connection<'_>, rules: i64) -> Result<bool> {
    let now = connection.now()?;
    let sql = format!("select 1 from {} limit 1", ready());
    Ok(connection.first(&sql, &[now.into(), rules.into()])?.is_some())
}

/// Claims a column that is to be made, if there is one.
///
/// # Errors
/// If the database fails.
pub fn claim(connection: &mut Connection<'_>, rules: i64) -> Result<Option<Making>> {
    let now = connection.now()?;
    let sql = format!(
        "select passback_column.id, passback_column.attempt, passback_column.platform, \
         passback_column.address, passback_column.assignment, \
         (select max(passback_grade.max_points) {WAITING}) from {} \
         order by passback_column.id limit 1 {}",
        ready(),
        connection.skip_locked()
    );
    let found = connection.first(&sql, &[now.into(), rules.into()])?;
    let Some(making) = found.map(|row| Making::of(&row)) else { return Ok(None) };
    let sql = "update passback_column set attempt = $2, until = $3 where id = $1";
    let until = now + LEASE;
    connection.execute(sql, &[making.column.into(), making.attempt.into(), until.into()])?;
    Ok(Some(making))
}

/// The condition of a column that is still claimed. `$1`: its number, `$2`: that of the claim.
const IS_HELD: &str = "id = $1 and attempt = $2 and line_item is null";

/// Notes the address of a column that was found or made. False if the claim is lost.
///
/// # Errors
/// If the database fails.
pub fn made(connection: &mut Connection<'_>, making: &Making, line_item: &str) -> Result<bool> {
    let sql = format!(
        "update passback_column set line_item = $3, until = 0, refusals = 0, status = 0, \
         reason = null where {IS_HELD}"
    );
    let values = [making.column.into(), making.attempt.into(), line_item.into()];
    Ok(connection.execute(&sql, &values)? == 1)
}

/// Notes that a column could not be made.
///
/// # Errors
/// If the database fails.
pub fn failed(connection: &mut Connection<'_>, making: &Making, outcome: &Outcome) -> Result<()> {
    let now = connection.now()?;
    let (refusals, wait, why) = match outcome {
        Outcome::Taken => return Ok(()),
        Outcome::Closed(why) | Outcome::Refused(why) => (columns::MOST_REFUSALS, 0, why),
        Outcome::Later { why, after } => {
            let pause = spread(PAUSE, making.attempt - 1, LONGEST_PAUSE);
            (0, after.map_or(0, milliseconds).max(pause), why)
        }
        Outcome::Away { why, after } => {
            pauses::pause(connection, &making.platform, why, *after, now)?;
            (0, 0, why)
        }
    };
    note(connection, making, refusals, now + wait, why)
}

fn note(
    connection: &mut Connection<'_>,
    making: &Making,
    refusals: i64,
    until: i64,
    why: &Why,
) -> Result<()> {
    let sql = format!(
        "update passback_column set refusals = $3, until = $4, status = $5, reason = $6 \
         where {IS_HELD}"
    );
    let values = [
        making.column.into(),
        making.attempt.into(),
        refusals.into(),
        until.into(),
        why.status.into(),
        (&why.said).into(),
    ];
    connection.execute(&sql, &values).map(|_| ())
}
