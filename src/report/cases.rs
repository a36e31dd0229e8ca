//! The result of `mutants cases`, as text.

use super::screen::{BAD, GOOD, STRONG, Screen, WriteText};
use super::table::Table;
use super::words::counted;
use crate::result::cases::{AssignmentCases, CaseExposes, CaseKind, Cases, MutantCases};
use std::fmt::{self, Write};

/// If there are no more mutants than this, the cases of each are listed.
const FEW: usize = 5;

impl WriteText for Cases {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        for (at, assignment) in self.assignments.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            assignment.write_text(out, screen)?;
            screen.notes(out, &assignment.engines)?;
        }
        Ok(())
    }
}

impl WriteText for AssignmentCases {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let (exposed, of) = (self.exposed(), self.mutants.len());
        let style = if self.missed().next().is_none() { GOOD } else { BAD };
        let exposed = screen.styled(style, &format!("{exposed} of {}", counted(of, "mutant")));
        let count = counted(self.cases.len(), "case");
        let verb = if self.cases.len() == 1 { "exposes" } else { "expose" };
        screen.prose(out, &format!("{}: {count} {verb} {exposed}", self.assignment))?;
        write_cases(self, out, screen)?;
        write_alone(self, out, screen)?;
        let missed: Vec<_> = self.missed().map(|it| (it, it.summary.as_str())).collect();
        section(out, screen, "Missed, though a valid input exposes them", &missed)?;
        if !missed.is_empty() {
            let hint = format!(
                "hint: `harness mutants show ID` shows such an input; `harness generate \
                 --assignment {} --mutants ID,… --fewest` finds few that expose several",
                self.assignment
            );
            screen.prose(out, &hint)?;
        }
        let unproven = self.mutants.iter().filter(|it| it.cases.is_empty());
        let unproven: Vec<_> =
            unproven.filter_map(|it| Some((it, it.unproven.as_deref()?))).collect();
        section(out, screen, "Need no case", &unproven)
    }
}

fn write_cases(all: &AssignmentCases, out: &mut String, screen: Screen) -> fmt::Result {
    let mut groups: Vec<&str> = all.cases.iter().map(|case| case.group.as_str()).collect();
    groups.dedup();
    for group in groups {
        writeln!(out, "\n{}", screen.styled(STRONG, &format!("Group {group}")))?;
        let mut table = Table::new(2).right_aligned(&[1]);
        for case in all.cases.iter().filter(|case| case.group == group) {
            table.row([case.name.clone(), case.exposes.len().to_string(), note(all, case)]);
        }
        table.write(out, screen)?;
    }
    Ok(())
}

/// What a reader of the number of mutants must know.
fn note(all: &AssignmentCases, case: &CaseExposes) -> String {
    let kind = match case.kind {
        CaseKind::Test => {
            let alone = |mutant: &&MutantCases| {
                mutant.cases.len() == 1 && case.exposes.contains(&mutant.id)
            };
            return match all.mutants.iter().filter(alone).count() {
                0 => String::new(),
                alone => format!("{alone} of them alone"),
            };
        }
        CaseKind::Large => "larger than a test",
        CaseKind::OtherForm => "not in the form of a test",
        CaseKind::OtherFlags => "accepted, though its letter says refused",
        CaseKind::Rejected => "rejected by the reference",
        CaseKind::AnyAnswer => "every answer is right",
    };
    match case.tried {
        0 => format!("{kind}; not needed"),
        tried => format!("{kind}; tried on {}", counted(tried, "missing mutant")),
    }
}

/// The mutants that a single case exposes. If there are few mutants, all of them.
fn write_alone(all: &AssignmentCases, out: &mut String, screen: Screen) -> fmt::Result {
    let (heading, most) = match all.mutants.len() {
        ..=FEW => ("Exposed", usize::MAX),
        _ => ("Exposed by a single case", 1),
    };
    let alone = all.mutants.iter().filter(|it| (1..=most).contains(&it.cases.len()));
    let alone: Vec<_> = alone.map(|mutant| (mutant, mutant.cases.join(", "))).collect();
    let rows: Vec<_> = alone.iter().map(|(mutant, cases)| (*mutant, cases.as_str())).collect();
    section(out, screen, heading, &rows)
}

/// A table of mutants, each with something about it.
fn section(
    out: &mut String,
    screen: Screen,
    heading: &str,
    rows: &[(&MutantCases, &str)],
) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.styled(STRONG, heading))?;
    let mut table = Table::new(2);
    rows.iter().for_each(|(mutant, about)| table.row([mutant.id.clone(), (*about).to_owned()]));
    table.write(out, screen)
}
