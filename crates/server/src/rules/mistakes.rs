//! Mistakes in `serve.yaml`: each says what is wrong, and what to write instead. Pure.

use harness::diagnostic::Problem;
use serde::de;
use std::fmt::Display;

/// What to do about a mistake that has no remedy of its own.
const LOOK: &str = "docs/serving.md says what each key may be";

/// Between what is wrong and its remedy, in an error that has room for one text only.
const REMEDY: &str = "; ";

/// An error at a value, with a remedy, which [`told`] makes a hint.
pub(crate) fn wrong<E: de::Error>(what: impl Display, remedy: impl Display) -> E {
    E::custom(format!("{what}{REMEDY}{remedy}"))
}

/// The problem with a hint in any case, and without a line that may hold a password.
pub(crate) fn told(mut problem: Problem) -> Problem {
    if problem.hint.is_none() {
        problem = match problem.message.rsplit_once(REMEDY) {
            Some((what, remedy)) => {
                let (message, hint) = (what.to_owned(), remedy.to_owned());
                Problem { message, ..problem }.hint(hint)
            }
            None => problem.hint(LOOK),
        };
    }
    if let Some(place) = &mut problem.place {
        place.text = place.text.take().filter(|line| !line.contains("://"));
    }
    problem
}
