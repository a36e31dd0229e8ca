//! Which lines of a program its runs reach, for programs in C, C++ and Python.
//!
//! A program in C or C++ is compiled with `--coverage`, and each of its runs leaves counts in the folder in which it began. `gcov` reads
//! them beside the *notes* of the compiler. A program in Python is followed while it runs. Whoever wrote the program can forge what its
//! runs say, so nothing depends on it: it is information.

mod gcov;
mod traced;

pub use gcov::Notes;
pub use traced::Traced;

use super::process::{self, ProcessLimits};
use crate::run::build::Runnable;
use crate::run::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use subject::Case;

/// Lines by the name of their file.
pub type Lines = BTreeMap<String, BTreeSet<usize>>;

/// The lines of a program, and those that runs reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Lines that can be reached.
    pub code: Lines,
    pub reached: Lines,
}

impl Coverage {
    /// Adds the lines of other runs, or of another part of the program.
    pub fn add(&mut self, other: Self) {
        for (all, more) in [(&mut self.code, other.code), (&mut self.reached, other.reached)] {
            for (file, lines) in more {
                all.entry(file).or_default().extend(lines);
            }
        }
    }

    /// The files in `folder`, whose names begin there.
    #[must_use]
    pub fn below(self, folder: &Path) -> Self {
        let below = |lines: Lines| {
            let named = |(file, lines): (String, BTreeSet<usize>)| {
                let name = Path::new(&file).strip_prefix(folder).ok()?;
                Some((name.to_string_lossy().into_owned(), lines))
            };
            lines.into_iter().filter_map(named).collect()
        };
        Self { code: below(self.code), reached: below(self.reached) }
    }

    /// The lines that can be reached and were not.
    pub fn missed(&self) -> Lines {
        let missed = self.code.iter().map(|(file, code)| {
            let reached = self.reached.get(file);
            let is_missed = |line: &&usize| !reached.is_some_and(|all| all.contains(*line));
            (file.clone(), code.iter().filter(is_missed).copied().collect())
        });
        missed.filter(|(_, lines): &(String, BTreeSet<usize>)| !lines.is_empty()).collect()
    }
}

/// The files that tell which lines a run reached, by name.
pub type Counts = BTreeMap<String, Vec<u8>>;

/// A file that a run finds, so that what it leaves beside it is looked at.
const MARK: &str = ".lines";

/// Runs a program on a case, and gives what it left that tells its lines.
///
/// # Errors
/// If it cannot be started.
pub fn run(
    work: &Work,
    program: &Runnable,
    case: &Case,
    limits: &ProcessLimits,
) -> io::Result<Counts> {
    let mut case = case.clone();
    case.files.insert(MARK.to_owned(), Vec::new());
    let (outcome, _) = process::run_among_others(work, program, &case, limits)?;
    let tells = |name: &str| name == traced::LEFT || gcov::is_counts(name);
    Ok(outcome.files.into_iter().filter(|(name, _)| tells(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(of: &[(&str, &[usize])]) -> Lines {
        of.iter()
            .map(|(file, lines)| ((*file).to_owned(), lines.iter().copied().collect()))
            .collect()
    }

    #[test]
    fn a_line_is_missed_if_no_run_reaches_it() {
        let code = lines(&[("a.c", &[1, 2, 3]), ("b.c", &[7])]);
        let mut coverage = Coverage { code, reached: lines(&[("a.c", &[1])]) };
        coverage
            .add(Coverage { code: Lines::new(), reached: lines(&[("a.c", &[3]), ("b.c", &[7])]) });
        assert_eq!(coverage.missed(), lines(&[("a.c", &[2])]));
    }
}
