//! `--html FILE`: one page without external files. It contains only what its reader may see.
//!
//! The domain draws the maps. Hints, witnesses and outputs, which only staff may see, reach the page only if [`About::catalogue`] is
//! given, so that no part of a student's page can contain them.

mod bug;
mod cells;
mod class;
mod diff;
pub mod graded;
mod ledger;
mod sketch;
pub mod submissions;
mod suite;

use super::words::noun;
use crate::course::{Course, Level};
use crate::domain::Domain;
use crate::report::writer::{About, Writer};
use crate::result::SuiteReport;
use crate::result::drawn::{DrawnTest, Shows};
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
use std::io::{self, Write};
use std::sync::Arc;

/// What a section needs to look as on a page of its own: also what the elements of any page look like, but not its frame.
pub const STYLE: &str = concat!(include_str!("html/page.css"), include_str!("html/graded.css"));
/// What the controls of a section need. It names only `harness` in the page: `harness.begin(element)` prepares what was inserted later.
pub const SCRIPT: &str = concat!(
    "(() => {\n",
    include_str!("html/table.js"),
    include_str!("html/dialog.js"),
    include_str!("html/page.js"),
    "})();\n"
);
/// The style of a whole page: that of a section, and the frame.
pub const PAGE_STYLE: &str = concat!(
    include_str!("html/page.css"),
    include_str!("html/graded.css"),
    include_str!("html/body.css")
);

/// The most bytes of outputs, for all cells of a page together.
const MOST_BYTES_OF_OUTPUTS: usize = 5 << 20;

/// A page that is built one assignment at a time.
pub struct Html<W> {
    out: W,
    course: String,
    sections: Vec<Section>,
    open: Option<Open>,
    bytes_left: usize,
}

/// An assignment on the page.
struct Section {
    title: String,
    html: String,
}

/// The assignment whose results are being collected.
struct Open {
    number: usize,
    title: String,
    program: String,
    domain: Arc<dyn Domain>,
    level: Level,
    /// What the page calls a mutant.
    noun: &'static str,
    shape: Shape,
    /// What is left out of a class, and the files of students with other names, each with what is said of it.
    notes_of_class: Vec<(String, String)>,
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

impl<W: Write> Html<W> {
    /// A page that is written to `out`.
    pub fn new(out: W) -> Self {
        let (course, sections) = (String::new(), Vec::new());
        Self { out, course, sections, open: None, bytes_left: MOST_BYTES_OF_OUTPUTS }
    }
}

impl<W: Write> Writer for Html<W> {
    fn begin(&mut self, course: &Course) -> io::Result<()> {
        self.course.clone_from(&course.title);
        Ok(())
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        let notes = |mutant| bug::Notes::new(mutant, about.assignment);
        self.open = Some(Open {
            number: self.sections.len(),
            title: about.assignment.title.clone(),
            program: match about.assignment.unit {
                // No command runs a unit test.
                Some(_) => String::new(),
                None => about.assignment.id.clone(),
            },
            domain: about.assignment.domain.clone(),
            level: about.level,
            noun: noun(about.audience),
            shape: about.shape,
            notes_of_class: class::notes(about),
            ledger: Ledger::new(about.mutant_names.to_vec()),
            notes: about.catalogue.map(|mutants| mutants.iter().map(notes).collect()),
            suites: Vec::new(),
            sketches: BTreeMap::new(),
            cells: Cells::new(self.bytes_left),
        });
        Ok(())
    }

    fn shows(&self) -> Shows {
        match &self.open {
            Some(Open { shape: Shape::Suite, notes: Some(_), .. }) => Shows::Outcomes,
            Some(Open { shape: Shape::Suite, notes: None, .. }) => Shows::Inputs,
            // A class has too many tests to draw them.
            Some(Open { shape: Shape::Class, .. }) | None => Shows::Results,
        }
    }

    fn test(&mut self, test: &DrawnTest<'_>) -> io::Result<()> {
        if let Some(open) = &mut self.open {
            open.draw(test);
        }
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        if let Some(open) = &mut self.open {
            let graded = open.ledger.add(suite, &open.program);
            open.suites.push(graded);
        }
        Ok(())
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        if let Some(open) = self.open.take() {
            self.bytes_left = open.cells.bytes_left();
            self.sections.push(Section { title: open.title.clone(), html: open.html() });
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.out.write_all(whole(&self.course, &self.sections, SCRIPT).as_bytes())?;
        self.out.flush()
    }
}

impl Open {
    fn draw(&mut self, test: &DrawnTest<'_>) {
        let Some((reference, differing)) = test.outcomes.filter(|_| self.notes.is_some()) else {
            self.sketches
                .insert(test.file.to_owned(), Sketch::of_input(&*self.domain, &test.draft));
            return;
        };
        let sketch = Sketch::of_outcome(&*self.domain, &test.draft, reference);
        for difference in differing {
            self.cells.add(&*self.domain, test, &sketch, reference, difference);
        }
        self.sketches.insert(test.file.to_owned(), sketch);
    }

    fn html(mut self) -> String {
        let section = self.number.to_string();
        let bugs = bug::bugs(&self.ledger, self.notes.take(), self.level, &section);
        match self.shape {
            Shape::Suite => suite::html(&self, &bugs),
            Shape::Class => class::html(&self, &bugs),
        }
    }
}

/// The page of a run that failed.
pub(super) fn failed(reasons: &[String]) -> String {
    let html = rendered(&Failed { reasons });
    whole("Not scored", &[Section { title: "Not scored".to_owned(), html }], "")
}

#[derive(Template)]
#[template(path = "failed.html")]
struct Failed<'a> {
    reasons: &'a [String],
}

/// The hash by which the page's content security policy allows a script or a style.
fn digest(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// A whole page of one assignment, with the scripts of every page.
pub fn page(course: &str, title: &str, html: String) -> String {
    whole(course, &[Section { title: title.to_owned(), html }], SCRIPT)
}

/// A whole page of these sections.
fn whole(course: &str, sections: &[Section], script: &str) -> String {
    rendered(&Page {
        course,
        sections,
        style: PAGE_STYLE,
        script,
        style_digest: digest(PAGE_STYLE),
        script_digest: digest(script),
    })
}

fn rendered(template: &impl Template) -> String {
    template.render().expect("a `String` takes any text")
}

/// A value as JSON that is safe in a script element.
fn in_script(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("every key is a string");
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
    fn data_cannot_end_the_script_that_contains_it() {
        let text = in_script(&"</script><!--<script>&\u{2028}");
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(
            serde_json::from_str::<String>(&text).unwrap(),
            "</script><!--<script>&\u{2028}"
        );
    }
}
