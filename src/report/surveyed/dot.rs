//! `mutants survey --dot`: which mutants imply which, as a graph for Graphviz.

use super::{Surveyed, percent};
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// Fill colours for mutants worth one, two and three suggested points.
const FILLS: [&str; 3] = ["#eaeef2", "#fae17d", "#ffc1ba"];

/// The graph: an arrow leads from a mutant to each that every test of it exposes too.
pub fn dot(survey: &Surveyed) -> String {
    let mut out = String::new();
    write(&mut out, survey).expect("a `String` takes any text");
    out
}

fn write(out: &mut String, survey: &Surveyed) -> fmt::Result {
    writeln!(out, "// Draw this with Graphviz: dot -Tsvg FILE > graph.svg")?;
    writeln!(out, "digraph {} {{", quoted(&survey.assignment))?;
    writeln!(out, "  rankdir=LR")?;
    writeln!(out, "  node [shape=box, style=filled, fontname=monospace, fontsize=10]")?;
    let implied = survey.implications.iter().flat_map(|edge| [&edge.exposed, &edge.along]);
    let classes: BTreeSet<&Vec<String>> = implied.chain(&survey.dominators).collect();
    for ids in classes {
        write_node(out, survey, ids)?;
    }
    for id in &survey.unexposed {
        writeln!(out, "  {} [style=dashed, label={0}]", quoted(id))?;
    }
    for edge in &survey.implications {
        writeln!(out, "  {} -> {}", quoted(&edge.exposed[0]), quoted(&edge.along[0]))?;
    }
    writeln!(out, "}}")
}

/// A node for mutants that the same tests expose.
fn write_node(out: &mut String, survey: &Surveyed, ids: &[String]) -> fmt::Result {
    let mut label = ids.join("\\n");
    let mut fill = FILLS[0];
    if let Some(mutant) = survey.mutant(&ids[0]) {
        // A string cannot fail.
        let _ = write!(label, "\\n{} % of tests", percent(mutant.chance));
        fill = FILLS[(mutant.suggested_points as usize).clamp(1, FILLS.len()) - 1];
    }
    let name = quoted(&ids[0]);
    writeln!(out, "  {name} [fillcolor=\"{fill}\", label=\"{label}\"]")
}

/// Ids hold letters, digits and `-` only.
fn quoted(id: &str) -> String {
    format!("\"{id}\"")
}
