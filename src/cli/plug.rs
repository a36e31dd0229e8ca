//! The command line of `plug`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What autograder.io asks.
#[derive(Debug, Subcommand)]
pub enum Plug {
    /// Build every program, so that the other three only run them
    Setup(Setup),
    /// Print the names of a student's tests, a line each
    Names(Names),
    /// Exit with 0 if a test is valid
    Validate(Validate),
    /// Exit with 1 if a test exposes a bug, and with 0 whatever else happens
    Grade(Grade),
    /// What `grade` starts to reach a verdict
    #[command(hide = true)]
    Judge(Judge),
}

/// Whose tests, and of what.
#[derive(Debug, Args)]
pub struct Handed {
    /// The folder of the student's tests
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub suite: PathBuf,
    /// The course file, or its folder; there is no default, since the folder at hand is a student's
    #[arg(long, value_name = "FILE")]
    pub course: PathBuf,
    /// The assignment that the tests are of, where the course has several
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
}

/// The options of `plug setup`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness plug setup --course course --assignment puzzle")]
pub struct Setup {
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The assignment to build [default: all]
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
}

/// The options of `plug names`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness plug names --course course --assignment puzzle --suite tests")]
pub struct Names {
    /// Whose tests.
    #[command(flatten)]
    pub handed: Handed,
}

/// The options of `plug validate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness plug validate --course course --assignment puzzle test-1-ql.txt")]
pub struct Validate {
    /// The test's name: `${student_test_name}`
    #[arg(value_name = "TEST")]
    pub test: String,
    /// Whose tests.
    #[command(flatten)]
    pub handed: Handed,
}

/// The options of `plug grade`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness plug grade --course course --assignment puzzle traps-begin-active test-1-ql.txt")]
pub struct Grade {
    /// The bug, and the tests that may expose it.
    #[command(flatten)]
    pub judge: Judge,
    /// Give up after this many seconds, before the platform takes a command that is out of time for a bug that is exposed
    #[arg(long, value_name = "SECONDS", default_value_t = 8.0)]
    pub seconds: f64,
}

/// The options of `plug judge`.
#[derive(Debug, Args)]
pub struct Judge {
    /// The bug: `${buggy_impl_name}`
    #[arg(value_name = "BUG")]
    pub bug: String,
    /// The tests' names: `${student_test_name}`, or `${all_valid_test_names}`
    #[arg(value_name = "TEST")]
    pub tests: Vec<String>,
    /// Whose tests.
    #[command(flatten)]
    pub handed: Handed,
}
