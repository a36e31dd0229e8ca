//! `--format text`: the report of `score` as text.

use super::difficulty::Difficulty;
use super::screen::{BAD, GOOD, STRONG, Screen, WARNING, shortened, width};
use super::table::Table;
use super::words::{
    capitalized, command, counted, covered, exposed_by, exposed_by_briefly, hint, lines, met, noun,
    number, reason, refused, scored, too_broad,
};
use super::writer::{About, Writer};
use crate::course::{Audience, Level};
use crate::diagnostic::printable;
use crate::result::coverage::CoverageReport;
use crate::result::engines::SlowerProgram;
use crate::result::score::Score;
use crate::result::{Exposure, MutantReport, Status, SuiteReport, TestReport};
use crate::suite::layout::Shape;
use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// The greatest width of the column of names in a class's table.
const WIDEST_NAME: usize = 60;
/// The most columns of a command line in a table. Each row is as wide as the widest.
const COMMAND_WIDTH: usize = 80;
/// The most rejected files that are explained, and the most ignored files that are named.
const MOST_REJECTED: usize = 20;
const MOST_IGNORED: usize = 10;
/// The width of the other columns of a class's table.
const COUNTS_WIDTH: usize = "  ".len() + "  valid  rejected  exposed  points".len();

/// Writes the results of each assignment.
pub struct Text<W: Write> {
    out: W,
    screen: Screen,
    level: Level,
    noun: &'static str,
    program: String,
    /// Whether a test is run by a command. A unit test is not.
    has_commands: bool,
    mutants: Vec<MutantReport>,
    shape: Shape,
    name_width: usize,
    class: ClassTotals,
}

/// Sums over a class.
#[derive(Default)]
struct ClassTotals {
    suites: usize,
    points: f64,
    difficulty: Difficulty,
}

impl<W: Write> Text<W> {
    pub fn new(out: W, screen: Screen) -> Self {
        Self {
            out,
            screen,
            level: Level::None,
            noun: noun(Audience::Staff),
            program: String::new(),
            has_commands: true,
            mutants: Vec::new(),
            shape: Shape::Suite,
            name_width: 0,
            class: ClassTotals::default(),
        }
    }
}

