//! How a test becomes a case, as data: where the program finds the test's file, what its arguments are, and where its answer is.

use crate::{LimitExceeded, Reason};
use harness_diagnostic::Problem;
use std::collections::BTreeMap;
use subject::{Case, Outcome};

/// How a test becomes a case.
#[derive(Clone, Debug)]
pub struct CaseRules {
    /// The name of the file with the test's contents. Without it, they are standard input.
    pub file: Option<String>,
    pub arguments: Vec<Argument>,
    /// The name of the file with the answer. Without it, the answer is standard output.
    pub answer: Option<String>,
}

/// One argument or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The options that the letters in the test's name stand for.
    Options,
    /// The numbers in the test's name.
    Parameters,
    /// The words of the first line of the test's file. The input is then what follows that line.
    FirstLine,
    /// A word: texts, and the values of fields.
    Word(Vec<Part>),
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Text(String),
    /// The value of the field with this name.
    Field(String),
}

impl Default for CaseRules {
    fn default() -> Self {
        Self { file: None, arguments: vec![Argument::Options, Argument::Parameters], answer: None }
    }
}

impl Argument {
    /// The argument that a course file writes as `text`. A name in braces stands for something else.
    pub fn of(text: &str) -> Self {
        match text {
            "{options}" => return Self::Options,
            "{parameters}" => return Self::Parameters,
            "{first line}" => return Self::FirstLine,
            _ => {}
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((before, name, after)) = next_name(rest) {
            parts.extend([Part::Text(before.to_owned()), Part::Field(name.to_owned())]);
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Self::Word(parts)
    }

    /// The names of the fields in the argument.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let parts = match self {
            Self::Word(parts) => parts.as_slice(),
            Self::Options | Self::Parameters | Self::FirstLine => &[],
        };
        parts.iter().filter_map(|part| match part {
            Part::Field(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }
}

/// What is before the first name in braces, the name, and what is after it.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

impl CaseRules {
    /// Whether the arguments depend on the fields of the test.
    pub(crate) fn has_fields(&self) -> bool {
        self.arguments.iter().any(|argument| argument.fields().next().is_some())
    }

    /// The case of a test. Without the value of a field that it needs, it has no arguments.
    pub(crate) fn case(
        &self,
        options: &[String],
        parameters: &[u32],
        fields: &BTreeMap<String, String>,
        input: Vec<u8>,
    ) -> Case {
        let (line, input) = if self.arguments.contains(&Argument::FirstLine) {
            after_first_line(input)
        } else {
            (String::new(), input)
        };
        let words = |argument: &Argument| match argument {
            Argument::FirstLine => Some(words(&line).0),
            Argument::Options => Some(options.to_vec()),
            Argument::Parameters => Some(parameters.iter().map(u32::to_string).collect()),
            Argument::Word(parts) => Some(vec![word(parts, fields)?]),
        };
        let args: Option<Vec<_>> = self.arguments.iter().map(words).collect();
        self.case_with(args.unwrap_or_default().concat(), input)
    }

    /// The case of an input with these arguments, none of which is in the input.
    pub(crate) fn case_with(&self, args: Vec<String>, input: Vec<u8>) -> Case {
        match &self.file {
            Some(name) => Case { args, files: [(name.clone(), input)].into(), input: Vec::new() },
            None => Case { args, input, ..Case::default() },
        }
    }

    /// What is wrong with the command line in a test's first line, if it has one: a quote that is not closed.
    pub(crate) fn flaw(&self, input: &[u8]) -> Option<LimitExceeded> {
        if !self.arguments.contains(&Argument::FirstLine) {
            return None;
        }
        let line = input.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let (_, open) = words(&String::from_utf8_lossy(line));
        let (column, quote) = open?;
        let hint = "write another one where the word ends; one between quotes of the other kind is part of the word";
        let problem = Problem::new(format!("the quote {quote} is not closed")).hint(hint);
        Some(LimitExceeded { line: 1, column: Some(column), reason: Reason::Unfit, problem })
    }

    pub(crate) fn in_outcome<'a>(&self, outcome: &'a Outcome) -> &'a [u8] {
        match &self.answer {
            Some(name) => outcome.files.get(name).map_or(&[], Vec::as_slice),
            None => &outcome.stdout,
        }
    }

    /// The outcome of a program that does what the reference did, but whose answer is `answer`.
    pub(crate) fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        match &self.answer {
            Some(name) => {
                let files = [(name.clone(), answer)].into();
                Outcome { files, ..reference.clone() }
            }
            None => Outcome { stdout: answer, ..reference.clone() },
        }
    }
}

