//! The results of `mutants list` and `mutants show`, as text and as JSON.

use super::screen::{STRONG, Screen, WriteText};
use super::table::Table;
use super::words::command;
use crate::catalogue::{Expectation, Mutant, MutantKind, Witness};
use crate::course::Points;
use crate::diagnostic::printable;
use crate::domain::How;
use crate::result::pseudonym::Pseudonyms;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `mutants list --format json` writes.
pub const LIST_SCHEMA: &str = "harness-mutants/1";
/// The version of the document that `mutants show --format json` writes.
pub const SHOW_SCHEMA: &str = "harness-mutant/1";

/// The mutants of a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// `harness-mutants/1`.
    pub schema: String,
    /// The mutants, ordered by assignment and id.
    pub mutants: Vec<Described>,
}

/// A mutant as the catalogue describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Described {
    pub assignment: String,
    pub id: String,
    /// The name that students see instead of the id, if the course file has pseudonyms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pseudonym: Option<String>,
    /// The bug in one sentence.
    pub summary: String,
    /// The kind of mistake.
    pub kind: MutantKind,
    /// The part of the assignment that the bug is in.
    #[serde(rename = "area")]
    pub topic: String,
    /// The place in the specification that the bug violates.
    pub spec: String,
    /// A hint that helps a student to find it.
    pub hint: String,
    /// The points for exposing it.
    pub points: Points,
    /// The behaviour that it shares with other mutants, if its file names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<String>,
    /// Why no test can expose it, if it is declared equivalent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalent: Option<String>,
    /// The smallest known test that exposes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

impl Described {
    pub fn new(assignment: &str, mutant: &Mutant, pseudonyms: Option<&Pseudonyms>) -> Self {
        let equivalent = match &mutant.expect {
            Some(Expectation::Equivalent(reason)) => Some(reason.clone()),
            _ => None,
        };
        Self {
            assignment: assignment.to_owned(),
            id: mutant.id.clone(),
            pseudonym: pseudonyms.map(|pseudonyms| pseudonyms.of(&mutant.id).to_owned()),
            summary: mutant.summary.clone(),
            kind: mutant.kind,
            topic: mutant.topic.clone(),
            spec: mutant.spec.clone(),
            hint: mutant.hint.clone(),
            points: mutant.points,
            behaviour: mutant.behaviour.clone(),
            equivalent,
            witness: mutant.witness.clone(),
        }
    }
}

/// A mutant, its place in the source, and what its witness exposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// `harness-mutant/1`.
    pub schema: String,
    pub mutant: Described,
    /// Each place of the mutant in the source. A program of its own has its file, without a text.
    pub sites: Vec<SiteListed>,
    /// The result of running its witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<Exposure>,
    /// Its witness, if the assignment's tests are unit tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitWitness>,
}

/// The witness of a mutant, where tests are unit tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitWitness {
    /// The course's file of test cases. Absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The case in it that exposes the mutant, and as few others as possible. Absent if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<CaseListed>,
}

/// A case of the course's file of test cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseListed {
    pub name: String,
    /// The line, from 1. Absent if the case cannot be found in the text, such as one that a macro makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Its lines.
    pub code: String,
    /// The ids of the other mutants that it exposes.
    pub along: Vec<String>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteListed {
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The text of the line.
    pub text: String,
}

/// The result of running a witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    /// The arguments of the program.
    pub args: Vec<String>,
    /// How the mutant differs on it. Absent if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// The ids of the other mutants that the witness exposes.
    pub along: Vec<String>,
}

impl WriteText for Listed {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        if screen.columns.is_some_and(|columns| columns < self.table(screen).width()) {
            return self.write_narrow(out, screen);
        }
        self.table(screen).write(out, screen)
    }
}

impl Listed {
    /// One line for each mutant.
    fn table(&self, screen: Screen) -> Table {
        let first = self.mutants.first().map(|mutant| &mutant.assignment);
        let has_several = self.mutants.iter().any(|mutant| Some(&mutant.assignment) != first);
        let has_pseudonyms = self.mutants.iter().any(|mutant| mutant.pseudonym.is_some());
        let points = |mutant: &Described| mutant.points.to_string().len();
        let points_width = self.mutants.iter().map(points).max().unwrap_or(0);
        let mut table = Table::new(0);
        for mutant in &self.mutants {
            let note = if mutant.equivalent.is_some() { " (declared equivalent)" } else { "" };
            let mut cells = Vec::new();
            cells.extend(has_several.then(|| mutant.assignment.clone()));
            cells.push(screen.styled(STRONG, &mutant.id));
            cells.extend(has_pseudonyms.then(|| mutant.pseudonym.clone().unwrap_or_default()));
            cells.push(mutant.kind.word().to_owned());
            cells.push(printable(&mutant.topic));
            cells.push(format!("{:>points_width$}", mutant.points));
            cells.push(format!("{}{note}", printable(&mutant.summary)));
            table.row(cells);
        }
        table
    }

