//! Where the nodes of a graph without cycles go, so that every arrow points to the right and none runs through a node: layers as columns,
//! a place of its own in each column for an arrow that passes it (Sugiyama's method). Pure, and the same for the same graph.

/// The space between two columns, and between two nodes of one.
const GAP: f64 = 70.0;
const SPACE: f64 = 10.0;
/// The height that a passing arrow takes up.
const PASSING: f64 = 4.0;
/// How often columns are reordered, and moved towards their neighbours.
const SWEEPS: usize = 24;

/// A point: to the right, and down.
pub(super) type Point = (f64, f64);

/// Where everything is.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    /// The top left corner of each node.
    pub(super) nodes: Vec<Point>,
    /// For each edge the points that it runs through: across a column it keeps its height, between columns it may bend.
    pub(super) edges: Vec<Vec<Point>>,
    /// The width and height of all.
    pub(super) size: Point,
}

/// Lays out nodes of these widths and heights: what hangs together stays together, the largest group first.
pub(super) fn layout(sizes: &[Point], edges: &[(usize, usize)]) -> Layout {
    let columns = columns(sizes.len(), edges);
    let mut widths = vec![0.0_f64; columns.iter().max().map_or(0, |last| last + 1)];
    for (&column, &(width, _)) in columns.iter().zip(sizes) {
        widths[column] = widths[column].max(width);
    }
    let mut whole = Layout {
        nodes: vec![(0.0, 0.0); sizes.len()],
        edges: vec![Vec::new(); edges.len()],
        size: (0.0, 0.0),
    };
    for group in groups(sizes.len(), edges) {
        let inside: Vec<usize> =
            (0..edges.len()).filter(|&edge| group.contains(&edges[edge].0)).collect();
        let index = |node: usize| {
            group.iter().position(|&other| other == node).expect("an edge stays in its group")
        };
        let mut graph = Graph::new(
            &group.iter().map(|&node| (sizes[node], columns[node])).collect::<Vec<_>>(),
            &inside
                .iter()
                .map(|&edge| (index(edges[edge].0), index(edges[edge].1)))
                .collect::<Vec<_>>(),
        );
        graph.reorder();
        graph.place();
        let part = graph.into_layout(group.len(), &widths);
        let top = if whole.size.1 > 0.0 { whole.size.1 + 2.0 * SPACE } else { 0.0 };
        let lower = |(x, y): Point| (x, y + top);
        group.iter().zip(part.nodes).for_each(|(&node, point)| whole.nodes[node] = lower(point));
        inside.iter().zip(part.edges).for_each(|(&edge, points)| {
            whole.edges[edge] = points.into_iter().map(lower).collect();
        });
        whole.size = (whole.size.0.max(part.size.0), top + part.size.1);
    }
    whole
}

/// The nodes that hang together, the largest group first.
fn groups(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..nodes).collect();
    for &(from, to) in edges {
        let (kept, gone) = (group[from].min(group[to]), group[from].max(group[to]));
        group.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
    }
    let members = |name: usize| (0..nodes).filter(|&node| group[node] == name).collect::<Vec<_>>();
    let mut groups: Vec<_> =
        (0..nodes).map(members).filter(|members| !members.is_empty()).collect();
    groups.sort_by_key(|members| std::cmp::Reverse(members.len()));
    groups
}

/// A node, or an edge that passes a column.
struct Place {
    height: f64,
    width: f64,
    column: usize,
    /// The middle.
    y: f64,
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Place {
    fn new(height: f64, column: usize) -> Self {
        Self { height, width: 0.0, column, y: 0.0, before: Vec::new(), after: Vec::new() }
    }
}

struct Graph {
    places: Vec<Place>,
    /// The places of each column, from the top.
    columns: Vec<Vec<usize>>,
    /// For each edge the places that it connects, from left to right.
    chains: Vec<Vec<usize>>,
}

impl Graph {
    /// `nodes` have a size and a column each.
    fn new(nodes: &[(Point, usize)], edges: &[(usize, usize)]) -> Self {
        let place = |&((width, height), column): &(Point, usize)| Place {
            width,
            ..Place::new(height, column)
        };
        let places: Vec<_> = nodes.iter().map(place).collect();
        let count = nodes.iter().map(|(_, column)| column + 1).max().unwrap_or(0);
        let mut graph = Self { places, columns: vec![Vec::new(); count], chains: Vec::new() };
        for &(from, to) in edges {
            let mut chain = vec![from];
            for column in nodes[from].1 + 1..nodes[to].1 {
                chain.push(graph.places.len());
                graph.places.push(Place::new(PASSING, column));
            }
            chain.push(to);
            for pair in chain.windows(2) {
                graph.places[pair[0]].after.push(pair[1]);
                graph.places[pair[1]].before.push(pair[0]);
            }
            graph.chains.push(chain);
        }
        for at in 0..graph.places.len() {
            graph.columns[graph.places[at].column].push(at);
        }
        graph
    }

