//! `--format md`: a summary for a comment, or for the page of a CI build.
//!
//! What students wrote is in code spans, so that it cannot become a link, a mention or a tag.

use super::difficulty::Difficulty;
use super::words::{
    capitalized, counted, covered, exposed_by, hint, measured, notes, noun, number, reason, scored,
    share_exposed, thresholds,
};
use super::writer::{About, Writer};
use crate::course::{Audience, Course, Level};
use crate::result::{LeftOut, MutantReport, SuiteReport};
use crate::suite::layout::Shape;
use std::io::{self, Write};

/// Writes a section for each assignment.
pub struct Markdown<W: Write> {
    out: W,
    level: Level,
    noun: &'static str,
    mutants: Vec<MutantReport>,
    shape: Shape,
    difficulty: Difficulty,
    /// What is said below the table of a class.
    notes: Vec<String>,
}

impl<W: Write> Markdown<W> {
    pub fn new(out: W) -> Self {
        Self {
            out,
            level: Level::None,
            noun: noun(Audience::Staff),
            mutants: Vec::new(),
            shape: Shape::Suite,
            difficulty: Difficulty::default(),
            notes: Vec::new(),
        }
    }
}

impl<W: Write> Writer for Markdown<W> {
    fn begin(&mut self, course: &Course) -> io::Result<()> {
        writeln!(self.out, "# {}", plain(&course.title))
    }

    fn assignment(&mut self, about: &About<'_>) -> io::Result<()> {
        (self.level, self.shape) = (about.level, about.shape);
        self.noun = noun(about.audience);
        self.mutants = about.mutants.to_vec();
        self.difficulty = Difficulty::default();
        let left_out = about.left_out.iter();
        self.notes = left_out
            .map(|LeftOut { name, what }| format!("- {}: not a suite: {what}", code(name)))
            .collect();
        let files = about.files.iter();
        self.notes.extend(files.map(|(name, file)| format!("- {}: in {}", code(name), code(file))));
        writeln!(self.out, "\n## {}\n", plain(&about.assignment.title))?;
        if self.shape == Shape::Class {
            writeln!(self.out, "{}\n", counted(about.names.len(), "suite"))?;
            let (names, lines) = if self.level >= Level::Count {
                let noun = scored(about.assignment.scoring.by, self.noun);
                (format!(" points | {noun}s exposed |"), "---:|---:|")
            } else {
                (String::new(), "")
            };
            writeln!(
                self.out,
                "| student |{names} valid tests | rejected |\n|---|{lines}---:|---:|"
            )?;
        }
        Ok(())
    }

