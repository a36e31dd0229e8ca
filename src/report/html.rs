//! `--html FILE`: one page that needs nothing but itself, made from results that were cut down to what its reader may see.
//!
//! It runs and writes nothing, and knows no assignment: maps are drawn by the domain. What staff alone may see (hints, witnesses, outputs)
//! reaches the page only where [`Begin::tells_all`] says so, so that a student's page cannot hold it anywhere.

mod bug;
mod cells;
mod class;
mod ledger;
mod sketch;
mod suite;

use super::words::noun;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Level};
use crate::domain::{Domain, Draft};
use crate::result::SuiteReport;
use crate::suite::layout::Shape;
use askama::Template;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use cells::Cells;
use ledger::{Graded, Ledger};
use serde::Serialize;
use sha2::{Digest, Sha256};
use sketch::Sketch;
use std::collections::BTreeMap;
use subject::wire::Difference;
use subject::{Case, Outcome};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = concat!(
    include_str!("html/table.js"),
    include_str!("html/dialog.js"),
    include_str!("html/page.js")
);

/// Bytes that the outputs behind all cells of a page may take.
const MOST_BYTES_OF_OUTPUTS: usize = 5 << 20;

/// A page as it grows, an assignment at a time.
pub struct Html {
    course: String,
    sections: Vec<Section>,
    open: Option<Open>,
    bytes_left: usize,
}

/// The assignment that begins, and who reads of it.
pub struct Begin<'a> {
    /// The assignment.
    pub assignment: &'a Assignment,
    /// All its mutants.
    pub mutants: &'a [Mutant],
    /// What the reader calls them, in the reader's own order.
    pub names: Vec<String>,
    /// What the suites are.
    pub shape: Shape,
    /// What the results were cut down to.
    pub level: Level,
    /// Whether the reader is of the staff.
    pub is_staff: bool,
}

impl Begin<'_> {
    /// Whether hints, witnesses and outputs may be told too.
    pub fn tells_all(&self) -> bool {
        self.is_staff && self.level == Level::All
    }
}

/// A test that is drawn, and what was seen of it.
pub struct DrawnTest {
    /// The test's file.
    pub file: String,
    /// Its flags and its input.
    pub draft: Draft,
    /// What it decodes to.
    pub case: Case,
    /// What the reference did, and the mutants that differ; nothing where the reader may not know.
    pub outcomes: Option<(Outcome, Vec<Difference>)>,
}

/// An assignment on the page.
struct Section {
    title: String,
    html: String,
}

/// An assignment whose results are coming in.
struct Open {
    number: usize,
    title: String,
    program: String,
    domain: &'static dyn Domain,
    level: Level,
    /// What the page calls a mutant.
    noun: &'static str,
    shape: Shape,
    ledger: Ledger,
    notes: Option<Vec<bug::Notes>>,
    suites: Vec<Graded>,
    sketches: BTreeMap<String, Sketch>,
    cells: Cells,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    course: &'a str,
    sections: &'a [Section],
    style: &'a str,
    script: &'a str,
    style_digest: String,
    script_digest: String,
}

impl Html {
    /// A page of a course.
    pub fn new(course: &str) -> Self {
        Self {
            course: course.to_owned(),
            sections: Vec::new(),
            open: None,
            bytes_left: MOST_BYTES_OF_OUTPUTS,
        }
    }

    /// Begins an assignment.
    pub fn assignment(&mut self, begin: &Begin<'_>) {
        let notes = |mutant| bug::Notes::new(mutant, begin.assignment);
        self.open = Some(Open {
            number: self.sections.len(),
            title: begin.assignment.title.clone(),
            program: begin.assignment.id.clone(),
            domain: begin.assignment.domain,
            level: begin.level,
            noun: noun(if begin.is_staff { Audience::Staff } else { Audience::Normal }),
            shape: begin.shape,
            ledger: Ledger::new(begin.names.clone()),
            notes: begin.tells_all().then(|| begin.mutants.iter().map(notes).collect()),
            suites: Vec::new(),
            sketches: BTreeMap::new(),
            cells: Cells::new(self.bytes_left),
        });
    }

    /// Draws a test of the suite that comes next.
    pub fn draw(&mut self, test: &DrawnTest) {
        if let Some(open) = &mut self.open {
            open.draw(test);
        }
    }

    /// Adds the result of a suite, cut down to what the reader may see.
    pub fn suite(&mut self, report: &SuiteReport) {
        if let Some(open) = &mut self.open {
            let graded = open.ledger.add(report, &open.program);
            open.suites.push(graded);
        }
    }

    /// Ends the assignment.
    pub fn end_assignment(&mut self) {
        if let Some(open) = self.open.take() {
            self.bytes_left = open.cells.bytes_left();
            self.sections.push(Section { title: open.title.clone(), html: open.html() });
        }
    }

    /// The page.
    pub fn finish(self) -> String {
        let page = Page {
            course: &self.course,
            sections: &self.sections,
            style: STYLE,
            script: SCRIPT,
            style_digest: digest(STYLE),
            script_digest: digest(SCRIPT),
        };
        rendered(&page)
    }
}

impl Open {
    fn draw(&mut self, test: &DrawnTest) {
        let Some((reference, differing)) = test.outcomes.as_ref().filter(|_| self.notes.is_some())
        else {
            self.sketches.insert(test.file.clone(), Sketch::of_input(self.domain, &test.draft));
            return;
        };
        let sketch = Sketch::of_outcome(self.domain, &test.draft, reference);
        for difference in differing {
            self.cells.add(self.domain, (test, &sketch), reference, difference);
        }
        self.sketches.insert(test.file.clone(), sketch);
    }

    fn html(mut self) -> String {
        let bugs = bug::bugs(&self.ledger, self.notes.take(), self.level, self.number);
        match self.shape {
            Shape::Suite => suite::html(&self, &bugs),
            Shape::Class => class::html(&self, &bugs),
        }
    }
}

/// What the page's policy calls a script or a style by.
fn digest(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// A template filled in: its values are at hand, and a text has room.
fn rendered(template: &impl Template) -> String {
    template.render().expect("a text has room")
}

/// A value as JSON that may stand in a script element, whatever is in it.
fn in_script(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("every key is a text");
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A part of a whole in percent, to a tenth.
fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole * 1000.0).round() / 10.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_script_that_it_stands_in() {
        let text = in_script(&"</script><!--<script>&\u{2028}");
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(
            serde_json::from_str::<String>(&text).unwrap(),
            "</script><!--<script>&\u{2028}"
        );
    }
}
