//! The columns of gradebooks to which the grades of an assignment go, as the launches named them, and whose grades go there.

use super::score::Why;
use crate::database::{Connection, Result, Row};
use crate::rules::Rules;

/// So many requests in a row that are refused for a whole column close it.
pub(super) const MOST_REFUSALS: i64 = 3;

/// What a platform must allow: that scores are sent, and that columns are made.
pub const SCORES: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
pub const LINE_ITEMS: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";

/// A column of a gradebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub id: i64,
    /// Its name in the rules.
    pub platform: String,
    /// Its address. None: it is to be made.
    pub line_item: Option<String>,
}

impl Column {
    fn of(row: &Row) -> Self {
        Self { id: row.int(0), platform: row.text(1), line_item: row.maybe_text(2) }
    }
}

/// The condition of the columns to which something may be sent.
pub(super) fn is_open() -> String {
    format!("passback_column.is_used = 1 and passback_column.refusals < {MOST_REFUSALS}")
}

/// The columns that are used, as the launches named them.
///
/// # Errors
/// If the database fails.
pub(super) fn renewed(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
) -> Result<Vec<Column>> {
    let sql = "update passback_column set is_used = 0 where assignment = $1";
    connection.execute(sql, &[assignment.into()])?;
    for (platform, address, is_made) in named(connection, rules, assignment)? {
        let sql = "insert into passback_column (assignment, platform, address, is_made, line_item) \
            values ($1, $2, $3, $4, $5) on conflict (assignment, platform, address) \
            do update set is_used = 1";
        let line_item = (!is_made).then_some(&address);
        let values = [
            assignment.into(),
            platform.into(),
            (&address).into(),
            is_made.into(),
            line_item.into(),
        ];
        connection.execute(sql, &values)?;
    }
    let sql = "select id, platform, line_item from passback_column \
        where assignment = $1 and is_used = 1 order by id";
    Ok(connection.query(sql, &[assignment.into()])?.iter().map(Column::of).collect())
}

/// The columns that the links of an assignment have: the platform, the address, and whether it is that of all columns, where one is to be
/// made. Only courses that staff connected count.
fn named(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
) -> Result<Vec<(String, String, bool)>> {
    let sql = "select lti_context.platform, lti_link.line_item, lti_context.line_items, \
        lti_context.scopes from lti_link join lti_context on lti_context.id = lti_link.context \
        where lti_link.assignment = $1 and lti_context.connected is not null order by lti_link.id";
    let mut named = Vec::new();
    for row in connection.query(sql, &[assignment.into()])? {
        let (platform, scopes) = (row.text(0), row.text(3));
        let may = |scope: &str| scopes.split(' ').any(|it| it == scope);
        if !rules.platforms.contains_key(&platform) || !may(SCORES) {
            continue;
        }
        match (row.maybe_text(1), row.maybe_text(2).filter(|_| may(LINE_ITEMS))) {
            (Some(line_item), _) => named.push((platform, line_item, false)),
            (None, Some(all)) => named.push((platform, all, true)),
            (None, None) => {}
        }
    }
    Ok(named)
}

/// The students whose grades go into a column: those whom its platform knows.
///
/// # Errors
/// If the database fails.
pub(super) fn students(connection: &mut Connection<'_>, column: &Column) -> Result<Vec<i64>> {
    let sql = "select person.id from lti_subject join person on person.id = lti_subject.person \
        where lti_subject.platform = $1 and person.role = 'student' and person.active = 1 \
        order by person.id";
    let rows = connection.query(sql, &[(&column.platform).into()])?;
    Ok(rows.iter().map(|row| row.int(0)).collect())
}

/// The platform refused something for the whole column.
pub(super) fn refused(connection: &mut Connection<'_>, column: i64, why: &Why) -> Result<()> {
    let sql = "update passback_column set refusals = refusals + 1, status = $2, reason = $3 \
        where id = $1";
    connection.execute(sql, &[column.into(), why.status.into(), (&why.said).into()]).map(|_| ())
}

/// The platform took something into a column.
pub(super) fn works(connection: &mut Connection<'_>, column: i64) -> Result<()> {
    let sql = "update passback_column set refusals = 0, status = 0, reason = null \
        where id = $1 and refusals > 0";
    connection.execute(sql, &[column.into()]).map(|_| ())
}
