//! What was found about a program, for a person.

use super::{
    Against, FormDifference, Outcomes, Printed, ProgramDifference, SlowCase, SuspectLines, Way,
};
use crate::diagnostic::printable;
use crate::report::generated::Generated;
use crate::report::screen::{STRONG, Screen};
use crate::report::words::{self, counted};
use crate::result::explain;
use std::fmt::{self, Write};

/// Lines of an output, of a file and of an error message that a report for a person shows.
const OUTPUT_LINES: usize = 12;
const FILE_LINES: usize = 40;
const ERROR_LINES: usize = 3;
/// Ranges of suspicious lines that it shows of a deviation.
const SUSPECTS: usize = 5;
/// Lines that are alike and shown before the first that differs.
const LINES_BEFORE: usize = 3;

impl Against {
    pub(in crate::report) fn write(
        &self,
        report: &Generated,
        out: &mut String,
        screen: Screen,
    ) -> fmt::Result {
        let assignment = &report.assignment;
        let name = printable(&self.program.join(" "));
        let (cases, slow) = (report.cases, self.slow_cases);
        let how_many = match (self.differing_cases, self.on_every_case) {
            (0, _) => format!("none of {cases}"),
            (_, true) => format!("every one of {cases}"),
            (differing, false) => format!("{differing} of {cases}"),
        };
        let slowly = match slow {
            0 => String::new(),
            slow => format!("; on {slow} of them it was stopped before it ended"),
        };
        let text = format!(
            "{assignment}: `{name}` differs from the reference on {how_many} cases{slowly}"
        );
        screen.prose(out, &text)?;
        if self.differing_cases > 0 && self.differing_cases + slow == cases {
            let hint = "hint: is it this assignment's program? it gets the arguments and the input \
                shown below";
            screen.prose(out, hint)?;
            if self.not_contained.is_none() {
                let hint = "in the sandbox, it sees only the files that its command line names; \
                    --unsafe-no-sandbox runs it without";
                screen.prose(out, hint)?;
            }
        }
        if let Some(folder) = &report.folder {
            writeln!(out)?;
            let files = counted(report.files.len(), "test");
            screen.prose(out, &format!("Wrote {files} to {folder}, {}", report.selection))?;
        }
        self.differences
            .iter()
            .try_for_each(|it| it.write(assignment, self.told_apart, out, screen))?;
        if let Some(reason) = &self.not_located {
            writeln!(out)?;
            screen.field(out, "Where it is wrong is not known: ", &printable(reason))?;
        }
        write_ways(out, "More differences, without a file", &self.left_out)?;
        write_ways(
            out,
            "Seen once, but not when the same test was run again: the program is not deterministic",
            &self.unsteady,
        )?;
        self.slow.iter().try_for_each(|slow| slow.write(assignment, out, screen))?;
        self.formatting.iter().try_for_each(|form| form.write(assignment, out, screen))?;
        self.write_effort(report, out, screen)?;
        let Some(reason) = &self.not_contained else { return Ok(()) };
        writeln!(out)?;
        screen.prose(out, &not_contained("The program", reason))
    }

    fn write_effort(&self, report: &Generated, out: &mut String, screen: Screen) -> fmt::Result {
        let (random, small) = (self.random_cases, self.small_cases);
        writeln!(out, "\nTried: {random} random cases, and {small} small ones in order of size")?;
        if self.invalid_cases > 0 {
            let invalid = self.invalid_cases;
            writeln!(out, "Discarded: the reference or a validator rejects {invalid} more")?;
        }
        if let Some(size) = report.enumerated_size {
            let alphabet = &report.alphabet;
            let text = format!(
                "These are all cases up to size {size}, in the forms that the document promises: \
                 {alphabet}"
            );
            screen.prose(out, &text)?;
        }
        Ok(())
    }
}

/// What it means that `who` ran without the sandbox.
pub fn not_contained(who: &str, reason: &str) -> String {
    let reason = printable(reason);
    format!("{who} ran without the sandbox, and could read and write all that you can: {reason}")
}

fn write_ways(out: &mut String, what: &str, ways: &[Way]) -> fmt::Result {
    if !ways.is_empty() {
        writeln!(out, "\n{what}")?;
    }
    ways.iter().try_for_each(|way| writeln!(out, "  {}{}", way.how.word(), with(&[&way.flags])))
}

/// ` with the flags s, sl`; nothing if there are no flags.
fn with(flags: &[impl AsRef<str>]) -> String {
    let flags: Vec<_> = flags
        .iter()
        .map(|flags| if flags.as_ref().is_empty() { "none" } else { flags.as_ref() })
        .collect();
    if flags == ["none"] { String::new() } else { format!(" with the flags {}", flags.join(", ")) }
}

impl ProgramDifference {
    fn write(
        &self,
        assignment: &str,
        told_apart: usize,
        out: &mut String,
        screen: Screen,
    ) -> fmt::Result {
        writeln!(out)?;
        let (how, flags) = (self.outcomes.how.word(), with(&self.all_flags));
        let facts = format!("{how}{flags}; size {}, {}", self.size, self.reduction.words());
        screen.field(out, &format!("  {}  ", screen.styled(STRONG, &self.file)), &facts)?;
        if let Some(mutant) = &self.resembles {
            let text =
                format!("{mutant}: the program differs on nearly every test that exposes it");
            screen.field(out, "    like ", &text)?;
        }
        let shows = format!("on {} of the {told_apart} cases that were told apart", self.shows_on);
        screen.field(out, "    shows ", &shows)?;
        self.write_suspects(out, screen)?;
        self.outcomes.write(assignment, out, screen)
    }
}

