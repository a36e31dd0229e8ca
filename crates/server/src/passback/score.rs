//! A score as Assignment and Grade Services 2.0 has it, and what an answer of a platform means. Pure.

use super::Claim;
use crate::rules::Moment;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

/// The type of a score.
pub const SCORE: &str = "application/vnd.ims.lis.v1.score+json";

/// Where Canvas looks for what it knows of submissions. Others ignore it.
const CANVAS: &str = "https://canvas.instructure.com/lti/submission";

/// The longest time for which a platform may ask to be left alone.
const LONGEST: Duration = Duration::from_hours(24);

/// The longest part of an answer that is kept, in letters.
const MOST_SAID: usize = 200;

/// The address where the scores of a line item are sent: its path gets a part, and its query stays.
pub fn address(line_item: &str) -> String {
    match line_item.split_once('?') {
        Some((path, query)) => format!("{}/scores?{query}", path.trim_end_matches('/')),
        None => format!("{}/scores", line_item.trim_end_matches('/')),
    }
}

/// The score. The same claim gives the same one, however often it is sent.
pub fn document(claim: &Claim) -> Value {
    let mut score = json!({
        "userId": claim.subject,
        "timestamp": timestamp(Moment(claim.stamp)),
        "scoreMaximum": number(claim.max_points),
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        // Canvas shows a student as missing who has a grade and no submission, and counts each submission as an attempt.
        CANVAS: {
            "new_submission": claim.is_another,
            "submitted_at": timestamp(claim.handed_in),
        },
    });
    if let Some(points) = claim.points {
        score["scoreGiven"] = number(points);
    } else {
        // Nothing counts any more, so the platform forgets the grade.
        score["activityProgress"] = json!("InProgress");
        score["gradingProgress"] = json!("NotReady");
        score[CANVAS] = json!({ "new_submission": false });
    }
    score
}

/// A number of hundredths, without a fraction where it has none: some platforms take only whole numbers for a maximum.
pub fn number(hundredths: i64) -> Value {
    if hundredths % 100 == 0 { json!(hundredths / 100) } else { json!(hundredths as f64 / 100.0) }
}

/// With milliseconds, as the specification asks for, and with a zone, which it needs.
fn timestamp(moment: Moment) -> String {
    let whole = Moment(moment.0.div_euclid(1000) * 1000).rfc3339();
    format!("{}.{:03}Z", whole.trim_end_matches('Z'), moment.0.rem_euclid(1000))
}

/// What a platform answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub retry_after: Option<String>,
    pub body: String,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The platform has the score.
    Taken,
    /// It is to be sent again, not before so long.
    Later { why: Why, after: Option<Duration> },
    /// Sending it again changes nothing until somebody does something.
    Refused(Why),
    /// Nothing goes into this column until somebody does something.
    Closed(Why),
    /// The platform is to be left alone. With a time, for so long.
    Away { why: Why, after: Option<Duration> },
}

impl Outcome {
    /// The word of the metrics.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Later { .. } | Self::Away { .. } => "later",
            Self::Refused(_) | Self::Closed(_) => "refused",
        }
    }

    /// Why it was not taken.
    pub fn why(&self) -> Option<&Why> {
        match self {
            Self::Taken => None,
            Self::Later { why, .. }
            | Self::Away { why, .. }
            | Self::Refused(why)
            | Self::Closed(why) => Some(why),
        }
    }
}

/// Why a score was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The status of the answer, or 0 without one.
    pub status: i64,
    /// What the platform said, or what failed.
    pub said: String,
}

impl Why {
    pub fn failed(said: impl Into<String>) -> Self {
        Self { status: 0, said: shortened(&said.into()) }
    }
}

/// What an answer means. `was_sent`: the same score was sent before, and nobody knows what became of that.
pub fn judge(answer: &Answer, was_sent: bool) -> Outcome {
    let Answer { status, body, .. } = answer;
    let why = Why { status: i64::from(*status), said: shortened(body) };
    let after = answer.retry_after.as_deref().and_then(|it| wait(it, SystemTime::now()));
    let says = |words: &str| body.to_ascii_lowercase().contains(words);
    match status {
        200..=299 => Outcome::Taken,
        // Moodle says the first, and Canvas the second, of a score that is not later than the one that it has.
        409 if was_sent => Outcome::Taken,
        400 if was_sent && says("last updated timestamp") => Outcome::Taken,
        429 | 503 => Outcome::Away { why, after },
        // Canvas.
        403 if says("rate limit") => Outcome::Away { why, after },
        408 | 425 | 500..=599 => Outcome::Later { why, after },
        300..=399 | 401 | 403 | 404 | 405 | 410 | 415 => Outcome::Closed(why),
        _ => Outcome::Refused(why),
    }
}