    /// Puts the places of each column into an order in which few edges cross.
    fn reorder(&mut self) {
        let mut best = self.columns.clone();
        let mut fewest = self.crossings();
        for sweep in 0..SWEEPS {
            let forward = sweep % 2 == 0;
            let order: Vec<usize> = if forward {
                (0..self.columns.len()).collect()
            } else {
                (0..self.columns.len()).rev().collect()
            };
            for column in order {
                let ranks = self.ranks();
                let key = |&at: &usize| {
                    let place = &self.places[at];
                    let neighbours = if forward { &place.before } else { &place.after };
                    mean(neighbours.iter().map(|&at| ranks[at])).unwrap_or(ranks[at])
                };
                let mut sorted = self.columns[column].clone();
                sorted.sort_by(|a, b| key(a).total_cmp(&key(b)));
                self.columns[column] = sorted;
            }
            let crossings = self.crossings();
            if crossings < fewest {
                fewest = crossings;
                best.clone_from(&self.columns);
            }
        }
        self.columns = best;
    }

    /// How far down in its column each place is, from 0 to 1.
    fn ranks(&self) -> Vec<f64> {
        let mut ranks = vec![0.0; self.places.len()];
        for column in &self.columns {
            for (rank, &at) in column.iter().enumerate() {
                ranks[at] = (number(rank) + 0.5) / number(column.len());
            }
        }
        ranks
    }

    fn crossings(&self) -> usize {
        let ranks = self.ranks();
        let mut count = 0;
        for column in &self.columns {
            let lines: Vec<_> = column
                .iter()
                .flat_map(|&a| self.places[a].after.iter().map(move |&b| (a, b)))
                .collect();
            for (at, &(a, b)) in lines.iter().enumerate() {
                let crosses = |&&(c, d): &&(usize, usize)| {
                    (ranks[a] - ranks[c]) * (ranks[b] - ranks[d]) < 0.0
                };
                count += lines[at + 1..].iter().filter(crosses).count();
            }
        }
        count
    }

    /// Moves each place towards the middle of its neighbours, as far as the order and the space between places allow.
    fn place(&mut self) {
        for column in 0..self.columns.len() {
            self.settle(column, |_, _| Some(0.0));
        }
        for sweep in 0..SWEEPS {
            let last = self.columns.len();
            for step in 0..last {
                let column = if sweep % 2 == 0 { step } else { last - 1 - step };
                self.settle(column, |graph, at| {
                    let place = &graph.places[at];
                    mean(place.before.iter().chain(&place.after).map(|&at| graph.places[at].y))
                });
            }
        }
    }

    /// Gives the places of a column the heights nearest to what is wanted of each, none overlapping the next.
    fn settle(&mut self, column: usize, wanted: impl Fn(&Self, usize) -> Option<f64>) {
        let places = self.columns[column].clone();
        // How far below the first each place is at least: beyond that the distances may only grow.
        let mut offsets = Vec::new();
        let mut offset = 0.0;
        for (rank, &at) in places.iter().enumerate() {
            if rank > 0 {
                offset +=
                    f64::midpoint(self.places[places[rank - 1]].height, self.places[at].height)
                        + SPACE;
            }
            offsets.push(offset);
        }
        let wishes = places
            .iter()
            .zip(&offsets)
            .map(|(&at, offset)| wanted(self, at).unwrap_or(self.places[at].y) - offset);
        for ((at, y), offset) in places.iter().zip(nearest_rising(wishes)).zip(&offsets) {
            self.places[*at].y = y + offset;
        }
    }

