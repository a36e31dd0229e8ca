//! Inputs with exactly one mistake. Each part of a shape knows its own: `stream/writer.rs` makes them.

use crate::choice::{Choice, Choose, Simplest, Tape};
use crate::make::MOST_MADE;
use crate::random::Random;
use crate::run::{Options, Run};
use crate::stream::{Mistake, Slip, Writer};
use crate::tree::Shape;

impl Shape {
    /// Makes an input with exactly one mistake, and says which; `None` if none was found.
    pub fn draw_mistaken(
        &self,
        random: &mut Random,
        options: &Options,
    ) -> Option<(Vec<u8>, Mistake)> {
        const TRIES: usize = 400;
        (0..TRIES).find_map(|_| {
            let choices = self.draw(random, options).ok()?.choices;
            self.slipped_anywhere(&choices, random, options)
        })
    }

    /// As [`draw_mistaken`](Self::draw_mistaken), for an input that is `input` without the mistake.
    pub fn draw_mistaken_like(
        &self,
        input: &[u8],
        random: &mut Random,
        options: &Options,
    ) -> Option<Vec<u8>> {
        const TRIES: usize = 8;
        let choices = self.choices(input, options).ok()?;
        let slipped = |_| self.slipped_anywhere(&choices, random, options);
        (0..TRIES).find_map(slipped).map(|(bytes, _)| bytes)
    }

    /// All inputs with exactly one mistake that are `input` without it, in the order of their places. None if it is not valid.
    pub fn mistaken(&self, input: &[u8], options: &Options) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let Ok(choices) = self.choices(input, options) else { return all };
        for after in 0..most_places(&choices) {
            let mut variants = 0..1;
            while let Some(variant) = variants.next() {
                let slip = Slip { after, variant };
                let Some((bytes, mistake)) = self.slipped(&choices, slip, &mut Simplest, options)
                else {
                    continue;
                };
                variants.end = mistake.variants;
                all.extend(self.check(&bytes, options).is_err().then_some(bytes));
            }
        }
        all
    }

    /// An input with a mistake at one of its places, if it is one there.
    fn slipped_anywhere(
        &self,
        choices: &[Choice],
        random: &mut Random,
        options: &Options,
    ) -> Option<(Vec<u8>, Mistake)> {
        let slip = Slip {
            after: random.below(most_places(choices) as usize) as u64,
            variant: random.below(60) as u64,
        };
        let (bytes, mistake) = self.slipped(choices, slip, random, options)?;
        self.check(&bytes, options).is_err().then_some((bytes, mistake))
    }

    /// What the choices make with a mistake; `None` if they have no such place.
    fn slipped(
        &self,
        choices: &[Choice],
        slip: Slip,
        then: &mut dyn Choose,
        options: &Options,
    ) -> Option<(Vec<u8>, Mistake)> {
        let mut tape = Tape::new(choices, then);
        let mut writer = Writer::new(&mut tape, MOST_MADE).slipping(slip);
        Run::new(self, &mut writer, options).run().ok()?;
        let bytes = std::mem::take(&mut writer.output);
        Some((bytes, tape.mistake?))
    }
}

/// There are about as many places for a mistake as there are choices, and a few more.
fn most_places(choices: &[Choice]) -> u64 {
    2 * choices.len() as u64 + 8
}
