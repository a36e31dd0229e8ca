//! The structure of a list that the shape names.

use super::Column;
use crate::usual::{Preferred, Usual};
use fastrand::Rng;

/// The structure that the shape names for the list.
pub(super) struct Named {
    usual: Usual,
    column: Option<usize>,
    /// How many choices there are of which the odd ones are numbers in order, if not all are.
    in_order: Option<u64>,
    /// How many rows there are.
    rows: usize,
    /// How many rows at the end are as those at the beginning.
    border: usize,
    /// A line begins again after so many rows, where the first of its columns ends.
    period: u64,
}

impl Named {
    pub(super) fn new(
        Preferred { usual, column, in_order }: Preferred,
        rows: usize,
        random: &mut Rng,
    ) -> Self {
        let border = 1 + random.usize(..(rows / 2).max(1));
        Self { usual, column, in_order, rows, border, period: u64::MAX }
    }

    pub(super) fn is(&self, usual: Usual) -> bool {
        self.usual == usual
    }

    /// The column that it is about, or the first one.
    pub(super) fn first(&self) -> usize {
        self.column.unwrap_or(0)
    }

    pub(super) fn period(&self) -> u64 {
        self.period
    }

    /// The row that a row is like.
    pub(super) fn source(&self, row: usize, random: &mut Rng) -> Option<usize> {
        match self.usual {
            Usual::Palindrome if 2 * row >= self.rows => self.rows.checked_sub(row + 1),
            Usual::Border => (row + self.border).checked_sub(self.rows).filter(|&it| it < row),
            Usual::Doubled if row > 0 && random.bool() => Some(random.usize(..row)),
            _ => None,
        }
    }

    /// What a column is to have in common, if that is known.
    pub(super) fn column(
        &mut self,
        at: usize,
        options: u64,
        fresh: &mut impl FnMut() -> u64,
        random: &mut Rng,
    ) -> Option<Column> {
        let first = self.first();
        let is_meant = self.column.is_none_or(|column| column == at);
        let mut few = |count: usize| Column::Few((0..count).map(|_| fresh()).collect());
        Some(match self.usual {
            Usual::Ties if is_meant => few(random.usize(1..=3)),
            Usual::Equal if is_meant => few(1),
            Usual::Lowest if at == first => Column::Few(vec![0]),
            Usual::Highest if at == first => Column::Few(vec![u64::MAX]),
            Usual::Sorted if at == first => {
                let options = self.in_order.map_or(options, |it| it.min(options));
                let most = options.saturating_sub(2 * self.rows as u64).max(2);
                Column::Ordered { next: fresh().min(most) | 1, last: options - 1, is_rising: true }
            }
            Usual::Reversed if at == first => {
                let options = self.in_order.map_or(options, |it| it.min(options));
                let high = fresh().max(2 * self.rows as u64).min(options - 1);
                let next = high.saturating_sub(1) | 1;
                Column::Ordered { next, last: options - 1, is_rising: false }
            }
            Usual::Collinear if at == first || at == first + 1 => {
                let start = fresh().min(options / 2);
                let step = 2 * random.u64(..3);
                let fitting = (options - 1 - start).checked_div(step).map_or(u64::MAX, |it| it + 1);
                self.period = self.period.min(fitting);
                Column::Line { start, step }
            }
            _ => return None,
        })
    }
}
