//! The file that remembers what processes have confirmed of the programs of an assignment, until these are built again.

use super::standing::files_of;
use crate::files;
use crate::hash::fnv1a;
use crate::run::build::Runnable;
use crate::run::host;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use subject::Case;

const FILE: &str = "confirmed.json";
/// The most runs that are remembered of a program. If there are more, they are forgotten.
const MOST: usize = 50_000;
/// The engine of a mutant is believed that it is exposed when processes have confirmed that on so many cases.
const ENOUGH: usize = 3;

/// What processes have confirmed of all programs of an assignment.
pub(super) struct Confirmed {
    path: PathBuf,
    known: Mutex<BTreeMap<String, Known>>,
}

/// What they have confirmed of one program.
#[derive(Clone, Default, Deserialize, Serialize)]
struct Known {
    /// Tells the build, and how its programs run.
    stamp: u64,
    /// Hashes of runs in which a process of a mutant differed as it did in its engine, by the mutant.
    exposed: BTreeMap<String, BTreeSet<u64>>,
    /// Hashes of runs that use up their time.
    endless: BTreeSet<u64>,
}

impl Confirmed {
    pub(super) fn read(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let known = fs::read(&path).ok();
        let known = known.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Self { path, known: Mutex::new(known) }
    }

    /// How many more runs that expose a mutant must be confirmed, and whether this one was.
    pub(super) fn left(&self, program: &str, stamp: u64, mutant: &str, run: u64) -> (usize, bool) {
        let all = self.known();
        let known = all.get(program).filter(|known| known.stamp == stamp);
        match known.and_then(|known| known.exposed.get(mutant)) {
            Some(runs) => (ENOUGH.saturating_sub(runs.len()), runs.contains(&run)),
            None => (ENOUGH, false),
        }
    }

    pub(super) fn is_endless(&self, program: &str, stamp: u64, run: u64) -> bool {
        let is_known = |known: &Known| known.stamp == stamp && known.endless.contains(&run);
        self.known().get(program).is_some_and(is_known)
    }

    pub(super) fn add_exposed(&self, program: &str, stamp: u64, mutant: &str, run: u64) {
        self.change(program, stamp, |known| {
            known.exposed.entry(mutant.to_owned()).or_default().insert(run);
        });
    }

    pub(super) fn add_endless(&self, program: &str, stamp: u64, run: u64) {
        self.change(program, stamp, |known| {
            if known.endless.len() >= MOST {
                known.endless.clear();
            }
            known.endless.insert(run);
        });
    }

    fn change(&self, program: &str, stamp: u64, change: impl FnOnce(&mut Known)) {
        let mut all = self.known();
        let known = all.entry(program.to_owned()).or_default();
        if known.stamp != stamp {
            *known = Known { stamp, ..Known::default() };
        }
        change(known);
    }

    /// Writes the file. If the folder cannot be written, the next command confirms it again.
    pub(super) fn write(&self) {
        let text = serde_json::to_string(&*self.known()).expect("names are text");
        let _ = files::replace(&self.path, text.as_bytes());
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells one build of a program from the next, without reading it: a file that is written again has another time.
pub(super) fn stamp_of(runnable: &Runnable, how: &str) -> u64 {
    let files = files_of(runnable).filter_map(|file| {
        let status = fs::metadata(&file).ok()?;
        let (modified, changed) =
            ((status.mtime(), status.mtime_nsec()), (status.ctime(), status.ctime_nsec()));
        Some((status.ino(), status.len(), modified, changed))
    });
    let files: Vec<_> = files.collect();
    let text = format!("{how} {:x} {:?} {files:?}", host::fingerprint(), runnable.words);
    fnv1a(text.as_bytes())
}

/// A hash of the run of a mutant on a case.
pub(super) fn run_of(mutant: &str, case: &Case) -> u64 {
    fnv1a(format!("{mutant} {:?} {:?} {:?}", case.args, case.input, case.files).as_bytes())
}
