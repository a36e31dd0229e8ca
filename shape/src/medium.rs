//! What an interpreter runs on: an input that is read and checked, or one that is made.

use crate::choice::{Choose, Role, Tape};
use crate::number;
use crate::pattern::Pattern;
use crate::value;
use bigdecimal::BigDecimal;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::str::FromStr;

/// The notation of a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Any,
    Fixed,
    Scientific,
}

/// What a decimal number must be.
pub struct DecimalRule {
    pub least: BigDecimal,
    pub most: BigDecimal,
    /// The fewest and the most decimals.
    pub decimals: Option<(usize, usize)>,
    pub form: Form,
}

/// What an interpreter runs on. A failure says what was expected.
pub trait Medium {
    /// How many bytes were read or written.
    fn position(&self) -> usize;
    /// How many choices were made. An input that is read has none.
    fn choices(&self) -> usize;
    fn space(&mut self) -> Result<(), String>;
    fn newline(&mut self) -> Result<(), String>;
    fn end(&mut self) -> Result<(), String>;
    fn text(&mut self, text: &[u8]) -> Result<(), String>;
    fn integer(&mut self, least: &BigInt, most: &BigInt, role: Role) -> Result<BigInt, String>;
    fn decimal(&mut self, rule: &DecimalRule) -> Result<BigDecimal, String>;
    /// A text that matches. If it is made, it has `length` bytes if that is given and possible.
    fn pattern(&mut self, pattern: &Pattern, length: Option<usize>) -> Result<Vec<u8>, String>;
    /// Whether the next byte is in `set`. An input that is made has `simple` as the simplest answer.
    fn is_next_in(&mut self, set: &[u8], simple: bool) -> bool;
    /// Whether the input ends here. As for [`is_next_in`](Self::is_next_in).
    fn is_at_end(&mut self, simple: bool) -> bool;
}

/// An input that is read.
pub struct Reader<'a> {
    input: &'a [u8],
    at: usize,
    /// More white space than the shape wants is accepted.
    is_lenient: bool,
}

impl<'a> Reader<'a> {
    pub fn new(input: &'a [u8], is_lenient: bool) -> Self {
        let mut reader = Self { input, at: 0, is_lenient };
        reader.skip_blanks();
        reader
    }

    fn rest(&self) -> &'a [u8] {
        &self.input[self.at..]
    }

    fn skip_blanks(&mut self) {
        if self.is_lenient {
            self.at += self.rest().iter().take_while(|&&byte| is_blank(byte)).count();
        }
    }

    fn byte(&mut self, is_wanted: impl Fn(u8) -> bool, wanted: &str) -> Result<(), String> {
        match self.rest().first() {
            Some(&byte) if is_wanted(byte) => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.expected(wanted)),
        }
    }

    fn expected(&self, wanted: &str) -> String {
        format!("expected {wanted}, found {}", found(self.rest()))
    }

    /// Takes as many bytes as match, in order: an optional sign, digits without a needless zero, decimals, an exponent.
    fn number(&self, has_fraction: bool) -> Option<usize> {
        let rest = self.rest();
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

    fn taken(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        std::str::from_utf8(taken).unwrap_or_default()
    }
}

impl Medium for Reader<'_> {
    fn position(&self) -> usize {
        self.at
    }

    fn choices(&self) -> usize {
        0
    }

    fn space(&mut self) -> Result<(), String> {
        if self.is_lenient {
            self.byte(is_blank, "a space")?;
            self.skip_blanks();
            Ok(())
        } else {
            self.byte(|byte| byte == b' ', "a space")
        }
    }

    fn newline(&mut self) -> Result<(), String> {
        self.skip_blanks();
        self.byte(|byte| byte == b'\n', "the end of the line")?;
        self.skip_blanks();
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("the end of the input")) }
    }

    fn text(&mut self, text: &[u8]) -> Result<(), String> {
        if !self.rest().starts_with(text) {
            return Err(self.expected(&format!("`{}`", text.escape_ascii())));
        }
        self.at += text.len();
        Ok(())
    }

    fn integer(&mut self, least: &BigInt, most: &BigInt, _: Role) -> Result<BigInt, String> {
        let wanted = || format!("a whole number from {} to {}", shortened(least), shortened(most));
        let length = self.number(false).ok_or_else(|| self.expected(&wanted()))?;
        let start = self.at;
        let number = match self.taken(length) {
            digits if digits.len() as u64 > value::MOST_DIGITS => None,
            digits => BigInt::from_str(digits).ok(),
        };
        number.filter(|number| number >= least && number <= most).ok_or_else(|| {
            self.at = start;
            self.expected(&wanted())
        })
    }

    fn decimal(&mut self, rule: &DecimalRule) -> Result<BigDecimal, String> {
        let start = self.at;
        let length = self.number(true).ok_or_else(|| self.expected("a number"))?;
        let text = self.taken(length);
        let refused = rule.why_not(text);
        let number = match refused {
            None => value::decimal(text).ok(),
            Some(_) => None,
        };
        number.filter(|number| *number >= rule.least && *number <= rule.most).ok_or_else(|| {
            self.at = start;
            self.expected(&refused.unwrap_or_else(|| {
                format!("a number from {} to {}", shortened(&rule.least), shortened(&rule.most))
            }))
        })
    }

    fn pattern(&mut self, pattern: &Pattern, _: Option<usize>) -> Result<Vec<u8>, String> {
        match pattern.match_at(self.rest()) {
            Some(length) => {
                let text = self.rest()[..length].to_vec();
                self.at += length;
                Ok(text)
            }
            None => Err(self.expected("text that matches the pattern")),
        }
    }

    fn is_next_in(&mut self, set: &[u8], _: bool) -> bool {
        self.rest().first().is_some_and(|byte| set.contains(byte))
    }

    fn is_at_end(&mut self, _: bool) -> bool {
        self.rest().is_empty()
    }
}

