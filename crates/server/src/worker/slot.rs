//! One worker: claims a job, has it graded, and finishes it; again and again.

use super::beacon::Beacon;
use super::grader::Trouble;
use super::graders::{Graders, Prepared};
use super::keeper::{Keeper, Notes};
use super::miner::Miner;
use super::patience::{self, Pauses};
use super::scratch::{Archive, Scratch};
use super::stop::{Phase, Stop};
use super::{BEAT, LOOK, Options};
use crate::app::App;
use crate::courses;
use crate::database::{Connection, Fault, Result};
use crate::queue::{self, Claim};
use crate::secret;
use crate::system;
use harness::grading::jobs::Job;
use harness::result::record::Record;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How often the worker looks which version of the course is in force.
const LOOK_AT_COURSE: Duration = BEAT;

/// How long a worker that ends tries to give its job back.
const LAST: Duration = Duration::from_secs(2);

/// One worker.
pub(super) struct Slot {
    app: App,
    options: Options,
    stop: Stop,
    scratch: Arc<Scratch>,
    name: String,
    beacon: Beacon,
    graders: Graders,
    /// When it last looked which version is in force.
    looked: Option<Instant>,
    /// What keeps it from preparing the course.
    problem: Option<String>,
}

/// How a job ended.
enum Outcome {
    Graded(Box<Record>),
    Failed(String),
    /// Another worker has it now.
    Lost,
    /// The worker must end.
    GivenBack,
}

