//! Which rows of a diff a report shows: those that differ, and a few around them.

use super::diff::{Diff, Row};

/// Equal rows shown before and after those that differ.
const CONTEXT: usize = 2;
pub const MOST_ROWS: usize = 60;

/// A row that is shown, or how many are left out.
pub enum Part<'a> {
    Row(&'a Row),
    /// Rows left out because their lines are equal.
    Equal(usize),
    /// Rows left out at the end, because enough are shown.
    Rest(usize),
}

impl Diff {
    /// The rows that are shown.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let rows = &self.rows;
        let is_near = |at: usize| {
            rows[at.saturating_sub(CONTEXT)..rows.len().min(at + CONTEXT + 1)]
                .iter()
                .any(|row| !row.same)
        };
        // A diff that was cut begins later than its outputs.
        let start = rows.first().and_then(|row| row.reference.as_ref().or(row.mutant.as_ref()));
        let skipped = start.map_or(0, |line| line.number - 1);
        let mut parts = Vec::new();
        if skipped > 0 {
            parts.push(Part::Equal(skipped));
        }
        let mut at = 0;
        while at < rows.len() {
            if parts.len() >= MOST_ROWS {
                parts.push(Part::Rest(rows.len() - at));
                break;
            }
            match (at..rows.len()).take_while(|&at| !is_near(at)).count() {
                // A note about one line would take as much room as the line.
                0 | 1 => {
                    parts.push(Part::Row(&rows[at]));
                    at += 1;
                }
                far => {
                    parts.push(Part::Equal(far));
                    at += far;
                }
            }
        }
        parts
    }
}
