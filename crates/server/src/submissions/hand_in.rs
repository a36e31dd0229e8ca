//! Takes a submission: one transaction, after which it is acknowledged, has its archive, and has a job. The daily limit is a constraint of
//! the table, so servers that take submissions at the same time cannot count wrong.

use super::day::{Day, dates};
use super::group::Group;
use super::late;
use crate::database::{Connection, Result, Value};
use crate::people::{Person, Role};
use crate::queue;
use crate::rules::{Beyond, Dates, Lateness, Moment, Rules};
use crate::secret;

/// What is handed in. Its files were checked before.
#[derive(Clone, Debug)]
pub struct HandIn {
    pub student: Person,
    pub assignment: String,
    /// The version of the course that grades it.
    pub course: String,
    pub archive: Vec<u8>,
    /// What the student called it, escaped.
    pub file_name: String,
    /// A random key, which the form or client repeats when it tries again.
    pub request: String,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is acknowledged.
    Yes { submission: i64 },
    /// It was acknowledged before, when the same request came first.
    Before { submission: i64 },
    /// The submissions of the day are used up.
    Full { day: Day },
    /// One of the student's that was past the limit is still being graded. So nobody fills the queue.
    Waiting,
    /// The assignment is not open yet.
    NotYet { opens: Moment },
    /// It is too late.
    Closed { since: Moment },
}

/// Takes a submission.
///
/// # Errors
/// If the database fails. Then nobody knows whether it was taken, and the same request can be sent again.
pub fn take(connection: &mut Connection<'_>, rules: &Rules, it: &HandIn) -> Result<Taken> {
    let group = Group::shared(connection, &it.assignment, &it.student)?;
    let known = "select id from submission where person = $1 and request = $2";
    let key: [Value; 2] = [group.keeper.into(), (&it.request).into()];
    if let Some(row) = connection.first(known, &key)? {
        return Ok(Taken::Before { submission: row.int(0) });
    }
    let now = Moment(connection.now()?);
    // Staff try out what they set, so dates and limits are not for them.
    let is_student = it.student.role == Role::Student;
    if is_student && rules.late_days.0 > 0 {
        late::hold(connection, &group.ids())?;
    }
    let dates = dates(connection, rules, &group, &it.assignment)?;
    if is_student && let Some(refused) = at_wrong_time(&dates, now) {
        return Ok(refused);
    }
    let day = Day::of(connection, rules, &group, &it.assignment, now)?;
    let is_past = is_student && day.left() == 0;
    if is_past && rules.of(&it.assignment).beyond == Beyond::Refuse {
        return Ok(Taken::Full { day });
    }
    if is_past && has_open_past_limit(connection, &group, it)? {
        return Ok(Taken::Waiting);
    }
    let archive = secret::sha256(&it.archive);
    let is_new = connection.execute(
        "insert into archive (digest, bytes) values ($1, $2) on conflict do nothing",
        &[(&archive).into(), it.archive.clone().into()],
    )? == 1;
    let terms = dates.terms(now);
    let lateness = if is_student { terms.late } else { Lateness::default() };
    let row = |slot: Option<i64>, past: bool| -> Vec<Value> {
        vec![
            group.keeper.into(),
            (&it.assignment).into(),
            now.0.into(),
            (&day.date).into(),
            slot.into(),
            if past { "past_limit" } else { "normal" }.into(),
            lateness.days.into(),
            (&archive).into(),
            (&it.file_name).into(),
            (&it.request).into(),
            lateness.hours.into(),
            // What does not count spends nothing.
            if past { 0 } else { lateness.covered }.into(),
            it.student.id.into(),
        ]
    };
    let insert = "insert into submission (person, assignment, at, day, slot, feedback, late_days, \
        archive, file_name, request, late_hours, covered_days, sent_by) \
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
        on conflict do nothing returning id";
    // Each number that another transaction took meanwhile costs one try.
    let mut slots: Vec<_> = (1..=day.limit).map(|slot| (Some(slot), false)).collect();
    let mut refused = Taken::Full { day: day.clone() };
    if !is_student {
        slots = vec![(None, false)];
    } else if rules.of(&it.assignment).beyond == Beyond::Grade {
        slots.push((None, true));
    }
    for (slot, past) in slots {
        if past && !is_past && has_open_past_limit(connection, &group, it)? {
            refused = Taken::Waiting;
            break;
        }
        if let Some(inserted) = connection.first(insert, &row(slot, past))? {
            let submission = inserted.int(0);
            if slot.is_some() {
                let of = (submission, it.assignment.as_str());
                late::spend(connection, &group, dates.budget.total, of, terms.late.covered)?;
            }
            queue::put_live(connection, submission, group.keeper, &it.course)?;
            return Ok(Taken::Yes { submission });
        }
    }
    // The same request came at the same time, or others took what was left.
    if is_new {
        // Nobody else has seen it yet.
        connection.execute("delete from archive where digest = $1", &[(&archive).into()])?;
    }
    let before = connection.first(known, &key)?;
    Ok(before.map_or(refused, |row| Taken::Before { submission: row.int(0) }))
}

/// Whether one past the limit is still being graded. The next one of this group waits for this transaction, and then sees what it took.
fn has_open_past_limit(
    connection: &mut Connection<'_>,
    group: &Group,
    it: &HandIn,
) -> Result<bool> {
    late::hold(connection, &[group.keeper])?;
    let sql = "select 1 from submission join job on job.submission = submission.id \
        where submission.person = $1 and submission.assignment = $2 \
        and submission.feedback = 'past_limit' and job.state in ('queued', 'running') limit 1";
    Ok(connection.first(sql, &[group.keeper.into(), (&it.assignment).into()])?.is_some())
}

fn at_wrong_time(dates: &Dates, now: Moment) -> Option<Taken> {
    if let Some(opens) = dates.opens.filter(|opens| now < *opens) {
        return Some(Taken::NotYet { opens });
    }
    dates.closes.filter(|closes| now > *closes).map(|since| Taken::Closed { since })
}
