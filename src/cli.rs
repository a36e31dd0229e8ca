//! The command line.

pub mod against;
pub mod autograder_io;
mod candidates;
mod day;
pub mod formats;
pub mod grade;
pub mod mutants;
pub mod pack;
pub mod serve;
pub mod shape;
pub mod shell;
pub mod similar;
pub mod submit;
pub mod verify;

pub use day::Day;

use crate::course::{self, Audience};
use crate::run::engine::Preference;
use crate::suite::layout::Reading;
use crate::suite::spelling::Spelling;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Grades student test files by the bugs they expose
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(max_term_width = 80)]
#[command(after_help = "Examples:
  harness doctor                      check that this machine has what it needs
  harness score ./student_tests       score the sample suites
  harness generate mine --out more    find tests for what the suite `mine` misses
  harness explain mine/test-1-sl.txt  show what a test exposes, and how

Exit status:
  0  success
  1  a score is under --fail-under
  2  wrong command line or course file
  3  no valid test
  4  broken course
  5  the machine failed, for example a full disk
  130  Ctrl-C ended it
  141  the reader of the output closed it, as `head` does")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colour; `auto` means on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", hide_possible_values = true)]
    pub color: Color,
    /// How to run programs: `auto` is the fastest way that fits each of them, and `process` starts a process for each run
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "ENGINE",
        hide_possible_values = true
    )]
    pub engine: Preference,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Score one suite, a folder for each assignment, or a class
    Score(Score),
    /// Build, run, time and score whole submissions in a sandbox
    Grade(grade::Grade),
    /// Show which works of a class are alike, and where
    Similar(similar::Similar),
    /// Write what a platform needs to grade submissions
    Pack(pack::Pack),
    /// Run a server that students submit to
    Serve(serve::Serve),
    /// Submit to such a server
    Submit(submit::Submit),
    /// Grade again what somebody has a receipt for, and compare
    Verify(verify::Verify),
    /// Find tests that expose what a suite misses
    Generate(Generate),
    /// Show what a test exposes, and how
    Explain(Explain),
    /// List, show, add and check mutants
    #[command(subcommand)]
    Mutants(mutants::Mutants),
    /// Check whether an answer to a test is right, and show where it is wrong
    Judge(Judge),
    /// Draw an input, and check and animate an answer to it
    View(View),
    /// Check inputs against a description of them, and make inputs from it
    #[command(subcommand)]
    Shape(shape::Shape),
    /// Create a new course that builds and scores
    Init(Init),
    /// Write the reference of an assignment without its bugs
    Solution(Solution),
    /// Run as a mutation test suite of autograder.io
    #[command(subcommand, alias = "plug")]
    AutograderIo(autograder_io::AutograderIo),
    /// Check that this machine has everything that the course needs
    Doctor(shell::Doctor),
    /// Print a completion script for a shell
    Completions(shell::Completions),
    /// Print manual pages
    Man(shell::Man),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness score ./student_tests              score each assignment's sample suite
  harness score submissions/ --format json   score a class, as JSON
  harness score mine --format json=all.json  print text, and write JSON to a file
  harness score mine --html page.html        also write a page for a browser
  harness score mine --audience student      show what a student may see
  harness score mine --watch                 score again when a file changes
  harness score mine --audience student --hints hints.json")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct Score {
    /// A suite, a folder of suites by assignment, or a class: a folder or an archive for each student
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the folders' names do not tell
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// What DIR is, if its contents do not tell
    #[arg(long = "as", value_enum, value_name = "WHAT")]
    pub read_as: Option<As>,
    #[arg(long, value_enum, help = formats::audience_help())]
    pub audience: Option<Audience>,
    /// Output format, and the file to write it to [default: text, to standard output]
    ///
    /// Separate several formats by commas. At most one goes to standard output; if none does, text goes there. An existing file is kept
    /// unless --overwrite is given. For a class, gradescope=DIR/ writes one file for each student.
    #[arg(long, value_name = "NAME[=FILE]", value_delimiter = ',', value_parser = formats::WantedParser(|_| true))]
    pub format: Vec<formats::Wanted>,
    /// Also write a page for a browser, which needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Overwrite the files of --format and --html if they exist
    #[arg(long)]
    pub overwrite: bool,
    /// How to spell options on the programs' command lines
    #[arg(long, value_enum, default_value_t = Spelling::Mixed)]
    pub spelling: Spelling,
    /// Seed of the random spelling, which also depends on each file's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Build each mutant on its own, and start a process for each run
    #[arg(long)]
    pub isolated: bool,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Say which lines of the reference the valid unit tests reach; no point depends on it
    ///
    /// For unit tests. Staff also see the lines that no test reaches, and students only the percentage.
    #[arg(long)]
    pub coverage: bool,
    /// Show hints for missed bugs, a few new ones each day, and record them in this file
    #[arg(long, value_name = "FILE")]
    pub hints: Option<PathBuf>,
    /// The day for which to give hints [default: today in UTC]
    #[arg(long, value_name = "YYYY-MM-DD", requires = "hints", value_parser = Day::parse)]
    pub today: Option<Day>,
    /// Score again whenever a file changes, and show what changed; Ctrl-C stops
    #[arg(long, conflicts_with_all = ["format", "html", "overwrite", "hints", "fail_under"])]
    pub watch: bool,
    /// Exit with status 1 if a suite earns fewer points
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub fail_under: Option<f64>,
}

