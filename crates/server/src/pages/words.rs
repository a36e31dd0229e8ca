//! Numbers, times and addresses in the words of a page.

use crate::rules::{Moment, Price};
use crate::web::Refusal;
use harness::diagnostic::Problem;

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

/// A length of time, from milliseconds: `12 s`, `3 min`, `5 h`, `2 d`.
pub(super) fn length(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    match seconds {
        0 => format!("{} ms", milliseconds.max(0)),
        1..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// What lateness costs: `costs 20 % of its points`.
pub(super) fn costs(price: Price) -> String {
    match price {
        Price::Nothing => "costs nothing".to_owned(),
        Price::Percent(percent) => format!("costs {} % of its points", points(percent)),
        Price::Points(1.0) => "costs 1 point".to_owned(),
        Price::Points(lost) => format!("costs {} points", points(lost)),
    }
}

/// The page of a student.
pub(super) fn student_page(login: &str) -> String {
    format!("/students/{}", encoded(login))
}

/// A text as a part of an address.
pub(super) fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

/// The reason that staff gave, which must be there.
pub(super) fn reason(text: &str) -> Result<String, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        let problem = Problem::new("there is no reason");
        return Err(Refusal::Wrong(problem.hint("say in a few words why; the log keeps it")));
    }
    Ok(text.chars().take(500).collect())
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

    #[test]
    fn lengths_and_addresses_are_short() {
        let lengths = [40, 12_000, 200_000, 8_000_000, 300_000_000].map(length);
        assert_eq!(lengths, ["40 ms", "12 s", "3 min", "2 h", "3 d"]);
        assert_eq!(student_page("a b/c?"), "/students/a%20b%2Fc%3F");
    }
}
