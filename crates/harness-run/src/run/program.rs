//! One program, and the engine that runs it.
//!
//! A program starts with the fastest engine of its [`ProgramKind`]. When an engine cannot run it, or gives an outcome that differs from a
//! process's, the program steps down to the next engine and stays there until its contents change.

mod confirmed;
mod kind;
mod standing;

pub(super) use standing::Standings;

use crate::run::build::Runnable;
use crate::run::engine::Engine;
use crate::run::process;
use crate::run::work::Work;
use crate::run::worker::{self, Stalls};
use kind::ProgramKind;
use standing::Standing;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use subject::Case;
use subject::wire::Hello;

/// A program, the limits of its runs, and its engine. The runners of all cores share it.
pub(super) struct BuiltProgram {
    /// What it runs for.
    pub(super) work: Work,
    /// Its name in reports.
    pub(super) name: String,
    pub(super) runnable: Runnable,
    /// What a worker gets first.
    pub(super) hello: Hello,
    /// What a process may use.
    pub(super) limits: process::ProcessLimits,
    kind: ProgramKind,
    standing: Mutex<Standing>,
    /// Where its standing is remembered.
    standings: Standings,
    /// How often its mutants have stalled.
    pub(super) stalls: Arc<Stalls>,
    /// Tells its build.
    stamp: OnceLock<u64>,
}

/// A program that does not run by the fastest engine of its kind, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slower {
    pub program: String,
    pub engine: Engine,
    pub reason: String,
}

impl BuiltProgram {
    /// A program with the engine that the work prefers or `standings` give it. `links_subject` says whether it is a worker itself.
    pub(super) fn new(
        work: &Work,
        name: &str,
        runnable: Runnable,
        links_subject: bool,
        (hello, limits): (Hello, process::ProcessLimits),
        standings: &Standings,
    ) -> Self {
        let kind = match &runnable.interactor {
            // Only a process has streams of its own.
            Some(_) => ProgramKind::Other,
            None if links_subject => ProgramKind::Linked,
            None => ProgramKind::of(&runnable),
        };
        let first = Standing { engine: kind.engines()[0], reason: None };
        let standing = match work.engine.fastest() {
            Some(fastest) => Standing { engine: kind.from(fastest), reason: None },
            None => match standings.get(name, &runnable) {
                Some(known) if kind.engines().contains(&known.engine) => known,
                _ => first,
            },
        };
        Self {
            work: work.clone(),
            name: name.to_owned(),
            runnable,
            hello,
            limits,
            kind,
            standing: Mutex::new(standing),
            standings: standings.clone(),
            stalls: Arc::default(),
            stamp: OnceLock::new(),
        }
    }

    /// Whether it counts the same steps as `other`.
    pub(super) fn has_same_steps(&self, other: &Self) -> bool {
        self.kind == other.kind
    }

    pub(super) fn is_python(&self) -> bool {
        self.kind == ProgramKind::Python
    }

    /// About the time of a step: a round of a loop, or a call.
    pub(super) fn step(&self) -> Duration {
        Duration::from_nanos(if self.is_python() { 500 } else { 8 })
    }

    /// The number of steps that take about so much time.
    pub(super) fn steps_in(&self, time: Duration) -> u64 {
        u64::try_from(time.as_nanos() / self.step().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Whether its engine tells how many steps it takes.
    pub(super) fn counts_steps(&self) -> bool {
        self.kind != ProgramKind::Java && self.engine() != Engine::Process
    }

    /// About the time of a run without steps.
    pub(super) fn start(&self) -> Duration {
        match (self.engine(), self.kind == ProgramKind::Java || self.is_python()) {
            (Engine::Worker | Engine::Snapshot, false) => Duration::from_micros(20),
            (Engine::Worker | Engine::Snapshot, true) => Duration::from_micros(200),
            (Engine::Fork, _) => Duration::from_millis(1),
            (Engine::Process, false) => Duration::from_millis(2),
            (Engine::Process, true) => Duration::from_millis(30),
        }
    }

    /// The engine that runs it now.
    pub(super) fn engine(&self) -> Engine {
        self.standing().engine
    }

    /// Moves the program to the engine after `from`, unless it has moved already, and remembers that.
    pub(super) fn step_down(&self, from: Engine, reason: &str) {
        if self.move_on(from, reason) {
            self.standings.put(&self.name, &self.runnable, &self.standing());
        }
    }

    /// Moves the program to the engine after `from`, unless it has moved already. That says nothing about the program: the machine
    /// lacks what the engine needs.
    pub(super) fn move_on(&self, from: Engine, reason: &str) -> bool {
        let mut standing = self.standing();
        let Some(next) = self.kind.after(from).filter(|_| standing.engine == from) else {
            return false;
        };
        *standing = Standing { engine: next, reason: Some(reason.to_owned()) };
        true
    }

    /// Why it runs by a slower engine than others of its kind, if so.
    pub(super) fn slower(&self) -> Option<Slower> {
        let standing = self.standing();
        let reason = crate::diagnostic::printable(standing.reason.as_deref()?);
        Some(Slower { program: self.name.clone(), engine: standing.engine, reason })
    }

    /// How many more runs that expose a mutant of it a process must confirm before its engine is believed, and whether the run on this
    /// case was confirmed.
    pub(super) fn left_to_confirm(&self, mutant: &str, case: &Case) -> (usize, bool) {
        let run = confirmed::run_of(mutant, case);
        self.standings.confirmed().left(&self.name, self.stamp(), mutant, run)
    }

    /// Whether a process has confirmed that a mutant of it uses up its time on a case.
    pub(super) fn is_endless(&self, mutant: &str, case: &Case) -> bool {
        let run = confirmed::run_of(mutant, case);
        self.standings.confirmed().is_endless(&self.name, self.stamp(), run)
    }

    /// Remembers that a process has confirmed that a case exposes a mutant of it.
    pub(super) fn add_exposed(&self, mutant: &str, case: &Case) {
        let run = confirmed::run_of(mutant, case);
        self.standings.confirmed().add_exposed(&self.name, self.stamp(), mutant, run);
    }

    /// Remembers that a process of a mutant of it has used up its time on a case.
    pub(super) fn add_endless(&self, mutant: &str, case: &Case) {
        let run = confirmed::run_of(mutant, case);
        self.standings.confirmed().add_endless(&self.name, self.stamp(), run);
    }

    /// Writes what was confirmed of this program and the others of its assignment to the disk.
    pub(super) fn write_confirmed(&self) {
        self.standings.confirmed().write();
    }

    fn stamp(&self) -> u64 {
        let how = || format!("{:?} {}", self.limits, self.hello.limits.step_factor);
        *self.stamp.get_or_init(|| confirmed::stamp_of(&self.runnable, &how()))
    }

    /// How to start a worker that runs it by `engine`. An error says why that engine cannot.
    pub(super) fn settings(&self, engine: Engine) -> Result<worker::Settings, String> {
        self.kind.settings(self, engine)
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
