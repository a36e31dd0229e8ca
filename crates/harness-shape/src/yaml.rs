//! The description of an input in YAML. `docs/shapes.md` documents it.

mod build;
mod description;

pub use build::{shape, with_usual_in_comments};
pub use description::Description;
pub use description::entries::Entries;

use crate::tree::Shape;
use crate::{MOST_BYTES, Problem};
use serde_yaml::{Error, Location};

/// Parses a description.
///
/// # Errors
/// At the first thing that is wrong.
pub fn parse(source: &[u8]) -> Result<Shape, Problem> {
    if source.len() > MOST_BYTES {
        let message = format!("the description has more than {MOST_BYTES} bytes");
        return Err(Problem::new(MOST_BYTES, message));
    }
    let text = std::str::from_utf8(source)
        .map_err(|error| Problem::new(error.valid_up_to(), "this is not UTF-8 text"))?;
    let description = description::read(text).map_err(|error| explain(text, &error))?;
    shape(text, &description)
}

/// The offset of a place in bytes.
fn offset(text: &str, place: Location) -> usize {
    let lines = (place.line() as usize).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    let before = text[start..].chars().take((place.column() as usize).saturating_sub(1));
    start + before.map(char::len_utf8).sum::<usize>()
}

fn explain(text: &str, error: &Error) -> Problem {
    let at = error.location().map_or(0, |place| offset(text, place));
    match error.without_snippet() {
        Error::SerdeUnknownField { field, expected, .. } => {
            let near = expected.iter().find(|key| is_near(field, key));
            let hint = near.map_or_else(
                || format!("the keys here are {}", expected.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            Problem { hint: Some(hint), ..Problem::new(at, format!("unknown key `{field}`")) }
        }
        Error::SerdeMissingField { field, .. } => {
            Problem::new(at, format!("the key `{field}` is missing"))
        }
        Error::DuplicateMappingKey { key, .. } => {
            Problem::new(at, format!("duplicate key `{}`", key.as_deref().unwrap_or_default()))
        }
        other => {
            let message = other.to_string();
            let ends = [" at line ", " (line ", "\n"];
            let end = ends.iter().filter_map(|mark| message.find(mark)).min();
            let message = &message[..end.unwrap_or(message.len())];
            Problem::new(at, message.trim_start_matches("error: "))
        }
    }
}

/// Whether two words differ in one letter, or in their case.
fn is_near(word: &str, other: &str) -> bool {
    let (word, other) = (word.to_lowercase().replace('_', " "), other.to_lowercase());
    let same_start = word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let longest = word.len().max(other.len());
    let (rest, other_rest) = (word.chars().rev(), other.chars().rev());
    let same_end = rest.zip(other_rest).take_while(|(a, b)| a == b).count();
    same_start + same_end + 1 >= longest
}
