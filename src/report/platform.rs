//! Formats of grading platforms. They collect the result of one student and write it as one document at the end.
//!
//! A platform always gets the score, because it stores it. If a format cannot hide the score, it is refused for readers who may not
//! see it.

pub mod classroom;
pub mod gradescope;
pub mod prairielearn;

use super::format::{About, Format};
use super::words::{counted, exposed_by, hint, noun, number, reason, share_exposed, thresholds};
use crate::course::{Audience, Course, Level};
use crate::result::{MutantReport, SuiteReport};
use std::io::{self, Write};

/// The most rejected files in a result. A folder may contain any number, and platforms limit the size of a result.
const MOST_REJECTED: usize = 100;

/// Collects what a student earned, and writes a platform's document at the end.
pub struct Platform<W: Write> {
    out: W,
    document: fn(&[Graded]) -> serde_json::Result<String>,
    graded: Vec<Graded>,
    level: Level,
    noun: &'static str,
    title: String,
    mutants: Vec<MutantReport>,
}

/// The result of a student for one assignment.
struct Graded {
    /// The title of the assignment.
    title: String,
    level: Level,
    noun: &'static str,
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

impl<W: Write> Platform<W> {
    /// A writer of Gradescope's `results.json`.
    pub fn gradescope(out: W) -> Self {
        Self::new(out, gradescope::document)
    }

    /// A writer of `PrairieLearn`'s `results.json`.
    pub fn prairielearn(out: W) -> Self {
        Self::new(out, prairielearn::document)
    }

    /// A writer of the `result` of a GitHub Classroom step.
    pub fn classroom(out: W) -> Self {
        Self::new(out, classroom::document)
    }

    fn new(out: W, document: fn(&[Graded]) -> serde_json::Result<String>) -> Self {
        Self {
            out,
            document,
            graded: Vec::new(),
            level: Level::None,
            noun: noun(Audience::Staff),
            title: String::new(),
            mutants: Vec::new(),
        }
    }
}

impl<W: Write> Format for Platform<W> {
    fn begin(&mut self, _: &Course) -> io::Result<()> {
        Ok(())
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.level = about.level;
        self.noun = noun(about.audience);
        self.title.clone_from(&about.assignment.title);
        self.mutants = about.mutants.to_vec();
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let score = suite.score.as_ref();
        self.graded.push(Graded {
            title: self.title.clone(),
            level: self.level,
            noun: self.noun,
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

    fn end_assignment(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        writeln!(self.out, "{}", (self.document)(&self.graded)?)?;
        self.out.flush()
    }
}

fn summary(suite: &SuiteReport, level: Level, noun: &str) -> Vec<String> {
    let tests = format!(
        "{}, {} rejected",
        counted(suite.valid_tests(), "valid test"),
        suite.rejected().count()
    );
    let Some(score) = suite.score.as_ref().filter(|_| level >= Level::Count) else {
        return vec![tests];
    };
    let mut lines = vec![share_exposed(score, noun)];
    lines.extend(
        thresholds(score)
            .iter()
            .map(|(what, needed, met)| format!("{noun}s needed for {what}: {needed} ({met})")),
    );
    lines.push(tests);
    if !suite.hints.is_empty() {
        lines.push("\nhints, and the day on which each was given:".to_owned());
    }
    lines.extend(suite.hints.iter().map(|given| format!("  {}: {}", given.day, hint(given))));
    lines
}

fn rejected(suite: &SuiteReport) -> Vec<(String, String)> {
    let all: Vec<_> = suite.rejected().collect();
    let told = all.iter().take(MOST_REJECTED).map(|test| {
        let hint = test.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        (test.file.clone(), format!("{}{hint}", reason(test)))
    });
    let more = all.len().checked_sub(MOST_REJECTED).filter(|more| *more > 0);
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
