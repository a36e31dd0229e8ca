//! The edges of a tree or a graph, a line for each. Every choice of a node leaves a way to choose the others.

use crate::choice::{Choice, Role};
use crate::run::{Done, Run};
use crate::stream::Stream;
use crate::tree::{Command, Expr};
use std::collections::HashSet;

/// The most nodes, so that a number in an input cannot ask for a lot of memory.
const MOST_NODES: u64 = 10_000_000;
/// How many nodes are looked at to make a graph, at most: all of them for each edge.
const MOST_WORK: u64 = 1_900_000;

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

impl EdgesRule {
    fn kind(&self) -> Kind {
        Kind {
            is_tree: self.edges.is_none(),
            is_connected: self.is_connected,
            is_directed: self.is_directed,
        }
    }
}

/// A graph that was made. Nodes count from 0.
#[derive(Clone, Debug)]
pub struct GraphMade {
    /// The choices that each edge begins with, and those after the last.
    pub starts: Vec<usize>,
    /// The two nodes of each edge.
    pub edges: Vec<(usize, usize)>,
    pub nodes: usize,
    /// The choices of how many nodes and edges there are.
    pub nodes_choice: Option<usize>,
    pub edges_choice: Option<usize>,
    pub kind: Kind,
}

/// Which edges a graph may have.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub is_tree: bool,
    pub is_connected: bool,
    pub is_directed: bool,
}

impl Kind {
    /// The two choices that make each of these edges; `None` if they are no such graph, or not in this order.
    pub(crate) fn choices(
        self,
        nodes: usize,
        edges: &[(usize, usize)],
    ) -> Option<Vec<[Choice; 2]>> {
        let mut graph = Graph::new(nodes, self);
        let mut choices = Vec::with_capacity(edges.len());
        for (at, &(from, to)) in edges.iter().enumerate() {
            let must_connect = graph.must_connect(edges.len() - at);
            let first = place_among(nodes, from, |node| graph.may_begin(node, must_connect))?;
            let second = place_among(nodes, to, |node| graph.may_join(from, node, must_connect))?;
            choices.push([first, second]);
            graph.join(from, to);
        }
        Some(choices)
    }
}

/// The choice of a node among those that are free.
fn place_among(nodes: usize, node: usize, is_free: impl Fn(usize) -> bool) -> Option<Choice> {
    let free = |nodes: std::ops::Range<usize>| nodes.filter(|&node| is_free(node)).count() as u64;
    let (value, after) = (free(0..node), free(node + 1..nodes));
    is_free(node).then_some(Choice { value, options: value + 1 + after, role: Role::Place })
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
    kind: Kind,
}

impl Graph {
    fn new(nodes: usize, kind: Kind) -> Self {
        Self {
            parents: (0..nodes).collect(),
            sizes: vec![1; nodes],
            components: nodes,
            degrees: vec![0; nodes],
            joined: HashSet::new(),
            kind,
        }
    }

    fn component(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn edge(&self, from: usize, to: usize) -> (usize, usize) {
        if self.kind.is_directed { (from, to) } else { (from.min(to), from.max(to)) }
    }

    /// Whether the next edge must join two components, if so many are left.
    fn must_connect(&self, left: usize) -> bool {
        self.kind.is_tree || self.kind.is_connected && left < self.components
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
        if !self.kind.is_directed {
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
        if self.stream.is_made() && nodes.saturating_mul(count) > MOST_WORK {
            return Err(format!("a graph of {nodes} nodes and {count} edges is too large to make"));
        }
        let mut graph = Graph::new(nodes as usize, rule.kind());
        let (mut starts, mut edges) = (Vec::new(), Vec::new());
        let first = rule.from;
        let last = first.checked_add(nodes as i64 - 1);
        let last = last.ok_or("the last nodes have numbers that are too large")?;
        self.begin_list(self.command, 1, Some(count));
        let list = self.new_list();
        for left in (1..=count).rev() {
            let must_connect = graph.must_connect(left as usize);
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
            starts.push(start);
            edges.push((at(from), at(to)));
            self.element(2)?;
            self.commands(&rule.after)?;
            self.stream.newline()?;
            if rule.edges.is_some() {
                self.log_span(start, None, list);
            }
        }
        starts.push(self.stream.choices());
        self.note_graph(rule, nodes as usize, (starts, edges));
        Ok(())
    }

    /// Notes a graph, for changes that leave out a part of it.
    fn note_graph(
        &mut self,
        rule: &EdgesRule,
        nodes: usize,
        (starts, edges): (Vec<usize>, Vec<(usize, usize)>),
    ) {
        let choice_of = |count: &Expr| self.counted_by(count).map(|(choice, _)| choice);
        let nodes_choice = choice_of(&rule.nodes);
        let edges_choice = rule.edges.as_ref().and_then(choice_of);
        let kind = rule.kind();
        self.log_graph(|| GraphMade { starts, edges, nodes, nodes_choice, edges_choice, kind });
    }
}
