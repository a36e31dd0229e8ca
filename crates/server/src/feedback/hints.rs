//! The hints of a day, as `score --hints` gives them: each day a few new ones for bugs that the tests miss. They are stored, so that all
//! servers give the same, and a hint stays given.
//!
//! The day is that of the submission. So nobody gets more by looking on another day.

use crate::courses::Version;
use crate::database::{Connection, Database, Result};
use crate::people::Person;
use crate::submissions::Submission;
use harness::catalogue::{Mutant, behaviours};
use harness::course::{Audience, Level};
use harness::result::hints::{GivenHint, HintsFile, SCHEMA, SuiteHints};
use harness::result::{HintReport, SuiteReport};
use std::sync::Arc;

/// Adds the hints of a student to the report of the tests. New ones are given if `gives`.
pub(super) async fn add(
    database: &Database,
    version: &Arc<Version>,
    student: &Person,
    submission: &Submission,
    gives: bool,
    tests: &mut SuiteReport,
) -> Result<()> {
    let Some(assignment) = version.assignment(&submission.assignment) else { return Ok(()) };
    let Some(quota) = assignment.feedback.hints else { return Ok(()) };
    let is_normal = submission.audience() == Audience::Normal;
    if !is_normal || assignment.feedback.level(Audience::Normal) == Level::None {
        return Ok(());
    }
    let exposed: Vec<_> = tests.exposed_by.keys().cloned().collect();
    let per_day = if gives { quota.per_day } else { 0 };
    let person = submission.person;
    let (version, submission, student) = (version.clone(), submission.clone(), student.clone());
    let give = move |connection: &mut Connection<'_>, stores: bool| {
        let is_exposed = |mutant: &Mutant| exposed.contains(&mutant.id);
        let by = version.assignment(&submission.assignment).map(|it| it.scoring.by);
        let mutants = version.mutants(&submission.assignment);
        let missed = behaviours::missed(mutants, is_exposed, by.unwrap_or_default());
        let mut file = read(connection, &student, &submission)?;
        let before = count(&file);
        let (id, login, day) = (&submission.assignment, &student.login, &submission.day);
        let given = file.give(id, login, day, per_day, &missed);
        // Hints of later days came with later submissions.
        let given = given.into_iter().filter(|(of, _)| of <= day);
        let shown: Vec<_> = given.map(|(of, mutant)| HintReport::new(of, mutant)).collect();
        let is_new = count(&file) > before;
        if stores && is_new {
            store(connection, &submission, &file)?;
        }
        Ok((shown, is_new))
    };
    let look = give.clone();
    let (shown, is_new) = database.read(move |connection| look(connection, false)).await?;
    tests.hints = shown;
    if is_new {
        let given = database.write(move |connection| {
            // Two servers that give at the same time would give more than they may.
            let lock = format!("select id from person where id = $1 {}", connection.for_update());
            connection.first(&lock, &[person.into()])?;
            give(connection, true)
        });
        tests.hints = given.await?.0;
    }
    Ok(())
}

/// The hints that a student was given for the assignment of a submission, or the student's group.
fn read(
    connection: &mut Connection<'_>,
    student: &Person,
    submission: &Submission,
) -> Result<HintsFile> {
    let sql =
        "select mutant, day from hint where person = $1 and assignment = $2 order by day, mutant";
    let rows =
        connection.query(sql, &[submission.person.into(), (&submission.assignment).into()])?;
    let given = rows.iter().map(|row| GivenHint { mutant: row.text(0), day: row.text(1) });
    let suite = SuiteHints {
        assignment: submission.assignment.clone(),
        suite: student.login.clone(),
        hints: given.collect(),
    };
    Ok(HintsFile { schema: SCHEMA.to_owned(), suites: vec![suite] })
}

fn count(file: &HintsFile) -> usize {
    file.suites.iter().map(|suite| suite.hints.len()).sum()
}

fn store(connection: &mut Connection<'_>, submission: &Submission, file: &HintsFile) -> Result<()> {
    for hint in file.suites.iter().flat_map(|suite| &suite.hints) {
        connection.execute(
            "insert into hint (person, assignment, mutant, day) values ($1, $2, $3, $4) \
             on conflict do nothing",
            &[
                submission.person.into(),
                (&submission.assignment).into(),
                (&hint.mutant).into(),
                (&hint.day).into(),
            ],
        )?;
    }
    Ok(())
}
