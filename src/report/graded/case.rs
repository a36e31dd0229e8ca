//! The cases of a report, by group, and the one of each group that is shown in full.

use super::heading;
use crate::domain::Domain;
use crate::report::explained;
use crate::report::screen::{BAD, GOOD, Screen, WARNING};
use crate::report::table::Table;
use crate::report::words::{line, number};
use crate::result::graded::{CaseReport, GroupReport, Measures, OwnReport, Shown, Verdict};
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// Writes all groups.
pub(super) fn groups(
    out: &mut String,
    groups: &[GroupReport],
    domain: &dyn Domain,
    screen: Screen,
) -> fmt::Result {
    let mut all = Table::new(2);
    groups.iter().for_each(|group| all.align(&table(&group.cases, screen)));
    for group in groups {
        let GroupReport { name, points, max_points, passed, total, .. } = group;
        let extra = if group.extra { "extra " } else { "" };
        let points = format!("{} of {} {extra}points", number(*points), number(*max_points));
        heading(out, &format!("Group {name}: {passed} of {total} right, {points}"), screen)?;
        let mut table = table(&group.cases, screen);
        table.align(&all);
        in_full(out, group, &table, domain, screen)?;
    }
    Ok(())
}

/// Writes the cases of a group.
pub(super) fn cases(
    out: &mut String,
    group: &GroupReport,
    domain: &dyn Domain,
    screen: Screen,
) -> fmt::Result {
    in_full(out, group, &table(&group.cases, screen), domain, screen)
}

/// Writes a line for each case, what programs say, and the case that is shown in full.
fn in_full(
    out: &mut String,
    group: &GroupReport,
    table: &Table,
    domain: &dyn Domain,
    screen: Screen,
) -> fmt::Result {
    table.write(out, screen)?;
    for case in &group.cases {
        let Some(says) = &case.says else { continue };
        let says = says.lines().next().unwrap_or_default();
        screen.field(out, &format!("  {} says: ", case.name), says)?;
    }
    let reasons: BTreeSet<_> = group.cases.iter().filter_map(|it| it.stopped.as_ref()).collect();
    for why in reasons {
        screen.field(out, &format!("  {}: ", Verdict::Timeout.word()), why)?;
    }
    for case in &group.cases {
        let Some(shown) = &case.shown else { continue };
        writeln!(out, "\n  {}: {}", case.name, line(&case.command))?;
        self::shown(out, shown, domain, screen)?;
    }
    Ok(())
}

/// A row for each case.
fn table(cases: &[CaseReport], screen: Screen) -> Table {
    let mut table = Table::new(2);
    for case in cases {
        let style = match case.share {
            share if share >= 1.0 => GOOD,
            share if share > 0.0 => WARNING,
            _ => BAD,
        };
        let share = if case.share > 0.0 && case.share < 1.0 {
            // It is less than all of them, however little is missing.
            format!(", {} % of the points", number((case.share * 1000.0).floor() / 10.0))
        } else {
            String::new()
        };
        let verdict = format!("{}{share}", screen.styled(style, case.verdict.word()));
        let [time, memory] = case.measures.as_ref().map(time_and_memory).unwrap_or_default();
        table.row([case.name.clone(), verdict, time, memory]);
    }
    table
}

/// Time and memory, beside those of the reference.
fn time_and_memory(measures: &Measures) -> [String; 2] {
    let beside = |unit: &str, own: f64, reference: Option<f64>, digits: usize| match reference {
        Some(reference) => format!("{own:.digits$} {unit} ({reference:.digits$})"),
        None => format!("{own:.digits$} {unit}"),
    };
    let time = beside("s", measures.seconds, measures.reference_seconds, 3);
    let memory = beside("MB", measures.megabytes, measures.reference_megabytes, 1);
    [time, memory]
}

/// Writes the first of the student's own tests on which the student's program is wrong.
pub(super) fn own(
    out: &mut String,
    own: &OwnReport,
    domain: &dyn Domain,
    screen: Screen,
) -> fmt::Result {
    let text = format!("The program is wrong on its own test {}: {}", own.file, own.verdict.word());
    heading(out, &text, screen)?;
    writeln!(out, "  {}", line(&own.command))?;
    shown(out, &own.shown, domain, screen)
}

/// Writes the input, and the program's output beside the reference's.
fn shown(out: &mut String, shown: &Shown, domain: &dyn Domain, screen: Screen) -> fmt::Result {
    explained::write_input(out, &shown.input, domain, screen)?;
    if shown.is_cut {
        writeln!(out, "    … the input goes on …")?;
    }
    match &shown.difference {
        Some(difference) => explained::write_difference(out, difference, "program", screen),
        None => Ok(()),
    }
}
