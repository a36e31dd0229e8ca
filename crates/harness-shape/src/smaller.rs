//! Smaller inputs: choices deleted or lowered, and made again. So every result is valid.

mod edit;
mod graph;

pub(crate) use edit::{Edit, lists, without};

use crate::choice::{Choice, Role, Simplest};
use crate::make::Input;
use crate::run::{Most, Options};
use crate::tree::Shape;
use edit::Orphans;
use std::collections::HashSet;

type Range = std::ops::Range<usize>;

impl Shape {
    /// All inputs that are one step smaller or simpler, the largest step first.
    pub fn smaller(&self, choices: &[Choice], options: &Options) -> Vec<Input> {
        let Some(steps) = self.steps(choices, options) else { return Vec::new() };
        let mut seen = HashSet::new();
        let all = (0..steps.count()).filter_map(|at| steps.make(self, at));
        all.filter(|input| seen.insert(input.bytes.clone())).collect()
    }

    /// The steps to smaller or simpler inputs; `None` if the choices make no input.
    pub fn steps(&self, choices: &[Choice], options: &Options) -> Option<Steps> {
        let whole = self.make(choices, &mut Simplest, Most::ANY, options).ok()?;
        let mut steps = Vec::new();
        without_lines(&whole, &mut steps);
        without_spans(&whole, &mut steps);
        graph::without_parts(&whole, &mut steps);
        without_named(&whole, &mut steps);
        merged(&whole, &mut steps);
        simpler_cells(&whole, &mut steps);
        lower(&whole.choices, &mut steps);
        Some(Steps { size: order(&whole), whole, steps, options: options.clone() })
    }
}

/// The steps from an input to smaller ones. Each is only made when it is needed, because an input with thousands of cells has thousands.
pub struct Steps {
    whole: Input,
    size: Size,
    steps: Vec<Step>,
    options: Options,
}

/// How to change choices.
enum Step {
    /// Leave out layers, rows and columns of a grid.
    Lines { grid: usize, without: [Range; 3], orphans: Orphans },
    /// Leave out repetitions.
    Spans(Range),
    /// Make each two of these repetitions one, with the sums of their numbers.
    Merged(Range),
    /// Leave out some of what the number of a choice counts, where that is nothing but numbers and letters that name them.
    Named { count: usize, without: Range },
    /// Leave out edges of a graph.
    Edges { graph: usize, without: Range },
    /// Leave out nodes of a graph, and their edges.
    Nodes { graph: usize, without: Range, edges: graph::Counted },
    /// Make these cells the simplest.
    Cells(Range),
    /// Lower a choice.
    Lower { at: usize, by: u64 },
}

impl Steps {
    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// The input after a step, if it is valid and smaller.
    pub fn make(&self, shape: &Shape, at: usize) -> Option<Input> {
        let whole = &self.whole;
        let choices = match &self.steps[at] {
            Step::Lines { grid, without, orphans } => {
                Edit::without_lines(whole, &whole.made.grids[*grid], without, *orphans)?
            }
            Step::Spans(spans) => without(whole, spans.clone())?,
            Step::Merged(spans) => Edit::merged(whole, spans.clone())?,
            Step::Named { count, without } => Edit::without_named(whole, *count, without.clone())?,
            Step::Edges { graph, without } => {
                Edit::without_edges(whole, &whole.made.graphs[*graph], without)?
            }
            Step::Nodes { graph, without, edges } => {
                Edit::without_nodes(whole, &whole.made.graphs[*graph], without, *edges)?
            }
            Step::Cells(range) => {
                let mut choices = whole.choices.clone();
                let cells = choices[range.clone()].iter_mut();
                cells.filter(|choice| choice.role == Role::Cell).for_each(|cell| cell.value = 0);
                choices
            }
            &Step::Lower { at, by } => {
                let mut choices = whole.choices.clone();
                choices[at].value -= by;
                choices
            }
        };
        let most = Most { size: whole.made.size, ..Most::ANY };
        let input = shape.make(&choices, &mut Simplest, most, &self.options).ok()?;
        (order(&input) < self.size && input.bytes != whole.bytes).then_some(input)
    }
}

type Size = (u64, u64, usize, Vec<u64>);

/// By what an input is smaller than another: its elements, then what means nothing, then how many choices it has, then
/// these.
fn order(input: &Input) -> Size {
    let values = input.choices.iter().map(|choice| choice.value).collect();
    (input.made.size, input.made.noise, input.choices.len(), values)
}

/// Leaves out layers, rows and columns of grids: half of them, then each one.
fn without_lines(whole: &Input, steps: &mut Vec<Step>) {
    /// A square with a longer side loses only rows and columns with the same number.
    const SHORT: usize = 10;
    for (at, grid) in whole.made.grids.iter().enumerate() {
        let [layers, rows, columns] = grid.lines().map(|lines| lines.len());
        for gone in parts(layers) {
            let fates =
                if grid.names_layer(&gone) { &Orphans::ALL[..] } else { &Orphans::ALL[..1] };
            steps.extend(fates.iter().map(|&orphans| Step::Lines {
                grid: at,
                without: [gone.clone(), 0..0, 0..0],
                orphans,
            }));
        }
        let orphans = Orphans::First;
        let mut leave_out = |without| steps.push(Step::Lines { grid: at, without, orphans });
        if !grid.is_square() {
            parts(rows).for_each(|range| leave_out([0..0, range, 0..0]));
            parts(columns).for_each(|range| leave_out([0..0, 0..0, range]));
            continue;
        }
        parts(rows).for_each(|range| leave_out([0..0, range.clone(), range]));
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |at| (row, at))) {
            if row != column && rows <= SHORT {
                leave_out([0..0, row..row + 1, column..column + 1]);
            }
        }
    }
}

