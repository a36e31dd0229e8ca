//! Numbers that must be different.

use crate::number;
use crate::value::Value;
use std::cmp::Ordering;
use std::collections::HashSet;

/// The numbers so far, of which the next one must be none.
#[derive(Default)]
pub struct Distinct {
    values: HashSet<Value>,
    /// The choices that stand for them in a range, sorted.
    taken: Vec<u64>,
    range: Option<(Value, Value)>,
}

impl Distinct {
    pub fn contains(&self, number: &Value) -> bool {
        self.values.contains(number)
    }

    /// Adds a number. Choices are only kept if they are wanted.
    pub fn add(&mut self, number: Value) {
        // A number of a known range could be added in place, but few lists that are made are long.
        self.range = None;
        self.values.insert(number);
    }

    /// The choices in a range that are taken, sorted.
    pub fn taken(&mut self, least: &Value, most: &Value) -> Result<&[u64], String> {
        let range = Some((least.clone(), most.clone()));
        if self.range != range {
            let is_in = |number: &&Value| {
                let compared = (number.compare(least), number.compare(most));
                compared.0.is_ok_and(Ordering::is_ge) && compared.1.is_ok_and(Ordering::is_le)
            };
            let inside = self.values.iter().filter(is_in);
            let choices = inside.map(|number| Ok(number::choice(least, most, number)?.0));
            self.taken = choices.collect::<Result<_, String>>()?;
            self.taken.sort_unstable();
            self.range = range;
        }
        Ok(&self.taken)
    }
}
