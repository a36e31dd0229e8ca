//! The results of `shape check`, `shape sample` and `shape list`, as text and as JSON.

use super::screen::{BAD, FAINT, GOOD, STRONG, Screen, WriteText};
use crate::diagnostic::{Place, Problem, visible};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `shape check --format json` writes.
pub const CHECKED_SCHEMA: &str = "harness-shape-checked/1";
/// The version of the document that `shape sample` and `shape list` write.
pub const INPUTS_SCHEMA: &str = "harness-shape-inputs/1";

/// Which inputs are as a shape describes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// `harness-shape-checked/1`.
    pub schema: String,
    /// The file of the shape.
    pub shape: String,
    /// The inputs, in the order of the command line.
    pub inputs: Vec<CheckedInput>,
    /// How many of them are valid.
    pub valid: usize,
    /// Bounds and alternatives of the shape that no valid input reaches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Unreached>,
}

/// Whether one input is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedInput {
    pub file: String,
    pub valid: bool,
    /// What was expected, and what was found; absent if the input is valid, as are the fields below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The line of the input, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The place with its line, for text.
    #[serde(skip)]
    place: Option<Place>,
}

impl CheckedInput {
    /// The result of a file, which is valid if there is no problem.
    pub fn new(file: String, problem: Option<Problem>) -> Self {
        let place = problem.as_ref().and_then(|problem| problem.place.clone());
        Self {
            file,
            valid: problem.is_none(),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().and_then(|place| place.column),
            place,
            message: problem.as_ref().map(|problem| problem.message.clone()),
            hint: problem.and_then(|problem| problem.hint),
        }
    }
}

/// Something in a shape that no input reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreached {
    /// The line of the shape, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is not reached, as a sentence.
    pub what: String,
}

/// Inputs that were made from a shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// `harness-shape-inputs/1`.
    pub schema: String,
    /// The file of the shape.
    pub shape: String,
    /// Whether a list contains every input of its size. Absent for random inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    pub inputs: Vec<MadeInput>,
    /// Bounds and alternatives of the shape that no input of a list, or none of 100 or more random inputs reaches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Unreached>,
}

/// An input that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeInput {
    /// The contents, with invalid UTF-8 replaced.
    pub input: String,
    /// The one mistake of an invalid input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Mistake>,
}

/// A mistake that was made on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// The line of the input, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is there, and what should be.
    pub what: String,
}

impl WriteText for Checked {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        for input in &self.inputs {
            let file = visible(&input.file);
            let Some(message) = &input.message else {
                writeln!(out, "{file}: {}", screen.styled(GOOD, "valid"))?;
                continue;
            };
            screen.prose(out, &format!("{file}: {} {message}", screen.styled(BAD, "invalid:")))?;
            if let Some(place) = &input.place {
                writeln!(out, "{place}")?;
            }
            if let Some(hint) = &input.hint {
                screen.prose(out, &format!("hint: {hint}"))?;
            }
        }
        if self.inputs.len() > 1 {
            writeln!(out, "{} of {} inputs are valid", self.valid, self.inputs.len())?;
        }
        write_unreached(out, &self.unreached, screen)
    }
}

impl WriteText for Inputs {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let is_alone = self.inputs.len() == 1 && self.complete.is_none();
        for (number, made) in self.inputs.iter().enumerate() {
            let heading = match &made.mistake {
                Some(Mistake { line, column, what }) => {
                    format!("# input {}: line {line}, column {column}: {what}", number + 1)
                }
                None if is_alone => String::new(),
                None => format!("# input {}", number + 1),
            };
            if !heading.is_empty() {
                screen.prose(out, &screen.styled(STRONG, &visible(&heading)))?;
            }
            out.push_str(&made.input);
            if !is_alone && !made.input.ends_with('\n') && !made.input.is_empty() {
                writeln!(out, "{}", screen.styled(FAINT, "(no newline at the end)"))?;
            }
        }
        if self.inputs.is_empty() && self.complete == Some(true) {
            writeln!(out, "# no input has this size")?;
        }
        if self.complete == Some(false) {
            writeln!(out, "# there are more, which are not listed")?;
        }
        write_unreached(out, &self.unreached, screen)
    }
}

fn write_unreached(out: &mut String, unreached: &[Unreached], screen: Screen) -> fmt::Result {
    if !unreached.is_empty() {
        writeln!(out, "never reached:")?;
    }
    unreached.iter().try_for_each(|Unreached { line, column, what }| {
        screen.prose(out, &format!("  {line}:{column}: {}", visible(what)))
    })
}
