//! The command line of `submit`, which `harness-server` runs.

use super::{Format, candidates, points};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness submit --assignment puzzle               submit the current folder
  harness submit *.cpp Makefile --assignment puzzle
  harness submit work.tar.gz --assignment puzzle   submit an archive
  harness submit --assignment puzzle --no-wait     do not wait for the result

HARNESS_TOKEN is your token, if --token-file does not name a file with it. The
server's page makes tokens. SSL_CERT_FILE names a file of certificates, if the
server's is of an authority that browsers do not know.

Exit status: 1 if the submission was refused, or earns less than --fail-under;
otherwise as for every command.")]
pub struct Submit {
    /// Files, a folder of files, or an archive [default: the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The assignment
    #[arg(long, value_name = "ID", add = candidates::assignments())]
    pub assignment: String,
    /// The address of the server
    #[arg(long, value_name = "URL", env = "HARNESS_SERVER", hide_env_values = true)]
    pub server: Option<String>,
    /// A file that holds your token; only you may be allowed to read it
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Do not wait for the result
    #[arg(long, conflicts_with = "fail_under")]
    pub no_wait: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Exit with status 1 if the submission earns fewer points
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub fail_under: Option<f64>,
}
