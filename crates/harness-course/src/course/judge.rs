//! The key `judge` of the course file: which outputs are right. Nothing is judged here.

use super::check::Check;
use super::inspector::{Command, Inspector, InspectorLimits, Role};
use super::limits;
use super::yaml::Spanned;
use crate::diagnostic::did_you_mean;
use crate::domain::{self, Domain, Tokens};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// Which outputs are right.
#[derive(Clone, Debug)]
pub enum Judge {
    /// Those that the domain's own judge accepts. If it has none, those that equal the reference's.
    Own,
    /// Those that the judge of another domain accepts.
    Domain(Arc<dyn Domain>),
    /// Those that equal the reference's, byte for byte.
    Bytes,
    /// Those with the same tokens.
    Tokens(Tokens),
    /// Those with the same lines in any order.
    Lines,
    /// Those that a program accepts.
    Checker(Checker),
    /// What a program accepts that talks with another one.
    Interactor(Inspector),
}

impl Judge {
    /// The program that judges, if one does.
    pub fn inspector(&self) -> Option<&Inspector> {
        match self {
            Self::Checker(checker) => Some(&checker.inspector),
            Self::Interactor(inspector) => Some(inspector),
            _ => None,
        }
    }

    /// Whether programs talk with the judge.
    pub fn is_interactive(&self) -> bool {
        matches!(self, Self::Interactor(_))
    }
}

/// A program that judges outputs.
#[derive(Clone, Debug)]
pub struct Checker {
    pub protocol: Protocol,
    pub inspector: Inspector,
}

/// How a checker is called, and what its answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Kattis,
    Testlib,
    Cms,
}

/// The value of the key as it is written: a word, or keys.
pub(super) enum Written {
    Word(String),
    Keys(Box<Keys>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    tokens: Option<Tokens>,
    kattis: Option<Spanned<Command>>,
    testlib: Option<Spanned<Command>>,
    cms: Option<Spanned<Command>>,
    interactive: Option<Spanned<Command>>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default, deserialize_with = "limits::some_seconds")]
    seconds: Option<f64>,
    #[serde(default, deserialize_with = "limits::some_memory")]
    memory_mb: Option<u64>,
}

impl Keys {
    /// The checkers that are given.
    fn checkers(&self) -> Vec<(Protocol, &Spanned<Command>)> {
        let all = [
            (Protocol::Kattis, &self.kattis),
            (Protocol::Testlib, &self.testlib),
            (Protocol::Cms, &self.cms),
        ];
        all.into_iter()
            .filter_map(|(protocol, command)| Some((protocol, command.as_ref()?)))
            .collect()
    }

    /// Whether there is a key that only a checker has.
    fn is_about_a_checker(&self) -> bool {
        !self.args.is_empty() || self.seconds.is_some() || self.memory_mb.is_some()
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrKeys;
        impl<'de> Visitor<'de> for WordOrKeys {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a judge, or keys with values")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Written, E> {
                Ok(Written::Word(word.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
                let keys = Keys::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Written::Keys(Box::new(keys)))
            }
        }
        deserializer.deserialize_any(WordOrKeys)
    }
}

/// The domains with a judge.
fn of_domains() -> impl Iterator<Item = &'static str> {
    let has_judge =
        |name: &&str| domain::named(name).is_some_and(|domain| domain.has_many_answers());
    domain::names().filter(has_judge)
}

/// The judges that are no domain's. The last four need a command.
const ALL: [&str; 7] = ["bytes", "tokens", "lines", "kattis", "testlib", "cms", "interactive"];

impl Check<'_> {
    pub(super) fn judge(&mut self, written: Option<&Spanned<Written>>) -> Option<Judge> {
        let Some(written) = written else { return Some(Judge::Own) };
        match &written.value {
            Written::Word(word) => self.judge_by_word(written, word),
            Written::Keys(keys) => self.judge_by_keys(written, keys),
        }
    }

    fn judge_by_word(&mut self, at: &Spanned<Written>, word: &str) -> Option<Judge> {
        match word {
            "bytes" => return Some(Judge::Bytes),
            "tokens" => return Some(Judge::Tokens(Tokens::default())),
            "lines" => return Some(Judge::Lines),
            _ => {}
        }
        if let Some(domain) = domain::named(word).filter(|domain| domain.has_many_answers()) {
            return Some(Judge::Domain(domain));
        }
        let problem = if ALL.contains(&word) {
            self.source
                .problem(at, format!("the judge `{word}` needs the command of a checker"))
                .hint(format!("for example `judge: {{ {word}: ./check }}`"))
        } else {
            let known = || ALL.into_iter().chain(of_domains());
            let all = || format!("the judges are {}", known().collect::<Vec<_>>().join(", "));
            let hint = did_you_mean(word, known()).unwrap_or_else(all);
            self.source.problem(at, format!("there is no judge `{word}`")).hint(hint)
        };
        self.problems.push(problem);
        None
    }

    fn judge_by_keys(&mut self, at: &Spanned<Written>, keys: &Keys) -> Option<Judge> {
        match (keys.tokens, keys.checkers().as_slice(), &keys.interactive) {
            (Some(tokens), [], None) if !keys.is_about_a_checker() => self.tokens(at, tokens),
            (None, &[(protocol, command)], None) => self.checker(protocol, command, keys),
            (None, [], Some(command)) => {
                self.judging(Role::Interactor, command, keys).map(Judge::Interactor)
            }
            _ => {
                let hint = "give one of `tokens:`, `kattis:`, `testlib:`, `cms:` and `interactive:`; only the last four have `args:`, `seconds:` and `memory_mb:`";
                let problem = self.source.problem(at, "cannot tell which judge this is").hint(hint);
                self.problems.push(problem);
                None
            }
        }
    }

    fn tokens(&mut self, at: &Spanned<Written>, tokens: Tokens) -> Option<Judge> {
        let Tokens { float_tolerance, float_absolute_tolerance, float_relative_tolerance, .. } =
            tokens;
        let all = [float_tolerance, float_absolute_tolerance, float_relative_tolerance];
        if all.into_iter().flatten().any(|tolerance| tolerance.is_nan() || tolerance < 0.0) {
            self.problems.push(self.source.problem(at, "a tolerance must be a number, 0 or more"));
            return None;
        }
        Some(Judge::Tokens(tokens))
    }

    fn checker(
        &mut self,
        protocol: Protocol,
        command: &Spanned<Command>,
        keys: &Keys,
    ) -> Option<Judge> {
        let inspector = self.judging(Role::Checker, command, keys)?;
        Some(Judge::Checker(Checker { protocol, inspector }))
    }

    fn judging(
        &mut self,
        role: Role,
        command: &Spanned<Command>,
        keys: &Keys,
    ) -> Option<Inspector> {
        let limits = InspectorLimits { seconds: keys.seconds, memory_mb: keys.memory_mb };
        self.inspector(role, command, &keys.args, &limits)
    }
}
