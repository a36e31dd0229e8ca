//! The resident graders of one worker: one for each assignment and version that it graded lately.

use super::Options;
use super::grader::{Grader, Trouble};
use crate::app::App;
use crate::courses::Version;
use crate::database::Fault;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// How many are kept.
const MOST: usize = 3;

/// How long one of a version that is not in force any more is kept.
const LINGER: Duration = Duration::from_mins(5);

/// How long nobody tries to prepare an assignment again, unless a job needs it.
const PAUSE: Duration = Duration::from_mins(1);

/// What a grader has prepared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Prepared {
    /// The version of the course.
    pub(super) course: String,
    pub(super) assignment: String,
}

struct Resident {
    of: Prepared,
    grader: Grader,
    used: Instant,
}

/// The resident graders of one worker.
pub(super) struct Graders {
    app: App,
    options: Options,
    all: Vec<Resident>,
    /// Until when those that could not be prepared are left alone.
    broken: HashMap<Prepared, Instant>,
}

impl Graders {
    pub(super) fn new(app: &App, options: &Options) -> Self {
        let (app, options) = (app.clone(), options.clone());
        Self { app, options, all: Vec::new(), broken: HashMap::new() }
    }

    /// Takes a grader out, or starts a new one. Whoever took it [gives it back](Self::keep) if it is well afterwards.
    pub(super) async fn take(&mut self, of: &Prepared) -> Result<Grader, Trouble> {
        match self.all.iter().position(|resident| resident.of == *of) {
            Some(at) => Ok(self.all.swap_remove(at).grader),
            None => self.start(of).await,
        }
    }

    pub(super) async fn keep(&mut self, of: Prepared, grader: Grader) {
        self.all.push(Resident { of, grader, used: Instant::now() });
        while self.all.len() > MOST {
            let oldest = (0..self.all.len()).min_by_key(|at| self.all[*at].used);
            self.all.swap_remove(oldest.unwrap_or_default()).grader.end().await;
        }
    }

    /// Starts a grader for the next assignment of the version in force that has none, one after the other.
    pub(super) async fn begin_next(&mut self, version: &Version) -> Result<(), Trouble> {
        if self.all.iter().any(|resident| !resident.grader.is_ready()) {
            return Ok(());
        }
        let now = Instant::now();
        self.broken.retain(|_, until| *until > now);
        let all = version.assignments().take(MOST);
        let all = all.map(|assignment| Prepared {
            course: version.digest.clone(),
            assignment: assignment.id.clone(),
        });
        let has = |of: &Prepared| self.all.iter().any(|resident| resident.of == *of);
        let next = all.into_iter().find(|of| !has(of) && !self.broken.contains_key(of));
        let Some(of) = next else { return Ok(()) };
        match self.start(&of).await {
            Ok(grader) => {
                self.keep(of, grader).await;
                Ok(())
            }
            Err(trouble) => {
                self.broken.insert(of, now + PAUSE);
                Err(trouble)
            }
        }
    }

    /// Waits until the one that is being prepared is ready, or for ever if none is. It can be interrupted.
    pub(super) async fn prepared(&mut self) -> Result<(), Trouble> {
        let Some(at) = self.all.iter().position(|resident| !resident.grader.is_ready()) else {
            return std::future::pending().await;
        };
        let ready = self.all[at].grader.ready().await;
        if ready.is_err() {
            let of = self.all.swap_remove(at).of;
            self.broken.insert(of, Instant::now() + PAUSE);
        }
        ready
    }

    /// Whether nothing of a version is being prepared, or still to prepare.
    pub(super) fn are_ready(&self) -> bool {
        self.all.iter().all(|resident| resident.grader.is_ready())
    }

    /// Ends those of other versions than the one in force that nobody needed lately.
    pub(super) async fn end_old(&mut self, in_force: &str) {
        let is_old = |resident: &Resident| {
            resident.of.course != in_force && resident.used.elapsed() > LINGER
        };
        while let Some(at) = self.all.iter().position(is_old) {
            self.all.swap_remove(at).grader.end().await;
        }
    }

    /// Ends all of them.
    pub(super) async fn end(self) {
        futures_util::future::join_all(self.all.into_iter().map(|it| it.grader.end())).await;
    }

    async fn start(&self, of: &Prepared) -> Result<Grader, Trouble> {
        let Options { program, silence, .. } = &self.options;
        let folder = self.app.courses.unpacked(&self.app.database, &of.course).await;
        let trouble = |fault: Fault| {
            let kind = if fault.is_passing() { Trouble::Away } else { Trouble::Job };
            kind(fault.to_string())
        };
        let folder = folder.map_err(trouble)?;
        Grader::start(program, &folder, &of.assignment, *silence)
            .map_err(|error| Trouble::Grader(format!("the grader cannot be started: {error}")))
    }
}
