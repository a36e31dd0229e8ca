//! The course file, `harness.yaml`: what an instructor hands out, runs and scores.
//!
//! Reading it checks everything that can be checked without building or running anything, and reports all that is wrong at once.

mod feedback;

pub use feedback::{Audience, Feedback, Level, Ration, Secret};

use crate::domain::{self, Domain, Limits};
use crate::nearby;
use crate::problem::{Exit, Failure, Problem, nearest};
use crate::yaml::{Entries, Source, Spanned};
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

/// What a student may hand in.
#[derive(Clone, Debug)]
pub struct TestRules {
    /// How many files at most; the number in a name goes from 1 to this.
    pub files: u32,
    /// Bytes of one file at most.
    pub bytes: u64,
    /// Whether CRLF becomes LF before a program sees it.
    pub convert_crlf: bool,
    /// The domain's limits on what a file describes.
    pub limits: Limits,
    /// The groups of flags, in the order in which they are listed.
    pub groups: Vec<FlagGroup>,
    /// Whether the letters must stand in the order of their groups.
    pub ordered: bool,
    /// The numbers that follow the flags in a name, each behind a `-`: what each stands for.
    pub parameters: Vec<String>,
}

/// Letters of which a name holds at most one.
#[derive(Clone, Debug)]
pub struct FlagGroup {
    /// What the group chooses.
    pub name: String,
    /// Whether a name must hold one of its letters.
    pub required: bool,
    /// The letters.
    pub letters: Vec<Flag>,
}

/// One letter in a test's name.
#[derive(Clone, Debug)]
pub struct Flag {
    /// The letter.
    pub letter: char,
    /// The option that it stands for in its long form: a name, and an argument if there is one.
    pub long: Vec<String>,
    /// The same in its short form.
    pub short: Vec<String>,
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
            return Err(Failure::usage(Problem::new(format!("there is no course file {}", file.display())).hint(hint)));
        }
        let source = Source::read(&file).map_err(Failure::usage)?;
        let written: written::Course = source.parse().map_err(Failure::usage)?;
        let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        let mut check = Check { source: &source, folder: &folder, problems: Vec::new() };
        let assignments: Vec<_> =
            written.assignments.0.into_iter().filter_map(|(id, assignment)| check.assignment(id, assignment)).collect();
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
                Err(Failure::usage(Problem::new("it is not clear which assignment is meant").hint(hint)))
            }
        }
    }

    /// The assignment `id`.
    ///
    /// # Errors
    /// With the nearest id, where there is no such assignment.
    pub fn assignment(&self, id: &str) -> Result<&Assignment, Failure> {
        self.assignments.iter().find(|assignment| assignment.id == id).ok_or_else(|| {
            let ids: Vec<_> = self.assignments.iter().map(|assignment| assignment.id.as_str()).collect();
            let hint = match nearest(id, ids.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the assignments are {}", ids.join(", ")),
            };
            Failure::usage(Problem::new(format!("there is no assignment `{id}`")).hint(hint))
        })
    }
}

