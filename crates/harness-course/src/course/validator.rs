//! The key `validators` of the course file: which inputs are valid. Nothing is validated here.

use super::check::Check;
use super::inspector::{Command, Inspector, InspectorLimits, Role};
use super::limits;
use super::yaml::Spanned;
use serde::Deserialize;

/// A program that decides whether an input is valid.
#[derive(Clone, Debug)]
pub struct Validator {
    pub rule: Rule,
    pub inspector: Inspector,
}

/// What the exit status of a validator means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// 42 is valid, anything else is not.
    Kattis,
    /// 0 is valid, 3 is not.
    Testlib,
}

/// A validator as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    kattis: Option<Spanned<Command>>,
    testlib: Option<Spanned<Command>>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default, deserialize_with = "limits::some_seconds")]
    seconds: Option<f64>,
    #[serde(default, deserialize_with = "limits::some_memory")]
    memory_mb: Option<u64>,
}

impl Check<'_> {
    /// The validators. Those with problems are left out.
    pub(super) fn validators(&mut self, written: &[Spanned<Written>]) -> Vec<Validator> {
        written.iter().filter_map(|written| self.validator(written)).collect()
    }

    fn validator(&mut self, written: &Spanned<Written>) -> Option<Validator> {
        let keys = &written.value;
        let (rule, command) = match (&keys.kattis, &keys.testlib) {
            (Some(command), None) => (Rule::Kattis, command),
            (None, Some(command)) => (Rule::Testlib, command),
            _ => {
                let problem = self.source.problem(written, "cannot tell which validator this is");
                let hint = "give the command as one of `kattis:` and `testlib:`";
                self.problems.push(problem.hint(hint));
                return None;
            }
        };
        let limits = InspectorLimits { seconds: keys.seconds, memory_mb: keys.memory_mb };
        let inspector = self.inspector(Role::Validator, command, &keys.args, &limits)?;
        Some(Validator { rule, inspector })
    }
}
