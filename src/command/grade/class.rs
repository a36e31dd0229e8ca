//! Grades a class into a folder. What is there already is not graded again.

use super::grader::Grader;
use super::layout::Class;
use super::results::Results;
use crate::cli::grade::Shard;
use crate::diagnostic::progress::Progress;
use crate::diagnostic::{Failure, Problem, Warning};
use crate::hash::Digest;
use crate::result::graded::SubmissionReport;
use crate::result::record::{Digests, Record};
use crate::run::parallel;
use crate::submission::cores::Cores;
use crate::suite::layout;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A class with the folder of its results.
pub(super) struct Grading<'a> {
    pub(super) class: &'a Class<'a>,
    pub(super) results: &'a Results,
    pub(super) grader: &'a Grader<'a>,
    /// The digest of this program.
    pub(super) harness: &'a str,
    pub(super) cores: &'a Cores,
    /// The number of submissions that are graded at the same time.
    pub(super) jobs: usize,
}

/// A submission, before it is graded.
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) name: String,
    /// The digest of its files and of what is wrong with them.
    pub(super) digest: String,
    /// The digest of its sources.
    sources: String,
}

impl Grading<'_> {
    /// The submissions, or those in `shard`, ordered by name.
    pub(super) fn entries(&self, shard: Option<Shard>) -> Result<Vec<Entry>, Failure> {
        let paths = &self.class.paths;
        let entries = parallel::map(paths.len(), self.jobs, |at| Ok(self.entry(&paths[at])))?;
        let Some(shard) = shard else { return Ok(entries) };
        // Identical sources are in the same shard, so that they are built once.
        let units = units(entries).into_iter().zip(0..);
        let units = units.filter(|(_, at)| shard.has(*at)).map(|(unit, _)| unit);
        let mut entries: Vec<_> = units.flatten().collect();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(entries)
    }

    fn entry(&self, path: &Path) -> Entry {
        let contents = self.grader.read(path);
        let digest = Digest::default().with(contents.digest());
        let broken = contents.broken.iter();
        let digest = broken.fold(digest, |digest, (_, problem)| digest.with(&problem.message));
        let name = contents.name.clone();
        let sources = self.grader.sources_key(contents);
        Entry { path: path.to_owned(), name, digest: digest.hex(), sources }
    }

    /// Grades the submissions that have no result, or were handed in again. Gives the results of all.
    pub(super) fn grade(&self, entries: Vec<Entry>) -> Result<Vec<SubmissionReport>, Failure> {
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
        self.run(missing, |entry, report| self.results.write(&self.record(entry, report)))?;
        if outdated > 0 {
            let results =
                if outdated == 1 { "1 result was" } else { &format!("{outdated} results were") };
            let message =
                format!("{results} made with another version of the course or of harness");
            let hint = "`--regrade` shows whose points change now";
            anstream::eprintln!("{}", Warning(Problem::new(message).hint(hint)));
        }
        let missing = |name: &str| {
            let message = format!("the result of {name} was removed while the class was graded");
            Failure::usage(Problem::new(message).hint("grade the class again"))
        };
        names.iter().map(|name| self.result(name).ok_or_else(|| missing(name))).collect()
    }

    /// The result of a submission, for reports. It says whether its points can be compared with those that the course gives now.
    pub(super) fn result(&self, name: &str) -> Option<SubmissionReport> {
        let mut report = self.results.read(name)?.report;
        report.other_scale = !report.points.are_on(&self.class.submission.points);
        Some(report)
    }

    /// The result of a submission, unless it was handed in again since.
    pub(super) fn known(&self, entry: &Entry) -> Option<Record> {
        let record = self.results.read(&entry.name)?;
        (record.digests.submission == entry.digest).then_some(record)
    }

    /// Whether a result was made with another version of the course or of this program.
    pub(super) fn is_outdated(&self, record: &Record) -> bool {
        record.digests.course != self.grader.digest() || record.digests.harness != self.harness
    }

    pub(super) fn record(&self, entry: &Entry, report: SubmissionReport) -> Record {
        let digests = Digests {
            submission: entry.digest.clone(),
            course: self.grader.digest().to_owned(),
            harness: self.harness.to_owned(),
        };
        Record::new(&self.class.assignment.id, digests, report)
    }

    /// Grades submissions, and hands each result to `done` at once. First it scores all tests, so that later nothing else runs on the
    /// core of a timed run.
    pub(super) fn run(
        &self,
        entries: Vec<Entry>,
        done: impl Fn(&Entry, SubmissionReport) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        if entries.is_empty() {
            return Ok(());
        }
        let progress = Progress::with_estimate("scoring tests", entries.len() as u64);
        for entry in &entries {
            self.grader.score(self.grader.read(&entry.path))?;
            progress.add(1);
        }
        drop(progress);
        let progress = Progress::with_estimate(&self.class.assignment.title, entries.len() as u64);
        let units = units(entries);
        parallel::share(&mut vec![(); self.jobs], units.len(), |(), queue| {
            while let Some(at) = queue.take() {
                for entry in &units[at] {
                    let held = self.cores.take()?;
                    let contents = self.grader.read(&entry.path);
                    done(entry, self.grader.grade(contents, Some(held.core))?)?;
                    progress.add(1);
                }
                queue.put(at, ());
            }
            Ok::<_, Failure>(())
        })?;
        Ok(())
    }
}

/// Refuses a class with two submissions of one name, because a result is found by its name.
pub(super) fn check_names(paths: &[PathBuf]) -> Result<(), Failure> {
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
        };
        let units = units(vec![entry("a", "1"), entry("b", "2"), entry("c", "1")]);
        let names = |unit: &Vec<Entry>| unit.iter().map(|it| it.name.clone()).collect::<String>();
        assert_eq!(units.iter().map(names).collect::<Vec<_>>(), ["ac", "b"]);
    }
}
