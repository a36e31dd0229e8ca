//! `--format github-classroom`: the `result` of a step, as GitHub Classroom's reporter decodes it.
//!
//! The reporter fails the build unless the result and all its tests passed. Only missing points make a test fail here.

use super::{Graded, PlatformKind, Submission, total};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

pub(in crate::report) const KIND: PlatformKind = PlatformKind { document, failed, submission };

#[derive(Serialize)]
struct Results {
    version: u32,
    status: &'static str,
    max_score: f64,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    status: &'static str,
    message: String,
    test_code: String,
    filename: String,
    line_no: u32,
    execution_time: u32,
    score: f64,
}

/// One line of base64.
fn document(graded: &[Graded]) -> serde_json::Result<String> {
    let results = Results {
        version: 1,
        status: status(graded.iter().all(|graded| graded.full)),
        max_score: total(graded, |graded| graded.max_points),
        tests: graded.iter().map(test).collect(),
    };
    Ok(BASE64_STANDARD.encode(serde_json::to_vec(&results)?))
}

/// A test for each part, and one for the messages if there are any.
fn submission(submission: &Submission) -> serde_json::Result<String> {
    let full = submission.is_graded && submission.earned >= submission.max;
    let messages = (!submission.messages.is_empty()).then(|| {
        let text = submission.messages.clone();
        Test { status: status(submission.is_graded), ..Test::new("Messages".to_owned(), text, 0.0) }
    });
    let parts = submission.parts.iter().map(|part| Test {
        status: status(part.is_full()),
        ..Test::new(part.name.clone(), part.output.clone(), part.earned)
    });
    let results = Results {
        version: 1,
        status: status(full),
        max_score: submission.max.max(1.0),
        tests: messages.into_iter().chain(parts).collect(),
    };
    Ok(BASE64_STANDARD.encode(serde_json::to_vec(&results)?))
}

fn failed(why: &str) -> serde_json::Result<String> {
    let test = Test { status: "error", ..Test::new("Not graded".to_owned(), why.to_owned(), 0.0) };
    // The reporter shows nothing unless some points can be earned.
    let results = Results { version: 1, status: "error", max_score: 1.0, tests: vec![test] };
    Ok(BASE64_STANDARD.encode(serde_json::to_vec(&results)?))
}

fn test(graded: &Graded) -> Test {
    let rejected = graded.rejected.iter().map(|(file, why)| format!("rejected: {file}: {why}"));
    let name = format!("{}: {}s exposed", graded.title, graded.scored);
    let message = [vec![graded.earned(), graded.text()], rejected.collect()].concat().join("\n");
    Test { status: status(graded.full), ..Test::new(name, message, graded.points) }
}

impl Test {
    fn new(name: String, message: String, score: f64) -> Self {
        Self {
            name,
            status: status(false),
            message,
            test_code: String::new(),
            filename: String::new(),
            line_no: 0,
            execution_time: 0,
            score,
        }
    }
}

fn status(full: bool) -> &'static str {
    if full { "pass" } else { "fail" }
}
