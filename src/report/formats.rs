//! Every format of `score` and `grade`: a line for each in [`FORMATS`]. The command line takes the names, the help and the endings of
//! files from this table, and what each command writes. A test compares the table in `docs/formats.md` with it.
//!
//! A new platform is a file in `platform` and a line here.

use super::csv::Csv;
use super::failed;
use super::graded;
use super::html::{self, Html};
use super::json::Json;
use super::junit::Junit;
use super::markdown::Markdown;
use super::platform::{Documents, Platform, PlatformKind, classroom, gradescope, prairielearn};
use super::screen::{Screen, WriteText};
use super::stryker::{Source, Stryker};
use super::text::Text;
use super::writer::Writer;
use crate::course::{Audience, Level};
use crate::diagnostic::{Failure, Problem};
use crate::domain::Domain;
use crate::result::graded::Graded;
use crate::result::regraded::Regraded;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

/// The format of standard output if no other goes there.
pub const TEXT: &str = "text";
/// The format of `--html`.
pub const HTML: &str = "html";

/// Every format, in the order of the help.
#[rustfmt::skip]
pub static FORMATS: [Format; 10] = [
    Format { name: TEXT, ending: "txt", needs: Level::None, written: AS_TEXT, help: "For a person" },
    Format { name: "json", ending: "json", needs: Level::None, written: AS_JSON, help: "For a machine; docs/json.md describes it" },
    Format { name: "csv", ending: "csv", needs: Level::None, written: AS_CSV, help: "A gradebook with a row for each student and assignment" },
    Format { name: "md", ending: "md", needs: Level::None, written: AS_MARKDOWN, help: "A summary in Markdown" },
    Format { name: "junit", ending: "xml", needs: Level::None, written: AS_JUNIT, help: "JUnit XML with a suite for each student and a case for each mutant" },
    Format { name: "gradescope", ending: "json", needs: Level::None, written: By(gradescope::KIND), help: "Gradescope's results.json" },
    Format { name: "prairielearn", ending: "json", needs: Level::Count, written: By(prairielearn::KIND), help: "PrairieLearn's results.json" },
    Format { name: "github-classroom", ending: "txt", needs: Level::Count, written: By(classroom::KIND), help: "The result of a step for GitHub Classroom" },
    Format { name: "stryker", ending: "json", needs: Level::All, written: AS_STRYKER, help: "A mutation-testing report, for the viewer `mutation-testing-elements`" },
    Format { name: HTML, ending: "html", needs: Level::None, written: AS_PAGE, help: "One page that shows everything in a browser; --html FILE is short for it" },
];

/// A format of reports.
#[derive(Debug)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// How its files end.
    pub ending: &'static str,
    /// What its readers must be allowed to see, because the format always shows it.
    pub needs: Level,
    /// What `--help` says of it.
    pub help: &'static str,
    written: Written,
}

/// What writes a format.
#[derive(Debug)]
enum Written {
    /// A platform reads the result of one student.
    By(PlatformKind),
    As(Report),
}
use Written::{As, By};

/// What writes scores, why there are none, submissions, and what a regrade changes. Not every format can hold all of them.
#[derive(Debug)]
struct Report {
    scored: Scored,
    failed: Option<Failed>,
    graded: Option<fn(&Graded, &dyn Domain, &str, Screen) -> io::Result<String>>,
    regraded: Option<fn(&Regraded, Screen) -> io::Result<String>>,
}

type Scored = fn(Box<dyn Write>, &Given<'_>) -> Result<Box<dyn Writer>, Failure>;
type Failed = fn(&[String]) -> Vec<u8>;

/// What a writer of scores may need besides them.
pub struct Given<'a> {
    pub screen: Screen,
    /// The sources that the mutants of each assignment are in, by its id.
    pub sources: &'a dyn Fn() -> Result<BTreeMap<String, Vec<Source>>, Failure>,
}

const AS_TEXT: Written = As(Report {
    scored: |out, given| Ok(Box::new(Text::new(out, given.screen))),
    failed: Some(failed::text),
    graded: Some(|all, domain, noun, screen| {
        Ok(text(|out| graded::write(out, all, domain, noun, screen)))
    }),
    regraded: Some(|regraded, screen| Ok(text(|out| regraded.write_text(out, screen)))),
});

