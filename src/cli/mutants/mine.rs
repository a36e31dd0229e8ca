//! The options of `harness mutants mine`.

use crate::cli::{Format, candidates};
use crate::course;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness mutants mine class/                      every program in a folder
  harness mutants mine a.cpp b/ ./solver           a source, a folder of sources, a program
  harness mutants mine 'python3 -O solver.py'      a command line
  harness mutants mine class/ --suites student_tests/puzzle --out mined
  harness mutants mine class/ --weigh              points that follow what programs get wrong")]
pub struct Mine {
    /// A source file, a folder with the sources of one program, a program, a command line in quotes, or a folder of such programs
    #[arg(value_name = "PROGRAM", required = true)]
    pub programs: Vec<String>,
    /// The course file, or its folder [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The assignment, if the course has several
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: Option<String>,
    /// Also run the suites in this folder on every program: a class, or its folder of the assignment
    #[arg(long, value_name = "DIR")]
    pub suites: Option<PathBuf>,
    /// Propose points for each mutant, by how many programs have the behaviour that it is
    #[arg(long)]
    pub weigh: bool,
    /// With --weigh: write the points into the catalogue's files, and the thresholds into the course file
    #[arg(long, requires = "weigh")]
    pub apply: bool,
    /// Keep the results here, so that an interrupted run continues, and write a catalogue file for each new deviation
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the random cases
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many seconds, and report what was found; Ctrl-C does the same
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    pub budget: f64,
    /// Also write a page for a browser to this file; the page of an earlier run is replaced
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Run the programs without the sandbox; use it only for programs that you trust
    #[arg(long)]
    pub unsafe_no_sandbox: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Number of programs to run in parallel [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}
