//! Tells how a difference looks at first sight: which field of the output is wrong first, and what is there instead.
//!
//! A field is known by the words before it in its line. Words of the input may be any, so they do not count, unless all inputs have them.

use super::crash;
use crate::domain::{Draft, Generator};
use crate::generate::comparer::Discrepancy;
use std::collections::BTreeSet;
use subject::{End, How, Outcome};

/// How a difference looks among those of one program: with the field of the output that is wrong first, or the place in the program of an
/// exception that it does not catch.
pub(super) fn own_look(
    generator: &dyn Generator,
    draft: &Draft,
    difference: &Discrepancy,
) -> String {
    let Discrepancy { how, why, reference, program } = difference;
    let own = match how {
        _ if why.is_some() => None,
        How::Output => Place::first(reference, program).map(|place| {
            let field = place.field(&draft.input, &generator.words());
            format!("{field}: {}", place.look())
        }),
        How::Exit | How::Crash => {
            let origin = crash::origin(&program.stderr);
            origin.map(|origin| format!("{} {origin}", end(program)))
        }
        _ => None,
    };
    own.unwrap_or_else(|| look(difference))
}

/// How the later lines look that have a wrong number after words, if no line is missing. A bug that changes what a program remembers shows
/// there too, whatever is wrong first.
pub(super) fn later_looks(
    generator: &dyn Generator,
    draft: &Draft,
    difference: &Discrepancy,
) -> Vec<String> {
    let Discrepancy { how, why, reference, program } = difference;
    let [wanted, printed] =
        [reference, program].map(|it| it.stdout.split(|&byte| byte == b'\n').collect::<Vec<_>>());
    if *how != How::Output || why.is_some() || wanted.len() != printed.len() {
        return Vec::new();
    }
    let fixed = generator.words();
    let places = wanted.into_iter().zip(printed).filter_map(|(one, other)| Place::of(one, other));
    let numbers = places.skip(1).filter(Place::are_numbers);
    let named = numbers.map(|place| (place.field(&draft.input, &fixed), place.look()));
    let named = named.filter(|(field, _)| !field.is_empty());
    named.map(|(field, look)| format!("{field}: {look}")).collect()
}

/// How a difference looks, without its place: the reason that the domain gives, or what is first wrong in the output, or the exit status
/// and the error message.
pub(super) fn look(difference: &Discrepancy) -> String {
    let Discrepancy { how, why, reference, program } = difference;
    match (how, why) {
        (_, Some(why)) => why.chars().filter(|c| !c.is_ascii_digit()).collect(),
        (How::Output, None) => {
            Place::first(reference, program).map(|place| place.look()).unwrap_or_default()
        }
        (How::Exit | How::Crash, None) => {
            format!("{} {}", end(program), crash::words(&program.stderr))
        }
        _ => String::new(),
    }
}

/// How a program ended that failed.
fn end(program: &Outcome) -> String {
    match &program.end {
        End::Exit(status) => format!("status {status}"),
        End::Crash(how) => how.clone(),
        _ => String::new(),
    }
}

/// The first place at which two outputs differ.
struct Place<'a> {
    wanted: &'a [u8],
    printed: &'a [u8],
    at: usize,
}

impl<'a> Place<'a> {
    fn first(reference: &'a Outcome, program: &'a Outcome) -> Option<Self> {
        let files =
            reference.files.iter().map(|(name, contents)| (contents, program.files.get(name)));
        let mut streams = [(&reference.stdout, Some(&program.stdout))].into_iter().chain(files);
        streams.find_map(|(wanted, printed)| {
            let printed = printed.map_or(&[][..], Vec::as_slice);
            Self::of(wanted, printed)
        })
    }

    fn of(wanted: &'a [u8], printed: &'a [u8]) -> Option<Self> {
        let length = wanted.len().max(printed.len());
        let at = (0..length).find(|&at| wanted.get(at) != printed.get(at))?;
        Some(Self { wanted, printed, at })
    }

    /// That there are two numbers, or the sorts of the two characters.
    fn look(&self) -> String {
        if self.are_numbers() {
            return "0 0".to_owned();
        }
        match (self.wanted.get(self.at), self.printed.get(self.at)) {
            (_, None) => "ends early".to_owned(),
            (None, Some(_)) => "ends late".to_owned(),
            (Some(wanted), Some(printed)) => format!("{} {}", sort(*wanted), sort(*printed)),
        }
    }

    /// Whether there are two numbers that differ, whatever their signs and lengths.
    fn are_numbers(&self) -> bool {
        let is_part = |byte: &&u8| byte.is_ascii_digit() || b"+-.".contains(byte);
        let from = self.at - self.wanted[..self.at].iter().rev().take_while(is_part).count();
        let [wanted, printed] = [self.wanted, self.printed].map(|text| {
            let number = text[from..].iter().take_while(is_part).copied().collect();
            String::from_utf8(number).unwrap_or_default()
        });
        let is_number = |text: &str| text.parse::<f64>().is_ok();
        wanted != printed && is_number(&wanted) && is_number(&printed)
    }

    /// The words before it in its line that are none of this `input`. All inputs have the words that are `fixed`, so those count.
    fn field(&self, input: &[u8], fixed: &[Vec<u8>]) -> String {
        let before = &self.wanted[..self.at];
        let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        // The word that differs is none of them.
        let end = line.iter().rposition(|byte| !byte.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        let others: BTreeSet<_> = words(input).collect();
        let is_own = |word: &&[u8]| !others.contains(word) || fixed.iter().any(|it| it == word);
        let own: Vec<_> = words(&line[..end]).filter(is_own).map(String::from_utf8_lossy).collect();
        own.join(" ")
    }
}

/// The words of a text. Single letters are not: they may be cells of a map.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| word.len() > 1)
}

/// The sort of a character: letters of a case are one, and so are digits.
pub(super) fn sort(byte: u8) -> char {
    match byte {
        b'0'..=b'9' => '0',
        b'a'..=b'z' => 'a',
        b'A'..=b'Z' => 'A',
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place<'a>(wanted: &'a str, printed: &'a str) -> (Place<'a>, String) {
        let place = Place::of(wanted.as_bytes(), printed.as_bytes()).unwrap();
        let look = place.look();
        (place, look)
    }

    #[test]
    fn wrong_numbers_look_alike_whatever_their_signs_and_lengths() {
        for printed in ["-5\n", "12\n", "1\n", "12.5\n", "3"] {
            assert_eq!(place("13\n", printed).1, "0 0", "{printed:?}");
        }
        assert_eq!(place("13\n", "none\n").1, "0 a");
        assert_eq!(place("1 3\n", "1\n").1, "  \n", "a number is missing");
        assert_eq!(place("1\n", "1").1, "ends early");
        assert_eq!(place("..-.\n", "..1.\n").1, "- 0");
    }

    #[test]
    fn a_field_is_known_by_the_words_before_it_that_are_not_of_the_input() {
        let field =
            |wanted, printed| place(wanted, printed).0.field(b"ann 3 top\n", &[b"top".into()]);
        assert_eq!(field("sum 1\nmax 13\n", "sum 1\nmax 12\n"), "max");
        assert_eq!(field("ann has 3 of 7", "ann has 3 of 8"), "has of");
        assert_eq!(field("ann 3", "ann 4"), "");
        assert_eq!(field("top 3", "top 4"), "top");
        assert_eq!(field("max 3", "mad 3"), "");
    }
}
