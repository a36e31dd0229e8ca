//! Writes the marks of bugs around candidates.

use super::{Candidate, Form};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How a language writes a mark and a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    Rust,
    C,
    Python,
}

/// A source with several marks.
pub struct Marked {
    pub text: String,
    /// The range of each candidate's place in the text, with its mark.
    pub places: Vec<(usize, Range<usize>)>,
}

/// The source with the mark of every candidate, by number. `insertions` are texts that are written at some positions. The mark of a
/// `guarded` candidate is only reached where the change makes a difference, so that it is not run in vain.
pub fn all(
    source: &str,
    language: Language,
    candidates: &[(usize, &Candidate)],
    insertions: &[(usize, &str)],
    guarded: &dyn Fn(usize) -> bool,
) -> Marked {
    let mut sorted = candidates.to_vec();
    // A place comes before those inside it.
    sorted.sort_by_key(|(index, it)| (it.place.start, std::cmp::Reverse(it.place.end), *index));
    let mut writer =
        Writer { source, language, insertions, guarded, text: String::new(), places: Vec::new() };
    writer.part(0..source.len(), &sorted);
    Marked { text: writer.text, places: writer.places }
}

/// The source with the mark of one candidate, as a person would write it.
pub fn one(source: &str, language: Language, candidate: &Candidate, mark: &str) -> String {
    let Range { start, end } = candidate.place;
    let right = &source[start..end];
    let wrong = changed(source, candidate);
    let grouped = |text: &str| {
        if text.contains(' ') { format!("({text})") } else { text.to_owned() }
    };
    let text = match (candidate.form, language) {
        (Form::Choose, Language::Rust) => format!("if {mark} {{ {wrong} }} else {{ {right} }}"),
        (Form::Choose, Language::C) => {
            format!("{mark} ? {} : {}", grouped(&wrong), grouped(right))
        }
        (Form::Choose, Language::Python) => format!("{wrong} if {mark} else {right}"),
        (Form::Or, Language::Python) => format!("{right} or {mark}"),
        (Form::Or, _) => format!("{right} || {mark}"),
        (Form::AndNot, Language::Python) => format!("{} and not {mark}", grouped(right)),
        (Form::AndNot, _) => format!("{} && !{mark}", grouped(right)),
        (Form::Differs, Language::Rust) => format!("{} != {mark}", grouped(right)),
        (Form::Differs, Language::C) => format!("!{} != !{mark}", grouped(right)),
        (Form::Differs, Language::Python) => format!("bool({right}) != {mark}"),
        (Form::Skip, Language::Rust) => format!("if !{mark} {{ {right} }}"),
        (Form::Skip, Language::C) => format!("if (!{mark}) {{ {right} }}"),
        (Form::Skip, Language::Python) => format!("if not {mark}: {right}"),
    };
    let is_operand = candidate.is_operand && candidate.form != Form::Skip;
    let text = if is_operand { format!("({text})") } else { text };
    [&source[..start], &text, &source[end..]].concat()
}

struct Writer<'a> {
    source: &'a str,
    language: Language,
    insertions: &'a [(usize, &'a str)],
    guarded: &'a dyn Fn(usize) -> bool,
    text: String,
    places: Vec<(usize, Range<usize>)>,
}

impl Writer<'_> {
    /// Writes a part of the source with the candidates in it.
    fn part(&mut self, part: Range<usize>, mut inside: &[(usize, &Candidate)]) {
        let mut at = part.start;
        while let Some((first, rest)) = inside.split_first() {
            let place = first.1.place.clone();
            self.plain(at..place.start);
            let within = rest.iter().take_while(|(_, it)| it.place.end <= place.end).count();
            self.candidate(first, &rest[..within]);
            at = place.end;
            // A place that overlaps this one without being inside it would not be a part of the syntax tree.
            let next = rest.iter().position(|(_, it)| it.place.start >= place.end);
            inside = next.map_or(&[], |next| &rest[next..]);
        }
        self.plain(at..part.end);
    }

    fn candidate(&mut self, &(index, candidate): &(usize, &Candidate), inside: &[(usize, &Candidate)]) {
        let start = self.text.len();
        let mark = self.mark(index, candidate);
        let (before, after) = around(self.source, self.language, candidate, &mark);
        self.text.push_str(&before);
        self.part(candidate.place.clone(), inside);
        self.text.push_str(&after);
        self.places.push((index, start..self.text.len()));
    }

    fn mark(&self, number: usize, candidate: &Candidate) -> String {
        let mark = mark(self.language, &id(number));
        if !(self.guarded)(number) {
            return mark;
        }
        let right = &self.source[candidate.place.clone()];
        format!("({}) != ({right}) && {mark}", changed(self.source, candidate))
    }

    fn plain(&mut self, part: Range<usize>) {
        let mut at = part.start;
        for &(position, text) in self.insertions {
            if (part.start..part.end).contains(&position) {
                self.text.push_str(&self.source[at..position]);
                self.text.push_str(text);
                at = position;
            }
        }
        self.text.push_str(&self.source[at..part.end]);
    }
}

/// The place of a candidate with its change.
fn changed<'a>(source: &'a str, candidate: &'a Candidate) -> String {
    let Candidate { place, range, text, .. } = candidate;
    [&source[place.start..range.start], text, &source[range.end..place.end]].concat()
}

/// The id of the candidate with this number.
pub fn id(number: usize) -> String {
    format!("candidate-{number}")
}

fn mark(language: Language, id: &str) -> String {
    match language {
        Language::Rust => format!("::subject::bug!(\"{id}\")"),
        Language::C => format!("BUG(\"{id}\")"),
        Language::Python => format!("bug(\"{id}\")"),
    }
}

/// What stands before and after the place of a candidate, with parentheses around everything.
fn around(source: &str, language: Language, candidate: &Candidate, mark: &str) -> (String, String) {
    let wrong = || changed(source, candidate);
    let pair = |before: String, after: &str| (before, after.to_owned());
    match (candidate.form, language) {
        (Form::Choose, Language::Rust) => {
            pair(format!("(if {mark} {{ {} }} else {{ ", wrong()), " })")
        }
        (Form::Choose, Language::C) => pair(format!("({mark} ? ({}) : (", wrong()), "))"),
        (Form::Choose, Language::Python) => pair(format!("(({}) if {mark} else (", wrong()), "))"),
        (Form::Skip, Language::Rust) => pair(format!("if !{mark} {{ "), " }"),
        (Form::Skip, Language::C) => pair(format!("if (!{mark}) {{ "), " }"),
        (Form::Skip, Language::Python) => pair(format!("if not {mark}: "), ""),
        (Form::Or, Language::Python) => pair("((".to_owned(), &format!(") or {mark})")),
        (Form::AndNot, Language::Python) => pair("((".to_owned(), &format!(") and not {mark})")),
        (Form::Or, _) => pair("((".to_owned(), &format!(") || {mark})")),
        (Form::AndNot, _) => pair("((".to_owned(), &format!(") && !{mark})")),
        (Form::Differs, Language::C) => pair("(!(".to_owned(), &format!(") != !{mark})")),
        (Form::Differs, Language::Python) => {
            pair("(bool(".to_owned(), &format!(") != {mark})"))
        }
        (Form::Differs, Language::Rust) => pair("((".to_owned(), &format!(") != {mark})")),
    }
}
