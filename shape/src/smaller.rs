//! Smaller inputs: choices deleted or lowered, and made again. So every result is valid.

use crate::choice::{Choice, Role, Simplest};
use crate::make::Input;
use crate::run::{GridMade, Most, Options};
use crate::tree::Shape;
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
    Lines { grid: usize, without: [Range; 3] },
    /// Leave out repetitions.
    Spans(Range),
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
            Step::Lines { grid, without } => {
                let grid = &whole.made.grids[*grid];
                let mut lines = grid.lines();
                for (lines, gone) in lines.iter_mut().zip(without) {
                    lines.drain(gone.clone());
                }
                grid.with(whole, &lines)?
            }
            Step::Spans(spans) => without(whole, spans.clone())?,
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
        let most = Most { area: whole.made.area, ..Most::ANY };
        let input = shape.make(&choices, &mut Simplest, most, &self.options).ok()?;
        (order(&input) < self.size && input.bytes != whole.bytes).then_some(input)
    }
}

type Size = (u64, u64, usize, Vec<u64>);

/// By what an input is smaller than another: its elements, then what means nothing, then how many choices it has, then
/// these.
fn order(input: &Input) -> Size {
    let values = input.choices.iter().map(|choice| choice.value).collect();
    (input.made.area, input.made.noise, input.choices.len(), values)
}

/// Leaves out layers, rows and columns of grids: half of them, then each one.
fn without_lines(whole: &Input, steps: &mut Vec<Step>) {
    /// A square with a longer side loses only rows and columns with the same number.
    const SHORT: usize = 10;
    for (at, grid) in whole.made.grids.iter().enumerate() {
        let mut leave_out = |without| steps.push(Step::Lines { grid: at, without });
        let [layers, rows, columns] = grid.lines().map(|lines| lines.len());
        parts(layers).for_each(|range| leave_out([range, 0..0, 0..0]));
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

impl GridMade {
    /// The numbers of its layers, and of the rows and columns of each layer.
    pub(crate) fn lines(&self) -> [Vec<usize>; 3] {
        let rows = self.rule.rows / self.layers.max(1);
        [self.layers, rows, self.rule.columns].map(|count| (0..count).collect())
    }

    /// Whether it always has as many rows as columns.
    pub(crate) fn is_square(&self) -> bool {
        self.rows_choice.is_some() && self.rows_choice == self.columns_choice
    }

    /// The choices of a grid of these layers, rows and columns, which may occur several times; `None` if their number is not a choice.
    pub(crate) fn with(
        &self,
        whole: &Input,
        [layers, rows, columns]: &[Vec<usize>; 3],
    ) -> Option<Vec<Choice>> {
        let before = self.lines();
        let all: Vec<_> = layers
            .iter()
            .flat_map(|layer| {
                let first = layer * before[1].len();
                rows.iter().map(move |row| first + row)
            })
            .collect();
        if all.is_empty() || columns.is_empty() {
            return None;
        }
        let width = self.rule.columns;
        let cells =
            all.iter().flat_map(|row| columns.iter().map(move |at| self.cells[row * width + at]));
        let cells: Vec<u8> = cells.collect();
        let mut choices = whole.choices[..self.start].to_vec();
        choices.extend(self.rule.resized(all.len(), columns.len()).choices(&cells));
        for &row in &all {
            choices.extend(&whole.choices[self.rows_at[row]..self.rows_at[row + 1]]);
        }
        choices.extend(&whole.choices[*self.rows_at.last()?..]);
        let mut counts = vec![
            (self.layers_choice, before[0].len(), layers.len()),
            (self.rows_choice, before[1].len(), rows.len()),
        ];
        if !self.is_square() {
            counts.push((self.columns_choice, before[2].len(), columns.len()));
        } else if rows.len() != columns.len() {
            return None;
        }
        for (choice, before, after) in counts.into_iter().filter(|count| count.1 != count.2) {
            let choice = choices.get_mut(choice?)?;
            choice.value = (choice.value + after as u64).checked_sub(before as u64)?;
            if choice.value >= choice.options {
                return None;
            }
        }
        Some(choices)
    }
}

/// Leaves out repetitions: half of those that belong together, then quarters and so on, then each one, and a single one too.
fn without_spans(whole: &Input, steps: &mut Vec<Step>) {
    let spans = &whole.made.spans;
    let mut first = 0;
    while first < spans.len() {
        let together = spans[first..].iter().take_while(|span| span.count == spans[first].count);
        let count = together.count();
        let parts = parts(count).map(|part| first + part.start..first + part.end);
        steps.extend(parts.map(Step::Spans));
        if count == 1 {
            steps.push(Step::Spans(first..first + 1));
        }
        first += count;
    }
}

/// The choices without some repetitions.
pub(crate) fn without(whole: &Input, spans: Range) -> Option<Vec<Choice>> {
    let gone = &whole.made.spans[spans.clone()];
    let (start, end) = (gone.first()?.start, gone.last()?.end);
    let mut choices = whole.choices.clone();
    if let Some(count) = gone[0].count {
        let count = choices.get_mut(count)?;
        count.value = count.value.checked_sub(spans.len() as u64)?;
    }
    choices.drain(start..end);
    Some(choices)
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

/// Lowers each choice: to nothing, by half and less, and by one.
fn lower(choices: &[Choice], steps: &mut Vec<Step>) {
    for kind in 0..6 {
        for (at, &Choice { value, role, .. }) in choices.iter().enumerate() {
            // The choices of numbers below and above 0 alternate. An even step keeps the sign.
            let even = |step: u64| if role == Role::Number { step & !1 } else { step };
            let by = match kind {
                0 => value,
                1 => even(value / 2),
                2 if role == Role::Number => even(value / 4),
                3 if role == Role::Number => even(value / 8),
                4 if role == Role::Number && value > 2 => 2,
                5 if value > 1 => 1,
                _ => 0,
            };
            if by > 0 {
                steps.push(Step::Lower { at, by });
            }
        }
    }
}
