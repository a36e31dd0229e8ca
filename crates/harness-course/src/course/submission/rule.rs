//! The rules for submissions, and what breaking one costs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule for submissions.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The archive or folder can be read.
    Readable,
    /// Only allowed files.
    Files,
    /// No folders.
    Folders,
    /// No links and no special files.
    Links,
    /// The size of all files.
    Size,
    /// The files that must be there.
    Needed,
    /// The project identifier, in a comment of every source and header, and in the Makefile.
    Identifier,
    /// No object files and no programs.
    Objects,
    /// Only tests have names that begin with `test`.
    TestNames,
    /// The number of tests.
    TestCount,
    /// No banned header and no banned word.
    Banned,
    /// The options of the compiler.
    Flags,
    /// Each source is compiled to an object file, if the course asks for it.
    Separate,
    /// `make clean` removes what was built.
    Clean,
    /// What a program writes to standard error does not grow with its input.
    Stderr,
}

impl Rule {
    /// What a finding costs unless the course says otherwise.
    pub(super) fn usual_cost(self) -> Cost {
        match self {
            Self::Readable | Self::Links | Self::Size => Cost::Everything,
            Self::Banned | Self::Flags => Cost::Points(5.0),
            _ => Cost::Nothing,
        }
    }
}

/// What a finding costs: `warn`, `refuse`, or a number of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    Nothing,
    Points(f64),
    /// The submission is not graded.
    Everything,
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let text = String::deserialize(deserializer)?;
        let points: Option<f64> = text.parse().ok();
        match (text.as_str(), points.filter(|points| points.is_finite() && *points >= 0.0)) {
            ("warn", _) => Ok(Self::Nothing),
            ("refuse", _) => Ok(Self::Everything),
            (_, Some(points)) => Ok(Self::Points(points)),
            _ => Err(D::Error::custom("a finding costs `warn`, `refuse`, or a number of points")),
        }
    }
}
