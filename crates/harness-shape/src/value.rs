//! The values of a shape: integers and decimals of any size, and texts.

use bigdecimal::BigDecimal;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

/// The most decimal digits that an exponent may add to a number, and the most bits of an integer. Larger numbers are an error, because a
/// script of a few bytes could otherwise fill the memory.
pub const MOST_DIGITS: u64 = 200_000;

/// A value of a variable or an expression.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer that fits 64 bits.
    Small(i64),
    /// Any other integer.
    Big(Arc<BigInt>),
    Decimal(Arc<BigDecimal>),
    Text(Arc<[u8]>),
}

use Value::{Big, Decimal, Small, Text};

impl Value {
    pub fn text(bytes: &[u8]) -> Self {
        Text(bytes.into())
    }

    /// A number as it is written: an integer if it has neither a point nor an exponent.
    ///
    /// # Errors
    /// If the number is too large.
    pub fn number(text: &str) -> Result<Self, String> {
        if let Ok(small) = text.parse() {
            return Ok(Small(small));
        }
        if text.len() as u64 > MOST_DIGITS {
            return Err(too_large());
        }
        match text.find(['.', 'e', 'E']) {
            None => BigInt::from_str(text).map(Self::from).map_err(|_| not_a_number(text)),
            Some(_) => decimal(text).map(|decimal| Decimal(Arc::new(decimal))),
        }
    }

    pub fn to_decimal(&self) -> Result<BigDecimal, String> {
        match self {
            Small(small) => Ok(BigDecimal::from(*small)),
            Big(big) => Ok(BigDecimal::from(big.as_ref().clone())),
            Decimal(decimal) => Ok(decimal.as_ref().clone()),
            Text(_) => Err("expected a number, found a string".to_owned()),
        }
    }

    pub fn to_integer(&self) -> Result<BigInt, String> {
        match self {
            Small(small) => Ok(BigInt::from(*small)),
            Big(big) => Ok(big.as_ref().clone()),
            Decimal(_) => Err("expected an integer, found a decimal number".to_owned()),
            Text(_) => Err("expected an integer, found a string".to_owned()),
        }
    }

    pub fn as_text(&self) -> Result<&Arc<[u8]>, String> {
        match self {
            Text(text) => Ok(text),
            _ => Err("expected a string, found a number".to_owned()),
        }
    }

    /// What computing with the number costs, in words of its digits.
    pub fn weight(&self) -> u64 {
        match self {
            Small(_) | Text(_) => 0,
            Big(big) => big.bits() / 64,
            Decimal(decimal) => {
                let (digits, exponent) = decimal.as_bigint_and_exponent();
                (digits.bits() + exponent.unsigned_abs()) / 64
            }
        }
    }

    pub fn is_integer(&self) -> bool {
        matches!(self, Small(_) | Big(_))
    }

    /// How the two values compare.
    ///
    /// # Errors
    /// If one is a string and the other a number.
    pub fn compare(&self, other: &Self) -> Result<Ordering, String> {
        match (self, other) {
            (Small(a), Small(b)) => Ok(a.cmp(b)),
            (Text(a), Text(b)) => Ok(a.cmp(b)),
            (Text(_), _) | (_, Text(_)) => Err("cannot compare a string with a number".to_owned()),
            _ if self.is_integer() && other.is_integer() => {
                Ok(self.to_integer()?.cmp(&other.to_integer()?))
            }
            _ => Ok(self.to_decimal()?.cmp(&other.to_decimal()?)),
        }
    }

    /// The operator for the lesser of two values, and that for the greater.
    pub const LEAST: u8 = b'<';
    pub const MOST: u8 = b'>';

    /// The result of an operator: one of `+ - * / % ^`, [`LEAST`](Self::LEAST) or [`MOST`](Self::MOST).
    ///
    /// # Errors
    /// If the operator is not defined for these values, or the result is too large.
    pub fn apply(&self, operator: u8, other: &Self) -> Result<Self, String> {
        if let (&Small(a), &Small(b)) = (self, other)
            && let Some(small) = small_result(operator, a, b)
        {
            return Ok(Small(small));
        }
        match (self.is_integer(), other.is_integer(), operator) {
            (_, _, Self::LEAST | Self::MOST) => {
                let is_first = self.compare(other)?.is_lt() == (operator == Self::LEAST);
                Ok(if is_first { self } else { other }.clone())
            }
            (true, true, _) => integer_result(operator, self.to_integer()?, other.to_integer()?),
            (false, true, b'^') => {
                let (base, exponent) = (self.to_decimal()?, exponent_of(&other.to_integer()?)?);
                limit(base.digits().saturating_mul(u64::from(exponent)))?;
                let power = (0..exponent).fold(BigDecimal::from(1), |power, _| power * &base);
                Ok(Decimal(Arc::new(power)))
            }
            (_, _, b'^') => Err("an exponent must be an integer from 0".to_owned()),
            (_, _, b'%') => Err("`%` needs integers".to_owned()),
            _ => decimal_result(operator, &self.to_decimal()?, &other.to_decimal()?),
        }
    }

