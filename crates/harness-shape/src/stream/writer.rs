//! An input that is made from choices, possibly with one mistake.

use super::room::chosen;
use super::scan::one_of;
use super::{DecimalRule, Mistake, Promises, Row, Slip, Stream, comment};
use crate::choice::{Choice, Choose, Role, Tape};
use crate::distinct::Distinct;
use crate::grid::listed;
use crate::number::{self, Range};
use crate::pattern::Pattern;
use crate::tree::Leeway;
use crate::usual::Preferred;
use crate::value::{self, Value};
use bigdecimal::BigDecimal;

/// An input that is made from choices.
pub struct Writer<'a, 't> {
    pub output: Vec<u8>,
    tape: &'a mut Tape<'t>,
    promises: Option<Box<Promises>>,
    most_bytes: usize,
    slip: Option<Slip>,
}

impl<'a, 't> Writer<'a, 't> {
    /// A writer of an input of at most `most_bytes`.
    pub fn new(tape: &'a mut Tape<'t>, most_bytes: usize) -> Self {
        Self { output: Vec::new(), tape, promises: None, most_bytes, slip: None }
    }

    fn write(&mut self, text: &[u8]) -> Result<(), String> {
        let Some(&first) = text.first() else { return Ok(()) };
        let promises = self.promises.as_ref().filter(|promises| promises.at == self.output.len());
        if promises.is_some_and(|promises| !promises.bytes[usize::from(first)]) {
            return Err("the text is not what a test before it has promised".to_owned());
        }
        self.write_anyway(text)
    }

    fn write_anyway(&mut self, text: &[u8]) -> Result<(), String> {
        if self.output.len() + text.len() > self.most_bytes {
            return Err(format!("the input has more than {} bytes", self.most_bytes));
        }
        self.output.extend_from_slice(text);
        Ok(())
    }

    /// Writes `right`, or one of the `wrong` texts if this is the place for the mistake. A wrong text comes with what it is instead of
    /// `wanted`.
    fn write_or_slip(
        &mut self,
        right: &[u8],
        wanted: impl Fn() -> String,
        wrong: impl Fn() -> Vec<(Vec<u8>, String)>,
    ) -> Result<(), String> {
        if self.slip.is_none() || !self.is_place_for_mistake() {
            return self.write(right);
        }
        let variant = self.slip.map_or(0, |slip| slip.variant);
        let mut wrong = wrong();
        let variants = wrong.len() as u64;
        let (text, what) = wrong.swap_remove((variant % variants) as usize);
        let what = format!("{what} instead of {}", wanted());
        self.tape.mistake = Some(Mistake { at: self.output.len(), what, variants });
        self.write_anyway(&text)
    }

    /// Answers whether what comes next is in a set, and promises it.
    fn answer(&mut self, set: &[bool; 256], end: bool, simple: bool) -> bool {
        let promises = self.promises.get_or_insert_with(Promises::new);
        promises.move_to(self.output.len());
        let answer = match promises.possible(set, end) {
            (true, true) => (self.tape.choose(2, Role::Branch) == 1) != simple,
            (can_be, _) => can_be,
        };
        promises.add(set, end, answer);
        answer
    }

    /// Makes the mistake that `slip` plans.
    #[must_use]
    pub fn slipping(self, slip: Slip) -> Self {
        Self { slip: Some(slip), ..self }
    }
}

impl Stream for Writer<'_, '_> {
    fn position(&self) -> usize {
        self.output.len()
    }

    fn choices(&self) -> usize {
        self.tape.made.len()
    }

    fn is_made(&self) -> bool {
        true
    }

    fn has_choices(&self) -> bool {
        true
    }

    fn choose(&mut self, options: u64, role: Role) -> u64 {
        self.tape.choose(options, role)
    }

    fn begin_cells(&mut self, letters: u64) {
        self.tape.begin_cells(letters);
    }

