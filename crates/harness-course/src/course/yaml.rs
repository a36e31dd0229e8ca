//! Reads a YAML file into a type. Problems show the line.

use crate::diagnostic::{Place, Problem, did_you_mean, printable};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_yaml::{Error, Location};
use std::path::{Path, PathBuf};

pub use serde_yaml::Spanned;

/// The text of a YAML file, with its path for error messages.
pub struct Source {
    /// The file, as the user would name it.
    pub path: PathBuf,
    text: String,
}

impl Source {
    /// # Errors
    /// If the file cannot be read, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let bytes = std::fs::read(path)
            .map_err(|error| Problem::new(format!("cannot read {}: {error}", path.display())))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Problem::new(format!("{} is not UTF-8 text", path.display())))?;
        Ok(Self { path: path.to_owned(), text })
    }

    pub fn new(path: &Path, text: String) -> Self {
        Self { path: path.to_owned(), text }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The places of the lines that match.
    pub fn lines_that(&self, matches: fn(&str) -> bool) -> Vec<Place> {
        let numbered = self.text.lines().enumerate().filter(|(_, line)| matches(line));
        numbered.map(|(at, _)| Place::new(&self.path, &self.text, at + 1, None)).collect()
    }

    /// Parses the file.
    ///
    /// # Errors
    /// If it is not YAML, or has an unknown key, a missing key, or a value of the wrong type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        // A field of a shape may be called `n`.
        let options = serde_yaml::options! { with_snippet: false, strict_booleans: true };
        serde_yaml::from_str_with_options(&self.text, options).map_err(|error| self.explain(&error))
    }

    /// A problem at the place of the value `span`.
    pub fn problem<T>(&self, span: &Spanned<T>, message: impl Into<String>) -> Problem {
        Problem::new(message).at(self.place(span))
    }

    /// The place of the value `span`.
    pub fn place<T>(&self, span: &Spanned<T>) -> Place {
        self.place_at(span.referenced)
    }

    /// The place of a key of the mapping at `place`, or that of the mapping, if the key is not on a line of its own.
    pub fn place_of_key(&self, place: &Place, key: &str) -> Place {
        let Some(column) = place.column else { return place.clone() };
        let is_key = |line: &str| {
            line.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
        };
        let indent = |line: &str| line.chars().take_while(|&it| it == ' ').count() + 1;
        let lines = (place.line..).zip(self.text.lines().skip(place.line - 1));
        let mut lines =
            lines.take_while(|(_, line)| line.trim().is_empty() || indent(line) >= column);
        match lines.find(|(_, line)| indent(line) == column && is_key(line)) {
            Some((line, _)) => Place::new(&self.path, &self.text, line, Some(column)),
            None => place.clone(),
        }
    }

    fn place_at(&self, location: Location) -> Place {
        match location.line() {
            0 => self.beginning(),
            line => {
                let (line, column) = (line as usize, location.column() as usize);
                Place::new(&self.path, &self.text, line, Some(column))
            }
        }
    }

    fn beginning(&self) -> Place {
        Place { file: self.path.clone(), line: 1, column: None, text: None }
    }

    /// The problem for a value of the wrong type.
    fn wrong_type(&self, error: &Error) -> Option<Problem> {
        let expected = match error {
            Error::InvalidScalar { ty, .. } => described(ty)?,
            Error::Unexpected { expected, .. } => described(expected)?,
            Error::SerdeInvalidType { expected, .. }
            | Error::SerdeInvalidValue { expected, .. } => described(expected)?,
            Error::InvalidBooleanStrict { .. } => described("bool")?,
            Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. } => "one word".to_owned(),
            Error::NullIntoString { .. } => described("string")?,
            _ => return None,
        };
        let found = error
            .location()
            .and_then(|location| self.value_at(location))
            .map(|value| format!(", found {value}"));
        Some(Problem::new(format!("expected {expected}{}", found.unwrap_or_default())))
    }

    /// Describes the value at a place, for an error message.
    fn value_at(&self, location: Location) -> Option<String> {
        let line = self.text.lines().nth((location.line() as usize).checked_sub(1)?)?;
        let rest: String =
            line.chars().skip((location.column() as usize).checked_sub(1)?).collect();
        match rest.chars().next()? {
            '[' => Some("a list".to_owned()),
            '{' => Some("keys with values".to_owned()),
            '-' if rest.starts_with("- ") => Some("a list".to_owned()),
            _ => {
                let word = rest.split([',', '}', ']', '#']).next()?.trim();
                // A mapping begins with its first key.
                let is_key = word.contains(": ") || word.ends_with(':');
                if is_key {
                    Some("keys with values".to_owned())
                } else {
                    (!word.is_empty()).then(|| format!("`{}`", printable(word)))
                }
            }
        }
    }

    fn explain(&self, error: &Error) -> Problem {
        let problem = match error.without_snippet() {
            Error::SerdeUnknownField { field, expected, .. } => {
                let all = || format!("the keys here are {}", expected.join(", "));
                let hint = did_you_mean(field, expected.iter().copied()).unwrap_or_else(all);
                Problem::new(format!("unknown key `{field}`")).hint(hint)
            }
            Error::SerdeMissingField { field, .. } => {
                Problem::new(format!("the key `{field}` is missing"))
            }
            Error::SerdeUnknownVariant { variant, expected, .. } => {
                Problem::new(format!("expected one of {}, found `{variant}`", expected.join(", ")))
                    .maybe_hint(did_you_mean(variant, expected.iter().copied()))
            }
            Error::DuplicateMappingKey { key, .. } => {
                let key = key.as_deref().unwrap_or_default();
                Problem::new(format!("duplicate key `{key}`")).hint("keep only one of them")
            }
            other => self.wrong_type(other).unwrap_or_else(|| {
                let message = message_alone(other);
                match message.strip_prefix("duplicate field ") {
                    Some(key) => Problem::new(format!("duplicate key {key}"))
                        .hint("this key has two names; use only one of them"),
                    None if self.text.trim().is_empty() => Problem::new("the file is empty"),
                    None if message.starts_with("mapping values are not allowed") => {
                        Problem::new(message).hint("put text that contains `: ` in quotes")
                    }
                    None if serde_yaml::from_str::<IgnoredAny>(&self.text).is_err() => {
                        Problem::new(message)
                            .hint("this is not valid YAML: check this line and the one before it")
                    }
                    None => Problem::new(message),
                }
            }),
        };
        let place = error.location().map_or_else(|| self.beginning(), |at| self.place_at(at));
        problem.at(place)
    }
}

