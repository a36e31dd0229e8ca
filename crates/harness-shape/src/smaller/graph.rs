//! Graphs with fewer nodes and edges. An edge is a choice among those that the ones before it leave, so the choices of all edges change.

use super::edit::Edit;
use super::{Range, Step, parts};
use crate::choice::Choice;
use crate::edges::GraphMade;
use crate::make::Input;

/// What the number of edges counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    All,
    /// Those beyond the fewest with which the graph is connected.
    BeyondTree,
}

/// Leaves out edges and nodes of graphs: half of them, then quarters and so on, then each one.
pub(super) fn without_parts(whole: &Input, steps: &mut Vec<Step>) {
    /// Of more nodes, only parts are left out.
    const FEW: usize = 64;
    for (graph, made) in whole.made.graphs.iter().enumerate() {
        if made.nodes_choice.is_some() {
            let all = [Counted::All, Counted::BeyondTree];
            let kinds = &all[..if made.kind.is_connected { 2 } else { 1 }];
            let few = parts(made.nodes).filter(|part| part.len() > 1 || made.nodes <= FEW);
            steps.extend(few.flat_map(|without| {
                let step = |&edges| Step::Nodes { graph, without: without.clone(), edges };
                kinds.iter().map(step).collect::<Vec<_>>()
            }));
        }
        if made.edges_choice.is_some() && made.edges_choice != made.nodes_choice {
            let count = made.edges.len();
            let one = (count == 1).then_some(0..1);
            let edges = parts(count).chain(one);
            steps.extend(edges.map(|without| Step::Edges { graph, without }));
        }
    }
}

impl Edit<'_> {
    /// The choices without some edges of a graph.
    pub(super) fn without_edges(
        whole: &Input,
        graph: &GraphMade,
        gone: &Range,
    ) -> Option<Vec<Choice>> {
        let mut edit = Edit::new(whole);
        let left: Vec<_> = (0..graph.edges.len()).filter(|at| !gone.contains(at)).collect();
        edit.lower(graph.edges_choice?, gone.len())?;
        edit.replace(graph, graph.nodes, &left, |node| node)?;
        Some(edit.finish())
    }

    /// The choices without some nodes of a graph, and their edges.
    pub(super) fn without_nodes(
        whole: &Input,
        graph: &GraphMade,
        gone: &Range,
        counted: Counted,
    ) -> Option<Vec<Choice>> {
        let mut edit = Edit::new(whole);
        let is_left = |node: usize| !gone.contains(&node);
        let ends = |at: &usize| graph.edges[*at];
        let left: Vec<_> = (0..graph.edges.len())
            .filter(|at| is_left(ends(at).0) && is_left(ends(at).1))
            .collect();
        let nodes_choice = graph.nodes_choice?;
        edit.lower(nodes_choice, gone.len())?;
        if let Some(choice) = graph.edges_choice.filter(|&choice| choice != nodes_choice) {
            let tied = if counted == Counted::BeyondTree { gone.len() } else { 0 };
            edit.lower(choice, (graph.edges.len() - left.len()).checked_sub(tied)?)?;
        }
        edit.forget(nodes_choice, gone);
        let renumbered = |node| if node >= gone.end { node - gone.len() } else { node };
        edit.replace(graph, graph.nodes - gone.len(), &left, renumbered)?;
        Some(edit.finish())
    }

    /// Makes a graph of some of its edges, the nodes of which have other numbers.
    fn replace(
        &mut self,
        graph: &GraphMade,
        nodes: usize,
        edges: &[usize],
        renumbered: impl Fn(usize) -> usize,
    ) -> Option<()> {
        let ends = |&at: &usize| {
            let (from, to) = graph.edges[at];
            (renumbered(from), renumbered(to))
        };
        let pairs: Vec<_> = edges.iter().map(ends).collect();
        let mut choices = Vec::new();
        for (&at, nodes) in edges.iter().zip(graph.kind.choices(nodes, &pairs)?) {
            choices.extend(nodes);
            choices.extend(&self.choices[graph.starts[at] + nodes.len()..graph.starts[at + 1]]);
        }
        self.splices.push((*graph.starts.first()?..*graph.starts.last()?, choices));
        Some(())
    }
}
