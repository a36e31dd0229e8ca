//! The command line of `verify`.

use super::Format;
use crate::course;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  harness verify receipt-17.json --archive submission-17.tar.gz --key course.pem
  harness verify receipt-17.json --archive submission-17.tar.gz --course cs

The archive and the receipt are on the page of the submission, and the key is
at /receipts/key of the server. docs/receipts.md says what a receipt proves.

Exit status: 0 the record comes out the same; 1 something differs; otherwise as
for every command.")]
pub struct Verify {
    /// The receipt of a record
    #[arg(value_name = "RECEIPT")]
    pub receipt: PathBuf,
    /// The archive that was handed in
    #[arg(long, value_name = "FILE")]
    pub archive: PathBuf,
    /// The course file, or its folder, of the version that graded [default: the nearest harness.yaml, going up]
    #[arg(long, value_name = "FILE", default_value_os_t = course::nearest(), hide_default_value = true)]
    pub course: PathBuf,
    /// The public key of the server, as the course published it
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The chain of the server from this receipt on: shows to which head it leads
    #[arg(long, value_name = "FILE")]
    pub chain: Option<PathBuf>,
    /// The record itself, or the records that staff exported: tells more about what differs
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Run what students wrote without the sandbox; use it only for programs that you trust
    #[arg(long)]
    pub unsafe_no_sandbox: bool,
}
