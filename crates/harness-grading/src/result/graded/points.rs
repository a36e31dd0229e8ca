//! Computes the points of a submission. Pure.

use super::{Finding, GroupReport, LeaksReport, SubmissionReport};
use crate::course::submission::{Parts, Time};
use crate::result::SuiteReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The points of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointsReport {
    /// The points earned, rounded to a hundredth, without the parts that are not graded yet.
    pub earned: f64,
    /// The maximum of the parts that are graded.
    pub max: f64,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// A part of the points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub name: String,
    /// The points earned; none if a person grades the part, or if it could not be graded. Deductions are negative.
    pub earned: Option<f64>,
    /// The maximum; 0 for extra points and deductions.
    pub max: f64,
}

/// What the points are computed from.
pub struct Results<'a> {
    pub refused: bool,
    pub findings: &'a [Finding],
    pub groups: &'a [GroupReport],
    pub leaks: Option<&'a LeaksReport>,
    pub tests: Option<&'a SuiteReport>,
}

impl<'a> Results<'a> {
    /// What a report says.
    pub fn of(report: &'a SubmissionReport) -> Self {
        Self {
            refused: report.refused,
            findings: &report.findings,
            groups: &report.groups,
            leaks: report.leaks.as_ref(),
            tests: report.tests.as_ref(),
        }
    }
}

impl PointsReport {
    /// The sum of the parts. A submission that is refused earns nothing.
    pub fn of(results: &Results<'_>, most: &Parts) -> Self {
        let Results { refused, findings, groups, leaks, tests } = *results;
        let part = |name: &str, earned, max| Part { name: name.to_owned(), earned, max };
        let sum = |extra: bool| -> f64 {
            groups.iter().filter(|group| group.extra == extra).map(|group| group.points).sum()
        };
        let mut parts = Vec::new();
        if most.cases() > 0.0 || !groups.is_empty() {
            parts.push(part("cases", Some(sum(false)), most.cases()));
        }
        if most.tests > 0.0 {
            let share = |suite: &SuiteReport| {
                let score = suite.score.as_ref().filter(|score| score.max_points > 0.0);
                score.map_or(0.0, |score| score.points / score.max_points)
            };
            parts.push(part("tests", tests.map(|suite| share(suite) * most.tests), most.tests));
        }
        if most.leaks() > 0.0 {
            let earned = leaks.map(|leaks| leaks.share().map(|share| share * most.leaks()));
            parts.push(part("leaks", earned.unwrap_or(Some(0.0)), most.leaks()));
        }
        if groups.iter().any(|group| group.extra) {
            parts.push(part("extra", Some(sum(true)), 0.0));
        }
        let lost: f64 = findings.iter().filter_map(|finding| finding.points).sum();
        if lost > 0.0 {
            parts.push(part("deductions", Some(-lost), 0.0));
        }
        parts.extend(most.by_hand.0.iter().map(|(name, max)| part(name, None, *max)));
        for part in &mut parts {
            part.earned = part.earned.map(|earned| hundredths(if refused { 0.0 } else { earned }));
        }
        let graded = || parts.iter().filter_map(|part| Some((part.earned?, part.max)));
        let earned: f64 = graded().map(|(earned, _)| earned).sum();
        let max: f64 = graded().map(|(_, max)| max).sum();
        Self { earned: hundredths(earned.max(0.0)), max: hundredths(max), parts }
    }
}

impl PointsReport {
    /// Whether these points are on the scale of `most`, so that they can be compared with others on it.
    pub fn are_on(&self, most: &Parts) -> bool {
        let scale = [("cases", most.cases()), ("tests", most.tests), ("leaks", most.leaks())];
        let by_hand = most.by_hand.0.iter().map(|(name, max)| (name.as_str(), *max));
        let scale = scale.into_iter().chain(by_hand).filter(|(_, max)| *max > 0.0);
        let own = self.parts.iter().map(|part| (part.name.as_str(), part.max));
        own.filter(|(_, max)| *max > 0.0).eq(scale)
    }
}

impl LeaksReport {
    /// The part of the points that is earned; `None` if valgrind could check nothing.
    fn share(&self) -> Option<f64> {
        if self.evaded.is_some() {
            return Some(0.0);
        }
        match self.checked {
            0 => self.unchecked.is_none().then_some(0.0),
            checked => Some(self.clean as f64 / checked as f64),
        }
    }
}