impl ProgramDifference {
    fn write_suspects(&self, out: &mut String, screen: Screen) -> fmt::Result {
        if !self.suspects.is_empty() {
            let what = "reached by runs with a wrong answer, and by runs with a right one";
            screen.field(out, "    where: ", what)?;
        }
        for suspect in self.suspects.iter().take(SUSPECTS) {
            let SuspectLines { file, lines, text, wrong, right, .. } = suspect;
            let place = printable(&format!("{file}:{}", words::lines(&[*lines])));
            let text = printable(text.trim());
            screen.cut(out, &format!("      {place:<20} {wrong:>3} {right:>3}  {text}"))?;
        }
        Ok(())
    }
}

impl SlowCase {
    fn write(&self, assignment: &str, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        let facts = format!(
            "right, but takes more than {} s (and less than {:.1} s); --time-limit gives it more",
            self.limit_seconds, self.within_seconds
        );
        screen.field(out, &format!("  {}  ", screen.styled(STRONG, "slow")), &facts)?;
        write_test(assignment, &self.args, &self.input, out, screen)
    }
}

impl FormDifference {
    fn write(&self, assignment: &str, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        let facts = format!(
            "{}: {}{}; the document does not promise this form, so no file is written",
            self.form,
            self.outcomes.how.word(),
            with(&self.all_flags)
        );
        screen.field(out, &format!("  {}  ", screen.styled(STRONG, "formatting")), &facts)?;
        self.outcomes.write(assignment, out, screen)
    }
}

impl Outcomes {
    pub fn write(&self, assignment: &str, out: &mut String, screen: Screen) -> fmt::Result {
        write_test(assignment, &self.args, &self.input, out, screen)?;
        let why = self.why.clone().or_else(|| unseen(&self.reference.stdout, &self.program.stdout));
        if let Some(why) = why {
            screen.field(out, "    wrong: ", &printable(&why))?;
        }
        let same = self
            .reference
            .stdout
            .lines()
            .zip(self.program.stdout.lines())
            .take_while(|(a, b)| a == b)
            .count();
        let from = same.saturating_sub(LINES_BEFORE);
        self.reference.write("reference", from, out, screen)?;
        self.program.write("program", from, out, screen)
    }
}

fn write_test(
    assignment: &str,
    args: &[String],
    input: &str,
    out: &mut String,
    screen: Screen,
) -> fmt::Result {
    screen.field(out, "    ", &words::command(assignment, args))?;
    lines(out, screen, input, 0, FILE_LINES)
}

impl Printed {
    fn write(&self, who: &str, from: usize, out: &mut String, screen: Screen) -> fmt::Result {
        if explain::TALKED.contains(&&*self.end) {
            writeln!(out, "    the {who} {}", self.end)?;
            return lines(out, screen, &self.stderr, 0, ERROR_LINES);
        }
        let prints = if self.stdout.is_empty() { "prints nothing" } else { "prints" };
        writeln!(out, "    the {who} {}, and {prints}", printable(&self.end))?;
        lines(out, screen, &self.stdout, from, OUTPUT_LINES)?;
        for (name, contents) in &self.files {
            screen.field(out, "    and writes ", &printable(name))?;
            lines(out, screen, contents, 0, OUTPUT_LINES)?;
        }
        if self.end == "exits with status 0" || self.stderr.is_empty() {
            return Ok(());
        }
        writeln!(out, "    and on standard error")?;
        // Python says last what went wrong.
        let is_traceback = self.stderr.starts_with("Traceback ");
        let from = if is_traceback { self.stderr.lines().count() } else { 0 };
        lines(out, screen, &self.stderr, from.saturating_sub(ERROR_LINES), ERROR_LINES)
    }
}

/// What differs between two outputs that look the same.
fn unseen(reference: &str, program: &str) -> Option<String> {
    let is_same = reference.split_whitespace().eq(program.split_whitespace());
    if reference == program || !is_same {
        return None;
    }
    if reference.trim_end_matches('\n') == program.trim_end_matches('\n') {
        let is_short = program.len() < reference.len();
        let what = if is_short { "there is no newline" } else { "there are more newlines" };
        return Some(format!("{what} at the end"));
    }
    let lines = || reference.lines().zip(program.lines());
    let at = lines().take_while(|(a, b)| a == b).count();
    let adds_blanks =
        lines().nth(at).is_some_and(|(a, b)| b.len() > a.len() && a.trim_end() == b.trim_end());
    Some(if adds_blanks {
        format!("there are blanks at the end of line {}", at + 1)
    } else {
        format!("only white space differs, first in line {}", at + 1)
    })
}

/// At most `most` lines of `text`, after the first `from`, and how many are left out.
fn lines(out: &mut String, screen: Screen, text: &str, from: usize, most: usize) -> fmt::Result {
    let count = text.lines().count();
    let from = from.min(count.saturating_sub(1));
    if from > 0 {
        writeln!(out, "      ({} before)", counted(from, "line"))?;
    }
    for line in text.lines().skip(from).take(most) {
        screen.cut(out, &format!("      {}", printable(line)))?;
    }
    let rest = count.saturating_sub(from + most);
    let lines = if rest == 1 { "line" } else { "lines" };
    if rest > 0 { writeln!(out, "      ({rest} more {lines})") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::unseen;

    #[test]
    fn a_difference_that_nobody_sees_is_told() {
        let told = |program: &str| unseen("1 2\n3\n", program).unwrap_or_default();
        assert_eq!(told("1 2\n3"), "there is no newline at the end");
        assert_eq!(told("1 2\n3\n\n"), "there are more newlines at the end");
        assert_eq!(told("1 2 \n3\n"), "there are blanks at the end of line 1");
        assert_eq!(told("1 2\n 3\n"), "only white space differs, first in line 2");
        assert_eq!([told("1 2\n3\n"), told("1 2\n4\n")], [String::new(), String::new()]);
    }
}
