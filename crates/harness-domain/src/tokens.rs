//! Compares outputs token by token, by the rules of Kattis' default comparator.

use crate::{Flaw, shortened};
use serde::Deserialize;

/// How tokens are compared. The keys are those of Kattis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tokens {
    /// Whether `Yes` differs from `yes`.
    pub case_sensitive: bool,
    /// Whether the blanks between tokens must be the same too.
    pub space_change_sensitive: bool,
    /// How far two numbers may be apart: both the absolute and the relative tolerance.
    pub float_tolerance: Option<f64>,
    pub float_absolute_tolerance: Option<f64>,
    /// As a part of the right number.
    pub float_relative_tolerance: Option<f64>,
}

/// A token, or the end of the text, which has no characters.
struct Token<'a> {
    /// What is between it and the token before it.
    blanks: &'a [u8],
    word: &'a [u8],
    line: usize,
    /// In characters.
    column: usize,
}

impl Tokens {
    /// The first error in `output`; `None` if it is as good as `right`.
    pub fn flaw(&self, right: &[u8], output: &[u8]) -> Option<Flaw> {
        let mut pairs = Text::new(right).zip(Text::new(output));
        pairs.find_map(|(expected, found)| {
            let message = self.difference(&expected, &found)?;
            Some(Flaw { line: Some(found.line), column: Some(found.column), message })
        })
    }

    fn difference(&self, expected: &Token<'_>, found: &Token<'_>) -> Option<String> {
        let (right, word) = (expected.word, found.word);
        if self.space_change_sensitive && expected.blanks != found.blanks {
            let [expected, found] = [expected, found].map(|token| token.blanks.escape_ascii());
            return Some(format!(
                "expected the blanks \"{expected}\" in front of this, found \"{found}\""
            ));
        }
        let is_same =
            if self.case_sensitive { right == word } else { right.eq_ignore_ascii_case(word) };
        if is_same || self.is_near(right, word) {
            return None;
        }
        Some(format!("expected {}, found {}", quoted(right), quoted(word)))
    }

    /// Whether both are numbers that are near enough.
    fn is_near(&self, right: &[u8], word: &[u8]) -> bool {
        // As for Kattis, what is infinite or no number is a word. Every number would be near an infinite one.
        let number = |word| {
            let number = str::from_utf8(word).ok()?.parse::<f64>().ok()?;
            number.is_finite().then_some(number)
        };
        let absolute = self.float_absolute_tolerance.or(self.float_tolerance);
        let relative = self.float_relative_tolerance.or(self.float_tolerance);
        if absolute.is_none() && relative.is_none() {
            return false;
        }
        let (Some(right), Some(number)) = (number(right), number(word)) else { return false };
        let apart = (right - number).abs();
        let is_within =
            |most: Option<f64>, unit: f64| most.is_some_and(|most| apart <= most * unit);
        is_within(absolute, 1.0) || is_within(relative, right.abs())
    }
}

/// The tokens of a text, and its end.
struct Text<'a> {
    rest: &'a [u8],
    line: usize,
    column: usize,
    has_ended: bool,
}

impl<'a> Text<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { rest: text, line: 1, column: 1, has_ended: false }
    }

    /// Takes the bytes up to the first one that is not `wanted`.
    fn take(&mut self, wanted: fn(u8) -> bool) -> &'a [u8] {
        let count = self.rest.iter().take_while(|&&byte| wanted(byte)).count();
        let (taken, rest) = self.rest.split_at(count);
        for byte in taken {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                // The rest of a character in UTF-8.
                0x80..0xc0 => {}
                _ => self.column += 1,
            }
        }
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for Text<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if self.has_ended {
            return None;
        }
        let blanks = self.take(is_blank);
        let (line, column) = (self.line, self.column);
        let word = self.take(|byte| !is_blank(byte));
        self.has_ended = word.is_empty();
        Some(Token { blanks, word, line, column })
    }
}

