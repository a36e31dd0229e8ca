//! The command line of `grade`.

use super::{candidates, formats, points};
use crate::course::{self, Audience};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness grade submissions/puzzle/correct        grade a folder
  harness grade alice.tar.gz --assignment puzzle  grade an archive
  harness grade submissions/puzzle                grade a class
  harness grade mine --audience student --times   show what a student may see
  harness grade mine --format json=graded.json    also write JSON to a file
  harness grade class --out results               keep results, and continue")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct Grade {
    /// A folder with sources, an archive of them, or a folder of such folders and archives
    #[arg(value_name = "SUBMISSION")]
    pub submission: PathBuf,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the folders' names do not tell
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Who reads the report [default: staff; students for gradescope, prairielearn and github-classroom]
    #[arg(long, value_enum)]
    pub audience: Option<Audience>,
    /// Output format, and the file to write it to [default: text, to standard output]
    ///
    /// Separate several formats by commas. At most one goes to standard output; if none does, text goes there. An existing file is kept
    /// unless --overwrite is given.
    #[arg(long, value_name = "NAME[=FILE]", value_delimiter = ',', value_parser = formats::WantedParser)]
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
    /// Seed of the random spelling of options, which also depends on each case's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of submissions to grade in parallel, each on a core of its own [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Run what students wrote without the sandbox; use it only for programs that you trust
    #[arg(long)]
    pub unsafe_no_sandbox: bool,
    /// Keep a file with the result of each submission in this folder, and grade only those that have none
    #[arg(long, value_name = "RESULTS")]
    pub out: Option<PathBuf>,
    /// Grade again what the course has changed for, and show whose points change
    #[arg(long, requires = "out")]
    pub regrade: bool,
    /// Replace the results that --regrade changes; the old ones are kept in RESULTS/old
    #[arg(long, requires = "regrade")]
    pub apply: bool,
    /// Grade only the Ith of N parts of the class, counted from 1
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
    /// Exit with status 1 if a submission earns fewer points
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub fail_under: Option<f64>,
}

/// Reads `2/5`.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts =
        text.split_once('/').and_then(|(at, of)| Some((at.parse().ok()?, of.parse().ok()?)));
    parts
        .filter(|(at, of)| (1..=*of).contains(at))
        .ok_or_else(|| "expected a part and the number of parts, such as 2/5".to_owned())
}
