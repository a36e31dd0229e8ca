//! Reading a YAML file into a type, with problems that show the line.

use crate::problem::{Place, Problem, nearest};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_yaml::{Error, Location};
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

pub use serde_yaml::Spanned;

/// A YAML file that was read, and what is needed to point into it.
pub struct Source {
    /// The file, as the user would name it.
    pub path: PathBuf,
    text: String,
}

impl Source {
    /// Reads the file.
    ///
    /// # Errors
    /// Where it can't be read, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let bytes = std::fs::read(path).map_err(|error| Problem::new(format!("cannot read {}: {error}", path.display())))?;
        let text = String::from_utf8(bytes).map_err(|_| Problem::new(format!("{} is not UTF-8 text", path.display())))?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// `text`, as the contents of the file.
    pub fn new(path: &Path, text: String) -> Self {
        Self { path: path.to_owned(), text }
    }

    /// The lines that `are_meant`, each as a place.
    pub fn lines_that(&self, are_meant: fn(&str) -> bool) -> Vec<Place> {
        let numbered = self.text.lines().enumerate().filter(|(_, line)| are_meant(line));
        numbered.map(|(at, _)| Place::new(&self.path, &self.text, at + 1, None)).collect()
    }

    /// The file's contents as a `T`.
    ///
    /// # Errors
    /// Where it is no YAML, or has an unknown key, a missing one, or a wrong type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let options = serde_yaml::options! { with_snippet: false };
        serde_yaml::from_str_with_options(&self.text, options).map_err(|error| self.explain(&error))
    }

    /// A problem with the value at `span`.
    pub fn problem<T>(&self, span: &Spanned<T>, message: impl Into<String>) -> Problem {
        self.at(span.referenced, Problem::new(message))
    }

    fn at(&self, location: Location, problem: Problem) -> Problem {
        match location.line() {
            0 => problem.at(Place { file: self.path.clone(), line: 1, column: None, text: None }),
            line => problem.at(Place::new(&self.path, &self.text, line as usize, Some(location.column() as usize))),
        }
    }

    fn explain(&self, error: &Error) -> Problem {
        let problem = match error.without_snippet() {
            Error::SerdeUnknownField { field, expected, .. } => {
                let hint = match nearest(field, expected.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys here are {}", expected.join(", ")),
                };
                Problem::new(format!("no such key `{field}`")).hint(hint)
            }
            Error::SerdeMissingField { field, .. } => Problem::new(format!("the key `{field}` is missing")),
            Error::SerdeUnknownVariant { variant, expected, .. } => {
                Problem::new(format!("`{variant}` is none of {}", expected.join(", ")))
                    .maybe_hint(nearest(variant, expected.iter().copied()).map(|near| format!("did you mean `{near}`?")))
            }
            Error::DuplicateMappingKey { key, .. } => {
                let key = key.as_deref().unwrap_or_default();
                Problem::new(format!("the key `{key}` stands twice")).hint("keep one of them")
            }
            other => Problem::new(message_alone(other)),
        };
        match error.location() {
            Some(location) => self.at(location, problem),
            None => problem.at(Place { file: self.path.clone(), line: 1, column: None, text: None }),
        }
    }
}

/// The error's message without the place that it ends in, which is shown otherwise.
fn message_alone(error: &Error) -> String {
    let text = error.to_string();
    let end = [" at line ", " (line ", "\n"].iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text[..end].trim_start_matches("error: ").to_owned()
}

/// A mapping in the order in which it was written.
#[derive(Clone, Debug)]
pub struct Entries<T>(pub Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}
