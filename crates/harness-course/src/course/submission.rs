//! What an assignment expects of a whole submission: the key `submission` of the course file. Every default is what the courses'
//! documents ask for.

mod build;
mod checked;
mod program;
mod rule;
mod usual;

pub use build::{Build, targets};
pub use program::{Program, ProgramLanguage};
pub use rule::{Cost, Rule};

use super::{Audience, Secret, limits};
use crate::course::cases::CaseGroup;
use crate::course::yaml::Entries;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The submission that an assignment expects, and how it is graded.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The program. There is none where only tests are handed in.
    #[serde(default)]
    pub program: Program,
    /// The arguments of the student's program.
    #[serde(default)]
    pub arguments: Arguments,
    /// The text that every source, header and Makefile must hold.
    #[serde(default)]
    pub identifier: Option<String>,
    /// Patterns of the names of allowed files.
    #[serde(default)]
    pub files: Vec<String>,
    /// Files that must be there.
    #[serde(default)]
    needed: Option<Vec<String>>,
    /// The most kilobytes of all files.
    #[serde(default = "usual_kilobytes")]
    pub kilobytes: u64,
    #[serde(default)]
    pub banned: Banned,
    /// Options of the compiler that the Makefile calls.
    #[serde(default)]
    flags: Option<Flags>,
    /// What a finding costs, where it differs from the rule's own cost.
    #[serde(default)]
    pub checks: BTreeMap<Rule, Cost>,
    #[serde(default)]
    pub build: Build,
    /// The file that lists the cases.
    #[serde(rename = "cases", default)]
    pub cases_file: Option<PathBuf>,
    /// The cases, in the order of that file.
    #[serde(skip)]
    pub cases: Vec<CaseGroup>,
    /// Files and folders that a package for a platform holds besides those that the course file names elsewhere.
    #[serde(default)]
    pub pack: Vec<PathBuf>,
    /// Files and folders that students are given, which do not count when works are compared.
    #[serde(default)]
    pub given: Vec<PathBuf>,
    #[serde(default)]
    pub time: Time,
    /// Megabytes of memory that a run may use.
    #[serde(default = "one_gigabyte", deserialize_with = "limits::memory")]
    pub memory_mb: u64,
    /// Kilobytes of output that a run may write.
    #[serde(default = "thirty_two_megabytes", deserialize_with = "limits::memory")]
    pub output_kb: u64,
    /// Kilobytes of standard error above which a program says too much.
    #[serde(default = "sixty_four_kilobytes")]
    pub stderr_kb: u64,
    #[serde(default)]
    pub leaks: Leaks,
    #[serde(default)]
    pub points: Parts,
    /// How much each reader may see of a case.
    #[serde(default)]
    pub feedback: CaseFeedback,
    /// Whose programs a scoreboard shows, if there is one.
    #[serde(default)]
    pub scoreboard: Option<Shown>,
}

/// What a scoreboard calls a student.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    Names,
    /// Pseudonyms that only the holder of this secret can assign.
    Pseudonyms(Secret),
}

/// The program, or one for each of these flags.
#[derive(Clone, Debug)]
pub enum Executables {
    One(String),
    ByFlag(Entries<String>),
}

impl Default for Executables {
    /// No program.
    fn default() -> Self {
        Self::ByFlag(Entries::default())
    }
}

impl Executables {
    /// The program that runs a case with these flags.
    pub fn of(&self, flags: &str) -> &str {
        match self {
            Self::One(name) => name,
            Self::ByFlag(names) => {
                let chosen = names.0.iter().find(|(flag, _)| flags.contains(flag.as_str()));
                chosen.or(names.0.first()).map_or("", |(_, name)| name)
            }
        }
    }

    /// All of them.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::One(name) => vec![name],
            Self::ByFlag(names) => names.0.iter().map(|(_, name)| name.as_str()).collect(),
        }
    }
}

/// The arguments of the student's program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arguments {
    /// Those of the reference.
    #[default]
    Reference,
    /// Only those that the assignment's document defines.
    Document,
}

/// What the code may not contain. In C and C++, as the compiler sees it: without comments and with macros expanded.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Banned {
    /// Headers in `#include <…>`. A name that ends in `/` stands for all headers in that folder.
    headers: Option<Vec<String>>,
    /// What may not be imported in other languages: modules, packages, classes. A name stands for all that is in it.
    pub imports: Vec<String>,
    words: Option<Vec<String>>,
}

impl Banned {
    /// Bans nothing.
    pub fn nothing() -> Self {
        Self { headers: Some(Vec::new()), imports: Vec::new(), words: Some(Vec::new()) }
    }

    pub fn headers(&self) -> &[String] {
        self.headers.as_deref().unwrap_or_default()
    }

    pub fn words(&self) -> &[String] {
        self.words.as_deref().unwrap_or_default()
    }
}

/// Options that every compilation must or may not have. `-g` stands for every option that adds debugging information.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Flags {
    pub required: Vec<String>,
    pub refused: Vec<String>,
}

impl Default for Flags {
    fn default() -> Self {
        Self { required: vec!["-O3".to_owned()], refused: vec!["-g".to_owned()] }
    }
}