    /// Two or more lines for each mutant, below a heading for each assignment.
    fn write_narrow(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let id_width = self.mutants.iter().map(|mutant| mutant.id.len()).max().unwrap_or(0);
        let mut heading = "";
        for mutant in &self.mutants {
            if mutant.assignment != heading {
                let gap = if heading.is_empty() { "" } else { "\n" };
                heading = &mutant.assignment;
                writeln!(out, "{gap}{}", screen.styled(STRONG, heading))?;
            }
            let (kind, topic) = (mutant.kind.word(), printable(&mutant.topic));
            let pseudonym = mutant.pseudonym.iter().map(|word| format!("{word}, "));
            let pseudonym: String = pseudonym.collect();
            let space = " ".repeat(id_width - mutant.id.len());
            let label = format!("  {}{space}  ", screen.styled(STRONG, &mutant.id));
            screen.field(out, &label, &format!("{pseudonym}{kind}, {topic}, {}", mutant.points))?;
            let note = if mutant.equivalent.is_some() { " (declared equivalent)" } else { "" };
            screen.field(out, "      ", &format!("{}{note}", printable(&mutant.summary)))?;
        }
        Ok(())
    }
}

impl WriteText for Shown {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let mutant = &self.mutant;
        let id = screen.styled(STRONG, &mutant.id);
        writeln!(out, "{id}, a mutant of {}\n", mutant.assignment)?;
        screen.field(out, "  ", &printable(&mutant.summary))?;
        writeln!(out)?;
        let points = mutant.points.to_string();
        let facts = [
            ("pseudonym", mutant.pseudonym.as_deref()),
            ("kind", Some(mutant.kind.word())),
            ("topic", Some(&mutant.topic)),
            ("points", Some(&points)),
            ("behaviour", mutant.behaviour.as_deref()),
            ("spec", Some(&mutant.spec)),
            ("hint", Some(&mutant.hint)),
        ];
        for (key, text) in facts {
            text.map_or(Ok(()), |text| fact(out, screen, key, &printable(text)))?;
        }
        for SiteListed { file, line, column, text } in &self.sites {
            fact(out, screen, "source", &format!("{file}:{line}:{column}"))?;
            if !text.is_empty() {
                screen.cut(out, &format!("{FACT_INDENT}{}", text.trim()))?;
            }
        }
        if let Some(reason) = &mutant.equivalent {
            fact(out, screen, "equivalent", &format!("declared so: {}", printable(reason)))?;
        }
        if let Some(unit) = &self.unit {
            return unit.write(mutant, out, screen);
        }
        if let Some(witness) = &mutant.witness {
            return self.write_witness(witness, out, screen);
        }
        let text = "none, so it does not count; see `harness mutants witness --help`";
        fact(out, screen, "witness", text)
    }
}

const FACT_INDENT: &str = "            ";

fn fact(out: &mut String, screen: Screen, key: &str, text: &str) -> fmt::Result {
    screen.field(out, &format!("  {key:<9} "), text)
}

impl Shown {
    fn write_witness(&self, witness: &Witness, out: &mut String, screen: Screen) -> fmt::Result {
        fact(out, screen, "witness", &format!("flags `{}`", witness.flags))?;
        for line in witness.input.lines() {
            screen.cut(out, &format!("{FACT_INDENT}{}", printable(line)))?;
        }
        if !witness.input.ends_with('\n') {
            writeln!(out, "{FACT_INDENT}(no newline at the end)")?;
        }
        let Some(exposure) = &self.exposure else { return Ok(()) };
        let command = command(&self.mutant.assignment, &exposure.args);
        fact(out, screen, "run", &command)?;
        let exposed =
            exposure.how.map_or("no: `harness mutants verify` reports why".to_owned(), |how| {
                format!("by {}", how.word())
            });
        fact(out, screen, "exposed", &exposed)?;
        write_along(&exposure.along, out, screen)
    }
}

impl UnitWitness {
    fn write(&self, mutant: &Described, out: &mut String, screen: Screen) -> fmt::Result {
        let Some(file) = &self.file else {
            let text = "none, so it counts unseen; `witnesses: FILE` in `tests` names test cases";
            return fact(out, screen, "witness", text);
        };
        let Some(case) = &self.case else {
            let so = if mutant.equivalent.is_some() { "" } else { ", so it does not count" };
            let text = format!("none: no test case in {} exposes it{so}", printable(file));
            return fact(out, screen, "witness", &text);
        };
        let line = case.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = format!("{}{line}", printable(file));
        fact(out, screen, "witness", &format!("{place}, {}", printable(&case.name)))?;
        for line in case.code.lines() {
            screen.cut(out, &format!("{FACT_INDENT}{}", printable(line)))?;
        }
        write_along(&case.along, out, screen)
    }
}

/// The other mutants that a witness exposes.
fn write_along(ids: &[String], out: &mut String, screen: Screen) -> fmt::Result {
    let others = match ids {
        [] => "exposes no other mutant".to_owned(),
        ids => format!("exposes {}", ids.join(", ")),
    };
    fact(out, screen, "also", &others)
}