    fn prefer(&mut self, usual: &[Preferred]) {
        self.tape.prefer(usual);
    }

    fn begin_list(&mut self, letters: u64, rows: Option<u64>) {
        self.tape.begin_list(letters, rows);
    }

    fn begin_repetition(&mut self) {
        self.tape.begin_repetition();
    }

    fn amend(&mut self, at: usize, value: u64) {
        self.tape.made[at].value = value;
    }

    fn rewind(&mut self, position: usize, choices: usize) {
        self.output.truncate(position);
        self.tape.made.truncate(choices);
    }

    fn record(&mut self, _: usize, _: &[Choice]) {}

    fn is_place_for_mistake(&mut self) -> bool {
        let Some(slip) = &mut self.slip else { return false };
        let is_place = slip.after == 0 && self.tape.mistake.is_none();
        slip.after = slip.after.saturating_sub(1);
        is_place
    }

    fn tell_mistake(&mut self, what: String) {
        self.tape.mistake = Some(Mistake { at: self.output.len(), what, variants: 1 });
    }

    fn space(&mut self) -> Result<(), String> {
        let wrong = || {
            vec![
                (b"  ".to_vec(), "two spaces".to_owned()),
                (Vec::new(), "nothing".to_owned()),
                (b"\n".to_vec(), "the end of the line".to_owned()),
                (b"\t".to_vec(), "a tab".to_owned()),
            ]
        };
        self.write_or_slip(b" ", || "a space".to_owned(), wrong)
    }

    fn newline(&mut self) -> Result<(), String> {
        let wrong = || {
            vec![
                (b" x\n".to_vec(), "another word".to_owned()),
                (Vec::new(), "nothing".to_owned()),
                (b"\n\n".to_vec(), "a blank line".to_owned()),
                (b" \n".to_vec(), "a space".to_owned()),
            ]
        };
        self.write_or_slip(b"\n", || "the end of the line".to_owned(), wrong)
    }

    fn blanks(&mut self, least: usize, more: Leeway) -> Result<(), String> {
        let is_more = more == Leeway::Both && self.choose(2, Role::Rare) == 1;
        let count = least + usize::from(is_more);
        if least == 0 {
            return self.write(&b" "[..count]);
        }
        let wrong = || vec![(Vec::new(), "nothing".to_owned())];
        self.write_or_slip(&vec![b' '; count], || "a blank".to_owned(), wrong)
    }

    fn end(&mut self) -> Result<(), String> {
        let promises = self.promises.as_ref().filter(|promises| promises.at == self.output.len());
        if promises.is_some_and(|promises| !promises.end) {
            return Err("a test before the end has promised more input".to_owned());
        }
        let wrong = || {
            vec![
                (b"x\n".to_vec(), "another line".to_owned()),
                (b"\n".to_vec(), "a blank line".to_owned()),
            ]
        };
        self.write_or_slip(b"", || "the end of the input".to_owned(), wrong)
    }

    fn text(&mut self, text: &[u8]) -> Result<(), String> {
        let wrong = || {
            let mut other = text.to_vec();
            other
                .last_mut()
                .into_iter()
                .for_each(|byte| *byte = if *byte == b'x' { b'y' } else { b'x' });
            vec![
                (other.clone(), format!("`{}`", other.escape_ascii())),
                (Vec::new(), "nothing".to_owned()),
            ]
        };
        self.write_or_slip(text, || format!("`{}`", text.escape_ascii()), wrong)
    }