impl Submission {
    /// Whether a program is built and run. Otherwise, only tests are handed in.
    pub fn has_program(&self) -> bool {
        !self.program.names().is_empty()
    }

    /// Takes what is usual for unit tests in the files `names`: nothing is built or run for cases, so that all points are for tests.
    pub(super) fn settle_tests(&mut self, names: &[String]) {
        if self.files.is_empty() {
            self.files = names.to_vec();
        }
        let whole = names.iter().filter(|name| !name.contains('*')).cloned();
        self.needed.get_or_insert_with(|| whole.collect());
        (self.points.cases, self.points.leaks) = (Some(0.0), Some(0.0));
    }

    /// Files that must be there.
    pub fn needed(&self) -> &[String] {
        self.needed.as_deref().unwrap_or_default()
    }

    /// The files that start the program and must be there. Commands of the course do not say for sure what they read, so of these, only
    /// what is `needed`.
    pub fn starting(&self) -> Vec<&str> {
        let is_known = self.program.language.handed_in().is_some();
        let mut files = self.program.starting(&self.files);
        files.retain(|name| is_known || self.needed().iter().any(|needed| needed == name));
        files
    }

    /// Options of the compiler that the Makefile calls.
    pub fn flags(&self) -> Flags {
        self.flags.clone().unwrap_or_default()
    }

    /// What a finding of this rule costs.
    pub fn cost(&self, rule: Rule) -> Cost {
        self.checks.get(&rule).copied().unwrap_or_else(|| rule.usual_cost())
    }
}

/// The limit on a run, and how its time becomes points.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Time {
    /// Seconds of processor time after which a run is stopped.
    #[serde(deserialize_with = "limits::seconds")]
    pub seconds: f64,
    /// A run that takes at most this many times the reference's time earns all points of its case.
    pub full: f64,
    /// A run that takes this many times the reference's time earns none of them.
    pub none: f64,
    /// Seconds below which times are not told apart.
    pub least: f64,
    /// How often each case is run; the median counts.
    pub runs: u32,
}

impl Default for Time {
    fn default() -> Self {
        Self { seconds: 35.0, full: 3.0, none: 20.0, least: 0.1, runs: 3 }
    }
}

/// Which passed cases are checked for leaks.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Leaks {
    /// The groups whose cases are checked.
    pub groups: Vec<String>,
    /// The most cases that are checked.
    pub cases: usize,
    /// The kinds of leaks that cost points.
    pub kinds: Vec<LeakKind>,
    /// Seconds of processor time for each run.
    #[serde(deserialize_with = "limits::seconds")]
    pub seconds: f64,
}

impl Default for Leaks {
    fn default() -> Self {
        use LeakKind::{Definite, Indirect, Possible};
        Self {
            groups: vec!["sample".to_owned(), "small".to_owned()],
            cases: 4,
            kinds: vec![Definite, Indirect, Possible],
            seconds: 60.0,
        }
    }
}

/// A kind of leak, as valgrind calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeakKind {
    Definite,
    Indirect,
    Possible,
    Reachable,
}

impl LeakKind {
    /// What valgrind's options call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Indirect => "indirect",
            Self::Possible => "possible",
            Self::Reachable => "reachable",
        }
    }
}

/// The points of each part.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parts {
    cases: Option<f64>,
    /// Bugs that the student's tests expose.
    pub tests: f64,
    leaks: Option<f64>,
    /// Parts that a person grades, with their points.
    pub by_hand: Entries<f64>,
}

impl Default for Parts {
    fn default() -> Self {
        Self { cases: None, tests: 10.0, leaks: None, by_hand: Entries::default() }
    }
}

impl Parts {
    /// The points for right and fast answers to the cases.
    pub fn cases(&self) -> f64 {
        self.cases.unwrap_or_default()
    }

    /// The points for cases without a leak.
    pub fn leaks(&self) -> f64 {
        self.leaks.unwrap_or_default()
    }
}

/// How much a reader may see of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseLevel {
    /// Only the points of the group.
    None,
    /// The case's name and verdict, and the program's own message if it rejects a valid input.
    Verdict,
    /// Also time and memory.
    Measures,
    /// Also the input, both outputs, and standard error.
    Full,
}

/// How much each reader may see of a case.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CaseFeedback {
    #[serde(alias = "student")]
    pub normal: CaseLevel,
    #[serde(rename = "final")]
    pub last: CaseLevel,
    pub past_limit: CaseLevel,
    pub staff: CaseLevel,
}

impl Default for CaseFeedback {
    fn default() -> Self {
        use CaseLevel::{Full, None};
        Self { normal: Full, last: Full, past_limit: None, staff: Full }
    }
}

impl CaseFeedback {
    pub fn level(&self, audience: Audience) -> CaseLevel {
        match audience {
            Audience::Normal => self.normal,
            Audience::Final => self.last,
            Audience::PastLimit => self.past_limit,
            Audience::Staff => self.staff,
        }
    }
}

/// The most kilobytes of a submission if the course does not say.
pub(super) fn usual_kilobytes() -> u64 {
    2048
}

fn one_gigabyte() -> u64 {
    1024
}

fn thirty_two_megabytes() -> u64 {
    32 << 10
}

fn sixty_four_kilobytes() -> u64 {
    64
}
