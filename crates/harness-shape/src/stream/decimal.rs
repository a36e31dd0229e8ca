//! Decimal numbers: how they are written, made from choices, and turned into choices.

use super::shortened;
use crate::choice::{Choice, Choose, Role};
use crate::number;
use bigdecimal::{BigDecimal, RoundingMode};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The notation of a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Any,
    Fixed,
    Scientific,
}

/// What a decimal number must be.
pub struct DecimalRule {
    pub least: BigDecimal,
    pub most: BigDecimal,
    /// The fewest and the most decimals.
    pub decimals: Option<(usize, usize)>,
    pub form: Form,
}

const MOST_DECIMALS: usize = 60;
/// The most decimals that are made if there is no rule for them.
const USUAL_DECIMALS: usize = 3;

impl DecimalRule {
    /// What is expected instead of a number that is written like this.
    pub(super) fn why_not(&self, text: &str) -> Option<String> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, _)) => (mantissa, true),
            None => (text, false),
        };
        match self.form {
            Form::Fixed if exponent => return Some("a number without an exponent".to_owned()),
            Form::Scientific if !exponent => return Some("a number with an exponent".to_owned()),
            _ => {}
        }
        let (fewest, most) = self.decimals?;
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if exponent && !matches!(whole.trim_start_matches('-').as_bytes(), [b'1'..=b'9']) {
            return Some("one digit that is not 0 before the point".to_owned());
        }
        let fits = (fewest..=most).contains(&decimals.len());
        (!fits).then(|| format!("a number with {fewest} to {most} decimals"))
    }

    /// The choices that make `number`, which is written with this many decimals. Another notation of the same number has no choices.
    pub(super) fn choices(&self, number: &BigDecimal, decimals: usize) -> [Choice; 2] {
        let (fewest, usual) = self.usual();
        let decimals = decimals.clamp(fewest, usual);
        let (least, most) = self.in_units(decimals);
        let units = round(&(number * BigDecimal::new(BigInt::from(1), -(decimals as i64))), false);
        let units = units.clamp(least.clone(), most.clone().max(least.clone()));
        [
            Choice {
                value: (decimals - fewest) as u64,
                options: (usual - fewest) as u64 + 1,
                role: Role::Size,
            },
            Choice {
                value: number::choice_of(&least, &most, &units),
                options: number::options(&least, &most),
                role: Role::Number,
            },
        ]
    }

    fn usual(&self) -> (usize, usize) {
        let (fewest, most) = self.decimals.unwrap_or((0, USUAL_DECIMALS));
        (fewest, most.max(fewest))
    }

    /// The bounds in units of the last of this many decimals.
    fn in_units(&self, decimals: usize) -> (BigInt, BigInt) {
        let units =
            |bound: &BigDecimal| bound * BigDecimal::new(BigInt::from(1), -(decimals as i64));
        (round(&units(&self.least), true), round(&units(&self.most), false))
    }

    /// A number as text. Its choices are the number of decimals, and the number in units of the last one.
    pub(super) fn make(&self, choose: &mut dyn Choose) -> Result<String, String> {
        let (fewest, usual) = self.usual();
        let most = self.decimals.map_or(MOST_DECIMALS, |(_, most)| most);
        let first = fewest + choose.choose((usual - fewest) as u64 + 1, Role::Size) as usize;
        for decimals in first..=most.max(first) {
            let (least, most) = self.in_units(decimals);
            let options = number::options(&least, &most);
            if options == 0 {
                continue;
            }
            let number = number::nth(&least, &most, choose.choose(options, Role::Number));
            return Ok(match self.form {
                Form::Scientific => {
                    scientific(&number, decimals, self.decimals.map_or(0, |_| fewest))
                }
                _ => fixed(&number, decimals),
            });
        }
        Err(format!(
            "there is no such number from {} to {}",
            shortened(&self.least),
            shortened(&self.most)
        ))
    }
}

/// The whole number next to a decimal one, above or below it.
fn round(number: &BigDecimal, up: bool) -> BigInt {
    let (whole, _) = number
        .with_scale_round(0, if up { RoundingMode::Ceiling } else { RoundingMode::Floor })
        .into_bigint_and_exponent();
    whole
}

fn fixed(number: &BigInt, decimals: usize) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    let digits = format!("{:0>width$}", number.magnitude().to_string(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    if decimals == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// One digit before the point, then at least `fewest` decimals.
fn scientific(number: &BigInt, decimals: usize, fewest: usize) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    let digits = number.magnitude().to_string();
    let exponent = if number.is_zero() { 0 } else { digits.len() as i64 - 1 - decimals as i64 };
    let fraction = format!("{:0<fewest$}", digits[1..].trim_end_matches('0'));
    if fraction.is_empty() {
        format!("{sign}{}e{exponent}", &digits[..1])
    } else {
        format!("{sign}{}.{fraction}e{exponent}", &digits[..1])
    }
}
