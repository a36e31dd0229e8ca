//! Grades a class into a folder. What is there already is not graded again.

use super::observer::Observer;
use super::opened::Opened;
use super::ready::Ready;
use super::results::Results;
use crate::diagnostic::{Failure, Problem, Warning};
use crate::result::graded::SubmissionReport;
use crate::result::record::Record;
use crate::run::cancellation::Cancellation;
use crate::run::parallel;
use crate::submission::cores::Cores;
use crate::suite::layout;
use std::collections::BTreeMap;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most bytes of files that are held in memory. The submissions that come after them are read again when it is their turn.
const MOST_HELD: usize = 512 << 20;

/// A class with the folder of its results.
pub struct Class<'a> {
    pub results: &'a Results,
    pub ready: &'a Ready,
    pub cores: &'a Cores,
    /// Asks it to end. What is graded by then is kept.
    pub cancellation: &'a Cancellation,
    /// The number of submissions that are graded at the same time.
    pub jobs: usize,
    pub on: &'a dyn Observer,
}

/// A submission, before it is graded.
pub struct Entry {
    path: PathBuf,
    pub name: String,
    digest: String,
    /// The digest of its sources.
    sources: String,
    /// Its files, if there is room for them.
    opened: Option<Opened>,
}

impl Class<'_> {
    /// The submissions in these folders and archives, ordered by name. Submissions with the same sources have a number; only those
    /// with one that `is_wanted` are given.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn entries(
        &self,
        paths: &[PathBuf],
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Entry>, Failure> {
        let held = AtomicUsize::new(0);
        let entry = |at: usize| Ok(self.entry(&paths[at], &held));
        let entries = parallel::map(paths.len(), self.jobs, entry)?;
        let units = units(entries).into_iter().enumerate().filter(|(at, _)| is_wanted(*at));
        let mut entries: Vec<_> = units.flat_map(|(_, unit)| unit).collect();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(entries)
    }

    /// The submission in `path`, which is read. `held` counts the bytes of all files that are held.
    fn entry(&self, path: &Path, held: &AtomicUsize) -> Entry {
        let opened = self.ready.open(path);
        let has_room = held.fetch_add(opened.bytes(), Ordering::Relaxed) < MOST_HELD;
        Entry {
            path: path.to_owned(),
            name: opened.name().to_owned(),
            digest: opened.digest().to_owned(),
            sources: self.ready.sources_key(&opened),
            opened: has_room.then_some(opened),
        }
    }

    /// Grades the submissions that have no result, or were handed in again. Gives the results of all.
    ///
    /// # Errors
    /// If the machine or the course fails.
    pub fn grade(&self, entries: Vec<Entry>) -> Result<Vec<SubmissionReport>, Failure> {
        let names: Vec<_> = entries.iter().map(|entry| entry.name.clone()).collect();
        let mut outdated = 0;
        let missing = entries.into_iter().filter(|entry| match self.known(entry) {
            Some(record) => {
                outdated += usize::from(self.is_outdated(&record));
                false
            }
            None => true,
        });
        let missing: Vec<_> = missing.collect();
        self.run(missing, |record| self.results.write(&record))?;
        if outdated > 0 {
            let results =
                if outdated == 1 { "1 result was" } else { &format!("{outdated} results were") };
            let message =
                format!("{results} made with another version of the course or of harness");
            let hint = "`--regrade` shows whose points change now";
            self.on.warn(&Warning(Problem::new(message).hint(hint)));
        }
        let missing = |name: &str| {
            let message = format!("the result of {name} was removed while the class was graded");
            Failure::usage(Problem::new(message).hint("grade the class again"))
        };
        names.iter().map(|name| self.result(name).ok_or_else(|| missing(name))).collect()
    }

    /// The result of a submission, for reports. It says whether its points can be compared with those that the course gives now.
    pub fn result(&self, name: &str) -> Option<SubmissionReport> {
        let mut report = self.results.read(name)?.report;
        report.other_scale = !report.points.are_on(&self.ready.submission().points);
        Some(report)
    }

    /// The result of a submission, unless it was handed in again since.
    pub(super) fn known(&self, entry: &Entry) -> Option<Record> {
        let record = self.results.read(&entry.name)?;
        (record.digests.submission == entry.digest).then_some(record)
    }

    /// Whether a result was made with another version of the course or of this program.
    pub(super) fn is_outdated(&self, record: &Record) -> bool {
        record.digests.course != self.ready.version()
            || record.digests.harness != self.ready.harness()
    }

    /// Grades submissions, and hands each record to `done` at once. First it scores all tests, so that later nothing else runs on the
    /// core of a timed run.
    pub(super) fn run(
        &self,
        entries: Vec<Entry>,
        done: impl Fn(Record) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        if entries.is_empty() {
            return Ok(());
        }
        self.on.begin("scoring tests", Some(entries.len()));
        for entry in &entries {
            self.cancellation.check()?;
            match &entry.opened {
                Some(opened) => self.ready.score(opened)?,
                None => self.ready.score(&self.ready.open(&entry.path))?,
            }
            self.on.advance();
        }
        self.on.begin(&self.ready.assignment().title, Some(entries.len()));
        let units: Vec<_> = units(entries).into_iter().map(Mutex::new).collect();
        parallel::share(&mut vec![(); self.jobs], units.len(), |(), queue| {
            while let Some(at) = queue.take() {
                let unit =
                    mem::take(&mut *units[at].lock().unwrap_or_else(PoisonError::into_inner));
                for entry in unit {
                    let held = self.cores.take()?;
                    let opened = entry.opened.unwrap_or_else(|| self.ready.open(&entry.path));
                    done(self.ready.grade(opened, &held, self.cancellation)?)?;
                    self.on.advance();
                }
                queue.put(at, ());
            }
            Ok::<_, Failure>(())
        })?;
        self.on.end();
        Ok(())
    }
}

/// Refuses a class with two submissions of one name, because a result is found by its name.
pub fn check_names(paths: &[PathBuf]) -> Result<(), Failure> {
    let mut names = BTreeMap::new();
    for path in paths {
        let name = layout::student(path);
        if let Some(other) = names.insert(name.clone(), path) {
            let (one, other) = (path.display(), other.display());
            let message = format!("two submissions are called {name}: {other} and {one}");
            return Err(Failure::usage(Problem::new(message).hint("rename or remove one of them")));
        }
    }
    Ok(())
}

/// The submissions with the same sources together, so that these are built once. In the order of the first of each.
fn units(entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let mut places = BTreeMap::new();
    let mut units: Vec<Vec<Entry>> = Vec::new();
    for entry in entries {
        let at = *places.entry(entry.sources.clone()).or_insert(units.len());
        match units.get_mut(at) {
            Some(unit) => unit.push(entry),
            None => units.push(vec![entry]),
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_sources_are_one_unit() {
        let entry = |name: &str, sources: &str| Entry {
            path: name.into(),
            name: name.to_owned(),
            digest: String::new(),
            sources: sources.to_owned(),
            opened: None,
        };
        let units = units(vec![entry("a", "1"), entry("b", "2"), entry("c", "1")]);
        let names = |unit: &Vec<Entry>| unit.iter().map(|it| it.name.clone()).collect::<String>();
        assert_eq!(units.iter().map(names).collect::<Vec<_>>(), ["ac", "b"]);
    }
}
