//! The points of mutants and what thresholds count: numbers with at most two decimals, so that sums are exact. Pure.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::iter::Sum;

/// Larger numbers are mistakes.
const MOST: f64 = 1e9;
const DECIMALS: f64 = 100.0;

/// A number of at least 0 with at most two decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    hundredths: u64,
}

impl Points {
    pub const ONE: Self = Self::whole(1);

    pub const fn whole(number: u64) -> Self {
        Self { hundredths: number * 100 }
    }

    pub const fn of_hundredths(hundredths: u64) -> Self {
        Self { hundredths }
    }

    pub const fn hundredths(self) -> u64 {
        self.hundredths
    }

    /// The points nearest to a number that is not negative.
    pub fn nearest(number: f64) -> Self {
        Self { hundredths: (number.clamp(0.0, MOST) * DECIMALS).round() as u64 }
    }

    pub fn number(self) -> f64 {
        self.hundredths as f64 / DECIMALS
    }

    pub const fn is_whole(self) -> bool {
        self.hundredths.is_multiple_of(100)
    }

    pub const fn is_zero(self) -> bool {
        self.hundredths == 0
    }

    /// The least whole number that is no less.
    #[must_use]
    pub const fn rounded_up(self) -> Self {
        Self::whole(self.hundredths.div_ceil(100))
    }

    /// How much is missing to `needed`.
    #[must_use]
    pub const fn missing_to(self, needed: Self) -> Self {
        Self { hundredths: needed.hundredths.saturating_sub(self.hundredths) }
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        Self { hundredths: points.map(Self::hundredths).sum() }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.number());
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_whole() {
            serializer.serialize_u64(self.hundredths / 100)
        } else {
            serializer.serialize_f64(self.number())
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let points = Self::nearest(number);
        if !(0.0..=MOST).contains(&number) {
            return Err(Error::custom(format!("{number} is less than 0 or too large")));
        }
        if (points.number() - number).abs() > 1e-9 * number.max(1.0) {
            return Err(Error::custom(format!("{number} has more than two decimals")));
        }
        Ok(points)
    }
}

impl schemars::JsonSchema for Points {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Points".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_fractions_are_exact() {
        let tenth: Points = serde_yaml::from_str("0.1").unwrap();
        assert_eq!([tenth; 10].into_iter().sum::<Points>(), Points::ONE);
        assert_eq!([tenth, Points::ONE].into_iter().sum::<Points>().to_string(), "1.1");
    }

    #[test]
    fn a_negative_number_and_a_third_decimal_are_refused() {
        for text in ["-1", "1.125", ".nan", ".inf", "many"] {
            assert!(serde_yaml::from_str::<Points>(text).is_err(), "{text}");
        }
    }
}