impl<W: Write> Writer for Text<W> {
    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        self.level = about.level;
        self.noun = noun(about.audience);
        self.program.clone_from(&about.assignment.id);
        self.has_commands = about.assignment.unit.is_none();
        self.mutants = about.mutants.to_vec();
        self.shape = about.shape;
        let widest = about.names.iter().map(|name| width(name)).max().unwrap_or(0);
        let room = self.screen.columns.map(|columns| columns.saturating_sub(COUNTS_WIDTH));
        self.name_width =
            widest.min(room.unwrap_or(WIDEST_NAME).min(WIDEST_NAME)).max("suite".len());
        self.class = ClassTotals::default();
        let what = match about.shape {
            Shape::Suite => "one suite".to_owned(),
            Shape::Class => format!("a class of {}", counted(about.names.len(), "suite")),
        };
        let title = format!("{}: {what}", about.assignment.title);
        let inner = about.inner_folders;
        self.write(|text, out| {
            out.push_str(&text.screen.fit(&text.screen.styled(STRONG, &title)));
            writeln!(out)?;
            if text.shape == Shape::Suite {
                return Ok(());
            }
            if inner > 0 {
                let students = counted(inner, "student");
                writeln!(out, "Tests are in the folder `{}` of {students}", text.program)?;
            }
            text.screen.left_out(out, "suites", about.left_out)?;
            text.screen.files(out, about.files)?;
            let counts = if text.level >= Level::Count { "  exposed  points" } else { "" };
            let heading =
                format!("{:<name$}  valid  rejected{counts}", "suite", name = text.name_width);
            writeln!(out, "\n  {}", text.screen.styled(STRONG, &heading))
        })
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        if self.shape == Shape::Class {
            self.class.difficulty.add(suite);
        }
        if let Some(score) = &suite.score {
            self.class.suites += 1;
            self.class.points += score.points;
        }
        self.write(|text, out| match text.shape {
            Shape::Suite => text.one_suite(out, suite),
            Shape::Class => text.line_of_class(out, suite),
        })
    }

    fn engines(&mut self, programs: &[SlowerProgram]) -> io::Result<()> {
        self.write(|text, out| {
            if !programs.is_empty() {
                writeln!(out)?;
            }
            text.screen.notes(out, programs)
        })
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        self.write(|text, out| {
            if text.shape == Shape::Class && text.level >= Level::Count {
                text.class_totals(out)?;
            }
            writeln!(out)
        })
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Text<W> {
    fn write(&mut self, part: impl FnOnce(&Self, &mut String) -> fmt::Result) -> io::Result<()> {
        let mut out = String::new();
        part(self, &mut out).expect("a `String` takes any text");
        self.out.write_all(out.as_bytes())
    }

    fn one_suite(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        if let Some(note) = &suite.note {
            self.screen.field(out, "Note: ", note)?;
        }
        self.rejected(out, suite)?;
        self.tests(out, suite)?;
        if self.level >= Level::Exposed {
            self.mutants(out, suite)?;
        }
        if !suite.hints.is_empty() {
            self.heading(out, "Hints, and the day on which each was given")?;
        }
        self.hints(out, suite)?;
        suite.score.as_ref().map_or(Ok(()), |score| self.score(out, score))?;
        suite.coverage.as_ref().map_or(Ok(()), |coverage| self.coverage(out, coverage))
    }

    fn coverage(&self, out: &mut String, coverage: &CoverageReport) -> fmt::Result {
        self.heading(out, &format!("Coverage: {}", covered(coverage)))?;
        coverage.missed.iter().try_for_each(|(file, ranges)| {
            self.screen.field(out, &format!("  {file}, not reached: "), &lines(ranges))
        })
    }

    fn heading(&self, out: &mut String, text: &str) -> fmt::Result {
        writeln!(out, "\n{}", self.screen.styled(STRONG, text))
    }

    fn hints(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        suite.hints.iter().try_for_each(|given| {
            self.screen.field(out, &format!("  {}  ", given.day), &printable(&hint(given)))
        })
    }

    fn rejected(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        let rejected = suite.rejected_tests();
        if rejected > 0 {
            let heading = format!("Rejected: {}", counted(rejected, "test"));
            writeln!(out, "\n{}", self.screen.styled(BAD.bold(), &heading))?;
        }
        let widest = suite.tests.iter().map(|test| width(&test.file)).max().unwrap_or(0);
        let room = self.screen.columns.map_or(WIDEST_NAME, |columns| columns / 3);
        let names = widest.min(room.min(WIDEST_NAME));
        for test in suite.rejected().take(MOST_REJECTED) {
            let hint = test.hint.as_ref().map(|hint| format!("hint: {hint}"));
            let space = " ".repeat(names.saturating_sub(width(&test.file)));
            let label = format!("  {}{space}  ", test.file);
            let indent = format!("  {:names$}  ", "");
            if width(&label) > width(&indent) && self.screen.columns.is_some() {
                self.screen.field(out, "  ", &test.file)?;
                self.screen.field(out, &indent, &reason(test))?;
            } else {
                self.screen.field(out, &label, &reason(test))?;
            }
            for line in excerpt(test) {
                self.screen.cut(out, &format!("{indent}{line}"))?;
            }
            hint.map_or(Ok(()), |hint| self.screen.field(out, &indent, &hint))?;
        }
        if rejected > MOST_REJECTED {
            writeln!(out, "  … and {} more", rejected - MOST_REJECTED)?;
        }
        self.ignored(out, suite)
    }

    fn ignored(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        if suite.ignored.is_empty() {
            return Ok(());
        }
        let named = &suite.ignored[..suite.ignored.len().min(MOST_IGNORED)];
        let more = suite.ignored.len() - named.len() + suite.more_ignored;
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        writeln!(out)?;
        self.screen.field(out, "Not tests, ignored: ", &format!("{}{more}", named.join(", ")))
    }

    fn tests(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        self.heading(out, &format!("Valid: {}", counted(suite.valid_tests(), "test")))?;
        let mut table = Table::new(2);
        let valid = || suite.tests.iter().filter(|test| test.status == Status::Valid);
        let has_refused = valid().any(|test| test.refused.is_some());
        for test in valid() {
            let mut cells = vec![test.file.clone()];
            if self.has_commands {
                cells.push(shortened(&command(&self.program, &test.args), COMMAND_WIDTH));
            }
            if has_refused {
                cells.push(test.refused.as_ref().map_or_else(String::new, refused));
            }
            if self.level >= Level::Exposed {
                cells.push(match (test.exposes.as_slice(), test.too_broad) {
                    ([], Some(bugs)) => self.screen.styled(WARNING, &too_broad(bugs)),
                    ([], None) => self.screen.styled(WARNING, "exposes nothing"),
                    (ids, _) => format!("exposes {:>2}: {}", ids.len(), ids.join(", ")),
                });
            }
            table.row(cells);
        }
        table.write(out, self.screen)
    }

    fn mutants(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        let exposed = counted(suite.exposed_by.len(), self.noun);
        let heading = format!("Exposed: {exposed}");
        writeln!(out, "\n{}", self.screen.styled(GOOD.bold(), &heading))?;
        let missed: Vec<_> = suite.missed(&self.mutants).collect();
        let all = suite.exposed_by.keys().chain(missed.iter().map(|mutant| &mutant.id));
        let id_width = all.map(|id| width(id)).max().unwrap_or(0);
        let cell = |id: &str| format!("{id:<id_width$}");
        let table = |by: fn(&[Exposure]) -> String| {
            let mut table = Table::new(2);
            let rows =
                suite.exposed_by.iter().map(|(id, all)| [cell(id), format!("by {}", by(all))]);
            rows.for_each(|row| table.row(row));
            table
        };
        let full = table(exposed_by);
        let has_room = self.screen.columns.is_none_or(|columns| full.width() <= columns);
        if has_room { full } else { table(exposed_by_briefly) }.write(out, self.screen)?;
        if !missed.is_empty() {
            let heading = format!("Missed: {}", counted(missed.len(), self.noun));
            writeln!(out, "\n{}", self.screen.styled(BAD.bold(), &heading))?;
        }
        let mut table = Table::new(2);
        for mutant in missed {
            table.row([cell(&mutant.id), mutant.summary.clone()]);
        }
        table.write(out, self.screen)
    }

    fn score(&self, out: &mut String, score: &Score) -> fmt::Result {
        if score.mutants == 0 {
            return self.heading(out, &format!("Score: no {} counts", scored(score.by, self.noun)));
        }
        let (points, most) = (number(score.points), number(score.max_points));
        self.heading(out, &format!("Score: {points} of {most} points"))?;
        let nouns = format!("{}s", scored(score.by, self.noun));
        writeln!(out, "  {:<30} {:>4}", format!("{nouns} that exist"), score.mutants)?;
        writeln!(out, "  {:<30} {:>4}", format!("{nouns} exposed"), score.exposed)?;
        if let Some(worth) = &score.worth {
            writeln!(out, "  {:<30} {:>4}", "points of these", worth.exposed)?;
        }
        let thresholds = [
            ("needed to start earning points", Some(score.start)),
            ("needed for full points", Some(score.full)),
            ("needed for an extra submission", score.extra_submission),
        ];
        for (what, needed) in thresholds {
            let Some(needed) = needed else { continue };
            let style = if score.reached() >= needed { GOOD } else { WARNING };
            let met = self.screen.styled(style, &met(score, needed));
            writeln!(out, "  {what:<30} {needed:>4}  {met}")?;
        }
        Ok(())
    }

    fn line_of_class(&self, out: &mut String, suite: &SuiteReport) -> fmt::Result {
        let (valid, rejected) = (suite.valid_tests(), suite.rejected_tests());
        let mut name = suite.name.clone();
        if self.screen.columns.is_some() && width(&name) > self.name_width {
            self.screen.field(out, "  ", &name)?;
            name.clear();
        }
        let space = " ".repeat(self.name_width.saturating_sub(width(&name)));
        write!(out, "  {name}{space}  {valid:>5}  {rejected:>8}")?;
        if let Some(score) = &suite.score {
            write!(out, "  {:>7}  {:>6}", score.exposed, number(score.points))?;
        }
        writeln!(out)?;
        if let Some(note) = &suite.note {
            self.screen.field(out, "    note: ", note)?;
        }
        // The students without a valid test are those whom staff must look at.
        if let Some(first) = suite.rejected().next().filter(|_| valid == 0) {
            let file = format!("    {}: ", first.file);
            self.screen.field(out, &file, &reason(first))?;
            let hint = first.hint.iter();
            hint.map(|hint| format!("hint: {hint}"))
                .try_for_each(|hint| self.screen.field(out, "    ", &hint))?;
        }
        self.hints(out, suite)
    }

    fn class_totals(&self, out: &mut String) -> fmt::Result {
        let suites = self.class.suites;
        let mean = (self.class.points / suites.max(1) as f64 * 100.0).round() / 100.0;
        self.heading(out, &format!("Mean: {} points", number(mean)))?;
        if self.level < Level::All {
            return Ok(());
        }
        let (noun, suites) = (capitalized(self.noun), counted(suites, "suite"));
        self.heading(out, &format!("{noun}s, by how many of {suites} expose them"))?;
        for (count, mutant) in self.class.difficulty.in_order(&self.mutants) {
            self.screen.field(out, &format!("  {count:>5}  "), &mutant.id)?;
        }
        Ok(())
    }
}

/// The wrong line with its number, or the wrong name, and carets below.
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
