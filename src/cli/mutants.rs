//! The command line of `mutants`.

use super::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with the mutants.
#[derive(Debug, Subcommand)]
pub enum Mutants {
    /// Every mutant, a line each
    List(List),
    /// One mutant: what it is, where it stands, and what exposes it
    Show(Show),
    /// Declare a new mutant, and write the file that describes it
    New(New),
    /// Find the smallest test that exposes a mutant, and keep it in the catalogue
    Witness(Witness),
    /// Check that the mutants are what the catalogue says
    Verify(Verify),
    /// Measure how hard each is to expose, and which exposes which along with it
    Survey(Survey),
}

/// Which mutants, of which course.
#[derive(Debug, Args)]
pub struct Which {
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The mutants of this assignment only
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// The options of `mutants list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants list                              every mutant of every assignment
  harness mutants list --assignment puzzle          those of one assignment
  harness mutants list --format json                for a machine")]
pub struct List {
    /// Which mutants.
    #[command(flatten)]
    pub which: Which,
}

/// The options of `mutants show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants show discovers-west-before-east
  harness mutants show first-line-only --assignment maze-solver")]
pub struct Show {
    /// The mutant
    #[arg(value_name = "ID")]
    pub id: String,
    /// Which mutants.
    #[command(flatten)]
    pub which: Which,
}

/// The options of `mutants new`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants new puzzle queue-hands-out-the-newest")]
pub struct New {
    /// The assignment
    #[arg(value_name = "ASSIGNMENT")]
    pub assignment: String,
    /// The mutant's id: lower-case words with a `-` between them that state the bug
    #[arg(value_name = "ID")]
    pub id: String,
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
}

/// The options of `mutants witness`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants witness queue-hands-out-the-newest   the smallest test that exposes it
  harness mutants witness --missing                    for each that has none")]
pub struct Witness {
    /// The mutants
    #[arg(value_name = "ID", required_unless_present_any = ["missing", "all"])]
    pub ids: Vec<String>,
    /// Those that have no witness
    #[arg(long, conflicts_with_all = ["ids", "all"])]
    pub missing: bool,
    /// All of them
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Which mutants.
    #[command(flatten)]
    pub which: Which,
    /// Up to which size every case is tried, in cells of the map
    #[arg(long, value_name = "CELLS", default_value_t = 6)]
    pub area: usize,
    /// What random cases are drawn from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many seconds, with what was found so far
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub budget: f64,
    /// How many programs run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// The options of `mutants verify`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants verify                               everything
  harness mutants verify discovers-west-before-east    one mutant
  harness mutants verify --fast                        without a build for each")]
pub struct Verify {
    /// Only these mutants [default: all]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Which mutants.
    #[command(flatten)]
    pub which: Which,
    /// Build no mutant on its own: what is then left unchecked is said
    #[arg(long)]
    pub fast: bool,
    /// How many programs run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// The options of `mutants survey`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants survey                   how hard each mutant is, twins, and suggested points
  harness mutants survey --svg graph.svg   what exposes what along with it, as a picture")]
pub struct Survey {
    /// The course file, or its folder
    #[arg(long, value_name = "FILE", default_value = ".")]
    pub course: PathBuf,
    /// The assignment, where that is not clear
    #[arg(long, value_name = "ID")]
    pub assignment: Option<String>,
    /// How many random tests to try
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub cases: u32,
    /// What they are drawn from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Write which mutants subsume which to this new file, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// How many programs run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}