    fn suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        match self.shape {
            Shape::Suite => self.one_suite(suite),
            Shape::Class => self.row(suite),
        }
    }

    fn end_assignment(&mut self) -> io::Result<()> {
        if !self.notes.is_empty() {
            writeln!(self.out, "\n### Notes\n\n{}", self.notes.join("\n"))?;
        }
        if self.shape == Shape::Suite || self.level < Level::All {
            return Ok(());
        }
        let mutants = self.difficulty.in_order(&self.mutants);
        let rows = mutants.iter().map(|(count, mutant)| {
            format!("| {count} | {} | {} |", cell(&mutant.id), plain(&mutant.summary))
        });
        folded(
            &mut self.out,
            &format!("{}s, by how many suites expose them", capitalized(self.noun)),
            &format!("| suites | {} | what it is |\n|---:|---|---|", self.noun),
            rows,
        )
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Markdown<W> {
    fn one_suite(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let mut facts = vec![
            counted(suite.valid_tests(), "valid test"),
            format!("{} rejected", suite.rejected_tests()),
        ];
        if let Some(score) = &suite.score {
            let points = match score.mutants {
                0 => format!("**no {} counts**", scored(score.by, self.noun)),
                _ => format!("**{} of {} points**", number(score.points), number(score.max_points)),
            };
            facts.splice(0..0, [points, share_exposed(score, self.noun)]);
        }
        writeln!(self.out, "{}", facts.join(" · "))?;
        if let Some(score) = &suite.score {
            writeln!(
                self.out,
                "\n| {} needed for | | |\n|---|---:|---|",
                measured(score, self.noun)
            )?;
            for (what, needed, met) in thresholds(score) {
                writeln!(self.out, "| {what} | {needed} | {met} |")?;
            }
        }
        if let Some(coverage) = &suite.coverage {
            writeln!(self.out, "\nCoverage: {}", covered(coverage))?;
        }
        self.notes.extend(suite.note.iter().map(|note| format!("- {}", code(note))));
        self.rejected(suite)?;
        if !suite.hints.is_empty() {
            writeln!(self.out, "\n### Hints\n")?;
        }
        for given in &suite.hints {
            writeln!(self.out, "- {}: {}", given.day, plain(&hint(given).replace('\n', " ")))?;
        }
        if self.level < Level::Exposed {
            return Ok(());
        }
        let exposed = suite
            .exposed_by
            .iter()
            .map(|(id, by)| format!("| {} | {} |", cell(id), cell(&exposed_by(by))));
        let title = format!("Exposed: {}", counted(suite.exposed_by.len(), self.noun));
        folded(&mut self.out, &title, &format!("| {} | by |\n|---|---|", self.noun), exposed)?;
        let missed: Vec<_> = suite.missed(&self.mutants).collect();
        let title = format!("Missed: {}", counted(missed.len(), self.noun));
        let rows = missed
            .iter()
            .map(|mutant| format!("| {} | {} |", cell(&mutant.id), plain(&mutant.summary)));
        folded(&mut self.out, &title, &format!("| {} | what it is |\n|---|---|", self.noun), rows)
    }

    fn rejected(&mut self, suite: &SuiteReport) -> io::Result<()> {
        let mut rejected = suite.rejected().peekable();
        if rejected.peek().is_some() {
            writeln!(self.out, "\n### Rejected tests\n")?;
        }
        for test in rejected {
            writeln!(self.out, "- {}: {}", code(&test.file), code(&reason(test)))?;
            if let Some(hint) = &test.hint {
                writeln!(self.out, "  - hint: {}", code(hint))?;
            }
        }
        if suite.more_rejected > 0 {
            writeln!(self.out, "- and {} more", suite.more_rejected)?;
        }
        Ok(())
    }

    fn row(&mut self, suite: &SuiteReport) -> io::Result<()> {
        self.difficulty.add(suite);
        let notes = notes(suite).into_iter();
        self.notes.extend(notes.map(|note| format!("- {}: {}", code(&suite.name), code(&note))));
        let score = suite
            .score
            .as_ref()
            .map(|score| format!(" {} | {} |", number(score.points), score.exposed))
            .unwrap_or_default();
        writeln!(
            self.out,
            "| {} |{score} {} | {} |",
            cell(&suite.name),
            suite.valid_tests(),
            suite.rejected_tests()
        )
    }
}

/// Writes a table that is folded until it is clicked. Writes nothing if it has no rows.
fn folded(
    out: &mut impl Write,
    title: &str,
    head: &str,
    rows: impl Iterator<Item = String>,
) -> io::Result<()> {
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n<details>\n<summary>{title}</summary>\n\n{head}\n{}\n\n</details>",
        rows.join("\n")
    )
}

/// `text` as a code span in a cell of a table.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// `text` as a code span, between more backticks than it contains in a row.
pub(super) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad =
        if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('\n', " "))
}

/// `text` from the course file, with Markdown escaped.
fn plain(text: &str) -> String {
    let is_mark =
        |c| matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#');
    text.chars().map(|c| if is_mark(c) { format!("\\{c}") } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_students_wrote_stays_in_its_code_span() {
        assert_eq!(code("test-1.txt"), "`test-1.txt`");
        assert_eq!(code("a`b``c|d"), "```a`b``c|d```");
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(code("`1` is not a flag"), "`` `1` is not a flag ``");
        assert_eq!(plain("a_b <c>"), "a\\_b \\<c\\>");
    }
}
