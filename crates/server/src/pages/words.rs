//! Numbers, times and addresses as people read them.

use harness::diagnostic::Problem;

use crate::web::Refusal;

/// Points without zeros at the end.
pub(super) fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
    fn numbers_lengths_and_addresses_are_short() {
        assert_eq!([90.0, 12.5, 0.125].map(number), ["90", "12.5", "0.12"]);
        let lengths = [40, 12_000, 200_000, 8_000_000, 300_000_000].map(length);
        assert_eq!(lengths, ["40 ms", "12 s", "3 min", "2 h", "3 d"]);
        assert_eq!(student_page("a b/c?"), "/students/a%20b%2Fc%3F");
    }
}
