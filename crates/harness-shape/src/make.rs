//! Checks inputs, makes them from choices, and turns them into choices.

use crate::choice::{Choice, Choose, Role, Tape};
use crate::colour::Colour;
use crate::random::Random;
use crate::reached::Reached;
use crate::run::{Failure, Full, Made, Most, Options, Run};
use crate::stream::{Reader, Writer};
use crate::tree::{Leeway, Shape};
use std::collections::BTreeMap;

/// An input with the choices that make it.
#[derive(Clone, Debug)]
pub struct Input {
    pub bytes: Vec<u8>,
    pub choices: Vec<Choice>,
    pub made: Made,
}

/// The most bytes of an input that is made.
pub const MOST_MADE: usize = 1 << 20;

impl Shape {
    fn reader<'i>(&self, input: &'i [u8], options: &Options) -> Reader<'i> {
        Reader::new(input, options.is_lenient).of(self)
    }

    /// Checks an input.
    ///
    /// # Errors
    /// At the first place that is not as the shape wants it.
    pub fn check(&self, input: &[u8], options: &Options) -> Result<(), Failure> {
        Run::new(self, &mut self.reader(input, options), options).run().map(drop)
    }

    /// Checks an input, and notes what of the shape it reaches.
    ///
    /// # Errors
    /// At the first place that is not as the shape wants it.
    pub fn check_noting(
        &self,
        input: &[u8],
        options: &Options,
        reached: &mut Reached,
    ) -> Result<(), Failure> {
        let mut reader = self.reader(input, options);
        let mut seen = Reached::default();
        let run = Run::new(self, &mut reader, options).noting(Some(&mut seen));
        run.run()?;
        reached.add_all(seen);
        Ok(())
    }

    /// The values of the fields of an input, by name, up to where it is not valid. A field that occurs several times has its last value.
    pub fn fields(&self, input: &[u8], options: &Options) -> BTreeMap<String, String> {
        Run::new(self, &mut self.reader(input, options), options).fields()
    }

    /// The offsets of the cells of grids that have a colour, in order. None if the input is not valid.
    pub fn colours(&self, input: &[u8], options: &Options) -> Vec<(usize, Colour)> {
        let mut reader = self.reader(input, options);
        let run = Run::new(self, &mut reader, options).logging();
        run.run().map(|made| made.painted).unwrap_or_default()
    }

    /// The choices that make an input. What they make differs from the input where something could be written in several ways.
    ///
    /// # Errors
    /// If the input is not valid.
    pub fn choices(&self, input: &[u8], options: &Options) -> Result<Vec<Choice>, Failure> {
        let mut reader = self.reader(input, options).recording();
        Run::new(self, &mut reader, options).run()?;
        let mut choices = reader.into_choices();
        let ends = [
            (self.open_end == Leeway::Both && !input.is_empty(), !input.ends_with(b"\n")),
            (self.crlf == Leeway::Both, has_crlf(input)),
        ];
        for (_, is_so) in ends.into_iter().filter(|(is_possible, _)| *is_possible) {
            choices.push(Choice { value: u64::from(is_so), options: 2, role: Role::Rare });
        }
        Ok(choices)
    }

    /// How many cells, letters and numbers an input has. What means nothing does not count.
    ///
    /// # Errors
    /// If the input is not valid.
    pub fn size(&self, input: &[u8], options: &Options) -> Result<u64, Failure> {
        let mut reader = self.reader(input, options);
        Run::new(self, &mut reader, options).run().map(|made| made.size)
    }

    /// Makes an input of at most this size from choices: those `before`, and then those of `choose`. If it fails, gives the
    /// choices up to there as well.
    ///
    /// # Errors
    /// If these choices lead to no valid input.
    pub fn make(
        &self,
        before: &[Choice],
        choose: &mut dyn Choose,
        most: Most,
        options: &Options,
    ) -> Result<Input, (Failure, Vec<Choice>)> {
        self.made(before, choose, most, options, true)
    }

    /// As [`make`](Self::make), without the notes that changes need.
    pub(crate) fn make_only(
        &self,
        before: &[Choice],
        choose: &mut dyn Choose,
        most: Most,
        options: &Options,
    ) -> Result<Input, (Failure, Vec<Choice>)> {
        self.made(before, choose, most, options, false)
    }

    fn made(
        &self,
        before: &[Choice],
        choose: &mut dyn Choose,
        most: Most,
        options: &Options,
        keeps_log: bool,
    ) -> Result<Input, (Failure, Vec<Choice>)> {
        let mut tape = Tape::new(before, choose);
        let mut writer = Writer::new(&mut tape, MOST_MADE);
        let run = Run::new(self, &mut writer, options).at_most(most);
        let run = if keeps_log { run.logging() } else { run };
        match run.run() {
            Ok(mut made) => {
                let mut bytes = std::mem::take(&mut writer.output);
                let room = most.noise - made.noise;
                made.noise += self.end(&mut bytes, &mut tape, room);
                // Letters stand between the repetitions that they are a part of.
                made.spans.sort_by_key(|span| (span.count, span.list));
                Ok(Input { bytes, choices: tape.made, made })
            }
            Err(failure) => Err((failure, tape.made)),
        }
    }

    /// Makes a valid input. If choices fail, one of those that the failure depends on is made again, and after some tries all of them.
    ///
    /// # Errors
    /// With the last failure, if no try succeeds.
    pub(crate) fn draw(&self, random: &mut Random, options: &Options) -> Result<Input, Failure> {
        self.draw_after(Vec::new(), random, options)
    }

    /// As [`draw`](Self::draw), with some choices to begin with.
    ///
    /// # Errors
    /// With the last failure, if no try succeeds.
    pub(crate) fn draw_after(
        &self,
        mut before: Vec<Choice>,
        random: &mut Random,
        options: &Options,
    ) -> Result<Input, Failure> {
        const TRIES: usize = 3000;
        /// The tries after which all choices are made again.
        const PATIENCE: usize = 300;
        /// The steps that all tries may take.
        const STEPS: u64 = 4_000_000;
        let (mut last, mut steps) = (None, 0);
        let mut keeps_rest = false;
        random.know(&options.literals);
        for attempt in 1..=TRIES {
            let (failure, made) = match self.make(&before, random, Most::ANY, options) {
                Ok(input) => return Ok(input),
                // Without a choice, each try is the same.
                Err((failure, made)) if !failure.may_depend_on_choices || made.is_empty() => {
                    return Err(failure);
                }
                Err(failed) => failed,
            };
            steps += failure.steps;
            if steps > STEPS {
                return Err(failure);
            }
            before = made;
            // A count comes right letter by letter, if what comes after each one stays. Elsewhere, the rest has to fit what came before.
            if attempt % PATIENCE == 1 {
                keeps_rest = random.below(2) == 0;
            }
            if let Some(full) = &failure.full {
                leave_out(&mut before, full, random);
            } else if attempt % PATIENCE == 0 {
                before.clear();
            } else {
                again(&mut before, &failure.choices, keeps_rest, random);
            }
            last = Some(failure);
        }
        Err(last.expect("each try that does not return has failed"))
    }

    /// Leaves out the last newline, rarely, if it is optional, and has lines end in CRLF, if they may. Says how much of this it did, at
    /// most `room`.
    fn end(&self, bytes: &mut Vec<u8>, tape: &mut Tape, room: u64) -> u64 {
        let is_possible = room > 0 && self.open_end == Leeway::Both && bytes.ends_with(b"\n");
        let is_dropped = is_possible && tape.choose(2, Role::Rare) == 1;
        if is_dropped {
            bytes.pop();
        }
        let is_possible = room > u64::from(is_dropped) && self.crlf == Leeway::Both;
        let is_crlf = is_possible && tape.choose(2, Role::Rare) == 1;
        if is_crlf {
            let lines = bytes.split(|&byte| byte == b'\n');
            *bytes = lines.collect::<Vec<_>>().join(b"\r\n".as_slice());
        }
        u64::from(is_dropped) + u64::from(is_crlf)
    }
}

