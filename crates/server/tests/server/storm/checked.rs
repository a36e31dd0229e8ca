//! What must hold after a storm.

use super::super::support::sums;
use super::LIMIT;
use super::machines::Machines;
use super::students::{HandedIn, archives};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// The record of each archive on a quiet day, by `harness grade`.
pub(super) fn quiet_records() -> BTreeMap<&'static str, Value> {
    let (course, folder) = (sums::course("{}"), tempfile::tempdir().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness-server"));
    command.args(["grade", "--jobs-from", "-", "--course"]).arg(course.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut jobs = child.stdin.take().unwrap();
    for (kind, archive) in archives() {
        let file = folder.path().join(format!("{kind}.tar.gz"));
        fs::write(&file, archive).unwrap();
        writeln!(jobs, "{}", serde_json::json!({ "submission": file, "name": kind })).unwrap();
    }
    drop(jobs);
    let answers = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let answers = answers.lines().filter_map(|line| {
        let mut answer: Value = serde_json::from_str(line).unwrap();
        (answer["record"].is_object()).then(|| comparable(answer["record"].take()))
    });
    let quiet: BTreeMap<_, _> = archives().into_iter().map(|(kind, _)| kind).zip(answers).collect();
    assert_eq!(quiet.len(), archives().len());
    quiet
}

/// A record without what differs from run to run: whose it is, and how long it took.
fn comparable(mut record: Value) -> Value {
    fn without(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("measures");
                fields.values_mut().for_each(without);
            }
            Value::Array(all) => all.iter_mut().for_each(without),
            _ => {}
        }
    }
    without(&mut record);
    if let Some(report) = record["report"].as_object_mut() {
        report.remove("name");
        report.get_mut("tests").and_then(Value::as_object_mut).map(|it| it.remove("name"));
    }
    record
}

/// A submission, as the database has it.
struct Row {
    id: i64,
    person: i64,
    day: String,
    counts: bool,
}

/// Checks everything, and gives the number of days on which something was handed in.
pub(super) fn check(
    machines: &Machines,
    handed_in: &HandedIn,
    quiet: &BTreeMap<&str, Value>,
) -> usize {
    let rows = machines.read(|connection| {
        let sql = "select id, person, day, slot from submission order by id";
        let row = |row: &server::database::Row| Row {
            id: row.int(0),
            person: row.int(1),
            day: row.text(2),
            counts: row.maybe_int(3).is_some(),
        };
        Ok(connection.query(sql, &[])?.iter().map(row).collect::<Vec<_>>())
    });
    let acknowledged: BTreeSet<_> = handed_in.acknowledged.values().map(|(id, _)| *id).collect();
    assert_eq!(acknowledged.len(), handed_in.acknowledged.len(), "each key has one of its own");
    let known: BTreeSet<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(acknowledged, known, "what was acknowledged is there, and nothing else");
    let mut days: BTreeMap<_, i64> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.counts) {
        *days.entry((row.person, &row.day)).or_default() += 1;
    }
    assert!(days.values().all(|count| *count <= LIMIT), "more than the limit: {days:?}");
    let jobs = machines.read(|connection| {
        let sql = "select job.submission, job.state, count(result.job), job.reason from job \
            left join result on result.job = job.id group by job.id, job.submission, job.state, job.reason";
        let rows = connection.query(sql, &[])?;
        let one = |row: &server::database::Row| (row.int(0), row.text(1), row.int(2), row.maybe_text(3));
        Ok(rows.iter().map(one).collect::<Vec<_>>())
    });
    assert_eq!(jobs.len(), acknowledged.len(), "each has one job");
    for (submission, state, records, reason) in &jobs {
        assert_eq!((state.as_str(), *records), ("done", 1), "submission {submission}: {reason:?}");
    }
    for (submission, kind) in handed_in.acknowledged.values() {
        let submission = *submission;
        let record = machines.read(move |connection| {
            let sql = "select record from result where submission = $1 and applied is not null";
            let rows = connection.query(sql, &[submission.into()])?;
            Ok(rows.iter().map(|row| row.text(0)).collect::<Vec<_>>())
        });
        assert_eq!(record.len(), 1, "submission {submission} has one record that stands");
        let record = comparable(serde_json::from_str(&record[0]).unwrap());
        assert_eq!(record, quiet[kind], "submission {submission}, {kind}");
    }
    rows.iter().map(|row| &row.day).collect::<BTreeSet<_>>().len()
}
