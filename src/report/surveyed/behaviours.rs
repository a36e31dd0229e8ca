//! The part of a survey about behaviours: which mutants may be joined, and which of those that are joined a test tells apart.

use super::super::screen::Screen;
use super::{Surveyed, section};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Writes the mutants that no test tells apart, and how to count them once.
pub(super) fn write_twins(survey: &Surveyed, out: &mut String, screen: Screen) -> fmt::Result {
    let lines = survey.twins.iter().map(|ids| {
        let behaviour = joined(survey, ids).map(|name| format!("  (behaviour `{name}`)"));
        format!("{}{}", ids.join(" = "), behaviour.unwrap_or_default())
    });
    let heading = "Twins: no test tells these apart";
    section(out, screen, heading, &lines.collect::<Vec<_>>())?;
    if survey.twins.iter().all(|ids| joined(survey, ids).is_some()) {
        return Ok(());
    }
    let text = "Candidates for a behaviour: a course can count the mutants of a line once if their \
        files have the same `behaviour:`";
    writeln!(out)?;
    screen.field(out, "  ", text)
}

/// The behaviour that all of these mutants have.
fn joined<'a>(survey: &'a Surveyed, ids: &[String]) -> Option<&'a str> {
    let of = |id: &String| survey.mutant(id)?.behaviour.as_deref();
    of(&ids[0]).filter(|name| ids.iter().all(|id| of(id) == Some(name)))
}

/// Writes the behaviours with mutants that a test tells apart.
pub(super) fn write_told_apart(survey: &Surveyed, out: &mut String, screen: Screen) -> fmt::Result {
    let heading = "Behaviours with mutants that a test tells apart";
    section(out, screen, heading, &told_apart(survey))
}

/// The behaviours with mutants that are not exposed by the same cases.
fn told_apart(survey: &Surveyed) -> Vec<String> {
    let mut named: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for mutant in &survey.mutants {
        if let Some(name) = &mutant.behaviour {
            named.entry(name).or_default().push(&mutant.id);
        }
    }
    let is_alike = |ids: &[&String]| {
        let mut classes = survey.twins.iter().chain([&survey.unexposed]);
        ids.len() == 1 || classes.any(|class| ids.iter().all(|id| class.contains(id)))
    };
    let told_apart = named.into_iter().filter(|(_, ids)| !is_alike(ids));
    let line = |(name, mut ids): (&str, Vec<&String>)| {
        ids.sort();
        let ids: Vec<_> = ids.into_iter().map(String::as_str).collect();
        format!("{name}: {}", ids.join(", "))
    };
    told_apart.map(line).collect()
}
