//! Writes the marks of bugs around candidates.

use super::{Candidate, Form};
use std::ops::Range;

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
    candidates: &[(usize, &Candidate)],
    insertions: &[(usize, &str)],
    guarded: &dyn Fn(usize) -> bool,
) -> Marked {
    let mut sorted = candidates.to_vec();
    // A place comes before those inside it.
    sorted.sort_by_key(|(index, it)| (it.place.start, std::cmp::Reverse(it.place.end), *index));
    let mut writer =
        Writer { source, insertions, guarded, text: String::new(), places: Vec::new() };
    writer.part(0..source.len(), &sorted);
    Marked { text: writer.text, places: writer.places }
}

/// The source with the mark of one candidate, as a person would write it.
pub fn one(source: &str, candidate: &Candidate, mark: &str) -> String {
    let Range { start, end } = candidate.place;
    let right = &source[start..end];
    let grouped = |text: &str| {
        if text.contains(' ') { format!("({text})") } else { text.to_owned() }
    };
    let text = match candidate.form {
        Form::Choose => {
            format!("if {mark} {{ {} }} else {{ {right} }}", changed(source, candidate))
        }
        Form::Or => format!("{right} || {mark}"),
        Form::AndNot => format!("{} && !{mark}", grouped(right)),
        Form::Differs => format!("{} != {mark}", grouped(right)),
        Form::Skip => format!("if !{mark} {{ {right} }}"),
    };
    let is_operand = candidate.is_operand && candidate.form != Form::Skip;
    let text = if is_operand { format!("({text})") } else { text };
    [&source[..start], &text, &source[end..]].concat()
}

struct Writer<'a> {
    source: &'a str,
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

    fn candidate(
        &mut self,
        &(index, candidate): &(usize, &Candidate),
        inside: &[(usize, &Candidate)],
    ) {
        let start = self.text.len();
        let mark = self.mark(index, candidate);
        let (before, after) = around(self.source, candidate, &mark);
        self.text.push_str(&before);
        self.part(candidate.place.clone(), inside);
        self.text.push_str(&after);
        self.places.push((index, start..self.text.len()));
    }

    fn mark(&self, number: usize, candidate: &Candidate) -> String {
        let mark = format!("::subject::bug!(\"{}\")", id(number));
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

/// What stands before and after the place of a candidate, with parentheses around everything.
fn around(source: &str, candidate: &Candidate, mark: &str) -> (String, String) {
    match candidate.form {
        Form::Choose => {
            (format!("(if {mark} {{ {} }} else {{ ", changed(source, candidate)), " })".to_owned())
        }
        Form::Or => ("((".to_owned(), format!(") || {mark})")),
        Form::AndNot => ("((".to_owned(), format!(") && !{mark})")),
        Form::Differs => ("((".to_owned(), format!(") != {mark})")),
        Form::Skip => (format!("if !{mark} {{ "), " }".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::candidates::{Operator, rust};

    fn candidates(source: &str) -> Vec<Candidate> {
        rust::find(&[source]).expect("it is Rust").remove(0).candidates
    }

    #[track_caller]
    fn check(source: &str, operator: Operator, expected: &str) {
        let candidates = candidates(source);
        let candidate = candidates.iter().find(|it| it.operator == operator).expect("there is one");
        assert_eq!(one(source, candidate, "bug!(\"b\")"), expected);
    }

    #[test]
    fn a_mark_is_written_as_a_person_would() {
        check(
            "fn f() { if a { g(); } }",
            Operator::RemovedCondition,
            "fn f() { if a || bug!(\"b\") { g(); } }",
        );
        check(
            "fn f() -> bool { a && b }",
            Operator::DeletedOperand,
            "fn f() -> bool { (a || bug!(\"b\")) && b }",
        );
        check(
            "fn f() -> bool { a || b }",
            Operator::DeletedOperand,
            "fn f() -> bool { (a && !bug!(\"b\")) || b }",
        );
        check(
            "fn f() -> bool { a == b }",
            Operator::NegatedTest,
            "fn f() -> bool { (a == b) != bug!(\"b\") }",
        );
        check(
            "fn f() -> bool { !(a < b) }",
            Operator::Boundary,
            "fn f() -> bool { !(if bug!(\"b\") { a <= b } else { a < b }) }",
        );
        check(
            "fn f() { g(); h() }",
            Operator::DroppedStatement,
            "fn f() { if !bug!(\"b\") { g(); } h() }",
        );
    }

    #[test]
    fn a_source_with_all_marks_is_rust_and_tells_where_each_is() {
        let source = "fn f(a: u8, b: u8) -> u8 { while a < b { if a + 1 == b && c { g(a, b); } } [a, b][0] }";
        let found = rust::find(&[source]).expect("it is Rust").remove(0);
        let all: Vec<_> = found.candidates.iter().enumerate().collect();
        let loops: Vec<_> = found.loops.iter().map(|&at| (at, " tick!();")).collect();
        let marked = super::all(source, &all, &loops, &|_| false);
        syn::parse_file(&marked.text).expect("it is Rust");
        assert_eq!(marked.places.len(), all.len());
        for (number, place) in marked.places {
            assert!(marked.text[place].contains(&format!("\"{}\"", id(number))), "{number}");
        }
        assert!(marked.text.contains("{ tick!();"), "{}", marked.text);
    }
}
