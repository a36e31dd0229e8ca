//! How the values of an assignment are written. What is no such value is told at its line.

use super::Limit;
use super::assignment::Exceptions;
use super::mistakes::wrong;
use jiff::civil::Date;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// The most submissions of a day that a course may allow.
const MOST: i64 = 100;

/// A date without a time.
pub(super) fn day<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Date>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    let parsed = text.map(|text| text.trim().parse().map_err(|_| text));
    parsed
        .transpose()
        .map_err(|text| wrong(format!("`{text}` is no date"), "write it as `2026-11-24`"))
}

/// A whole number that is not too large.
pub(super) fn up_to<'de, D: Deserializer<'de>, const MOST: i64>(from: D) -> Result<i64, D::Error> {
    small(i64::from(u16::deserialize(from)?), MOST)
}

fn small<E: de::Error>(number: i64, most: i64) -> Result<i64, E> {
    if (0..=most).contains(&number) {
        Ok(number)
    } else {
        Err(wrong(format!("{number} is out of range"), format!("write a number from 0 to {most}")))
    }
}

/// A number, or `usual` with exceptions.
pub(super) fn limit<'de, D: Deserializer<'de>>(from: D) -> Result<Limit, D::Error> {
    from.deserialize_any(Either)
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Limit;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of submissions, or `usual` with `except`")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Limit, E> {
        small(number, MOST).map(Limit::Usual)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Limit, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Limit, E> {
        let what = format!("expected a number of submissions, found `{text}`");
        Err(wrong(what, "write `limit: 3`, or `usual` with `except`"))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Limit, A::Error> {
        Exceptions::deserialize(MapAccessDeserializer::new(map)).map(Limit::WithExceptions)
    }
}
