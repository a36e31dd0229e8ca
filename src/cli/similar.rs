//! The command line of `similar`.

use super::Format;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness similar class                      the works of a class that are alike
  harness similar class --given starter      without what students were given
  harness similar class --earlier last-year  also with those of an earlier term
  harness similar class --format json        with all lines that are alike

It says what is alike, and decides nothing. docs/similar.md says what a share means.")]
pub struct Similar {
    /// A class: a folder or an archive for each student, or a source for each
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// A folder, archive or file that students were given; what they have from it does not count
    #[arg(long, value_name = "PATH")]
    pub given: Vec<PathBuf>,
    /// A class of an earlier term; its works are compared with those of FOLDER, and not with each other
    #[arg(long, value_name = "FOLDER")]
    pub earlier: Vec<PathBuf>,
    /// Also compare the words of texts: *.txt and *.md
    #[arg(long)]
    pub texts: bool,
    /// The least percentage of the smaller work that must be found in the other
    #[arg(long, value_name = "PERCENT", default_value_t = 30, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub least: u8,
    /// The most pairs to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    pub pairs: u16,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}
