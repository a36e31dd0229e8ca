//! One piece of work, such as a search or the grading of a class. Several can go on in one process, each with settings of its own, and
//! none ends another.

use super::account::Account;
use super::cancellation::Cancellation;
use super::engine::Preference;
use super::process::{Launcher, Porters};
use super::search::Search;
use std::sync::Arc;

/// What the programs that run for one piece of work have in common. A clone is the same work.
#[derive(Clone, Default)]
pub struct Work {
    /// The engine by which they run.
    pub engine: Preference,
    /// Asks the work to end.
    pub cancellation: Cancellation,
    /// Whether a search is on, and when it ends.
    pub search: Search,
    /// What those of them are charged with that are started for one run.
    pub account: Account,
    /// What starts the hostile ones among them.
    pub(super) porters: Option<Arc<Porters>>,
}

impl Work {
    /// New work, which nobody has asked to end.
    pub fn new(engine: Preference) -> Self {
        Self { engine, ..Self::default() }
    }

    /// The same work, whose hostile programs are started by `launcher`.
    #[must_use]
    pub fn launched_by(self, launcher: Box<dyn Launcher>) -> Self {
        Self { porters: Some(Arc::new(Porters::new(launcher))), ..self }
    }

    /// The same work with an account of its own, which is empty.
    #[must_use]
    pub fn on_new_account(&self) -> Self {
        Self { account: Account::default(), ..self.clone() }
    }

    /// The same work with a search of its own.
    #[must_use]
    pub(super) fn apart(&self) -> Self {
        Self { search: Search::default(), ..self.clone() }
    }
}
