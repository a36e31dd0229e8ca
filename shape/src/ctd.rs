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

use crate::choice::{Choice, Choose, Random, Tape};
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

    /// Makes a valid input. If choices fail, one of those that the failure depends on is made again, and after some tries all of them.
    ///
    /// # Errors
    /// With the last failure, if no try succeeds.
    pub fn draw(
        &self,
        random: &mut Random,
        most_bytes: usize,
        presets: &Presets,
    ) -> Result<(Vec<u8>, Vec<Choice>), Failure> {
        const TRIES: usize = 3000;
        /// The tries after which all choices are made again.
        const PATIENCE: usize = 300;
        let mut before: Vec<Choice> = Vec::new();
        let mut last = None;
        for attempt in 1..=TRIES {
            let (result, made) = self.make(&before, random, most_bytes, presets);
            let failure = match result {
                Ok(output) => return Ok((output, made)),
                Err(failure) if !failure.may_depend_on_choices => return Err(failure),
                Err(failure) => failure,
            };
            before = made;
            if attempt % PATIENCE == 0 {
                before.clear();
            } else {
                again(&mut before, &failure.choices, random);
            }
            last = Some(failure);
        }
        Err(last.expect("each try that does not return has failed"))
    }
}

/// Makes one of the `suspects` again, or else the last choice, and sometimes all choices after it.
fn again(choices: &mut Vec<Choice>, suspects: &[usize], random: &mut Random) {
    let Some(last) = choices.len().checked_sub(1) else { return };
    let suspect = match suspects.len() {
        0 => last,
        count => suspects[random.below(count)].min(last),
    };
    let Choice { options, role, .. } = choices[suspect];
    choices[suspect].value = random.choose(options, role);
    if suspects.is_empty() || random.below(4) == 0 {
        choices.truncate(suspect + 1);
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