impl Slot {
    pub(super) fn new(
        app: &App,
        options: &Options,
        stop: &Stop,
        scratch: &Arc<Scratch>,
        number: usize,
    ) -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let name = format!("{}/{}/{number}", host.trim(), std::process::id());
        let (program, stays) = (options.program.clone(), !options.until_empty);
        let mines = move || stays && program.mines();
        Self {
            app: app.clone(),
            options: options.clone(),
            stop: stop.clone(),
            scratch: scratch.clone(),
            beacon: Beacon::new(&app.database, &name, mines),
            graders: Graders::new(app, options),
            name,
            looked: None,
            problem: None,
        }
    }

    /// Works until it is asked to end, or nothing is left to do.
    pub(super) async fn run(mut self) {
        let mut pauses = Pauses::new();
        while self.stop.phase() == Phase::Working {
            match self.claim().await {
                Ok(Next::Job(claim)) => {
                    pauses = Pauses::new();
                    self.beacon.says("grading");
                    self.work(&claim).await;
                }
                Ok(Next::Nothing { is_empty: true }) if self.options.until_empty => break,
                Ok(Next::Nothing { .. }) => {
                    pauses = Pauses::new();
                    if !self.mined().await {
                        self.wait().await;
                    }
                }
                Err(fault) => {
                    tracing::warn!(%fault, "the worker waits");
                    self.beacon.says(&fault.to_string());
                    tokio::select! {
                        () = pauses.wait() => {}
                        () = self.stop.asked() => {}
                    }
                }
            }
        }
        self.graders.end().await;
        self.beacon.ends().await;
    }

    async fn claim(&self) -> Result<Next> {
        // Looking does not hold up whoever writes.
        let open = self.app.database.read(queue::waiting).await?;
        if !open.now {
            return Ok(Next::Nothing { is_empty: !open.later });
        }
        let name = self.name.clone();
        let claim = self.app.database.write(move |connection| queue::claim(connection, &name));
        // Another worker may have been faster.
        Ok(claim.await?.map_or(Next::Nothing { is_empty: false }, |it| Next::Job(Box::new(it))))
    }

    /// Mines, if that is wanted and the worker would only wait. False if it is not.
    async fn mined(&self) -> bool {
        let is_ready = self.problem.is_none() && self.looked.is_some() && self.graders.are_ready();
        if self.options.until_empty || !is_ready || !self.options.program.mines() {
            return false;
        }
        let Self { app, options, stop, scratch, name, .. } = self;
        let miner = Miner { app, options, stop, scratch, name };
        let Some(claim) = miner.claim().await else { return false };
        self.beacon.says("mining");
        miner.work(&claim).await;
        true
    }

    /// Waits for a job, and prepares the course meanwhile.
    async fn wait(&mut self) {
        if self.looked.is_none_or(|looked| looked.elapsed() >= LOOK_AT_COURSE) {
            self.looked = Some(Instant::now());
            self.problem = self.prepare().await.err();
        }
        let state = match &self.problem {
            Some(problem) => problem,
            None if self.graders.are_ready() => "waiting",
            None => "starting",
        };
        self.beacon.says(state);
        tokio::select! {
            () = self.app.changed.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
            () = self.stop.asked() => {}
            prepared = self.graders.prepared() => match prepared {
                // The next assignment, if there is one.
                Ok(()) => self.looked = None,
                Err(trouble) => self.note(&trouble),
            }
        }
    }

    /// Sees to it that the assignments of the version in force are prepared.
    async fn prepare(&mut self) -> std::result::Result<(), String> {
        if self.options.until_empty {
            // Such a worker prepares what its jobs need.
            return Ok(());
        }
        let (database, versions) = (&self.app.database, &self.app.courses);
        let Some(digest) = database.read(courses::in_force).await.map_err(|it| it.to_string())?
        else {
            return Err("there is no course yet".to_owned());
        };
        self.graders.end_old(&digest).await;
        let version = versions.version(database, &digest).await.map_err(|it| it.to_string())?;
        let begun = self.graders.begin_next(&version).await;
        begun.map_err(|trouble| trouble.to_string())
    }

    fn note(&mut self, trouble: &Trouble) {
        tracing::error!(%trouble, worker = self.name, "the course cannot be prepared");
        self.problem = Some(trouble.to_string());
    }

    async fn work(&mut self, claim: &Claim) {
        tracing::info!(job = claim.job, attempt = claim.attempt, "a job begins");
        self.app.changed.notify_waiters();
        let (stop, grace) = (self.stop.clone(), self.options.grace);
        let mut keeper = Keeper::new(&self.app, claim);
        let outcome = tokio::select! {
            outcome = self.grade(claim, &keeper.notes) => outcome,
            () = keeper.lease.lost() => Outcome::Lost,
            () = stop.is_over(grace) => Outcome::GivenBack,
        };
        drop(keeper);
        self.close(claim, outcome).await;
        self.app.changed.notify_waiters();
    }

    /// Has a job graded. If this is interrupted, its grader is killed.
    async fn grade(&mut self, claim: &Claim, notes: &Notes) -> Outcome {
        let archive = match self.archive(claim).await {
            Ok(archive) => archive,
            Err(reason) => return Outcome::Failed(reason),
        };
        let of = Prepared { course: claim.course.clone(), assignment: claim.assignment.clone() };
        let submission = archive.path().to_owned();
        let job = Job { submission, name: Some(claim.login.clone()), progress: true };
        let mut pauses = Pauses::new();
        loop {
            match self.grade_with(&of, &job, notes).await {
                Ok(record) => return Outcome::Graded(Box::new(record)),
                Err(Trouble::Away(_)) => pauses.wait().await,
                Err(trouble) => {
                    if matches!(trouble, Trouble::CourseChanged) {
                        self.app.courses.unpack_again(&of.course).await;
                    }
                    return Outcome::Failed(trouble.to_string());
                }
            }
        }
    }

    async fn grade_with(
        &mut self,
        of: &Prepared,
        job: &Job,
        notes: &Notes,
    ) -> std::result::Result<Record, Trouble> {
        let mut grader = self.graders.take(of).await?;
        let graded = grader.grade(job, |stage, report| notes.note(stage, report)).await;
        if matches!(graded, Ok(_) | Err(Trouble::Job(_))) {
            self.graders.keep(of.clone(), grader).await;
        }
        graded
    }

    /// The archive of a submission as a file.
    async fn archive(&self, claim: &Claim) -> std::result::Result<Archive, String> {
        let mut pauses = Pauses::new();
        let bytes = loop {
            let key = claim.archive.clone();
            let read = self.app.database.read(move |connection| archive(connection, &key));
            match read.await {
                Err(fault) if fault.is_passing() => pauses.wait().await,
                done => break done.map_err(|fault| fault.to_string())?,
            }
        };
        if secret::sha256(&bytes) != claim.archive {
            return Err("the archive of the submission is damaged in the database".to_owned());
        }
        self.scratch
            .archive(claim.job, claim.submission, &bytes)
            .map_err(|error| format!("the archive cannot be written: {error}"))
    }

    /// Tells the queue how a job ended.
    async fn close(&self, claim: &Claim, outcome: Outcome) {
        let (job, attempt) = (claim.job, claim.attempt);
        let closed = match outcome {
            Outcome::Lost => {
                tracing::warn!(job, attempt, "the claim was lost");
                return;
            }
            Outcome::GivenBack => {
                tracing::info!(job, attempt, "the job is given back");
                let claim = claim.clone();
                let give = move |connection: &mut Connection<'_>| {
                    queue::give_back(connection, &claim).map(|()| true)
                };
                patience::write(&self.app.database, &self.stop, LAST, give).await
            }
            Outcome::Failed(reason) => {
                tracing::error!(job, attempt, reason, "the job failed");
                self.fail(claim, &reason).await
            }
            Outcome::Graded(record) => match self.finish(claim, &Arc::from(record)).await {
                // What the database does not take, it will not take later.
                Err(fault) => self.fail(claim, &fault.to_string()).await,
                done => done,
            },
        };
        match closed {
            Ok(Some(true)) => tracing::info!(job, attempt, "the job is closed"),
            Ok(Some(false)) => tracing::warn!(job, attempt, "the answer came too late"),
            Ok(None) => tracing::warn!(job, attempt, "the database was away to the end"),
            Err(fault) => tracing::error!(job, attempt, %fault, "the job cannot be closed"),
        }
    }

    async fn finish(&self, claim: &Claim, record: &Arc<Record>) -> Result<Option<bool>> {
        let (claim, record) = (claim.clone(), record.clone());
        let finish =
            move |connection: &mut Connection<'_>| queue::finish(connection, &claim, &record);
        patience::write(&self.app.database, &self.stop, self.options.grace, finish).await
    }

    async fn fail(&self, claim: &Claim, reason: &str) -> Result<Option<bool>> {
        let (claim, reason) = (claim.clone(), system::said(reason));
        let fail = move |connection: &mut Connection<'_>| queue::fail(connection, &claim, &reason);
        patience::write(&self.app.database, &self.stop, self.options.grace, fail).await
    }
}

fn archive(connection: &mut Connection<'_>, digest: &str) -> Result<Vec<u8>> {
    let row = connection.first("select bytes from archive where digest = $1", &[digest.into()])?;
    let missing = || Fault::Broken("the archive of the submission is not there".to_owned());
    Ok(row.ok_or_else(missing)?.bytes(0))
}

/// What the queue has for a worker.
enum Next {
    Job(Box<Claim>),
    /// If nothing waits for a later attempt either, it is empty.
    Nothing {
        is_empty: bool,
    },
}
