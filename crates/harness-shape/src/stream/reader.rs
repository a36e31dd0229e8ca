//! An input that is read. It can record the choices that make it again.

mod numbers;

use super::scan::{blanks, found, is_blank, one_of};
use super::{DecimalRule, Promises, Row, Stream, comment};
use crate::choice::{Choice, Role};
use crate::distinct::Distinct;
use crate::grid::listed;
use crate::number::Range;
use crate::pattern::Pattern;
use crate::tree::{Leeway, Shape};
use crate::usual::Preferred;
use crate::value::Value;
use bigdecimal::BigDecimal;

/// What matching regular expressions may cost, in states of their automata.
const WORK: u64 = 50_000_000;

/// An input that is read.
pub struct Reader<'a> {
    input: &'a [u8],
    at: usize,
    /// More white space than the shape wants is accepted.
    is_lenient: bool,
    /// The last line may have no newline.
    has_optional_newline: bool,
    /// Lines may end in CRLF.
    has_any_line_ends: bool,
    tape: Option<Vec<Choice>>,
    promises: Box<Promises>,
    work_left: u64,
}

impl<'a> Reader<'a> {
    pub fn new(input: &'a [u8], is_lenient: bool) -> Self {
        let promises = Promises::new();
        let mut reader = Self {
            input,
            at: 0,
            is_lenient,
            has_optional_newline: false,
            has_any_line_ends: false,
            tape: None,
            promises,
            work_left: WORK,
        };
        reader.skip_blanks();
        reader
    }

    /// The same, with the line ends that a shape allows.
    #[must_use]
    pub(crate) fn of(self, shape: &Shape) -> Self {
        let is_free = |leeway| leeway != Leeway::None;
        let (has_optional_newline, has_any_line_ends) =
            (is_free(shape.open_end), is_free(shape.crlf));
        Self { has_optional_newline, has_any_line_ends, ..self }
    }

    /// The same, with its choices recorded.
    #[must_use]
    pub fn recording(self) -> Self {
        Self { tape: Some(Vec::new()), ..self }
    }

    /// The choices that were recorded.
    pub fn into_choices(self) -> Vec<Choice> {
        self.tape.unwrap_or_default()
    }