/// The first line of an input, and what follows it.
fn after_first_line(mut input: Vec<u8>) -> (String, Vec<u8>) {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let rest = input.split_off((end + 1).min(input.len()));
    input.truncate(end);
    (String::from_utf8_lossy(&input).into_owned(), rest)
}

/// The words of a command line. Blanks separate them, and belong to a word between quotes, which may also be empty.
/// Also gives a quote that is not closed, and its column, from 1, in characters.
fn words(line: &str) -> (Vec<String>, Option<(usize, char)>) {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for (column, found) in (1..).zip(line.chars()) {
        match (found, quote) {
            (_, Some((_, open))) if open == found => quote = None,
            ('"' | '\'', None) => {
                quote = Some((column, found));
                word.get_or_insert_default();
            }
            (' ' | '\t' | '\r', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(found),
        }
    }
    words.extend(word);
    (words, quote)
}

fn word(parts: &[Part], fields: &BTreeMap<String, String>) -> Option<String> {
    let text = |part: &Part| match part {
        Part::Text(text) => Some(text.clone()),
        Part::Field(name) => fields.get(name).cloned(),
    };
    parts.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_has_names_in_braces() {
        let text = |text: &str| Part::Text(text.to_owned());
        let field = |name: &str| Part::Field(name.to_owned());
        assert_eq!(Argument::of("{options}"), Argument::Options);
        let size = [text("s="), field("width"), text("x"), field("height")];
        assert_eq!(Argument::of("s={width}x{height}"), Argument::Word(size.to_vec()));
        assert_eq!(Argument::of("{"), Argument::Word(vec![text("{")]));
    }

    #[test]
    fn the_first_line_of_a_test_can_be_its_command_line() {
        let arguments = ["--fast", "{first line}"].map(Argument::of).to_vec();
        let rules = CaseRules { arguments, ..CaseRules::default() };
        let case = |input: &str| {
            let case = rules.case(&[], &[], &BTreeMap::new(), input.into());
            (case.args.join("|"), String::from_utf8(case.input).unwrap())
        };
        let of = |args: &str, input: &str| (args.to_owned(), input.to_owned());
        assert_eq!(case("-n 3  'a b' \"\"\n1\n2\n"), of("--fast|-n|3|a b|", "1\n2\n"));
        assert_eq!(case("\n1\n"), of("--fast", "1\n"));
        assert_eq!(case("-x"), of("--fast|-x", ""));
        let with = rules.case_with(vec!["-y".to_owned()], b"1\n".to_vec());
        assert_eq!((with.args.join("|"), with.input), ("-y".to_owned(), b"1\n".to_vec()));
        let flaw = |input: &str| rules.flaw(input.as_bytes()).map(|flaw| flaw.column);
        assert_eq!(flaw("-n \"it's\" 'a b'\n'\n"), None);
        assert_eq!(rules.flaw(b"'").unwrap().reason, Reason::Unfit);
        assert_eq!(flaw("é 'a \"b\n'\n"), Some(Some(3)));
        assert!(CaseRules::default().flaw(b"'").is_none(), "the line is no command line");
    }

    #[test]
    fn a_case_has_the_values_of_the_tests_fields() {
        let arguments =
            ["{options}", "--seed", "{seed}", "{parameters}"].map(Argument::of).to_vec();
        let rules = CaseRules { file: Some("a.txt".to_owned()), arguments, answer: None };
        let fields = BTreeMap::from([("seed".to_owned(), "7".to_owned())]);
        let case = rules.case(&["-m".to_owned()], &[3], &fields, b"7\n".to_vec());
        assert_eq!(case.args, ["-m", "--seed", "7", "3"]);
        assert_eq!((case.files["a.txt"].as_slice(), case.input.len()), (b"7\n".as_slice(), 0));
        assert!(rules.case(&[], &[], &BTreeMap::new(), Vec::new()).args.is_empty());
    }
}
