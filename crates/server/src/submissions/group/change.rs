//! How groups change: students who accepted join, and staff put students together and take them out. All of it is in the audit log.

use super::{Group, lock};
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::Person;
use crate::rules::{self, Rules};
use crate::submissions::{late, results};
use harness::diagnostic::Problem;
use serde_json::json;

/// Adds a student who is in no group to a group, of at most so many.
pub(super) fn join(
    connection: &mut Connection<'_>,
    assignment: &str,
    group: &Group,
    student: &Person,
    most: i64,
    entry: &audit::Entry<'_>,
) -> Result<()> {
    if group.is_alone() {
        place(connection, assignment, group.keeper, (group.keeper, 1))?;
    }
    let sql = "select place from member where assignment = $1 and keeper = $2";
    let used = connection.query(sql, &[assignment.into(), group.keeper.into()])?;
    let free = (2..=rules::MOST_IN_GROUP).find(|it| !used.iter().any(|row| row.int(0) == *it));
    // If none is free, the constraint of the table refuses.
    place(connection, assignment, student.id, (group.keeper, free.unwrap_or(0)))?;
    forget(connection, assignment, student.id)?;
    let now = Group::of(connection, assignment, student)?;
    if now.members.len() as i64 >= most {
        for it in &now.members {
            forget(connection, assignment, it.id)?;
        }
    }
    audit::add(
        connection,
        entry,
        json!({ "group": student.login }),
        json!({ "group": now.logins() }),
    )
}

fn place(
    connection: &mut Connection<'_>,
    assignment: &str,
    student: i64,
    (keeper, place): (i64, i64),
) -> Result<()> {
    let sql = "insert into member (assignment, person, keeper, place) values ($1, $2, $3, $4)";
    let values = [assignment.into(), student.into(), keeper.into(), place.into()];
    connection.execute(sql, &values).map(|_| ())
}

/// Removes the open invitations to and from a student. Whoever was invited saw another group.
fn forget(connection: &mut Connection<'_>, assignment: &str, student: i64) -> Result<()> {
    let sql = "delete from group_invitation where assignment = $1 and state = 'open' \
        and (person = $2 or inviter = $2)";
    connection.execute(sql, &[assignment.into(), student.into()]).map(|_| ())
}

/// Puts students together, for staff: into the group of the first one, whose submissions are those of the group.
///
/// # Errors
/// If the database fails.
pub fn put_together(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    students: &[Person],
    (reason, by): (&str, i64),
) -> Result<std::result::Result<(), Problem>> {
    connection.hold(&lock(assignment))?;
    let [first, others @ ..] = students else { return Ok(Ok(())) };
    let group = Group::of(connection, assignment, first)?;
    for it in others {
        let own = Group::of(connection, assignment, it)?;
        if !own.is_alone() {
            let message = format!("{} is in a group already: {}", it.login, own.logins());
            return Ok(Err(Problem::new(message).hint("take them out of it first")));
        }
    }
    if (group.members.len() + others.len()) as i64 > rules::MOST_IN_GROUP {
        let message = format!("a group has {} students at most", rules::MOST_IN_GROUP);
        return Ok(Err(Problem::new(message).hint("make two groups of them")));
    }
    for it in others {
        let group = Group::of(connection, assignment, first)?;
        let object = format!("student {}, {assignment}", it.login);
        let entry =
            audit::Entry { person: Some(by), action: "put into group", object: &object, reason };
        join(connection, assignment, &group, it, 0, &entry)?;
    }
    // What was handed in is less late if one of them has more time.
    late::renew(connection, rules, Some(first), assignment)?;
    Ok(Ok(()))
}

/// Takes a student out of a group, for staff. What the group handed in stays with the others. False if the student is in none.
///
/// # Errors
/// If the database fails.
pub fn take_out(
    connection: &mut Connection<'_>,
    assignment: &str,
    student: &Person,
    (reason, by): (&str, i64),
) -> Result<bool> {
    connection.hold(&lock(assignment))?;
    let mut group = Group::of(connection, assignment, student)?;
    if group.is_alone() {
        return Ok(false);
    }
    let before = group.logins();
    // Who leaves knows the hints of the group.
    copy_hints(connection, assignment, group.keeper, student.id)?;
    group.members.retain(|it| it.id != student.id);
    let sql = "delete from member where assignment = $1 and keeper = $2";
    connection.execute(sql, &[assignment.into(), group.keeper.into()])?;
    if group.keeper == student.id {
        let next = group.members[0].id;
        hand_over(connection, assignment, student.id, next)?;
        group.keeper = next;
    }
    if !group.is_alone() {
        for (it, at) in group.members.iter().zip(1..) {
            place(connection, assignment, it.id, (group.keeper, at))?;
        }
    }
    for it in group.ids().into_iter().chain([student.id]) {
        forget(connection, assignment, it)?;
    }
    late::give_back(connection, student.id, assignment)?;
    let object = format!("student {}, {assignment}", student.login);
    let entry =
        audit::Entry { person: Some(by), action: "take out of group", object: &object, reason };
    let after = json!({ "group": student.login, "submissions_stay_with": group.logins() });
    audit::add(connection, &entry, json!({ "group": before }), after)?;
    Ok(true)
}

/// Stores what one student kept for a group under another.
fn hand_over(connection: &mut Connection<'_>, assignment: &str, from: i64, to: i64) -> Result<()> {
    let key = [assignment.into(), from.into(), to.into()];
    // What `to` handed in alone, before, takes no number of a day from the group.
    let alone = "update submission set slot = null where assignment = $1 and person = $2";
    connection.execute(alone, &[assignment.into(), to.into()])?;
    let sql = "update submission set sent_by = coalesce(sent_by, person), person = $3 \
        where assignment = $1 and person = $2";
    connection.execute(sql, &key)?;
    let own = "delete from choice where assignment = $1 and person = $2";
    connection.execute(own, &[assignment.into(), to.into()])?;
    let sql = "update choice set person = $3 where assignment = $1 and person = $2";
    connection.execute(sql, &key)?;
    copy_hints(connection, assignment, from, to)?;
    results::renew(connection, assignment, from)?;
    results::renew(connection, assignment, to)
}

fn copy_hints(connection: &mut Connection<'_>, assignment: &str, from: i64, to: i64) -> Result<()> {
    let sql = "insert into hint (person, assignment, mutant, day) \
        select cast($3 as bigint), assignment, mutant, day from hint \
        where assignment = $1 and person = $2 on conflict do nothing";
    connection.execute(sql, &[assignment.into(), from.into(), to.into()]).map(|_| ())
}
