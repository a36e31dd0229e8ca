//! The edges of a tree or a graph, a line for each. Every choice of a node leaves a way to choose the others.

use crate::run::{Done, Run};
use crate::stream::Stream;
use crate::tree::{Command, Expr};
use std::collections::HashSet;

/// The most nodes, so that a number in an input cannot ask for a lot of memory.
const MOST_NODES: u64 = 10_000_000;

/// What the edges of a tree or a graph must be.
#[derive(Debug)]
pub struct EdgesRule {
    pub nodes: Expr,
    /// How many edges there are. A tree has one less than nodes.
    pub edges: Option<Expr>,
    /// The number of the first node.
    pub from: i64,
    pub is_connected: bool,
    pub is_directed: bool,
    /// What follows the two nodes on their line.
    pub after: Vec<Command>,
}

/// The edges so far. Nodes count from 0.
struct Graph {
    /// The parent of each node in its component, or itself.
    parents: Vec<usize>,
    /// The number of nodes of the component, for the node that stands for it.
    sizes: Vec<usize>,
    components: usize,
    degrees: Vec<usize>,
    joined: HashSet<(usize, usize)>,
    is_directed: bool,
}

impl Graph {
    fn new(nodes: usize, is_directed: bool) -> Self {
        Self {
            parents: (0..nodes).collect(),
            sizes: vec![1; nodes],
            components: nodes,
            degrees: vec![0; nodes],
            joined: HashSet::new(),
            is_directed,
        }
    }

    fn component(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn edge(&self, from: usize, to: usize) -> (usize, usize) {
        if self.is_directed { (from, to) } else { (from.min(to), from.max(to)) }
    }

    /// Whether an edge from one node to the other can be the next one.
    fn may_join(&self, from: usize, to: usize, must_connect: bool) -> bool {
        if must_connect {
            return self.component(from) != self.component(to);
        }
        from != to && !self.joined.contains(&self.edge(from, to))
    }

    fn may_begin(&self, node: usize, must_connect: bool) -> bool {
        must_connect || self.degrees[node] + 1 < self.parents.len()
    }

    fn join(&mut self, from: usize, to: usize) {
        self.joined.insert(self.edge(from, to));
        self.degrees[from] += 1;
        if !self.is_directed {
            self.degrees[to] += 1;
        }
        let (a, b) = (self.component(from), self.component(to));
        if a != b {
            let (small, large) = if self.sizes[a] < self.sizes[b] { (a, b) } else { (b, a) };
            self.parents[small] = large;
            self.sizes[large] += self.sizes[small];
            self.components -= 1;
        }
    }
}

impl<'a, M: Stream> Run<'a, M> {
    pub(crate) fn edges(&mut self, rule: &'a EdgesRule) -> Done<()> {
        let nodes = self.count(&rule.nodes)?;
        if nodes == 0 || nodes > MOST_NODES {
            return Err(format!("a graph has from 1 to {MOST_NODES} nodes, not {nodes}"));
        }
        let count = rule.edges.as_ref().map(|edges| self.count(edges)).transpose()?;
        let count = count.unwrap_or(nodes - 1);
        let most = nodes * (nodes - 1) / if rule.is_directed { 1 } else { 2 };
        let least = if rule.is_connected { nodes - 1 } else { 0 };
        if count < least || count > most {
            return Err(format!("{nodes} nodes need from {least} to {most} edges, not {count}"));
        }
        let mut graph = Graph::new(nodes as usize, rule.is_directed);
        let (first, last) = (rule.from, rule.from + nodes as i64 - 1);
        self.begin_list(self.command, 1, Some(count));
        for left in (1..=count).rev() {
            let must_connect =
                rule.edges.is_none() || rule.is_connected && left < graph.components as u64;
            self.spend(if self.stream.has_choices() { nodes } else { 1 })?;
            let start = self.stream.choices();
            self.stream.begin_repetition();
            let at = |node: i64| (node - first) as usize;
            let may_begin = |node| graph.may_begin(at(node), must_connect);
            let wanted = format!("a node from {first} to {last} that can have another edge");
            let from = self.stream.pick(first, last, &may_begin, &wanted)?;
            self.stream.space()?;
            let may_join = |node| graph.may_join(at(from), at(node), must_connect);
            let wanted = if must_connect {
                format!("a node from {first} to {last} that no path joins with {from} yet")
            } else {
                format!("another node from {first} to {last} that no edge joins with {from} yet")
            };
            let to = self.stream.pick(first, last, &may_join, &wanted)?;
            graph.join(at(from), at(to));
            self.element(2)?;
            self.commands(&rule.after)?;
            self.stream.newline()?;
            if rule.edges.is_some() {
                self.log_span(start, None);
            }
        }
        Ok(())
    }
}
