//! `--format prairielearn`: `PrairieLearn`'s `results.json`.
//!
//! If no test is valid, the submission is not gradable, which costs the student no attempt.

use super::{Graded, PlatformKind, Submission, total};
use serde::Serialize;

pub(in crate::report) const KIND: PlatformKind = PlatformKind { document, failed, submission };

#[derive(Serialize)]
#[serde(untagged)]
enum Results {
    Graded { gradable: bool, score: f64, tests: Vec<Test> },
    Ungradable { gradable: bool, format_errors: Vec<String> },
}

#[derive(Serialize)]
struct Test {
    name: String,
    points: f64,
    max_points: f64,
    message: String,
    output: String,
}

fn document(graded: &[Graded]) -> serde_json::Result<String> {
    let results = if graded.iter().all(|graded| graded.valid == 0) {
        let errors = graded
            .iter()
            .flat_map(|graded| &graded.rejected)
            .map(|(file, why)| format!("{file}: {why}"));
        Results::Ungradable {
            gradable: false,
            format_errors: [vec!["there is no valid test".to_owned()], errors.collect()].concat(),
        }
    } else {
        let (points, max_points) =
            (total(graded, |graded| graded.points), total(graded, |graded| graded.max_points));
        // With fewer digits, 6.8 of 10 points would be shown as 67 percent.
        let share = |share: f64| (share.clamp(0.0, 1.0) * 1e6).round() / 1e6;
        let score = if max_points > 0.0 { share(points / max_points) } else { 0.0 };
        Results::Graded { gradable: true, score, tests: graded.iter().flat_map(tests).collect() }
    };
    serde_json::to_string_pretty(&results)
}

/// The messages first, and then a test for each part. A submission that is not graded costs the student no attempt.
fn submission(submission: &Submission) -> serde_json::Result<String> {
    if !submission.is_graded {
        return failed(&submission.messages);
    }
    let messages = Test {
        name: "Messages".to_owned(),
        points: 0.0,
        max_points: 0.0,
        message: submission.messages.clone(),
        output: String::new(),
    };
    let parts = submission.parts.iter().map(|part| Test {
        name: part.name.clone(),
        points: part.earned,
        max_points: part.max,
        message: String::new(),
        output: part.output.clone(),
    });
    let share = if submission.max > 0.0 { submission.earned / submission.max } else { 0.0 };
    let has_messages = !submission.messages.is_empty();
    let results = Results::Graded {
        gradable: true,
        score: (share.clamp(0.0, 1.0) * 1e6).round() / 1e6,
        tests: Some(messages).filter(|_| has_messages).into_iter().chain(parts).collect(),
    };
    serde_json::to_string_pretty(&results)
}

/// It costs the student no attempt.
fn failed(why: &str) -> serde_json::Result<String> {
    let results = Results::Ungradable { gradable: false, format_errors: vec![why.to_owned()] };
    serde_json::to_string_pretty(&results)
}

/// A test with the points, then one for each rejected file. That has a maximum of 0 points, which is shown as neither right nor wrong.
///
/// Every test has points, because a test without them would hide those of the others.
fn tests(graded: &Graded) -> Vec<Test> {
    let points = Test {
        name: format!("{}: {}s exposed", graded.title, graded.scored),
        points: graded.points,
        max_points: graded.max_points,
        message: graded.earned(),
        output: graded.text(),
    };
    let rejected = graded.rejected.iter().map(|(file, why)| Test {
        name: format!("{file}: rejected"),
        points: 0.0,
        max_points: 0.0,
        message: why.clone(),
        output: String::new(),
    });
    std::iter::once(points).chain(rejected).collect()
}
