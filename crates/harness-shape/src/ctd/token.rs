//! The tokens of a checktestdata script.

use crate::Problem;
use crate::value::Value;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// Upper case: the name of a command, a test, a function or an option.
    Word(String),
    /// Lower case: the name of a variable.
    Name(String),
    Value(Value),
    /// An operator or a mark: `<=`, `(` …
    Mark(&'static str),
    End,
}

const MARKS: [&str; 21] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "^", "!", "(", ")", "[",
    "]", ",", "=",
];

/// The tokens of a script with their offsets. The last one is [`Token::End`].
///
/// # Errors
/// At a character that begins no token, or in a string that is wrong.
pub(super) fn tokens(script: &[u8]) -> Result<Vec<(usize, Token)>, Problem> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < script.len() {
        let rest = &script[at..];
        let span = |is_part: fn(u8) -> bool| rest.iter().take_while(|&&byte| is_part(byte)).count();
        let text = |length: usize| String::from_utf8_lossy(&rest[..length]).into_owned();
        let (token, length) = match rest[0] {
            b'#' => (None, span(|byte| byte != b'\n')),
            byte if byte.is_ascii_whitespace() => (None, 1),
            b'"' => {
                let (string, length) = string(rest).map_err(|message| Problem::new(at, message))?;
                (Some(Token::Value(Value::text(&string))), length)
            }
            b'A'..=b'Z' => {
                let length = span(|byte| byte.is_ascii_uppercase());
                (Some(Token::Word(text(length))), length)
            }
            b'a'..=b'z' => {
                let length = span(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                (Some(Token::Name(text(length))), length)
            }
            b'0'..=b'9' => {
                let length = number(rest);
                let value = Value::number(text(length).trim_end_matches('.'));
                (
                    Some(Token::Value(as_written(
                        value.map_err(|message| Problem::new(at, message))?,
                        &text(length),
                    ))),
                    length,
                )
            }
            _ => {
                let mark = MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes()));
                let Some(mark) = mark else {
                    let found = String::from_utf8_lossy(&rest[..rest.len().min(4)])
                        .chars()
                        .next()
                        .unwrap_or('?');
                    return Err(Problem::new(at, format!("unexpected `{}`", found.escape_debug())));
                };
                (Some(Token::Mark(mark)), mark.len())
            }
        };
        found.extend(token.map(|token| (at, token)));
        at += length;
    }
    found.push((script.len(), Token::End));
    Ok(found)
}

/// `2.` is a decimal number, although nothing follows its point.
fn as_written(value: Value, text: &str) -> Value {
    match value.to_decimal() {
        Ok(decimal) if text.ends_with('.') => Value::Decimal(decimal.into()),
        _ => value,
    }
}

/// The length of the number at the beginning of `rest`.
fn number(rest: &[u8]) -> usize {
    let digits = |from: usize| rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    if rest.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(rest.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
        let exponent = rest.get(length + 1 + sign..).map_or(0, |_| digits(length + 1 + sign));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// The string at the beginning of `rest`, and how many bytes of the script it takes.
fn string(rest: &[u8]) -> Result<(Vec<u8>, usize), String> {
    let mut string = Vec::new();
    let mut at = 1;
    loop {
        match rest.get(at) {
            None => return Err("the string has no end".to_owned()),
            Some(b'"') => return Ok((string, at + 1)),
            Some(b'\\') => {
                let octal = rest[at + 1..]
                    .iter()
                    .take(3)
                    .take_while(|byte| matches!(byte, b'0'..=b'7'))
                    .count();
                if octal > 0 {
                    let code = rest[at + 1..=at + octal]
                        .iter()
                        .fold(0_u32, |code, digit| code * 8 + u32::from(digit - b'0'));
                    string.push(
                        u8::try_from(code)
                            .map_err(|_| "an octal escape goes to \\377".to_owned())?,
                    );
                    at += 1 + octal;
                    continue;
                }
                match rest.get(at + 1) {
                    Some(b'n') => string.push(b'\n'),
                    Some(b't') => string.push(b'\t'),
                    Some(b'r') => string.push(b'\r'),
                    Some(b'b') => string.push(8),
                    Some(&byte @ (b'"' | b'\\')) => string.push(byte),
                    Some(b'\n') => {}
                    _ => {
                        string.push(b'\\');
                        at += 1;
                        continue;
                    }
                }
                at += 2;
            }
            Some(&byte) => {
                string.push(byte);
                at += 1;
            }
        }
    }
}
