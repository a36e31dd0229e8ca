//! The options of `generate --against`.

use crate::course::Audience;
use clap::Args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Options for a program")]
pub struct Against {
    /// Find tests on which this program differs from the reference
    ///
    /// The program may be in any language. The words up to the next option are its command line. A single word is split as in a shell, so
    /// quote a command line if its arguments begin with `-`. Each run has an empty folder of its own and gets the arguments of the
    /// test. The test is the standard input, or a file in that folder if the assignment's programs read a file.
    #[arg(long = "against", value_name = "PROGRAM", num_args = 1.., conflicts_with_all = ["folder", "mutants", "keep_all"])]
    pub program: Vec<String>,
    /// Leave out tests with these flags: letters, or names of groups in the course file
    #[arg(long, value_name = "FLAG", value_delimiter = ',', requires = "program")]
    pub without: Vec<String>,
    /// Pass only the arguments that the assignment's document defines
    ///
    /// A maze solver gets no --full, and a maze generator gets only the name of its file.
    #[arg(long, requires = "program")]
    pub document_args: bool,
    /// Lower a limit on the tests, for example `rows=5`
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', requires = "program", value_parser = limit)]
    pub limit: Vec<(String, u64)>,
    /// Use only mazes of this size, for a program that knows no other
    #[arg(long, value_name = "COLUMNSxROWS", requires = "program", value_parser = size)]
    pub fixed_size: Option<(u16, u16)>,
    /// Time for each run of the program [default: that of the course, usually 2]
    #[arg(long, value_name = "SECONDS", requires = "program", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Memory for each run of the program [default: that of the course]
    #[arg(long, value_name = "MB", requires = "program", value_parser = clap::value_parser!(u32).range(1..))]
    pub memory_limit: Option<u32>,
    /// Who reads the report [default: staff]
    ///
    /// The report names the mutants that the program resembles, and the lines that may be wrong, only as far as the course's feedback for
    /// this reader allows it. The tests are written all the same.
    #[arg(long, value_enum, requires = "program")]
    pub audience: Option<Audience>,
    /// Run the program without the sandbox; use it only for programs that you trust
    #[arg(long, requires = "program")]
    pub unsafe_no_sandbox: bool,
}

fn limit(text: &str) -> Result<(String, u64), String> {
    let read = |(name, most): (&str, &str)| Some((name.to_owned(), most.parse().ok()?));
    let limit: Option<(String, u64)> = text.split_once('=').and_then(read);
    limit.filter(|limit| limit.1 > 0).ok_or_else(|| "expected a limit such as rows=5".to_owned())
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let read = |(columns, rows): (&str, &str)| Some((columns.parse().ok()?, rows.parse().ok()?));
    let size: Option<(u16, u16)> = text.split_once('x').and_then(read);
    size.filter(|&(columns, rows)| columns > 0 && rows > 0)
        .ok_or_else(|| "expected columns and rows such as 25x10".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    /// A limit that does not overflow a point in time.
    const LONGEST: f64 = 1e6;
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|seconds| (0.01..=LONGEST).contains(seconds))
        .ok_or_else(|| "expected seconds such as 0.5".to_owned())
}
