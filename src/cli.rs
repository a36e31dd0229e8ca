//! The command line, and nothing else.

pub mod formats;
pub mod mutants;
pub mod plug;
pub mod shell;

use crate::course::Audience;
use crate::suite::spelling::Spelling;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Grades student test files by the bugs they expose
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "Examples:
  harness doctor                                  what is missing on this machine
  harness score ./student_tests                   which bugs the sample suites expose
  harness generate mine --out more                tests for what the suite in `mine` misses
  harness explain mine/test-1-sl.txt              what a test exposes, and how

Exit status: 0 done; 1 a score under --fail-under; 2 a wrong command line or course file; \
    3 no valid test; 4 a broken course; 5 the machine failed.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Score one suite, a folder for each assignment, or a class
    Score(Score),
    /// Find tests that expose what a suite misses
    Generate(Generate),
    /// Show what a test exposes, and how
    Explain(Explain),
    /// List, show, add and check mutants
    #[command(subcommand)]
    Mutants(mutants::Mutants),
    /// Draw an input, check an answer to it and play it
    View(View),
    /// Write a new course that builds and scores at once
    Init(Init),
    /// Write the reference of an assignment without its bugs, as a package that builds alone
    Solution(Solution),
    /// Answer autograder.io, with the exit statuses that its mutation test suites expect
    #[command(subcommand)]
    Plug(plug::Plug),
    /// Say what is missing on this machine, and how to get it
    Doctor(shell::Doctor),
    /// Print what a shell needs to complete the command line
    Completions(shell::Completions),
    /// Print the manual
    Man(shell::Man),
}

/// The options of `score`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness score ./student_tests              each assignment's sample suite
  harness score submissions/ --format json   a class, for a machine
  harness score mine --format json=all.json  text to read, and a file for a machine
  harness score mine --html page.html        a page that shows everything
  harness score mine --audience student      what a student may see
  harness score mine --watch                 again whenever a file changes
  harness score mine --audience student --hints hints.json")]
pub struct Score {
    /// A suite, a folder with one for each assignment, or a folder with one for each student
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The assignment that the tests are of, where that is not clear
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// Who reads the report [default: staff; students for gradescope, prairielearn and github-classroom]
    #[arg(long, value_enum)]
    pub audience: Option<Audience>,
    /// How the report is written, and where it goes; without a file, to standard output
    ///
    /// Several formats are separated by commas. At most one goes to standard output; if none does, text does. A file that is there already
    /// is left as it is, unless --overwrite is given.
    #[arg(long, value_name = "NAME[=FILE]", value_delimiter = ',', value_parser = formats::WantedParser)]
    pub format: Vec<formats::Wanted>,
    /// Write one page that shows everything in a browser, without a network, to this file too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Overwrite the files that --format and --html name
    #[arg(long)]
    pub overwrite: bool,
    /// How options are spelled on the command lines of the programs
    #[arg(long, value_enum, default_value_t = Spelling::Mixed)]
    pub spelling: Spelling,
    /// What the random spelling is drawn from, with each file's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Build one program for each mutant, and start a process for each run
    #[arg(long)]
    pub isolated: bool,
    /// How many programs run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Show a student hints to what is missed, as many new ones a day as the course file says; this file remembers them
    #[arg(long, value_name = "FILE")]
    pub hints: Option<PathBuf>,
    /// The day on which hints are given [default: what it is in UTC]
    #[arg(long, value_name = "YYYY-MM-DD", requires = "hints", value_parser = date)]
    pub today: Option<jiff::civil::Date>,
    /// Score again whenever something changes, and show only what is different; Ctrl-C ends
    #[arg(long, conflicts_with_all = ["format", "html", "overwrite", "hints", "fail_under"])]
    pub watch: bool,
    /// Exit with status 1 if a suite earns fewer points than this
    #[arg(long, value_name = "POINTS")]
    pub fail_under: Option<f64>,
}

