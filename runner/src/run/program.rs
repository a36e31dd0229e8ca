//! One program, and the engine that runs it.
//!
//! A program starts with the fastest engine of its [`Kind`]. When an engine cannot run it, or gives an outcome that differs from a
//! process's, the program steps down to the next engine and stays there until its contents change.

mod kind;
mod standing;

pub(super) use standing::Standings;

use crate::run::build::Runnable;
use crate::run::engine::{Engine, Preference};
use crate::run::process;
use crate::run::worker;
use kind::Kind;
use standing::Standing;
use std::sync::{Mutex, MutexGuard, PoisonError};
use subject::wire::Hello;

/// A program, the limits of its runs, and its engine. The runners of all cores share it.
pub(super) struct Program {
    /// Its name in reports.
    pub(super) name: String,
    pub(super) runnable: Runnable,
    /// What a worker gets first.
    pub(super) hello: Hello,
    /// What a process may use.
    pub(super) limits: process::Limits,
    kind: Kind,
    standing: Mutex<Standing>,
    /// Where its standing is remembered.
    standings: Standings,
}

/// A program that does not run by the fastest engine of its kind, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slower {
    pub program: String,
    pub engine: Engine,
    pub reason: String,
}

impl Program {
    /// A program with the engine that `preference` and `standings` give it. `links_subject` says whether it is a worker itself.
    pub(super) fn new(
        name: &str,
        runnable: Runnable,
        links_subject: bool,
        (hello, limits): (Hello, process::Limits),
        preference: Preference,
        standings: &Standings,
    ) -> Self {
        let kind = if links_subject { Kind::Linked } else { Kind::of(&runnable) };
        let first = Standing { engine: kind.engines()[0], reason: None };
        let standing = match preference.fastest() {
            Some(fastest) => Standing { engine: kind.from(fastest), reason: None },
            None => match standings.get(name, &runnable) {
                Some(known) if kind.engines().contains(&known.engine) => known,
                _ => first,
            },
        };
        let (standing, standings) = (Mutex::new(standing), standings.clone());
        Self { name: name.to_owned(), runnable, hello, limits, kind, standing, standings }
    }

    /// Whether it counts the same steps as `other`.
    pub(super) fn has_same_steps(&self, other: &Self) -> bool {
        self.kind == other.kind
    }

    pub(super) fn is_python(&self) -> bool {
        self.kind == Kind::Python
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
        let reason = crate::problem::printable(standing.reason.as_deref()?);
        Some(Slower { program: self.name.clone(), engine: standing.engine, reason })
    }

    /// How to start a worker that runs it by `engine`. An error says why that engine cannot.
    pub(super) fn settings(&self, engine: Engine) -> Result<worker::Settings, String> {
        self.kind.settings(self, engine)
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
