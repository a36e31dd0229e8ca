//! The command line of `harness autograder-io`.

use super::candidates;
use crate::course;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum AutograderIo {
    /// Build every program, for the other three commands to run
    Setup(Setup),
    /// Print the names of a student's tests, one per line
    Names(Names),
    /// Exit with 0 if a test is valid
    Validate(Validate),
    /// Exit with 1 if a test exposes a bug, otherwise with 0
    Grade(Grade),
    /// Run by `grade` to reach a verdict
    #[command(hide = true)]
    Judge(Judge),
}

/// Whose tests, and of what.
#[derive(Debug, Args)]
pub struct Handed {
    /// The folder of the student's tests
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub suite: PathBuf,
    /// The course file, or its folder; required, because the current folder is a student's
    #[arg(long, value_name = "FILE")]
    pub course: PathBuf,
    /// The assignment, if the course has several
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness autograder-io setup --course course --assignment puzzle")]
pub struct Setup {
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment to build [default: all]
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness autograder-io names --course course --assignment puzzle --suite tests")]
pub struct Names {
    #[command(flatten)]
    pub handed: Handed,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness autograder-io validate --course course --assignment puzzle test-1-ql.txt")]
pub struct Validate {
    /// The test's name: `${student_test_name}`
    #[arg(value_name = "TEST")]
    pub test: String,
    #[command(flatten)]
    pub handed: Handed,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness autograder-io grade --course course --assignment puzzle traps-begin-active test-1-ql.txt")]
pub struct Grade {
    /// The bug, and the tests that may expose it.
    #[command(flatten)]
    pub judge: Judge,
    /// Give up after this many seconds, because the platform takes a timeout for an exposed bug
    #[arg(long, value_name = "SECONDS", default_value_t = 8.0)]
    pub seconds: f64,
}

#[derive(Debug, Args)]
pub struct Judge {
    /// The bug: `${buggy_impl_name}`
    #[arg(value_name = "BUG", add = candidates::mutants())]
    pub bug: String,
    /// The tests' names: `${student_test_name}`, or `${all_valid_test_names}`
    #[arg(value_name = "TEST")]
    pub tests: Vec<String>,
    #[command(flatten)]
    pub handed: Handed,
}