/// What a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum As {
    /// What one student handed in.
    One,
    /// A class: a folder or an archive for each student.
    Class,
}

impl As {
    /// How to read a folder: as the user says, or else `otherwise`.
    pub fn reading(said: Option<Self>, otherwise: Reading) -> Reading {
        match said {
            Some(Self::One) => Reading::One,
            Some(Self::Class) => Reading::Class,
            None => otherwise,
        }
    }
}

/// Reads points that a suite can have.
fn points(text: &str) -> Result<f64, String> {
    let points: Option<f64> = text.parse().ok();
    points
        .filter(|points| points.is_finite() && *points >= 0.0)
        .ok_or_else(|| "expected a number of points, such as 7.5".to_owned())
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness generate                          expose every mutant
  harness generate mine --out more          expose what the suite `mine` misses
  harness generate --mutants ID --keep-all  find the smallest test for one mutant
  harness generate --against ./solver       find where a program is wrong
  harness generate --against 'python3 -O solver.py'
  A program without the extra credit `-h`:
      harness generate --assignment sliding --without page --against ./rush
  A maze solver that was compiled with FULL:
      harness generate --against ./full --without p --document-args
  A maze generator that gets only a file name, and has one size:
      harness generate --against ./generator --document-args --fixed-size 25x10")]
pub struct Generate {
    /// A suite; search only for mutants that it misses
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the course has several
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Search only for these mutants
    #[arg(long, value_name = "ID", value_delimiter = ',', add = candidates::mutants())]
    pub mutants: Vec<String>,
    /// Folder for the tests; existing files are kept [default: a new folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What the folder is
    #[arg(long = "as", value_enum, value_name = "WHAT", default_value_t = WrittenAs::Suite, conflicts_with = "program")]
    pub written_as: WrittenAs,
    /// Maximum number of files [default: as many as the suite may still have]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_files: Option<u16>,
    /// Write no more files than expose everything
    ///
    /// By default, the files that are left expose each mutant again, in other ways, because a student's bug may differ from the mutant
    /// that resembles it.
    #[arg(long, conflicts_with = "program")]
    pub fewest: bool,
    /// Also write the smallest test found for each mutant
    #[arg(long)]
    pub keep_all: bool,
    /// Seed of the random cases
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many seconds, not counting builds, and keep what was found; Ctrl-C does the same
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub budget: f64,
    /// Try every case up to this size [default: as far as a few seconds allow, or 5,000 cases with --against]
    #[arg(long, alias = "area", value_name = "SIZE", value_parser = size)]
    pub size: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub against: against::Against,
}

/// What tests are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WrittenAs {
    /// What one student hands in.
    Suite,
    /// A problem package of Kattis or ICPC: inputs and answers, in `data/secret`.
    Package,
}