    fn rest(&self) -> &'a [u8] {
        &self.input[self.at..]
    }

    fn push(&mut self, value: u64, options: u64, role: Role) {
        if let Some(tape) = &mut self.tape {
            tape.push(Choice { value, options, role });
        }
    }

    fn skip_blanks(&mut self) {
        if self.is_lenient {
            self.at += blanks(self.rest());
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

    fn taken(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        std::str::from_utf8(taken).unwrap_or_default()
    }

    /// Whether the next byte, or the end, is in a set. Records the answer if both answers are possible.
    fn answer(&mut self, answer: bool, set: &[bool; 256], end: bool, simple: bool) -> bool {
        if self.tape.is_some() {
            self.promises.move_to(self.at);
            if self.promises.possible(set, end) == (true, true) {
                self.push(u64::from(answer != simple), 2, Role::Branch);
            }
            self.promises.add(set, end, answer);
        }
        answer
    }
}

impl Stream for Reader<'_> {
    fn position(&self) -> usize {
        self.at
    }

    fn choices(&self) -> usize {
        self.tape.as_ref().map_or(0, Vec::len)
    }

    fn is_made(&self) -> bool {
        false
    }

    fn is_exhausted(&self) -> bool {
        self.work_left == 0
    }

    fn has_choices(&self) -> bool {
        self.tape.is_some()
    }

    fn choose(&mut self, _: u64, _: Role) -> u64 {
        0
    }

    fn begin_cells(&mut self, _: u64) {}

    fn prefer(&mut self, _: &[Preferred]) {}

    fn begin_list(&mut self, _: u64, _: Option<u64>) {}

    fn begin_repetition(&mut self) {}

    fn amend(&mut self, _: usize, _: u64) {}

    fn rewind(&mut self, _: usize, _: usize) {}

    fn record(&mut self, at: usize, choices: &[Choice]) {
        if let Some(tape) = &mut self.tape {
            tape.splice(at..at, choices.iter().copied());
        }
    }

    fn is_place_for_mistake(&mut self) -> bool {
        false
    }

    fn tell_mistake(&mut self, _: String) {}

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
        if self.has_optional_newline && self.rest().is_empty() && !self.input.ends_with(b"\n") {
            return Ok(());
        }
        if self.has_any_line_ends && self.rest().starts_with(b"\r\n") {
            self.at += 1;
        }
        self.byte(|byte| byte == b'\n', "the end of the line")?;
        self.skip_blanks();
        Ok(())
    }

    fn blanks(&mut self, least: usize, more: Leeway) -> Result<(), String> {
        let count = blanks(self.rest());
        if count < least {
            return Err(self.expected("a blank"));
        }
        self.at += count;
        if more == Leeway::Both {
            self.push(u64::from(count > least), 2, Role::Rare);
        }
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

    fn integer(&mut self, range: &Range<'_>, role: Role) -> Result<Value, String> {
        numbers::integer(self, range, role)
    }

    fn distinct(
        &mut self,
        least: &Value,
        most: &Value,
        role: Role,
        before: &mut Distinct,
    ) -> Result<Value, String> {
        numbers::distinct(self, (least, most), role, before)
    }

    fn pick(
        &mut self,
        least: i64,
        most: i64,
        is_free: &dyn Fn(i64) -> bool,
        why_not: &str,
    ) -> Result<i64, String> {
        numbers::pick(self, (least, most), is_free, why_not)
    }

    fn decimal(&mut self, rule: &DecimalRule) -> Result<BigDecimal, String> {
        numbers::decimal(self, rule)
    }

    fn pattern(&mut self, pattern: &Pattern, length: Option<usize>) -> Result<Vec<u8>, String> {
        let Some(end) = pattern.match_at(self.rest(), &mut self.work_left)? else {
            return Err(self.expected("text that matches the pattern"));
        };
        let text = self.rest()[..end].to_vec();
        self.at += end;
        if let Some(tape) = &mut self.tape {
            // Without these choices, the input that is made has another text here.
            tape.extend(pattern.choices(&text, length).unwrap_or_default());
        }
        Ok(text)
    }

    fn comment(&mut self, prefix: &[u8]) -> Result<usize, String> {
        if self.at > 0 {
            // It is not taken for a copy of a line.
            self.push(0, 2, Role::Branch);
        }
        self.text(prefix)?;
        self.pattern(&comment::ANY, None).map(|text| text.len())
    }

    fn word(&mut self, words: &[Vec<u8>]) -> Result<usize, String> {
        let fitting = words.iter().enumerate().filter(|(_, word)| self.rest().starts_with(word));
        let Some((at, word)) = fitting.max_by_key(|(_, word)| word.len()) else {
            return Err(self.expected(&one_of(words)));
        };
        self.at += word.len();
        self.push(at as u64, words.len() as u64, Role::Branch);
        Ok(at)
    }

    fn letter(&mut self, letters: &[u8], _: u8) -> Result<u8, String> {
        match self.rest().first() {
            Some(&letter) if letters.contains(&letter) => {
                self.at += 1;
                Ok(letter)
            }
            _ => Err(self.expected(&format!("one of {}", listed(letters)))),
        }
    }

    fn row(&mut self, row: &Row, _: &[u8]) -> Result<Vec<u8>, String> {
        let rest = self.rest();
        let length = rest.iter().take_while(|&&byte| row.letters[usize::from(byte)]).count();
        let is_whole = matches!(rest.get(length), None | Some(b'\n' | b'\r'));
        if !is_whole && length < row.most {
            self.at += length;
            return Err(self.expected(&format!("one of {}", row.listed())));
        }
        if length < row.least || length > row.most || !is_whole {
            let wanted = match (row.least, row.most) {
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            self.at += length.min(row.most);
            let length = rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            let s = if length == 1 { "" } else { "s" };
            return Err(format!("expected {wanted} cells, found {length} cell{s}"));
        }
        self.at += length;
        Ok(rest[..length].to_vec())
    }

    fn is_next_in(&mut self, set: &[bool; 256], simple: bool) -> bool {
        let answer = self.peek().is_some_and(|byte| set[usize::from(byte)]);
        self.answer(answer, set, false, simple)
    }

    fn is_at_end(&mut self, simple: bool) -> bool {
        self.answer(self.rest().is_empty(), &[false; 256], true, simple)
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn is_next(&self, text: &[u8]) -> bool {
        self.rest().starts_with(text)
    }
}
