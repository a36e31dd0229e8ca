//! Changes of the choices of an input that leave something out. Numbers and letters that name what is left out leave as well, and those
//! that name what comes after it are renumbered.

use crate::choice::{Choice, Role};
use crate::make::Input;
use crate::run::{GridMade, Span};
use std::collections::{BTreeMap, BTreeSet};

type Range = std::ops::Range<usize>;

/// What becomes of cells that name a layer that is left out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Orphans {
    /// They get the first letter of the grid, or the second.
    First,
    Second,
    /// They stay, and name the layer that comes in its place, or none.
    Stay,
}

impl Orphans {
    pub(super) const ALL: [Self; 3] = [Self::First, Self::Second, Self::Stay];
}

/// The choices of an input, and what comes in place of some of them.
pub(crate) struct Edit<'a> {
    whole: &'a Input,
    pub(crate) choices: Vec<Choice>,
    pub(crate) splices: Vec<(Range, Vec<Choice>)>,
}

/// The choices without some repetitions of a list, and without those in the same places of other lists that have as many.
pub(crate) fn without(whole: &Input, spans: Range) -> Option<Vec<Choice>> {
    let Span { count, .. } = *whole.made.spans.get(spans.start)?;
    let lists = lists(&whole.made.spans, count);
    let first = lists.iter().find(|list| list.contains(&spans.start))?.start;
    let mut edit = Edit::new(whole);
    edit.leave_out(&spans.clone().collect::<Vec<_>>())?;
    if let Some(count) = count {
        edit.forget(count, &(spans.start - first..spans.end - first));
    }
    Some(edit.finish())
}

/// The lists whose repetitions a choice counts, which have equally many, or else all of these repetitions as one list.
pub(crate) fn lists(spans: &[Span], count: Option<usize>) -> Vec<Range> {
    let first = spans.partition_point(|span| span.count < count);
    let all = first..spans.partition_point(|span| span.count <= count);
    let mut at = first;
    let list = |list: &[Span]| {
        at += list.len();
        at - list.len()..at
    };
    let lists: Vec<_> = spans[all.clone()].chunk_by(|a, b| a.list == b.list).map(list).collect();
    let are_alike = count.is_some() && lists.windows(2).all(|two| two[0].len() == two[1].len());
    if are_alike { lists } else { vec![all] }
}

impl<'a> Edit<'a> {
    pub(crate) fn new(whole: &'a Input) -> Self {
        Self { whole, choices: whole.choices.clone(), splices: Vec::new() }
    }

    /// The choices without some of what the number of a choice counts.
    pub(super) fn without_named(
        whole: &'a Input,
        count: usize,
        gone: Range,
    ) -> Option<Vec<Choice>> {
        let mut edit = Self::new(whole);
        edit.lower(count, gone.len())?;
        edit.forget(count, &gone);
        for grid in &whole.made.grids {
            edit.rename(grid, count, &gone);
        }
        Some(edit.finish())
    }

    /// The choices with the second of each two repetitions left out, and its numbers added to those of the first, as far from the simplest
    /// number as both together. The same happens in lists that have as many. `None` if the two are not alike.
    pub(super) fn merged(whole: &'a Input, spans: Range) -> Option<Vec<Choice>> {
        let mut edit = Self::new(whole);
        let made = &whole.made;
        let lists = lists(&made.spans, made.spans.get(spans.start)?.count);
        let own = lists.iter().find(|list| list.contains(&spans.start))?.start;
        let seconds: Vec<_> = spans.clone().skip(1).step_by(2).collect();
        edit.leave_out(&seconds)?;
        for list in &lists {
            for at in seconds.iter().map(|second| list.start + second - own) {
                let [first, second] = [made.spans.get(at - 1)?, made.spans.get(at)?];
                let is_alike = first.list == second.list
                    && first.end - first.start == second.end - second.start;
                let choices = (first.start..first.end).zip(second.start..second.end);
                for (left, gone) in choices {
                    let (left, gone) = (&mut edit.choices[left], whole.choices[gone]);
                    if !is_alike || (left.role, left.options) != (gone.role, gone.options) {
                        return None;
                    }
                    if left.role == Role::Number {
                        // The numbers below and above 0 alternate.
                        let sign = left.value & gone.value & 1;
                        let sum = left.value.saturating_add(gone.value).saturating_add(sign);
                        left.value = sum.min(left.options - 1);
                    }
                }
            }
        }
        Some(edit.finish())
    }

