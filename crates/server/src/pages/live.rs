//! Pages that change while somebody looks at them. Their events bring the part that changes, whenever it did. The database is looked at
//! once a second at most, and what is looked at is small; the part is made only when that changed. Without scripts, a page loads itself
//! again.

use super::Frame;
use crate::app::App;
use crate::web::{Answer, Held, Refusal, Visitor};
use askama::Template;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse};
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

/// The part of a page that changes.
pub(super) struct Part {
    pub(super) html: String,
    /// Whether it does not change by itself any more.
    pub(super) is_over: bool,
}

impl Part {
    /// # Panics
    /// Never: the templates are compiled, and writing to memory does not fail.
    pub(super) fn of(template: &impl Template, is_over: bool) -> Self {
        Self { html: template.render().expect("a template writes to memory"), is_over }
    }
}

/// A page that changes while somebody looks at it.
pub(super) trait Live: Send + Sync + 'static {
    /// What is looked at again and again. It is another one whenever the part is.
    type Stamp: PartialEq + Send + Sync;

    fn stamp(&self) -> impl Future<Output = Result<Self::Stamp, Refusal>> + Send;

    fn part(&self) -> impl Future<Output = Result<Part, Refusal>> + Send;
}

/// A page of which everything changes.
#[derive(Template)]
#[template(path = "live_page.html")]
struct Page {
    frame: Frame,
    /// The address of its events.
    events: String,
    part: Part,
}

/// A page of which everything changes, with the address of its events.
pub(super) fn page(frame: Frame, events: String, part: Part) -> Html<String> {
    super::page(&Page { frame, events, part })
}

/// Follows a page for one visitor.
struct Watch<L: Live> {
    app: App,
    live: L,
    last: Option<L::Stamp>,
    sent: String,
    looked: Instant,
    begun: Instant,
    is_over: bool,
    _held: Held,
}

/// The events of a page.
pub(super) fn events(app: App, visitor: &Visitor, live: impl Live) -> Answer {
    let held = app.live_pages.hold(visitor.person().id).ok_or(Refusal::TooMany(10))?;
    let begun = Instant::now();
    let watch = Watch {
        app,
        live,
        last: None,
        sent: String::new(),
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

impl<L: Live> Watch<L> {
    /// The next event. None at the end.
    async fn next(&mut self) -> Option<Event> {
        while !self.is_over && self.begun.elapsed() < LONGEST {
            if self.last.is_some() {
                // It is no matter whether the wait was cut short: the database says what is true.
                let _ = timeout(PATIENCE, self.app.changed.notified()).await;
                self.pause().await;
            }
            self.looked = Instant::now();
            // A database that is away comes back.
            let Ok(stamp) = self.live.stamp().await else {
                self.pause().await;
                continue;
            };
            if self.last.as_ref() == Some(&stamp) {
                continue;
            }
            let Ok(part) = self.live.part().await else {
                self.pause().await;
                continue;
            };
            self.last = Some(stamp);
            self.is_over = part.is_over;
            if self.sent == part.html && !part.is_over {
                continue;
            }
            let data = json!({ "html": part.html, "isOver": part.is_over }).to_string();
            self.sent = part.html;
            return Some(Event::default().event("section").data(data));
        }
        None
    }

    /// Waits until a second has passed since the last look.
    async fn pause(&self) {
        sleep_until(self.looked + PAUSE).await;
    }
}
