//! The command line of `harness mutants`.

mod mine;

pub use mine::Mine;

use super::{Format, candidates};
use crate::course;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with the mutants.
#[derive(Debug, Subcommand)]
pub enum Mutants {
    /// List mutants
    List(List),
    /// Show one mutant: its bug, its place in the source, and its witness
    Show(Show),
    /// Declare a new mutant, and create its catalogue file
    New(New),
    /// Find the smallest test that exposes a mutant, and store it in the catalogue
    Witness(Witness),
    /// Check mutants against the catalogue
    Verify(Verify),
    /// Measure how hard mutants are to expose, and which imply others
    Survey(Survey),
    /// Show which of the instructor's cases expose which mutants, and what they miss
    Cases(CasesOf),
    /// Find the bugs in programs of a past class, and which of them no mutant represents
    Mine(Mine),
    /// Propose mutants: small changes of the reference that its mutants do not cover
    Propose(Propose),
}

/// Which mutants, of which course.
#[derive(Debug, Args)]
pub struct Which {
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// Only mutants of this assignment
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants list                      every mutant of every assignment
  harness mutants list --assignment puzzle  the mutants of one assignment
  harness mutants list --format json        as JSON")]
pub struct List {
    #[command(flatten)]
    pub which: Which,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants show discovers-west-before-east
  harness mutants show first-line-only --assignment maze-solver")]
pub struct Show {
    /// The mutant's id
    #[arg(value_name = "ID", add = candidates::mutants())]
    pub id: String,
    #[command(flatten)]
    pub which: Which,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants new puzzle queue-hands-out-the-newest
  harness mutants new puzzle searches-breadth-first-only --program
  harness mutants new --missing           describe what is marked in the source")]
pub struct New {
    /// The assignment [default with --missing: all]
    #[arg(value_name = "ASSIGNMENT", add = candidates::assignments(), required_unless_present = "missing")]
    pub assignment: Option<String>,
    /// The mutant's id: lower-case words, joined by `-`, that state the bug
    #[arg(value_name = "ID", required_unless_present = "missing")]
    pub id: Option<String>,
    /// Make the mutant a program of its own, which starts as a copy of the reference without its bugs
    #[arg(long)]
    pub program: bool,
    /// Create the catalogue file of every mutant that the source marks and no file describes
    #[arg(long, conflicts_with_all = ["id", "program"])]
    pub missing: bool,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants witness queue-hands-out-the-newest  for one mutant
  harness mutants witness --missing                   for mutants without a witness
  harness mutants witness --record                    after an intended change of the reference")]
pub struct Witness {
    /// The mutants' ids
    #[arg(value_name = "ID", add = candidates::mutants(), required_unless_present_any = ["missing", "all", "record"])]
    pub ids: Vec<String>,
    /// All mutants without a witness
    #[arg(long, conflicts_with_all = ["ids", "all"])]
    pub missing: bool,
    /// All mutants
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Search nothing; record what the reference does on the witnesses that mutants have [default: all]
    #[arg(long, conflicts_with_all = ["missing", "all"])]
    pub record: bool,
    #[command(flatten)]
    pub which: Which,
    /// Try every case up to this size: for a map, its cells
    #[arg(long, alias = "area", value_name = "SIZE", default_value_t = 6)]
    pub size: usize,
    /// Seed of the random cases
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many seconds, not counting builds, and keep what was found; Ctrl-C does the same
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub budget: f64,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants verify                             all mutants
  harness mutants verify discovers-west-before-east  one mutant
  harness mutants verify --fast                      without a build for each
  harness mutants verify --all                       with an optimized build for each")]
pub struct Verify {
    /// Only these mutants [default: all]
    #[arg(value_name = "ID", add = candidates::mutants())]
    pub ids: Vec<String>,
    #[command(flatten)]
    pub which: Which,
    /// Skip per-mutant builds (the report lists what that leaves unchecked)
    #[arg(long)]
    pub fast: bool,
    /// Optimize per-mutant builds, as an autograder does
    #[arg(long, conflicts_with = "fast")]
    pub all: bool,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants survey                 difficulty, twins, and suggested points
  harness mutants survey --suites class  also thresholds for the suites of a class
  harness mutants survey --dot graph.dot
  dot -Tsvg graph.dot > graph.svg        draw which mutants imply which")]
pub struct Survey {
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the course has several
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Number of random tests to try
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub cases: u32,
    /// Seed of the random tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Propose thresholds from the suites in this folder: a class, or its folder of the assignment
    #[arg(long, value_name = "DIR")]
    pub suites: Option<PathBuf>,
    /// Write which mutants imply which to this new file, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// The options of `mutants cases`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants cases                             all assignments
  harness mutants cases --assignment puzzle         one assignment
  harness mutants cases discovers-west-before-east  the cases that expose one mutant

Exit status: 0 no mutant is missed; 1 a valid input exposes a mutant that no case exposes; otherwise as
for every command.")]
pub struct CasesOf {
    /// Only these mutants [default: all]
    #[arg(value_name = "ID", add = candidates::mutants())]
    pub ids: Vec<String>,
    #[command(flatten)]
    pub which: Which,
    /// Seed of the random spelling, which also depends on each case's name
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants propose --assignment puzzle             show what could be added
  harness mutants propose --assignment puzzle --accept 3  write the third into the source")]
pub struct Propose {
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the course has several
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Show at most this many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Write this proposal of the last run into the source, and create its catalogue file
    #[arg(long, value_name = "N")]
    pub accept: Option<usize>,
    /// The accepted mutant's id [default: made from its change]
    #[arg(long, value_name = "ID", requires = "accept")]
    pub id: Option<String>,
    /// Try every case up to this size: for a map, its cells
    #[arg(long, alias = "area", value_name = "SIZE", default_value_t = 2)]
    pub size: usize,
    /// Number of random tests to compare candidates and mutants on
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub cases: u32,
    /// Seed of the random tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many seconds, not counting builds, and rank what was found; Ctrl-C does the same
    #[arg(long, value_name = "SECONDS", default_value_t = 40.0)]
    pub budget: f64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}
