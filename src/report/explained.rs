//! `explain --format text`: the mutants that a test exposes, and how the outputs differ.

mod beside;

use super::screen::{FAINT, STRONG, Screen};
use super::words::counted;
use crate::diagnostic::printable;
use crate::domain::Domain;
use crate::result::Refusal;
use crate::result::explained::{Explained, MutantDifference, MutantExplained};
use std::fmt::{self, Write};

const INDENT: &str = "    ";

/// Explains a test that was not rejected.
///
/// # Errors
/// Never: a `String` takes any text.
pub fn write(
    out: &mut String,
    explained: &Explained,
    domain: &dyn Domain,
    screen: Screen,
) -> fmt::Result {
    let test = &explained.test;
    let file = format!("{}: ", screen.styled(STRONG, &test.file));
    screen.field(out, &file, &format!("{} {}", explained.assignment, test.args.join(" ")))?;
    writeln!(out)?;
    write_input(out, &explained.input, domain, screen)?;
    if let Some(Refusal { status, says }) = &test.refused {
        let refused = format!("The reference refuses it with status {status}: {says}");
        writeln!(out)?;
        screen.prose(out, &refused)?;
    }
    if explained.asked.is_none() {
        let exposes = match explained.mutants.len() {
            0 => "It exposes nothing.".to_owned(),
            1 => "It exposes 1 mutant.".to_owned(),
            count => format!("It exposes {}, smallest difference first.", counted(count, "mutant")),
        };
        writeln!(out, "\n{exposes}")?;
    }
    for mutant in &explained.mutants {
        writeln!(out)?;
        write_mutant(out, mutant, screen)?;
    }
    for (what, ids) in
        [("Reached, but not exposed", &explained.reached), ("Not reached", &explained.unreached)]
    {
        if !ids.is_empty() {
            writeln!(out)?;
            screen.prose(out, &format!("{what}: {}", ids.join(", ")))?;
        }
    }
    if !explained.engines.is_empty() {
        writeln!(out)?;
    }
    screen.notes(out, &explained.engines)
}

/// Writes an input as its domain draws it.
pub(super) fn write_input(
    out: &mut String,
    input: &str,
    domain: &dyn Domain,
    screen: Screen,
) -> fmt::Result {
    let mut line = String::from(INDENT);
    for (style, piece) in domain.draw(input) {
        for part in piece.split_inclusive('\n') {
            let text = part.strip_suffix('\n');
            line.push_str(&screen.styled(style, &printable(text.unwrap_or(part))));
            if text.is_some() {
                screen.cut(out, &line)?;
                line = String::from(INDENT);
            }
        }
    }
    if line == INDENT { Ok(()) } else { screen.cut(out, &line) }
}

fn write_mutant(out: &mut String, mutant: &MutantExplained, screen: Screen) -> fmt::Result {
    let verdict = match (&mutant.difference, mutant.reached) {
        (Some(difference), _) => format!("exposed ({})", difference.how.word()),
        (None, Some(true)) => {
            "not exposed: the program reaches the bug, but prints the same".to_owned()
        }
        (None, Some(false)) => "not exposed: the program does not reach the bug".to_owned(),
        (None, None) => "not exposed".to_owned(),
    };
    screen.field(out, &format!("{}: ", screen.styled(STRONG, &mutant.id)), &verdict)?;
    screen.field(out, "  bug:    ", &mutant.summary)?;
    screen.field(out, "  spec:   ", &mutant.spec)?;
    for site in &mutant.sites {
        let place = format!("{}:{}  {}", site.file, site.line, screen.styled(FAINT, &site.text));
        screen.field(out, "  source: ", place.trim_end())?;
    }
    match &mutant.difference {
        Some(difference) => write_difference(out, difference, "mutant", screen),
        None => Ok(()),
    }
}

/// Writes how a program differs from the reference. `name` is what it is called.
pub fn write_difference(
    out: &mut String,
    difference: &MutantDifference,
    name: &'static str,
    screen: Screen,
) -> fmt::Result {
    let MutantDifference { reference_end, mutant_end, .. } = difference;
    if reference_end != mutant_end {
        let ends = format!("the reference {reference_end}; the {name} {mutant_end}");
        screen.field(out, "  end:    ", &ends)?;
    }
    if !difference.mutant_says.is_empty() {
        screen.field(out, "  stderr: ", &difference.mutant_says)?;
    }
    if let Some(why) = &difference.why {
        screen.field(out, "  wrong:  ", why)?;
    }
    if let Some(first) = &difference.first {
        screen.field(out, "  first:  ", first)?;
    }
    for output in &difference.outputs {
        writeln!(out)?;
        beside::write(out, output, name, screen)?;
    }
    Ok(())
}
