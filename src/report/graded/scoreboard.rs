//! The fastest and smallest programs of a class, by group, relative to the reference. Only submissions that are right on all cases of a
//! group are ranked.

use super::heading;
use crate::report::screen::Screen;
use crate::report::table::Table;
use crate::result::graded::{GroupReport, SubmissionReport};
use std::fmt;

/// The most submissions that are listed for a group.
const MOST_LISTED: usize = 5;

/// A submission in one group.
struct Rank<'a> {
    name: &'a str,
    /// The time of all cases together, in times of the reference's.
    time: f64,
    /// The most memory of all cases, in times of the reference's.
    memory: f64,
}

/// Writes a table for each group that was measured.
pub(super) fn write(out: &mut String, all: &[SubmissionReport], screen: Screen) -> fmt::Result {
    let Some(first) = all.iter().find(|report| !report.groups.is_empty()) else { return Ok(()) };
    for group in &first.groups {
        let mut ranks: Vec<_> = all.iter().filter_map(|report| rank(report, &group.name)).collect();
        if ranks.is_empty() {
            continue;
        }
        ranks.sort_by(|one, other| one.time.total_cmp(&other.time).then(one.name.cmp(other.name)));
        heading(out, &format!("Fastest on {}, in times of the reference", group.name), screen)?;
        let mut table = Table::new(2).right_aligned(&[1]);
        for Rank { name, time, memory } in ranks.iter().take(MOST_LISTED) {
            let memory = format!("{memory:.1} of its memory");
            table.row([(*name).to_owned(), format!("{time:.1}"), memory]);
        }
        table.write(out, screen)?;
    }
    Ok(())
}

fn rank<'a>(report: &'a SubmissionReport, group: &str) -> Option<Rank<'a>> {
    let group: &GroupReport = report.groups.iter().find(|it| it.name == group)?;
    let measures: Option<Vec<_>> =
        group.cases.iter().map(|case| case.measures.filter(|_| case.verdict.is_right())).collect();
    let measures = measures.filter(|all| !all.is_empty())?;
    let own: f64 = measures.iter().map(|one| one.seconds).sum();
    let reference: f64 = measures.iter().filter_map(|one| one.reference_seconds).sum();
    let most = |memory: &dyn Fn(usize) -> f64| (0..measures.len()).map(memory).fold(0.0, f64::max);
    let memory = most(&|at| measures[at].megabytes);
    let reference_memory = most(&|at| measures[at].reference_megabytes.unwrap_or(0.0));
    let is_measured = reference > 0.0 && reference_memory > 0.0;
    is_measured.then(|| Rank {
        name: &report.name,
        time: own / reference,
        memory: memory / reference_memory,
    })
}
