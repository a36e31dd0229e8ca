//! A number of `serve.yaml` that is never huge.

use serde::{Deserialize, Deserializer, de};

/// A number from 0 to 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub i64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let count = i64::deserialize(from)?;
        let wrong = || {
            de::Error::custom(format!(
                "{count} is not between 0 and 1000; write a number from 0 to 1000"
            ))
        };
        (0..=1000).contains(&count).then_some(Self(count)).ok_or_else(wrong)
    }
}
