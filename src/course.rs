//! The course file, `harness.yaml`: what an instructor hands out, runs and scores.
//!
//! Reading it checks everything that can be checked without building or running anything, and reports all that is wrong at once.

mod check;
mod feedback;
mod raw;
pub mod yaml;

pub use feedback::{Audience, Feedback, Level, Ration, Secret};

use crate::course::yaml::Source;
use crate::domain::{Domain, TestRules};
use crate::problem::nearby;
use crate::problem::{Exit, Failure, Problem, did_you_mean};
use check::Check;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The course file's name.
pub const FILE: &str = "harness.yaml";

/// What one course file describes.
pub struct Course {
    /// Its title.
    pub title: String,
    /// The folder of the course file; every path in it is relative to this.
    pub folder: PathBuf,
    /// The assignments, in the order of the file.
    pub assignments: Vec<Assignment>,
}

/// One problem of the course.
pub struct Assignment {
    /// Its key in the course file.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What the harness knows of its inputs.
    pub domain: &'static dyn Domain,
    /// How its variants are built and run.
    pub program: Program,
    /// The folder of its mutants.
    pub mutants: PathBuf,
    /// What a student may hand in.
    pub tests: TestRules,
    /// What a run may use.
    pub run: RunLimits,
    /// Thresholds and points.
    pub scoring: Scoring,
    /// What each reader sees.
    pub feedback: Feedback,
}

/// How the variants of an assignment are built and run.
#[derive(Clone, Debug)]
pub enum Program {
    /// A crate that links `subject`; its mutants are its features.
    Cargo(Package),
    /// Any program: commands for the reference and for a mutant.
    Commands {
        /// How the reference is built and run.
        reference: Commands,
        /// The same for a mutant, where `{mutant}` stands for its id.
        mutant: Commands,
    },
}

impl Program {
    /// Whether one build holds every mutant.
    pub fn has_combined_build(&self) -> bool {
        matches!(self, Self::Cargo(_))
    }

    /// Whether Cargo builds it.
    pub fn needs_cargo(&self) -> bool {
        matches!(self, Self::Cargo(_))
    }

    /// The folder of its source, if the course file names one.
    pub fn source(&self) -> Option<&Path> {
        match self {
            Self::Cargo(package) => Some(&package.folder),
            Self::Commands { .. } => None,
        }
    }
}

/// A crate that links `subject`.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its folder.
    pub folder: PathBuf,
    /// The name of its program, where it has several.
    pub binary: Option<String>,
    /// Features that are no mutants, and on in every build.
    pub features: Vec<String>,
}

/// Command lines, word by word; no shell reads them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Builds the variant, if it needs that.
    #[serde(default)]
    pub build: Vec<String>,
    /// Runs it; the arguments of the case are appended.
    pub run: Vec<String>,
}

/// What a run may use. All have a default.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunLimits {
    /// A mutant may take this many steps (of `tick!`) however few the reference took.
    pub steps: u64,
    /// A mutant may take this many times the steps, or the time, of the reference.
    pub factor: u64,
    /// Steps that the reference may take itself, where the programs count them: a test that asks for more is rejected.
    pub reference_steps: u64,
    /// Seconds of wall clock that every run may take however fast the reference was.
    pub seconds: f64,
    /// Megabytes (2^20 bytes) of memory.
    pub memory_mb: u64,
    /// Kilobytes (2^10 bytes) of output.
    pub output_kb: u64,
    /// Processes of one run at the same time.
    pub processes: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            steps: 50_000,
            factor: 16,
            reference_steps: u64::MAX,
            seconds: 2.0,
            memory_mb: 1024,
            output_kb: 1024,
            processes: 32,
        }
    }
}

/// Thresholds in bugs exposed, and points.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    /// The number of bugs that earns the first points.
    pub start: u32,
    /// The number of bugs that earns all points.
    pub full: u32,
    /// The number of bugs that earns one more submission a day, where the course gives any.
    #[serde(default)]
    pub extra_submission: Option<u32>,
    /// All the points. Without it, a suite earns the points of the mutants that it exposes.
    #[serde(default)]
    pub points: Option<f64>,
}

impl Course {
    /// Reads the course file `path`, or the one in the folder `path`.
    ///
    /// # Errors
    /// With every problem of the file, each with its line.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        if !file.exists() {
            let hint = nearby::hint(path).unwrap_or_else(|| {
                // `init` writes into no folder that holds anything.
                let folder = if path.is_dir() { "DIR".into() } else { path.to_string_lossy() };
                format!("name the course file with --course, or write a new one with `harness init {folder}`")
            });
            return Err(Failure::usage(
                Problem::new(format!("there is no course file {}", file.display())).hint(hint),
            ));
        }
        let source = Source::read(&file).map_err(Failure::usage)?;
        let written: raw::Course = source.parse().map_err(Failure::usage)?;
        let folder = file
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned();
        let mut check = Check { source: &source, folder: &folder, problems: Vec::new() };
        let assignments: Vec<_> = written
            .assignments
            .0
            .into_iter()
            .filter_map(|(id, assignment)| check.assignment(id, assignment))
            .collect();
        let problems = check.problems;
        if !problems.is_empty() {
            return Err(Failure { exit: Exit::Usage, problems });
        }
        Ok(Self { title: written.course, folder, assignments })
    }

    /// The assignment `id`, or the only one.
    ///
    /// # Errors
    /// Where there is no such assignment, or more than one.
    pub fn assignment_or_only(&self, id: Option<&str>) -> Result<&Assignment, Failure> {
        match (id, self.assignments.as_slice()) {
            (Some(id), _) => self.assignment(id),
            (None, [only]) => Ok(only),
            (None, all) => {
                let ids: Vec<_> = all.iter().map(|assignment| assignment.id.as_str()).collect();
                let hint = format!("name it with --assignment: {}", ids.join(", "));
                Err(Failure::usage(
                    Problem::new("it is not clear which assignment is meant").hint(hint),
                ))
            }
        }
    }

    /// The assignment `id`.
    ///
    /// # Errors
    /// With the nearest id, where there is no such assignment.
    pub fn assignment(&self, id: &str) -> Result<&Assignment, Failure> {
        self.assignments.iter().find(|assignment| assignment.id == id).ok_or_else(|| {
            let ids: Vec<_> =
                self.assignments.iter().map(|assignment| assignment.id.as_str()).collect();
            let all = || format!("the assignments are {}", ids.join(", "));
            let hint = did_you_mean(id, ids.iter().copied()).unwrap_or_else(all);
            Failure::usage(Problem::new(format!("there is no assignment `{id}`")).hint(hint))
        })
    }
}
