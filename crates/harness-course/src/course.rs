//! The course file, `harness.yaml`: the assignments, and how their programs are built, run and scored.
//!
//! Reading it checks everything that can be checked without building or running a program, and reports all problems at once.

pub mod cases;
mod check;
mod feedback;
mod input;
mod inspector;
mod judge;
pub mod language;
mod limits;
pub mod pattern;
mod points;
mod raw;
mod refused;
pub mod submission;
mod thresholds;
mod unit;
mod validator;
pub mod yaml;

pub use feedback::{Audience, Feedback, HintQuota, Level, Secret};
pub use inspector::{Inspector, Role};
pub use judge::{Checker, Judge, Protocol};
pub use language::{Language, LanguageRules, Tool};
pub use points::Points;
pub use submission::{CaseLevel, Submission};
pub use unit::{Framework, UnitTests};
pub use validator::{Rule, Validator};

use crate::course::yaml::Source;
use crate::diagnostic::similar_path;
use crate::diagnostic::{Failure, FailureKind, Problem, did_you_mean};
use crate::domain::{Domain, Generator, Mistakes, Refusals, TestRules};
use check::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, iter};
use walkdir::WalkDir;

pub const FILE: &str = "harness.yaml";
/// The settings of the server, beside the course file. They are no part of the course.
pub const SERVER_FILE: &str = "serve.yaml";

/// The folder of the course that the current folder is in: the nearest one with a course file, going up. `.` if there is none.
pub fn nearest() -> PathBuf {
    let up = |levels| iter::repeat_n("..", levels).collect::<PathBuf>();
    let current = env::current_dir().unwrap_or_default();
    match current.ancestors().position(|folder| folder.join(FILE).is_file()) {
        Some(levels) if levels > 0 => up(levels),
        _ => PathBuf::from("."),
    }
}

pub struct Course {
    pub title: String,
    /// The course file.
    pub file: PathBuf,
    /// The folder of the course file. Paths in the file are relative to it.
    pub folder: PathBuf,
    /// The assignments in the order of the file.
    pub assignments: Vec<Assignment>,
}

#[derive(Clone)]
pub struct Assignment {
    /// The key in the course file.
    pub id: String,
    pub title: String,
    pub domain: Arc<dyn Domain>,
    /// How its variants are built and run.
    pub program: AssignmentProgram,
    /// Other right programs, if tests are inputs: a source each, or a folder of them.
    pub references: Vec<PathBuf>,
    /// A folder of valid tests, near which a search looks for others.
    pub corpus: Option<PathBuf>,
    /// The folder of the catalogue.
    pub mutants: PathBuf,
    /// Which outputs are right.
    pub judge: Judge,
    /// The file of the shape of the inputs, if they have one of their own.
    pub shape: Option<PathBuf>,
    /// What decides, beside the reference, which inputs are valid.
    pub validators: Vec<Validator>,
    pub tests: TestRules,
    /// The tests, if they are programs.
    pub unit: Option<UnitTests>,
    /// Which of the inputs that the reference refuses are tests.
    pub refusals: Refusals,
    /// Makes inputs with mistakes, if they are tests.
    pub mistakes: Option<Arc<Mistakes>>,
    pub run: RunLimits,
    pub scoring: Scoring,
    pub feedback: Feedback,
    /// How whole submissions are graded, if they are.
    pub submission: Option<Submission>,
}

impl Assignment {
    /// Makes inputs that may be tests, if the domain can make any.
    pub fn generator(&self) -> Option<&dyn Generator> {
        match &self.mistakes {
            Some(mistakes) => Some(&**mistakes),
            None => self.domain.generator(),
        }
    }

    /// The source of the mutant `id` if it is a program of its own, in any language: a file or a folder with its name, in the folder of
    /// the catalogue.
    pub fn own_program(&self, id: &str) -> Option<PathBuf> {
        let AssignmentProgram::Sources(_) = &self.program else { return None };
        let mut right = (0..self.references.len()).filter(|&at| Self::id_of_reference(at) == id);
        if let Some(at) = right.next() {
            return Some(self.references[at].clone());
        }
        let extensions = Language::ALL.iter().flat_map(|language| language.extensions());
        let named = extensions.map(|extension| self.mutants.join(format!("{id}.{extension}")));
        named.chain([self.mutants.join(id)]).find(|path| path.exists())
    }