/// A day, written in the one way that the file of hints writes it.
fn date(text: &str) -> Result<jiff::civil::Date, String> {
    let date: Option<jiff::civil::Date> = text.parse().ok();
    date.filter(|date| date.to_string() == text)
        .ok_or_else(|| "a day is written like 2026-11-20".to_owned())
}

/// The options of `generate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness generate                          tests for every mutant
  harness generate mine --out more          tests for what the suite in `mine` misses
  harness generate --mutants ID --keep-all  the smallest test for one mutant
  harness generate --against ./solver       tests on which a program differs from the reference
  harness generate --against 'python3 -O solver.py'")]
pub struct Generate {
    /// A suite: only what it misses is looked for
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The assignment to make tests of, where that is not clear
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// Look for tests on which this program differs from the reference, in whatever language it is written
    ///
    /// The words up to the next option are its command line; a single word is split as a shell would, so quote a command line
    /// whose own arguments begin with `-`. The options that a test stands for are appended, and the test is its standard input.
    #[arg(long, value_name = "PROGRAM", num_args = 1.., conflicts_with_all = ["folder", "mutants", "keep_all"])]
    pub against: Vec<String>,
    /// Look for these mutants only
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub mutants: Vec<String>,
    /// Where to write the tests; nothing there is overwritten [default: a new folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How many files to write at most [default: as many as a suite may still have]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_files: Option<u16>,
    /// Write the smallest test that was found for each mutant too
    #[arg(long)]
    pub keep_all: bool,
    /// What random cases are drawn from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many seconds, with what was found so far; Ctrl-C does the same. Building the programs does not count
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub budget: f64,
    /// Up to which size every case is tried [default: what takes a few seconds, or with --against what 5,000 cases reach]
    #[arg(long, value_name = "CELLS")]
    pub area: Option<usize>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// How many programs run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// The options of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness explain mine/test-1-sl.txt                             all that the test exposes, the shortest difference first
  harness explain mine/test-1-sl.txt discovers-west-before-east  what the test does to one mutant")]
pub struct Explain {
    /// A student test file, wherever it is; its name says its flags
    #[arg(value_name = "TEST")]
    pub test: PathBuf,
    /// The mutant to explain [default: all that the test exposes]
    #[arg(value_name = "MUTANT")]
    pub mutant: Option<String>,
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The assignment that the test is of, where that is not clear
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// What the random spelling is drawn from, with the file's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How options are spelled on the command lines of the programs
    #[arg(long, value_enum, default_value_t = Spelling::Mixed)]
    pub spelling: Spelling,
    /// How the explanation is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// When to use colour; `auto` is on a terminal that has it, unless `NO_COLOR` is set
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
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

/// The options of `view`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness view maze.txt                a maze, and all that is wrong with it
  harness view maze.txt path.txt       the way through it, step by step on a terminal
  harness view maze.txt --svg maze.svg  as a picture")]
pub struct View {
    /// An input; one that is broken is drawn as far as it can be
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// An answer to it; one that is wrong is not drawn
    #[arg(value_name = "SOLUTION")]
    pub solution: Option<PathBuf>,
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The assignment that the input is of, where that is not clear
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// How fast an answer is played on a terminal, from 1 to 3
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub speed: u8,
    /// Write the picture to this file, which must be new
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person.
    Text,
    /// For a machine; docs/json.md describes it
    Json,
}

/// The options of `init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness init my-course
  harness score --course my-course my-course/student_tests")]
pub struct Init {
    /// The folder to make; it must be new or empty
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// The options of `solution`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness solution puzzle --out solution
  cargo test --manifest-path solution/Cargo.toml")]
pub struct Solution {
    /// The assignment, whose reference must be a crate that links `subject`
    #[arg(value_name = "ASSIGNMENT")]
    pub assignment: String,
    /// The folder to write the package into; it must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
}