impl DecimalRule {
    /// What is expected instead of a number that is written like this.
    fn why_not(&self, text: &str) -> Option<String> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, _)) => (mantissa, true),
            None => (text, false),
        };
        match self.form {
            Form::Fixed if exponent => return Some("a number without an exponent".to_owned()),
            Form::Scientific if !exponent => return Some("a number with an exponent".to_owned()),
            _ => {}
        }
        let (fewest, most) = self.decimals?;
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if exponent && !matches!(whole.trim_start_matches('-').as_bytes(), [b'1'..=b'9']) {
            return Some("one digit that is not 0 before the point".to_owned());
        }
        let fits = (fewest..=most).contains(&decimals.len());
        (!fits).then(|| format!("a number with {fewest} to {most} decimals"))
    }
}

/// An input that is made from choices.
pub struct Writer<'a, 't> {
    pub output: Vec<u8>,
    choose: &'a mut Tape<'t>,
    /// Which bytes may come next, and whether the end may: what the answers so far have promised.
    next: Option<Box<([bool; 256], bool)>>,
    most_bytes: usize,
}

impl<'a, 't> Writer<'a, 't> {
    /// A writer of an input of at most `most_bytes`.
    pub fn new(choose: &'a mut Tape<'t>, most_bytes: usize) -> Self {
        Self { output: Vec::new(), choose, next: None, most_bytes }
    }

    fn write(&mut self, text: &[u8]) -> Result<(), String> {
        let Some(&first) = text.first() else { return Ok(()) };
        if self.next.take().is_some_and(|next| !next.0[usize::from(first)]) {
            return Err("the text is not what a test before it has promised".to_owned());
        }
        if self.output.len() + text.len() > self.most_bytes {
            return Err(format!("the input has more than {} bytes", self.most_bytes));
        }
        self.output.extend_from_slice(text);
        Ok(())
    }

    /// Answers whether what comes next is in a set, of bytes or the end, and promises it.
    fn promise(&mut self, bytes: impl Fn(u8) -> bool, end: bool, simple: bool) -> bool {
        let next = self.next.get_or_insert_with(|| Box::new(([true; 256], true)));
        let is_in = |byte: usize| bytes(byte as u8);
        let can_be = (end && next.1) || (0..256).any(|byte| next.0[byte] && is_in(byte));
        let can_differ = (!end && next.1) || (0..256).any(|byte| next.0[byte] && !is_in(byte));
        let answer = match (can_be, can_differ) {
            (true, true) => (self.choose.choose(2, Role::Branch) == 1) != simple,
            (can_be, _) => can_be,
        };
        for byte in 0..256 {
            next.0[byte] &= is_in(byte) == answer;
        }
        next.1 &= end == answer;
        answer
    }
}

impl Medium for Writer<'_, '_> {
    fn position(&self) -> usize {
        self.output.len()
    }

    fn choices(&self) -> usize {
        self.choose.made.len()
    }

    fn space(&mut self) -> Result<(), String> {
        self.write(b" ")
    }

    fn newline(&mut self) -> Result<(), String> {
        self.write(b"\n")
    }

    fn end(&mut self) -> Result<(), String> {
        match &self.next {
            Some(next) if !next.1 => {
                Err("a test before the end has promised more input".to_owned())
            }
            _ => {
                let mut only_end = ([false; 256], true);
                only_end.1 = true;
                self.next = Some(Box::new(only_end));
                Ok(())
            }
        }
    }