    /// What stands for the id of a mutant where another right program is built and run. No mutant has such an id.
    pub fn id_of_reference(at: usize) -> String {
        format!("right--{}", at + 1)
    }

    /// The sources of the program of its own at `path`: that file, or those in that folder. `None` if there are none.
    pub fn own_sources(&self, path: &Path) -> Option<Sources> {
        let AssignmentProgram::Sources(sources) = &self.program else { return None };
        let main = sources.files.first().and_then(|file| file.file_name());
        let found = Sources::at(path, sources.language, main)?;
        let is_same = found.language == sources.language;
        let flags = if is_same { sources.flags.clone() } else { Vec::new() };
        Some(Sources { flags, ..found })
    }

    /// The most kilobytes that a student may hand in.
    pub fn most_kilobytes(&self) -> u64 {
        let submission = self.submission.as_ref();
        submission.map_or_else(submission::usual_kilobytes, |it| it.kilobytes)
    }
}

/// How the variants of an assignment are built and run.
#[derive(Clone, Debug)]
pub enum AssignmentProgram {
    /// A crate that links `subject`; its mutants are its features.
    Cargo(Package),
    /// Source files in a language that `harness` compiles or runs itself.
    Sources(Sources),
    /// Any other program: commands for the reference and for a mutant.
    Commands {
        reference: Commands,
        /// The placeholder `{mutant}` stands for the mutant's id.
        mutant: Commands,
        /// Files and folders that the commands read, as far as the course file declares them.
        sources: Vec<PathBuf>,
    },
}

impl AssignmentProgram {
    /// Whether one build holds every mutant.
    pub fn has_combined_build(&self) -> bool {
        match self {
            Self::Cargo(_) | Self::Sources(_) => true,
            Self::Commands { .. } => false,
        }
    }

    /// Whether Cargo builds it.
    pub fn needs_cargo(&self) -> bool {
        matches!(self, Self::Cargo(_))
    }

    /// The folder of its source, if the course file names one.
    pub fn source(&self) -> Option<&Path> {
        match self {
            Self::Cargo(package) => Some(&package.folder),
            Self::Sources(sources) => sources.files.first().and_then(|file| file.parent()),
            Self::Commands { .. } => None,
        }
    }
}

/// Source files of one program. Its mutants are the `BUG`s in them, and programs of their own in the folder of the catalogue.
#[derive(Clone, Debug)]
pub struct Sources {
    pub language: Language,
    /// The files that are compiled together. In Python and Java, the first one is the program, and the others lie beside it.
    pub files: Vec<PathBuf>,
    /// Options of the compiler or interpreter.
    pub flags: Vec<String>,
}

impl Sources {
    /// The sources of the program at `path`: that file, or those in that folder. In a folder with several languages, `first` counts
    /// before the others. The file that starts the program comes first: the one with the name `main`, or else the one called `main`.
    pub fn at(path: &Path, first: Language, main: Option<&OsStr>) -> Option<Self> {
        let entries = WalkDir::new(path).into_iter().filter_map(Result::ok);
        let entries = entries.filter(|entry| entry.file_type().is_file());
        let all: Vec<_> = entries.map(walkdir::DirEntry::into_path).collect();
        let languages = [first].into_iter().chain(Language::ALL);
        let has_source = |language: &Language| all.iter().any(|file| language.has_source(file));
        let language = languages.into_iter().find(has_source)?;
        let mut files: Vec<_> = all.into_iter().filter(|file| language.has_source(file)).collect();
        let is_called_main =
            |file: &Path| file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("main"));
        files.sort_by_cached_key(|file| {
            (file.file_name() != main, !is_called_main(file), file.clone())
        });
        Some(Self { language, files, flags: Vec::new() })
    }
}

/// A crate that links `subject`.
#[derive(Clone, Debug)]
pub struct Package {
    pub folder: PathBuf,
    /// The name of its program, if the crate has several.
    pub binary: Option<String>,
    /// Features that are not mutants, enabled in every build.
    pub features: Vec<String>,
}

/// Command lines as lists of words. No shell interprets them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Builds the variant; may be empty.
    #[serde(default)]
    pub build: Vec<String>,
    /// Runs the variant. The arguments of the case are appended.
    pub run: Vec<String>,
}

