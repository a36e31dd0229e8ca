//! Keeps a claim while its job is graded: renews it, and notes how far the job is. It goes on trying while the database is away; whether
//! another worker has the job then, only the database knows.

use super::BEAT;
use super::patience::Pauses;
use crate::app::App;
use crate::database::Result;
use crate::queue::{self, Claim};
use harness::grading::Stage;
use harness::result::graded::SubmissionReport;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The least time between two notes, so that a fast job does not keep the database busy.
const BETWEEN: Duration = Duration::from_millis(250);

/// The last that is known of a job: the stage, and the report in JSON.
type Known = Option<(String, String)>;

/// Keeps a claim until it is dropped.
pub(super) struct Keeper {
    pub(super) notes: Notes,
    pub(super) lease: Lease,
}

/// Where is noted how far a job is.
pub(super) struct Notes(watch::Sender<Known>);

/// The task that renews the claim.
pub(super) struct Lease(JoinHandle<()>);

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Keeper {
    pub(super) fn new(app: &App, claim: &Claim) -> Self {
        let (known, news) = watch::channel(None);
        let task = tokio::spawn(keep(app.clone(), claim.clone(), news));
        Self { notes: Notes(known), lease: Lease(task) }
    }
}

impl Notes {
    /// Notes how far the job is. If more is known before it reached the database, only that does.
    pub(super) fn note(&self, stage: Stage, report: &SubmissionReport) {
        let stage = serde_json::to_value(stage).ok();
        let stage = stage.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
        let report = serde_json::to_string(report).unwrap_or_default();
        self.0.send_replace(Some((stage, report)));
    }
}

impl Lease {
    /// Waits until the claim is lost.
    pub(super) async fn lost(&mut self) {
        let _ = (&mut self.0).await;
    }
}

/// Returns when the claim is lost.
async fn keep(app: App, claim: Claim, mut news: watch::Receiver<Known>) {
    let mut next = Instant::now() + BEAT;
    let mut pauses = Pauses::new();
    let mut unsaid = false;
    loop {
        let mut is_new = unsaid;
        if !unsaid {
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                // Without a sender, this task ends soon.
                _ = news.changed() => is_new = true,
            }
        }
        let known = news.borrow_and_update().clone().filter(|_| is_new);
        let tells = known.is_some();
        match say(&app, &claim, known).await {
            Ok(true) => {
                if tells {
                    app.changed.notify_waiters();
                }
                (unsaid, pauses, next) = (false, Pauses::new(), Instant::now() + BEAT);
                tokio::time::sleep(BETWEEN).await;
            }
            Ok(false) => return,
            Err(fault) => {
                tracing::warn!(job = claim.job, %fault, "the claim cannot be renewed");
                unsaid = true;
                pauses.wait().await;
            }
        }
    }
}

/// Renews the claim, with what is known. False if it is lost.
async fn say(app: &App, claim: &Claim, known: Known) -> Result<bool> {
    let claim = claim.clone();
    let said = app.database.write(move |connection| match &known {
        Some((stage, report)) => queue::note_progress(connection, &claim, stage, report),
        None => queue::renew(connection, &claim),
    });
    said.await
}