fn size(text: &str) -> Result<usize, String> {
    let hint = "expected a number; for a program that knows only one size, use --fixed-size";
    text.parse().map_err(|_| hint.to_owned())
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  Show all mutants that the test exposes, smallest difference first:
      harness explain mine/test-1-sl.txt
  Show one mutant:
      harness explain mine/test-1-sl.txt discovers-west-before-east
  Show why a test case of unit tests fails on a mutant:
      harness explain mine/Matrix_tests.cpp:fills_all fills-all-but-the-last")]
pub struct Explain {
    /// A student's test file, whose name gives its flags, or `FILE:CASE` for a case of unit tests
    #[arg(value_name = "TEST", add = candidates::tests())]
    pub test: PathBuf,
    /// The mutant to explain [default: every mutant that the test exposes]
    #[arg(value_name = "MUTANT", add = candidates::mutants())]
    pub mutant: Option<String>,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the folder's name does not tell
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Seed of the random spelling, which also depends on the file's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How to spell options on the programs' command lines
    #[arg(long, value_enum, default_value_t = Spelling::Mixed)]
    pub spelling: Spelling,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that has it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness judge mine/test-1.txt out.txt --assignment sliding
  ./solver board.data | harness judge mine/test-1.txt - --assignment sliding

Exit status: 0 the answer is right; 1 it is wrong; otherwise as for every command.")]
pub struct Judge {
    /// A student test file; its name gives the flags
    #[arg(value_name = "TEST", add = candidates::tests())]
    pub test: PathBuf,
    /// What the program printed, or the file it wrote if that is its answer; `-` is standard input
    #[arg(value_name = "ANSWER")]
    pub answer: PathBuf,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment of the test [default: from the folder's name]
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// How the verdict is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness view maze.txt                 draw a maze, and list its errors
  harness view maze.txt path.txt        animate a path through it
  harness view maze.txt --svg maze.svg  write a picture")]
pub struct View {
    /// An input; a broken one is drawn as far as possible
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// An answer to it; a wrong one is not drawn
    #[arg(value_name = "SOLUTION")]
    pub solution: Option<PathBuf>,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the file does not tell
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Speed of the animation on a terminal, from 1 to 3
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub speed: u8,
    /// Write the picture to this new file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person.
    Text,
    /// For a machine; docs/json.md describes it
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness init my-course
  harness score --course my-course my-course/student_tests
  harness init --language cpp my-course  with a reference in C++
  harness init --unit pytest my-course   for unit tests
  harness init --from different course   from a problem package of Kattis or ICPC")]
pub struct Init {
    /// The folder to create; it must be new or empty
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The language of the reference
    #[arg(long, value_enum, default_value_t = NewLanguage::Rust)]
    pub language: NewLanguage,
    /// Make a course for unit tests of this framework, which also decides the language
    #[arg(long, value_enum, value_name = "FRAMEWORK", conflicts_with_all = ["language", "from"])]
    pub unit: Option<NewUnit>,
    /// Make the course of this problem package (Kattis or ICPC): its fastest accepted submission is the reference, and its wrong
    /// submissions are the mutants
    #[arg(long, value_name = "PACKAGE", conflicts_with = "language")]
    pub from: Option<PathBuf>,
    /// Output format, with --from
    #[arg(long, value_enum, default_value_t = Format::Text, requires = "from")]
    pub format: Format,
}

/// The language of a new course's reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NewLanguage {
    Rust,
    #[value(alias = "c++")]
    Cpp,
    C,
    Python,
    Java,
}

/// The framework of a new course's unit tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NewUnit {
    Gtest,
    Catch2,
    Doctest,
    Pytest,
    Unittest,
    Junit,
    Cargo,
}

/// The options of `solution`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness solution puzzle --out solution
  cargo test --manifest-path solution/Cargo.toml")]
pub struct Solution {
    /// The assignment; its reference is a crate that links `subject`, or sources in C, C++, Python or Java
    #[arg(value_name = "ASSIGNMENT", add = candidates::assignments())]
    pub assignment: String,
    /// The folder to write the solution into; it must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
}