/// What staff can do about an answer.
pub fn remedy(status: i64) -> &'static str {
    match status {
        0 => "It is tried again. If this lasts, ask who runs the platform whether it answers.",
        401 | 403 => {
            "The platform does not let this server write grades. Allow the tool its grade service there, and send again."
        }
        404 | 410 => {
            "The column of the gradebook is gone. Open the assignment from the course once more, so that the platform names \
             the column again, and send again."
        }
        409 => {
            "The platform has a later grade, which somebody may have changed there. To replace it by this one, send again."
        }
        400 | 422 => {
            "The platform does not take a grade of this student. Often, the student is not or no longer in its course, or not \
             with the role of a student."
        }
        429 | 500..=599 => "It is sent again by itself.",
        _ => "Ask who runs the platform what its answer means, and send again.",
    }
}

/// What `Retry-After` says: seconds, or a date.
fn wait(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    let wait = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(now).unwrap_or_default(),
    };
    Some(wait.min(LONGEST))
}

/// The beginning of what a platform said, in one line.
fn shortened(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|it| !it.is_control()).take(MOST_SAID).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, retry_after: None, body: body.to_owned() }
    }

    #[test]
    fn the_address_of_scores_keeps_the_query_of_the_line_item() {
        let moodle = "https://a.edu/mod/lti/services.php/2/lineitems/4/lineitem?type_id=1";
        let scores = "https://a.edu/mod/lti/services.php/2/lineitems/4/lineitem/scores?type_id=1";
        assert_eq!(address(moodle), scores);
        assert_eq!(address("https://a.edu/line_items/2/"), "https://a.edu/line_items/2/scores");
    }

    #[test]
    fn points_are_sent_as_they_are_with_and_without_a_fraction() {
        assert_eq!([4875, 9000, -50].map(number), [json!(48.75), json!(90), json!(-0.5)]);
    }

    #[test]
    fn a_timestamp_has_milliseconds_and_a_zone() {
        assert_eq!(timestamp(Moment(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(Moment(120)), "1970-01-01T00:00:00.120Z");
    }

    #[test]
    fn a_platform_that_has_the_score_already_took_it_only_if_it_was_sent_before() {
        let moodle = answer(409, "Refusing score with an earlier timestamp for item 1 and user 2");
        let canvas = answer(400, "Provided timestamp of 1 before last updated timestamp of 2");
        for it in [moodle, canvas] {
            assert_eq!(judge(&it, true), Outcome::Taken);
            assert!(matches!(judge(&it, false), Outcome::Refused(_)), "{it:?}");
        }
    }

    #[test]
    fn answers_that_pass_are_tried_again_and_others_are_not() {
        assert_eq!(judge(&answer(204, ""), false), Outcome::Taken);
        for status in [429, 503] {
            let it = Answer { retry_after: Some("7".to_owned()), ..answer(status, "") };
            let after = Some(Duration::from_secs(7));
            assert!(matches!(judge(&it, false), Outcome::Away { after: it, .. } if it == after));
        }
        let canvas = answer(403, "403 Forbidden (Rate Limit Exceeded)");
        assert!(matches!(judge(&canvas, false), Outcome::Away { .. }));
        assert!(matches!(judge(&answer(500, ""), false), Outcome::Later { .. }));
        for status in [302, 401, 403, 404] {
            assert!(matches!(judge(&answer(status, ""), true), Outcome::Closed(_)), "{status}");
        }
        for status in [400, 422] {
            assert!(matches!(judge(&answer(status, ""), true), Outcome::Refused(_)), "{status}");
        }
    }

    #[test]
    fn a_platform_may_say_until_when_it_wants_to_be_left_alone_in_seconds_or_as_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_770);
        assert_eq!(wait("120", now), Some(Duration::from_mins(2)));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Duration::from_secs(7)));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:00 GMT", now), Some(Duration::ZERO));
        assert_eq!((wait("soon", now), wait("99999999", now)), (None, Some(LONGEST)));
    }
}
