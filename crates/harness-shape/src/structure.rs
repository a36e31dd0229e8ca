//! How the numbers and letters of one list hang together: few different ones, all equal, evenly spaced, repeated, mirrored.
//!
//! Independent numbers seldom make what programs are wrong about: ties and equal neighbours, sorted lists, points on one line, paths and
//! stars, strings with borders, palindromes. A list is a table: each repetition is a row, and the first number of each repetition is a
//! column. So points on one line are columns with even steps, and the edges of a path too; those of a star have one column that is
//! constant. Rows that repeat others, one after the other or backwards, make what occurs twice, borders and palindromes. Some lists are
//! a [`Figure`]. Where numbers are large, some make up the rest of a sum or of a product that leaves the range of a type.
//!
//! The numbers of an input that stand in no list are one row.

mod named;

use crate::figure::Figure;
use crate::usual::{Preferred, Usual};
use fastrand::Rng;
use named::Named;

/// How one list is drawn.
pub(crate) struct Structure {
    random: Rng,
    /// Whether all numbers are independent.
    is_free: bool,
    figure: Option<Figure>,
    named: Option<Named>,
    columns: Vec<Column>,
    rows: Vec<Vec<u64>>,
    row: Vec<u64>,
    /// Of 16 rows, so many begin to repeat others.
    repeats: u8,
    repeated: Option<Repeated>,
}

/// What the values of a column have in common.
#[derive(Clone)]
enum Column {
    Free,
    /// Each is one of these.
    Few(Vec<u64>),
    /// Each is so much more than the one before it, and begins again at 0 after the last.
    Even {
        next: u64,
        step: u64,
    },
    /// Each is so much more than that in the column before.
    Like(u64),
    /// Each is the rest of a sum, or of a product, of this size: with the number before it in the row, or else in the column.
    Rest {
        total: u128,
        is_product: bool,
    },
    /// Each is more than the one before it, or less, by a small even number: so numbers with both signs are in order, too. None is
    /// above `last`.
    Ordered {
        next: u64,
        last: u64,
        is_rising: bool,
    },
    /// So much more in each row.
    Line {
        start: u64,
        step: u64,
    },
}

/// Where numbers of types with 16, 32, 53 and 64 bits end: at these powers of two.
const ENDS: [u32; 6] = [16, 31, 32, 53, 63, 64];
/// A number with fewer options than this is never drawn as the rest of a sum or product.
const LARGE: u64 = 1 << 12;

/// The row that is repeated now.
struct Repeated {
    row: usize,
    /// What comes next is the row after it, or else the row before it.
    is_forward: bool,
}

impl Default for Structure {
    fn default() -> Self {
        Self {
            random: Rng::with_seed(0),
            is_free: true,
            figure: None,
            named: None,
            columns: Vec::new(),
            rows: Vec::new(),
            row: Vec::new(),
            repeats: 0,
            repeated: None,
        }
    }
}

impl Structure {
    /// The structure of a list that begins: nearly always one of those that are preferred, or else none in half of the lists.
    pub(crate) fn any(mut random: Rng, preferred: &[Preferred], rows: Option<u64>) -> Self {
        if !preferred.is_empty() && random.u8(..8) > 0 {
            let preferred = preferred[random.usize(..preferred.len())];
            return Self::named(random, preferred, rows);
        }
        let is_free = random.bool();
        let repeats = [0, 0, 1, 3][random.usize(..4)];
        let figure = (random.u8(..6) == 0).then(|| Figure::any(&mut random));
        Self { random, is_free, figure, repeats, ..Self::default() }
    }

    fn named(mut random: Rng, preferred: Preferred, rows: Option<u64>) -> Self {
        let rows = rows.unwrap_or_else(|| random.u64(2..8));
        let figure = Figure::of(preferred.usual, rows, &mut random);
        let named = Some(Named::new(preferred, rows as usize, &mut random));
        Self { random, is_free: false, figure, named, ..Self::default() }
    }

    /// The structure of the numbers that stand in no list: none in half of the inputs.
    pub(crate) fn of_fields(mut random: Rng) -> Self {
        Self { is_free: random.bool(), random, ..Self::default() }
    }