/// Describes an expected type for an error message; `None` if it is none of the known types.
fn described(expected: &str) -> Option<String> {
    let whole = |from: String, to: String| format!("a whole number from {from} to {to}");
    Some(match expected {
        "u16" => whole(u16::MIN.to_string(), u16::MAX.to_string()),
        "u32" => whole(u32::MIN.to_string(), u32::MAX.to_string()),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "f64" | "floating point" | "float" => "a number".to_owned(),
        "bool" | "boolean" | "a boolean" => "`true` or `false`".to_owned(),
        "char" | "a character" => "one character".to_owned(),
        "scalar" | "string scalar" | "string" | "a string" | "path string" => {
            "one value".to_owned()
        }
        "sequence start" | "a sequence" => {
            "a list, as in `[this, that]`, or lines that begin with `- `".to_owned()
        }
        "mapping start" | "a mapping" => {
            "keys with values, as in `{ key: value }`, or lines of `key: value`".to_owned()
        }
        structure if structure.starts_with("struct ") => return described("a mapping"),
        _ => return None,
    })
}

/// The error's message without its place, which is shown separately.
fn message_alone(error: &Error) -> String {
    let text = error.to_string();
    let end = [" at line ", " (line ", "\n"]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()
        .unwrap_or(text.len());
    text[..end].trim_start_matches("error: ").to_owned()
}

/// A mapping that keeps the order of the file.
pub type Entries<T> = crate::shape::yaml::Entries<String, T>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_in_a_text_gives_a_hint_to_quote_it() {
        let source =
            Source::new(Path::new("a.yaml"), "spec: List Output: rows from zero\n".to_owned());
        let problem = source.parse::<std::collections::BTreeMap<String, String>>().unwrap_err();
        assert_eq!(problem.hint.as_deref(), Some("put text that contains `: ` in quotes"));
    }
}
