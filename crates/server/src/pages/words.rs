//! Numbers and times in the words of a page.

use crate::rules::Moment;

/// Points without trailing zeros.
pub(super) fn points(points: f64) -> String {
    format!("{points:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text with a capital letter at the start. The others stay as they are.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `3 bugs`, `1 bug`.
pub(super) fn counted(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A time in the largest units that matter: `2 days 3 hours`, `12 minutes`, `40 seconds`.
pub(super) fn span(milliseconds: i64) -> String {
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
        () => counted(seconds, "second"),
    }
}

/// How far a moment is from now: `in 3 hours`, `3 hours ago`.
pub(super) fn from_now(now: Moment, moment: Moment) -> String {
    if moment >= now {
        format!("in {}", span(moment.0 - now.0))
    } else {
        format!("{} ago", span(now.0 - moment.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_the_units_that_matter() {
        let minute = 60_000;
        for (time, text) in [
            (0, "0 seconds"),
            (1_000, "1 second"),
            (12 * minute, "12 minutes"),
            (61 * minute, "1 hour 1 minute"),
            (120 * minute, "2 hours"),
            (27 * 60 * minute, "1 day 3 hours"),
            (9 * 24 * 60 * minute, "9 days"),
        ] {
            assert_eq!(span(time), text);
        }
        assert_eq!(from_now(Moment(0), Moment(minute)), "in 1 minute");
        assert_eq!(from_now(Moment(minute), Moment(0)), "1 minute ago");
    }

    #[test]
    fn points_have_no_trailing_zeros() {
        assert_eq!(
            (points(90.0), points(87.5), points(0.25)),
            ("90".into(), "87.5".into(), "0.25".into())
        );
    }
}
