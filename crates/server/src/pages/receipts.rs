//! Receipts: that of a submission, the keys that sign, and the chain with its head, which anybody may look at: they tell nothing about
//! students.

use super::gradebook::download;
use crate::app::App;
use crate::database::{Connection, Result};
use crate::feedback::{Glance, Reader};
use crate::people::{Person, Role};
use crate::receipts::{self, key};
use crate::rules::{Moment, Rules};
use crate::submissions::Submission;
use crate::web::{Access, Answer, Refusal, Route, Visitor, public, route};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{Method, header};
use axum::response::IntoResponse;
use harness::diagnostic::Problem;
use harness::result::receipt::Receipt;
use serde::Deserialize;
use std::fmt::Write;

/// How many receipts of the chain one answer names.
const MOST: i64 = 10_000;

pub(super) fn routes() -> Vec<Route> {
    let get = Method::GET;
    vec![
        public(get.clone(), "/receipts/key", keys),
        public(get.clone(), "/receipts/head", head),
        public(get.clone(), "/receipts/chain", chain),
        route(get, "/submissions/{submission}/receipt", Access::Submission, of_submission)
            .with_token(),
    ]
}

/// The public keys, as a file that `harness verify --key` and openssl read.
async fn keys(State(app): State<App>) -> Answer {
    let mut all = app.database.read(key::all).await?;
    if all.is_empty() {
        app.database.write(|connection| key::current(connection).map(|_| ())).await?;
        all = app.database.read(key::all).await?;
    }
    let mut text = String::new();
    for (key, since) in all {
        let _ = writeln!(text, "Signs since {}:\n{}", Moment(since).rfc3339(), key.pem());
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

async fn head(State(app): State<App>) -> Answer {
    Ok(Json(app.database.read(receipts::head).await?).into_response())
}

#[derive(Debug, Deserialize)]
struct From {
    /// The number of the last receipt that whoever asks knows.
    #[serde(default)]
    after: i64,
}

/// A line for each receipt, with its number and the digest of what is signed.
async fn chain(State(app): State<App>, Query(from): Query<From>) -> Answer {
    let links = app.database.read(move |connection| receipts::chain(connection, from.after, MOST));
    let line = |(number, content)| format!("{number} {content}\n");
    let text: String = links.await?.into_iter().map(line).collect();
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

#[derive(Debug, Deserialize)]
struct Asked {
    /// Another result than the one that stands.
    result: Option<i64>,
}

/// What there is for whoever asks for a receipt.
enum Found {
    Receipt(Box<Receipt>),
    /// Points are shown from then on.
    Withheld(Moment),
    None,
}

async fn of_submission(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Answer {
    let rules = app.rules().await?;
    let (submission, of) = (visitor.submission().clone(), rules.clone());
    let (student, is_staff) = (visitor.student().clone(), visitor.is(Role::Grader));
    let id = submission.id;
    let found = app.database.read(move |connection| {
        find(connection, &of, (&submission, &student), asked.result, is_staff)
    });
    let wrong = |text: String, hint: &str| Err(Refusal::Wrong(Problem::new(text).hint(hint)));
    let receipt = match found.await? {
        Found::Receipt(receipt) => receipt,
        Found::Withheld(until) => {
            let text = format!("there is a receipt from {} on", rules.time_zone.shown(until));
            return wrong(text, "it says the points, which are not shown yet");
        }
        Found::None => {
            let hint = "a result gets one when it is made, since the server makes receipts";
            return wrong("there is no receipt".to_owned(), hint);
        }
    };
    let json = serde_json::to_string_pretty(&receipt).unwrap_or_default() + "\n";
    Ok(download("application/json", &format!("receipt-{id}.json"), json))
}

/// The receipt of a result of a submission. A student gets that of a result that stands or stood, when they may see its points.
fn find(
    connection: &mut Connection<'_>,
    rules: &Rules,
    (submission, student): (&Submission, &Person),
    wanted: Option<i64>,
    is_staff: bool,
) -> Result<Found> {
    let glance = Glance::of(connection, submission.id)?;
    let result = match wanted {
        Some(job) => glance.results.iter().find(|it| it.job == job),
        None => glance.standing(),
    };
    let Some(result) = result.filter(|it| is_staff || it.applied.is_some()) else {
        return Ok(Found::None);
    };
    let reader = Reader::of_student(connection, rules, student, submission)?;
    if let Some(until) = reader.withheld_until.filter(|_| !is_staff) {
        return Ok(Found::Withheld(until));
    }
    let receipt = receipts::of(connection, result.job)?;
    Ok(receipt.map_or(Found::None, |receipt| Found::Receipt(Box::new(receipt))))
}
