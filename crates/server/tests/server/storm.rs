//! A storm: students hand in around midnight, while servers, workers and the database are killed at random. Afterwards, nobody has more
//! than the limit, what was acknowledged has exactly one record, and the records are those of a quiet day.
//!
//! The benchmark `storm` runs it with more students. Its modules name their files, because the benchmark is in another folder.

#[path = "storm/checked.rs"]
mod checked;
#[path = "storm/machines.rs"]
mod machines;
#[path = "storm/students.rs"]
mod students;

use super::support::postgres;
use machines::Machines;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};
use students::Students;

/// The limit of each day.
const LIMIT: i64 = 2;

/// How large a storm is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) students: usize,
    /// How often each of them hands in.
    pub(crate) attempts: usize,
    /// How often something is killed.
    pub(crate) kills: usize,
    /// How long after the first submission the day ends, in seconds.
    pub(crate) until_midnight: i64,
    /// How long students may hand in, in seconds.
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
}

/// What happened.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) acknowledged: usize,
    pub(crate) refused: usize,
    /// How many requests were sent again, because a server was away.
    pub(crate) repeated: usize,
    /// How often each kind of process was killed: servers, workers, databases.
    pub(crate) kills: [usize; 3],
    pub(crate) days: usize,
    pub(crate) took: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [servers, workers, databases] = self.kills;
        let Self { acknowledged, refused, repeated, days, .. } = self;
        writeln!(f, "  {acknowledged} acknowledged, {refused} refused, over {days} days")?;
        writeln!(f, "  killed {servers} servers, {workers} workers, {databases} databases")?;
        write!(f, "  {repeated} requests were sent again; {:.0} s in all", self.took.as_secs_f64())
    }
}

/// Runs a storm on PostgreSQL with two servers and two workers, or on SQLite with one of each, and checks what is left.
pub(crate) fn storm(size: Size, with: Option<postgres::Server>) -> Report {
    let began = Instant::now();
    let quiet = checked::quiet_records();
    let mut machines = Machines::start(with, size);
    let students = Students::enrol(&machines, size);
    let hand_in = students.begin(&machines.urls, size);
    let kills = machines.kill_at_random(size, &hand_in);
    let handed_in = hand_in.ended();
    machines.all_are_up();
    let days = checked::check(&machines, &handed_in, &quiet);
    Report {
        acknowledged: handed_in.acknowledged.len(),
        refused: handed_in.refused,
        repeated: handed_in.repeated,
        kills,
        days,
        took: began.elapsed(),
    }
}

/// The rules of a course whose day ends after so many seconds.
fn rules(until_midnight: i64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let local = 86_400 - until_midnight;
    // How far the zone is ahead of UTC; POSIX counts the other way.
    let ahead = (local - now.as_secs() as i64).rem_euclid(86_400);
    let ahead = if ahead > 43_200 { ahead - 86_400 } else { ahead };
    let sign = if ahead > 0 { "-" } else { "" };
    let (hours, minutes, seconds) = (ahead.abs() / 3600, ahead.abs() / 60 % 60, ahead.abs() % 60);
    format!(
        "time_zone: STORM{sign}{hours}:{minutes:02}:{seconds:02}\nworkers: 0\n\
         assignments: {{ sum: {{ limit: {LIMIT}, bonus: 0 }} }}\n"
    )
}

/// A path as a word of a command line.
fn path_text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn a_storm_on_postgresql_loses_and_doubles_nothing() {
    let Some(postgres) = postgres::Server::start() else { return };
    let size = Size { students: 6, attempts: 3, kills: 7, until_midnight: 6, seconds: 14, seed: 1 };
    let report = storm(size, Some(postgres));
    eprintln!("{report}");
    assert!(report.acknowledged >= 6, "{report}");
}

#[test]
fn a_storm_on_sqlite_loses_and_doubles_nothing() {
    let size = Size { students: 4, attempts: 3, kills: 4, until_midnight: 5, seconds: 10, seed: 2 };
    let report = storm(size, None);
    eprintln!("{report}");
    assert!(report.acknowledged >= 4, "{report}");
}
