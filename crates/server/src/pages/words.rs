//! Numbers, times and addresses in the words of a page.

pub(super) use crate::rules::lengths::{counted, span};
use crate::rules::{Moment, Price};
use crate::web::Refusal;
use harness::diagnostic::Problem;
pub(super) use harness::report::words::capitalized as sentence;

/// Points without trailing zeros.
pub(super) fn points(points: f64) -> String {
    format!("{points:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Hundredths of points with their sign.
pub(super) fn signed(hundredths: i64) -> String {
    match hundredths {
        0 => "0".to_owned(),
        1.. => format!("+{}", points(hundredths as f64 / 100.0)),
        _ => format!("−{}", points(-hundredths as f64 / 100.0)),
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
    fn a_moment_is_told_by_how_far_it_is() {
        let minute = 60_000;
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
    fn what_is_odd_in_a_login_is_encoded_in_its_address() {
        assert_eq!(student_page("a b/c?"), "/students/a%20b%2Fc%3F");
    }
}
