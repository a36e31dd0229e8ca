//! Smaller inputs: choices deleted or lowered, and made again. So every result is valid.

use crate::choice::{Choice, Role, Simplest};
use crate::make::Input;
use crate::run::{GridMade, Options};
use crate::tree::Shape;
use std::collections::HashSet;

impl Shape {
    /// All inputs that are one step smaller or simpler, the largest step first.
    pub fn smaller(&self, choices: &[Choice], options: &Options) -> Vec<Input> {
        let Ok(whole) = self.make(choices, &mut Simplest, u64::MAX, options) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        without_lines(&whole, &mut steps);
        without_spans(&whole, &mut steps);
        simpler_cells(&whole, &mut steps);
        lower(&whole.choices, &mut steps);
        let size = order(&whole);
        let mut seen = HashSet::from([whole.bytes.clone()]);
        let mut smaller = Vec::new();
        for step in steps {
            if let Ok(input) = self.make(&step, &mut Simplest, whole.made.area, options)
                && order(&input) < size
                && seen.insert(input.bytes.clone())
            {
                smaller.push(input);
            }
        }
        smaller
    }
}

/// By what an input is smaller than another: its elements, then how many choices it has, then these.
fn order(input: &Input) -> (u64, usize, Vec<u64>) {
    let values = input.choices.iter().map(|choice| choice.value).collect();
    (input.made.area, input.choices.len(), values)
}

/// Leaves out rows and columns of grids: half of them, then each one.
fn without_lines(whole: &Input, steps: &mut Vec<Vec<Choice>>) {
    for grid in &whole.made.grids {
        let (rows, columns) = (grid.rule.rows, grid.rule.columns);
        if grid.side_choice.is_some() {
            let both = |at| (Some(at..at + 1), Some(at..at + 1));
            let without = |(row, column)| grid.without(whole, &row, &column);
            steps.extend((0..rows).map(both).filter_map(without));
            continue;
        }
        for (count, is_row) in [(rows, true), (columns, false)] {
            let half = count / 2;
            let halves = [0..half, half..count].into_iter().filter(|_| half > 1);
            for range in halves.chain((0..count).map(|at| at..at + 1)) {
                let range = Some(range);
                let (rows, columns) = if is_row { (range, None) } else { (None, range) };
                steps.extend(grid.without(whole, &rows, &columns));
            }
        }
    }
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

/// Leaves out repetitions: half of those that belong together, then each one.
fn without_spans(whole: &Input, steps: &mut Vec<Vec<Choice>>) {
    let spans = &whole.made.spans;
    let mut first = 0;
    while first < spans.len() {
        let together = spans[first..].iter().take_while(|span| span.count == spans[first].count);
        let next = first + together.count();
        let (half, count) = ((next - first) / 2, next - first);
        if half > 1 {
            steps.extend(without(whole, first..first + half));
            steps.extend(without(whole, first + half..next));
        }
        steps.extend((0..count).rev().filter_map(|at| without(whole, first + at..first + at + 1)));
        first = next;
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
fn simpler_cells(whole: &Input, steps: &mut Vec<Vec<Choice>>) {
    for grid in &whole.made.grids {
        let count = grid.end - grid.start;
        for parts in [1, 2, 4].into_iter().filter(|&parts| count > 2 * parts) {
            for part in 0..parts {
                let range =
                    grid.start + count * part / parts..grid.start + count * (part + 1) / parts;
                let mut choices = whole.choices.clone();
                let cells = choices[range].iter_mut().filter(|choice| choice.role == Role::Cell);
                cells.for_each(|choice| choice.value = 0);
                steps.push(choices);
            }
        }
    }
}

/// Lowers each choice: to nothing, by half and less, and by one.
fn lower(choices: &[Choice], steps: &mut Vec<Vec<Choice>>) {
    for kind in 0..6 {
        for (at, &Choice { value, role, .. }) in choices.iter().enumerate() {
            // The choices of numbers below and above 0 alternate. An even step keeps the sign.
            let even = |step: u64| if role == Role::Number { step & !1 } else { step };
            let step = match kind {
                0 => value,
                1 => even(value / 2),
                2 if role == Role::Number => even(value / 4),
                3 if role == Role::Number => even(value / 8),
                4 if role == Role::Number && value > 2 => 2,
                5 if value > 1 => 1,
                _ => 0,
            };
            if step > 0 {
                let mut lower = choices.to_vec();
                lower[at].value = value - step;
                steps.push(lower);
            }
        }
    }
}
