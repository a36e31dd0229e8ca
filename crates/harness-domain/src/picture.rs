//! Pictures of inputs and answers: as text for a terminal, and as SVG. Pure.

use crate::{Draft, Flaw};
use anstyle::{AnsiColor, Style};
use harness_diagnostic::visible;
use std::fmt::Write;
use subject::Outcome;

/// Draws the inputs of an assignment.
pub trait Viewer: Sync {
    /// Whether `input` looks more like an input of this assignment than of another.
    fn recognizes(&self, input: &[u8]) -> bool;

    /// Checks and draws an input, and an answer to it if there is one. The draft's flags are empty if they are unknown.
    fn view(&self, draft: &Draft, answer: Option<&[u8]>) -> View;

    /// Checks and draws an input and a program's outcome on it. By default, the answer is standard output.
    fn view_outcome(&self, draft: &Draft, outcome: &Outcome) -> View {
        self.view(draft, Some(&outcome.stdout))
    }
}

/// The errors in an input and an answer, and the picture of both.
pub struct View {
    /// All errors in the input.
    pub input_flaws: Vec<Flaw>,
    /// All errors in the answer.
    pub answer_flaws: Vec<Flaw>,
    /// The picture, unless the input cannot be parsed.
    pub picture: Option<Box<dyn Picture>>,
}

/// A picture that can show the answer step by step.
pub trait Picture {
    /// The number of steps in the answer.
    fn steps(&self) -> usize;

    /// The picture after `step` steps, as lines of text.
    fn text(&self, step: usize) -> String;

    /// The style of a symbol of [`text`](Self::text) on a terminal, by its line and column from 0.
    fn style(&self, _place: (usize, usize), symbol: char) -> Style {
        style_of(symbol)
    }

    /// The picture with the whole answer.
    fn svg(&self) -> String;
}

/// Looks of what is no colour of an assignment. A page changes them in its dark theme by their classes.
pub mod look {
    /// The background, and what is empty.
    pub const GROUND: &str = "class=\"ground\" fill=\"#fff\"";
    /// An empty cell of a grid.
    pub const CELL: &str = "class=\"ground cell-line\" fill=\"#fff\" stroke=\"#d8d8d8\"";
    /// A cell of a grid that is a wall.
    pub const WALL: &str = "class=\"wall cell-line\" fill=\"#3c424b\" stroke=\"#d8d8d8\"";
    /// A place that does not exist.
    pub const MISSING: &str = "class=\"missing\" fill=\"#c8c8c8\"";
    /// A line around or between places.
    pub const EDGE: &str =
        "class=\"edge\" stroke=\"#222\" stroke-width=\"2\" stroke-linecap=\"square\"";
    /// A text beside a picture.
    pub const CAPTION: &str = "class=\"ink\" font-size=\"12\" fill=\"#333\"";
    /// A letter on the background.
    pub const LETTER: &str = "class=\"ink\" font-size=\"14\" fill=\"#222\"";
    /// Where a way begins, and where it leads. A letter stands on it.
    pub const START: &str = "fill=\"#237a3c\"";
    pub const TARGET: &str = "fill=\"#c53030\"";
    /// A letter on a place of any colour.
    pub const ON_COLOUR: &str = "font-size=\"13\" font-weight=\"bold\" fill=\"#fff\"";
}

/// The usual style of a symbol: walls and blanks are faint, and a letter has the same colour in both cases.
fn style_of(symbol: char) -> Style {
    const COLOURS: [AnsiColor; 5] =
        [AnsiColor::Blue, AnsiColor::Magenta, AnsiColor::Cyan, AnsiColor::Yellow, AnsiColor::Green];
    let colour = match symbol {
        '─'..='╿' | '█' | '#' | '·' | '.' => AnsiColor::BrightBlack,
        '@' | '☺' => AnsiColor::Green,
        '?' | '!' => AnsiColor::Red,
        _ if symbol.is_ascii_alphanumeric() => {
            COLOURS[usize::from(symbol.to_ascii_lowercase() as u8) % COLOURS.len()]
        }
        _ => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}

/// Builds an SVG file. Lengths are whole pixels.
pub struct Svg {
    file: String,
}

impl Svg {
    /// An empty picture with a white background.
    pub fn new(width: usize, height: usize) -> Self {
        let mut svg = Self { file: String::new() };
        svg.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
        ));
        svg.rectangle((0, 0), (width, height), look::GROUND);
        svg
    }

    /// Adds a rectangle. The point is its upper left corner; `look` holds its attributes.
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

    pub fn circle(&mut self, (x, y): (usize, usize), radius: usize, look: &str) {
        self.push(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>"));
    }

    /// Adds a line through these points. A single point gives a dot if the line's ends are round.
    pub fn line(&mut self, points: &[(usize, usize)], look: &str) {
        let Some((first, rest)) = points.split_first() else { return };
        let mut path = format!("M{} {}", first.0, first.1);
        for (x, y) in if rest.is_empty() { points } else { rest } {
            // Writing to a string cannot fail.
            let _ = write!(path, "L{x} {y}");
        }
        self.push(format_args!("<path d=\"{path}\" fill=\"none\" {look}/>"));
    }

    /// Adds a text centred on a point.
    pub fn text(&mut self, (x, y): (usize, usize), text: &str, look: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.36em\" text-anchor=\"middle\" font-family=\"sans-serif\" {look}>{text}</text>"
        ));
    }

    /// Adds a line of text as it is written, from a point on.
    pub fn written(&mut self, (x, y): (usize, usize), text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.36em\" xml:space=\"preserve\" font-family=\"monospace\" {}>{text}</text>",
            look::LETTER
        ));
    }

    pub fn finish(mut self) -> String {
        self.push(format_args!("</svg>"));
        self.file
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.file, "{element}");
    }
}

/// A text in XML, which does not allow control characters.
fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
