//! The late days of a student's budget: what is left, what a submission spends, and what an extension gives back.
//!
//! A day is spent when a submission is handed in that needs it, whether or not that submission counts in the end. So what the page said
//! before stays true, and no later result changes what another assignment costs. It covers all submissions of its assignment.

use super::day::dates;
use super::group::Group;
use super::results;
use crate::database::{Connection, Result, Value};
use crate::people::{Person, sight};
use crate::rules::{Budget, Lateness, Moment, Rules};
use std::collections::{BTreeMap, BTreeSet};

/// How many students are held by one statement.
const AT_ONCE: usize = 500;

/// The budget of a group, as it is for an assignment: each member spends the same days here, so the one with the fewest left decides.
///
/// # Errors
/// If the database fails.
pub fn budget(
    connection: &mut Connection<'_>,
    rules: &Rules,
    group: &Group,
    assignment: &str,
) -> Result<Budget> {
    let (mut elsewhere, mut here) = (0, i64::MAX);
    for student in group.ids() {
        let (all, own) = spent(connection, student, assignment)?;
        (elsewhere, here) = (elsewhere.max(all - own), here.min(own));
    }
    Ok(Budget { total: rules.late_days.0, spent: elsewhere + here, here })
}

/// How many days a student spent, and how many of them here.
fn spent(connection: &mut Connection<'_>, student: i64, assignment: &str) -> Result<(i64, i64)> {
    let sql = "select count(*), count(case when submission.assignment = $2 then 1 end) \
        from late_day join submission on submission.id = late_day.submission \
        where late_day.person = $1";
    let row = connection.first(sql, &[student.into(), assignment.into()])?;
    Ok(row.map_or((0, 0), |row| (row.int(0), row.int(1))))
}

/// Lets the hand-ins of some students wait for each other, so that two of them do not count on the same day. All hold them in one order.
pub(super) fn hold(connection: &mut Connection<'_>, students: &[i64]) -> Result<()> {
    let sql = format!(
        "select 1 from person where id in ({}) order by id {}",
        sight::numbers(1, students.len()),
        connection.for_update()
    );
    let students: Vec<Value> = students.iter().map(|id| (*id).into()).collect();
    connection.query(&sql, &students).map(|_| ())
}

/// Spends days of a budget of so many, until each member has spent so many here. The first numbers that are free are taken.
pub(super) fn spend(
    connection: &mut Connection<'_>,
    group: &Group,
    total: i64,
    (submission, assignment): (i64, &str),
    days: i64,
) -> Result<()> {
    for student in group.ids().into_iter().filter(|_| days > 0) {
        let mut left = days - spent(connection, student, assignment)?.1;
        for number in 1..=total {
            if left <= 0 {
                break;
            }
            let sql = "insert into late_day (person, number, submission) values ($1, $2, $3) \
                on conflict do nothing";
            let row = [student.into(), number.into(), submission.into()];
            left -= connection.execute(sql, &row)? as i64;
        }
    }
    Ok(())
}

/// Makes submissions less late whose student has a later due date now, and gives days back that none of them needs. Nothing becomes later.
///
/// # Errors
/// If the database fails.
pub fn renew(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: Option<&Person>,
    assignment: &str,
) -> Result<()> {
    let of_all = format!(
        "select distinct {} from submission join person on person.id = submission.person \
         where submission.assignment = $1 and submission.late_days > 0",
        Person::COLUMNS
    );
    let students = match student {
        Some(student) => vec![student.clone()],
        None => connection.query(&of_all, &[assignment.into()])?.iter().map(Person::of).collect(),
    };
    let mut groups = BTreeMap::new();
    for student in students {
        let group = Group::shared(connection, assignment, &student)?;
        groups.insert(group.keeper, group);
    }
    let ids: BTreeSet<_> = groups.values().flat_map(Group::ids).collect();
    for some in ids.into_iter().collect::<Vec<_>>().chunks(AT_ONCE) {
        hold(connection, some)?;
    }
    groups.values().try_for_each(|group| renew_one(connection, rules, group, assignment))
}

fn renew_one(
    connection: &mut Connection<'_>,
    rules: &Rules,
    group: &Group,
    assignment: &str,
) -> Result<()> {
    let dates = dates(connection, rules, group, assignment)?;
    let sql = "select id, at, late_days, late_hours, covered_days from submission \
        where person = $1 and assignment = $2 and late_days > 0";
    for row in connection.query(sql, &[group.keeper.into(), assignment.into()])? {
        let before = Lateness { days: row.int(2), hours: row.int(3), covered: row.int(4) };
        let now = dates.terms(Moment(row.int(1))).late;
        let (days, hours) = (now.days.min(before.days), now.hours.min(before.hours));
        let covered = before.covered.min(days);
        let sql = "update submission set late_days = $2, late_hours = $3, covered_days = $4 \
            where id = $1";
        connection.execute(sql, &[row.int(0).into(), days.into(), hours.into(), covered.into()])?;
    }
    results::renew(connection, assignment, group.keeper)?;
    give_back_to(connection, group, assignment)
}

/// Gives the days back to a student's group that no submission needs which costs an attempt: one that was refused, or that the machine
/// failed, spends nothing.
///
/// # Errors
/// If the database fails.
pub fn give_back(connection: &mut Connection<'_>, student: i64, assignment: &str) -> Result<()> {
    let Some(student) = Person::find(connection, student)? else { return Ok(()) };
    let group = Group::of(connection, assignment, &student)?;
    give_back_to(connection, &group, assignment)
}

fn give_back_to(connection: &mut Connection<'_>, group: &Group, assignment: &str) -> Result<()> {
    let needed = "select coalesce(max(covered_days), 0) from submission \
        where person = $1 and assignment = $2 and slot is not null";
    let needed = connection.first(needed, &[group.keeper.into(), assignment.into()])?;
    let needed = needed.map_or(0, |row| row.int(0));
    for student in group.ids() {
        let back = (spent(connection, student, assignment)?.1 - needed).max(0);
        let sql = "delete from late_day where person = $1 and number in (select late_day.number \
            from late_day join submission on submission.id = late_day.submission \
            where late_day.person = $1 and submission.assignment = $2 \
            order by late_day.number desc limit $3)";
        connection.execute(sql, &[student.into(), assignment.into(), back.into()])?;
    }
    Ok(())
}