const AS_JSON: Written = As(Report {
    scored: |out, _| Ok(Box::new(Json::new(out))),
    failed: Some(failed::json),
    graded: Some(|all, _, _, _| Ok(serde_json::to_string_pretty(all)? + "\n")),
    regraded: Some(|regraded, _| Ok(serde_json::to_string_pretty(regraded)? + "\n")),
});

const AS_PAGE: Written = As(Report {
    scored: |out, _| Ok(Box::new(Html::new(out))),
    failed: Some(failed::page),
    graded: Some(|all, _, _, _| Ok(html::graded::page(all))),
    regraded: None,
});

const AS_CSV: Written = scores(|out, _| Ok(Box::new(Csv::new(out))), Some(failed::csv));
const AS_MARKDOWN: Written =
    scores(|out, _| Ok(Box::new(Markdown::new(out))), Some(failed::markdown));
const AS_JUNIT: Written = scores(|out, _| Ok(Box::new(Junit::new(out))), Some(failed::junit));
/// Its readers need a source with mutants, so it cannot say why there are no scores.
const AS_STRYKER: Written =
    scores(|out, given| Ok(Box::new(Stryker::new(out, (given.sources)()?))), None);

/// What holds only scores.
const fn scores(scored: Scored, failed: Option<Failed>) -> Written {
    As(Report { scored, failed, graded: None, regraded: None })
}

fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).expect("a `String` takes any text");
    text
}

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Whether a platform reads it, which stores the score even if students may not see it there.
    pub fn is_for_platform(&self) -> bool {
        matches!(self.written, By(_))
    }

    /// Who reads it unless `--audience` says otherwise.
    pub fn audience(&self) -> Audience {
        if self.is_for_platform() { Audience::Normal } else { Audience::Staff }
    }

    /// How much it gets for a reader at `level`. A platform needs the score, even if its reader may not see it.
    pub fn level(&self, level: Level) -> Level {
        if self.is_for_platform() { level.max(Level::Count) } else { level }
    }

    /// Whether it can hold whole submissions.
    pub fn can_grade(&self) -> bool {
        !matches!(self.written, As(Report { graded: None, .. }))
    }

    /// Whether it can hold what a regrade changes.
    pub fn can_regrade(&self) -> bool {
        matches!(self.written, As(Report { regraded: Some(_), .. }))
    }

    /// A writer of scores.
    ///
    /// # Errors
    /// If what the writer needs cannot be read.
    pub fn scored(&self, out: Documents, given: &Given<'_>) -> Result<Box<dyn Writer>, Failure> {
        match (&self.written, out) {
            (By(kind), out) => Ok(Box::new(Platform::new(*kind, out))),
            (As(report), Documents::One(out)) => (report.scored)(out, given),
            (As(_), Documents::EachStudent(_)) => unreachable!("no platform reads `{}`", self.name),
        }
    }

    /// Why nothing was scored, for this reader. `None` if the format cannot say it.
    pub fn failed(&self, problems: &[Problem], audience: Audience) -> Option<Vec<u8>> {
        match &self.written {
            By(kind) => Some(kind.failed()),
            As(report) => report.failed.map(|failed| failed(&failed::reasons(problems, audience))),
        }
    }

    /// Whole submissions, if it can hold them.
    pub fn graded(
        &self,
        all: &Graded,
        domain: &dyn Domain,
        noun: &str,
        screen: Screen,
    ) -> Option<io::Result<String>> {
        match &self.written {
            By(kind) => Some(graded::platform::documents(*kind, &all.submissions, domain, noun)),
            As(report) => report.graded.map(|graded| graded(all, domain, noun, screen)),
        }
    }

    /// What a regrade changes, if it can hold that.
    pub fn regraded(&self, regraded: &Regraded, screen: Screen) -> Option<io::Result<String>> {
        let As(Report { regraded: Some(write), .. }) = &self.written else { return None };
        Some(write(regraded, screen))
    }
}