/// What a run may use. All have a default.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunLimits {
    /// Steps (of `tick!`) that a mutant may always take, however few the reference took.
    pub steps: u64,
    /// A mutant may take this many times the steps or the time of the reference.
    pub factor: u64,
    /// Steps that the reference itself may take, if programs count steps. A test that needs more is rejected.
    pub reference_steps: u64,
    /// Seconds of processor time and sleep that a run may always take, however fast the reference was.
    #[serde(deserialize_with = "limits::seconds")]
    pub seconds: f64,
    /// Megabytes (2^20 bytes) of memory.
    #[serde(deserialize_with = "limits::memory")]
    pub memory_mb: u64,
    /// Kilobytes (2^10 bytes) of output.
    #[serde(deserialize_with = "limits::memory")]
    pub output_kb: u64,
    /// Processes that one run may have at the same time.
    #[serde(deserialize_with = "limits::processes")]
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

/// The scoring: thresholds, and points.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    /// What earns the first points.
    pub start: Points,
    /// What earns all points.
    pub full: Points,
    /// What earns an additional submission a day, if the course gives any.
    #[serde(default)]
    pub extra_submission: Option<Points>,
    /// What the thresholds count.
    #[serde(default)]
    pub thresholds: ThresholdsIn,
    /// The maximum points. Without it, a suite earns the points of the mutants that it exposes.
    #[serde(default)]
    pub points: Option<f64>,
    /// What counts as one bug.
    #[serde(default)]
    pub by: ScoredBy,
    /// The number of bugs that a unit test may expose. One that exposes more is credited with none. Absent if any number counts.
    #[serde(default)]
    pub bugs_per_test: Option<u32>,
}

/// What the thresholds of a scoring count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ThresholdsIn {
    /// The exposed bugs.
    #[default]
    Bugs,
    /// The points of the exposed bugs.
    Points,
}

impl ThresholdsIn {
    /// For serde, which passes a reference.
    pub fn are_bugs(&self) -> bool {
        *self == Self::Bugs
    }
}

/// What counts as one bug in a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScoredBy {
    /// Each mutant.
    #[default]
    Mutants,
    /// All mutants with the same `behaviour:` together, and each mutant without one.
    Behaviours,
}

impl ScoredBy {
    /// Whether each mutant counts.
    pub fn is_mutants(&self) -> bool {
        *self == Self::Mutants
    }
}

impl Course {
    /// Reads the course file `path`, or the one in the folder `path`.
    ///
    /// # Errors
    /// With all problems of the file, each with its line.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        if !file.exists() {
            let hint = similar_path::hint(path).unwrap_or_else(|| {
                // `init` refuses a folder that is not empty.
                let folder = if path.is_dir() { "DIR".into() } else { path.to_string_lossy() };
                format!("give its path with --course, or create one with `harness init {folder}`")
            });
            return Err(Failure::usage(
                Problem::new(format!("there is no course file {}", file.display())).hint(hint),
            ));
        }
        Self::of(&Source::read(&file).map_err(in_course_file)?)
    }

    /// The course that a course file describes.
    fn of(source: &Source) -> Result<Self, Failure> {
        let file = source.path.clone();
        let written: raw::Course = source.parse().map_err(in_course_file)?;
        let folder = file
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned();
        let mut check = Check { source, folder: &folder, problems: Vec::new() };
        let assignments: Vec<_> = written
            .assignments
            .0
            .into_iter()
            .filter_map(|(id, assignment)| check.assignment(id, assignment))
            .collect();
        let problems = check.problems;
        if !problems.is_empty() {
            return Err(Failure { kind: FailureKind::CourseFile, problems });
        }
        Ok(Self { title: written.course, file, folder, assignments })
    }

    /// The assignment `id`, or the course's only one.
    ///
    /// # Errors
    /// If there is no such assignment, or no `id` and several assignments.
    pub fn assignment_or_only(&self, id: Option<&str>) -> Result<&Assignment, Failure> {
        match (id, self.assignments.as_slice()) {
            (Some(id), _) => self.assignment(id),
            (None, [only]) => Ok(only),
            (None, all) => {
                let ids: Vec<_> = all.iter().map(|assignment| assignment.id.as_str()).collect();
                let hint = format!("choose one with --assignment: {}", ids.join(", "));
                Err(Failure::usage(
                    Problem::new("the course has more than one assignment").hint(hint),
                ))
            }
        }
    }

    ///
    /// # Errors
    /// If there is no such assignment, with the most similar id.
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
fn in_course_file(problem: Problem) -> Failure {
    Failure::new(FailureKind::CourseFile, problem)
}
