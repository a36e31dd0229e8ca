//! What staff decide: whether the grades of an assignment go to learning platforms, and that something is sent again.

use super::compared::{know, next};
use crate::audit;
use crate::database::{Connection, Result};

/// The condition of the assignments whose grades are sent.
pub(super) const IS_ON: &str =
    "(passback.state = 'on' or passback.state is null and passback.by_rules = 1)";

/// Whether the grades of an assignment go to learning platforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    On,
    /// They are compared, and wait.
    Paused,
    Off,
}

impl State {
    pub const ALL: [Self; 3] = [Self::On, Self::Paused, Self::Off];

    pub fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Paused => "paused",
            Self::Off => "off",
        }
    }

    /// The one that this word names.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// Whether the grades of an assignment go to learning platforms: as staff decided, or else as the rules say.
///
/// # Errors
/// If the database fails.
pub fn state(
    connection: &mut Connection<'_>,
    assignment: &str,
    is_on_by_rules: bool,
) -> Result<State> {
    let sql = "select state from passback where assignment = $1";
    let row = connection.first(sql, &[assignment.into()])?;
    let decided = row.and_then(|row| State::of(&row.maybe_text(0)?));
    Ok(decided.unwrap_or(if is_on_by_rules { State::On } else { State::Off }))
}

/// Notes what staff decided.
///
/// # Errors
/// If the database fails.
pub fn decide(
    connection: &mut Connection<'_>,
    assignment: &str,
    before: State,
    state: State,
    by: i64,
) -> Result<()> {
    know(connection, assignment)?;
    // It is compared anew, also if nothing changed.
    let sql = "update passback set state = $2, compared = -1 where assignment = $1";
    connection.execute(sql, &[assignment.into(), state.word().into()])?;
    let entry = audit::Entry {
        person: Some(by),
        action: "switch passback",
        object: assignment,
        reason: "",
    };
    audit::add(connection, &entry, before.word(), state.word())
}

/// Sends grades of an assignment again that were sent, refused, or wait for a later try: of one student, or of all. Columns that are closed
/// open, and those that are gone are made again. Gives the number of the grades.
///
/// # Errors
/// If the database fails.
pub fn send_again(
    connection: &mut Connection<'_>,
    assignment: &str,
    student: Option<(i64, &str)>,
    by: i64,
) -> Result<usize> {
    let now = connection.now()?;
    let sql = "select passback_grade.id, passback_grade.stamp from passback_grade join passback_column \
        on passback_column.id = passback_grade.gradebook_column \
        where passback_column.assignment = $1 and passback_grade.state <> 'sending' \
        and (cast($2 as bigint) is null or passback_grade.person = $2)";
    let values = [assignment.into(), student.map(|(id, _)| id).into()];
    let rows = connection.query(sql, &values)?;
    for row in &rows {
        let sql = "update passback_grade set state = 'waiting', stamp = $2, until = 0, tries = 0, \
            status = 0, reason = null where id = $1 and state <> 'sending'";
        connection.execute(sql, &[row.int(0).into(), next(row.int(1), now).into()])?;
    }
    // One that was made and is gone is looked for, and made if there is none.
    let sql = "update passback_column set refusals = 0, reason = null, until = 0, \
        line_item = case when is_made = 1 and status in (404, 410) then null else line_item end, \
        status = 0 where assignment = $1 and refusals > 0";
    connection.execute(sql, &[assignment.into()])?;
    let sql = "update passback_pause set until = 0 where platform in \
        (select platform from passback_column where assignment = $1)";
    connection.execute(sql, &[assignment.into()])?;
    let object = match student {
        Some((_, login)) => format!("student {login}, {assignment}"),
        None => assignment.to_owned(),
    };
    let entry =
        audit::Entry { person: Some(by), action: "send grades again", object: &object, reason: "" };
    audit::add(connection, &entry, (), serde_json::json!({ "grades": rows.len() }))?;
    Ok(rows.len())
}
