//! The course file as it is written. [`super::check`] converts it into the types of [`super`].

use super::{Commands, Feedback, Language, RunLimits, Scoring, Submission};
use super::{input, judge, refused, unit, validator};
use crate::course::yaml::{Entries, Spanned};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Course {
    pub(super) course: String,
    pub(super) assignments: Entries<Assignment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Assignment {
    pub(super) title: Option<String>,
    /// Tests that are programs have none.
    pub(super) domain: Option<Spanned<String>>,
    /// The shape of the inputs, for the domain `shape`.
    pub(super) input: Option<Spanned<input::Input>>,
    pub(super) case: Option<Spanned<input::Case>>,
    pub(super) program: Spanned<ProgramKeys>,
    pub(super) mutants: Spanned<PathBuf>,
    /// Other right programs, which tests must not tell apart.
    #[serde(default)]
    pub(super) references: Vec<Spanned<PathBuf>>,
    /// A folder of valid tests, near which a search looks for others.
    pub(super) corpus: Option<Spanned<PathBuf>>,
    pub(super) judge: Option<Spanned<judge::Written>>,
    #[serde(default)]
    pub(super) validators: Vec<Spanned<validator::Written>>,
    pub(super) tests: Tests,
    #[serde(default)]
    pub(super) run: RunLimits,
    pub(super) scoring: Spanned<Scoring>,
    #[serde(default)]
    pub(super) feedback: Feedback,
    pub(super) submission: Option<Spanned<Submission>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramKeys {
    pub(super) cargo: Option<Spanned<PathBuf>>,
    pub(super) c: Option<Spanned<Files>>,
    pub(super) cpp: Option<Spanned<Files>>,
    pub(super) python: Option<Spanned<Files>>,
    pub(super) java: Option<Spanned<Files>>,
    #[serde(default)]
    pub(super) flags: Vec<String>,
    pub(super) binary: Option<String>,
    #[serde(default)]
    pub(super) features: Vec<String>,
    pub(super) reference: Option<Commands>,
    pub(super) mutant: Option<Commands>,
    #[serde(default)]
    pub(super) sources: Vec<Spanned<PathBuf>>,
}

/// One file or several.
pub(super) enum Files {
    One(PathBuf),
    Several(Vec<Spanned<PathBuf>>),
}

/// `serde(untagged)` would lose the places of the files.
impl<'de> Deserialize<'de> for Files {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrSeveral;
        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = Files;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a file or a list of files")
            }

            fn visit_str<E: serde::de::Error>(self, file: &str) -> Result<Files, E> {
                Ok(Files::One(file.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut files: A) -> Result<Files, A::Error> {
                let mut all = Vec::new();
                while let Some(file) = files.next_element()? {
                    all.push(file);
                }
                Ok(Files::Several(all))
            }
        }
        deserializer.deserialize_any(OneOrSeveral)
    }
}

impl ProgramKeys {
    /// The source files that are given, with their languages.
    pub(super) fn languages(&self) -> impl Iterator<Item = (Language, Vec<Spanned<PathBuf>>)> {
        let all = [
            (Language::C, &self.c),
            (Language::Cpp, &self.cpp),
            (Language::Python, &self.python),
            (Language::Java, &self.java),
        ];
        all.into_iter().filter_map(|(language, files)| {
            let files = files.as_ref()?;
            let (referenced, defined) = (files.referenced, files.defined);
            let files = match &files.value {
                Files::One(file) => vec![Spanned { value: file.clone(), referenced, defined }],
                Files::Several(files) => files.clone(),
            };
            Some((language, files))
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tests {
    pub(super) files: Spanned<TestFiles>,
    /// The framework, if tests are programs.
    pub(super) unit: Option<Spanned<String>>,
    pub(super) compile: Option<unit::Compile>,
    /// How many test cases count.
    pub(super) cases: Option<u32>,
    /// How long the runs of a suite of unit tests may take together.
    pub(super) suite_seconds: Option<Spanned<u32>>,
    /// The file of the course's own test cases.
    pub(super) witnesses: Option<Spanned<PathBuf>>,
    /// Whether results say which lines of the reference unit tests reach.
    pub(super) coverage: Option<Spanned<bool>>,
    #[serde(default = "kilobytes_64")]
    pub(super) bytes: u64,
    #[serde(default)]
    pub(super) crlf: Crlf,
    #[serde(default)]
    pub(super) limits: Entries<Spanned<u64>>,
    #[serde(default)]
    pub(super) order: Order,
    pub(super) flags: Option<Vec<Group>>,
    #[serde(default)]
    pub(super) parameters: Vec<String>,
    #[serde(default)]
    pub(super) empty: Empty,
    #[serde(default)]
    pub(super) links: Links,
    #[serde(default)]
    pub(super) options: Options,
    /// Whether an input that the reference rejects is a test.
    pub(super) rejected: Option<Spanned<refused::Written>>,
    /// The calls that `generate` may draw, as a shape.
    pub(super) calls: Option<Spanned<input::Input>>,
}

/// How many files count, or their names.
pub(super) enum TestFiles {
    Count(u32),
    Names(Vec<String>),
    /// Neither, as it is written.
    Other(String),
}

/// `serde(untagged)` would say of no mistake what was expected.
impl<'de> Deserialize<'de> for TestFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CountOrNames;
        impl<'de> Visitor<'de> for CountOrNames {
            type Value = TestFiles;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of files, or for unit tests a list of their names")
            }

            fn visit_u64<E: serde::de::Error>(self, count: u64) -> Result<TestFiles, E> {
                let other = || TestFiles::Other(count.to_string());
                Ok(u32::try_from(count).map_or_else(|_| other(), TestFiles::Count))
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<TestFiles, E> {
                Ok(TestFiles::Other(number.to_string()))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<TestFiles, E> {
                Ok(TestFiles::Other(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<TestFiles, A::Error> {
                Deserialize::deserialize(SeqAccessDeserializer::new(names)).map(TestFiles::Names)
            }
        }
        deserializer.deserialize_any(CountOrNames)
    }
}

fn kilobytes_64() -> u64 {
    1 << 16
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Crlf {
    #[default]
    Convert,
    Keep,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Order {
    #[default]
    Listed,
    Any,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Empty {
    #[default]
    Reject,
    Accept,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Links {
    #[default]
    Reject,
    Follow,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Options {
    #[default]
    Separate,
    Getopt,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) group: String,
    #[serde(default)]
    pub(super) required: bool,
    pub(super) letters: Entries<Spanned<Spelling>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spelling {
    #[serde(default)]
    pub(super) long: String,
    #[serde(default)]
    pub(super) short: String,
}