    fn text(&mut self, text: &[u8]) -> Result<(), String> {
        self.write(text)
    }

    fn integer(&mut self, least: &BigInt, most: &BigInt, role: Role) -> Result<BigInt, String> {
        let options = number::options(least, most);
        if options == 0 {
            return Err(format!(
                "there is no number from {} to {}",
                shortened(least),
                shortened(most)
            ));
        }
        let number = number::nth(least, most, self.choose.choose(options, role));
        self.write(number.to_string().as_bytes())?;
        Ok(number)
    }

    fn decimal(&mut self, rule: &DecimalRule) -> Result<BigDecimal, String> {
        let text = self.decimal_text(rule)?;
        self.write(text.as_bytes())?;
        value::decimal(&text)
    }

    fn pattern(&mut self, pattern: &Pattern, length: Option<usize>) -> Result<Vec<u8>, String> {
        let text = pattern.make(length, self.choose);
        self.write(&text)?;
        Ok(text)
    }

    fn is_next_in(&mut self, set: &[u8], simple: bool) -> bool {
        self.promise(|byte| set.contains(&byte), false, simple)
    }

    fn is_at_end(&mut self, simple: bool) -> bool {
        self.promise(|_| false, true, simple)
    }
}

impl Writer<'_, '_> {
    /// A decimal number as text. Its choices are the number of decimals, and the number in units of the last one.
    fn decimal_text(&mut self, rule: &DecimalRule) -> Result<String, String> {
        const MOST_DECIMALS: usize = 60;
        let (fewest, most) = rule.decimals.unwrap_or((0, MOST_DECIMALS));
        if fewest > most {
            return Err(format!("there is no number of decimals from {fewest} to {most}"));
        }
        let usual = if rule.decimals.is_some() { most } else { 3 };
        let first = fewest + self.choose.choose((usual - fewest) as u64 + 1, Role::Size) as usize;
        for decimals in first..=most.max(first) {
            let units =
                |bound: &BigDecimal| bound * BigDecimal::new(BigInt::from(1), -(decimals as i64));
            let least = round(&units(&rule.least), true);
            let most = round(&units(&rule.most), false);
            let options = number::options(&least, &most);
            if options == 0 {
                continue;
            }
            let number = number::nth(&least, &most, self.choose.choose(options, Role::Number));
            return Ok(match rule.form {
                Form::Scientific => {
                    scientific(&number, decimals, rule.decimals.map_or(0, |_| fewest))
                }
                _ => fixed(&number, decimals),
            });
        }
        Err(format!(
            "there is no such number from {} to {}",
            shortened(&rule.least),
            shortened(&rule.most)
        ))
    }
}

/// The whole number next to a decimal one, above or below it.
fn round(number: &BigDecimal, up: bool) -> BigInt {
    let (whole, _) = number
        .with_scale_round(
            0,
            if up { bigdecimal::RoundingMode::Ceiling } else { bigdecimal::RoundingMode::Floor },
        )
        .into_bigint_and_exponent();
    whole
}

fn fixed(number: &BigInt, decimals: usize) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    let digits = format!("{:0>width$}", number.magnitude().to_string(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    if decimals == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// One digit before the point, then at least `fewest` decimals.
fn scientific(number: &BigInt, decimals: usize, fewest: usize) -> String {
    let sign = if number.is_negative() { "-" } else { "" };
    let digits = number.magnitude().to_string();
    let exponent = if number.is_zero() { 0 } else { digits.len() as i64 - 1 - decimals as i64 };
    let fraction = format!("{:0<fewest$}", digits[1..].trim_end_matches('0'));
    if fraction.is_empty() {
        format!("{sign}{}e{exponent}", &digits[..1])
    } else {
        format!("{sign}{}.{fraction}e{exponent}", &digits[..1])
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// What is at the beginning of `rest`, for a message.
fn found(rest: &[u8]) -> String {
    match rest.first() {
        None => "the end of the input".to_owned(),
        Some(b'\n') => "the end of the line".to_owned(),
        Some(b' ') => "a space".to_owned(),
        Some(_) => {
            let length =
                rest.iter().take(20).take_while(|byte| !byte.is_ascii_whitespace()).count();
            format!("`{}`", rest[..length].escape_ascii())
        }
    }
}

/// A number for a message.
fn shortened(number: &impl ToString) -> String {
    let text = number.to_string();
    if text.len() <= 40 { text } else { format!("{}… ({} digits)", &text[..10], text.len()) }
}