fn has_crlf(input: &[u8]) -> bool {
    input.windows(2).any(|pair| pair == b"\r\n")
}

/// Makes a full list shorter. Where everything is full, nothing can move, so some of the last repetitions are left out too.
fn leave_out(choices: &mut Vec<Choice>, full: &Full, random: &mut Random) {
    const MOST: usize = 4;
    let most = full.starts.len() - 1;
    let count = most.saturating_sub(random.below(MOST)).max(full.least.min(most));
    choices.truncate(full.starts[count]);
    choices[full.count].value = (count - full.least.min(count)) as u64;
}

/// Makes one of the `suspects` again, or else the last choice. Those after a suspect are sometimes made again too, unless `keeps_rest`.
fn again(choices: &mut Vec<Choice>, suspects: &[usize], keeps_rest: bool, random: &mut Random) {
    let Some(last) = choices.len().checked_sub(1) else { return };
    let suspect = match suspects.len() {
        0 => last,
        count => suspects[random.below(count)].min(last),
    };
    let Choice { options, role, .. } = choices[suspect];
    choices[suspect].value = match (role, random.below(4)) {
        // One of these often stands for what is not there.
        (Role::Letter, 0) => 0,
        (Role::Letter, 1) => options - 1,
        _ => random.choose(options, role),
    };
    if suspects.is_empty() || !keeps_rest && random.below(4) == 0 {
        choices.truncate(suspect + 1);
    }
}
