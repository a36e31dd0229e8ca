//! The command line of `grade`.

mod shard;

use super::{As, candidates, formats, points};
use crate::course::{self, Audience};
use crate::report::formats::Format;
use clap::Args;
pub use shard::Shard;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness grade submissions/puzzle/correct        grade a folder
  harness grade alice.tar.gz --assignment puzzle  grade an archive
  harness grade submissions/puzzle                grade a class
  harness grade class --out results               and continue where a run ended
  harness grade class --out results --regrade     show whose points change
  harness grade mine --audience student --times   show what a student may see
  harness grade mine --format json=graded.json    also write JSON to a file")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct Grade {
    /// A folder with sources, an archive of them, or a folder of such folders and archives
    #[arg(value_name = "SUBMISSION", required_unless_present = "jobs_from")]
    pub submission: Option<PathBuf>,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the folders' names do not tell
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// What SUBMISSION is, if its contents do not tell [default with --out: class]
    #[arg(long = "as", value_enum, value_name = "WHAT")]
    pub read_as: Option<As>,
    #[arg(long, value_enum, help = formats::audience_help())]
    pub audience: Option<Audience>,
    /// Output format, and the file to write it to [default: text, to standard output]
    ///
    /// Separate several formats by commas. At most one goes to standard output; if none does, text goes there. An existing file is kept
    /// unless --overwrite is given. For a class, gradescope=DIR/ writes one file for each student.
    #[arg(long, value_name = "NAME[=FILE]", value_delimiter = ',', value_parser = formats::WantedParser(Format::can_grade))]
    pub format: Vec<formats::Wanted>,
    /// Also write a page for a browser, which needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Overwrite the files of --format and --html if they exist
    #[arg(long)]
    pub overwrite: bool,
    /// Show time and memory beside the reference's; they differ from run to run
    #[arg(long)]
    pub times: bool,
    /// Grade a class into this folder, a file for each submission; a later run continues
    #[arg(long, value_name = "RESULTS")]
    pub out: Option<PathBuf>,
    /// Grade again what a change of the course affects, and show whose points change
    #[arg(long, requires = "out")]
    pub regrade: bool,
    /// With --regrade: replace the results, and keep the earlier ones
    #[arg(long, requires = "regrade")]
    pub apply: bool,
    /// Grade only this part of the class, such as 2/8
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "regrade")]
    pub shard: Option<Shard>,
    /// Submit the class to Slurm as an array of jobs
    #[arg(long, requires = "out", conflicts_with_all = ["regrade", "shard"])]
    pub slurm: bool,
    /// Submissions that each job of --slurm grades
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..), requires = "slurm")]
    pub batch: u16,
    /// Grade the submissions that this file names, a line of JSON each; `-` is standard input
    ///
    /// Answers with a line of JSON for each. The course is prepared once, so that a server can give work to the same process for long.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["submission", "read_as", "audience", "format", "html", "regrade", "shard", "slurm", "jobs", "fail_under"])]
    pub jobs_from: Option<PathBuf>,
    /// With --jobs-from: end after this many submissions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "jobs_from")]
    pub most_jobs: Option<u32>,
    /// Seed of the random spelling of options, which also depends on each case's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of submissions to grade in parallel, each on a core of its own [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Run what students wrote without the sandbox; use it only for programs that you trust
    #[arg(long)]
    pub unsafe_no_sandbox: bool,
    /// Exit with status 1 if a submission earns fewer points
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub fail_under: Option<f64>,
}
