//! A length of time as people write it.

/// The longest extra time: a year.
const LONGEST: f64 = 365.0 * 24.0 * 60.0;

/// The minutes of `90`, `90 min`, `1.5h`, `2d` or `1w`.
pub fn minutes(text: &str) -> Option<i64> {
    let text = text.trim().to_lowercase().replace(',', ".");
    let end = text.find(|letter: char| letter.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = (text[..end].trim(), text[end..].trim());
    let of_unit = match unit {
        "" | "m" | "min" | "mins" | "minute" | "minutes" => 1.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 60.0,
        "d" | "day" | "days" => 24.0 * 60.0,
        "w" | "week" | "weeks" => 7.0 * 24.0 * 60.0,
        _ => return None,
    };
    let is_plain = number.chars().all(|it| it.is_ascii_digit() || it == '.');
    let minutes = number.parse::<f64>().ok().filter(|_| is_plain)? * of_unit;
    (0.0..=LONGEST).contains(&minutes).then(|| minutes.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_units() {
        let read = ["90", "1.5h", "2d", "1,5 H", "0", "90 minutes", "1w"].map(minutes);
        assert_eq!(read, [90, 90, 2880, 90, 0, 90, 10_080].map(Some));
        assert_eq!(["", "h", "-5", "1e3", "50%", "9999d", "1.5.2"].map(minutes), [None; 7]);
    }
}
