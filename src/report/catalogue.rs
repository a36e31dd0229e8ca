//! The results of `mutants list` and `mutants show`, for a person and for a machine.

use crate::catalogue::{Expectation, Kind, Mutant, Witness};
use crate::domain::How;
use crate::problem::printable;
use crate::result::pseudonym::Pseudonyms;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

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
    /// The mutants, assignment by assignment, by id.
    pub mutants: Vec<Described>,
}

/// What the catalogue says of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// The assignment's id.
    pub assignment: String,
    /// The mutant's id.
    pub id: String,
    /// What students see in its place, where the course file says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pseudonym: Option<String>,
    /// The bug in one sentence.
    pub summary: String,
    /// What sort of mistake it is.
    pub kind: Kind,
    /// The part of the assignment that it is in.
    pub area: String,
    /// Where the document says otherwise.
    pub spec: String,
    /// What helps a student to find it.
    pub hint: String,
    /// What exposing it is worth.
    pub points: u32,
    /// Why nothing can expose it, where that is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalent: Option<String>,
    /// The smallest known case that exposes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

impl Described {
    /// What the catalogue of `assignment` says of `mutant`.
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
            area: mutant.area.clone(),
            spec: mutant.spec.clone(),
            hint: mutant.hint.clone(),
            points: mutant.points,
            equivalent,
            witness: mutant.witness.clone(),
        }
    }
}

/// One mutant, with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// `harness-mutant/1`.
    pub schema: String,
    /// What the catalogue says.
    pub mutant: Described,
    /// Where the source asks for it.
    pub sites: Vec<SiteListed>,
    /// What its witness shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<Exposure>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteListed {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The line itself.
    pub text: String,
}

/// What a witness shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    /// The command line.
    pub args: Vec<String>,
    /// How the mutant differs on it; nothing where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// The ids of the other mutants that it exposes.
    pub along: Vec<String>,
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            |text: fn(&Described) -> usize| self.mutants.iter().map(text).max().unwrap_or(0);
        let several =
            self.mutants.iter().any(|mutant| mutant.assignment != self.mutants[0].assignment);
        let assignment_width = width(|mutant| mutant.assignment.len());
        let (id, kind) =
            (width(|mutant| mutant.id.len()), width(|mutant| mutant.kind.word().len()));
        let (area, points) = (
            width(|mutant| mutant.area.chars().count()),
            width(|mutant| mutant.points.to_string().len()),
        );
        let pseudonym = width(|mutant| mutant.pseudonym.as_ref().map_or(0, String::len));
        let with_pseudonyms = pseudonym > 0;
        for mutant in &self.mutants {
            if several {
                write!(f, "{:<assignment_width$}  ", mutant.assignment)?;
            }
            let equivalent =
                if mutant.equivalent.is_some() { " (declared equivalent)" } else { "" };
            let (word, area_text) = (mutant.kind.word(), printable(&mutant.area));
            write!(f, "{:<id$}  ", mutant.id)?;
            if with_pseudonyms {
                write!(f, "{:<pseudonym$}  ", mutant.pseudonym.as_deref().unwrap_or_default())?;
            }
            write!(f, "{word:<kind$}  {area_text:<area$}  {:>points$}  ", mutant.points)?;
            writeln!(f, "{}{equivalent}", printable(&mutant.summary))?;
        }
        Ok(())
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Described {
            assignment,
            id,
            pseudonym,
            summary,
            kind,
            area,
            spec,
            hint,
            points,
            equivalent,
            witness,
        } = &self.mutant;
        writeln!(f, "{id}, a mutant of {assignment}\n\n  {}\n", printable(summary))?;
        let points = points.to_string();
        if let Some(pseudonym) = pseudonym {
            writeln!(f, "  {:<9} {pseudonym}", "pseudonym")?;
        }
        let lines = [
            ("kind", kind.word()),
            ("area", area),
            ("points", &points),
            ("document", spec),
            ("hint", hint),
        ];
        for (key, text) in lines {
            writeln!(f, "  {key:<9} {}", printable(text))?;
        }
        for SiteListed { file, line, column, text } in &self.sites {
            writeln!(f, "  {:<9} {file}:{line}:{column}\n            {}", "source", text.trim())?;
        }
        if let Some(reason) = equivalent {
            writeln!(f, "  {:<9} declared so: {}", "equivalent", printable(reason))?;
        }
        let Some(witness) = witness else {
            return writeln!(
                f,
                "  {:<9} none; `harness mutants witness {id}` finds one",
                "witness"
            );
        };
        writeln!(f, "  {:<9} flags `{}`", "witness", witness.flags)?;
        for line in witness.input.lines() {
            writeln!(f, "            {}", printable(line))?;
        }
        if !witness.input.ends_with('\n') {
            writeln!(f, "            (no newline at the end)")?;
        }
        if let Some(exposure) = &self.exposure {
            writeln!(f, "  {:<9} {} {}", "run", assignment, exposure.args.join(" "))?;
            writeln!(
                f,
                "  {:<9} {}",
                "exposed",
                exposure.how.map_or(
                    "not at all: `harness mutants verify` says more".to_owned(),
                    |how| format!("by {}", how.word())
                )
            )?;
            let along = if exposure.along.is_empty() {
                "no other".to_owned()
            } else {
                exposure.along.join(", ")
            };
            writeln!(f, "  {:<9} {along}", "along")?;
        }
        Ok(())
    }
}