/// Whether `isspace` accepts the byte.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// A token in a message. The end of the text is an empty one.
fn quoted(word: &[u8]) -> String {
    const MOST: usize = 60;
    if word.is_empty() {
        "the end of the output".to_owned()
    } else {
        format!("`{}`", shortened(&String::from_utf8_lossy(word), MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(tokens: Tokens, right: &str, output: &str) -> Option<String> {
        tokens.flaw(right.as_bytes(), output.as_bytes()).map(|flaw| flaw.to_string())
    }

    fn accepts(tokens: Tokens, right: &str, output: &str) -> bool {
        flaw(tokens, right, output).is_none()
    }

    #[test]
    fn blanks_and_case_do_not_matter_unless_the_course_says_so() {
        let any = Tokens::default();
        assert!(accepts(any, "Yes 1\n2\n", " yES\t1\x0b2"));
        assert!(!accepts(any, "Yes 12", "Yes 1 2"));
        let case = Tokens { case_sensitive: true, ..any };
        assert!(accepts(case, "Yes\n", "Yes"));
        assert!(!accepts(case, "Yes", "yes"));
        let space = Tokens { space_change_sensitive: true, ..any };
        assert!(accepts(space, "Yes 1\n", "yes 1\n"));
        for changed in ["Yes  1\n", "Yes 1", "Yes 1\n\n", " Yes 1\n"] {
            assert!(!accepts(space, "Yes 1\n", changed), "{changed:?}");
        }
    }

    #[test]
    fn either_tolerance_suffices_for_numbers() {
        let none = Tokens::default();
        assert!(!accepts(none, "1.0", "1.00"));
        let absolute = Tokens { float_absolute_tolerance: Some(0.5), ..none };
        assert!(accepts(absolute, "100 x", "100.5 x"));
        assert!(!accepts(absolute, "100", "100.6"));
        let relative = Tokens { float_relative_tolerance: Some(0.01), ..none };
        assert!(accepts(relative, "-100", "-101"));
        assert!(!accepts(relative, "0.1", "0.2"));
        let both = Tokens { float_relative_tolerance: Some(0.01), ..absolute };
        assert!(accepts(both, "0.1 1000", "0.2 1010"));
        assert!(!accepts(both, "1000", "1011"));
        let tolerance = Tokens { float_tolerance: Some(1e-6), ..none };
        assert!(accepts(tolerance, "1e6 0", "1000001 1e-7"));
        assert!(!accepts(tolerance, "1", "1e"));
        for word in ["nan", "inf", "-inf", "x"] {
            assert!(!accepts(tolerance, "1", word), "{word}");
            assert!(!accepts(tolerance, word, "1"), "{word}");
            assert!(accepts(tolerance, word, word), "{word}");
        }
    }

    #[test]
    fn a_number_may_be_written_in_many_ways_but_must_be_finite() {
        let tolerance = Tokens { float_tolerance: Some(1e-6), ..Tokens::default() };
        for (right, output) in [
            ("100000", "1e5"),
            ("100000", "1E+5"),
            ("5", "+5"),
            ("5", "5."),
            ("0.5", ".5"),
            ("0", "-0"),
            ("1", &format!("1.{}", "0".repeat(1_000_000))),
        ] {
            assert!(accepts(tolerance, right, output), "{right}");
            assert!(accepts(tolerance, output, right), "{right}");
        }
        let digits = "9".repeat(1_000_000);
        for (right, output) in [
            ("inf", "infinity"),
            ("-inf", "inf"),
            ("1e999", "2e999"),
            (&digits, "5"),
            ("16", "0x10"),
            ("5", "5_"),
            ("5", "5,0"),
            ("5", "5e"),
        ] {
            assert!(!accepts(tolerance, right, output), "{output}");
            assert!(!accepts(tolerance, output, right), "{output}");
        }
        assert!(accepts(tolerance, "NaN inf", "nan INF"));
    }

    #[test]
    fn the_first_error_has_its_place() {
        let any = Tokens::default();
        let flaw = |right, output| flaw(any, right, output).unwrap();
        assert_eq!(flaw("a\nb c", "a\n\u{e9} d"), "line 2, column 1: expected `b`, found `\u{e9}`");
        assert_eq!(flaw("b c", "b  d"), "line 1, column 4: expected `c`, found `d`");
        assert_eq!(
            flaw("a b\n", "a\n"),
            "line 2, column 1: expected `b`, found the end of the output"
        );
        assert_eq!(flaw("", "x\n"), "line 1, column 1: expected the end of the output, found `x`");
    }
}
