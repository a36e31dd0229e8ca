//! How each language writes what a bug changes.

use super::{Candidate, Form, Part};
use harness::course::AssignmentProgram;
use harness::course::language::Grammar;
use serde::{Deserialize, Serialize};

/// The languages that bugs are written in. C++ writes them as C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notation {
    Rust,
    C,
    Python,
}

/// What contains one of these may bind less tightly than `||`, `&&`, `or` and `and`, or mix with them.
const LOOSE: [&str; 11] =
    ["&&", "||", "?", ",", " = ", "+= ", " and ", " or ", " if ", "lambda", ":="];

impl Notation {
    /// That of a program. `None` if its bugs are not written in its source.
    pub fn of(program: &AssignmentProgram) -> Option<Self> {
        match program {
            AssignmentProgram::Cargo(_) => Some(Self::Rust),
            AssignmentProgram::Sources(sources) => {
                let rules = sources.language.rules();
                rules.takes_candidates.then_some(match rules.marks.grammar {
                    Grammar::Rust => Self::Rust,
                    Grammar::C => Self::C,
                    Grammar::Python => Self::Python,
                })
            }
            AssignmentProgram::Commands { .. } => None,
        }
    }

    /// What stands before and after the place of a candidate, with parentheses around everything. The mark of a guarded candidate is
    /// only reached where the change makes a difference.
    pub(super) fn around(
        self,
        source: &str,
        candidate: &Candidate,
        part: &Part,
        id: &str,
        is_guarded: bool,
    ) -> (String, String) {
        let mut mark = match self {
            Self::Rust => format!("::subject::bug!(\"{id}\")"),
            Self::C => format!("BUG(\"{id}\")"),
            Self::Python => format!("bug(\"{id}\")"),
        };
        let (or, and, not) = self.words();
        match (candidate.form, self) {
            (Form::Choose, _) => {
                let changed = part.changed(source);
                if is_guarded {
                    let right = &source[part.place.clone()];
                    mark = format!("({changed}) != ({right}) {and} {mark}");
                }
                let (before, after) = self.choice(&mark, &changed);
                (format!("({before}"), format!("{after})"))
            }
            (Form::Or, _) => ("((".to_owned(), format!(") {or} {mark})")),
            (Form::AndNot, _) => ("((".to_owned(), format!(") {and} {not}{mark})")),
            (Form::Differs, Self::Rust) => ("((".to_owned(), format!(") != {mark})")),
            (Form::Differs, _) => (format!("(({not}("), format!(")) == {mark})")),
            (Form::Skip, Self::Rust) => (format!("if !{mark} {{ "), " }".to_owned()),
            (Form::Skip, Self::C) => (format!("{{ if (!{mark}) "), " }".to_owned()),
            (Form::Skip, Self::Python) => (format!("if not {mark}: "), String::new()),
        }
    }

    /// The place of a candidate with a mark, as a person would write it.
    pub(super) fn written(
        self,
        source: &str,
        candidate: &Candidate,
        part: &Part,
        mark: &str,
    ) -> String {
        let right = &source[part.place.clone()];
        let (or, and, not) = self.words();
        let text = match (candidate.form, self) {
            (Form::Choose, _) => {
                let (before, after) = self.choice(mark, &part.changed(source));
                format!("{before}{right}{after}")
            }
            (Form::Or, Self::Rust) => format!("{right} || {mark}"),
            (Form::Or, _) => format!("{} {or} {mark}", self.grouped(right)),
            (Form::AndNot, _) => format!("{} {and} {not}{mark}", self.grouped(right)),
            (Form::Differs, Self::Rust) => format!("{} != {mark}", self.grouped(right)),
            // Only a comparison is known to be a truth value.
            (Form::Differs, _) if part.range == part.place => {
                let is_simple = |letter: char| letter.is_alphanumeric() || "_.:()".contains(letter);
                let right = right.to_owned();
                let right = if right.chars().all(is_simple) { right } else { format!("({right})") };
                format!("({not}{right}) == {mark}")
            }
            (Form::Differs, _) => format!("({right}) != {mark}"),
            (Form::Skip, Self::Rust) => format!("if !{mark} {{ {right} }}"),
            (Form::Skip, Self::C) if candidate.is_operand => {
                format!("{{ if (!{mark}) {right} }}")
            }
            (Form::Skip, Self::C) => format!("if (!{mark}) {right}"),
            (Form::Skip, Self::Python) => {
                format!("if not {mark}:{}{right}", indented(source, part.place.start))
            }
        };
        let is_operand = candidate.is_operand && candidate.form != Form::Skip;
        if is_operand { format!("({text})") } else { text }
    }

    /// What stands before and after an expression that the mark chooses another one for.
    fn choice(self, mark: &str, changed: &str) -> (String, &'static str) {
        match self {
            Self::Rust => (format!("if {mark} {{ {changed} }} else {{ "), " }"),
            Self::C => (format!("{mark} ? {changed} : "), ""),
            Self::Python => (format!("{changed} if {mark} else "), ""),
        }
    }

    /// How the language writes `or`, `and` and `not`.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Rust | Self::C => ("||", "&&", "!"),
            Self::Python => ("or", "and", "not "),
        }
    }

    /// A condition that can be combined with others.
    fn grouped(self, text: &str) -> String {
        let is_loose = match self {
            Self::Rust => text.contains(' '),
            Self::C | Self::Python => LOOSE.iter().any(|part| text.contains(part)),
        };
        if is_loose { format!("({text})") } else { text.to_owned() }
    }
}

/// The end of a line, and the start of the next one, which is indented more than the one at this place.
fn indented(source: &str, at: usize) -> String {
    let line = &source[..at];
    let line = &line[line.rfind('\n').map_or(0, |start| start + 1)..];
    let indent: String = line.chars().take_while(|letter| letter.is_whitespace()).collect();
    let more = if indent.contains('\t') { "\t" } else { "    " };
    format!("{}{indent}{more}", end_of_line(source))
}

/// How the source ends its lines.
pub(super) fn end_of_line(source: &str) -> &'static str {
    if source.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Where the text of the source starts, behind a byte-order mark.
pub(super) fn start(source: &str) -> usize {
    source.len() - source.trim_start_matches('\u{feff}').len()
}
