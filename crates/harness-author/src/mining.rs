//! Mines the programs of a class for deviations: the ways in which they differ from the reference.
//!
//! All programs run on the same cases ([`corpus`]), so that what they do can be compared. A [`trial`] runs one program on them.
//! [`deviations`] tells which differences are the same deviation, in one program and in several.

pub mod corpus;
pub mod deviations;
pub mod likeness;
pub mod rank;
pub mod smallest;
pub mod suites;
pub mod trial;
pub mod weigh;

pub use corpus::Corpus;
pub use trial::Trial;

use harness::domain::How;
use harness::hash::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use subject::{End, Outcome};

/// How a program differs on a case: what users see of it, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub how: How,
    pub outcome: u64,
}

impl Shown {
    /// What a program shows that differs in the way `how`. What it printed before it was stopped does not count.
    pub fn of(how: impl Into<How>, outcome: &Outcome) -> Self {
        let end = match outcome.end {
            End::Exit(status) => of_exit(status, &outcome.stdout, &outcome.files),
            End::Crash(_) => 1,
            End::Timeout => 2,
            End::Memory => 3,
            End::OutputLimit => 4,
        };
        Self { how: how.into(), outcome: end }
    }
}

fn of_exit(status: u8, stdout: &[u8], files: &BTreeMap<String, Vec<u8>>) -> u64 {
    let digest = Digest::default().with([status]).with(stdout);
    let digest = files.iter().fold(digest, |all, (name, file)| all.with(name).with(file));
    let digits = digest.hex();
    u64::from_str_radix(&digits[..16], 16).expect("the digest is hexadecimal")
}
