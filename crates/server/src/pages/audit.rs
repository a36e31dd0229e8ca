//! The log of what was done, for staff.

use super::{Frame, page};
use crate::app::App;
use crate::audit::{self, Filter};
use crate::people::Role;
use crate::rules::Moment;
use crate::web::{Answer, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Query, State};
use axum::http::Method;
use axum::response::IntoResponse;
use serde::Deserialize;

/// How many rows a page has.
const ROWS: i64 = 50;

pub(super) fn routes() -> Vec<Route> {
    vec![at_least(Role::Staff, Method::GET, "/audit", log)]
}

#[derive(Template)]
#[template(path = "audit.html")]
struct Log {
    frame: Frame,
    rows: Vec<Shown>,
    filter: Filter,
    /// The row that the next page begins after.
    older: Option<i64>,
}

struct Shown {
    row: audit::Noted,
    at: String,
}

impl Shown {
    /// What it was before and is now, if the row tells.
    fn change(&self) -> Option<(&str, &str)> {
        let (before, after) = (self.row.before.as_str(), self.row.after.as_str());
        (before != "null" || after != "null").then_some((before, after))
    }
}

/// As it is sent. What is no number begins at the newest row.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    person: String,
    action: String,
    before: String,
}

async fn log(State(app): State<App>, visitor: Visitor, Query(asked): Query<Asked>) -> Answer {
    let filter = Filter {
        login: asked.person.trim().to_owned(),
        action: asked.action.trim().to_owned(),
        before: asked.before.parse().ok(),
    };
    let wanted = filter.clone();
    let read = app.database.read(move |connection| audit::list(connection, &wanted, ROWS + 1));
    let mut rows = read.await?;
    let is_more = rows.len() > usize::try_from(ROWS).unwrap_or(usize::MAX);
    if is_more {
        rows.pop();
    }
    let older = rows.last().filter(|_| is_more).map(|row| row.id);
    let zone = app.rules().await?.time_zone.clone();
    let rows = rows.into_iter().map(|row| Shown { at: zone.shown(Moment(row.at)), row });
    let rows = rows.collect();
    let frame = Frame::new("Log", &super::course(&app).await?, &visitor);
    Ok(page(&Log { frame, rows, filter, older }).into_response())
}
