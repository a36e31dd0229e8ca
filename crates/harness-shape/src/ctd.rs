//! checktestdata, the language in which programming contests describe their inputs.
//!
//! The language is that of <https://github.com/DOMjudge/checktestdata>, `doc/format-spec.md`.

mod parse;
mod token;

pub use parse::{parse, parse_expression, parse_test};

use crate::value::Value;

/// Reads presets such as `n=10,pi=0.31415E1,foo="\"bar\""`.
///
/// # Errors
/// If they are not a list of names and values.
pub fn presets(text: &str) -> Result<Vec<(String, Value)>, crate::Problem> {
    let all = token::tokens(text.as_bytes())?;
    let mut presets = Vec::new();
    let mut rest = all.as_slice();
    loop {
        use token::Token::{Mark, Name};
        let (name, sign, after) = match rest {
            [(_, Name(name)), (_, Mark("=")), (_, Mark("-")), after @ ..] => (name, -1, after),
            [(_, Name(name)), (_, Mark("=")), after @ ..] => (name, 1, after),
            [(at, _), ..] => return Err(unexpected(*at)),
            [] => return Err(unexpected(text.len())),
        };
        let [(at, token::Token::Value(value)), after @ ..] = after else {
            return Err(unexpected(after.first().map_or(text.len(), |(at, _)| *at)));
        };
        let value = if sign < 0 { value.negated() } else { Ok(value.clone()) };
        let value = value.map_err(|message| crate::Problem::new(*at, message))?;
        presets.push((name.clone(), value));
        match after {
            [(_, Mark(",")), after @ ..] => rest = after,
            [(_, token::Token::End)] => return Ok(presets),
            after => return Err(unexpected(after.first().map_or(text.len(), |(at, _)| *at))),
        }
    }
}

fn unexpected(at: usize) -> crate::Problem {
    crate::Problem::new(at, "expected `name=value`")
}