    /// The choices without some layers, rows and columns of a grid.
    pub(super) fn without_lines(
        whole: &'a Input,
        grid: &GridMade,
        without: &[Range; 3],
        orphans: Orphans,
    ) -> Option<Vec<Choice>> {
        let mut edit = Self::new(whole);
        let mut lines = grid.lines();
        for (lines, gone) in lines.iter_mut().zip(without) {
            lines.drain(gone.clone());
        }
        let [layers, rows, columns] = without;
        edit.resize(grid, &lines, |cell| grid.without_layers(layers, cell, orphans))?;
        let sides = [
            (grid.layers_choice, layers),
            (grid.rows_choice, rows),
            (grid.columns_choice.filter(|_| !grid.is_square()), columns),
        ];
        for (count, gone) in sides.into_iter().filter(|(_, gone)| !gone.is_empty()) {
            count.into_iter().for_each(|count| edit.forget(count, gone));
        }
        Some(edit.finish())
    }

    pub(super) fn lower(&mut self, count: usize, by: usize) -> Option<()> {
        let count = self.choices.get_mut(count)?;
        count.value = count.value.checked_sub(by as u64)?;
        Some(())
    }

    /// Leaves out repetitions, given by their indices, and those in the same places of lists that have as many.
    fn leave_out(&mut self, spans: &[usize]) -> Option<()> {
        let made = &self.whole.made;
        let mut gone: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for with_same_count in spans.chunk_by(|&a, &b| made.spans[a].count == made.spans[b].count) {
            let count = made.spans[with_same_count[0]].count;
            let lists = lists(&made.spans, count);
            for &at in with_same_count {
                let own = lists.iter().find(|list| list.contains(&at))?;
                let place = at - own.start;
                if let Some(count) = count {
                    if !gone.entry(count).or_default().insert(place) {
                        continue;
                    }
                    self.lower(count, 1)?;
                }
                let alike = lists.iter().map(|list| &made.spans[list.start + place]);
                self.splices.extend(alike.map(|span| (span.start..span.end, Vec::new())));
            }
        }
        for list in &made.letters {
            let Some(gone) = list.count.and_then(|count| gone.get(&count)) else { continue };
            let is_left = |at: &usize| !gone.contains(at);
            let left: Vec<u8> =
                (0..list.letters.len()).filter(is_left).map(|at| list.letters[at]).collect();
            if left.len() < list.letters.len() {
                let choices = list.rule.resized(left.len(), 1).choices(&left);
                self.splices.push((list.start..list.end, choices));
            }
        }
        Some(())
    }

    /// Renumbers what names those after `gone` of what the number of a choice counts. A repetition of another list that names one of
    /// `gone` is left out.
    pub(super) fn forget(&mut self, count: usize, gone: &Range) {
        let made = &self.whole.made;
        let mut orphans = Vec::new();
        for named in made.references.iter().filter(|named| named.to == count) {
            let value = &mut self.choices[named.choice].value;
            if *value >= gone.end as u64 {
                *value -= gone.len() as u64;
            } else if *value >= gone.start as u64 {
                *value = gone.start as u64;
                let around = made.spans.iter().enumerate();
                let around =
                    around.filter(|(_, span)| (span.start..span.end).contains(&named.choice));
                let innermost = around.min_by_key(|(_, span)| span.end - span.start);
                let other = innermost.filter(|(_, span)| span.count != Some(count));
                orphans.extend(other.map(|(at, _)| at));
            }
        }
        orphans.dedup();
        // If there must be as many, they name another.
        let before = (self.choices.clone(), self.splices.len());
        if self.leave_out(&orphans).is_none() {
            self.choices = before.0;
            self.splices.truncate(before.1);
        }
    }

