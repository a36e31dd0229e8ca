//! Lengths of time, and counts, as people read them. Pure.

/// `3 bugs`, `1 bug`.
pub fn counted(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A time in the largest units that matter: `2 days 3 hours`, `12 minutes`, `40 seconds`.
pub fn span(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    let both = |large: String, small: i64, noun: &str| {
        if small == 0 { large } else { format!("{large} {}", counted(small, noun)) }
    };
    match () {
        () if days >= 7 => counted(days, "day"),
        () if days > 0 => both(counted(days, "day"), hours % 24, "hour"),
        () if hours > 0 => both(counted(hours, "hour"), minutes % 60, "minute"),
        () if minutes > 0 => counted(minutes, "minute"),
        () if seconds > 0 => counted(seconds, "second"),
        () => "less than a second".to_owned(),
    }
}

/// So many minutes, to the minute: `1 hour 30 minutes`.
pub fn whole(minutes: i64) -> String {
    let parts = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")];
    let parts = parts.into_iter().filter(|(count, _)| *count != 0);
    let parts: Vec<_> = parts.map(|(count, unit)| counted(count, unit)).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_the_units_that_matter() {
        let minute = 60_000;
        for (time, text) in [
            (300, "less than a second"),
            (1_000, "1 second"),
            (12 * minute, "12 minutes"),
            (61 * minute, "1 hour 1 minute"),
            (120 * minute, "2 hours"),
            (27 * 60 * minute, "1 day 3 hours"),
            (9 * 24 * 60 * minute, "9 days"),
        ] {
            assert_eq!(span(time), text);
        }
    }

    #[test]
    fn what_staff_grant_is_told_to_the_minute() {
        assert_eq!(
            [0, 90, 2880, 11_521].map(whole),
            ["none", "1 hour 30 minutes", "2 days", "8 days 1 minute"]
        );
    }
}
