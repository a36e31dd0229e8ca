//! What each reader of a report is told: the part of the course file under `feedback:`. It decides nothing about how that looks.

use clap::ValueEnum;
use serde::Deserialize;
use std::fmt;

/// How much a reader is told of the mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing but which tests were rejected.
    None,
    /// How many are exposed.
    Count,
    /// Which are exposed too.
    Exposed,
    /// Every mutant's id.
    All,
}

/// How much each reader is told.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Feedback {
    /// A student, of a normal submission.
    #[serde(alias = "student")]
    pub normal: Level,
    /// A student, of the submission that is graded at the end.
    #[serde(rename = "final")]
    pub last: Level,
    /// A student, of a submission past the limit of the day.
    pub past_limit: Level,
    /// The course's staff.
    pub staff: Level,
    /// What the pseudonyms of mutants are made from, where students see those and not the ids.
    pub pseudonyms: Option<Secret>,
    /// How many hints there are, where there are any.
    pub hints: Option<Ration>,
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
    /// A student, of a normal submission; `student` says the same
    #[value(alias = "student")]
    Normal,
    /// A student, of the submission that is graded at the end
    Final,
    /// A student, of a submission past the limit of the day
    PastLimit,
}

impl Feedback {
    /// How much a reader is told.
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
    /// Characters that one has at least, so that nobody tries all of them.
    const LEAST: usize = 16;

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl TryFrom<String> for Secret {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.chars().count() < Self::LEAST {
            return Err(format!(
                "a secret has at least {} characters that nobody guesses",
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

/// How many hints there are.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ration {
    /// New ones a day and a suite.
    pub per_day: u32,
}
