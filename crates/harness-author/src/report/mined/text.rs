//! `mutants mine` as text.

use super::{DeviationMined, Like, Mined};
use harness::diagnostic::printable;
use harness::report::against::not_contained;
use harness::report::screen::{BAD, STRONG, Screen, WriteText};
use harness::report::words::counted;
use std::fmt::{self, Write};

/// Mutants and programs that are named beside a deviation. The others are in the JSON.
const MOST_LIKE: usize = 3;
const MOST_PROGRAMS: usize = 8;

impl WriteText for Mined {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let super::Cases { handed_in, small, random } = self.cases;
        let all = self.cases.all();
        let text = format!(
            "{}: {} on {all} valid cases ({handed_in} handed in, {small} small, {random} random)",
            self.assignment,
            counted(self.programs.len(), "program"),
        );
        screen.prose(out, &screen.styled(STRONG, &text))?;
        self.right(out, screen)?;
        self.failed(out, screen)?;
        self.apart(out, screen)?;
        let (new, known): (Vec<_>, Vec<_>) =
            self.deviations.iter().partition(|deviation| !deviation.represented);
        self.deviations("that no mutant represents", &new, out, screen)?;
        self.deviations("that a mutant represents", &known, out, screen)?;
        self.unmatched(out, screen)?;
        if let Some(suites) = &self.suites {
            suites.write(out, screen)?;
        }
        if let Some(weighed) = &self.weighed {
            weighed.write(out, screen)?;
        }
        if let Some(reason) = &self.not_contained {
            writeln!(out)?;
            screen.prose(out, &not_contained("The programs", reason))?;
        }
        if self.stopped.is_some() {
            let text = "Some programs were not run. With --out, the next run continues where this one ended.";
            writeln!(out)?;
            screen.prose(out, text)?;
        }
        screen.notes(out, &self.engines)
    }
}

impl Mined {
    /// Writes which programs showed no difference, and how much was tried.
    fn right(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let right: Vec<_> = self.programs.iter().filter(|it| it.is_right()).collect();
        heading(out, screen, &format!("No difference: {}", counted(right.len(), "program")))?;
        for program in right {
            screen.field(
                out,
                &format!("  {}  ", program.name),
                &program.right(self.cases.all()),
            )?;
        }
        Ok(())
    }

    /// Writes which programs cannot be run, and which were not.
    fn failed(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let untried: Vec<_> = self.programs.iter().filter(|program| program.tried == 0).collect();
        if untried.is_empty() {
            return Ok(());
        }
        heading(out, screen, &format!("Not run: {}", counted(untried.len(), "program")))?;
        for program in untried {
            let why = program.problem.as_deref().unwrap_or("the time was up");
            screen.field(out, &format!("  {}  ", program.name), &printable(&first_error(why)))?;
        }
        Ok(())
    }

    /// Writes which programs hardly ever end, or cannot be started.
    fn apart(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let apart: Vec<_> = self.programs.iter().filter(|it| it.is_apart()).collect();
        if apart.is_empty() {
            return Ok(());
        }
        heading(out, screen, &format!("Not compared: {}", counted(apart.len(), "program")))?;
        for program in apart {
            let why = program.problem.as_deref().unwrap_or_default();
            screen.field(out, &format!("  {}  ", program.name), why)?;
        }
        Ok(())
    }

    fn deviations(
        &self,
        which: &str,
        deviations: &[&DeviationMined],
        out: &mut String,
        screen: Screen,
    ) -> fmt::Result {
        heading(out, screen, &format!("Deviations {which}: {}", deviations.len()))?;
        deviations.iter().try_for_each(|deviation| deviation.write(&self.assignment, out, screen))
    }

    fn unmatched(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let count = self.unmatched_mutants.len();
        heading(out, screen, &format!("Mutants that represent nothing here: {count}"))?;
        if count > 0 {
            screen.prose(out, &format!("  {}", self.unmatched_mutants.join(", ")))?;
        }
        Ok(())
    }
}

impl DeviationMined {
    fn write(&self, assignment: &str, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        let label = format!("  {}  ", screen.styled(STRONG, &self.number.to_string()));
        let programs = counted(self.programs.len(), "program");
        let facts = format!("{programs}, on {}", counted(self.cases, "case"));
        screen.field(out, &label, &format!("{facts}: {}", some(&self.programs)))?;
        if let Some(mutant) = &self.mutant {
            screen.field(out, "    is ", mutant)?;
        }
        let others = self.mutants.iter().filter(|like| self.mutant.as_ref() != Some(&like.mutant));
        let (like, near): (Vec<_>, Vec<_>) = others.partition(|like| like.represents());
        let words =
            if like.is_empty() && self.mutant.is_none() { "    nearest " } else { "    like " };
        let shown = if words.trim() == "like" { like } else { near };
        let shown = shown.into_iter().filter(|like| 10 * like.both >= like.all());
        for like in shown.take(MOST_LIKE) {
            screen.field(out, words, &like.words())?;
        }
        match &self.smallest {
            Some(smallest) => {
                let words = smallest.outcomes.how.word();
                let facts = format!("    {}; size {}", screen.styled(BAD, words), smallest.size);
                writeln!(out, "{facts}")?;
                smallest.outcomes.write(assignment, out, screen)?;
            }
            None => {
                screen.prose(out, "    It does not show if a process is started for the case.")?;
            }
        }
        match &self.prepared {
            Some(file) => screen.field(out, "    catalogue file ", file),
            None => Ok(()),
        }
    }
}

impl Like {
    /// The number of cases on which one of both shows.
    fn all(&self) -> usize {
        self.both + self.only_deviation + self.only_mutant
    }

    fn words(&self) -> String {
        format!("{}: of {} cases, both show on {}", self.mutant, self.all(), self.both)
    }
}

/// The first error of a compiler, or of Python with its place. It says more than what was done.
fn first_error(why: &str) -> String {
    let mut lines = why.lines();
    let done = lines.next().unwrap_or_default();
    let mut place = None;
    for line in lines {
        if line.contains("error") {
            return line.to_owned();
        } else if line.contains("Error: ") {
            return place.map_or(line.to_owned(), |place| format!("{place}: {line}"));
        }
        place = line.trim().strip_prefix("File ").or(place);
    }
    done.to_owned()
}

/// The first of `names`, and how many more there are.
pub(crate) fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_PROGRAMS);
    let first = names[..names.len() - more].join(", ");
    if more == 0 { first } else { format!("{first}, and {more} more") }
}

fn heading(out: &mut String, screen: Screen, text: &str) -> fmt::Result {
    writeln!(out)?;
    screen.prose(out, &screen.styled(STRONG, text))
}
