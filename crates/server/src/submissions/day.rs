//! How many submissions count on a student's day.

use super::exceptions::{Kind, granted};
use super::group::Group;
use super::late;
use crate::database::{Connection, Result};
use crate::people::Person;
use crate::rules::{Dates, Moment, Rules};

/// A student's day for an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// Such as `2026-11-24`.
    pub date: String,
    pub ends: Moment,
    /// How many submissions count on it, with all that was granted and earned.
    pub limit: i64,
    /// Whether the student exposed enough bugs for more submissions a day, and how many more they are.
    pub has_bonus: bool,
    pub bonus: i64,
    /// How many were handed in.
    pub used: i64,
}

impl Day {
    pub fn left(&self) -> i64 {
        (self.limit - self.used).max(0)
    }

    /// The day of `now`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn of(
        connection: &mut Connection<'_>,
        rules: &Rules,
        group: &Group,
        assignment: &str,
        now: Moment,
    ) -> Result<Self> {
        let zone = &rules.time_zone;
        let (date, of_assignment) = (zone.day(now), rules.of(assignment));
        let key = [group.keeper.into(), assignment.into(), date.as_str().into()];
        let has_bonus = earns_bonus(connection, group.keeper, assignment)?;
        let bonus = if has_bonus { of_assignment.bonus } else { 0 };
        let more = granted(connection, Kind::More, group, assignment, &date)?;
        let more = group.ids().into_iter().map(more).max().unwrap_or(0);
        let used = connection.first(
            "select count(*) from submission \
             where person = $1 and assignment = $2 and day = $3 and slot is not null",
            &key,
        )?;
        let limit = of_assignment.limit.on(zone.date(now)) + bonus + more;
        Ok(Self {
            date,
            ends: zone.midnight_after(now),
            limit: limit.clamp(0, 1000),
            has_bonus,
            bonus,
            used: used.map_or(0, |row| row.int(0)),
        })
    }
}

/// Whether the tests of a submission exposed enough bugs for one more submission a day. One past the limit earns nothing: it does not
/// count, and its student may not know what it exposes.
fn earns_bonus(connection: &mut Connection<'_>, student: i64, assignment: &str) -> Result<bool> {
    let sql = "select 1 from result join submission on submission.id = result.submission \
        where submission.person = $1 and submission.assignment = $2 and submission.feedback = 'normal' \
        and result.earns_bonus = 1 and result.applied is not null limit 1";
    Ok(connection.first(sql, &[student.into(), assignment.into()])?.is_some())
}

/// When a group may hand in, with all extensions and the late days that are left: the dates of the member who has most time.
///
/// # Errors
/// If the database fails.
pub fn dates(
    connection: &mut Connection<'_>,
    rules: &Rules,
    group: &Group,
    assignment: &str,
) -> Result<Dates> {
    let granted = granted(connection, Kind::Extension, group, assignment, "")?;
    let budget = late::budget(connection, rules, group, assignment)?;
    let of_assignment = rules.of(assignment);
    let of = |it: &Person| {
        let own = of_assignment.for_section(&it.section);
        Dates::new(&own, &rules.time_zone, it.extra_minutes + granted(it.id), budget)
    };
    let end = |moment: Option<Moment>| moment.map_or(i64::MAX, |it| it.0);
    let last = group.members.iter().map(of).max_by_key(|it| (end(it.due), end(it.closes)));
    Ok(last.expect("a group has members"))
}