    fn integer(&mut self, range: &Range<'_>, role: Role) -> Result<Value, String> {
        let Range { least, most, usual, is_free } = range;
        let number = match usual {
            Some(usual) if self.tape.choose(2, Role::Rare) == 1 => {
                usual.other(self.tape.choose(usual.others(), Role::Number))
            }
            Some(usual) => {
                let (least, most) = usual.bounds();
                chosen(self.tape, (&least, &most), role, *is_free)?
            }
            None => chosen(self.tape, (least, most), role, *is_free)?,
        };
        if let Value::Small(small) = number
            && self.slip.is_none()
        {
            let mut digits = [0; 20];
            return self.write(value::digits(small, &mut digits)).map(|()| number);
        }
        let wanted = || format!("a whole number from {least} to {most}");
        let one = Value::Small(1);
        let wrong = || {
            let mut all = vec![
                (b"x".to_vec(), "a letter".to_owned()),
                (format!("0{number}").into_bytes(), "a number that begins with 0".to_owned()),
                (Vec::new(), "nothing".to_owned()),
            ];
            let beyond = [most.apply(b'+', &one), least.apply(b'-', &one)];
            for beyond in beyond.into_iter().flatten() {
                all.push((beyond.to_string().into_bytes(), beyond.to_string()));
            }
            all.rotate_right(2);
            all
        };
        self.write_or_slip(number.to_string().as_bytes(), wanted, wrong)?;
        Ok(number)
    }

    fn distinct(
        &mut self,
        least: &Value,
        most: &Value,
        role: Role,
        before: &mut Distinct,
    ) -> Result<Value, String> {
        let taken = before.taken(least, most)?;
        let options = number::options_of(least, most)?.saturating_sub(taken.len() as u64);
        if options == 0 {
            return Err(format!("there is no other number from {least} to {most}"));
        }
        let mut choice = self.tape.choose(options, role);
        for &other in taken {
            choice += u64::from(other <= choice);
        }
        let number = number::nth_of(least, most, choice)?;
        let wrong = || {
            let mut all = vec![("x".to_owned(), "a letter".to_owned())];
            if let Some(&other) = taken.first()
                && let Ok(number) = number::nth_of(least, most, other)
            {
                all.insert(0, (number.to_string(), format!("{number} again")));
            }
            all.into_iter().map(|(text, what)| (text.into_bytes(), what)).collect()
        };
        let wanted = || format!("another number from {least} to {most}");
        self.write_or_slip(number.to_string().as_bytes(), wanted, wrong)?;
        Ok(number)
    }

    fn pick(
        &mut self,
        least: i64,
        most: i64,
        is_free: &dyn Fn(i64) -> bool,
        why_not: &str,
    ) -> Result<i64, String> {
        let free: Vec<_> = (least..=most).filter(|&number| is_free(number)).collect();
        if free.is_empty() {
            return Err(format!("there is no {why_not}"));
        }
        let wished = self.tape.wished((most - least) as u64 + 1);
        let wished = wished.and_then(|at| free.binary_search(&(least + at as i64)).ok());
        let options = free.len() as u64;
        let at = self.tape.choose_rather(wished.map(|at| at as u64), options, Role::Place);
        let number = free[at as usize];
        let wrong = || {
            let mut all = vec![
                (i128::from(most) + 1).to_string(),
                (i128::from(least) - 1).to_string(),
                "x".to_owned(),
            ];
            let used = (least..=most).find(|&number| !is_free(number));
            all.extend(used.map(|number| number.to_string()));
            all.into_iter().map(|text| (text.clone().into_bytes(), format!("`{text}`"))).collect()
        };
        self.write_or_slip(number.to_string().as_bytes(), || why_not.to_owned(), wrong)?;
        Ok(number)
    }

    fn decimal(&mut self, rule: &DecimalRule) -> Result<BigDecimal, String> {
        let text = rule.make(self.tape)?;
        let wanted = || format!("a number from {} to {}", rule.least, rule.most);
        let wrong = || {
            let (above, below) = (&rule.most + 1_u8, &rule.least - 1_u8);
            [above.to_plain_string(), below.to_plain_string(), "x".to_owned()]
                .map(|text| (text.clone().into_bytes(), format!("`{text}`")))
                .to_vec()
        };
        self.write_or_slip(text.as_bytes(), wanted, wrong)?;
        value::decimal(&text)
    }

