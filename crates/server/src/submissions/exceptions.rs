//! What staff grant: a later due date, more submissions, or an attempt back; to one student with the student's groups, or to all. Each has
//! a reason and is in the audit log with what was before and is now.

use crate::audit;
use crate::database::{Connection, Result, Row};
use crate::people::{Person, sight};
use crate::rules::{Moment, Rules};
use crate::submissions::group::Group;
use crate::submissions::{Submission, late};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Minutes that the due date is later.
    Extension,
    /// Submissions more, on one day or on each.
    More,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Extension => "extension",
            Self::More => "more",
        }
    }

    /// The one that this word names.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Extension, Self::More].into_iter().find(|it| it.word() == word)
    }
}

/// What is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grant {
    pub kind: Kind,
    pub assignment: String,
    /// Minutes, or submissions.
    pub amount: i64,
    /// The day on which there are more submissions. None: each day.
    pub day: Option<String>,
    pub reason: String,
}

/// What was granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    pub id: i64,
    /// Whether it is for all students.
    pub is_for_all: bool,
    pub grant: Grant,
    pub at: Moment,
    /// The login of who granted it.
    pub by: String,
}

/// Grants something to a student, or to all. A later due date is also for what was handed in before.
///
/// # Errors
/// If the database fails.
pub fn grant(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: Option<&Person>,
    grant: &Grant,
    by: i64,
) -> Result<i64> {
    let before = total(connection, student, grant)?;
    let now = connection.now()?;
    let id = connection.insert(
        "insert into exception (person, assignment, kind, amount, day, reason, at, granted_by) \
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            student.map(|it| it.id).into(),
            (&grant.assignment).into(),
            grant.kind.word().into(),
            grant.amount.into(),
            grant.day.clone().into(),
            (&grant.reason).into(),
            now.into(),
            by.into(),
        ],
    )?;
    if grant.kind == Kind::Extension {
        late::renew(connection, rules, student, &grant.assignment)?;
    }
    note(connection, "grant", student, grant, (before, before + grant.amount), by)?;
    Ok(id)
}

/// Takes back what was granted to this student, or to all. False if there is no such exception.
///
/// # Errors
/// If the database fails.
pub fn remove(
    connection: &mut Connection<'_>,
    id: i64,
    student: Option<&Person>,
    reason: &str,
    by: i64,
) -> Result<bool> {
    let known = of(connection, student)?.into_iter().find(|it| it.id == id);
    let Some(known) = known.filter(|it| it.is_for_all == student.is_none()) else {
        return Ok(false);
    };
    let before = total(connection, student, &known.grant)?;
    if connection.execute("delete from exception where id = $1", &[id.into()])? == 0 {
        return Ok(false);
    }
    let amounts = (before, before - known.grant.amount);
    let removed = Grant { reason: reason.to_owned(), ..known.grant };
    note(connection, "remove", student, &removed, amounts, by)?;
    Ok(true)
}

/// What holds for a student, with what holds for all; or what holds for all. The last one comes first.
///
/// # Errors
/// If the database fails.
pub fn of(connection: &mut Connection<'_>, student: Option<&Person>) -> Result<Vec<Exception>> {
    let sql = "select exception.id, exception.person, exception.assignment, exception.kind, \
        exception.amount, exception.day, exception.reason, exception.at, granter.login \
        from exception join person granter on granter.id = exception.granted_by \
        where exception.person = $1 or exception.person is null order by exception.id desc";
    let rows = connection.query(sql, &[student.map(|it| it.id).into()])?;
    Ok(rows.iter().map(exception).collect())
}

/// How much of a kind is granted for a day: to each member of a group, with what is granted to all.
pub(super) fn granted(
    connection: &mut Connection<'_>,
    kind: Kind,
    group: &Group,
    assignment: &str,
    day: &str,
) -> Result<impl Fn(i64) -> i64 + use<>> {
    let ids = group.ids();
    let sql = format!(
        "select person, cast(sum(amount) as bigint) from exception \
         where kind = $1 and assignment = $2 and (day = $3 or day is null) \
         and (person is null or person in ({})) group by person",
        sight::numbers(4, ids.len())
    );
    let mut values = vec![kind.word().into(), assignment.into(), day.into()];
    values.extend(ids.into_iter().map(crate::database::Value::from));
    let rows = connection.query(&sql, &values)?;
    let by_person: BTreeMap<_, _> = rows.iter().map(|row| (row.maybe_int(0), row.int(1))).collect();
    let of = move |person| by_person.get(&person).copied().unwrap_or(0);
    Ok(move |person| of(None) + of(Some(person)))
}

fn exception(row: &Row) -> Exception {
    let grant = Grant {
        kind: Kind::of(&row.text(3)).expect("the database allows only these"),
        assignment: row.text(2),
        amount: row.int(4),
        day: row.maybe_text(5),
        reason: row.text(6),
    };
    Exception {
        id: row.int(0),
        is_for_all: row.maybe_int(1).is_none(),
        grant,
        at: Moment(row.int(7)),
        by: row.text(8),
    }
}

/// How much of a kind is granted to exactly this student, or to exactly all.
fn total(connection: &mut Connection<'_>, student: Option<&Person>, grant: &Grant) -> Result<i64> {
    let all = of(connection, student)?;
    let same = all.iter().filter(|it| {
        it.is_for_all == student.is_none()
            && (it.grant.kind, &it.grant.assignment, &it.grant.day)
                == (grant.kind, &grant.assignment, &grant.day)
    });
    Ok(same.map(|it| it.grant.amount).sum())
}

fn note(
    connection: &mut Connection<'_>,
    verb: &str,
    student: Option<&Person>,
    grant: &Grant,
    (before, after): (i64, i64),
    by: i64,
) -> Result<()> {
    let action = match grant.kind {
        Kind::Extension => format!("{verb} extension"),
        Kind::More => format!("{verb} submissions"),
    };
    let object = match student {
        Some(student) => format!("student {}, {}", student.login, grant.assignment),
        None => format!("all students, {}", grant.assignment),
    };
    let entry =
        audit::Entry { person: Some(by), action: &action, object: &object, reason: &grant.reason };
    let value = |amount: i64| match (grant.kind, &grant.day) {
        (Kind::Extension, _) => serde_json::json!({ "minutes": amount }),
        (Kind::More, day) => serde_json::json!({ "submissions": amount, "day": day }),
    };
    audit::add(connection, &entry, value(before), value(after))
}

/// Gives the attempt of a submission back. False if it used none.
///
/// # Errors
/// If the database fails.
pub fn refund(
    connection: &mut Connection<'_>,
    submission: &Submission,
    student: &Person,
    reason: &str,
    by: i64,
) -> Result<bool> {
    let sql = "update submission set slot = null where id = $1 and slot is not null";
    if connection.execute(sql, &[submission.id.into()])? == 0 {
        return Ok(false);
    }
    let object = format!("student {}, {}", student.login, submission.assignment);
    let entry =
        audit::Entry { person: Some(by), action: "refund attempt", object: &object, reason };
    let id = submission.id;
    let before = serde_json::json!({ "submission": id, "number_of_the_day": submission.slot });
    let after = serde_json::json!({ "submission": id, "number_of_the_day": null });
    audit::add(connection, &entry, before, after)?;
    Ok(true)
}
