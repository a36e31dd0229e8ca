//! Values that programs may treat in a way of their own, because they stand in their sources or data. Some numbers and texts that are drawn
//! are such values.

use crate::choice::{Choice, Choose, Tape};
use crate::pattern::Pattern;
use crate::value::Value;
use fastrand::Rng;

/// Numbers and texts that are drawn more often than others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    pub numbers: Vec<i64>,
    pub texts: Vec<Vec<u8>>,
}

impl Literals {
    /// One of the numbers, or one that is next to it, if it is in the range.
    pub(crate) fn number(&self, least: &Value, most: &Value, random: &mut Rng) -> Option<i64> {
        let (&Value::Small(least), &Value::Small(most)) = (least, most) else { return None };
        let number = random.choice(&self.numbers)?.saturating_add(random.i64(-1..=1));
        (least..=most).contains(&number).then_some(number)
    }
}

impl Tape<'_> {
    /// A text with a literal instead of `text`, with its choices: the literal alone, or in a place of the text.
    pub(crate) fn with_literal(
        &mut self,
        text: &[u8],
        pattern: &Pattern,
        length: Option<usize>,
    ) -> Option<(Vec<u8>, Vec<Choice>)> {
        let (literal, place) = self.literal_text()?;
        let start = place as usize % (text.len() + 1);
        let end = text.len().min(start + literal.len());
        let within = |end: usize| [&text[..start], literal.as_slice(), &text[end..]].concat();
        let fits = |text: &Vec<u8>| length.is_none_or(|length| text.len() == length);
        let mut all = [literal.clone(), within(end), within(start)];
        all.rotate_left(place as usize % 3);
        let mut fitting = all.into_iter().filter(fits);
        fitting
            .find_map(|text: Vec<u8>| pattern.choices(&text, length).map(|choices| (text, choices)))
    }
}