/// Orders `findings`, the most serious first. A rule costs its points once, however often it is broken.
pub fn charge(findings: &mut [Finding]) {
    for at in 0..findings.len() {
        let rule = findings[at].rule;
        if findings[..at].iter().any(|earlier| earlier.rule == rule && earlier.points.is_some()) {
            findings[at].points = None;
        }
    }
    findings.sort_by_key(|finding| finding.severity);
}

/// The part of a case's points that a right answer earns: all of them up to `full` times the reference's time, none from `none` times it
/// on, and in between in proportion. It is not rounded: at a step, a small difference between two runs would cost as much as a large one.
pub fn share_of_time(seconds: f64, reference: f64, time: &Time) -> f64 {
    let ratio = seconds.max(time.least) / reference.max(time.least);
    ((time.none - ratio) / (time.none - time.full)).clamp(0.0, 1.0)
}

pub fn hundredths(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "points are rounded, and these are exact")]
mod tests {
    use super::*;

    fn usual() -> Parts {
        serde_json::from_str(r#"{"cases": 80, "leaks": 10}"#).unwrap()
    }
    use crate::course::submission::Rule;
    use crate::result::graded::Severity;
    use crate::shape::yaml::Entries;

    #[test]
    fn points_fall_from_full_times_the_reference_to_none() {
        let time = Time { seconds: 35.0, full: 2.0, none: 12.0, least: 0.1, runs: 1 };
        let share = |seconds| share_of_time(seconds, 1.0, &time);
        assert_eq!([0.5, 2.0, 7.0, 12.0, 30.0].map(share), [1.0, 1.0, 0.5, 0.0, 0.0]);
        assert_eq!(share_of_time(0.1, 0.001, &time), 1.0, "short times are not told apart");
    }

    #[test]
    fn a_little_more_time_costs_a_little() {
        let time = Time { seconds: 35.0, full: 4.0, none: 30.0, least: 0.1, runs: 3 };
        let share = |ratio: f64| share_of_time(0.3 * ratio, 0.3, &time);
        for tenths in 40..300 {
            let ratio = f64::from(tenths) / 10.0;
            let lost = share(ratio) - share(ratio * 1.01);
            assert!(lost > 0.0 && lost < 0.012, "{ratio}: {lost}");
        }
    }

    #[test]
    fn points_are_on_a_scale_if_all_parts_have_its_maximum() {
        let results =
            Results { refused: true, findings: &[], groups: &[], leaks: None, tests: None };
        let mut most = usual();
        most.by_hand = Entries(vec![("style".to_owned(), 5.0)]);
        let points = PointsReport::of(&results, &most);
        assert!(points.are_on(&most), "those of a submission that is refused, too");
        let mut other = most.clone();
        other.tests = 15.0;
        assert!(!points.are_on(&other) && !points.are_on(&usual()));
    }

    #[test]
    fn a_rule_costs_its_points_once() {
        let finding = |file: &str| Finding {
            rule: Rule::Banned,
            severity: Severity::Deduction,
            points: Some(5.0),
            file: Some(file.to_owned()),
            line: None,
            column: None,
            excerpt: None,
            message: String::new(),
            hint: None,
        };
        let mut findings = [finding("a.cpp"), finding("b.cpp")];
        charge(&mut findings);
        let results =
            Results { refused: false, findings: &findings, groups: &[], leaks: None, tests: None };
        let points = PointsReport::of(&results, &usual());
        let deductions = points.parts.iter().find(|part| part.name == "deductions").unwrap();
        assert_eq!(deductions.earned, Some(-5.0));
        assert_eq!(points.earned, 0.0, "there are no negative points");
    }

    #[test]
    fn a_part_that_could_not_be_graded_counts_neither_way() {
        let leaks = LeaksReport {
            checked: 0,
            clean: 0,
            leaks: Vec::new(),
            errors: Vec::new(),
            unchecked: Some("valgrind is not installed".to_owned()),
            evaded: None,
        };
        let results = Results {
            refused: false,
            findings: &[],
            groups: &[],
            leaks: Some(&leaks),
            tests: None,
        };
        let points = PointsReport::of(&results, &usual());
        assert_eq!(points.max, 80.0);
    }
}
