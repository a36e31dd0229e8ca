//! Numbers that are read, and the choices that make them again.

use super::Reader;
use crate::choice::Role;
use crate::distinct::Distinct;
use crate::number::{self, Range};
use crate::stream::scan::{no_number, number};
use crate::stream::{DecimalRule, shortened};
use crate::value::{self, Value};
use bigdecimal::BigDecimal;
use num_bigint::BigInt;
use std::str::FromStr;

/// A whole number of a range.
pub(super) fn integer(
    reader: &mut Reader<'_>,
    range: &Range<'_>,
    role: Role,
) -> Result<Value, String> {
    let number = whole_number(reader, &range.least, &range.most)?;
    if reader.tape.is_some() {
        let (mut least, mut most) = (range.least.clone(), range.most.clone());
        if let Some(usual) = range.usual {
            let other = usual.choice_of_other(&number);
            reader.push(u64::from(other.is_some()), 2, Role::Rare);
            if let Some(choice) = other {
                reader.push(choice, usual.others(), Role::Number);
                return Ok(number);
            }
            (least, most) = usual.bounds();
        }
        let (value, options) = number::choice(&least, &most, &number)?;
        reader.push(value, options, role);
    }
    Ok(number)
}

/// A whole number that is not there yet.
pub(super) fn distinct(
    reader: &mut Reader<'_>,
    (least, most): (&Value, &Value),
    role: Role,
    before: &mut Distinct,
) -> Result<Value, String> {
    let start = reader.at;
    let number = whole_number(reader, least, most)?;
    if before.contains(&number) {
        reader.at = start;
        return Err(reader.expected("a number that is not there yet"));
    }
    if reader.tape.is_some() {
        let (choice, options) = number::choice(least, most, &number)?;
        let taken = before.taken(least, most)?;
        let lower = taken.partition_point(|&other| other < choice) as u64;
        let options = options - taken.len() as u64;
        reader.push(choice - lower, options, role);
    }
    Ok(number)
}

/// A whole number that is free; `why_not` says what is wrong with another one.
pub(super) fn pick(
    reader: &mut Reader<'_>,
    (least, most): (i64, i64),
    is_free: &dyn Fn(i64) -> bool,
    why_not: &str,
) -> Result<i64, String> {
    let start = reader.at;
    let number = whole_number(reader, &Value::Small(least), &Value::Small(most))?;
    let Value::Small(number) = number else { return Err(reader.expected("a number")) };
    if !is_free(number) {
        reader.at = start;
        return Err(reader.expected(why_not));
    }
    if reader.tape.is_some() {
        let free: Vec<_> = (least..=most).filter(|&number| is_free(number)).collect();
        let value = free.partition_point(|&other| other < number);
        reader.push(value as u64, free.len() as u64, Role::Place);
    }
    Ok(number)
}

/// A decimal number.
pub(super) fn decimal(reader: &mut Reader<'_>, rule: &DecimalRule) -> Result<BigDecimal, String> {
    let start = reader.at;
    let length = number(reader.rest(), true).ok_or_else(|| reader.expected("a number"))?;
    let text = reader.taken(length);
    let refused = rule.why_not(text);
    let number = match refused {
        None => value::decimal(text).ok(),
        Some(_) => None,
    };
    let fits = |number: &BigDecimal| *number >= rule.least && *number <= rule.most;
    let Some(number) = number.filter(fits) else {
        reader.at = start;
        return Err(reader.expected(&refused.unwrap_or_else(|| {
            format!("a number from {} to {}", shortened(&rule.least), shortened(&rule.most))
        })));
    };
    if let Some(tape) = &mut reader.tape {
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        tape.extend(rule.choices(&number, decimals));
    }
    Ok(number)
}

/// A whole number from `least` to `most`, without its choices.
fn whole_number(reader: &mut Reader<'_>, least: &Value, most: &Value) -> Result<Value, String> {
    if least.compare(most) == Ok(std::cmp::Ordering::Greater) {
        return Err(no_number(least, most));
    }
    let wanted = || match least.compare(most) {
        Ok(std::cmp::Ordering::Equal) => format!("the number {}", shortened(least)),
        _ => format!("a whole number from {} to {}", shortened(least), shortened(most)),
    };
    let length = number(reader.rest(), false).ok_or_else(|| reader.expected(&wanted()))?;
    let start = reader.at;
    let number = match reader.taken(length) {
        digits if digits.len() as u64 > value::MOST_DIGITS => None,
        digits => match digits.parse::<i64>() {
            Ok(small) => Some(Value::Small(small)),
            Err(_) => BigInt::from_str(digits).ok().map(Value::from),
        },
    };
    let fits = |number: &Value| {
        use std::cmp::Ordering::{Greater, Less};
        number.compare(least) != Ok(Less) && number.compare(most) != Ok(Greater)
    };
    let Some(number) = number.filter(fits) else {
        reader.at = start;
        return Err(reader.expected(&wanted()));
    };
    Ok(number)
}