    /// Makes a grid of these layers, rows and columns, which may occur several times; `None` if their number is not a choice.
    fn resize(
        &mut self,
        grid: &GridMade,
        [layers, rows, columns]: &[Vec<usize>; 3],
        renamed: impl Fn(u8) -> u8,
    ) -> Option<()> {
        let before = grid.lines();
        let row_of = |layer: &usize, row: &usize| layer * before[1].len() + row;
        let all: Vec<_> = layers
            .iter()
            .flat_map(|layer| rows.iter().map(move |row| row_of(layer, row)))
            .collect();
        if all.is_empty() || columns.is_empty() {
            return None;
        }
        let width = grid.rule.columns;
        let cells = all.iter().flat_map(|row| columns.iter().map(move |at| row * width + at));
        let cells: Vec<u8> = cells.map(|at| renamed(grid.cells[at])).collect();
        let mut choices = grid.rule.resized(all.len(), columns.len()).choices(&cells);
        for &row in &all {
            choices.extend(&self.whole.choices[grid.rows_at[row]..grid.rows_at[row + 1]]);
        }
        self.splices.push((grid.start..*grid.rows_at.last()?, choices));
        let mut counts = vec![
            (grid.layers_choice, before[0].len(), layers.len()),
            (grid.rows_choice, before[1].len(), rows.len()),
        ];
        if !grid.is_square() {
            counts.push((grid.columns_choice, before[2].len(), columns.len()));
        } else if rows.len() != columns.len() {
            return None;
        }
        for (choice, before, after) in counts.into_iter().filter(|count| count.1 != count.2) {
            let choice = self.choices.get_mut(choice?)?;
            choice.value = (choice.value + after as u64).checked_sub(before as u64)?;
            if choice.value >= choice.options {
                return None;
            }
        }
        Some(())
    }

    /// Renames the letters of a grid that stand for what comes after `gone`. Those for `gone` become the simplest.
    fn rename(&mut self, grid: &GridMade, count: usize, gone: &Range) {
        let groups: Vec<_> = grid.limited.iter().filter(|group| group.to == count).collect();
        if groups.is_empty() {
            return;
        }
        let letters = grid.rule.letters();
        let renamed = |cell: u8| {
            let inside = groups
                .iter()
                .find(|group| (group.first..group.first + group.count).contains(&cell));
            let Some(group) = inside else { return cell };
            match usize::from(cell - group.first) {
                at if at >= gone.end => cell - gone.len() as u8,
                at if at >= gone.start => letters[0],
                _ => cell,
            }
        };
        let is_last = |letter: u8| {
            let mut ends = groups.iter().map(|group| group.first + group.count);
            ends.any(|end| (end.saturating_sub(gone.len() as u8)..end).contains(&letter))
        };
        let cells: Vec<u8> = grid.cells.iter().map(|&cell| renamed(cell)).collect();
        let rule = grid.rule.with_letters(|letter| !is_last(letter));
        self.splices.push((grid.start..grid.end, rule.choices(&cells)));
    }

    pub(crate) fn finish(mut self) -> Vec<Choice> {
        self.splices.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut choices = Vec::with_capacity(self.choices.len());
        let mut at = 0;
        for (range, instead) in self.splices {
            // A part of what is left out anyway.
            if range.start >= at {
                choices.extend(&self.choices[at..range.start]);
                choices.extend(instead);
                at = range.end;
            }
        }
        choices.extend(&self.choices[at..]);
        choices
    }
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
    pub(crate) fn with(&self, whole: &Input, lines: &[Vec<usize>; 3]) -> Option<Vec<Choice>> {
        let mut edit = Edit::new(whole);
        edit.resize(self, lines, |cell| cell)?;
        Some(edit.finish())
    }

    /// The digit of the first layer, if cells may name layers.
    fn first_layer(&self) -> Option<u8> {
        let is_letter = |digit: &u8| self.rule.letters().contains(digit);
        self.layers_choice.and_then(|_| [b'0', b'1'].into_iter().find(is_letter))
    }

    /// Whether a cell names one of these layers.
    pub(super) fn names_layer(&self, layers: &Range) -> bool {
        self.first_layer().is_some_and(|first| {
            let layer =
                |cell: u8| cell.is_ascii_digit().then(|| usize::from(cell.wrapping_sub(first)));
            self.cells.iter().any(|&cell| layer(cell).is_some_and(|layer| layers.contains(&layer)))
        })
    }

    /// What a cell becomes without some layers.
    fn without_layers(&self, gone: &Range, cell: u8, orphans: Orphans) -> u8 {
        let Some(first) = self.first_layer().filter(|_| cell.is_ascii_digit()) else { return cell };
        let letters = self.rule.letters();
        match usize::from(cell.wrapping_sub(first)) {
            _ if gone.is_empty() || cell < first => cell,
            layer if layer >= gone.end => cell - gone.len() as u8,
            layer if layer < gone.start => cell,
            _ => match orphans {
                Orphans::First => letters[0],
                Orphans::Second => letters[1.min(letters.len() - 1)],
                Orphans::Stay => cell,
            },
        }
    }
}