    /// The next numbers are those of another row.
    pub(crate) fn begin_row(&mut self) {
        if self.is_free {
            return;
        }
        let row = std::mem::take(&mut self.row);
        if !row.is_empty() {
            self.rows.push(row);
        }
        let random = &mut self.random;
        if let Some(named) = &self.named {
            let source = named.source(self.rows.len(), random);
            self.repeated = source.map(|row| Repeated { row, is_forward: true });
            return;
        }
        self.repeated = match self.repeated.take() {
            Some(Repeated { row, is_forward }) if random.u8(..6) > 0 => {
                let next = if is_forward { Some(row + 1) } else { row.checked_sub(1) };
                next.map(|row| Repeated { row, is_forward })
            }
            None if random.u8(..16) < self.repeats && !self.rows.is_empty() => {
                let last = self.rows.len() - 1;
                // A palindrome has one letter in the middle, or two.
                let mirrored = last.saturating_sub(random.usize(..2));
                let is_forward = random.bool();
                let first = if random.bool() { 0 } else { random.usize(..=last) };
                let row = if is_forward { first } else { mirrored };
                Some(Repeated { row, is_forward })
            }
            _ => None,
        };
    }

    /// A number below `options`, which is `fresh` if it is independent of the others.
    pub(crate) fn number(&mut self, options: u64, mut fresh: impl FnMut() -> u64) -> u64 {
        if self.is_free {
            return fresh();
        }
        let at = self.row.len();
        if at == self.columns.len() {
            let column = self.column(at, options, &mut fresh);
            self.columns.push(column);
        }
        let repeated = self.repeated.as_ref().and_then(|it| self.rows.get(it.row)?.get(at));
        let first = self.named.as_ref().map_or(0, Named::first);
        let of_figure = || {
            let row = self.figure.as_ref()?.row(self.rows.len());
            row.get(at.checked_sub(first)?).copied()
        };
        let known = repeated.copied().or_else(|| Some(of_figure()? % options));
        let before = self.row.last().or_else(|| self.rows.last()?.get(at));
        let number = match (known, &mut self.columns[at]) {
            (Some(number), _) => number,
            (None, Column::Rest { total, is_product }) => {
                let near = rest(*total, *is_product, before.copied());
                near.saturating_add(self.random.u64(..3)).saturating_sub(1)
            }
            (None, Column::Free) => fresh(),
            (None, Column::Few(numbers)) => *self.random.choice(&*numbers).unwrap_or(&0),
            (None, Column::Even { next, step }) => {
                let number = *next % options;
                *next = number.saturating_add(*step);
                number
            }
            (None, Column::Like(more)) => self.row[at - 1].saturating_add(*more),
            (None, Column::Ordered { next, last, is_rising }) => {
                let number = (*next).min(*last);
                let step = 2 * self.random.u64(..3);
                // The least odd number, so that all have the same sign.
                let down = number.checked_sub(step).unwrap_or(1);
                *next = if *is_rising { number.saturating_add(step) } else { down };
                number
            }
            (None, Column::Line { start, step }) => {
                let period = self.named.as_ref().map_or(u64::MAX, Named::period);
                *start + *step * (self.rows.len() as u64 % period)
            }
        };
        let number = number.min(options - 1);
        self.row.push(number);
        number
    }

    /// As [`number`](Self::number); `None` if the numbers are independent.
    pub(crate) fn wished(&mut self, options: u64, fresh: impl FnMut() -> u64) -> Option<u64> {
        (!self.is_free).then(|| self.number(options, fresh))
    }

    /// What a column is to have in common.
    fn column(&mut self, at: usize, options: u64, fresh: &mut impl FnMut() -> u64) -> Column {
        const MOST_FEW: usize = 3;
        if let Some(named) = &mut self.named {
            return match named.column(at, options, fresh, &mut self.random) {
                None if named.is(Usual::Overflow) && options >= LARGE => self.rest(options),
                column => column.unwrap_or(Column::Free),
            };
        }
        if options >= LARGE && self.random.u8(..6) == 0 {
            return self.rest(options);
        }
        match self.random.u8(..8) {
            0..=2 => Column::Few((0..=self.random.usize(..MOST_FEW)).map(|_| fresh()).collect()),
            3 | 4 => {
                let next = if self.random.bool() { self.random.u64(..3) } else { fresh() };
                // Where numbers can be negative, every other choice is.
                let step = [1, 1, 2, 2, options - 1, options - 1, fresh()][self.random.usize(..7)];
                Column::Even { next, step }
            }
            5 if at > 0 => Column::Like(self.random.u64(..3)),
            _ => Column::Free,
        }
    }

    /// A sum or a product at the end of a type, as far as such numbers can reach it.
    fn rest(&mut self, options: u64) -> Column {
        let is_product = self.random.bool();
        let most = u128::from(options) * if is_product { u128::from(options) } else { 2 };
        let reached: Vec<_> = ENDS.iter().filter(|&&end| 1 << end <= most).collect();
        match self.random.choice(reached) {
            Some(end) => Column::Rest { total: 1 << end, is_product },
            None => Column::Free,
        }
    }
}

