//! The keys `domain`, `input` and `case` of the course file: what is known about the inputs, and how a test becomes a case.

use super::check::Check;
use super::raw::TestFiles;
use super::yaml::Spanned;
use crate::diagnostic::{Place, Problem, did_you_mean};
use crate::domain::{self, Argument, CaseRules, Domain};
use crate::shape::{self, Shape, yaml::Description};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The domain of inputs that a shape describes.
const SHAPE: &str = "shape";
/// The domain of inputs of which nothing is known.
const TEXT: &str = "text";

/// A shape as it is written: the path of a file, or a description.
pub(super) enum Input {
    File(PathBuf),
    Description(Box<Description>),
}

impl Input {
    /// The path of the file, if it is in one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Description(_) => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    file: Option<Spanned<String>>,
    arguments: Option<Vec<Spanned<String>>>,
    answer: Option<Spanned<String>>,
}

/// What an assignment says about its inputs.
pub(super) struct About<'a> {
    pub(super) domain: Option<&'a Spanned<String>>,
    pub(super) tests: &'a Spanned<TestFiles>,
    pub(super) input: Option<&'a Spanned<Input>>,
    pub(super) case: Option<&'a Spanned<Case>>,
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        fn boxed(description: Description) -> Input {
            Input::Description(Box::new(description))
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Input;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the path of a shape, or a list of items that describe the input")
            }

            fn visit_str<E: Error>(self, path: &str) -> Result<Input, E> {
                Ok(Input::File(path.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Input, A::Error> {
                Description::deserialize(SeqAccessDeserializer::new(items)).map(boxed)
            }

            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Input, A::Error> {
                Description::deserialize(MapAccessDeserializer::new(keys)).map(boxed)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl Check<'_> {
    pub(super) fn domain(&mut self, about: &About<'_>) -> Option<Arc<dyn Domain>> {
        let Some(name) = about.domain else {
            let problem = self.source.problem(about.tests, "there is no `domain`");
            let hint = "write what the inputs are, `text` for anything; or `unit:` for unit tests";
            self.problems.push(problem.hint(hint));
            return None;
        };
        if name.value == SHAPE {
            let shape = self.shape(name, about.input);
            let case = self.case(about.case, shape.as_ref());
            return Some(domain::described(shape?, case?));
        }
        let is_text = name.value == TEXT;
        let keys = [
            about
                .input
                .map(|input| self.source.problem(input, "`input` is for the domain `shape`")),
            about.case.filter(|_| !is_text).map(|case| {
                self.source.problem(case, "`case` is for the domains `shape` and `text`")
            }),
        ];
        for problem in keys.into_iter().flatten() {
            self.problems.push(problem.hint("write `domain: shape`, or remove this key"));
        }
        if is_text {
            return Some(domain::text(self.case(about.case, None)?));
        }
        let found = domain::named(&name.value);
        if found.is_none() {
            let names = || domain::names().chain([SHAPE]);
            let all = || format!("the domains are {}", names().collect::<Vec<_>>().join(", "));
            let hint = did_you_mean(&name.value, names()).unwrap_or_else(all);
            let message = format!("there is no domain `{}`", name.value);
            self.problems.push(self.source.problem(name, message).hint(hint));
        }
        found
    }

    /// The shape in `input`, which `name` needs.
    pub(super) fn shape(
        &mut self,
        name: &Spanned<String>,
        input: Option<&Spanned<Input>>,
    ) -> Option<Shape> {
        let Some(input) = input else {
            let problem = self.source.problem(name, "the domain `shape` needs the key `input`");
            let hint = "describe the inputs there, or name a file that does, for example `input: shapes/sums.yaml`";
            self.problems.push(problem.hint(hint));
            return None;
        };
        let shape = match &input.value {
            Input::Description(description) => {
                let (source, text) = (self.source, self.source.text());
                let shape = shape::yaml::shape(text, description);
                shape.map_err(|problem| in_shape(&source.path, text.as_bytes(), problem))
            }
            Input::File(path) => {
                let file = self.file_at(input, path)?;
                match std::fs::read(&file) {
                    Ok(text) => shape::parse(&file, &text)
                        .map_err(|problem| in_shape(&file, &text, problem)),
                    Err(error) => {
                        let message = format!("cannot read {}: {error}", file.display());
                        Err(self.source.problem(input, message))
                    }
                }
            }
        };
        shape.map_err(|problem| self.problems.push(problem)).ok()
    }

    fn case(&mut self, case: Option<&Spanned<Case>>, shape: Option<&Shape>) -> Option<CaseRules> {
        let Some(Spanned { value: Case { file, arguments, answer }, .. }) = case else {
            return Some(CaseRules::default());
        };
        let before = self.problems.len();
        for name in [file, answer].into_iter().flatten().filter(|name| !is_file_name(&name.value)) {
            let problem =
                self.source.problem(name, "expected the name of a file, without a folder");
            self.problems.push(problem);
        }
        let mut rules = CaseRules {
            file: file.as_ref().map(|name| name.value.clone()),
            answer: answer.as_ref().map(|name| name.value.clone()),
            ..CaseRules::default()
        };
        if let Some(arguments) = arguments {
            rules.arguments = arguments.iter().map(|text| Argument::of(&text.value)).collect();
            for (argument, text) in rules.arguments.iter().zip(arguments) {
                self.fields(argument, text, shape);
            }
        }
        (self.problems.len() == before).then_some(rules)
    }

    /// Checks that the shape has the fields that an argument names.
    fn fields(&mut self, argument: &Argument, text: &Spanned<String>, shape: Option<&Shape>) {
        let names = shape.map(|shape| &*shape.names).unwrap_or_default();
        for name in argument.fields() {
            if !names.iter().any(|known| known == name) {
                let known = || {
                    ["options", "parameters", "first line"]
                        .into_iter()
                        .chain(names.iter().map(String::as_str))
                };
                let all =
                    || format!("the names here are {}", known().collect::<Vec<_>>().join(", "));
                let hint = did_you_mean(name, known()).unwrap_or_else(all);
                let problem = self.source.problem(text, format!("there is no field `{name}`"));
                self.problems.push(problem.hint(hint));
            }
        }
    }
}

fn is_file_name(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|file| file == name) && !name.contains('\0')
}

/// A mistake in a shape, with its place.
fn in_shape(file: &Path, text: &[u8], problem: shape::Problem) -> Problem {
    let (line, column) = shape::place(text, problem.at);
    let place = Place::new(file, &String::from_utf8_lossy(text), line, Some(column));
    Problem::new(problem.message).maybe_hint(problem.hint).at(place).printable()
}
