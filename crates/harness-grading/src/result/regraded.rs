//! What a regrade changes: whose points, by how much, and why. Pure.

use crate::course::ScoredBy;
use crate::result::SuiteReport;
use crate::result::graded::points::Part;
use crate::result::graded::{CaseReport, LeaksReport, SubmissionReport};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the document that `grade --regrade --format json` writes.
pub const SCHEMA: &str = "harness-regraded/1";

/// The result of a regrade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regraded {
    /// `harness-regraded/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// Its title.
    pub title: String,
    /// Whether the results were replaced.
    pub applied: bool,
    /// The number of results that were made with the present course and `harness`.
    pub up_to_date: usize,
    /// The number of submissions that were graded again.
    pub regraded: usize,
    /// The number of submissions without a result, or handed in again since. They were left alone.
    pub not_graded: usize,
    /// The submissions whose points change, ordered by name.
    pub changes: Vec<Change>,
}

/// A submission whose points change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub name: String,
    /// The points before, and their maximum.
    pub before: f64,
    pub before_max: f64,
    /// The points after, and their maximum.
    pub after: f64,
    pub after_max: f64,
    /// The parts of the points that change.
    pub parts: Vec<PartChange>,
}

/// A part of the points that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartChange {
    pub name: String,
    /// The points before; none if there was no such part, or if it was not graded.
    pub before: Option<f64>,
    /// The points after.
    pub after: Option<f64>,
    /// What is different, in words.
    pub why: Vec<String>,
}

impl Change {
    /// The difference between two results of a submission. `None` if the points are the same.
    pub fn between(before: &SubmissionReport, after: &SubmissionReport) -> Option<Self> {
        let same = before.points == after.points && before.refused == after.refused;
        if same {
            return None;
        }
        let earned = |report: &SubmissionReport| -> BTreeMap<String, (Option<f64>, f64)> {
            let part = |Part { name, earned, max }: &Part| (name.clone(), (*earned, *max));
            report.points.parts.iter().map(part).collect()
        };
        let (old, new) = (earned(before), earned(after));
        let known = |part: &&Part| !new.contains_key(&part.name);
        let gone = before.points.parts.iter().filter(known);
        let names = after.points.parts.iter().chain(gone).map(|part| part.name.as_str());
        let changed = names.filter(|name| old.get(*name) != new.get(*name));
        let part = |name: &str| PartChange {
            name: name.to_owned(),
            before: old.get(name).and_then(|(earned, _)| *earned),
            after: new.get(name).and_then(|(earned, _)| *earned),
            why: why(name, before, after),
        };
        Some(Self {
            name: after.name.clone(),
            before: before.points.earned,
            before_max: before.points.max,
            after: after.points.earned,
            after_max: after.points.max,
            parts: changed.map(part).collect(),
        })
    }
}

/// What is different in a part of the points.
fn why(part: &str, before: &SubmissionReport, after: &SubmissionReport) -> Vec<String> {
    match part {
        "cases" | "extra" => cases(before, after, part == "extra"),
        "tests" => tests(before.tests.as_ref(), after.tests.as_ref()),
        "leaks" => leaks(before.leaks.as_ref(), after.leaks.as_ref()),
        "deductions" => findings(before, after),
        _ => Vec::new(),
    }
}

fn cases(before: &SubmissionReport, after: &SubmissionReport, is_extra: bool) -> Vec<String> {
    let of = |report: &'_ SubmissionReport| -> BTreeMap<String, CaseReport> {
        let groups = report.groups.iter().filter(|group| group.extra == is_extra);
        let cases = groups.flat_map(|group| group.cases.iter().map(move |case| (group, case)));
        cases.map(|(group, case)| (format!("{}/{}", group.name, case.name), case.clone())).collect()
    };
    let (old, new) = (of(before), of(after));
    let all: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let percent = |case: &CaseReport| format!("{} %", (case.share * 10_000.0).round() / 100.0);
    let line = |key: &String| {
        let text = match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) if old.verdict != new.verdict => {
                format!("{} is now {}", old.verdict.word(), new.verdict.word())
            }
            (Some(old), Some(new)) if old.share < new.share || new.share < old.share => {
                format!("earns {} instead of {}", percent(new), percent(old))
            }
            (Some(_), None) => "removed".to_owned(),
            (None, Some(new)) => format!("new, {}", new.verdict.word()),
            _ => return None,
        };
        Some(format!("{key}: {text}"))
    };
    let mut lines: Vec<_> = all.into_iter().filter_map(line).collect();
    if lines.is_empty() {
        lines.push("the groups, their weights or their points changed".to_owned());
    }
    lines
}

fn tests(before: Option<&SuiteReport>, after: Option<&SuiteReport>) -> Vec<String> {
    let newly = newly_exposed(before, after).into_iter().map(|id| format!("exposes {id}"));
    let no_longer = newly_exposed(after, before).into_iter();
    let no_longer = no_longer.map(|id| format!("no longer exposes {id}"));
    let mut lines: Vec<_> = newly.chain(no_longer).collect();
    let of = |suite: Option<&SuiteReport>| {
        suite
            .and_then(|suite| suite.score.as_ref())
            .map(|score| (score.exposed, score.mutants, score.by))
    };
    if let (Some(old), Some(new)) = (of(before), of(after))
        && old != new
    {
        let ((was, of, was_by), (is, now_of, by)) = (old, new);
        let before = if by == was_by { "" } else { word(was_by) };
        lines.push(format!("{is} of {now_of}{} instead of {was} of {of}{before}", word(by)));
    }
    if lines.is_empty() {
        lines.push("the points for mutants changed".to_owned());
    }
    lines
}

/// The mutants that only the later of two suites exposes, as far as the reader may know them.
pub(super) fn newly_exposed(
    before: Option<&SuiteReport>,
    after: Option<&SuiteReport>,
) -> Vec<String> {
    let old = before.map(|suite| &suite.exposed_by);
    let new = after.into_iter().flat_map(|suite| suite.exposed_by.keys());
    new.filter(|id| !old.is_some_and(|old| old.contains_key(*id))).cloned().collect()
}

/// The word for what counts in a score, after its number.
fn word(by: ScoredBy) -> &'static str {
    match by {
        ScoredBy::Mutants => " mutants",
        ScoredBy::Behaviours => " behaviours",
    }
}

fn leaks(before: Option<&LeaksReport>, after: Option<&LeaksReport>) -> Vec<String> {
    let text = |leaks: Option<&LeaksReport>| match leaks {
        Some(leaks) if leaks.checked > 0 => {
            format!("leaks on {} of {} checked cases", leaks.checked - leaks.clean, leaks.checked)
        }
        _ => "not checked".to_owned(),
    };
    vec![format!("{} instead of {}", text(after), text(before))]
}

fn findings(before: &SubmissionReport, after: &SubmissionReport) -> Vec<String> {
    let messages = |report: &SubmissionReport| -> BTreeSet<String> {
        let costly = report.findings.iter().filter(|finding| finding.points.is_some());
        costly.map(|finding| finding.message.clone()).collect()
    };
    let (old, new) = (messages(before), messages(after));
    let now = new.difference(&old).map(|message| format!("costs points now: {message}"));
    let gone = old.difference(&new).map(|message| format!("costs nothing now: {message}"));
    now.chain(gone).collect()
}
