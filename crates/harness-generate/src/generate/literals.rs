//! What stands in the programs of an assignment and in the witnesses of its mutants: strings, and numbers. A program may treat such a
//! value in a way of its own, which no random one would show.

use crate::catalogue::Mutant;
use crate::course::language::tokens::TokenKind;
use crate::course::{Assignment, AssignmentProgram, Language, Sources};
use crate::domain::{Literals, TestRules};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The longest text, and the most texts and numbers: the first ones count.
const LONGEST: usize = 40;
const MOST: usize = 200;
/// Lower numbers are drawn anyway.
const LEAST: i64 = 10;

/// The rules of an assignment, with the literals of its sources and of those of its mutants, and the words of witnesses.
pub(super) fn rules(assignment: &Assignment, mutants: &[Mutant]) -> TestRules {
    let mut found = Found::default();
    if let AssignmentProgram::Sources(sources) = &assignment.program {
        found.read(sources);
    }
    for mutant in mutants {
        let program = mutant.program.as_ref();
        let sources = program.and_then(|program| Sources::at(program, Language::Cpp, None));
        sources.iter().for_each(|sources| found.read(sources));
        let input = mutant.witness.as_ref().map_or("", |witness| &witness.input);
        input.split_whitespace().for_each(|word| found.add(word));
    }
    // The words in calls that select bugs only say which bug is meant.
    mutants.iter().for_each(|mutant| found.texts.retain(|text| *text != mutant.id));
    let texts = found.texts.into_iter().map(String::into_bytes).collect();
    let literals = Literals { numbers: found.numbers.into_iter().collect(), texts };
    TestRules { literals: Arc::new(literals), ..assignment.tests.clone() }
}

#[derive(Default)]
struct Found {
    numbers: BTreeSet<i64>,
    texts: BTreeSet<String>,
}

impl Found {
    fn read(&mut self, sources: &Sources) {
        sources.files.iter().for_each(|file| self.read_file(sources.language, file));
    }

    fn read_file(&mut self, language: Language, file: &Path) {
        let Ok(source) = fs::read_to_string(file) else { return };
        for token in (language.rules().marks.tokens)(&source) {
            let text = token.text(&source);
            match token.kind {
                TokenKind::Number => {
                    number(text).into_iter().for_each(|it| self.add_number(it));
                }
                TokenKind::Text => {
                    inside(text).into_iter().for_each(|it| self.add(it));
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, text: &str) {
        if let Ok(number) = text.parse() {
            self.add_number(number);
        } else if !text.is_empty() && text.len() <= LONGEST && self.texts.len() < MOST {
            self.texts.insert(text.to_owned());
        }
    }

    fn add_number(&mut self, number: i64) {
        if !(-LEAST..LEAST).contains(&number) && self.numbers.len() < MOST {
            self.numbers.insert(number);
            self.texts.insert(number.to_string());
        }
    }
}

/// The value of a literal such as `1'000'000L`, `0xFF` or `1e9`, if it is whole.
fn number(text: &str) -> Option<i64> {
    let text = text.replace(['_', '\''], "").to_ascii_lowercase();
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits.trim_end_matches(['u', 'l']), 16).ok();
    }
    if let Ok(number) = text.trim_end_matches(['u', 'l']).parse() {
        return Some(number);
    }
    let number: f64 = text.trim_end_matches('f').parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 1e18).then_some(number as i64)
}

/// The contents of a string or character. A line end at its end does not count, and any other escape spoils it.
fn inside(literal: &str) -> Option<&str> {
    let start = literal.find(['"', '\''])?;
    let quote = &literal[start..=start];
    let inside = literal[start..].trim_start_matches(quote).trim_end_matches(quote);
    let inside = inside.strip_suffix("\\n").unwrap_or(inside);
    (!inside.contains('\\')).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_sources_have_values() {
        let numbers = ["1'000'000L", "0xFFu", "1e9", "1_000", "2.5", "077x"].map(number);
        assert_eq!(
            numbers,
            [Some(1_000_000), Some(255), Some(1_000_000_000), Some(1000), None, None]
        );
        let texts = ["\"xyzzy\"", "'a'", "b\"ab\"", "\"no\\n\"", "\"a\\tb\"", "\"\"\"doc\"\"\""]
            .map(inside);
        assert_eq!(texts, [Some("xyzzy"), Some("a"), Some("ab"), Some("no"), None, Some("doc")]);
    }
}