/// The halves, quarters and so on of `0..count`, down to each single number.
fn parts(count: usize) -> impl Iterator<Item = Range> {
    let halved = |length: &usize| Some(length / 2).filter(|&length| length > 0);
    let lengths = std::iter::successors(Some(count.div_ceil(2)), halved).filter(move |_| count > 1);
    lengths.flat_map(move |length| {
        (0..count).step_by(length).map(move |first| first..(first + length).min(count))
    })
}

/// Leaves out repetitions: half of a list, then quarters and so on, then each one, and a single one too.
fn without_spans(whole: &Input, steps: &mut Vec<Step>) {
    for together in whole.made.spans.chunk_by(|a, b| a.count == b.count) {
        // Where several lists have as many, the steps are those of the first.
        let Range { start: first, end } = edit::lists(&whole.made.spans, together[0].count)[0];
        let count = end - first;
        let parts = parts(count).map(|part| first + part.start..first + part.end);
        steps.extend(parts.map(Step::Spans));
        if count == 1 {
            steps.push(Step::Spans(first..first + 1));
        }
    }
}

/// Merges the repetitions of lists of numbers, which nothing names: all pairs, and each two neighbours if they are few. A sum that has to
/// be large needs fewer numbers then.
fn merged(whole: &Input, steps: &mut Vec<Step>) {
    /// Of more, only all pairs are merged.
    const FEW: usize = 64;
    let is_named = |count| whole.made.references.iter().any(|named| Some(named.to) == count);
    for together in whole.made.spans.chunk_by(|a, b| a.count == b.count) {
        let count = together[0].count;
        let list = edit::lists(&whole.made.spans, count)[0].clone();
        let choices = &whole.choices[together[0].start..together[0].end];
        if is_named(count) || !choices.iter().any(|choice| choice.role == Role::Number) {
            continue;
        }
        if list.len() > 3 {
            steps.push(Step::Merged(list.start..list.start + list.len() / 2 * 2));
        }
        let neighbours = list.clone().skip(1).take_while(|_| list.len() <= FEW);
        steps.extend(neighbours.map(|second| Step::Merged(second - 1..second + 1)));
    }
}

/// Leaves out some of what a number counts, if only other numbers and letters name them: halves, and each one if they are few.
fn without_named(whole: &Input, steps: &mut Vec<Step>) {
    /// Of more, only parts are left out.
    const FEW: usize = 64;
    let made = &whole.made;
    let numbers =
        made.references.iter().map(|named| (named.to, whole.choices[named.choice].options));
    let limited = made.grids.iter().flat_map(|grid| &grid.limited);
    let letters = limited.map(|limited| (limited.to, u64::from(limited.count)));
    let mut counts: Vec<_> = numbers.chain(letters).collect();
    counts.sort_unstable();
    counts.dedup_by_key(|(count, _)| *count);
    let grids = made.grids.iter();
    let sides = grids.flat_map(|grid| [grid.layers_choice, grid.rows_choice, grid.columns_choice]);
    let is_of: HashSet<_> =
        sides.chain(made.spans.iter().map(|span| span.count)).flatten().collect();
    for (count, things) in counts.into_iter().filter(|(count, _)| !is_of.contains(count)) {
        let parts = parts(usize::try_from(things).unwrap_or(usize::MAX).min(1 << 20));
        let few = parts.filter(|part| part.len() > 1 || things <= FEW as u64);
        steps.extend(few.map(|without| Step::Named { count, without }));
    }
}

/// Makes many cells the simplest at once: all, then halves, then quarters.
fn simpler_cells(whole: &Input, steps: &mut Vec<Step>) {
    for grid in &whole.made.grids {
        let count = grid.end - grid.start;
        for parts in [1, 2, 4].into_iter().filter(|&parts| count > 2 * parts) {
            let end = |part: usize| grid.start + count * part / parts;
            steps.extend((0..parts).map(|part| Step::Cells(end(part)..end(part + 1))));
        }
    }
}

/// Lowers each choice: to nothing, by half and, if it is a number, by a quarter and less, and by one.
fn lower(choices: &[Choice], steps: &mut Vec<Step>) {
    for kind in 0..66 {
        for (at, &Choice { value, role, .. }) in choices.iter().enumerate() {
            // The choices of numbers below and above 0 alternate. An even step keeps the sign.
            let even = |step: u64| if role == Role::Number { step & !1 } else { step };
            let by = match kind {
                0 => value,
                1 => even(value / 2),
                2..64 if role == Role::Number && value >> kind > 3 => even(value >> kind),
                64 if role == Role::Number && value > 2 => 2,
                65 if value > 1 => 1,
                _ => 0,
            };
            if by > 0 {
                steps.push(Step::Lower { at, by });
            }
        }
    }
}
