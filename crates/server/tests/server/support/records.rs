//! Results that no grader made, so that tests of pages need none.

use super::site::{Answer, Browser, Site};
use super::sums;
use harness::result::record::Record;
use serde_json::{Value, json};
use server::queue;

/// The address where students hand in.
pub(crate) const HAND_IN: &str = "/assignments/sum/submissions";

/// The text of the one hint of the course.
pub(crate) const HINT: &str = "Add.";

/// The report of a submission that earns so many of 80 points for its cases, and perhaps exposes the one bug.
pub(crate) fn report(login: &str, earned: f64, exposes: bool) -> Value {
    let case = |name: &str, verdict: &str| {
        json!({ "name": name, "verdict": verdict, "share": 1.0, "command": ["sum"],
            "measures": { "seconds": 0.5, "reference_seconds": 0.5, "megabytes": 3.0, "reference_megabytes": 3.0 } })
    };
    let last = if earned < 80.0 { "wrong" } else { "passed" };
    let group = json!({ "name": "sample", "extra": false, "points": earned, "max_points": 80.0,
        "passed": if earned < 80.0 { 1 } else { 2 }, "total": 2,
        "cases": [case("Two", "passed"), case("Large", last)] });
    let exposed_by = if exposes {
        json!({ "adds-one": [{ "file": "test-1.txt", "how": "output" }] })
    } else {
        json!({})
    };
    let test = json!({ "file": "test-1.txt", "status": "valid", "args": [],
        "exposes": if exposes { vec!["adds-one"] } else { vec![] } });
    let tests = json!({ "name": login, "tests": [test], "exposed_by": exposed_by,
        "score": { "exposed": i32::from(exposes), "mutants": 1, "points": if exposes { 10.0 } else { 0.0 },
            "max_points": 10.0, "start": 1, "full": 1, "extra_submission": 1 } });
    let of_tests = if exposes { 10.0 } else { 0.0 };
    json!({ "name": login, "digest": "", "refused": false, "findings": [],
        "build": { "command": "make", "built": true, "compilations": [], "warnings": [], "more_warnings": 0, "error": null },
        "groups": [group], "leaks": null, "tests": tests, "own": null,
        "points": { "earned": earned + of_tests, "max": 90.0, "parts": [
            { "name": "cases", "earned": earned, "max": 80.0 },
            { "name": "tests", "earned": of_tests, "max": 10.0 } ] } })
}

/// The record with this report.
pub(crate) fn record(report: &Value) -> Record {
    let record = json!({ "schema": "harness-record/1", "assignment": "sum",
        "digests": { "submission": "", "course": "", "harness": "" }, "report": report });
    serde_json::from_value(record).unwrap()
}

impl Browser {
    /// Hands in what is right, and gives the number of the submission.
    #[track_caller]
    pub(crate) fn hands_in(&self, key: &str) -> i64 {
        let answer = self.upload(HAND_IN, key, &[("submit.tar.gz", &sums::right())]);
        submission(&answer)
    }
}

/// The submission to whose page an answer leads.
#[track_caller]
pub(crate) fn submission(answer: &Answer) -> i64 {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.headers["location"].strip_prefix("/submissions/").unwrap().parse().unwrap()
}

impl Site {
    /// A worker claims the next job, and says this much while it works.
    pub(crate) fn claims(&self, stage: Option<(&'static str, Value)>) -> queue::Claim {
        let claim = self.write(move |connection| {
            let claim = queue::claim(connection, "tests")?.expect("a job waits");
            if let Some((stage, report)) = &stage {
                assert!(queue::note_progress(connection, &claim, stage, &report.to_string())?);
            }
            Ok(claim)
        });
        self.app.changed.notify_waiters();
        claim
    }

    /// A worker says how far it is.
    pub(crate) fn notes(&self, claim: &queue::Claim, stage: &'static str, report: Value) {
        let claim = claim.clone();
        let noted = self.write(move |connection| {
            queue::note_progress(connection, &claim, stage, &report.to_string())
        });
        assert!(noted);
        self.app.changed.notify_waiters();
    }

    /// A worker finishes a job with this report.
    pub(crate) fn finishes(&self, claim: &queue::Claim, report: &Value) {
        let (claim, record) = (claim.clone(), record(report));
        assert!(self.write(move |connection| queue::finish(connection, &claim, &record)));
        self.app.changed.notify_waiters();
    }

    /// A worker grades the next job at once.
    pub(crate) fn grades(&self, report: &Value) {
        let claim = self.claims(None);
        self.finishes(&claim, report);
    }

    /// Replaces the rules.
    pub(crate) fn rules(&self, text: &str) {
        let text = text.to_owned();
        self.write(move |connection| {
            let sql = "insert into rules (text, at) values ($1, 0)";
            connection.execute(sql, &[(&text).into()])
        });
    }
}
