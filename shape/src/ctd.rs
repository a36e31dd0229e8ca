//! checktestdata, the language in which programming contests describe their inputs.
//!
//! The language is that of <https://github.com/DOMjudge/checktestdata>, `doc/format-spec.md`.

mod lengths;
mod parse;
mod run;
mod script;
mod sizes;
mod token;

pub use parse::parse;
pub use run::Failure;
pub use script::Script;

use crate::choice::{Choice, Choose, Tape};
use crate::medium::{Reader, Writer};
use crate::value::Value;
use run::Run;

/// Values of variables before a script begins.
pub type Presets = Vec<(String, Value)>;

impl Script {
    /// Checks an input.
    ///
    /// # Errors
    /// At the first place that is not as the script wants it.
    pub fn check(&self, input: &[u8], is_lenient: bool, presets: &Presets) -> Result<(), Failure> {
        let mut reader = Reader::new(input, is_lenient);
        Run::new(self, &mut reader, presets, input.len()).to_end()
    }

    /// Makes an input of at most `most_bytes` from choices: those `before`, and then those of `choose`. Gives all choices as well.
    ///
    /// # Errors
    /// If these choices lead to no valid input.
    pub fn make(
        &self,
        before: &[Choice],
        choose: &mut dyn Choose,
        most_bytes: usize,
        presets: &Presets,
    ) -> (Result<Vec<u8>, Failure>, Vec<Choice>) {
        let mut tape = Tape::new(before, choose);
        let mut writer = Writer::new(&mut tape, most_bytes);
        let result = Run::new(self, &mut writer, presets, most_bytes).to_end();
        let output = std::mem::take(&mut writer.output);
        (result.map(|()| output), tape.made)
    }

    /// Makes a valid input. If choices fail, the last few are made again, and then more and more of them.
    ///
    /// # Errors
    /// With the last failure, if no try succeeds.
    pub fn draw(
        &self,
        choose: &mut dyn Choose,
        most_bytes: usize,
        presets: &Presets,
    ) -> Result<(Vec<u8>, Vec<Choice>), Failure> {
        const TRIES: usize = 4000;
        let mut kept: Vec<Choice> = Vec::new();
        let (mut farthest, mut back, mut tries_here) = (0, 1_usize, 0);
        let mut last = None;
        for _ in 0..TRIES {
            let (result, made) = self.make(&kept, choose, most_bytes, presets);
            let failure = match result {
                Ok(output) => return Ok((output, made)),
                Err(failure) if !failure.may_depend_on_choices => return Err(failure),
                Err(failure) => failure,
            };
            last = Some(failure);
            if made.len() > farthest {
                (farthest, back, tries_here) = (made.len(), 1, 0);
            }
            tries_here += 1;
            if tries_here == 20 {
                (back, tries_here) = (back * 2, 0);
            }
            if back > made.len() * 2 {
                (farthest, back) = (0, 1);
                kept.clear();
                continue;
            }
            let keep = made.len().saturating_sub(back);
            kept = made;
            kept.truncate(keep);
        }
        Err(last.expect("each try that does not return has failed"))
    }
}

/// Reads presets such as `n=10,pi=0.31415E1,foo="\"bar\""`.
///
/// # Errors
/// If they are not a list of names and values.
pub fn presets(text: &str) -> Result<Presets, crate::Problem> {
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
        let value = value.map_err(|message| crate::Problem { at: *at, message })?;
        presets.push((name.clone(), value));
        match after {
            [(_, Mark(",")), after @ ..] => rest = after,
            [(_, token::Token::End)] => return Ok(presets),
            after => return Err(unexpected(after.first().map_or(text.len(), |(at, _)| *at))),
        }
    }
}

fn unexpected(at: usize) -> crate::Problem {
    crate::Problem { at, message: "expected `name=value`".to_owned() }
}
