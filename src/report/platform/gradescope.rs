//! `--format gradescope`: Gradescope's `results.json`.

use super::{Graded, PlatformKind, Submission, total};
use crate::course::Level;
use serde::Serialize;

pub(in crate::report) const KIND: PlatformKind = PlatformKind { document, failed, submission };

#[derive(Serialize)]
struct Results {
    score: f64,
    output: String,
    #[serde(flatten)]
    formats: Formats,
    tests: Vec<Test>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leaderboard: Vec<Rank>,
}

/// How Gradescope shows texts. What a student's program wrote is never markup.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "Gradescope names them")]
struct Formats {
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
}

const PLAIN: Formats =
    Formats { output_format: "text", test_output_format: "text", test_name_format: "text" };

#[derive(Serialize)]
struct Rank {
    name: &'static str,
    value: f64,
    order: &'static str,
}

#[derive(Serialize)]
struct Test {
    name: String,
    number: String,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
    visibility: &'static str,
}

fn document(graded: &[Graded]) -> serde_json::Result<String> {
    let tests = graded.iter().zip(1..).flat_map(|(graded, number)| tests(graded, number)).collect();
    let output = graded
        .iter()
        .map(|graded| format!("{}\n{}", graded.title, graded.summary.join("\n")))
        .collect::<Vec<_>>();
    let results = Results {
        score: total(graded, |graded| graded.points),
        output: output.join("\n\n"),
        formats: PLAIN,
        tests,
        leaderboard: Vec::new(),
    };
    serde_json::to_string_pretty(&results)
}

/// No points and no tests: Gradescope needs a score.
fn failed(why: &str) -> serde_json::Result<String> {
    let results = Results {
        score: 0.0,
        output: why.to_owned(),
        formats: PLAIN,
        tests: Vec::new(),
        leaderboard: Vec::new(),
    };
    serde_json::to_string_pretty(&results)
}

/// The messages first, and then a test for each part.
fn submission(submission: &Submission) -> serde_json::Result<String> {
    let tests = submission.parts.iter().zip(1..).map(|(part, number)| Test {
        name: part.name.clone(),
        number: number.to_string(),
        output: part.output.clone(),
        status: Some(if part.is_full() { "passed" } else { "failed" }),
        score: Some(part.earned),
        max_score: Some(part.max),
        visibility: "visible",
    });
    let rank = |&(name, value): &(&'static str, f64)| Rank { name, value, order: "asc" };
    let results = Results {
        score: submission.earned,
        output: submission.messages.clone(),
        formats: PLAIN,
        tests: tests.collect(),
        leaderboard: submission.leaderboard.iter().map(rank).collect(),
    };
    serde_json::to_string_pretty(&results)
}

/// A test with the points, then one for each rejected file, and one for each bug that the reader may see.
///
/// A hidden test also hides the total from students. This keeps the score from a reader who may not see it.
fn tests(graded: &Graded, number: usize) -> Vec<Test> {
    let visibility = if graded.level < Level::Count { "hidden" } else { "visible" };
    let points = Test {
        name: format!("{}: {}s exposed", graded.title, graded.scored),
        number: number.to_string(),
        output: graded.summary.join("\n"),
        status: Some(if graded.full { "passed" } else { "failed" }),
        score: Some(graded.points),
        max_score: Some(graded.max_points),
        visibility,
    };
    let told = |status, entries: &[(String, String)]| -> Vec<(&'static str, String, String)> {
        entries.iter().map(|(name, text)| (status, name.clone(), text.clone())).collect()
    };
    let parts = [
        told("failed", &graded.rejected),
        told("passed", &graded.exposed),
        told("failed", &graded.missed),
    ];
    let parts = parts.into_iter().flatten().zip(1..).map(|((status, name, output), part)| Test {
        name,
        number: format!("{number}.{part}"),
        output,
        status: Some(status),
        score: None,
        max_score: None,
        visibility: "visible",
    });
    std::iter::once(points).chain(parts).collect()
}
