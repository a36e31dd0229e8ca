//! How the numbers and letters of one list hang together: few different ones, all equal, evenly spaced, repeated, mirrored.
//!
//! Independent numbers seldom make what programs are wrong about: ties and equal neighbours, sorted lists, points on one line, paths and
//! stars, strings with borders, palindromes. A list is a table: each repetition is a row, and the first number of each repetition is a
//! column. So points on one line are columns with even steps, and the edges of a path too; those of a star have one column that is
//! constant. Rows that repeat others, one after the other or backwards, make what occurs twice, borders and palindromes.

use fastrand::Rng;

/// How one list is drawn.
pub(crate) struct Structure {
    random: Rng,
    /// Whether all numbers are independent.
    is_free: bool,
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
}

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
            columns: Vec::new(),
            rows: Vec::new(),
            row: Vec::new(),
            repeats: 0,
            repeated: None,
        }
    }
}

impl Structure {
    /// The structure of a list that begins: none in half of them.
    pub(crate) fn any(mut random: Rng) -> Self {
        let is_free = random.bool();
        let repeats = [0, 0, 1, 3][random.usize(..4)];
        Self { random, is_free, repeats, ..Self::default() }
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
                let row = if is_forward { random.usize(..=last) } else { mirrored };
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
        let number = match (repeated, &mut self.columns[at]) {
            (Some(&number), _) => number,
            (None, Column::Free) => fresh(),
            (None, Column::Few(numbers)) => *self.random.choice(&*numbers).unwrap_or(&0),
            (None, Column::Even { next, step }) => {
                let number = *next % options;
                *next = number.saturating_add(*step);
                number
            }
            (None, Column::Like(more)) => self.row[at - 1].saturating_add(*more),
        };
        let number = number.min(options - 1);
        self.row.push(number);
        number
    }

    /// What a column is to have in common.
    fn column(&mut self, at: usize, options: u64, fresh: &mut impl FnMut() -> u64) -> Column {
        const MOST_FEW: usize = 3;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Lists of ten rows of two numbers each.
    fn lists() -> impl Iterator<Item = Vec<(u64, u64)>> {
        (0..2000).map(|seed| {
            let mut structure = Structure::any(Rng::with_seed(seed));
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
