//! What a person gives is saved as a whole. What rests on an older version than the one that is there is refused, unless it says the same.

use super::claim::{claim, give_back};
use super::{Comment, Grade, Grading};
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::Person;
use crate::rules::Moment;
use crate::submissions::{Submission, results};
use serde_json::{Value, json};

/// What is to be saved.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The version on which it rests.
    pub version: i64,
    pub grades: Vec<Grade>,
    /// Whether the grader is done with it.
    pub is_done: bool,
    pub add: Option<NewComment>,
    /// The comment that is removed.
    pub remove: Option<i64>,
    /// Why something changes that its student sees already.
    pub reason: String,
}

/// A comment that is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewComment {
    pub part: String,
    pub file: String,
    pub line: i64,
    pub excerpt: String,
    pub text: String,
}

impl NewComment {
    fn is(&self, other: &Comment) -> bool {
        (self.part == other.part && self.file == other.file)
            && (self.line == other.line && self.text == other.text)
    }
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    Yes,
    /// Somebody else has it open, until this moment.
    Held(String, Moment),
    /// Somebody changed it since.
    Stale,
    /// Its student sees it, and there is no reason.
    NoReason,
}

/// Saves a change.
///
/// # Errors
/// If the database fails.
pub fn save(
    connection: &mut Connection<'_>,
    submission: &Submission,
    student: &Person,
    change: &Change,
    by: i64,
) -> Result<Saved> {
    if let Some((name, until)) = claim(connection, submission, by)? {
        return Ok(Saved::Held(name, until));
    }
    // The row is this transaction's since the claim.
    let before = Grading::of(connection, submission.id)?;
    let is_new = |add: &&NewComment| !before.comments.iter().any(|it| add.is(it));
    let add = change.add.as_ref().filter(is_new);
    let remove = change.remove.and_then(|id| before.comments.iter().find(|it| it.id == id));
    let grades: Vec<_> = change.grades.iter().filter(|it| differs(it, &before)).collect();
    let is_done = before.is_done || change.is_done;
    let changes = add.is_some() || remove.is_some() || !grades.is_empty();
    if changes || is_done != before.is_done {
        if change.version != before.version {
            return Ok(Saved::Stale);
        }
        if changes && before.is_released() && change.reason.is_empty() {
            return Ok(Saved::NoReason);
        }
        write(connection, submission, (&grades, add, remove), is_done, by)?;
        // Perhaps it was released since it was read.
        let after = Grading::of(connection, submission.id)?;
        if after.is_released() {
            results::renew_graded(connection, submission)?;
        }
        note(connection, (submission, student), (&before, &after), &change.reason, by)?;
    }
    if change.is_done {
        give_back(connection, submission.id, by)?;
    }
    Ok(Saved::Yes)
}

/// Whether a grade says something else than the one that is there.
fn differs(grade: &Grade, before: &Grading) -> bool {
    let known = before.grade(&grade.part);
    known.is_none_or(|known| *known != Grade { released: known.released, ..grade.clone() })
}

fn write(
    connection: &mut Connection<'_>,
    submission: &Submission,
    (grades, add, remove): (&[&Grade], Option<&NewComment>, Option<&Comment>),
    is_done: bool,
    by: i64,
) -> Result<()> {
    let (id, now) = (submission.id, connection.now()?);
    let sql = "update hand_grading set version = version + 1, done = $2, changed = $3, \
        changed_by = $4 where submission = $1";
    connection.execute(sql, &[id.into(), is_done.into(), now.into(), by.into()])?;
    for it in grades {
        let sql = "insert into hand_grade (submission, part, assignment, points, most, chosen, \
            adjusted, adjusted_why, comment) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
            on conflict (submission, part) do update set points = $4, most = $5, chosen = $6, \
            adjusted = $7, adjusted_why = $8, comment = $9";
        let chosen = serde_json::to_string(&it.chosen).unwrap_or_default();
        let values = [
            id.into(),
            (&it.part).into(),
            (&submission.assignment).into(),
            it.points.into(),
            it.most.into(),
            chosen.into(),
            it.adjusted.into(),
            (&it.why).into(),
            (&it.comment).into(),
        ];
        connection.execute(sql, &values)?;
    }
    if let Some(it) = add {
        let sql = "insert into hand_comment (submission, part, assignment, file, line, excerpt, \
            text, at, person) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let values = [
            id.into(),
            (&it.part).into(),
            (&submission.assignment).into(),
            (&it.file).into(),
            it.line.into(),
            (&it.excerpt).into(),
            (&it.text).into(),
            now.into(),
            by.into(),
        ];
        connection.execute(sql, &values)?;
    }
    if let Some(it) = remove {
        let sql = "delete from hand_comment where id = $1 and submission = $2";
        connection.execute(sql, &[it.id.into(), id.into()])?;
    }
    Ok(())
}

fn note(
    connection: &mut Connection<'_>,
    (submission, student): (&Submission, &Person),
    (before, after): (&Grading, &Grading),
    reason: &str,
    by: i64,
) -> Result<()> {
    let value = |it: &Grading| -> Value {
        json!({ "submission": submission.id, "graded": it.is_done, "parts": it.grades, "comments": it.comments })
    };
    let object = format!("student {}, {}", student.login, submission.assignment);
    let entry = audit::Entry { person: Some(by), action: "grade by hand", object: &object, reason };
    audit::add(connection, &entry, value(before), value(after))
}