/// The file as it is written; what it means is in the types above.
mod written {
    use super::{Commands, Deserialize, Entries, Feedback, PathBuf, RunLimits, Scoring, Spanned};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Course {
        pub(super) course: String,
        pub(super) assignments: Entries<Assignment>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Assignment {
        pub(super) title: Option<String>,
        pub(super) domain: Spanned<String>,
        pub(super) program: Spanned<Program>,
        pub(super) mutants: Spanned<PathBuf>,
        pub(super) tests: Tests,
        #[serde(default)]
        pub(super) run: RunLimits,
        pub(super) scoring: Spanned<Scoring>,
        #[serde(default)]
        pub(super) feedback: Feedback,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Program {
        pub(super) cargo: Option<Spanned<PathBuf>>,
        pub(super) binary: Option<String>,
        #[serde(default)]
        pub(super) features: Vec<String>,
        pub(super) reference: Option<Commands>,
        pub(super) mutant: Option<Commands>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Tests {
        pub(super) files: Spanned<u32>,
        #[serde(default = "kilobytes_64")]
        pub(super) bytes: u64,
        #[serde(default)]
        pub(super) crlf: Crlf,
        #[serde(default = "no_limits")]
        pub(super) limits: Entries<Spanned<u64>>,
        #[serde(default)]
        pub(super) order: Order,
        pub(super) flags: Vec<Group>,
        #[serde(default)]
        pub(super) parameters: Vec<String>,
    }

    fn kilobytes_64() -> u64 {
        1 << 16
    }

    fn no_limits() -> Entries<Spanned<u64>> {
        Entries(Vec::new())
    }

    #[derive(Deserialize, Default, PartialEq)]
    #[serde(rename_all = "lowercase")]
    pub(super) enum Crlf {
        #[default]
        Convert,
        Keep,
    }

    #[derive(Deserialize, Default, PartialEq)]
    #[serde(rename_all = "lowercase")]
    pub(super) enum Order {
        #[default]
        Listed,
        Any,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Group {
        pub(super) group: String,
        #[serde(default)]
        pub(super) required: bool,
        pub(super) letters: Entries<Spanned<Spelling>>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Spelling {
        #[serde(default)]
        pub(super) long: String,
        #[serde(default)]
        pub(super) short: String,
    }
}

/// Turns what is written into what it means, and collects what is wrong.
struct Check<'a> {
    source: &'a Source,
    folder: &'a Path,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn assignment(&mut self, id: String, written: written::Assignment) -> Option<Assignment> {
        let domain = self.domain(&written.domain);
        let program = self.program(&written.program);
        let mutants = self.folder_at(&written.mutants);
        let limits = self.limits(domain?, &written.tests.limits);
        let groups = self.groups(&written.tests.flags);
        self.scoring(&written.scoring);
        if written.tests.files.value == 0 {
            self.problems.push(self.source.problem(&written.tests.files, "a suite holds at least one file"));
        }
        let tests = TestRules {
            files: written.tests.files.value,
            bytes: written.tests.bytes,
            convert_crlf: written.tests.crlf == written::Crlf::Convert,
            limits: limits?,
            groups,
            ordered: written.tests.order == written::Order::Listed,
            parameters: written.tests.parameters.clone(),
        };
        Some(Assignment {
            title: written.title.unwrap_or_else(|| id.clone()),
            id,
            domain: domain?,
            program: program?,
            mutants: mutants?,
            tests,
            run: written.run,
            scoring: written.scoring.value,
            feedback: written.feedback,
        })
    }

    fn domain(&mut self, name: &Spanned<String>) -> Option<&'static dyn Domain> {
        let found = domain::named(&name.value);
        if found.is_none() {
            let hint = match nearest(&name.value, domain::names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the domains are {}", domain::names().collect::<Vec<_>>().join(", ")),
            };
            self.problems.push(self.source.problem(name, format!("there is no domain `{}`", name.value)).hint(hint));
        }
        found
    }

    fn program(&mut self, program: &Spanned<written::Program>) -> Option<Program> {
        match &program.value {
            written::Program { cargo: Some(folder), binary, features, reference: None, mutant: None } => {
                let package = self.folder_at(folder)?;
                if !package.join("Cargo.toml").is_file() {
                    let message = format!("there is no Cargo.toml in {}", package.display());
                    self.problems.push(self.source.problem(folder, message));
                    return None;
                }
                Some(Program::Cargo(Package { folder: package, binary: binary.clone(), features: features.clone() }))
            }
            written::Program { cargo: None, reference: Some(reference), mutant: Some(mutant), .. } => {
                Some(Program::Commands { reference: reference.clone(), mutant: mutant.clone() })
            }
            _ => {
                let hint = "a program has either `cargo:`, or both `reference:` and `mutant:`";
                self.problems.push(self.source.problem(program, "it is not clear how to build this program").hint(hint));
                None
            }
        }
    }

    fn folder_at(&mut self, path: &Spanned<PathBuf>) -> Option<PathBuf> {
        let folder = self.folder.join(&path.value);
        if folder.is_dir() {
            return Some(folder);
        }
        let hint =
            nearby::hint_in(self.folder, &path.value).unwrap_or_else(|| format!("paths are relative to the folder of {FILE}"));
        let message = format!("there is no folder {}", path.value.display());
        self.problems.push(self.source.problem(path, message).hint(hint));
        None
    }

    fn limits(&mut self, domain: &dyn Domain, written: &Entries<Spanned<u64>>) -> Option<Limits> {
        let known: Vec<_> = domain.limits().iter().map(|limit| limit.name).collect();
        let mut limits: Limits = domain.limits().iter().map(|limit| (limit.name, limit.default)).collect();
        let mut fine = true;
        for (name, value) in &written.0 {
            if let Some(known) = known.iter().find(|known| *known == name) {
                limits.insert(known, value.value);
                continue;
            }
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => format!("the domain `{}` has no limits", domain.name()),
                None => format!("the limits of `{}` are {}", domain.name(), known.join(", ")),
            };
            self.problems.push(self.source.problem(value, format!("there is no limit `{name}`")).hint(hint));
            fine = false;
        }
        fine.then_some(limits)
    }

    fn groups(&mut self, written: &[written::Group]) -> Vec<FlagGroup> {
        let mut taken: Vec<String> = Vec::new();
        let mut groups = Vec::new();
        for group in written {
            let mut letters = Vec::new();
            for (letter, spelling) in &group.letters.0 {
                if let Some(problem) = self.bad_letter(letter, spelling, &taken) {
                    self.problems.push(problem);
                }
                taken.push(letter.clone());
                let words = |option: &str| option.split_whitespace().map(str::to_owned).collect();
                letters.extend(letter.chars().next().map(|letter| Flag {
                    letter,
                    long: words(&spelling.value.long),
                    short: words(&spelling.value.short),
                }));
            }
            groups.push(FlagGroup { name: group.group.clone(), required: group.required, letters });
        }
        groups
    }

    fn bad_letter(&self, letter: &str, spelling: &Spanned<written::Spelling>, taken: &[String]) -> Option<Problem> {
        if letter.len() != 1 || !letter.chars().all(|c| c.is_ascii_alphabetic()) {
            return Some(self.source.problem(spelling, format!("`{letter}` is not one ASCII letter")));
        }
        if taken.iter().any(|other| other == letter) {
            return Some(self.source.problem(spelling, format!("the letter `{letter}` stands twice")));
        }
        let (long, short) = (&spelling.value.long, &spelling.value.short);
        let is_no_option = long.is_empty() && short.is_empty();
        let is_option = long.starts_with('-') && short.starts_with('-');
        if !is_no_option && !is_option {
            let hint = "for example { long: --output list, short: -o list }, or { } for a letter that stands for no option";
            return Some(self.source.problem(spelling, format!("`{letter}` has no long and short option")).hint(hint));
        }
        None
    }

    fn scoring(&mut self, scoring: &Spanned<Scoring>) {
        let Scoring { start, full, .. } = scoring.value;
        if full == 0 || start > full {
            let message = format!("the points start at {start} bugs and are full at {full}");
            self.problems.push(self.source.problem(scoring, message).hint("start is at most full, and full at least 1"));
        }
    }
}
