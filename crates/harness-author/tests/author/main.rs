//! Tests of the commands of an author through the command line.

mod documents;
mod mine;
mod packages;
mod propose;
mod suites;
#[expect(dead_code, reason = "the tests of `harness` need more of it")]
#[path = "../../../../tests/support/mod.rs"]
mod support;

use support::run::{Run, harness};
use support::skip::skip;
use support::{course, example, folder, language, path, repository, run};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_harness-author");
