//! The submissions of many students at once: which one of each counts, and the records of some of them.

use super::group;
use super::results::slim;
use super::standing::{self, Standing};
use crate::database::{Connection, Result, Row, Value};
use crate::people::{Person, sight};
use crate::rules::{Counts, Moment, Rules};
use harness::result::graded::SubmissionReport;
use harness::result::record::Record;
use std::collections::BTreeMap;

/// The submission of a student that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Counting {
    pub standing: Standing,
    /// When it was handed in.
    pub at: Moment,
    /// Why it is this one.
    pub counts: Counts,
}

/// More students than these are cheaper to read with all the others.
const FEW: usize = 200;

/// How many reports are read at a time.
const AT_ONCE: usize = 250;

/// The submissions of an assignment that count, by the ids of their students, each for all members of its group. Without a list of
/// students: of all.
///
/// # Errors
/// If the database fails.
pub fn counting(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
    students: Option<&[i64]>,
) -> Result<BTreeMap<i64, Counting>> {
    let students = students.filter(|all| all.len() <= FEW);
    if students.is_some_and(<[i64]>::is_empty) {
        return Ok(BTreeMap::new());
    }
    let groups = group::all(connection, assignment)?;
    let keepers = group::keepers(&groups);
    let keeper = |id: &i64| keepers.get(id).copied().unwrap_or(*id);
    let students: Option<Vec<i64>> = students.map(|all| all.iter().map(keeper).collect());
    let only = students.as_ref().map_or_else(String::new, |all| {
        format!("and contender.person in ({})", sight::numbers(2, all.len()))
    });
    let mut values: Vec<Value> = vec![assignment.into()];
    values.extend(students.into_iter().flatten().map(Value::from));
    let sql = format!(
        "select contender.submission, contender.points, contender.max_points, contender.exposed, \
         submission.late_days, contender.job, submission.late_hours, submission.covered_days, \
         submission.adjusted, submission.hand_points, submission.hand_most, contender.person, \
         contender.at, choice.counts \
         from contender join submission on submission.id = contender.submission \
         left join choice on choice.person = contender.person \
         and choice.assignment = contender.assignment where contender.assignment = $1 {only} \
         order by contender.person, contender.submission"
    );
    let rules = rules.of(assignment);
    let rows = connection.query(&sql, &values)?;
    let of_one = |rows: &[Row]| {
        let all: Vec<_> = rows.iter().map(|row| Standing::of(row, &rules.late.value)).collect();
        let chosen = rows[0].maybe_text(13).and_then(|word| Counts::of(&word));
        let counts = chosen.unwrap_or(rules.counts);
        let standing = standing::counting(&all, counts)?.clone();
        let at = rows.iter().find(|row| row.int(0) == standing.submission)?.int(12);
        Some((rows[0].int(11), Counting { standing, at: Moment(at), counts }))
    };
    let mut counting: BTreeMap<_, _> =
        rows.chunk_by(|one, other| one.int(11) == other.int(11)).filter_map(of_one).collect();
    for (member, keeper) in keepers.iter().filter(|(member, keeper)| member != keeper) {
        // What a member handed in alone does not count.
        counting.remove(member);
        if let Some(of_group) = counting.get(keeper).cloned() {
            counting.insert(*member, of_group);
        }
    }
    Ok(counting)
}

/// The active students whom `viewer` may see, ordered by their logins.
///
/// # Errors
/// If the database fails.
pub fn students(connection: &mut Connection<'_>, viewer: &Person) -> Result<Vec<Person>> {
    let (seen, values) = sight::students(viewer, 1);
    let sql = format!(
        "select {} from person where {seen} and person.active = 1 order by person.login",
        Person::COLUMNS
    );
    Ok(connection.query(&sql, &values)?.iter().map(Person::of).collect())
}

/// The reports of some jobs, without what a page of a class does not show, so that a class fits into memory.
///
/// # Errors
/// If the database fails.
pub fn reports(
    connection: &mut Connection<'_>,
    jobs: &[i64],
) -> Result<BTreeMap<i64, SubmissionReport>> {
    let mut reports = BTreeMap::new();
    for some in jobs.chunks(AT_ONCE) {
        let sql = format!(
            "select job.id, coalesce((select record from summary where summary.job = job.id), \
             (select record from result where result.job = job.id)) from job where job.id in ({})",
            sight::numbers(1, some.len())
        );
        let values: Vec<Value> = some.iter().map(|id| (*id).into()).collect();
        connection.each(&sql, &values, |row| {
            let record = row.maybe_text(1);
            if let Some(Ok(record)) = record.map(|it| serde_json::from_str::<Record>(&it)) {
                reports.insert(row.int(0), slim(record.report));
            }
            Ok(())
        })?;
    }
    Ok(reports)
}
