//! `explain --format text`: the mutants that a test exposes, and how the outputs differ.

mod beside;

use super::screen::{FAINT, STRONG, Screen};
use super::words::{command, counted};
use crate::diagnostic::printable;
use crate::domain::Domain;
use crate::result::Refusal;
use crate::result::explained::{Assertion, Explained, MutantDifference, MutantExplained};
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
    screen.field(out, &file, &command(&explained.assignment, &test.args))?;
    writeln!(out)?;
    match explained.line {
        Some(first) => write_code(out, &explained.input, first, screen)?,
        None => write_input(out, &explained.input, domain, screen)?,
    }
    if let Some(Refusal { status, says }) = &test.refused {
        let refused = format!("The reference refuses it with status {status}: {says}");
        writeln!(out)?;
        screen.prose(out, &refused)?;
    }
    if explained.asked.is_none() {
        let exposes = match explained.mutants.len() {
            0 => "It exposes nothing.".to_owned(),
            1 => "It exposes 1 mutant.".to_owned(),
            count if explained.line.is_some() => {
                format!("It exposes {}.", counted(count, "mutant"))
            }
            count => format!("It exposes {}, smallest difference first.", counted(count, "mutant")),
        };
        writeln!(out, "\n{exposes}")?;
    }
    for mutant in &explained.mutants {
        writeln!(out)?;
        write_mutant(out, mutant, explained.line.is_some(), screen)?;
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

/// Writes the code of a test case with the numbers of its lines.
fn write_code(out: &mut String, code: &str, first: usize, screen: Screen) -> fmt::Result {
    let last = first + code.lines().count().saturating_sub(1);
    let width = last.to_string().len();
    for (number, line) in (first..).zip(code.lines()) {
        let number = screen.styled(FAINT, &format!("{number:width$}"));
        screen.cut(out, &format!("{INDENT}{number}  {}", printable(line)))?;
    }
    Ok(())
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

fn write_mutant(
    out: &mut String,
    mutant: &MutantExplained,
    is_unit_test: bool,
    screen: Screen,
) -> fmt::Result {
    let verdict = match (&mutant.difference, mutant.reached) {
        (Some(difference), _) => format!("exposed ({})", difference.how.word()),
        (None, Some(true)) if is_unit_test => {
            "not exposed: the test case reaches the bug, but passes".to_owned()
        }
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
    if reference_end != mutant_end && difference.assertion.is_none() {
        let ends = format!("the reference {reference_end}; the {name} {mutant_end}");
        screen.field(out, "  end:    ", &ends)?;
    }
    if !difference.mutant_says.is_empty() {
        screen.field(out, "  stderr: ", &difference.mutant_says)?;
    }
    if let Some(why) = &difference.why {
        screen.field(out, "  wrong:  ", why)?;
    }
    if let Some(Assertion { file, line, message }) = &difference.assertion {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        screen.field(out, "  fails:  ", &format!("{file}{line}: {message}"))?;
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
