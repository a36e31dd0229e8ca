//! The edges of trees: paths, stars, caterpillars, binary and random trees, deep or shallow, with their nodes and edges in some order.

use fastrand::Rng;

/// A tree with a node more than it has edges.
pub(crate) struct Tree {
    edges: u64,
    form: Form,
    seed: u64,
    /// How the nodes and the edges are numbered.
    nodes: Order,
    rows: Order,
    /// Whether some edges name the child first.
    is_turned: bool,
}

/// What a tree looks like: which of the nodes before it is the parent of a node.
#[derive(Clone, Copy)]
enum Form {
    /// The one before it.
    Path,
    Star,
    /// A path of this many nodes, with leaves.
    Caterpillar(u64),
    Binary,
    /// One of this many before it.
    Near(u64),
    Random,
}

/// An order of so many numbers: each is so much more than the one before it, and begins again at the end.
struct Order {
    count: u64,
    start: u64,
    step: u64,
}

impl Tree {
    pub(super) fn any(edges: u64, random: &mut Rng) -> Self {
        let nodes = edges.saturating_add(1);
        let form = match random.u8(..6) {
            0 => Form::Path,
            1 => Form::Star,
            2 => Form::Caterpillar(random.u64(1..=nodes)),
            3 => Form::Binary,
            4 => Form::Near(random.u64(2..=4)),
            _ => Form::Random,
        };
        Self {
            edges,
            form,
            seed: random.u64(..),
            nodes: Order::any(nodes, random),
            rows: Order::any(edges, random),
            is_turned: random.bool(),
        }
    }

    /// An edge. What follows the last is the first again.
    pub(super) fn edge(&self, row: u64) -> [u64; 2] {
        if self.edges == 0 {
            return [0, 0];
        }
        let child = self.rows.at(row % self.edges) + 1;
        let mut random = Rng::with_seed(self.seed ^ child.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let parent = match self.form {
            Form::Path => child - 1,
            Form::Star => 0,
            Form::Caterpillar(length) if child < length => child - 1,
            Form::Caterpillar(length) => random.u64(..length),
            Form::Binary => (child - 1) / 2,
            Form::Near(most) => child - random.u64(1..=most.min(child)),
            Form::Random => random.u64(..child),
        };
        let [parent, child] = [parent, child].map(|node| self.nodes.at(node));
        if self.is_turned && random.bool() { [child, parent] } else { [parent, child] }
    }
}

impl Order {
    /// The usual order, or another one.
    fn any(count: u64, random: &mut Rng) -> Self {
        if count < 2 || random.bool() {
            return Self { count, start: 0, step: 1 };
        }
        let step = random.u64(1..count);
        // Steps that have a divisor in common with the count do not reach all.
        let step = if gcd(step, count) == 1 { step } else { count - 1 };
        Self { count, start: random.u64(..count), step }
    }

    fn at(&self, number: u64) -> u64 {
        let at = u128::from(number) * u128::from(self.step) + u128::from(self.start);
        (at % u128::from(self.count.max(1))) as u64
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_edges_join_all_nodes() {
        for seed in 0..300 {
            let edges = seed % 12;
            let tree = Tree::any(edges, &mut Rng::with_seed(seed));
            let mut left: Vec<_> = (0..edges).map(|row| tree.edge(row)).collect();
            let mut joined = HashSet::from([0]);
            while let Some(at) =
                left.iter().position(|[a, b]| joined.contains(a) != joined.contains(b))
            {
                joined.extend(left.remove(at));
            }
            assert!(left.is_empty(), "{left:?}");
            assert_eq!(joined, (0..=edges).collect());
        }
    }
}