/// What is missing from a sum or a product with the number before, or about as much as two equal parts have.
fn rest(total: u128, is_product: bool, before: Option<u64>) -> u64 {
    let rest = match (before, is_product) {
        (Some(before), false) => total.saturating_sub(before.into()),
        (Some(before), true) => total / u128::from(before.max(1)),
        (None, false) => total / 2,
        (None, true) => total.isqrt(),
    };
    u64::try_from(rest).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Lists of ten rows of two numbers each.
    fn lists() -> impl Iterator<Item = Vec<(u64, u64)>> {
        (0..2000).map(|seed| {
            let mut structure = Structure::any(Rng::with_seed(seed), &[], None);
            let mut random = Rng::with_seed(seed);
            let mut number = |structure: &mut Structure| structure.number(50, || random.u64(..50));
            let mut rows = Vec::new();
            for _ in 0..10 {
                structure.begin_row();
                rows.push((number(&mut structure), number(&mut structure)));
            }
            rows
        })
    }

    fn count(is_so: impl Fn(&[(u64, u64)]) -> bool) -> usize {
        lists().filter(|rows| is_so(rows)).count()
    }

    #[test]
    fn lists_have_ties_and_orders_that_independent_numbers_do_not_make() {
        let is_constant = |rows: &[(u64, u64)]| rows.iter().all(|row| row.0 == rows[0].0);
        assert!(count(is_constant) > 20);
        assert!(count(|rows| rows.is_sorted_by(|a, b| a.0 < b.0)) > 20);
        assert!(count(|rows| rows.is_sorted_by(|a, b| a.0 > b.0)) > 10);
        assert!(count(|rows| rows.iter().collect::<HashSet<_>>().len() <= 6) > 60);
        let is_palindrome = |rows: &[(u64, u64)]| rows.iter().eq(rows.iter().rev());
        assert!(count(|rows| is_palindrome(rows) && !is_constant(rows)) > 3);
    }

    #[test]
    fn large_numbers_end_sums_and_products_where_types_do() {
        let pairs = || {
            (0..4000).map(|seed| {
                let mut structure = Structure::of_fields(Rng::with_seed(seed));
                let mut random = Rng::with_seed(seed);
                [0; 2].map(|_| structure.number(1 << 40, || random.u64(..20)))
            })
        };
        let count = |ends: &dyn Fn(u128, u128) -> u128| {
            let is_near = |[a, b]: &[u64; 2]| ends((*a).into(), (*b).into()).abs_diff(1 << 32) < 9;
            pairs().filter(is_near).count()
        };
        assert!(count(&|a, b| a + b) > 2, "{}", count(&|a, b| a + b));
        assert!(count(&|a, b| a * b) > 0);
        let is_large = |[a, b]: &[u64; 2]| u128::from(*a) * u128::from(*b) >= 1 << 31;
        assert!(pairs().filter(is_large).count() > 40);
    }

    #[test]
    fn lists_are_cycles_complete_graphs_and_circles() {
        let is_cycle = |rows: &[(u64, u64)]| rows[..3] == [(0, 1), (1, 2), (2, 0)];
        assert!(count(is_cycle) > 3);
        let is_complete = |rows: &[(u64, u64)]| rows[..3] == [(0, 1), (0, 2), (1, 2)];
        assert!(count(is_complete) > 3);
        let square = |number: u64| (number as i64 - 5).pow(2);
        let is_circle =
            |rows: &[(u64, u64)]| rows.iter().all(|row| square(row.0) + square(row.1) == 25);
        assert!(count(is_circle) > 3);
    }

    #[test]
    fn pairs_of_numbers_are_points_on_a_line_and_the_edges_of_paths_and_stars() {
        let sign = |number: u64| number as i64;
        let is_line = |rows: &[(u64, u64)]| {
            let distinct: HashSet<_> = rows.iter().collect();
            let side = |a: &(u64, u64), b: &(u64, u64), c: &(u64, u64)| {
                (sign(b.0) - sign(a.0)) * (sign(c.1) - sign(a.1))
                    - (sign(b.1) - sign(a.1)) * (sign(c.0) - sign(a.0))
            };
            let is_flat = rows.windows(3).all(|it| side(&it[0], &it[1], &it[2]) == 0);
            distinct.len() > 4 && is_flat
        };
        assert!(count(is_line) > 20);
        let is_path = |rows: &[(u64, u64)]| rows.windows(2).all(|it| it[0].1 == it[1].0);
        assert!(count(|rows| is_path(rows) && rows[0] != rows[1]) > 3);
        let is_star = |rows: &[(u64, u64)]| {
            let leaves: HashSet<_> = rows.iter().map(|row| row.1).collect();
            rows.iter().all(|row| row.0 == rows[0].0) && leaves.len() == rows.len()
        };
        assert!(count(is_star) > 10);
    }
}
