//! What `gcov` says of the counts that runs of a program in C or C++ left. It reads what the program wrote, so it runs as a hostile
//! program does.

use super::{Counts, Coverage};
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::files;
use crate::run::build::Runnable;
use crate::run::process::{self, ProcessLimits};
use crate::run::work::Work;
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;
use subject::{Case, End};

const TOOL: &str = "gcov";
const LIMITS: ProcessLimits = ProcessLimits {
    time: Duration::from_secs(30),
    wall: Duration::from_secs(120),
    memory: 1 << 30,
    output: 256 << 20,
    processes: 4,
};
/// How many runs one call reads.
const AT_ONCE: usize = 64;

/// What the compiler wrote about each source of a program: its lines, in the order in which they follow each other.
#[derive(Clone, Debug, Default)]
pub struct Notes(Vec<(String, Vec<u8>)>);

#[derive(Deserialize)]
struct Said {
    data_file: String,
    files: Vec<SaidOfFile>,
}

#[derive(Deserialize)]
struct SaidOfFile {
    file: String,
    lines: Vec<SaidOfLine>,
}

#[derive(Deserialize)]
struct SaidOfLine {
    line_number: usize,
    count: i64,
}

/// Whether a file with this name has counts.
pub(super) fn is_counts(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "gcda")
}

impl Notes {
    /// The notes that lie in a folder.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let read = || -> io::Result<Vec<_>> {
            let mut notes = Vec::new();
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|it| it == "gcno") && path.is_file() {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    notes.push((name, fs::read(&path)?));
                }
            }
            notes.sort();
            Ok(notes)
        };
        let notes = read()
            .map_err(|error| Failure::machine(format!("read {}", folder.display()), error))?;
        Ok(Self(notes))
    }

    /// What each of these runs reached of the files below `root`, which the program was compiled from. Their names begin there.
    ///
    /// # Errors
    /// If `gcov` cannot be started.
    pub fn coverage(
        &self,
        work: &Work,
        root: &Path,
        runs: &[Counts],
    ) -> Result<Vec<Coverage>, Failure> {
        let mut all = Vec::with_capacity(runs.len());
        for runs in runs.chunks(AT_ONCE) {
            all.extend(self.some(work, root, runs)?);
        }
        Ok(all)
    }

    fn some(&self, work: &Work, root: &Path, runs: &[Counts]) -> Result<Vec<Coverage>, Failure> {
        let place = files::temporary_folder()
            .and_then(|place| self.lay(place.path(), runs).map(|()| place))
            .map_err(|error| Failure::machine("write a temporary file", error))?;
        let mut words = [TOOL, "--json-format", "--stdout", "--relative-only", "--source-prefix"]
            .map(str::to_owned)
            .to_vec();
        words.push(root.to_string_lossy().into_owned());
        let notes = |at: usize| self.0.iter().map(move |(name, _)| format!("{at}/{name}"));
        words.extend((0..runs.len()).flat_map(notes));
        let tool = Runnable::new(words, place.path().to_owned()).hostile();
        let outcome = process::run_in_place(work, &tool, &Case::default(), &LIMITS)
            .map_err(|error| process::failure(format!("start `{TOOL}`"), &error))?;
        if outcome.end != End::Exit(0) {
            return Err(failed(&outcome.stderr));
        }
        let mut all = vec![Coverage::default(); runs.len()];
        for line in String::from_utf8_lossy(&outcome.stdout).lines() {
            let Ok(said) = serde_json::from_str::<Said>(line) else { continue };
            let run = said.data_file.split('/').next().and_then(|at| at.parse().ok());
            if let Some(coverage) = run.and_then(|at: usize| all.get_mut(at)) {
                said.files.iter().for_each(|file| add(coverage, root, file));
            }
        }
        Ok(all)
    }

    /// Writes the notes and the counts of each run into a folder of its own.
    fn lay(&self, place: &Path, runs: &[Counts]) -> io::Result<()> {
        for (at, counts) in runs.iter().enumerate() {
            let folder = place.join(at.to_string());
            fs::create_dir(&folder)?;
            for (name, bytes) in &self.0 {
                fs::write(folder.join(name), bytes)?;
                let name = Path::new(name).with_extension("gcda");
                if let Some(bytes) = counts.get(&*name.to_string_lossy()) {
                    fs::write(folder.join(name), bytes)?;
                }
            }
        }
        Ok(())
    }
}

fn add(coverage: &mut Coverage, root: &Path, said: &SaidOfFile) {
    let name = Path::new(&said.file);
    let name = name.strip_prefix(root).unwrap_or(name).to_string_lossy().into_owned();
    let code = coverage.code.entry(name.clone()).or_default();
    code.extend(said.lines.iter().map(|line| line.line_number));
    let reached = said.lines.iter().filter(|line| line.count > 0).map(|line| line.line_number);
    coverage.reached.entry(name).or_default().extend(reached);
}

fn failed(printed: &[u8]) -> Failure {
    let printed = String::from_utf8_lossy(printed);
    let said = printed.lines().last().unwrap_or("it says nothing").to_owned();
    let problem = Problem::new(format!("`{TOOL}` cannot read which lines were reached: {said}"));
    let hint =
        "it must be that of the compiler, GCC 9 or later; a compiler from elsewhere does not do";
    Failure::new(FailureKind::Machine, problem.hint(hint).printable())
}
