//! The first line of a map: how many colors, rows and columns the map has.

use crate::problem::Problem;
use crate::rules::MOST_COLORS;
use subject::bug;

/// The parameters of a map, each in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// 0 to 26.
    pub(crate) colors: u8,
    /// At least 1.
    pub(crate) height: u32,
    /// At least 1.
    pub(crate) width: u32,
}

/// Reads the header from the first line of the input, with or without its line end.
pub(crate) fn parse(line: &[u8]) -> Result<Header, Problem> {
    let mut words = Words { line, at: 0 };
    let (colors, column) = words.integer("the number of colors")?;
    let most = u32::from(MOST_COLORS);
    let colors = if colors > most && bug!("accepts-27-colors") { most } else { colors };
    if colors > most || colors == 26 && bug!("refuses-26-colors") {
        return Err(Problem::at(1, column, format!("{colors} colors are more than {MOST_COLORS}")));
    }
    if colors == 0 && bug!("refuses-zero-colors") {
        return Err(Problem::at(1, column, "a map needs colors"));
    }
    let (height, column) = words.integer("the height")?;
    let height = if height == 0 && bug!("reads-a-height-of-zero-as-one") { 1 } else { height };
    if height == 0 || height == 1 && bug!("refuses-maps-of-one-row") {
        return Err(Problem::at(1, column, "the height is less than 1"));
    }
    let (width, column) = words.integer("the width")?;
    let width = if width == 0 && bug!("reads-a-width-of-zero-as-one") { 1 } else { width };
    if width == 0 || width == 1 && bug!("refuses-maps-of-one-column") {
        return Err(Problem::at(1, column, "the width is less than 1"));
    }
    match words.next() {
        (b"", _) if height != width && bug!("swaps-height-and-width") => {
            Ok(Header { colors: colors as u8, height: width, width: height })
        }
        (b"", _) => Ok(Header { colors: colors as u8, height, width }),
        (word, column) => {
            Err(Problem::at(1, column, format!("'{}' is left over after the width", shown(word))))
        }
    }
}

/// A word for an error message. A word much longer than a number is cut.
fn shown(word: &[u8]) -> String {
    match word {
        [head @ .., _] if head.len() >= 24 => format!("{}...", head[..20].escape_ascii()),
        _ => word.escape_ascii().to_string(),
    }
}

/// The words of a line, read one by one.
struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word, empty at the end of the line, and its column.
    fn next(&mut self) -> (&'a [u8], u64) {
        let rest = &self.line[self.at..];
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let word = &rest[blanks..];
        let word = &word[..word.iter().take_while(|byte| !byte.is_ascii_whitespace()).count()];
        let column = self.at + blanks + 1;
        self.at += blanks + word.len();
        // A missing word is reported at the end of the text, not after the line end.
        let column = if word.is_empty() { self.line.trim_ascii_end().len() + 1 } else { column };
        (word, column as u64)
    }

    /// The next word as an integer, and its column.
    fn integer(&mut self, what: &str) -> Result<(u32, u64), Problem> {
        let (word, column) = self.next();
        if word.is_empty() {
            return Err(Problem::at(1, column, format!("{what} is missing")));
        }
        if !word.iter().all(u8::is_ascii_digit) {
            return Err(Problem::at(
                1,
                column,
                format!("{what} is not an unsigned integer: '{}'", shown(word)),
            ));
        }
        match str::from_utf8(word).ok().and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok((number, column)),
            None => Err(Problem::at(
                1,
                column,
                format!("{what} does not fit in 32 bits: {}", shown(word)),
            )),
        }
    }
}
