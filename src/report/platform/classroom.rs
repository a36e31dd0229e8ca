//! `--format github-classroom`: the `result` of a step, as GitHub Classroom's reporter decodes it.
//!
//! The reporter fails the build unless the result and all its tests passed. Only missing points make a test fail here.

use super::{Graded, total};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

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
pub(super) fn document(graded: &[Graded]) -> serde_json::Result<String> {
    let results = Results {
        version: 1,
        status: status(graded.iter().all(|graded| graded.full)),
        max_score: total(graded, |graded| graded.max_points),
        tests: graded.iter().map(test).collect(),
    };
    Ok(BASE64_STANDARD.encode(serde_json::to_vec(&results)?))
}

fn test(graded: &Graded) -> Test {
    let rejected = graded.rejected.iter().map(|(file, why)| format!("rejected: {file}: {why}"));
    Test {
        name: format!("{}: {}s exposed", graded.title, graded.noun),
        status: status(graded.full),
        message: [vec![graded.earned(), graded.text()], rejected.collect()].concat().join("\n"),
        test_code: String::new(),
        filename: String::new(),
        line_no: 0,
        execution_time: 0,
        score: graded.points,
    }
}

fn status(full: bool) -> &'static str {
    if full { "pass" } else { "fail" }
}