    fn into_layout(self, nodes: usize, widths: &[f64]) -> Layout {
        let left = |column: usize| widths[..column].iter().sum::<f64>() + number(column) * GAP;
        let top = self
            .places
            .iter()
            .map(|place| place.y - place.height / 2.0)
            .fold(f64::INFINITY, f64::min)
            .min(f64::MAX);
        let bottom =
            self.places.iter().map(|place| place.y + place.height / 2.0).fold(top, f64::max);
        let corner = |place: &Place| (left(place.column), place.y - place.height / 2.0 - top);
        let through = |chain: &Vec<usize>| {
            let mut points = Vec::new();
            for (rank, &at) in chain.iter().enumerate() {
                let (place, is_last) = (&self.places[at], rank + 1 == chain.len());
                let (start, y) = (left(place.column), place.y - top);
                let width = if at < nodes { place.width } else { widths[place.column] };
                if rank > 0 {
                    points.push((start, y));
                }
                if !is_last {
                    points.push((start + width, y));
                }
                // A node narrower than its column: straight on to the column's end, past what stands above and below.
                if rank == 0 && width < widths[place.column] {
                    points.push((start + widths[place.column], y));
                }
            }
            points
        };
        Layout {
            nodes: self.places[..nodes].iter().map(corner).collect(),
            edges: self.chains.iter().map(through).collect(),
            size: (left(self.columns.len()) - GAP, bottom - top),
        }
    }
}

/// The column of each node: right of all that point to it, and what nothing points to just left of what it points to.
fn columns(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut columns = vec![0; nodes];
    // Without cycles, no path is longer than there are nodes.
    for _ in 0..nodes {
        for &(from, to) in edges {
            columns[to] = columns[to].max(columns[from] + 1);
        }
    }
    for node in 0..nodes {
        if edges.iter().all(|&(_, to)| to != node)
            && let Some(nearest) =
                edges.iter().filter(|(from, _)| *from == node).map(|&(_, to)| columns[to]).min()
        {
            columns[node] = nearest - 1;
        }
    }
    columns
}

/// The numbers that never fall and are, by least squares, nearest to these: neighbours that would fall share their mean.
fn nearest_rising(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for value in numbers {
        pools.push((value, 1));
        while let [.., (before, count), (after, more)] = pools[..]
            && before > after
        {
            pools.pop();
            let all = count + more;
            *pools.last_mut().expect("there were two") =
                ((before * number(count) + after * number(more)) / number(all), all);
        }
    }
    pools.into_iter().flat_map(|(value, count)| std::iter::repeat_n(value, count)).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / number(count))
}

fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Point = (100.0, 20.0);

    #[test]
    fn no_node_overlaps_another_and_every_arrow_points_to_the_right() {
        let edges = [(0, 3), (1, 3), (2, 4), (3, 5), (0, 5), (4, 5), (6, 5), (1, 7)];
        let layout = layout(&[SIZE; 8], &edges);
        for (at, &(x, y)) in layout.nodes.iter().enumerate() {
            for &(other_x, other_y) in &layout.nodes[at + 1..] {
                assert!(
                    (x - other_x).abs() >= SIZE.0 || (y - other_y).abs() >= SIZE.1,
                    "{:?}",
                    layout.nodes
                );
            }
        }
        for (points, (from, to)) in layout.edges.iter().zip(edges) {
            assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            assert!(layout.nodes[from].0 < layout.nodes[to].0);
        }
    }

    #[test]
    fn what_nothing_points_to_stands_beside_what_it_points_to() {
        assert_eq!(columns(5, &[(0, 1), (1, 2), (3, 2), (4, 1)]), [0, 1, 2, 1, 0]);
    }

    #[test]
    fn numbers_that_would_fall_share_their_mean() {
        assert_eq!(nearest_rising([1.0, 5.0, 3.0, 9.0].into_iter()), [1.0, 4.0, 4.0, 9.0]);
    }

    #[test]
    fn an_empty_graph_has_no_size_to_speak_of() {
        let layout = layout(&[], &[]);
        assert!(layout.nodes.is_empty() && layout.size.1.abs() < 1.0);
    }
}
