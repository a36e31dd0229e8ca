//! The time and memory of a group's cases beside the reference's, as a picture and as text.

use super::super::percent;
use crate::result::graded::{CaseReport, Measures, Verdict};

/// The measures of a group.
pub(super) struct Times<'a> {
    /// Whether they are shown at once, because time cost points or there is something to see.
    pub(super) open: bool,
    pub(super) summary: String,
    pub(super) rows: Vec<Row<'a>>,
}

/// The measures of a case.
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    /// Whether time cost points.
    pub(super) is_slow: bool,
    pub(super) seconds: String,
    /// The time in percent of the longest one of the group, and the reference's.
    pub(super) percent: f64,
    pub(super) reference_percent: Option<f64>,
    /// How the time compares with the reference's.
    pub(super) ratio: String,
    pub(super) memory: String,
}

/// What takes less is not worth a picture: mostly, the start of the program is measured.
const LONG: f64 = 0.1;

/// `None` if no case has measures.
pub(super) fn of(cases: &[CaseReport]) -> Option<Times<'_>> {
    let measured: Vec<_> = cases.iter().filter_map(|it| Some((it, it.measures?))).collect();
    let longest = |(_, it): &(_, Measures)| it.seconds.max(it.reference_seconds.unwrap_or(0.0));
    let most = measured.iter().map(longest).reduce(f64::max)?;
    let slowest = measured.iter().map(|(_, it)| it.seconds).fold(0.0, f64::max);
    Some(Times {
        open: slowest >= LONG || measured.iter().any(|(case, _)| is_slow(case)),
        summary: format!("at most {slowest:.3} s"),
        rows: measured.iter().map(|(case, measures)| row(case, *measures, most)).collect(),
    })
}

fn is_slow(case: &CaseReport) -> bool {
    matches!(case.verdict, Verdict::Slow | Verdict::Timeout)
}

fn row(case: &CaseReport, measures: Measures, most: f64) -> Row<'_> {
    let Measures { seconds, reference_seconds, megabytes, reference_megabytes } = measures;
    let ratio = match reference_seconds {
        // Times are rounded to a millisecond.
        Some(reference) if reference > 0.0 => format!("{:.1} ×", seconds / reference),
        _ => "–".to_owned(),
    };
    // A line may break only before the reference's.
    let beside = |unit: &str, own: String, reference: Option<String>| match reference {
        Some(reference) => format!("{own}\u{a0}{unit} ({reference})"),
        None => format!("{own}\u{a0}{unit}"),
    };
    let to = |digits: usize| move |number: f64| format!("{number:.digits$}");
    Row {
        name: &case.name,
        is_slow: is_slow(case),
        seconds: beside("s", to(3)(seconds), reference_seconds.map(to(3))),
        percent: percent(seconds, most),
        reference_percent: reference_seconds.map(|reference| percent(reference, most).min(98.8)),
        ratio,
        memory: beside("MB", to(1)(megabytes), reference_megabytes.map(to(1))),
    }
}
