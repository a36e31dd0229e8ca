//! Records of builds: what each was made from, so that it is repeated only if something of that has changed.
//!
//! A record lists what a build read and wrote, each file with its size, times, inode and a hash. A file is hashed again only if the
//! others differ. Times are compared on the clock of the disk, and a build during which a source changed is not trusted. The last
//! change of a file (ctime) counts, so that setting its time back hides nothing. Whatever cannot be known leads to another build.

use super::state::{self, State};
use super::surroundings::Surroundings;
use super::unwritable;
use crate::diagnostic::Failure;
use crate::files;
use crate::hash::fnv1a;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// What a build does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Recipe {
    /// A hash of what the course file and the harness say: words of command lines.
    pub(super) command: u64,
    pub(super) surroundings: Surroundings,
}

impl Recipe {
    /// A build with these words, which contain no path that depends on the current folder.
    pub(super) fn new(words: &impl std::fmt::Debug, surroundings: Surroundings) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self { command: fnv1a(format!("{version} {words:?}").as_bytes()), surroundings }
    }

    fn is_as(&self, before: &Self) -> bool {
        self.command == before.command && self.surroundings.are_as(&before.surroundings)
    }
}

/// What a build read and wrote.
#[derive(Default)]
pub(super) struct Traces {
    /// Files, and folders of which the names matter. A file that does not exist matters too: a build may find it the next time.
    pub(super) inputs: BTreeSet<PathBuf>,
    /// Parts of the compiler.
    pub(super) tools: BTreeSet<PathBuf>,
    /// Inputs that the build itself has written.
    pub(super) written: BTreeSet<PathBuf>,
    /// Environment variables that sources ask for.
    pub(super) variables: BTreeSet<String>,
    pub(super) outputs: BTreeSet<PathBuf>,
    /// Whether the build may depend on more than this.
    pub(super) is_open: bool,
}

/// A successful build.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    recipe: Recipe,
    variables: BTreeMap<String, Option<String>>,
    /// Paths are relative to the folder of the course if they are in it.
    inputs: BTreeMap<PathBuf, State>,
    outputs: BTreeMap<PathBuf, State>,
    /// Whether the build may depend on more than this, so that it must be repeated.
    is_open: bool,
}

/// The file of a record.
pub(super) struct Place<'a> {
    pub(super) file: PathBuf,
    /// The folder of the course, without links.
    pub(super) course: &'a Path,
    /// The file that is locked during the build.
    pub(super) lock: PathBuf,
}

impl Place<'_> {
    /// Calls `build` unless the record says that it would do the same again. No other process builds meanwhile.
    ///
    /// # Errors
    /// With those of `build`, or if it is impossible to do `what` because nothing can be written.
    pub(super) fn build(
        &self,
        what: &str,
        recipe: &Recipe,
        build: impl FnOnce() -> Result<Traces, Failure>,
    ) -> Result<(), Failure> {
        if self.is_current(recipe) {
            return Ok(());
        }
        let folder = files::folder_of(&self.lock);
        let cannot = |error| unwritable(what, folder, &error);
        fs::create_dir_all(folder).map_err(cannot)?;
        let lock = fs::File::create(&self.lock).map_err(cannot)?;
        lock.lock().map_err(cannot)?;
        // Another process may have built it meanwhile.
        if self.is_current(recipe) {
            return Ok(());
        }
        let begin = state::next_tick(folder).map_err(cannot)?;
        let traces = build()?;
        match Record::new(self.course, recipe, &traces, begin) {
            Some(record) => record.write(&self.file).map_err(cannot),
            None => Ok(()),
        }
    }

    /// Whether the last build would do the same again.
    pub(super) fn is_current(&self, recipe: &Recipe) -> bool {
        let Some(record) = Record::read(&self.file) else { return false };
        if !recipe.is_as(&record.recipe) {
            return false;
        }
        let Some(present) = record.if_same(self.course) else { return false };
        if present.inputs != record.inputs || present.outputs != record.outputs {
            // The next check need not read these files again. It does if this one cannot be written.
            let past = state::recent_past();
            if present.states().all(|state| state.is_older_than(past)) {
                let _ = present.write(&self.file);
            }
        }
        true
    }
}

impl Record {
    /// The record of a build that began at `begin`. `None` if something cannot be known.
    fn new(course: &Path, recipe: &Recipe, traces: &Traces, begin: i64) -> Option<Self> {
        let mut record = Self {
            recipe: recipe.clone(),
            variables: traces.variables.iter().map(|name| (name.clone(), variable(name))).collect(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            is_open: traces.is_open,
        };
        for path in &traces.inputs {
            let state = State::of(path).ok()?;
            // The build may have read it before or after the change.
            record.is_open |= !state.is_older_than(begin) && !traces.written.contains(path);
            record.inputs.insert(within(course, path), state);
        }
        for path in &traces.tools {
            record.inputs.insert(within(course, path), State::of_tool(path));
        }
        for path in &traces.outputs {
            record.outputs.insert(within(course, path), State::of(path).ok()?);
        }
        Some(record)
    }

    /// The record with present states, if nothing has changed since.
    fn if_same(&self, course: &Path) -> Option<Self> {
        if self.is_open || self.variables.iter().any(|(name, value)| variable(name) != *value) {
            return None;
        }
        let (inputs, outputs) = (same(&self.inputs, course)?, same(&self.outputs, course)?);
        Some(Self { inputs, outputs, ..self.clone() })
    }

    /// What was read, apart from compilers.
    pub(super) fn sources(self, course: &Path) -> impl Iterator<Item = PathBuf> {
        let sources =
            self.inputs.into_iter().filter(|(_, state)| !matches!(state, State::Tool(..)));
        sources.map(|(path, _)| course.join(path))
    }

    fn states(&self) -> impl Iterator<Item = &State> {
        self.inputs.values().chain(self.outputs.values())
    }

    /// The record in a file, if it is whole.
    pub(super) fn read(file: &Path) -> Option<Self> {
        let text = fs::read_to_string(file).ok()?;
        let (hash, json) = text.split_once('\n')?;
        (hash == checksum(json)).then(|| serde_json::from_str(json).ok()).flatten()
    }

    fn write(&self, file: &Path) -> std::io::Result<()> {
        // A path that is not text cannot be recorded, so this build is repeated the next time.
        let Ok(json) = serde_json::to_string(self) else { return Ok(()) };
        fs::create_dir_all(files::folder_of(file))?;
        files::replace(file, format!("{}\n{json}", checksum(&json)).as_bytes())
    }
}

fn checksum(json: &str) -> String {
    format!("{:016x}", fnv1a(json.as_bytes()))
}

fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// The path relative to `course`, if it is in it.
fn within(course: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(course).unwrap_or(path).to_owned()
}

/// The present states, if all files are as they were.
fn same(states: &BTreeMap<PathBuf, State>, course: &Path) -> Option<BTreeMap<PathBuf, State>> {
    let present =
        states.iter().map(|(path, state)| Some((path.clone(), state.if_same(&course.join(path))?)));
    present.collect()
}
