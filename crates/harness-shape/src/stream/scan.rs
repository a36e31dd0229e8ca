//! What an input begins with, and words for messages about it.

use super::shortened;
use crate::value::Value;

/// Takes as many bytes as match, in order: an optional sign, digits without a needless zero, decimals, an exponent.
pub(super) fn number(rest: &[u8], has_fraction: bool) -> Option<usize> {
    let digits = |from: usize| {
        rest.get(from..)
            .map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    };
    let natural = |from: usize| match digits(from) {
        0 => None,
        _ if rest[from] == b'0' => Some(1),
        count => Some(count),
    };
    let mut length = usize::from(rest.first() == Some(&b'-'));
    length += natural(length)?;
    if !has_fraction {
        return (rest[..length] != *b"-0").then_some(length);
    }
    if rest.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(rest.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
        if let Some(exponent) = natural(length + 1 + sign) {
            length += 1 + sign + exponent;
        }
    }
    Some(length)
}

pub(super) fn no_number(least: &Value, most: &Value) -> String {
    format!("there is no number from {} to {}", shortened(least), shortened(most))
}

/// Words for a message.
pub(super) fn one_of(words: &[Vec<u8>]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{}`", word.escape_ascii())).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

pub(super) fn blanks(rest: &[u8]) -> usize {
    rest.iter().take_while(|&&byte| is_blank(byte)).count()
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// What is at the beginning of `rest`, for a message.
pub(super) fn found(rest: &[u8]) -> String {
    match rest.first() {
        None => "the end of the input".to_owned(),
        Some(b'\n') => "the end of the line".to_owned(),
        Some(b' ') => "a space".to_owned(),
        Some(_) => {
            let length =
                rest.iter().take(20).take_while(|byte| !byte.is_ascii_whitespace()).count();
            format!("`{}`", rest[..length.max(1)].escape_ascii())
        }
    }
}
