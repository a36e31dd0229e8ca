//! How a regrade begins: its submissions are queued in many short transactions, each for some students, so that nobody waits for long. How
//! far it is stands in its row. So the next one goes on where the last one ended, also after a server was ended meanwhile.

use super::{New, STANDING_COURSE, Scope};
use crate::audit;
use crate::database::{Connection, Database, Result, Value};
use crate::people::sight;
use crate::queue::Class;
use crate::rules::Rules;
use crate::submissions::class;

/// For how many students one transaction queues submissions.
const STUDENTS: i64 = 10;

/// How many submissions a regrade takes.
///
/// # Errors
/// If the database fails.
pub fn count(connection: &mut Connection<'_>, rules: &Rules, new: &New) -> Result<i64> {
    let (now, mut all, mut last) = (connection.now()?, 0, 0);
    loop {
        let students = students(connection, &new.scope, last)?;
        let Some(end) = students.last() else { return Ok(all) };
        last = *end;
        let (taken, values) = taken(connection, rules, new, now, &students)?;
        let row = connection.first(&format!("select count(*) from {taken}"), &values)?;
        all += row.map_or(0, |row| row.int(0));
    }
}

/// Begins a regrade of so many submissions, of which none is queued yet: [`go_on`] does that.
///
/// # Errors
/// If the database fails.
pub fn begin(connection: &mut Connection<'_>, new: &New, count: i64) -> Result<i64> {
    let now = connection.now()?;
    let id = connection.insert(
        "insert into regrade (course, assignment, scope, again, state, at, person, queued) \
         values ($1, $2, $3, $4, 'preview', $5, $6, 0)",
        &[
            (&new.course).into(),
            (&new.assignment).into(),
            new.scope.text().into(),
            new.again.into(),
            now.into(),
            new.by.into(),
        ],
    )?;
    let object = format!("regrade {id}, {}", new.assignment);
    let entry =
        audit::Entry { person: Some(new.by), action: "begin regrade", object: &object, reason: "" };
    let after = serde_json::json!({
        "course": new.course, "scope": new.scope.text(), "submissions": count,
    });
    audit::add(connection, &entry, (), after)?;
    Ok(id)
}

/// Queues the submissions of the next students. False if all are queued, or the regrade is over.
///
/// # Errors
/// If the database fails.
pub fn go_on(connection: &mut Connection<'_>, rules: &Rules, id: i64) -> Result<bool> {
    let lock = format!(
        "select course, assignment, scope, again, person, at, queued from regrade \
         where id = $1 and state = 'preview' and queued is not null {}",
        connection.for_update()
    );
    let Some(row) = connection.first(&lock, &[id.into()])? else { return Ok(false) };
    let new = New {
        course: row.text(0),
        assignment: row.text(1),
        scope: Scope::of(&row.text(2)),
        again: row.is(3),
        by: row.int(4),
    };
    let students = students(connection, &new.scope, row.int(6))?;
    if !students.is_empty() {
        queue(connection, rules, &new, (id, row.int(5)), &students)?;
    }
    let last = students.last().copied();
    let sql = "update regrade set queued = $1 where id = $2";
    connection.execute(sql, &[last.into(), id.into()])?;
    Ok(last.is_some())
}

/// Queues all submissions of a regrade that are not queued yet.
///
/// # Errors
/// If the database fails.
pub async fn finish(database: &Database, rules: &Rules, id: i64) -> Result<()> {
    loop {
        let rules = rules.clone();
        if !database.write(move |connection| go_on(connection, &rules, id)).await? {
            return Ok(());
        }
    }
}

/// The regrades of which some submissions are not queued yet.
///
/// # Errors
/// If the database fails.
pub fn unfinished(connection: &mut Connection<'_>) -> Result<Vec<i64>> {
    let sql = "select id from regrade where state = 'preview' and queued is not null order by id";
    Ok(connection.query(sql, &[])?.iter().map(|row| row.int(0)).collect())
}

/// The next students of a scope, after one, in the order of their numbers.
fn students(connection: &mut Connection<'_>, scope: &Scope, after: i64) -> Result<Vec<i64>> {
    let mut values: Vec<Value> = vec![after.into(), STUDENTS.into()];
    let mut named = String::new();
    if let Scope::Students(logins) = scope {
        // What a group handed in is stored under one of them.
        let of = sight::numbers(3, logins.len());
        named = format!(
            "and (login in ({of}) or id in (select member.keeper from member \
             join person named on named.id = member.person where named.login in ({of})))"
        );
        values.extend(logins.iter().map(Into::into));
    }
    let sql = format!(
        "select id from person where role = 'student' and id > $1 {named} order by id limit $2"
    );
    Ok(connection.query(&sql, &values)?.iter().map(|row| row.int(0)).collect())
}

/// The submissions of some students that a regrade takes which began at this moment: the end of a query, with its parameters.
fn taken(
    connection: &mut Connection<'_>,
    rules: &Rules,
    new: &New,
    at: i64,
    students: &[i64],
) -> Result<(String, Vec<Value>)> {
    let mut sql = format!(
        "submission where submission.assignment = $1 and submission.at <= $2 \
         and (cast($3 as bigint) = 1 or coalesce({STANDING_COURSE}, '') <> $4) \
         and submission.person in ({})",
        sight::numbers(5, students.len())
    );
    let mut values: Vec<Value> =
        vec![(&new.assignment).into(), at.into(), new.again.into(), (&new.course).into()];
    values.extend(students.iter().map(|id| (*id).into()));
    if new.scope == Scope::Counting {
        let counting = class::counting(connection, rules, &new.assignment, Some(students))?;
        // No submission has the number 0, and a list must have one.
        let ids = counting.values().map(|it| it.standing.submission).chain([0]);
        let first = values.len() + 1;
        values.extend(ids.map(Value::from));
        let ids = sight::numbers(first, values.len() + 1 - first);
        sql = format!("{sql} and submission.id in ({ids})");
    }
    Ok((sql, values))
}

/// Queues the submissions of some students. Those of one student follow one another a minute apart, as live ones do.
fn queue(
    connection: &mut Connection<'_>,
    rules: &Rules,
    new: &New,
    (regrade, at): (i64, i64),
    students: &[i64],
) -> Result<()> {
    let (taken, mut values) = taken(connection, rules, new, at, students)?;
    let place = values.len() + 1;
    values.push(regrade.into());
    let sql = format!(
        "insert into job (submission, course, run, class, rank, state, regrade, queued) \
         select submission.id, $4, (select count(*) from job before \
            where before.submission = submission.id and before.course = $4), {class}, \
            $2 + 60000 * (row_number() over \
                (partition by submission.person order by submission.id) - 1), \
            'queued', cast(${place} as bigint), $2 from {taken}",
        class = Class::Regrade as i64
    );
    connection.execute(&sql, &values)?;
    Ok(())
}
