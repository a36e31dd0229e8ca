//! The command line of `harness shape`.

use super::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with a shape.
#[derive(Debug, Subcommand)]
pub enum Shape {
    /// Check whether inputs are as a shape describes them
    Check(Check),
    /// Make random inputs
    Sample(Sample),
    /// List all inputs of a size
    List(List),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness shape check sums.ctd input.txt
  harness shape check sums.ctd secret/*.in --format json

Exit status: 0 all inputs are valid; 1 some are not; otherwise as for every command.")]
pub struct Check {
    /// The shape: a description in YAML, or a checktestdata script (.ctd)
    #[arg(value_name = "SHAPE")]
    pub shape: PathBuf,
    /// The inputs; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Accept more white space than the shape describes
    #[arg(long)]
    pub lenient: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness shape sample sums.ctd                       one input
  harness shape sample sums.ctd --count 10 --seed 3   ten others
  harness shape sample sums.ctd --count 10 --invalid  each with exactly one mistake")]
pub struct Sample {
    /// The shape: a description in YAML, or a checktestdata script (.ctd)
    #[arg(value_name = "SHAPE")]
    pub shape: PathBuf,
    /// How many inputs to make
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub count: u32,
    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Make inputs with exactly one mistake, and say which
    #[arg(long)]
    pub invalid: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:
  harness shape list sums.ctd --size 3")]
pub struct List {
    /// The shape: a description in YAML, or a checktestdata script (.ctd)
    #[arg(value_name = "SHAPE")]
    pub shape: PathBuf,
    /// How many cells, letters, words and numbers the inputs have; numbers that say how many of something there are do not count
    #[arg(long, alias = "area", value_name = "N")]
    pub size: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}
