//! Numbers as choices: the simplest number of a range is the one closest to zero.

use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// A range of whole numbers.
#[derive(Clone)]
pub struct Range<'a> {
    pub least: Value,
    pub most: Value,
    /// The part of the range that has nearly all numbers.
    pub usual: Option<Usual>,
    /// Whether a number is possible. All are, if this is `None`. A number that is read may be any.
    pub is_free: Option<&'a dyn Fn(i64) -> bool>,
}

/// The usual numbers of a range, and the others.
#[derive(Clone, Copy)]
pub struct Usual {
    least: i64,
    most: i64,
    /// How many numbers are below and above them.
    below: u64,
    above: u64,
}

impl Usual {
    /// The numbers from `least` to `most` that are in a range; `None` if there are none, or no others.
    pub fn of(range: (&Value, &Value), (least, most): (&Value, &Value)) -> Option<Self> {
        let (&Value::Small(first), &Value::Small(last)) = range else { return None };
        let (&Value::Small(least), &Value::Small(most)) = (least, most) else { return None };
        let (least, most) = (least.max(first), most.min(last));
        let below = least.checked_sub(first)? as u64;
        let above = last.checked_sub(most)? as u64;
        (least <= most && below + above > 0).then_some(Self { least, most, below, above })
    }

    pub fn bounds(&self) -> (Value, Value) {
        (Value::Small(self.least), Value::Small(self.most))
    }

    /// How many other numbers there are.
    pub fn others(&self) -> u64 {
        self.below + self.above
    }

    /// One of the other numbers: first those below, beginning with the nearest.
    pub fn other(&self, choice: u64) -> Value {
        Value::Small(match choice.checked_sub(self.below) {
            None => self.least - 1 - choice as i64,
            Some(choice) => self.most + 1 + choice as i64,
        })
    }

    /// The choice of a number that is not usual.
    pub fn choice_of_other(&self, number: &Value) -> Option<u64> {
        let &Value::Small(number) = number else { return None };
        if number < self.least {
            Some(self.least.abs_diff(number) - 1)
        } else {
            let above = self.most.abs_diff(number).checked_sub(1).filter(|_| number > self.most)?;
            self.below.checked_add(above)
        }
    }
}

/// As [`options`], with fast ways for small numbers.
pub fn options_of(least: &Value, most: &Value) -> Result<u64, String> {
    match (least, most) {
        (&Value::Small(least), &Value::Small(most)) if least > most => Ok(0),
        (&Value::Small(least), &Value::Small(most)) => {
            Ok((most as u64).wrapping_sub(least as u64).saturating_add(1))
        }
        _ => Ok(options(&least.to_integer()?, &most.to_integer()?)),
    }
}

/// As [`nth`], with a fast way for small numbers from 0.
pub fn nth_of(least: &Value, most: &Value, choice: u64) -> Result<Value, String> {
    match (least, most) {
        (&Value::Small(least), &Value::Small(most))
            if least >= 0 && choice <= (most - least) as u64 =>
        {
            Ok(Value::Small(least + choice as i64))
        }
        _ => Ok(Value::from(nth(&least.to_integer()?, &most.to_integer()?, choice))),
    }
}

/// The choice of a number in the range, and how many there are.
pub fn choice(least: &Value, most: &Value, number: &Value) -> Result<(u64, u64), String> {
    match (least, number) {
        (&Value::Small(least_small), &Value::Small(number)) if least_small >= 0 => {
            let options = options_of(least, most)?;
            if options < u64::MAX {
                return Ok(((number - least_small) as u64, options));
            }
        }
        _ => {}
    }
    let (least, most, number) = (least.to_integer()?, most.to_integer()?, number.to_integer()?);
    Ok((choice_of(&least, &most, &number), options(&least, &most)))
}

/// How many numbers there are from `least` to `most`, at most `u64::MAX`. 0 if there are none.
pub fn options(least: &BigInt, most: &BigInt) -> u64 {
    if least > most { 0 } else { (most - least + 1_u8).to_u64().unwrap_or(u64::MAX) }
}

