//! What all requests share.

use crate::boards::Boards;
use crate::courses::Courses;
use crate::database::{Database, Result};
use crate::lti::Outside;
use crate::metrics::Metrics;
use crate::rules::{Moment, Rules};
use crate::similar::Comparisons;
use crate::sso::Provider;
use crate::web::PerPerson;
use crate::web::upload::Room;
use harness::course::yaml::Source;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use tokio::sync::Notify;

/// How many pages of one person may wait for news at the same time.
const MOST_LIVE_PAGES: usize = 8;

/// What all requests share. A clone is the same one.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// Who besides this server says who somebody is.
#[derive(Clone, Default)]
pub struct SignIn {
    pub provider: Option<Provider>,
    /// The header in which the proxy names who signed in there.
    pub header: Option<String>,
}

pub struct Shared {
    pub database: Database,
    pub courses: Courses,
    /// What browsers call the server, without a `/` at the end.
    pub url: String,
    /// Whether a proxy names the address of each visitor.
    pub is_behind_proxy: bool,
    /// Who besides this server says who somebody is.
    pub sign_in: SignIn,
    /// What is known of the learning platforms.
    pub platforms: Outside,
    /// Wakes what waits for a change: workers and pages of this process. It is a hint; all of them also look by themselves.
    pub changed: Notify,
    /// The folder of the course, if this machine has one: staff may store what is in it as a new version.
    pub folder: OnceLock<PathBuf>,
    /// The folder of works of earlier terms, if this machine has one.
    pub earlier: OnceLock<PathBuf>,
    /// The counters of this process.
    pub metrics: Metrics,
    /// The room for archives in memory.
    pub room: Room,
    /// The pages that wait for news.
    pub live_pages: PerPerson,
    /// The scoreboards, as far as they are known.
    pub boards: Boards,
    /// Which submissions are alike, as far as it is known.
    pub similar: Comparisons,
    /// The rules as the database last had them, with their number there.
    rules: RwLock<(i64, Arc<Rules>)>,
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub fn new(database: Database, courses: Courses, url: &str) -> Self {
        let url = url.trim_end_matches('/').to_owned();
        let rules = RwLock::new((0, Arc::new(Rules::default())));
        Self(Arc::new(Shared {
            database,
            courses,
            url,
            is_behind_proxy: false,
            sign_in: SignIn::default(),
            platforms: Outside::default(),
            changed: Notify::new(),
            folder: OnceLock::new(),
            earlier: OnceLock::new(),
            metrics: Metrics::default(),
            room: Room::default(),
            live_pages: PerPerson::new(MOST_LIVE_PAGES),
            boards: Boards::default(),
            similar: Comparisons::default(),
            rules,
        }))
    }

    /// The same one, with a proxy before it that names the address of each visitor in `X-Forwarded-For`.
    ///
    /// # Panics
    /// If it is shared already.
    #[must_use]
    pub fn behind_proxy(mut self, is: bool) -> Self {
        Arc::get_mut(&mut self.0).expect("it is not shared yet").is_behind_proxy = is;
        self
    }

    /// The same one, where a provider or the proxy also says who somebody is.
    ///
    /// # Panics
    /// If it is shared already.
    #[must_use]
    pub fn with_sign_in(mut self, sign_in: SignIn) -> Self {
        Arc::get_mut(&mut self.0).expect("it is not shared yet").sign_in = sign_in;
        self
    }

    /// The rules, as the database has them now.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn rules(&self) -> Result<Arc<Rules>> {
        Ok(self.rules_in_force().await?.1)
    }

    /// The rules, as the database has them now, with their number there.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn rules_in_force(&self) -> Result<(i64, Arc<Rules>)> {
        let (known, rules) = self.rules.read().unwrap_or_else(PoisonError::into_inner).clone();
        let newer = self.database.read(move |connection| {
            let sql = "select id, text from rules where id > $1 order by id desc limit 1";
            Ok(connection.first(sql, &[known.into()])?.map(|row| (row.int(0), row.text(1))))
        });
        let Some((id, text)) = newer.await? else { return Ok((known, rules)) };
        // Only rules that were read without a problem reach the database.
        let source = Source::new(Path::new(crate::config::FILE), text);
        let rules = Arc::new(Rules::parse(&source).unwrap_or_default());
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = (id, rules.clone());
        Ok((id, rules))
    }

    /// The time by the clock of the database.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn now(&self) -> Result<Moment> {
        self.database.read(|connection| Ok(Moment(connection.now()?))).await
    }
}
