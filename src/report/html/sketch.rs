//! A test as a page shows it: drawn by its domain, with the answer to it where there is one, or else as text.

use crate::domain::picture::Picture;
use crate::domain::{Domain, Draft};
use crate::problem::printable;
use crate::report::words::counted;
use subject::Outcome;

/// A drawing with more bytes than this is not put on a page, and a text with more lines or characters is cut.
const MOST_BYTES: usize = 60_000;
const MOST_LINES: usize = 40;
const MOST_CHARACTERS: usize = 160;

/// A drawing, or a text where there is none.
pub(super) struct Sketch {
    /// The drawing: an `svg` element of the domain's own making.
    pub(super) svg: Option<String>,
    /// The file, with what no page shows written out, and cut to a sensible length.
    pub(super) text: String,
}

impl Sketch {
    /// An input alone.
    pub(super) fn of_input(domain: &dyn Domain, draft: &Draft) -> Self {
        let view = domain.viewer().map(|viewer| viewer.view(draft, None));
        let view = view.filter(|view| view.input_flaws.is_empty());
        let svg = view.and_then(|view| view.picture).and_then(|picture| bounded(picture.svg()));
        Self { svg, text: text(&draft.input) }
    }

    /// An input with the answer that an outcome holds, where that can be drawn.
    pub(super) fn of_outcome(domain: &dyn Domain, draft: &Draft, outcome: &Outcome) -> Self {
        match Answer::new(domain, draft, outcome).svg() {
            Some(svg) => Self { svg: Some(svg), text: text(&draft.input) },
            None => Self::of_input(domain, draft),
        }
    }
}

/// The answer that an outcome holds.
#[derive(Default)]
pub(super) struct Answer {
    /// The picture of it, on the input, if it is one that can be drawn.
    picture: Option<Box<dyn Picture>>,
    /// What is wrong with it, as far as the domain can say it.
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

    /// The drawing, unless it is too large for a page.
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
    fn a_text_is_cut_and_what_no_page_shows_is_written_out() {
        assert_eq!(text(b"a\x1b\nb"), "a\\u{1b}\nb");
        assert!(text(&b"x\n".repeat(100)).ends_with("x\n… and 60 more lines"));
        assert_eq!(text(&b"x".repeat(1000)).chars().count(), MOST_CHARACTERS + 1);
    }
}
