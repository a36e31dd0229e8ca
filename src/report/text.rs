//! `--format text`: the report that a person reads.

use super::difficulty::Difficulty;
use super::format::{About, Format};
use super::words::{command, counted, exposed_by, hint, met, number, reason};
use crate::course::{Course, Level};
use crate::problem::printable;
use crate::result::score::Score;
use crate::result::{MutantReport, Status, SuiteReport, TestReport};
use crate::suite::layout::Shape;
use std::io::{self, Write};

/// Characters of the longest name that others are lined up with.
const WIDEST: usize = 60;

/// Writes the results of one assignment for a person.
pub struct Text<W: Write> {
    out: W,
    level: Level,
    program: String,
    mutants: Vec<MutantReport>,
    shape: Shape,
    name_width: usize,
    class: ClassTotals,
}

/// What is counted over a class.
#[derive(Default)]
struct ClassTotals {
    suites: usize,
    points: f64,
    difficulty: Difficulty,
}

impl<W: Write> Text<W> {
    /// A writer of reports.
    pub fn new(out: W) -> Self {
        Self {
            out,
            level: Level::None,
            program: String::new(),
            mutants: Vec::new(),
            shape: Shape::Suite,
            name_width: 0,
            class: ClassTotals::default(),
        }
    }
}

impl<W: Write> Format for Text<W> {
    fn begin(&mut self, _: &Course) -> io::Result<()> {
        Ok(())
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.level = about.level;
        self.program.clone_from(&about.assignment.id);
        self.mutants = about.mutants.to_vec();
        self.shape = about.shape;
        self.name_width = about
            .names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .clamp("suite".len(), WIDEST);
        self.class = ClassTotals::default();
        let what = match about.shape {
            Shape::Suite => "one suite".to_owned(),
            Shape::Class => format!("a class of {}", counted(about.names.len(), "suite")),
        };
        writeln!(self.out, "{}: {what}", about.assignment.title)?;
        if about.shape == Shape::Class {
            let counts = if self.level >= Level::Count { "  exposed  points" } else { "" };
            writeln!(
                self.out,
                "\n  {:<width$}  valid  rejected{counts}",
                "suite",
                width = self.name_width
            )?;
        }
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        match self.shape {
            Shape::Suite => self.one_suite(suite),
            Shape::Class => self.line_of_class(suite),
        }
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        if self.shape == Shape::Class && self.level >= Level::Count {
            self.class_totals()?;
        }
        writeln!(self.out)
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Text<W> {
    fn one_suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let width =
            suite.tests.iter().map(|test| test.file.chars().count()).max().unwrap_or(0).min(WIDEST);
        self.rejected(suite, width)?;
        self.tests(suite, width)?;
        if self.level >= Level::Exposed {
            self.mutants(suite)?;
        }
        if !suite.hints.is_empty() {
            writeln!(self.out, "\nHints, and the day on which each was given")?;
        }
        self.hints(suite)?;
        match &suite.score {
            Some(score) => self.score(score),
            None => Ok(()),
        }
    }

    fn hints(&mut self, suite: &SuiteReport) -> io::Result<()> {
        for given in &suite.hints {
            writeln!(self.out, "  {}  {}", given.day, printable(&hint(given)))?;
        }
        Ok(())
    }

    fn rejected(&mut self, suite: &SuiteReport, width: usize) -> io::Result<()> {
        let rejected = suite.rejected().count();
        if rejected > 0 {
            writeln!(self.out, "\nRejected: {}", counted(rejected, "file"))?;
        }
        for test in suite.rejected() {
            writeln!(self.out, "  {:<width$}  {}", test.file, reason(test))?;
            for line in excerpt(test)
                .into_iter()
                .chain(test.hint.as_ref().map(|hint| format!("hint: {hint}")))
            {
                writeln!(self.out, "  {:<width$}  {line}", "")?;
            }
        }
        if !suite.ignored.is_empty() {
            writeln!(self.out, "\nNot tests, left alone: {}", suite.ignored.join(", "))?;
        }
        Ok(())
    }

    fn tests(&mut self, suite: &SuiteReport, width: usize) -> io::Result<()> {
        writeln!(self.out, "\nValid: {}", counted(suite.valid_tests(), "test"))?;
        let valid: Vec<_> =
            suite.tests.iter().filter(|test| test.status == Status::Valid).collect();
        let commands: Vec<_> =
            valid.iter().map(|test| command(&self.program, &test.args)).collect();
        let command_width = commands.iter().map(String::len).max().unwrap_or(0);
        for (test, command) in valid.into_iter().zip(commands) {
            if self.level < Level::Exposed {
                writeln!(self.out, "  {:<width$}  {command}", test.file)?;
                continue;
            }
            let exposes = match test.exposes.as_slice() {
                [] => "exposes nothing".to_owned(),
                ids => format!("exposes {:>2}: {}", ids.len(), ids.join(", ")),
            };
            writeln!(self.out, "  {:<width$}  {command:<command_width$}  {exposes}", test.file)?;
        }
        Ok(())
    }

    fn mutants(&mut self, suite: &SuiteReport) -> io::Result<()> {
        writeln!(self.out, "\nExposed: {}", counted(suite.exposed_by.len(), "mutant"))?;
        let width = suite
            .exposed_by
            .keys()
            .chain(self.mutants.iter().map(|mutant| &mutant.id))
            .map(String::len)
            .max()
            .unwrap_or(0);
        for (id, exposures) in &suite.exposed_by {
            writeln!(self.out, "  {id:<width$}  by {}", exposed_by(exposures))?;
        }
        let missed: Vec<_> = suite.missed(&self.mutants).collect();
        if !missed.is_empty() {
            writeln!(self.out, "\nMissed: {}", counted(missed.len(), "mutant"))?;
        }
        for mutant in missed {
            let line = format!("  {:<width$}  {}", mutant.id, mutant.summary);
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn score(&mut self, score: &Score) -> io::Result<()> {
        writeln!(
            self.out,
            "\nScore: {} of {} points",
            number(score.points),
            number(score.max_points)
        )?;
        writeln!(self.out, "  bugs that exist                {:>4}", score.mutants)?;
        writeln!(self.out, "  bugs exposed                   {:>4}", score.exposed)?;
        writeln!(
            self.out,
            "  needed to start earning points {:>4}  {}",
            score.start,
            met(score.exposed, score.start)
        )?;
        writeln!(
            self.out,
            "  needed for full points         {:>4}  {}",
            score.full,
            met(score.exposed, score.full)
        )?;
        if let Some(extra) = score.extra_submission {
            writeln!(
                self.out,
                "  needed for an extra submission {extra:>4}  {}",
                met(score.exposed, extra)
            )?;
        }
        Ok(())
    }

    fn line_of_class(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let (valid, rejected) = (suite.valid_tests(), suite.rejected().count());
        write!(
            self.out,
            "  {:<width$}  {valid:>5}  {rejected:>8}",
            suite.name,
            width = self.name_width
        )?;
        if let Some(score) = &suite.score {
            write!(self.out, "  {:>7}  {:>6}", score.exposed, number(score.points))?;
            self.class.suites += 1;
            self.class.points += score.points;
        }
        self.class.difficulty.add(suite);
        writeln!(self.out)?;
        self.hints(suite)
    }

    fn class_totals(&mut self) -> io::Result<()> {
        let suites = self.class.suites;
        writeln!(
            self.out,
            "\nMean: {} points",
            number((self.class.points / suites.max(1) as f64 * 100.0).round() / 100.0)
        )?;
        if self.level < Level::All {
            return Ok(());
        }
        writeln!(self.out, "\nMutants, by how many of the {suites} suites expose them")?;
        for (count, mutant) in self.class.difficulty.in_order(&self.mutants) {
            writeln!(self.out, "  {count:>5}  {}", mutant.id)?;
        }
        Ok(())
    }
}

/// The line that is wrong, with its number, and the carets below it; or the name.
pub(super) fn excerpt(test: &TestReport) -> Vec<String> {
    let Some(excerpt) = &test.excerpt else { return Vec::new() };
    let number = test.line.map(|line| line.to_string());
    let margin = number.as_ref().map(|number| " ".repeat(number.len()));
    let beside = |margin: Option<String>, text: &str| {
        margin.map_or(text.to_owned(), |margin| format!("{margin} | {text}"))
    };
    let carets = excerpt.carets().map(|carets| beside(margin, &carets));
    [beside(number, &excerpt.text)].into_iter().chain(carets).collect()
}
