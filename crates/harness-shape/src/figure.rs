//! Rows of two numbers that are something together: the edges of cycles or of complete graphs, the points of a circle.

mod tree;

use crate::usual::Usual;
use fastrand::Rng;
use tree::Tree;

/// What the first two numbers of the rows of a list are together.
pub(crate) enum Figure {
    /// Edges of cycles of this length, one after the other.
    Cycles(u64),
    /// Edges of so many complete graphs, the nodes of which begin with this one.
    Complete { parts: u64, first: u64 },
    /// Points of a circle, so many times as large as the smallest, from this one on.
    Circle { times: u64, first: usize },
    /// Edges of a path.
    Path,
    /// Edges from one node to all others.
    Star { centre: u64 },
    /// Edges of a tree of one of several forms.
    Tree(Tree),
}

/// The points with whole numbers on a circle of radius 5, in an order in which any few of them are far from each other.
const CIRCLE: [(u64, u64); 12] = [
    (10, 5),
    (0, 5),
    (5, 10),
    (5, 0),
    (8, 9),
    (2, 1),
    (1, 8),
    (9, 2),
    (9, 8),
    (1, 2),
    (2, 9),
    (8, 1),
];

/// How far the nodes of one complete graph are from those of the next one.
const APART: u64 = 4;

impl Figure {
    pub(crate) fn any(random: &mut Rng) -> Self {
        match random.u8(..3) {
            0 => Self::Cycles(random.u64(2..=5)),
            1 => Self::Complete { parts: random.u64(1..=2), first: random.u64(..2) },
            // Where numbers can be negative, every other choice is, so that twice as large a circle is a circle too.
            _ => Self::Circle { times: random.u64(1..=2), first: random.usize(..CIRCLE.len()) },
        }
    }

    /// The figure that a structure is, in a list of so many rows.
    pub(crate) fn of(usual: Usual, rows: u64, random: &mut Rng) -> Option<Self> {
        Some(match usual {
            Usual::Circle => Self::Circle { times: 1, first: random.usize(..CIRCLE.len()) },
            Usual::Path => Self::Path,
            Usual::Star => Self::Star { centre: random.u64(..=rows) },
            Usual::Tree => Self::Tree(Tree::any(rows, random)),
            Usual::Cycle => Self::Cycles(rows.max(1)),
            Usual::Complete => Self::Complete { parts: 1, first: random.u64(..2) },
            Usual::Disconnected if random.bool() => Self::Cycles(random.u64(2..=3)),
            Usual::Disconnected => Self::Complete { parts: 2, first: random.u64(..2) },
            _ => return None,
        })
    }

    /// The first two numbers of a row.
    pub(crate) fn row(&self, at: usize) -> [u64; 2] {
        let row = at as u64;
        match *self {
            Self::Tree(ref tree) => tree.edge(row),
            Self::Cycles(length) => {
                let first = row / length * length;
                [row, first + (row + 1 - first) % length]
            }
            Self::Complete { parts, first } => {
                let (first, edge) = (first + row % parts * APART, row / parts);
                // The edges of a node to all before it follow those of the nodes before it.
                let to = (edge * 2).isqrt();
                let to = if to * (to + 1) / 2 > edge { to } else { to + 1 };
                [first + edge - to * (to - 1) / 2, first + to]
            }
            Self::Circle { times, first } => {
                let (x, y) = CIRCLE[(first + at) % CIRCLE.len()];
                [x * times, y * times]
            }
            Self::Path => [row, row + 1],
            Self::Star { centre } => [centre, if row < centre { row } else { row + 1 }],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn rows(figure: &Figure, count: usize) -> Vec<[u64; 2]> {
        (0..count).map(|at| figure.row(at)).collect()
    }

    #[test]
    fn cycles_begin_again_with_other_nodes() {
        let edges = rows(&Figure::Cycles(3), 6);
        assert_eq!(edges, [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]);
    }

    #[test]
    fn every_two_nodes_of_a_complete_graph_have_an_edge() {
        let edges = rows(&Figure::Complete { parts: 1, first: 0 }, 10);
        let all = (0..5).flat_map(|to| (0..to).map(move |from| [from, to]));
        assert_eq!(edges, all.collect::<Vec<_>>());
        let edges = rows(&Figure::Complete { parts: 2, first: 1 }, 6);
        assert_eq!(edges, [[1, 2], [5, 6], [1, 3], [5, 7], [2, 3], [6, 7]]);
    }

    #[test]
    fn the_points_of_a_circle_are_as_far_from_its_centre() {
        let points = rows(&Figure::Circle { times: 2, first: 7 }, 12);
        assert_eq!(points.iter().collect::<HashSet<_>>().len(), 12);
        let square = |number: u64| (number as i64 - 10).pow(2);
        assert!(points.iter().all(|[x, y]| square(*x) + square(*y) == 100), "{points:?}");
    }
}
