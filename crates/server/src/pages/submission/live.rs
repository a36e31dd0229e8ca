//! The events of a page that waits: the part of the page that changes, whenever it did. The database is looked at once a second at most, and
//! what is looked at is small; the report is read only when something changed.

use super::{Asked, Now};
use crate::app::App;
use crate::feedback::Glance;
use crate::web::{Answer, Held, Refusal, Visitor};
use axum::extract::{Query, State};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use serde_json::json;
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// How often the database is looked at.
const PAUSE: Duration = Duration::from_secs(1);

/// How long nobody has to say that something changed.
const PATIENCE: Duration = Duration::from_secs(2);

/// After this, the browser asks again, and so is checked again.
const LONGEST: Duration = Duration::from_mins(10);

/// A page that waits.
struct Watch {
    app: App,
    visitor: Visitor,
    asked: Asked,
    /// What was sent last.
    last: Option<Glance>,
    looked: Instant,
    begun: Instant,
    is_over: bool,
    _held: Held,
}

pub(super) async fn events(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Answer {
    let held = app.live_pages.hold(visitor.person().id).ok_or(Refusal::TooMany(10))?;
    let begun = Instant::now();
    let watch = Watch {
        app,
        visitor,
        asked,
        last: None,
        looked: begun,
        begun,
        is_over: false,
        _held: held,
    };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok::<_, Infallible>(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

impl Watch {
    /// The next event. None at the end.
    async fn next(&mut self) -> Option<Event> {
        while !self.is_over && self.begun.elapsed() < LONGEST {
            if self.last.is_some() {
                self.wait().await;
            }
            self.looked = Instant::now();
            let id = self.visitor.submission().id;
            let glance = self.app.database.read(move |connection| Glance::of(connection, id)).await;
            // A database that is away comes back.
            let Ok(glance) = glance else {
                self.pause().await;
                continue;
            };
            if self.last.as_ref() == Some(&glance) {
                continue;
            }
            let is_open = glance.is_open();
            let Ok(html) = self.html().await else {
                self.pause().await;
                continue;
            };
            self.last = Some(glance);
            self.is_over = !is_open;
            let data = json!({ "html": html, "isOver": self.is_over }).to_string();
            return Some(Event::default().event("section").data(data));
        }
        None
    }

    async fn html(&self) -> Result<String, Refusal> {
        // A refund or a new choice of what counts may have come meanwhile.
        let mut visitor = self.visitor.clone();
        let id = visitor.submission().id;
        let found = self
            .app
            .database
            .read(move |connection| crate::submissions::Submission::find(connection, id));
        visitor.submission = Some(found.await?.ok_or(Refusal::NotFound)?);
        Now::of(&self.app, &visitor, &self.asked).await?.live().await
    }

    /// Waits until something may have changed, and a second has passed.
    async fn wait(&self) {
        // It is no matter whether the wait was cut short: the database says what is true.
        let _ = timeout(PATIENCE, self.app.changed.notified()).await;
        sleep_until(self.looked + PAUSE).await;
    }

    async fn pause(&self) {
        sleep_until(self.looked + PAUSE).await;
    }
}
