//! Rows of cells in aligned columns. On a terminal that is too narrow, the last column is wrapped.

use super::screen::{Screen, width, wrap};
use std::fmt::{self, Write};

/// A last column that would be narrower than this is written below the others.
const NARROWEST: usize = 24;
/// The additional indentation of a last column below the others.
const STEP: usize = 4;
const GAP: usize = 2;

/// Rows that all have the same number of cells.
pub struct Table {
    indent: usize,
    rows: Vec<Vec<String>>,
    /// The width of each column.
    widths: Vec<usize>,
    right_aligned: &'static [usize],
}

impl Table {
    pub fn new(indent: usize) -> Self {
        Self { indent, rows: Vec::new(), widths: Vec::new(), right_aligned: &[] }
    }

    /// Aligns these columns to the right. The last column cannot be one of them.
    #[must_use]
    pub fn right_aligned(mut self, columns: &'static [usize]) -> Self {
        self.right_aligned = columns;
        self
    }

    /// As wide as `other`, where that is wider, so that tables below each other have the same columns.
    pub(super) fn align(&mut self, other: &Self) {
        self.widen(other.widths.iter().copied());
    }

    fn widen(&mut self, widths: impl ExactSizeIterator<Item = usize>) {
        self.widths.resize(self.widths.len().max(widths.len()), 0);
        self.widths.iter_mut().zip(widths).for_each(|(own, other)| *own = other.max(*own));
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<_> = cells.into_iter().collect();
        self.widen(cells.iter().map(|cell| width(cell)));
        self.rows.push(cells);
    }

    /// The width of the table if nothing is wrapped.
    pub(super) fn width(&self) -> usize {
        self.lead() + self.column(self.last())
    }

    pub fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let room = match screen.columns {
            Some(columns) if columns < self.width() => columns,
            _ => usize::MAX,
        };
        let lead = self.lead();
        let longest_word = self.rows.iter().flat_map(|row| row[self.last()].split(' ')).map(width);
        let beside = room.saturating_sub(lead) >= longest_word.max().unwrap_or(0).max(NARROWEST);
        for row in &self.rows {
            if room == usize::MAX || beside {
                self.write_beside(out, row, room)?;
            } else {
                self.write_below(out, row, room)?;
            }
        }
        Ok(())
    }

    fn last(&self) -> usize {
        self.rows.first().map_or(0, |row| row.len().saturating_sub(1))
    }

    fn column(&self, column: usize) -> usize {
        self.widths.get(column).copied().unwrap_or(0)
    }

    /// The columns before the last one.
    fn lead(&self) -> usize {
        self.indent + (0..self.last()).map(|column| self.column(column) + GAP).sum::<usize>()
    }

    /// All cells but the last, aligned.
    fn leading(&self, row: &[String]) -> String {
        let mut line = " ".repeat(self.indent);
        for (column, cell) in row[..self.last()].iter().enumerate() {
            let space = " ".repeat(self.column(column) - width(cell));
            let cells = if self.right_aligned.contains(&column) {
                [space.as_str(), cell]
            } else {
                [cell, space.as_str()]
            };
            line.extend(cells);
            line.push_str(&" ".repeat(GAP));
        }
        line
    }

    fn write_beside(&self, out: &mut String, row: &[String], room: usize) -> fmt::Result {
        let (leading, lead) = (self.leading(row), self.lead());
        for (at, line) in wrap(&row[self.last()], room.saturating_sub(lead)).iter().enumerate() {
            let start = if at == 0 { leading.clone() } else { " ".repeat(lead) };
            writeln!(out, "{}", format!("{start}{line}").trim_end())?;
        }
        Ok(())
    }

    fn write_below(&self, out: &mut String, row: &[String], room: usize) -> fmt::Result {
        let leading = self.leading(row);
        let below = self.indent + STEP;
        if width(leading.trim_end()) <= room {
            writeln!(out, "{}", leading.trim_end())?;
        } else {
            let cells: Vec<_> = row[..self.last()].iter().filter(|cell| !cell.is_empty()).collect();
            let cells = cells.iter().map(|cell| cell.as_str()).collect::<Vec<_>>().join(" ");
            for (at, line) in wrap(&cells, room.saturating_sub(below)).iter().enumerate() {
                let indent = if at == 0 { self.indent } else { below };
                writeln!(out, "{:indent$}{line}", "")?;
            }
        }
        wrap(&row[self.last()], room.saturating_sub(below))
            .iter()
            .filter(|line| !line.is_empty())
            .try_for_each(|line| writeln!(out, "{:below$}{line}", ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(columns: Option<usize>, last: &str) -> String {
        let mut table = Table::new(2).right_aligned(&[1]);
        table.row(["a".to_owned(), "10".to_owned(), last.to_owned()]);
        table.row(["bcd".to_owned(), "2".to_owned(), String::new()]);
        let mut out = String::new();
        table.write(&mut out, Screen { columns, colored: false }).unwrap();
        out
    }

    #[test]
    fn a_record_is_one_line_where_there_is_room_and_in_a_pipe() {
        let expected = "  a    10  one two\n  bcd   2\n";
        assert_eq!([check(Some(80), "one two"), check(None, "one two")], [expected; 2]);
    }

    #[test]
    fn the_last_column_is_wrapped_beside_the_others() {
        let expected =
            "  a    10  a sentence that is too\n           wide for one line\n  bcd   2\n";
        assert_eq!(check(Some(36), "a sentence that is too wide for one line"), expected);
    }

    #[test]
    fn a_last_column_without_room_goes_below_the_others() {
        let expected = "  a    10\n      a sentence that\n      is wide\n  bcd   2\n";
        assert_eq!(check(Some(22), "a sentence that is wide"), expected);
    }
}
