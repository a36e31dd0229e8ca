//! The late days of a student's budget: what is left, what a submission spends, and what an extension gives back.
//!
//! A day is spent when a submission is handed in that needs it, whether or not that submission counts in the end. So what the page said
//! before stays true, and no later result changes what another assignment costs. It covers all submissions of its assignment.

use super::day::dates;
use super::results;
use crate::database::{Connection, Result};
use crate::people::Person;
use crate::rules::{Budget, Lateness, Moment, Rules};

/// The budget of a student, as it is for an assignment.
///
/// # Errors
/// If the database fails.
pub fn budget(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: i64,
    assignment: &str,
) -> Result<Budget> {
    let sql = "select count(*), count(case when submission.assignment = $2 then 1 end) \
        from late_day join submission on submission.id = late_day.submission \
        where late_day.person = $1";
    let row = connection.first(sql, &[student.into(), assignment.into()])?;
    let (spent, here) = row.map_or((0, 0), |row| (row.int(0), row.int(1)));
    Ok(Budget { total: rules.late_days.0, spent, here })
}

/// Lets the hand-ins of one student wait for each other, so that two of them do not count on the same day.
pub(super) fn hold(connection: &mut Connection<'_>, student: i64) -> Result<()> {
    let alone = format!("select 1 from person where id = $1 {}", connection.for_update());
    connection.first(&alone, &[student.into()]).map(|_| ())
}

/// Spends so many days of a budget. The first numbers that are free are taken.
pub(super) fn spend(
    connection: &mut Connection<'_>,
    student: i64,
    budget: &Budget,
    submission: i64,
    days: i64,
) -> Result<()> {
    let mut left = days;
    for number in 1..=budget.total {
        if left == 0 {
            break;
        }
        let sql = "insert into late_day (person, number, submission) values ($1, $2, $3) \
            on conflict do nothing";
        left -=
            connection.execute(sql, &[student.into(), number.into(), submission.into()])? as i64;
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
    for student in students {
        hold(connection, student.id)?;
        renew_one(connection, rules, &student, assignment)?;
    }
    Ok(())
}

fn renew_one(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: &Person,
    assignment: &str,
) -> Result<()> {
    let dates = dates(connection, rules, student, assignment)?;
    let sql = "select id, at, late_days, late_hours, covered_days from submission \
        where person = $1 and assignment = $2 and late_days > 0";
    for row in connection.query(sql, &[student.id.into(), assignment.into()])? {
        let before = Lateness { days: row.int(2), hours: row.int(3), covered: row.int(4) };
        let now = dates.terms(Moment(row.int(1))).late;
        let (days, hours) = (now.days.min(before.days), now.hours.min(before.hours));
        let covered = before.covered.min(days);
        let sql = "update submission set late_days = $2, late_hours = $3, covered_days = $4 \
            where id = $1";
        connection.execute(sql, &[row.int(0).into(), days.into(), hours.into(), covered.into()])?;
    }
    results::renew(connection, assignment, student.id)?;
    give_back(connection, student.id, assignment)
}

/// Gives the days back that no submission needs which costs an attempt: one that was refused, or that the machine failed, spends nothing.
///
/// # Errors
/// If the database fails.
pub fn give_back(connection: &mut Connection<'_>, student: i64, assignment: &str) -> Result<()> {
    let needed = "select coalesce(max(covered_days), 0) from submission \
        where person = $1 and assignment = $2 and slot is not null";
    let spent = "select count(*) from late_day \
        join submission on submission.id = late_day.submission \
        where late_day.person = $1 and submission.assignment = $2";
    let own = [student.into(), assignment.into()];
    let mut days =
        |sql: &str| -> Result<i64> { Ok(connection.first(sql, &own)?.map_or(0, |row| row.int(0))) };
    let back = (days(spent)? - days(needed)?).max(0);
    let sql = "delete from late_day where person = $1 and number in (select late_day.number \
        from late_day join submission on submission.id = late_day.submission \
        where late_day.person = $1 and submission.assignment = $2 \
        order by late_day.number desc limit $3)";
    connection.execute(sql, &[student.into(), assignment.into(), back.into()])?;
    Ok(())
}