/// The number of this choice: the simplest first, then alternately above and below it. If the range has more numbers than choices, the
/// higher half of the choices counts down from the far end.
pub fn nth(least: &BigInt, most: &BigInt, choice: u64) -> BigInt {
    let simplest = simplest(least, most);
    let (below, above) = (&simplest - least, most - &simplest);
    if options(least, most) == u64::MAX && choice > u64::MAX / 2 {
        let from_end = BigInt::from(u64::MAX - 1 - choice.min(u64::MAX - 1));
        return if above >= below { most - from_end } else { least + from_end };
    }
    let both = below.clone().min(above.clone());
    let choice = BigInt::from(choice);
    let alternating = &both * 2_u8;
    if choice <= alternating {
        let distance: BigInt = (&choice + 1_u8) / 2_u8;
        if (&choice % 2_u8).is_zero() { simplest - distance } else { simplest + distance }
    } else {
        let distance = choice - both;
        if above >= below { simplest + distance } else { simplest - distance }
    }
}

/// The choice of a number in the range.
pub fn choice_of(least: &BigInt, most: &BigInt, number: &BigInt) -> u64 {
    let simplest = simplest(least, most);
    let (below, above) = (&simplest - least, most - &simplest);
    let both = below.clone().min(above.clone());
    let distance: BigInt =
        if *number >= simplest { number - &simplest } else { &simplest - number };
    let choice = if distance <= both {
        &distance * 2_u8 - u8::from(*number > simplest)
    } else {
        &distance + &both
    };
    if options(least, most) < u64::MAX {
        return choice.to_u64().unwrap_or(u64::MAX);
    }
    choice.to_u64().filter(|&choice| choice <= u64::MAX / 2).unwrap_or_else(|| {
        let from_end: BigInt = if above >= below { most - number } else { number - least };
        u64::MAX - 1 - from_end.to_u64().unwrap_or(u64::MAX / 2 - 2).min(u64::MAX / 2 - 2)
    })
}

fn simplest(least: &BigInt, most: &BigInt) -> BigInt {
    BigInt::zero().clamp(least.clone(), most.clone().max(least.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_range_has_one_choice_and_the_simplest_is_the_first() {
        for (least, most) in [(-3, 7), (-9, 2), (2, 9), (-9, -4), (0, 0), (5, 5)] {
            let (least, most) = (BigInt::from(least), BigInt::from(most));
            let numbers: Vec<_> =
                (0..options(&least, &most)).map(|choice| nth(&least, &most, choice)).collect();
            for (choice, number) in numbers.iter().enumerate() {
                assert!(*number >= least && *number <= most, "{number} of {least}..={most}");
                assert_eq!(
                    choice_of(&least, &most, number),
                    choice as u64,
                    "{number} of {least}..={most}"
                );
            }
            assert!(numbers.is_sorted_by_key(|number| number.magnitude().clone()));
        }
    }

    #[test]
    fn every_number_that_is_not_usual_has_one_choice() {
        let small = Value::Small;
        let usual = Usual::of((&small(-1), &small(6)), (&small(1), &small(5))).unwrap();
        let others: Vec<_> = (0..usual.others()).map(|choice| usual.other(choice)).collect();
        assert_eq!(others, [small(0), small(-1), small(6)]);
        for (choice, other) in others.iter().enumerate() {
            assert_eq!(usual.choice_of_other(other), Some(choice as u64));
        }
        assert_eq!(usual.choice_of_other(&small(3)), None);
        assert!(Usual::of((&small(1), &small(5)), (&small(0), &small(9))).is_none());
    }

    #[test]
    fn a_range_without_end_has_choices_at_both_ends() {
        let (least, most) = (BigInt::from(0), BigInt::from(10).pow(60));
        assert_eq!(nth(&least, &most, 0), least);
        assert_eq!(nth(&least, &most, u64::MAX - 1), most);
        assert_eq!(choice_of(&least, &most, &most), u64::MAX - 1);
        assert_eq!(choice_of(&least, &most, &BigInt::from(1)), 1);
    }
}
