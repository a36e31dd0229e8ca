//! `--format junit`: a suite for each student, a case for each bug, and a failure for each that is not exposed.
//!
//! A rejected test is a skipped case. If the reader may not see all bugs, one more case stands for full points.

use super::words::{exposed_by, noun, number, reason, share_exposed};
use super::writer::{About, Writer};
use crate::course::{Audience, Course, Level};
use crate::result::score::Score;
use crate::result::{LeftOut, MutantReport, SuiteReport, TestReport};
use quick_xml::Writer as Xml;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::io::{self, Write};

/// Writes each suite as soon as it is scored.
pub struct Junit<W: Write> {
    out: Xml<W>,
    assignment: String,
    level: Level,
    noun: &'static str,
    mutants: Vec<MutantReport>,
}

/// One case of a suite.
struct Case {
    class: String,
    name: String,
    result: Result,
    output: Option<String>,
}

/// The result of a case, with its message.
enum Result {
    Passed,
    Failed(String),
    Skipped(String),
    /// The run failed.
    Error(String),
}

impl<W: Write> Junit<W> {
    pub fn new(out: W) -> Self {
        let (out, assignment) = (Xml::new_with_indent(out, b' ', 2), String::new());
        Self {
            out,
            assignment,
            level: Level::None,
            noun: noun(Audience::Staff),
            mutants: Vec::new(),
        }
    }

    fn mutants(&self, suite: &SuiteReport) -> Vec<Case> {
        let exposed = suite.exposed_by.iter().map(|(id, by)| {
            let output = Some(format!("exposed by {}", exposed_by(by)));
            Case {
                class: self.noun.to_owned() + "s",
                name: id.clone(),
                result: Result::Passed,
                output,
            }
        });
        let missed = suite.missed(&self.mutants).map(|mutant| {
            let result = Result::Failed(format!("not exposed: {}", mutant.summary));
            Case {
                class: self.noun.to_owned() + "s",
                name: mutant.id.clone(),
                result,
                output: None,
            }
        });
        let mut cases: Vec<_> = exposed.chain(missed).collect();
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        if self.level < Level::All {
            cases.extend(suite.score.as_ref().map(|score| full_points(score, self.noun)));
        }
        cases
    }

    fn write(&mut self, case: &Case) -> io::Result<()> {
        let mut start = BytesStart::new("testcase");
        start.push_attribute(("name", allowed(&case.name).as_str()));
        start.push_attribute((
            "classname",
            allowed(&format!("{}.{}", self.assignment, case.class)).as_str(),
        ));
        if matches!(case.result, Result::Passed) && case.output.is_none() {
            return self.out.write_event(Event::Empty(start));
        }
        self.out.write_event(Event::Start(start))?;
        let result = match &case.result {
            Result::Passed => None,
            Result::Failed(message) => Some((
                BytesStart::new("failure").with_attributes([("type", "not-exposed")]),
                message,
            )),
            Result::Skipped(message) => Some((BytesStart::new("skipped"), message)),
            Result::Error(message) => Some((BytesStart::new("error"), message)),
        };
        if let Some((mut element, message)) = result {
            element.push_attribute(("message", allowed(message).as_str()));
            self.out.write_event(Event::Empty(element))?;
        }
        if let Some(output) = &case.output {
            self.out
                .create_element("system-out")
                .write_text_content(BytesText::new(&allowed(output)))?;
        }
        self.out.write_event(Event::End(BytesEnd::new("testcase")))
    }
}

impl<W: Write> Writer for Junit<W> {
    fn begin(&mut self, course: &Course) -> io::Result<()> {
        self.start(&course.title)
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.assignment.clone_from(&about.assignment.id);
        self.level = about.level;
        self.noun = noun(about.audience);
        self.mutants = about.mutants.to_vec();
        about.left_out.iter().try_for_each(|LeftOut { name, what }| {
            self.suite_of(name, &[note(name, Result::Skipped(format!("not a suite: {what}")))])
        })
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let mut cases = self.mutants(suite);
        cases.extend(suite.rejected().map(rejected));
        cases.extend((suite.more_rejected > 0).then(|| more_rejected(suite.more_rejected)));
        cases.extend(suite.note.iter().map(|text| Case {
            output: Some(text.clone()),
            ..note("where the tests are", Result::Passed)
        }));
        self.suite_of(&suite.name, &cases)
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.stop()
    }
}

impl<W: Write> Junit<W> {
    /// The report of a run that failed, with a case for each reason.
    pub(super) fn failed(mut self, reasons: &[String]) -> io::Result<()> {
        self.start("harness")?;
        let case = |reason: &String| note("not scored", Result::Error(reason.clone()));
        self.suite_of("not scored", &reasons.iter().map(case).collect::<Vec<_>>())?;
        self.stop()
    }

    fn start(&mut self, title: &str) -> io::Result<()> {
        self.out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let start =
            BytesStart::new("testsuites").with_attributes([("name", allowed(title).as_str())]);
        self.out.write_event(Event::Start(start))
    }

    fn stop(&mut self) -> io::Result<()> {
        self.out.write_event(Event::End(BytesEnd::new("testsuites")))?;
        let out = self.out.get_mut();
        writeln!(out)?;
        out.flush()
    }

    fn suite_of(&mut self, name: &str, cases: &[Case]) -> io::Result<()> {
        let failed = cases.iter().filter(|case| matches!(case.result, Result::Failed(_))).count();
        let skipped = cases.iter().filter(|case| matches!(case.result, Result::Skipped(_))).count();
        let errors = cases.iter().filter(|case| matches!(case.result, Result::Error(_))).count();
        let mut start = BytesStart::new("testsuite");
        start.push_attribute(("name", allowed(&format!("{}/{name}", self.assignment)).as_str()));
        for (name, count) in
            [("tests", cases.len()), ("failures", failed), ("errors", errors), ("skipped", skipped)]
        {
            start.push_attribute((name, count.to_string().as_str()));
        }
        self.out.write_event(Event::Start(start))?;
        cases.iter().try_for_each(|case| self.write(case))?;
        self.out.write_event(Event::End(BytesEnd::new("testsuite")))
    }
}

fn note(name: &str, result: Result) -> Case {
    Case { class: "notes".to_owned(), name: name.to_owned(), result, output: None }
}

fn full_points(score: &Score, noun: &str) -> Case {
    let (points, max_points) = (number(score.points), number(score.max_points));
    let said = format!("{}: {points} of {max_points} points", share_exposed(score, noun));
    let (result, output) = if score.points >= score.max_points {
        (Result::Passed, Some(said))
    } else {
        (Result::Failed(said), None)
    };
    Case { class: "score".to_owned(), name: "full points".to_owned(), result, output }
}

fn rejected(test: &TestReport) -> Case {
    let output = test.hint.as_ref().map(|hint| format!("hint: {hint}"));
    Case {
        class: "tests".to_owned(),
        name: test.file.clone(),
        result: Result::Skipped(format!("rejected: {}", reason(test))),
        output,
    }
}

fn more_rejected(files: usize) -> Case {
    Case {
        class: "tests".to_owned(),
        name: format!("{files} more"),
        result: Result::Skipped("rejected too".to_owned()),
        output: None,
    }
}

/// `text` without the characters that XML forbids even if they are escaped.
fn allowed(text: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(is_allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_left_out() {
        assert_eq!(allowed("a\u{0}\u{b}\u{1b}\u{ffff}\u{fffe}\tb\u{1f600}"), "a\tb\u{1f600}");
    }
}
