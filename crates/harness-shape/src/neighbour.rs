//! Inputs that differ a little from a given one.

use crate::choice::{Choice, Choose, Role, Simplest};
use crate::make::Input;
use crate::random::Random;
use crate::run::{Failure, GridMade, Most, Options, Span};
use crate::smaller::{Edit, lists, without};
use crate::tree::Shape;

impl Shape {
    /// An input with a few random changes: some choices made again, a repetition more or less, a row or a column less, two choices
    /// exchanged.
    ///
    /// # Errors
    /// If no valid input is found near this one.
    pub fn neighbour(
        &self,
        choices: &[Choice],
        random: &mut Random,
        options: &Options,
    ) -> Result<Input, Failure> {
        let mut changed = choices.to_vec();
        for _ in 0..[1, 1, 1, 2, 2, 3][random.below(6)] {
            let Ok(whole) = self.make(&changed, &mut Simplest, Most::ANY, options) else { break };
            changed = change(&whole, random).unwrap_or(changed);
        }
        self.draw_after(changed, random, options)
    }
}

/// The choices with one change; `None` if this kind of change is not possible.
fn change(whole: &Input, random: &mut Random) -> Option<Vec<Choice>> {
    let mut choices = whole.choices.clone();
    let (spans, grids) = (&whole.made.spans, &whole.made.grids);
    if choices.is_empty() {
        return None;
    }
    match random.below(13) {
        12 if !spans.is_empty() => {
            return exchanged(whole, random.below(spans.len()), random.below(spans.len()));
        }
        0 if !spans.is_empty() => {
            let at = random.below(spans.len());
            return without(whole, at..at + 1);
        }
        1 | 2 if !spans.is_empty() => return again(whole, random.below(spans.len())),
        3 if !grids.is_empty() => {
            let grid = &grids[random.below(grids.len())];
            return more_or_less(grid, whole, random);
        }
        4 => {
            let (a, b) = (random.below(choices.len()), random.below(choices.len()));
            if choices[a].role == choices[b].role {
                let value = choices[a].value;
                choices[a].value = choices[b].value.min(choices[a].options - 1);
                choices[b].value = value.min(choices[b].options - 1);
            }
        }
        5 | 6 => {
            // One more or one less.
            let at = random.below(choices.len());
            let Choice { value, options, .. } = choices[at];
            let is_more = value == 0 || random.below(2) == 0;
            choices[at].value = if is_more { (value + 1).min(options - 1) } else { value - 1 };
        }
        _ => {
            let at = random.below(choices.len());
            let Choice { options, role, .. } = choices[at];
            let role = if role == Role::Cell { Role::Letter } else { role };
            choices[at].value = random.choose(options, role);
        }
    }
    Some(choices)
}

/// The choices with a layer, a row or a column of a grid twice, or without it.
fn more_or_less(grid: &GridMade, whole: &Input, random: &mut Random) -> Option<Vec<Choice>> {
    let mut lines = grid.lines();
    let kinds = match random.below(if grid.layers_choice.is_some() { 3 } else { 2 }) {
        2 => 0..1,
        _ if grid.is_square() => 1..3,
        kind => kind + 1..kind + 2,
    };
    let is_more = random.below(2) == 0;
    for lines in &mut lines[kinds] {
        let at = random.below(lines.len().max(1));
        let line = *lines.get(at)?;
        if is_more {
            lines.insert(at, line);
        } else {
            lines.remove(at);
        }
    }
    grid.with(whole, &lines)
}

/// The choices with two repetitions of the same list in each other's place.
fn exchanged(whole: &Input, a: usize, b: usize) -> Option<Vec<Choice>> {
    let spans = &whole.made.spans;
    let (first, second) = (&spans[a.min(b)], &spans[a.max(b)]);
    if first.count != second.count || first.end > second.start {
        return None;
    }
    let choices = &whole.choices;
    let between = first.end..second.start;
    let parts = [
        0..first.start,
        second.start..second.end,
        between,
        first.start..first.end,
        second.end..choices.len(),
    ];
    Some(parts.into_iter().flat_map(|part| choices[part].iter().copied()).collect())
}

/// The choices with a repetition twice, and those in the same place of other lists that have as many.
fn again(whole: &Input, at: usize) -> Option<Vec<Choice>> {
    let spans = &whole.made.spans;
    let lists = lists(spans, spans[at].count);
    let place = at - lists.iter().find(|list| list.contains(&at))?.start;
    let mut edit = Edit::new(whole);
    if let Some(count) = spans[at].count {
        let count = edit.choices.get_mut(count)?;
        count.value = (count.value + 1).min(count.options - 1);
    }
    // A list in another comes after it, and its repetition before the next one of the other.
    let alike = lists.iter().rev().map(|list| &spans[list.start + place]);
    let twice = |span: &Span| (span.end..span.end, whole.choices[span.start..span.end].to_vec());
    edit.splices.extend(alike.map(twice));
    Some(edit.finish())
}
