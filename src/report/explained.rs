//! `explain --format text`: the explanation that a person reads, in a terminal's width and with its colours, or plain.

mod beside;

use crate::domain::Domain;
use crate::problem::printable;
use crate::result::explained::{Explained, MutantDifference, MutantExplained};
use anstyle::Style;
use std::fmt::{self, Write};

/// What is written on.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// How many columns there are.
    pub width: usize,
    /// Whether there is colour.
    pub colored: bool,
}

const INDENT: &str = "    ";
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The explanation of a test that was not rejected.
///
/// # Errors
/// Where `out` fails; a `String` does not.
pub fn write(
    out: &mut impl Write,
    explained: &Explained,
    domain: &dyn Domain,
    page: Page,
) -> fmt::Result {
    let test = &explained.test;
    writeln!(
        out,
        "{}: {} {}\n",
        page.styled(STRONG, &test.file),
        explained.assignment,
        test.args.join(" ")
    )?;
    page.input(out, &explained.input, domain)?;
    if explained.asked.is_none() {
        let exposes = match explained.mutants.len() {
            0 => "It exposes nothing.".to_owned(),
            1 => "It exposes 1 mutant.".to_owned(),
            count => format!("It exposes {count} mutants, the shortest difference first."),
        };
        writeln!(out, "\n{exposes}")?;
    }
    for mutant in &explained.mutants {
        writeln!(out)?;
        page.mutant(out, mutant)?;
    }
    for (what, ids) in
        [("Reached, and not exposed", &explained.reached), ("Not reached", &explained.unreached)]
    {
        if !ids.is_empty() {
            writeln!(out, "\n{what}: {}", ids.join(", "))?;
        }
    }
    Ok(())
}

impl Page {
    fn styled(self, style: Style, text: &str) -> String {
        if self.colored && !style.is_plain() && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    fn input(self, out: &mut impl Write, input: &str, domain: &dyn Domain) -> fmt::Result {
        let mut at_start = true;
        for (style, piece) in domain.draw(input) {
            for part in piece.split_inclusive('\n') {
                let indent = if at_start { INDENT } else { "" };
                let line = part.strip_suffix('\n');
                at_start = line.is_some();
                let end = if at_start { "\n" } else { "" };
                write!(
                    out,
                    "{indent}{}{end}",
                    self.styled(style, &printable(line.unwrap_or(part)))
                )?;
            }
        }
        if at_start { Ok(()) } else { writeln!(out) }
    }

    fn mutant(self, out: &mut impl Write, mutant: &MutantExplained) -> fmt::Result {
        let verdict = match (&mutant.difference, mutant.reached) {
            (Some(difference), _) => format!("exposed ({})", difference.how.word()),
            (None, Some(true)) => {
                "not exposed: the program comes to where the bug is, and prints the same".to_owned()
            }
            (None, Some(false)) => {
                "not exposed: the program never comes to where the bug is".to_owned()
            }
            (None, None) => "not exposed".to_owned(),
        };
        writeln!(out, "{}: {verdict}", self.styled(STRONG, &mutant.id))?;
        writeln!(out, "  bug:    {}", mutant.summary)?;
        writeln!(out, "  spec:   {}", mutant.spec)?;
        for site in &mutant.sites {
            writeln!(
                out,
                "  source: {}:{}  {}",
                site.file,
                site.line,
                self.styled(FAINT, &site.text)
            )?;
        }
        mutant.difference.as_ref().map_or(Ok(()), |difference| self.difference(out, difference))
    }

    fn difference(self, out: &mut impl Write, difference: &MutantDifference) -> fmt::Result {
        if difference.reference_end != difference.mutant_end {
            writeln!(
                out,
                "  end:    the reference {}; the mutant {}",
                difference.reference_end, difference.mutant_end
            )?;
        }
        if !difference.mutant_says.is_empty() {
            writeln!(out, "  says:   {}", difference.mutant_says)?;
        }
        if let Some(why) = &difference.why {
            writeln!(out, "  wrong:  {why}")?;
        }
        if let Some(first) = &difference.first {
            writeln!(out, "  first:  {first}")?;
        }
        for output in &difference.outputs {
            writeln!(out)?;
            self.output(out, output)?;
        }
        Ok(())
    }
}
