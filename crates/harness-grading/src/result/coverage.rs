//! Which lines of the reference a suite of unit tests reaches. It is information: no point depends on it.

use crate::run::coverage::{Coverage, Lines};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Which lines of the reference the valid test cases of a suite reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageReport {
    /// How many of 100 lines are reached, rounded down.
    pub percent: usize,
    /// The number of lines that can be reached, if the reader may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// The lines that no valid case reaches, by file, if the reader may know them: the first and the last of each range.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missed: BTreeMap<String, Vec<[usize; 2]>>,
}

impl CoverageReport {
    /// What is to be said of coverage. `None` if nothing is known.
    pub fn new(coverage: &Coverage) -> Option<Self> {
        let count = |lines: &Lines| lines.values().map(BTreeSet::len).sum::<usize>();
        let (missed, all) = (coverage.missed(), count(&coverage.code));
        let reached = all - count(&missed);
        let ranges = missed.into_iter().map(|(file, lines)| (file, ranges(&lines)));
        let percent = (reached * 100).checked_div(all)?;
        Some(Self { percent, lines: Some(all), missed: ranges.collect() })
    }

    /// Only how many lines are reached.
    #[must_use]
    pub fn brief(self) -> Self {
        Self { lines: None, missed: BTreeMap::new(), ..self }
    }
}

/// Lines that follow each other, as their first and their last.
fn ranges(lines: &BTreeSet<usize>) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == line => *last = line,
            _ => ranges.push([line, line]),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_counts_lines_and_names_the_missed_ones() {
        let lines =
            |lines: &[usize]| Lines::from([("a.c".to_owned(), lines.iter().copied().collect())]);
        let coverage = Coverage { code: lines(&[1, 2, 3, 5, 8, 9]), reached: lines(&[1, 4, 5]) };
        let report = CoverageReport::new(&coverage).unwrap();
        assert_eq!((report.percent, report.lines), (33, Some(6)));
        assert_eq!(report.missed["a.c"], [[2, 3], [8, 9]]);
        let seen = CoverageReport { percent: 33, lines: None, missed: BTreeMap::new() };
        assert_eq!(report.brief(), seen);
        assert_eq!(CoverageReport::new(&Coverage::default()), None);
    }
}
