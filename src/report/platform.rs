//! Formats of grading platforms. They collect the result of one student and write it as one document at the end.
//!
//! A platform always gets the score, because it stores it. If a format cannot hide the score, it is refused for readers who may not
//! see it.

pub(super) mod classroom;
pub(super) mod gradescope;
pub(super) mod prairielearn;

use super::failed::FOR_STUDENTS;
use super::words::{
    counted, exposed_by, hint, measured, noun, number, reason, scored, share_exposed, thresholds,
};
use super::writer::{About, Writer};
use crate::course::{Audience, Level};
use crate::result::{MutantReport, SuiteReport};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

/// Collects what students earned, and writes a platform's documents at the end.
pub(super) struct Platform {
    documents: Documents,
    kind: PlatformKind,
    graded: Vec<Graded>,
    level: Level,
    noun: &'static str,
    /// The word for what counts.
    scored: &'static str,
    title: String,
    mutants: Vec<MutantReport>,
}

/// Where the documents go.
pub enum Documents {
    /// One document.
    One(Box<dyn Write>),
    /// A document for each student of a class, by the name of the student's folder.
    EachStudent(Rc<RefCell<BTreeMap<String, String>>>),
}

/// A platform's documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlatformKind {
    document: fn(&[Graded]) -> serde_json::Result<String>,
    /// The document of a run that failed, with what students read.
    failed: fn(&str) -> serde_json::Result<String>,
    /// The document of a whole submission.
    pub(super) submission: fn(&Submission) -> serde_json::Result<String>,
}

/// The result of a whole submission, for any platform.
pub(super) struct Submission {
    pub(super) earned: f64,
    pub(super) max: f64,
    /// What the student must read first.
    pub(super) messages: String,
    /// Whether the submission was graded.
    pub(super) is_graded: bool,
    pub(super) parts: Vec<Part>,
    /// Names and values for a leaderboard, on which less is better.
    pub(super) leaderboard: Vec<(&'static str, f64)>,
}

/// A part of a submission's result.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) earned: f64,
    pub(super) max: f64,
    pub(super) output: String,
}

impl Part {
    /// Whether it earns everything.
    fn is_full(&self) -> bool {
        self.earned >= self.max
    }
}

impl PlatformKind {
    /// The document of a run that failed.
    pub(super) fn failed(self) -> Vec<u8> {
        let document = (self.failed)(FOR_STUDENTS).expect("it is made of texts and numbers");
        (document + "\n").into_bytes()
    }
}

/// The result of a student for one assignment.
struct Graded {
    student: String,
    /// The title of the assignment.
    title: String,
    level: Level,
    noun: &'static str,
    /// The word for what counts.
    scored: &'static str,
    points: f64,
    max_points: f64,
    /// Whether the student has full points.
    full: bool,
    /// The number of valid tests.
    valid: usize,
    /// The lines of the summary.
    summary: Vec<String>,
    /// Each exposed mutant and the tests that expose it, if the reader may see it.
    exposed: Vec<(String, String)>,
    /// Each missed mutant and its summary, if the reader may see it.
    missed: Vec<(String, String)>,
    /// Each rejected file, and why.
    rejected: Vec<(String, String)>,
}

impl Platform {
    pub(super) fn new(kind: PlatformKind, documents: Documents) -> Self {
        Self {
            documents,
            kind,
            graded: Vec::new(),
            level: Level::None,
            noun: noun(Audience::Staff),
            scored: noun(Audience::Staff),
            title: String::new(),
            mutants: Vec::new(),
        }
    }
}

impl Writer for Platform {
    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.level = about.level;
        self.noun = noun(about.audience);
        self.scored = scored(about.assignment.scoring.by, self.noun);
        self.title.clone_from(&about.assignment.title);
        self.mutants = about.mutants.to_vec();
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let score = suite.score.as_ref();
        self.graded.push(Graded {
            student: suite.name.clone(),
            title: self.title.clone(),
            level: self.level,
            noun: self.noun,
            scored: self.scored,
            points: score.map_or(0.0, |score| score.points),
            max_points: score.map_or(0.0, |score| score.max_points),
            full: score.is_some_and(|score| score.points >= score.max_points),
            valid: suite.valid_tests(),
            summary: summary(suite, self.level, self.noun),
            exposed: suite.exposed_by.iter().map(|(id, by)| (id.clone(), exposed_by(by))).collect(),
            missed: suite
                .missed(&self.mutants)
                .map(|mutant| (mutant.id.clone(), mutant.summary.clone()))
                .collect(),
            rejected: rejected(suite),
        });
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        let document = self.kind.document;
        match self.documents {
            Documents::One(mut out) => {
                writeln!(out, "{}", document(&self.graded)?)?;
                out.flush()
            }
            Documents::EachStudent(documents) => {
                // The results of a student's assignments go into one document.
                self.graded.sort_by(|one, other| one.student.cmp(&other.student));
                for graded in self.graded.chunk_by(|one, other| one.student == other.student) {
                    let text = document(graded)? + "\n";
                    documents.borrow_mut().insert(graded[0].student.clone(), text);
                }
                Ok(())
            }
        }
    }
}

fn summary(suite: &SuiteReport, level: Level, noun: &str) -> Vec<String> {
    let tests = format!(
        "{}, {} rejected",
        counted(suite.valid_tests(), "valid test"),
        suite.rejected_tests()
    );
    let note = suite.note.as_ref().map(|note| format!("note: {note}"));
    let Some(score) = suite.score.as_ref().filter(|_| level >= Level::Count) else {
        return [tests].into_iter().chain(note).collect();
    };
    let mut lines = vec![share_exposed(score, noun)];
    let nouns = measured(score, noun);
    lines.extend(
        thresholds(score)
            .iter()
            .map(|(what, needed, met)| format!("{nouns} needed for {what}: {needed} ({met})")),
    );
    lines.push(tests);
    lines.extend(note);
    if !suite.hints.is_empty() {
        lines.push("\nhints, and the day on which each was given:".to_owned());
    }
    lines.extend(suite.hints.iter().map(|given| format!("  {}: {}", given.day, hint(given))));
    lines
}

fn rejected(suite: &SuiteReport) -> Vec<(String, String)> {
    let told = suite.rejected().map(|test| {
        let hint = test.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        (test.file.clone(), format!("{}{hint}", reason(test)))
    });
    let more = Some(suite.more_rejected).filter(|more| *more > 0);
    let more = more.map(|more| (format!("{more} more"), "rejected too".to_owned()));
    told.chain(more).collect()
}

/// The sum of the points of all assignments.
fn total(graded: &[Graded], points: fn(&Graded) -> f64) -> f64 {
    // Sums of hundredths are hundredths again.
    (graded.iter().map(points).sum::<f64>() * 100.0).round() / 100.0
}

impl Graded {
    /// The summary, then the exposed and the missed mutants, as text.
    fn text(&self) -> String {
        let mut lines = self.summary.clone();
        let parts = [("exposed", &self.exposed), ("missed", &self.missed)];
        for (title, entries) in parts.into_iter().filter(|(_, entries)| !entries.is_empty()) {
            lines.push(format!("\n{title} {}s:", self.noun));
            lines.extend(entries.iter().map(|(name, text)| format!("  {name}: {text}")));
        }
        lines.join("\n")
    }

    /// The points as `6.67 of 10 points`.
    fn earned(&self) -> String {
        format!("{} of {} points", number(self.points), number(self.max_points))
    }
}