    fn pattern(&mut self, pattern: &Pattern, length: Option<usize>) -> Result<Vec<u8>, String> {
        let start = self.tape.made.len();
        let mut text = pattern.make(length, self.most_bytes, self.tape);
        if self.tape.is_new(start)
            && let Some((other, choices)) = self.tape.with_literal(&text, pattern, length)
        {
            text = other;
            self.tape.made.truncate(start);
            self.tape.made.extend(choices);
        }
        let wrong = || {
            let with = |byte: u8| {
                let mut other = text.clone();
                match other.first_mut() {
                    Some(first) => *first = byte,
                    None => other.push(byte),
                }
                (other, format!("`{}`", byte.escape_ascii()))
            };
            [b'!', b'0', b'a', b' ', 0x80].map(with).to_vec()
        };
        let wanted = || "text that matches the pattern".to_owned();
        self.write_or_slip(&text, wanted, wrong)?;
        Ok(text)
    }

    fn comment(&mut self, prefix: &[u8]) -> Result<usize, String> {
        let is_copy = !self.output.is_empty() && self.tape.choose(2, Role::Branch) == 1;
        if !is_copy {
            self.text(prefix)?;
            return self.pattern(&comment::PRINTABLE, None).map(|text| text.len());
        }
        let lines: Vec<_> = self.output.split(|&byte| byte == b'\n').collect();
        // The last one has only begun.
        let options = lines.len().saturating_sub(1).max(1);
        let line = lines[self.tape.choose(options as u64, Role::Place) as usize].to_vec();
        self.text(prefix)?;
        self.write_anyway(&line).map(|()| line.len())
    }

    fn word(&mut self, words: &[Vec<u8>]) -> Result<usize, String> {
        let at = self.tape.choose(words.len() as u64, Role::Branch) as usize;
        let wrong = || {
            let texts = ["x", "", "?"].map(|text| (text.as_bytes().to_vec(), format!("`{text}`")));
            texts.to_vec()
        };
        self.write_or_slip(&words[at], || one_of(words), wrong)?;
        Ok(at)
    }

    fn letter(&mut self, letters: &[u8], made: u8) -> Result<u8, String> {
        let odd = b"*xZ9! ".iter().copied().find(|letter| !letters.contains(letter));
        let wrong = || {
            let odd = odd.map(|letter| (vec![letter], format!("`{}`", char::from(letter))));
            odd.into_iter().chain([(Vec::new(), "nothing".to_owned())]).collect()
        };
        self.write_or_slip(&[made], || format!("one of {}", listed(letters)), wrong)?;
        Ok(made)
    }

    fn row(&mut self, row: &Row, made: &[u8]) -> Result<Vec<u8>, String> {
        let wrong = || {
            let mut other = made.to_vec();
            let odd = b"*xZ9! ".iter().copied().find(|&byte| !row.letters[usize::from(byte)]);
            let middle = made.len() / 2;
            let mut all = vec![
                (made[..made.len().saturating_sub(1)].to_vec(), "one cell less".to_owned()),
                ([made, &made[..1.min(made.len())]].concat(), "one cell more".to_owned()),
            ];
            if let (Some(odd), Some(cell)) = (odd, other.get_mut(middle)) {
                *cell = odd;
                all.push((other, format!("a cell `{}`", char::from(odd))));
            }
            all
        };
        let wanted = || format!("a row of {} cells, each one of {}", made.len(), row.listed());
        self.write_or_slip(made, wanted, wrong)?;
        Ok(Vec::new())
    }

    fn is_next_in(&mut self, set: &[bool; 256], simple: bool) -> bool {
        self.answer(set, false, simple)
    }

    fn is_at_end(&mut self, simple: bool) -> bool {
        self.answer(&[false; 256], true, simple)
    }

    fn peek(&self) -> Option<u8> {
        None
    }

    fn is_next(&self, _: &[u8]) -> bool {
        false
    }
}
