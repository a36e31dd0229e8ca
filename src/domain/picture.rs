//! Pictures of inputs, and of answers to them: as text for a terminal, as SVG for anything else. Pure.

use crate::domain::{Draft, Flaw};
use crate::problem::visible;
use std::fmt::Write;
use subject::Outcome;

/// What draws the inputs of an assignment.
pub trait Viewer: Sync {
    /// Whether `input` is more like an input of this kind than like one of another.
    fn recognizes(&self, input: &[u8]) -> bool;

    /// Looks at an input, and at an answer to it if there is one. What the draft's flags say may be unknown: then they are empty.
    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View;

    /// Looks at an input and at what a program did on it. Unless a domain says otherwise, the answer is what it printed.
    fn view_outcome(&self, draft: &Draft, outcome: &Outcome) -> View {
        self.view(draft, Some(&outcome.stdout))
    }
}

/// What is wrong with two files, and what they look like.
pub struct View {
    /// All that is wrong with the input.
    pub input_flaws: Vec<Flaw>,
    /// All that is wrong with the answer.
    pub answer_flaws: Vec<Flaw>,
    /// The picture, where the input is whole enough to be drawn.
    pub picture: Option<Box<dyn Picture>>,
}

/// A picture, which an answer may set in motion.
pub trait Picture {
    /// How many steps the answer takes.
    fn steps(&self) -> usize;

    /// The picture after so many steps, in lines.
    fn text(&self, step: usize) -> String;

    /// The picture with the whole answer.
    fn svg(&self) -> String;
}

/// An SVG file as it grows. Lengths are whole pixels.
pub struct Svg {
    file: String,
}

impl Svg {
    /// An empty picture on white.
    pub fn new(width: usize, height: usize) -> Self {
        let mut svg = Self { file: String::new() };
        svg.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
        ));
        svg.rectangle((0, 0), (width, height), "fill=\"#fff\"");
        svg
    }

    /// A rectangle from its upper left corner; `look` are its attributes.
    pub fn rectangle(
        &mut self,
        (x, y): (usize, usize),
        (width, height): (usize, usize),
        look: &str,
    ) {
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {look}/>"
        ));
    }

    /// A circle.
    pub fn circle(&mut self, (x, y): (usize, usize), radius: usize, look: &str) {
        self.push(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>"));
    }

    /// A line through these points; through one point, a dot if its ends are round.
    pub fn line(&mut self, points: &[(usize, usize)], look: &str) {
        let Some((first, rest)) = points.split_first() else { return };
        let mut path = format!("M{} {}", first.0, first.1);
        for (x, y) in if rest.is_empty() { points } else { rest } {
            // Writing to a string cannot fail.
            let _ = write!(path, "L{x} {y}");
        }
        self.push(format_args!("<path d=\"{path}\" fill=\"none\" {look}/>"));
    }

    /// A text around a point.
    pub fn text(&mut self, (x, y): (usize, usize), text: &str, look: &str) {
        // XML has no control characters.
        let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.36em\" text-anchor=\"middle\" font-family=\"sans-serif\" {look}>{text}</text>"
        ));
    }

    /// The file.
    pub fn finish(mut self) -> String {
        self.push(format_args!("</svg>"));
        self.file
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.file, "{element}");
    }
}
