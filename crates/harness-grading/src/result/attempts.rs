//! What changed between two attempts of a student. Both results contain only what the same reader may see. Pure.

use super::graded::{CaseReport, GroupReport, SubmissionReport, Verdict};
use super::regraded::{Change, newly_exposed};
use std::collections::BTreeMap;

/// What changed since an earlier attempt. Empty where nothing did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempts {
    /// The points before and after, and the parts that differ.
    pub points: Option<Change>,
    /// The cases that the program does better on, each with its group.
    pub gained: Vec<String>,
    /// The cases that it does worse on.
    pub lost: Vec<String>,
    /// The groups whose cases the reader may not see, if another number of them is right.
    pub groups: Vec<RightCases>,
    /// The mutants that the tests expose now, and no longer, if the reader may know them.
    pub newly_exposed: Vec<String>,
    pub no_longer_exposed: Vec<String>,
    /// How many bugs the tests exposed before and now, if these numbers are known and differ.
    pub exposed: Option<(u32, u32)>,
}

/// How many cases of a group are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RightCases {
    pub group: String,
    pub before: usize,
    pub after: usize,
}

impl Attempts {
    /// Compares an earlier attempt with a later one, as far as both have been graded.
    pub fn between(before: &SubmissionReport, after: &SubmissionReport) -> Self {
        let (old, new) = (cases(before), cases(after));
        let better = |old: &BTreeMap<String, &CaseReport>, new: &BTreeMap<String, &CaseReport>| {
            let is_better = |(key, case): (&String, &&CaseReport)| {
                let was = old.get(key)?;
                (rank(was.verdict) < rank(case.verdict)).then(|| key.clone())
            };
            new.iter().filter_map(is_better).collect::<Vec<_>>()
        };
        let exposed = |report: &SubmissionReport| {
            report.tests.as_ref().and_then(|suite| suite.score.as_ref()).map(|score| score.exposed)
        };
        let counts = exposed(before).zip(exposed(after)).filter(|(old, new)| old != new);
        let (was, is) = (before.tests.as_ref(), after.tests.as_ref());
        let both = was.is_some() && is.is_some();
        let newly = |was, is| if both { newly_exposed(was, is) } else { Vec::new() };
        Self {
            points: Change::between(before, after),
            gained: better(&old, &new),
            lost: better(&new, &old),
            groups: after.groups.iter().filter_map(|group| right(before, group)).collect(),
            newly_exposed: newly(was, is),
            no_longer_exposed: newly(is, was),
            exposed: counts,
        }
    }

    /// Whether neither cases nor tests do anything else.
    pub fn is_same_work(&self) -> bool {
        *self == Self { points: self.points.clone(), ..Self::default() }
    }
}

/// The cases that the reader may see, by `group/case`.
fn cases(report: &SubmissionReport) -> BTreeMap<String, &CaseReport> {
    let of = |group: &'_ GroupReport| group.name.clone();
    let cases =
        report.groups.iter().flat_map(|group| group.cases.iter().map(move |it| (group, it)));
    cases.map(|(group, case)| (format!("{}/{}", of(group), case.name), case)).collect()
}

/// A slow answer is better than a wrong one. Small differences in time are no change.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Passed => 2,
        Verdict::Slow => 1,
        _ => 0,
    }
}

/// The change of a group whose cases cannot be seen one by one.
fn right(before: &SubmissionReport, after: &GroupReport) -> Option<RightCases> {
    let before = before.groups.iter().find(|group| group.name == after.name)?;
    let is_hidden = before.cases.is_empty() && after.cases.is_empty();
    (is_hidden && before.passed != after.passed).then(|| RightCases {
        group: after.name.clone(),
        before: before.passed,
        after: after.passed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::ScoredBy;
    use crate::result::graded::points::PointsReport;
    use crate::result::score::Score;
    use crate::result::{Exposure, SuiteReport};

    fn report(cases: &[(&str, Verdict)], exposed: &[&str]) -> SubmissionReport {
        let case = |&(name, verdict): &(&str, Verdict)| CaseReport {
            name: name.to_owned(),
            verdict,
            share: 0.0,
            command: Vec::new(),
            measures: None,
            says: None,
            stopped: None,
            shown: None,
        };
        let group = GroupReport {
            name: "small".to_owned(),
            extra: false,
            points: 0.0,
            max_points: 0.0,
            passed: cases.iter().filter(|(_, verdict)| verdict.is_right()).count(),
            total: cases.len(),
            cases: cases.iter().map(case).collect(),
        };
        let suite = SuiteReport {
            name: "mine".to_owned(),
            note: None,
            tests: Vec::new(),
            more_rejected: 0,
            ignored: Vec::new(),
            more_ignored: 0,
            exposed_by: exposed
                .iter()
                .map(|id| ((*id).to_owned(), Vec::<Exposure>::new()))
                .collect(),
            score: Some(Score {
                by: ScoredBy::default(),
                exposed: exposed.len() as u32,
                mutants: 9,
                points: 0.0,
                max_points: 10.0,
                start: crate::course::Points::ONE,
                full: crate::course::Points::whole(9),
                extra_submission: None,
                worth: None,
            }),
            coverage: None,
            hints: Vec::new(),
        };
        SubmissionReport {
            name: "mine".to_owned(),
            digest: String::new(),
            refused: false,
            other_scale: false,
            findings: Vec::new(),
            build: None,
            groups: vec![group],
            leaks: None,
            tests: Some(suite),
            own: None,
            points: PointsReport { earned: 0.0, max: 0.0, parts: Vec::new() },
        }
    }

    #[test]
    fn cases_and_bugs_are_gained_and_lost() {
        use Verdict::{Crashed, Passed, Slow, Wrong};
        let before = report(&[("A", Wrong), ("B", Passed), ("C", Slow), ("D", Wrong)], &["x", "y"]);
        let after =
            report(&[("A", Passed), ("B", Slow), ("C", Passed), ("D", Crashed)], &["y", "z"]);
        let attempts = Attempts::between(&before, &after);
        assert_eq!(attempts.gained, ["small/A", "small/C"]);
        assert_eq!(attempts.lost, ["small/B"]);
        assert_eq!(
            (attempts.newly_exposed, attempts.no_longer_exposed),
            (vec!["z".to_owned()], vec!["x".to_owned()])
        );
        assert_eq!(attempts.exposed, None, "as many as before");
        assert!(Attempts::between(&after, &after).is_same_work());
    }

    #[test]
    fn a_reader_who_may_see_neither_cases_nor_ids_learns_how_many() {
        let hidden = |right: usize, exposed: &[&str]| {
            let mut report = report(&[], exposed);
            (report.groups[0].passed, report.groups[0].total) = (right, 5);
            report.tests.as_mut().unwrap().exposed_by.clear();
            report
        };
        let attempts = Attempts::between(&hidden(2, &["x"]), &hidden(4, &["x", "y"]));
        let right = RightCases { group: "small".to_owned(), before: 2, after: 4 };
        assert_eq!((attempts.groups, attempts.exposed), (vec![right], Some((1, 2))));
        assert!(attempts.newly_exposed.is_empty() && attempts.gained.is_empty());
    }

    #[test]
    fn what_is_not_graded_yet_is_neither_gained_nor_lost() {
        let before = report(&[("A", Verdict::Passed)], &["x"]);
        let mut after = report(&[], &[]);
        (after.groups, after.tests) = (Vec::new(), None);
        let attempts = Attempts::between(&before, &after);
        assert!(attempts.is_same_work(), "{attempts:?}");
    }
}
