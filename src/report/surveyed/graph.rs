//! What exposes what along with it, as a picture: an SVG that brings its own background, light or dark.

use super::layout::{Layout, Point, layout};
use super::{Surveyed, percent};
use std::fmt::{self, Write};

/// Of a monospaced font of this size, the width of a character and the height of a line.
const FONT: f64 = 12.0;
const CHARACTER: f64 = 7.25;
const LINE: f64 = 17.0;
const PADDING: f64 = 8.0;
/// Where the graph begins, below title and legend.
const MARGIN: f64 = 24.0;
const TOP: f64 = 104.0;

/// Plain classes, since not every viewer knows variables.
const STYLE: &str = "
  .page { fill: #ffffff } .ink { fill: #1f2328 } .faint { fill: #59636e } .tip { fill: #818b98 }
  .line { fill: none; stroke: #818b98 } .node { fill: #f6f8fa; stroke: #818b98 }
  .one { fill: #8c959f } .two { fill: #d4a72c } .three { fill: #cf222e }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9198a1 } .tip { fill: #6e7681 }
    .line { stroke: #6e7681 } .node { fill: #161b22; stroke: #6e7681 }
    .one { fill: #6e7681 } .two { fill: #d29922 } .three { fill: #f85149 }
  }
";

/// The picture.
pub fn svg(survey: &Surveyed) -> String {
    let mut out = String::new();
    Picture::new(survey).write(&mut out).expect("a text has room");
    out
}

/// Mutants in one box: twins stand together.
struct Node<'a> {
    ids: &'a [String],
    size: Point,
}

struct Picture<'a> {
    survey: &'a Surveyed,
    /// Those that imply others, or are implied.
    nodes: Vec<Node<'a>>,
    layout: Layout,
    /// Those that stand alone, in columns below.
    alone: Vec<(Node<'a>, Point)>,
    size: Point,
}

impl<'a> Picture<'a> {
    fn new(survey: &'a Surveyed) -> Self {
        let mut nodes: Vec<Node<'a>> = Vec::new();
        let mut find = |ids: &'a [String]| {
            nodes.iter().position(|node| node.ids == ids).unwrap_or_else(|| {
                nodes.push(Node::new(survey, ids));
                nodes.len() - 1
            })
        };
        let edges: Vec<_> = survey
            .implications
            .iter()
            .map(|edge| (find(&edge.exposed), find(&edge.along)))
            .collect();
        let sizes: Vec<_> = nodes.iter().map(|node| node.size).collect();
        let layout = layout(&sizes, &edges);
        let alone = survey
            .dominators
            .iter()
            .filter(|ids| !nodes.iter().any(|node| node.ids == ids.as_slice()));
        let alone: Vec<_> = alone.map(|ids| Node::new(survey, ids)).collect();
        let width = layout.size.0.max(760.0);
        let (alone, bottom) = in_columns(alone, width, TOP + layout.size.1 + MARGIN);
        Self { survey, nodes, layout, alone, size: (width + 2.0 * MARGIN, bottom + MARGIN) }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let (width, height) = self.size;
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="{FONT}">"#
        )?;
        writeln!(
            out,
            "<title>What exposes what along with it: {}</title>",
            escaped(&self.survey.assignment)
        )?;
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(
            out,
            r#"<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>"#
        )?;
        writeln!(out, r#"<rect width="100%" height="100%" class="page"/>"#)?;
        self.legend(out)?;
        for points in &self.layout.edges {
            writeln!(out, r#"<path d="{}" class="line" marker-end="url(#tip)"/>"#, curve(points))?;
        }
        for (node, &(x, y)) in self.nodes.iter().zip(&self.layout.nodes) {
            self.node(out, node, (x + MARGIN, y + TOP))?;
        }
        if let Some((_, (_, y))) = self.alone.first() {
            text(
                out,
                (MARGIN, y - 12.0),
                "faint",
                "Exposed along with no other, and no other along with them:",
            )?;
        }
        for (node, at) in &self.alone {
            self.node(out, node, *at)?;
        }
        writeln!(out, "</svg>")
    }

    fn legend(&self, out: &mut String) -> fmt::Result {
        let tests: usize = self.survey.tests.values().sum();
        let title = format!("{}: what exposes what along with it", self.survey.assignment);
        writeln!(
            out,
            r#"<text x="{MARGIN}" y="{}" font-size="18" font-weight="bold" class="ink">{}</text>"#,
            MARGIN + 10.0,
            escaped(&title)
        )?;
        let meaning = "a → b: every test that exposes a exposes b too. In a box: twins, and the share of random tests that expose them.";
        text(out, (MARGIN, 58.0), "faint", meaning)?;
        let tried =
            format!("{tests} random tests and {} near those. Suggested points:", self.survey.near);
        text(out, (MARGIN, 77.0), "faint", &tried)?;
        let mut x = MARGIN + CHARACTER * count(&tried) + 16.0;
        for (points, color) in [(1, "one"), (2, "two"), (3, "three")] {
            writeln!(
                out,
                r#"<rect x="{x:.1}" y="67" width="5" height="12" rx="1" class="{color}"/>"#
            )?;
            text(out, (x + 10.0, 77.0), "faint", &points.to_string())?;
            x += 36.0;
        }
        Ok(())
    }

    fn node(&self, out: &mut String, node: &Node<'_>, (x, y): Point) -> fmt::Result {
        let (width, height) = node.size;
        let mutants: Vec<_> = node.ids.iter().filter_map(|id| self.survey.mutant(id)).collect();
        let points = mutants.iter().map(|mutant| mutant.suggested_points).max().unwrap_or(1);
        let color = ["one", "two", "three"][points.clamp(1, 3) as usize - 1];
        let summaries: Vec<_> =
            mutants.iter().map(|mutant| format!("{}: {}", mutant.id, mutant.summary)).collect();
        writeln!(out, "<g><title>{}</title>", escaped(&summaries.join("\n")))?;
        writeln!(
            out,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="4" class="node"/>"#
        )?;
        writeln!(
            out,
            r#"<rect x="{x:.1}" y="{y:.1}" width="5" height="{height:.1}" rx="2" class="{color}"/>"#
        )?;
        for (line, mutant) in mutants.iter().enumerate() {
            let baseline = y + PADDING / 2.0 + LINE * (count_of(line) + 1.0) - 4.5;
            text(out, (x + PADDING + 4.0, baseline), "ink", &mutant.id)?;
            writeln!(
                out,
                r#"<text x="{:.1}" y="{baseline:.1}" text-anchor="end" class="faint">{}</text>"#,
                x + width - PADDING,
                share(mutant.chance)
            )?;
        }
        writeln!(out, "</g>")
    }
}

impl<'a> Node<'a> {
    fn new(survey: &Surveyed, ids: &'a [String]) -> Self {
        let longest = ids.iter().map(|id| {
            count(id) + 2.0 + count(&share(survey.mutant(id).map_or(0.0, |it| it.chance)))
        });
        let width = longest.fold(0.0, f64::max) * CHARACTER + 2.0 * PADDING + 4.0;
        Self { ids, size: (width, LINE * count_of(ids.len()) + PADDING) }
    }
}

/// Nodes in as many columns as there is room for, from the top; and where they end.
fn in_columns(nodes: Vec<Node<'_>>, width: f64, top: f64) -> (Vec<(Node<'_>, Point)>, f64) {
    const SPACE: f64 = 10.0;
    if nodes.is_empty() {
        return (Vec::new(), top);
    }
    let column = nodes.iter().map(|node| node.size.0).fold(1.0, f64::max) + 2.0 * SPACE;
    let columns =
        (1..=nodes.len()).rev().find(|&columns| count_of(columns) * column <= width).unwrap_or(1);
    // A line says what they are.
    let top = top + LINE * 2.0;
    let mut bottoms = vec![top; columns];
    let mut placed = Vec::new();
    for (at, node) in nodes.into_iter().enumerate() {
        let bottom = &mut bottoms[at % columns];
        let point = (MARGIN + column * count_of(at % columns), *bottom);
        *bottom += node.size.1 + SPACE;
        placed.push((node, point));
    }
    (placed, bottoms.into_iter().fold(top, f64::max))
}

/// A line through these points: straight where it keeps its height, else bent.
fn curve(points: &[Point]) -> String {
    let points: Vec<_> = points.iter().map(|&(x, y)| (x + MARGIN, y + TOP)).collect();
    let start = points.first().map(|(x, y)| format!("M{x:.1} {y:.1}")).into_iter();
    let piece = |pair: &[Point]| {
        let [(from_x, from_y), (x, y)] = [pair[0], pair[1]];
        let middle = f64::midpoint(from_x, x);
        if (from_y - y).abs() < 0.05 {
            format!("L{x:.1} {y:.1}")
        } else {
            format!("C{middle:.1} {from_y:.1} {middle:.1} {y:.1} {x:.1} {y:.1}")
        }
    };
    start.chain(points.windows(2).map(piece)).collect()
}

fn text(out: &mut String, (x, y): Point, color: &str, text: &str) -> fmt::Result {
    writeln!(out, r#"<text x="{x:.1}" y="{y:.1}" class="{color}">{}</text>"#, escaped(text))
}

fn share(chance: f64) -> String {
    format!("{} %", percent(chance))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn count(text: &str) -> f64 {
    count_of(text.chars().count())
}

fn count_of(number: usize) -> f64 {
    number as f64
}
