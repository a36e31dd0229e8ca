//! Writes the marks of bugs around candidates.

use super::notation::Notation;
use super::{Candidate, Part};
use std::ops::Range;

/// A source with several marks.
pub struct Marked {
    pub text: String,
    pub places: Vec<MarkedPlace>,
}

/// A place of a candidate in a source with marks.
#[derive(Clone, Debug)]
pub struct MarkedPlace {
    /// The number of the candidate.
    pub number: usize,
    /// The place with the mark.
    pub range: Range<usize>,
    /// What is evaluated if the bug is not selected.
    pub right: Range<usize>,
}

/// The source with the mark of every candidate, by number. `insertions` are texts that are written at some positions. The mark of a
/// `guarded` candidate is only reached where the change makes a difference, so that it is not run in vain.
pub fn all(
    source: &str,
    notation: Notation,
    candidates: &[(usize, &Candidate)],
    insertions: &[(usize, &str)],
    guarded: &dyn Fn(usize) -> bool,
) -> Marked {
    let parts = candidates.iter().flat_map(|&(number, candidate)| {
        candidate.parts.iter().map(move |part| Inside { number, candidate, part })
    });
    let mut parts: Vec<_> = parts.collect();
    // A place comes before those inside it.
    parts.sort_by_key(|it| (it.part.place.start, std::cmp::Reverse(it.part.place.end), it.number));
    let mut insertions = insertions.to_vec();
    insertions.sort_unstable();
    let insertions = &insertions;
    let mut writer =
        Writer { source, notation, insertions, guarded, text: String::new(), places: Vec::new() };
    writer.part(0..source.len(), &parts);
    Marked { text: writer.text, places: writer.places }
}

/// The changes that write the mark of one candidate into the source, as a person would.
pub fn edits(
    source: &str,
    notation: Notation,
    candidate: &Candidate,
    mark: &str,
) -> Vec<(Range<usize>, String)> {
    let edit = |part: &Part| (part.place.clone(), notation.written(source, candidate, part, mark));
    candidate.parts.iter().map(edit).collect()
}

/// A part of a source with some of its ranges replaced, in order.
pub fn replaced(
    source: &str,
    part: Range<usize>,
    edits: impl IntoIterator<Item = (Range<usize>, String)>,
) -> String {
    let (mut text, mut at) = (String::new(), part.start);
    for (range, new) in edits {
        text.push_str(&source[at..range.start]);
        text.push_str(&new);
        at = range.end;
    }
    text.push_str(&source[at..part.end]);
    text
}

/// A part of a candidate, which may be inside another.
struct Inside<'a> {
    number: usize,
    candidate: &'a Candidate,
    part: &'a Part,
}

struct Writer<'a> {
    source: &'a str,
    notation: Notation,
    insertions: &'a [(usize, &'a str)],
    guarded: &'a dyn Fn(usize) -> bool,
    text: String,
    places: Vec<MarkedPlace>,
}

impl Writer<'_> {
    /// Writes a part of the source with the candidates in it.
    fn part(&mut self, part: Range<usize>, mut inside: &[Inside<'_>]) {
        let mut at = part.start;
        while let Some((first, rest)) = inside.split_first() {
            let place = first.part.place.clone();
            self.plain(at..place.start);
            let within = rest.iter().take_while(|it| it.part.place.end <= place.end).count();
            self.candidate(first, &rest[..within]);
            at = place.end;
            // A place that overlaps this one without being inside it would not be a part of the syntax tree.
            let next = rest.iter().position(|it| it.part.place.start >= place.end);
            inside = next.map_or(&[], |next| &rest[next..]);
        }
        self.plain(at..part.end);
    }

    fn candidate(&mut self, outer: &Inside<'_>, inside: &[Inside<'_>]) {
        let start = self.text.len();
        let &Inside { number, candidate, part } = outer;
        let is_guarded = (self.guarded)(number);
        let (before, after) =
            self.notation.around(self.source, candidate, part, &id(number), is_guarded);
        self.text.push_str(&before);
        let right = self.text.len();
        self.part(part.place.clone(), inside);
        let right = right..self.text.len();
        self.text.push_str(&after);
        self.places.push(MarkedPlace { number, range: start..self.text.len(), right });
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

/// The id of the candidate with this number.
pub fn id(number: usize) -> String {
    format!("candidate-{number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::{Operator, rust};

    fn one(source: &str, candidate: &Candidate, mark: &str) -> String {
        replaced(source, 0..source.len(), edits(source, Notation::Rust, candidate, mark))
    }

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
        let marked = super::all(source, Notation::Rust, &all, &loops, &|_| false);
        syn::parse_file(&marked.text).expect("it is Rust");
        assert_eq!(marked.places.len(), all.len());
        for MarkedPlace { number, range, .. } in marked.places {
            assert!(marked.text[range].contains(&format!("\"{}\"", id(number))), "{number}");
        }
        assert!(marked.text.contains("{ tick!();"), "{}", marked.text);
    }
}
