//! A test on the page: drawn by its domain, with the answer if there is one, or as text if the domain cannot draw it.

use crate::diagnostic::printable;
use crate::domain::picture::Picture;
use crate::domain::{Domain, Draft};
use crate::report::words::counted;
use subject::Outcome;

/// A drawing with more bytes than this is left out. A text with more lines or characters is cut.
const MOST_BYTES: usize = 60_000;
const MOST_LINES: usize = 40;
const MOST_CHARACTERS: usize = 160;

/// A test as a drawing and as text.
pub(super) struct Sketch {
    /// The drawing: an `svg` element that the domain wrote.
    pub(super) svg: Option<String>,
    /// The file, with unprintable characters escaped, and cut if it is long.
    pub(super) text: String,
}

impl Sketch {
    /// The sketch of an input without an answer.
    pub(super) fn of_input(domain: &dyn Domain, draft: &Draft) -> Self {
        let view = domain.viewer().map(|viewer| viewer.view(draft, None));
        let view = view.filter(|view| view.input_flaws.is_empty());
        let svg = view.and_then(|view| view.picture).and_then(|picture| bounded(picture.svg()));
        Self { svg, text: text(&draft.input) }
    }

    /// The sketch of an input with the answer in an outcome, if the domain can draw it.
    pub(super) fn of_outcome(domain: &dyn Domain, draft: &Draft, outcome: &Outcome) -> Self {
        match Answer::new(domain, draft, outcome).svg() {
            Some(svg) => Self { svg: Some(svg), text: text(&draft.input) },
            None => Self::of_input(domain, draft),
        }
    }
}

/// The answer in an outcome.
#[derive(Default)]
pub(super) struct Answer {
    /// Its picture on the input, if the domain can draw it.
    picture: Option<Box<dyn Picture>>,
    /// What is wrong with it, if the domain can tell.
    pub(super) flaws: Vec<String>,
}

impl Answer {
    pub(super) fn new(domain: &dyn Domain, draft: &Draft, outcome: &Outcome) -> Self {
        const MOST_FLAWS: usize = 5;
        let Some(viewer) = domain.viewer() else { return Self::default() };
        let view = viewer.view_outcome(draft, outcome);
        let is_sound = view.input_flaws.is_empty() && view.answer_flaws.is_empty();
        let picture = view.picture.filter(|_| is_sound);
        let flaws = view
            .answer_flaws
            .iter()
            .take(MOST_FLAWS)
            .map(|flaw| printable(&flaw.to_string()))
            .collect();
        Self { picture, flaws }
    }

    /// Its drawing, unless that is too large for a page.
    pub(super) fn svg(&self) -> Option<String> {
        self.picture.as_ref().and_then(|picture| bounded(picture.svg()))
    }
}

fn bounded(svg: String) -> Option<String> {
    (svg.len() <= MOST_BYTES).then_some(svg)
}

fn text(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let mut lines: Vec<String> = text.lines().take(MOST_LINES).map(line).collect();
    let more = text.lines().count() - lines.len();
    if more > 0 {
        lines.push(format!("… and {}", counted(more, "more line")));
    }
    lines.join("\n")
}

fn line(line: &str) -> String {
    let printed = printable(line);
    let mut characters = printed.chars();
    let shown: String = characters.by_ref().take(MOST_CHARACTERS).collect();
    if characters.next().is_some() { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_unprintable_characters_are_escaped() {
        assert_eq!(text(b"a\x1b\nb"), "a\\u{1b}\nb");
        assert!(text(&b"x\n".repeat(100)).ends_with("x\n… and 60 more lines"));
        assert_eq!(text(&b"x".repeat(1000)).chars().count(), MOST_CHARACTERS + 1);
    }
}
