//! The key `rejected` of `tests`: whether an input that the reference refuses is a test, and what is then compared.

use super::check::Check;
use super::yaml::Spanned;
use crate::domain::{FlagGroup, Refusals, RefusedTests};
use regex::bytes::Regex;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;

/// The value of the key as it is written: a word, or keys.
pub(super) enum Written {
    Word(String),
    Keys(Keys),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    /// What such tests are: the word that stands alone otherwise.
    are: String,
    statuses: Option<Spanned<Vec<Spanned<i64>>>>,
    #[serde(default)]
    compare: Vec<Spanned<Compared>>,
}

/// Something that is compared.
enum Compared {
    Word(String),
    /// The pattern of what is compared in the lines of standard error.
    Stderr(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stderr {
    stderr: String,
}

/// Reads a word, or keys.
struct WordOr<T>(&'static str, fn(String) -> T);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "`valid`, `reject`, a letter of `flags`, or keys with values";
        deserializer.deserialize_any(WordOr(EXPECTED, Self::Word))
    }
}

impl<'de> Visitor<'de> for WordOr<Written> {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Written, E> {
        Ok(self.1(word.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
        Keys::deserialize(MapAccessDeserializer::new(map)).map(Written::Keys)
    }
}

impl<'de> Deserialize<'de> for Compared {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "`status`, `stdout`, or `stderr:` with a pattern";
        deserializer.deserialize_any(WordOr(EXPECTED, Self::Word))
    }
}

impl<'de> Visitor<'de> for WordOr<Compared> {
    type Value = Compared;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Compared, E> {
        Ok(self.1(word.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Compared, A::Error> {
        let keys = Stderr::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Compared::Stderr(keys.stderr))
    }
}

impl Check<'_> {
    /// Which of the inputs that the reference refuses are tests. `None` if there are problems.
    pub(super) fn refusals(
        &mut self,
        written: Option<&Spanned<Written>>,
        groups: &[FlagGroup],
    ) -> Option<Refusals> {
        let Some(written) = written else { return Some(Refusals::default()) };
        let keys = match &written.value {
            Written::Word(word) => {
                let tests = self.refused_tests(written, word, groups)?;
                return Some(Refusals { tests, ..Refusals::default() });
            }
            Written::Keys(keys) => keys,
        };
        let before = self.problems.len();
        let tests = self.refused_tests(written, &keys.are, groups);
        let mut refusals = Refusals { tests: tests?, ..Refusals::default() };
        let statuses = keys.statuses.as_ref();
        if let Some(statuses) = statuses.filter(|statuses| statuses.value.is_empty()) {
            let message = "`statuses` lists no exit status";
            let hint = "leave the key out: then each status except 0 is a refusal";
            self.problems.push(self.source.problem(statuses, message).hint(hint));
        }
        for status in statuses.iter().flat_map(|statuses| &statuses.value) {
            match u8::try_from(status.value) {
                Ok(0) => {
                    let message = "a refusal has another status than 0";
                    self.problems.push(self.source.problem(status, message));
                }
                Ok(status) => refusals.statuses.push(status),
                Err(_) => {
                    let found = status.value;
                    let message = format!("expected an exit status from 1 to 255, found {found}");
                    self.problems.push(self.source.problem(status, message));
                }
            }
        }
        for compared in &keys.compare {
            self.compare(compared, &mut refusals);
        }
        (self.problems.len() == before).then_some(refusals)
    }

    fn refused_tests(
        &mut self,
        at: &Spanned<Written>,
        word: &str,
        groups: &[FlagGroup],
    ) -> Option<RefusedTests> {
        let mut letters = groups.iter().flat_map(|group| &group.letters).map(|flag| flag.letter);
        let letter = letters.find(|letter| letter.to_string() == word);
        match (word, letter) {
            ("valid", _) => Some(RefusedTests::All),
            ("reject", _) => Some(RefusedTests::None),
            (_, Some(letter)) => Some(RefusedTests::Lettered(letter)),
            _ => {
                let message =
                    format!("expected `valid`, `reject`, or a letter of `flags`, found `{word}`");
                let hint = "`valid`: an input that the reference refuses is a test; a letter: if it is in the test's name";
                self.problems.push(self.source.problem(at, message).hint(hint));
                None
            }
        }
    }

    fn compare(&mut self, compared: &Spanned<Compared>, refusals: &mut Refusals) {
        match &compared.value {
            Compared::Word(word) if word == "status" => {}
            Compared::Word(word) if word == "stdout" => refusals.compares_output = true,
            Compared::Word(word) => {
                let message = format!(
                    "expected `status`, `stdout`, or `stderr:` with a pattern, found `{word}`"
                );
                let hint = "for example `compare: [status, { stderr: \"^error [0-9]+\" }]`";
                self.problems.push(self.source.problem(compared, message).hint(hint));
            }
            Compared::Stderr(pattern) => match Regex::new(pattern) {
                Ok(pattern) => refusals.compared_lines.push(pattern),
                Err(error) => {
                    let text = error.to_string();
                    let last = text.lines().last().unwrap_or_default().trim();
                    let why = last.strip_prefix("error: ").unwrap_or(last);
                    let message = format!("`{pattern}` is not a regular expression: {why}");
                    self.problems.push(self.source.problem(compared, message));
                }
            },
        }
    }
}
