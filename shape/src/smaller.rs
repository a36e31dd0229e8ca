//! Smaller inputs: choices deleted or lowered, and made again. So every result is valid.

use crate::choice::{Choice, Role, Simplest};
use crate::make::Input;
use crate::run::{GridMade, Options};
use crate::tree::Shape;
use std::collections::HashSet;

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
        let whole = self.make(choices, &mut Simplest, u64::MAX, options).ok()?;
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
    /// Leave out rows and columns of a grid.
    Lines { grid: usize, rows: Range, columns: Range },
    /// Leave out repetitions.
    Spans(std::ops::Range<usize>),
    /// Make these cells the simplest.
    Cells(std::ops::Range<usize>),
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
            Step::Lines { grid, rows, columns } => {
                whole.made.grids[*grid].without(whole, rows, columns)?
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
        let input = shape.make(&choices, &mut Simplest, whole.made.area, &self.options).ok()?;
        (order(&input) < self.size && input.bytes != whole.bytes).then_some(input)
    }
}

type Size = (u64, usize, Vec<u64>);

/// By what an input is smaller than another: its elements, then how many choices it has, then these.
fn order(input: &Input) -> Size {
    let values = input.choices.iter().map(|choice| choice.value).collect();
    (input.made.area, input.choices.len(), values)
}

/// Leaves out rows and columns of grids: half of them, then each one.
fn without_lines(whole: &Input, steps: &mut Vec<Step>) {
    for (at, grid) in whole.made.grids.iter().enumerate() {
        let step = |rows, columns| Step::Lines { grid: at, rows, columns };
        let (rows, columns) = (grid.rule.rows, grid.rule.columns);
        if grid.side_choice.is_some() {
            steps.extend((0..rows).map(|at| step(Some(at..at + 1), Some(at..at + 1))));
            continue;
        }
        for (count, is_row) in [(rows, true), (columns, false)] {
            for range in parts(count) {
                let range = Some(range);
                steps.push(if is_row { step(range, None) } else { step(None, range) });
            }
        }
    }
}

/// The halves, quarters and so on of `0..count`, down to each single number.
fn parts(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let halved = |length: &usize| Some(length / 2).filter(|&length| length > 0);
    let lengths = std::iter::successors(Some(count.div_ceil(2)), halved).filter(move |_| count > 1);
    lengths.flat_map(move |length| {
        (0..count).step_by(length).map(move |first| first..(first + length).min(count))
    })
}

type Range = Option<std::ops::Range<usize>>;

impl GridMade {
    /// The choices of a grid without some rows and columns; `None` if their number is not a choice.
    pub(crate) fn without(
        &self,
        whole: &Input,
        rows: &Range,
        columns: &Range,
    ) -> Option<Vec<Choice>> {
        let is_in =
            |range: &Range, at: usize| range.as_ref().is_some_and(|range| range.contains(&at));
        let mut cells = Vec::with_capacity(self.cells.len());
        for (row, line) in self.cells.chunks(self.rule.columns.max(1)).enumerate() {
            if !is_in(rows, row) {
                let kept = line.iter().enumerate().filter(|(column, _)| !is_in(columns, *column));
                cells.extend(kept.map(|(_, cell)| *cell));
            }
        }
        let length = |range: &Range| range.as_ref().map_or(0, ExactSizeIterator::len);
        let lowered = [
            (self.rows_choice, length(rows)),
            (self.columns_choice, length(columns)),
            (self.side_choice, length(rows)),
        ];
        let is_possible = match self.side_choice {
            Some(_) => true,
            None => {
                (rows.is_none() || self.rows_choice.is_some())
                    && (columns.is_none() || self.columns_choice.is_some())
            }
        };
        let rule =
            self.rule.resized(self.rule.rows - length(rows), self.rule.columns - length(columns));
        if !is_possible || rule.rows == 0 || rule.columns == 0 {
            return None;
        }
        let mut choices = whole.choices.clone();
        choices.splice(self.start..self.end, rule.choices(&cells));
        for (choice, by) in lowered {
            if let Some(choice) = choice {
                choices[choice].value = choices[choice].value.checked_sub(by as u64)?;
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
pub(crate) fn without(whole: &Input, spans: std::ops::Range<usize>) -> Option<Vec<Choice>> {
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
