//! The submissions of many students at once: which one of each counts, and the records of some of them.

use super::standing::{self, Standing};
use crate::database::{Connection, Result, Value};
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

/// The submissions of an assignment that count, by the ids of their students. Without a list of students: of all.
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
    let of_students = |column: &str| match students {
        Some(all) => format!("and {column} in ({})", sight::numbers(2, all.len())),
        None => String::new(),
    };
    if students.is_some_and(<[i64]>::is_empty) {
        return Ok(BTreeMap::new());
    }
    let mut values: Vec<Value> = vec![assignment.into()];
    values.extend(students.into_iter().flatten().map(|id| (*id).into()));
    let sql = format!(
        "select person, counts from choice where assignment = $1 {}",
        of_students("person")
    );
    let chosen = connection.query(&sql, &values)?;
    let chosen: BTreeMap<_, _> =
        chosen.iter().filter_map(|row| Some((row.int(0), Counts::of(&row.text(1))?))).collect();
    let sql = format!(
        "select {}, submission.person, submission.at from {} and submission.assignment = $1 {} \
         order by submission.person, submission.id",
        standing::COLUMNS,
        standing::STANDING,
        of_students("submission.person")
    );
    let rules = rules.of(assignment);
    let mut all: BTreeMap<i64, Vec<(Standing, Moment)>> = BTreeMap::new();
    for row in connection.query(&sql, &values)? {
        let one = (Standing::of(&row, &rules.late.value), Moment(row.int(10)));
        all.entry(row.int(9)).or_default().push(one);
    }
    let counting = |(person, all): (i64, Vec<(Standing, Moment)>)| {
        let counts = chosen.get(&person).copied().unwrap_or(rules.counts);
        let standings: Vec<_> = all.iter().map(|(standing, _)| standing.clone()).collect();
        let standing = standing::counting(&standings, counts)?.clone();
        let (_, at) = all.iter().find(|(it, _)| it.submission == standing.submission)?;
        Some((person, Counting { standing, at: *at, counts }))
    };
    Ok(all.into_iter().filter_map(counting).collect())
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
    for some in jobs.chunks(50) {
        let sql = format!(
            "select job, record from result where job in ({})",
            sight::numbers(1, some.len())
        );
        let values: Vec<Value> = some.iter().map(|id| (*id).into()).collect();
        for row in connection.query(&sql, &values)? {
            if let Ok(record) = serde_json::from_str::<Record>(&row.text(1)) {
                reports.insert(row.int(0), slim(record.report));
            }
        }
    }
    Ok(reports)
}

/// The report without inputs, outputs and tests.
fn slim(mut report: SubmissionReport) -> SubmissionReport {
    for case in report.groups.iter_mut().flat_map(|group| &mut group.cases) {
        case.command = Vec::new();
        (case.says, case.stopped, case.shown) = (None, None, None);
    }
    if let Some(tests) = &mut report.tests {
        (tests.tests, tests.ignored, tests.hints) = (Vec::new(), Vec::new(), Vec::new());
        tests.exposed_by = BTreeMap::new();
    }
    if let Some(build) = &mut report.build {
        (build.compilations, build.warnings) = (Vec::new(), Vec::new());
    }
    report.own = None;
    report
}
