//! What cost points and why, the largest loss first. Pure.

use crate::report::graded::leaking;
use crate::report::words::{counted, number};
use crate::result::SuiteReport;
use crate::result::graded::{BuildReport, GroupReport, SubmissionReport, Verdict};
use std::collections::BTreeMap;

/// Points that were lost.
pub(super) struct Loss {
    lost: f64,
    /// The points, in words.
    pub(super) points: String,
    /// What they were for.
    pub(super) what: String,
    pub(super) why: String,
    /// The id of the section that says more.
    pub(super) target: String,
}

/// A loss of less is one of rounding.
const LEAST: f64 = 0.005;

/// The losses of a submission that is graded. `under_way` leaves out what is not complete yet.
pub(super) fn of(report: &SubmissionReport, id: &str, under_way: bool) -> Vec<Loss> {
    if report.refused {
        return Vec::new();
    }
    let target = |name: &str| format!("a{id}-{name}");
    let mut losses = Vec::new();
    if let Some(build) = report.build.as_ref().filter(|build| !build.built) {
        losses.extend(unbuilt(report, build, target("build")));
    } else {
        let groups = report.groups.iter().enumerate();
        let complete = groups.filter(|(_, it)| !(under_way && super::cases::is_partial(it)));
        losses.extend(complete.filter_map(|(at, it)| group(it, target(&format!("g{at}")))));
    }
    let part = |name: &str| {
        let part = report.points.parts.iter().find(|part| part.name == name)?;
        Some((part.max - part.earned?, part.max))
    };
    if let (Some((lost, max)), Some(suite)) = (part("tests"), &report.tests) {
        losses.push(Loss::new(lost, Some(max), "tests", tests(suite), target("tests")));
    }
    if let (Some((lost, max)), Some(leaks)) = (part("leaks"), &report.leaks) {
        let why = match &leaks.evaded {
            Some(why) => format!("a case cannot be checked: {why}"),
            None if leaks.checked == 0 => leaking(leaks),
            None => format!("leaks {}", leaking(leaks)),
        };
        losses.push(Loss::new(lost, Some(max), "leaks", why, target("leaks")));
    }
    for finding in &report.findings {
        let (lost, why) = (finding.points.unwrap_or(0.0), finding.message.clone());
        losses.push(Loss::new(lost, None, "deduction", why, target("messages")));
    }
    losses.retain(|loss| loss.lost > LEAST);
    losses.sort_by(|one, other| other.lost.total_cmp(&one.lost));
    losses
}

impl Loss {
    fn new(lost: f64, max: Option<f64>, what: &str, why: String, target: String) -> Self {
        let of = max.map(|max| format!(" of {}", number(max))).unwrap_or_default();
        let points = format!("−{}{of}", number(lost));
        Self { lost, points, what: what.to_owned(), why, target }
    }
}

/// The points of all cases, if there is no program.
fn unbuilt(report: &SubmissionReport, build: &BuildReport, target: String) -> Option<Loss> {
    let part = report.points.parts.iter().find(|part| part.name == "cases")?;
    let lost = part.max - part.earned?;
    let error = build.error.as_ref().map(crate::report::graded::diagnostic);
    let why = match error {
        Some(error) => format!("the program was not built: {error}"),
        None => "the program was not built".to_owned(),
    };
    Some(Loss::new(lost, Some(part.max), "cases", why, target))
}

fn group(group: &GroupReport, target: String) -> Option<Loss> {
    if group.extra {
        return None;
    }
    let lost = group.max_points - group.points;
    let what = format!("group {}", group.name);
    Some(Loss::new(lost, Some(group.max_points), &what, why(group), target))
}

/// How many cases of a group failed in which way.
fn why(group: &GroupReport) -> String {
    let GroupReport { passed, total, .. } = group;
    if group.cases.is_empty() {
        return match total - passed {
            0 => "some answers are right, but slow".to_owned(),
            wrong => format!("{wrong} of {} not right", counted(*total, "case")),
        };
    }
    let mut ways: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    for case in group.cases.iter().filter(|case| case.share < 1.0) {
        let way = match case.verdict {
            Verdict::Slow => "right, but too slow for all points",
            Verdict::Timeout => "stopped, because too slow",
            verdict => verdict.word(),
        };
        ways.entry(way).or_default().push(&case.name);
    }
    let mut ways: Vec<_> = ways.into_iter().collect();
    ways.sort_by_key(|(_, cases)| usize::MAX - cases.len());
    let way = |(way, cases): &(&str, Vec<&str>)| match cases.as_slice() {
        [only] => format!("{only}: {way}"),
        many => format!("{} of {}: {way}", many.len(), counted(*total, "case")),
    };
    ways.iter().map(way).collect::<Vec<_>>().join("; ")
}

/// Why the tests do not earn all points.
fn tests(suite: &SuiteReport) -> String {
    let rejected = match suite.rejected_tests() {
        0 => String::new(),
        count => format!("; {} rejected", counted(count, "test")),
    };
    let why = match &suite.score {
        _ if suite.valid_tests() == 0 => "no valid test".to_owned(),
        Some(score) if score.reached() < score.full => {
            let more = score.reached().missing_to(score.full);
            let bugs = match score.worth {
                Some(_) => format!("bugs worth {more} more"),
                None => counted(more.number() as usize, "more bug"),
            };
            format!(
                "{bugs} to expose for full points, {} of {} exposed",
                score.exposed, score.mutants
            )
        }
        _ => "more bugs can be exposed".to_owned(),
    };
    why + &rejected
}
