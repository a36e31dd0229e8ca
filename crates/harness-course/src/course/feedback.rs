//! What each reader of a report may see: the key `feedback` of the course file. The report's format is decided elsewhere.

use clap::ValueEnum;
use serde::Deserialize;
use std::fmt;

/// How much a reader may see about the mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Only which tests were rejected.
    None,
    /// Also how many mutants are exposed.
    Count,
    /// Also which mutants are exposed.
    Exposed,
    /// Also the ids of all other mutants.
    All,
}

/// How much each reader may see.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Feedback {
    /// A student, for a normal submission.
    #[serde(alias = "student")]
    pub normal: Level,
    /// A student, for the submission that is graded at the end.
    #[serde(rename = "final")]
    pub last: Level,
    /// A student, for a submission past the daily limit.
    pub past_limit: Level,
    pub staff: Level,
    /// The secret from which pseudonyms are computed. With it, students see pseudonyms and not ids.
    pub pseudonyms: Option<Secret>,
    /// How many hints a suite gets, if any.
    pub hints: Option<HintQuota>,
}

impl Default for Feedback {
    fn default() -> Self {
        let (normal, last, past_limit, staff) =
            (Level::Count, Level::Count, Level::None, Level::All);
        Self { normal, last, past_limit, staff, pseudonyms: None, hints: None }
    }
}

/// Who reads a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Audience {
    /// The course's staff
    Staff,
    /// A student, for a normal submission
    #[value(name = "student", alias = "normal")]
    Normal,
    /// A student, for the submission that is graded at the end
    Final,
    /// A student, for a submission past the daily limit
    PastLimit,
}

impl Feedback {
    pub fn level(&self, audience: Audience) -> Level {
        match audience {
            Audience::Normal => self.normal,
            Audience::Final => self.last,
            Audience::PastLimit => self.past_limit,
            Audience::Staff => self.staff,
        }
    }
}

/// A text that only the course's staff knows.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Secret(String);

impl Secret {
    /// The minimum length in characters, so that it cannot be found by trying.
    const LEAST: usize = 16;

    pub fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl TryFrom<String> for Secret {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.chars().count() < Self::LEAST {
            return Err(format!(
                "a secret must have at least {} characters, and be hard to guess",
                Self::LEAST
            ));
        }
        Ok(Self(text))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// How many hints a suite gets.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintQuota {
    /// New hints for each suite and day.
    pub per_day: u32,
}