    /// The number with the opposite sign.
    ///
    /// # Errors
    /// If the value is a string.
    pub fn negated(&self) -> Result<Self, String> {
        Small(0).apply(b'-', self)
    }
}

fn small_result(operator: u8, a: i64, b: i64) -> Option<i64> {
    match operator {
        b'+' => a.checked_add(b),
        b'-' => a.checked_sub(b),
        b'*' => a.checked_mul(b),
        b'/' => a.checked_div(b),
        b'%' => a.checked_rem(b),
        b'^' => a.checked_pow(u32::try_from(b).ok()?),
        Value::LEAST => Some(a.min(b)),
        Value::MOST => Some(a.max(b)),
        _ => None,
    }
}

fn integer_result(operator: u8, a: BigInt, b: BigInt) -> Result<Value, String> {
    limit((a.bits() + b.bits()) / 3)?;
    Ok(Value::from(match operator {
        b'+' => a + b,
        b'-' => a - b,
        b'*' => a * b,
        b'/' | b'%' if b.is_zero() => return Err("division by zero".to_owned()),
        b'/' => a / b,
        b'%' => a % b,
        _ => {
            let exponent = exponent_of(&b)?;
            limit((a.bits() / 3).saturating_mul(u64::from(exponent)))?;
            a.pow(exponent)
        }
    }))
}

fn decimal_result(operator: u8, a: &BigDecimal, b: &BigDecimal) -> Result<Value, String> {
    Ok(Decimal(Arc::new(match operator {
        b'+' => a + b,
        b'-' => a - b,
        b'*' => a * b,
        _ if b.is_zero() => return Err("division by zero".to_owned()),
        _ => a / b,
    })))
}

fn exponent_of(exponent: &BigInt) -> Result<u32, String> {
    if exponent.is_negative() {
        return Err("an exponent must be an integer from 0".to_owned());
    }
    exponent.to_u32().ok_or_else(too_large)
}

fn limit(digits: u64) -> Result<(), String> {
    if digits > MOST_DIGITS { Err(too_large()) } else { Ok(()) }
}

/// A decimal number as it is written, with a point, an exponent, or both.
///
/// # Errors
/// If it is not a number, or its exponent is too large.
pub fn decimal(text: &str) -> Result<BigDecimal, String> {
    if let Some((_, exponent)) = text.split_once(['e', 'E']) {
        let exponent: i64 = exponent.parse().map_err(|_| too_large())?;
        limit(exponent.unsigned_abs())?;
    }
    BigDecimal::from_str(text).map_err(|_| not_a_number(text))
}

fn too_large() -> String {
    format!("the number has more than {MOST_DIGITS} digits")
}

fn not_a_number(text: &str) -> String {
    format!("`{text}` is not a number")
}

impl From<BigInt> for Value {
    fn from(big: BigInt) -> Self {
        big.to_i64().map_or_else(|| Big(Arc::new(big)), Small)
    }
}

impl From<i64> for Value {
    fn from(small: i64) -> Self {
        Small(small)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ok(Ordering::Equal)
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Small(small) => small.hash(state),
            // An integer equals the decimal of the same value, so both must have the same hash.
            Big(_) | Decimal(_) => {
                if let Ok(decimal) = self.to_decimal() {
                    let small = decimal.is_integer().then(|| decimal.to_i64()).flatten();
                    match small {
                        Some(small) => small.hash(state),
                        None => decimal.normalized().hash(state),
                    }
                }
            }
            Text(text) => text.hash(state),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Small(small) => small.fmt(f),
            Big(big) => big.fmt(f),
            Decimal(decimal) => decimal.fmt(f),
            Text(text) => text.escape_ascii().fmt(f),
        }
    }
}

/// A number as text, without the time that formatting takes.
pub fn digits(number: i64, text: &mut [u8; 20]) -> &[u8] {
    let (mut rest, mut at) = (number.unsigned_abs(), text.len());
    loop {
        at -= 1;
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        text[at] = b'-';
    }
    &text[at..]
}
