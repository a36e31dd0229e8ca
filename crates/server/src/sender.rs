//! Sends grades to learning platforms: the scores that `passback` lets wait. Each server has one sender, and they share the work.

mod platform;

use crate::app::App;
use crate::database::Result;
use crate::passback::claims;
use crate::passback::line_items::{self, Making};
use crate::passback::{Claim, compared};
use crate::rules::Rules;
use crate::secret;
use crate::worker::Stop;
use platform::Platform;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// How often it looks for something to send, if nobody tells it that something changed.
const LOOK: Duration = Duration::from_secs(2);

/// How often it gives a sign, while it sends.
const SIGN: Duration = Duration::from_secs(1);

/// How often it compares at most, however often something changes.
const COMPARE: Duration = Duration::from_secs(1);

/// How many requests of this server are under way at the same time, to all platforms together.
const MOST_UNDER_WAY: usize = 16;

/// How long the last requests may take when somebody asks for the end. What is not noted then is sent again, as the same score.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// Sends until somebody asks for the end.
pub async fn run(app: App, stop: Stop) {
    let held = Arc::default();
    let sender = Sender { platform: Platform::new(), name: secret::random(), held, app };
    let mut under_way = JoinSet::new();
    tokio::select! {
        () = sender.send(&mut under_way) => {}
        () = sender.give_signs() => {}
        () = stop.asked() => {}
    }
    tokio::select! {
        () = async { while under_way.join_next().await.is_some() {} } => {}
        () = stop.is_over(LAST_REQUESTS) => {}
    }
}

#[derive(Clone)]
struct Sender {
    app: App,
    platform: Platform,
    /// By this name, its claims are found.
    name: String,
    /// How many it holds.
    held: Arc<AtomicUsize>,
}

impl Sender {
    /// Begins requests, as long as there is something to send.
    async fn send(&self, under_way: &mut JoinSet<()>) {
        let mut compared = None::<Instant>;
        loop {
            let is_due = compared.is_none_or(|last| last.elapsed() >= COMPARE);
            if is_due {
                compared = Some(Instant::now());
            }
            if let Err(fault) = self.begin(under_way, is_due).await {
                tracing::warn!(%fault, "no grades are sent for now");
            }
            tokio::select! {
                Some(_) = under_way.join_next() => {}
                () = sleep(LOOK) => {}
                () = self.changed() => {}
            }
        }
    }

    /// Something may have changed. While a class hands in, that is so all the time.
    async fn changed(&self) {
        self.app.changed.notified().await;
        sleep(COMPARE / 2).await;
    }

    /// Renews its claims, also while it waits for the database.
    async fn give_signs(&self) {
        loop {
            sleep(SIGN).await;
            if self.held.load(Ordering::Relaxed) == 0 {
                continue;
            }
            let name = self.name.clone();
            let renewed = self.app.database.write(move |it| claims::renew(it, &name));
            if let Err(fault) = renewed.await {
                tracing::warn!(%fault, "what is on its way may be sent again");
            }
        }
    }

    async fn begin(&self, under_way: &mut JoinSet<()>, is_due: bool) -> Result<()> {
        let (number, rules) = self.app.rules_in_force().await?;
        if is_due {
            self.compare(number, &rules).await?;
            self.make_columns(number, under_way).await?;
        }
        let database = &self.app.database;
        for platform in database.read(move |it| claims::platforms(it, number)).await? {
            let room = MOST_UNDER_WAY.saturating_sub(under_way.len()) as i64;
            if room == 0 {
                break;
            }
            let name = self.name.clone();
            let claimed = database
                .write(move |connection| claims::claim(connection, &name, number, &platform, room));
            for claim in claimed.await? {
                let this = self.clone();
                this.held.fetch_add(1, Ordering::Relaxed);
                under_way.spawn(async move {
                    this.deliver(claim).await;
                    this.held.fetch_sub(1, Ordering::Relaxed);
                });
            }
        }
        Ok(())
    }

    async fn compare(&self, number: i64, rules: &Arc<Rules>) -> Result<()> {
        let database = &self.app.database;
        let of = |rules: &Arc<Rules>| (number, rules.clone());
        let (number, rules_) = of(rules);
        let due = database.read(move |connection| {
            compared::due(connection, compared::InForce { number, rules: &rules_ })
        });
        for assignment in due.await? {
            let (number, rules) = of(rules);
            let done = database.write(move |connection| {
                let in_force = compared::InForce { number, rules: &rules };
                compared::compare(connection, in_force, &assignment)
            });
            done.await?;
        }
        Ok(())
    }

    /// Begins to make the columns that are to be made.
    async fn make_columns(&self, number: i64, under_way: &mut JoinSet<()>) -> Result<()> {
        let database = &self.app.database;
        if !database.read(move |connection| line_items::are_to_make(connection, number)).await? {
            return Ok(());
        }
        let claimed = database.write(move |connection| line_items::claim(connection, number));
        if let Some(making) = claimed.await? {
            let this = self.clone();
            under_way.spawn(async move { this.make(making).await });
        }
        Ok(())
    }

    /// Makes a column, and notes what became of it.
    async fn make(&self, making: Making) {
        let made = self.platform.line_item(&self.app, &making).await;
        let noted = self.app.database.write(move |connection| match &made {
            Ok(address) => line_items::made(connection, &making, address).map(|_| ()),
            Err(outcome) => line_items::failed(connection, &making, outcome),
        });
        if let Err(fault) = noted.await {
            tracing::warn!(%fault, "a column of a gradebook is looked for again");
        }
    }

    /// Sends a score, and notes what became of it.
    async fn deliver(&self, claim: Claim) {
        let outcome = self.platform.score(&self.app, &claim).await;
        self.app.metrics.count_grade(outcome.word());
        let status = outcome.why().map_or(200, |why| why.status);
        tracing::info!(grade = claim.id, outcome = outcome.word(), status, "a grade was sent");
        let id = claim.id;
        let noted =
            self.app.database.write(move |connection| claims::finish(connection, &claim, &outcome));
        match noted.await {
            Ok(true) => {}
            Ok(false) => tracing::info!(grade = id, "another server sends this grade"),
            Err(fault) => tracing::warn!(grade = id, %fault, "a grade may be sent again"),
        }
    }
}
