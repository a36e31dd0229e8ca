//! What a limit on a program may be. Each function reads the value of one key.

use serde::de::{Deserialize, Deserializer, Error};

/// A day.
const MOST_SECONDS: f64 = 86_400.0;
/// A terabyte in kilobytes, and more megabytes than any machine has.
const MOST_MEMORY: u64 = 1 << 30;

/// Seconds.
pub(super) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    if seconds > 0.0 && seconds <= MOST_SECONDS {
        return Ok(seconds);
    }
    Err(Error::custom(format!("seconds must be more than 0 and at most {MOST_SECONDS}")))
}

/// Kilobytes or megabytes.
pub(super) fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    at_least_1(deserializer, MOST_MEMORY)
}

/// A number of processes.
pub(super) fn processes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    at_least_1(deserializer, u64::from(u16::MAX))
}

fn at_least_1<'de, D: Deserializer<'de>>(deserializer: D, most: u64) -> Result<u64, D::Error> {
    let number = u64::deserialize(deserializer)?;
    if (1..=most).contains(&number) {
        return Ok(number);
    }
    Err(Error::custom(format!("this limit must be at least 1 and at most {most}")))
}

/// Seconds that may be missing.
pub(super) fn some_seconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    seconds(deserializer).map(Some)
}

/// Megabytes that may be missing.
pub(super) fn some_memory<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    memory(deserializer).map(Some)
}
