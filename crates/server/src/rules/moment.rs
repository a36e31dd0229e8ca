//! A moment, as the clock of the database gives it.

use jiff::Timestamp;

/// Milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

impl Moment {
    #[must_use]
    pub fn plus_minutes(self, minutes: i64) -> Self {
        Self(self.0.saturating_add(minutes.saturating_mul(60_000)))
    }

    #[must_use]
    pub fn plus(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }

    pub(super) fn timestamp(self) -> Timestamp {
        Timestamp::from_millisecond(self.0).unwrap_or(Timestamp::MAX)
    }

    /// As in RFC 3339, for machines.
    pub fn rfc3339(self) -> String {
        self.timestamp().to_string()
    }
}
