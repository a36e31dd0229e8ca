//! The command line of `pack`.

use super::{Format, candidates};
use crate::course;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness pack gradescope --assignment puzzle --out autograder.zip
  harness pack prairielearn --assignment puzzle --out question.zip
  harness pack github --assignment puzzle --out grade.yml")]
pub struct Pack {
    /// The platform
    #[arg(value_enum, value_name = "PLATFORM")]
    pub platform: Platform,
    /// The new file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the course has several
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Output format of what is printed: the files of the package and their size
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(clippy::doc_markdown, reason = "`--help` shows these names")]
pub enum Platform {
    /// A zip with setup.sh, run_autograder and the course, to upload as an autograder.
    Gradescope,
    /// A zip with a question: info.json, question.html, a Dockerfile, and the course in tests/.
    Prairielearn,
    /// A workflow that checks out the course and reports to GitHub Classroom.
    Github,
}
