//! The scoreboard of a class: the fastest and the smallest programs of each group of cases, relative to the reference. Pure.

use crate::course::submission::Shown;
use crate::result::graded::{CaseReport, GroupReport, Measures, SubmissionReport};
use crate::result::pseudonym;
use serde::{Deserialize, Serialize};

/// The version of the document `scoreboard.json`.
pub const SCHEMA: &str = "harness-scoreboard/1";

/// The fastest and smallest programs of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoreboard {
    /// `harness-scoreboard/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// Its title.
    pub title: String,
    /// The groups of cases.
    pub groups: Vec<Board>,
    /// The number of submissions that are left out, because they were graded on another scale than the course's now.
    #[serde(default)]
    pub other_scale: usize,
}

/// The programs that are right on every case of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    pub group: String,
    /// The number of its cases.
    pub cases: usize,
    /// By processor time, the least first.
    pub fastest: Vec<Place>,
    /// By memory, the least first.
    pub smallest: Vec<Place>,
}

/// The place of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// From 1. Equal programs share a place.
    pub rank: usize,
    /// The name or the pseudonym.
    pub name: String,
    /// Seconds for all cases, or megabytes for the case that needs most.
    pub value: f64,
    /// How many times the reference's that is.
    pub ratio: f64,
}

impl Scoreboard {
    /// The scoreboard of these submissions. Their names are shown as the course says.
    pub fn new(assignment: (&str, &str), all: &[SubmissionReport], shown: &Shown) -> Self {
        let (id, title) = assignment;
        let name = |report: &SubmissionReport| match shown {
            Shown::Names => report.name.clone(),
            Shown::Pseudonyms(secret) => pseudonym::of_student(secret, id, &report.name),
        };
        let graded: Vec<_> = all.iter().filter(|it| !it.refused && !it.other_scale).collect();
        let first = graded.first().map_or(&[][..], |report| &report.groups);
        let board = |group: &GroupReport| {
            let right = |report: &&SubmissionReport| {
                let own = report.groups.iter().find(|own| own.name == group.name);
                own.filter(|own| own.passed == own.total && own.total > 0)
                    .map(|own| (name(report), own.clone()))
            };
            let right: Vec<_> = graded.iter().filter_map(right).collect();
            Board {
                group: group.name.clone(),
                cases: group.total,
                fastest: places(&right, seconds),
                smallest: places(&right, megabytes),
            }
        };
        Self {
            schema: SCHEMA.to_owned(),
            assignment: id.to_owned(),
            title: title.to_owned(),
            groups: first.iter().map(board).collect(),
            other_scale: all.iter().filter(|report| report.other_scale).count(),
        }
    }
}

/// A program's value and the reference's.
type Measure = fn(&[Measures]) -> (f64, f64);

/// The time for all cases.
fn seconds(all: &[Measures]) -> (f64, f64) {
    let own = all.iter().map(|it| it.seconds).sum();
    (own, all.iter().filter_map(|it| it.reference_seconds).sum())
}

/// The memory for the case that needs most.
fn megabytes(all: &[Measures]) -> (f64, f64) {
    let own = all.iter().map(|it| it.megabytes).fold(0.0, f64::max);
    (own, all.iter().filter_map(|it| it.reference_megabytes).fold(0.0, f64::max))
}

fn places(right: &[(String, GroupReport)], measure: Measure) -> Vec<Place> {
    let place = |(name, group): &(String, GroupReport)| {
        let measures =
            |case: &CaseReport| case.measures.filter(|it| it.reference_seconds.is_some());
        let all: Option<Vec<_>> = group.cases.iter().map(measures).collect();
        let (value, reference) = measure(&all?);
        let ratio = if reference > 0.0 { value / reference } else { 1.0 };
        let hundredths = |number: f64| (number * 100.0).round() / 100.0;
        let (value, ratio) = ((value * 1000.0).round() / 1000.0, hundredths(ratio));
        Some(Place { rank: 0, name: name.clone(), value, ratio })
    };
    let mut places: Vec<_> = right.iter().filter_map(place).collect();
    places.sort_by(|one, other| {
        one.ratio.total_cmp(&other.ratio).then_with(|| one.name.cmp(&other.name))
    });
    for at in 0..places.len() {
        let is_equal = at > 0 && places[at - 1].ratio.total_cmp(&places[at].ratio).is_eq();
        places[at].rank = if is_equal { places[at - 1].rank } else { at + 1 };
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::graded::Verdict;

    fn group(seconds: f64) -> GroupReport {
        let measures = Measures {
            seconds,
            reference_seconds: Some(2.0),
            megabytes: 3.0,
            reference_megabytes: Some(1.5),
        };
        let case = CaseReport {
            name: "S1".to_owned(),
            verdict: Verdict::Passed,
            share: 1.0,
            command: Vec::new(),
            measures: Some(measures),
            says: None,
            stopped: None,
            shown: None,
        };
        GroupReport {
            name: "small".to_owned(),
            extra: false,
            points: 0.0,
            max_points: 0.0,
            passed: 1,
            total: 1,
            cases: vec![case],
        }
    }

    #[test]
    fn equal_programs_share_a_place() {
        let right = [("a", 4.0), ("b", 1.0), ("c", 1.0)];
        let right = right.map(|(name, seconds)| (name.to_owned(), group(seconds)));
        let fastest = places(&right, seconds);
        let shown = fastest.iter().map(|it| (it.rank, it.name.as_str(), it.ratio));
        assert_eq!(shown.collect::<Vec<_>>(), [(1, "b", 0.5), (1, "c", 0.5), (3, "a", 2.0)]);
        assert!(places(&right, megabytes).iter().all(|it| it.rank == 1 && it.value > 2.9));
    }
}
