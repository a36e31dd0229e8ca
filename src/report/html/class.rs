//! A class on the page: the distribution of scores, the mutants by difficulty, suites that expose the same, and rejected tests.

use super::bug::Bug;
use super::ledger::{Graded, Rejected};
use super::{Open, in_script, percent, rendered};
use crate::course::Level;
use crate::domain::How;
use crate::report::words::number;
use crate::report::writer::About;
use askama::Template;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most rejected files that are listed.
const MOST_REJECTED: usize = 2000;
/// The number of bins for scores below the maximum.
const BINS: usize = 10;

#[derive(Template)]
#[template(path = "class.html")]
struct ClassPage<'a> {
    section: usize,
    noun: &'static str,
    title: &'a str,
    suites: &'a [Graded],
    valid: usize,
    rejections: usize,
    scores: Option<Scores>,
    groups: Vec<Group<'a>>,
    knows_exposed: bool,
    rejected: Vec<(&'a str, &'a Rejected)>,
    more_rejected: usize,
    /// What staff must know, of students and of what is left out.
    notes: Vec<(&'a str, &'a str)>,
    bugs: &'a [Bug],
    /// Whether the reader may see details of the mutants.
    has_notes: bool,
    is_class: bool,
    tests_in_all: usize,
    suites_in_all: usize,
    data: String,
}

impl ClassPage<'_> {
    /// Whether it is known how many lines tests reach.
    fn is_covered(&self) -> bool {
        self.suites.iter().any(|suite| suite.coverage.is_some())
    }
}

/// The distribution of the scores.
pub(super) struct Scores {
    pub(super) mean: String,
    pub(super) median: String,
    pub(super) max: String,
    pub(super) bins: Vec<Bin>,
}

pub(super) struct Bin {
    pub(super) label: String,
    pub(super) suites: usize,
    /// The length of its bar, as a percentage of the longest.
    pub(super) percent: f64,
}

/// The most names in a row. The others are folded.
const MOST_NAMES: usize = 12;

/// Suites that expose the same mutants.
struct Group<'a> {
    names: Vec<&'a str>,
    exposed: usize,
}

impl Group<'_> {
    /// The number of names that are folded. A fold of one name would take as much room as the name.
    fn folded(&self) -> usize {
        self.names.len().checked_sub(MOST_NAMES).filter(|&folded| folded > 1).unwrap_or(0)
    }

    fn shown(&self) -> String {
        self.names[..self.names.len() - self.folded()].join(", ")
    }

    fn rest(&self) -> String {
        self.names[self.names.len() - self.folded()..].join(", ")
    }
}

/// The data for the page's script.
#[derive(Serialize)]
struct Data<'a> {
    bugs: BTreeMap<usize, &'a str>,
    suites: Vec<Vec<TestData<'a>>>,
}

/// A test: its file, its command line, and the mutants that it exposes, each with how it differs.
#[derive(Serialize)]
struct TestData<'a>(&'a str, &'a str, Vec<(usize, &'static str)>);

/// The part of the page about a class.
pub(super) fn html(open: &Open, bugs: &[Bug]) -> String {
    let suites = &open.suites;
    let knows_exposed = open.level >= Level::Exposed;
    let rejected = || {
        suites
            .iter()
            .flat_map(|suite| suite.rejected.iter().map(|test| (suite.name.as_str(), test)))
    };
    let rejections = suites.iter().map(Graded::rejections).sum();
    let listed: Vec<_> = rejected().take(MOST_REJECTED).collect();
    let data = Data {
        bugs: bugs.iter().map(|bug| (bug.mutant, bug.id.as_str())).collect(),
        suites: suites.iter().map(tests).collect(),
    };
    rendered(&ClassPage {
        section: open.number,
        noun: open.noun,
        title: &open.title,
        suites,
        valid: open.ledger.tests,
        rejections,
        scores: Scores::new(suites),
        groups: if knows_exposed { groups(suites) } else { Vec::new() },
        knows_exposed,
        more_rejected: rejections - listed.len(),
        rejected: listed,
        notes: open
            .notes_of_class
            .iter()
            .map(|(name, note)| (name.as_str(), note.as_str()))
            .chain(suites.iter().filter_map(|it| Some((it.name.as_str(), it.note.as_deref()?))))
            .collect(),
        is_class: true,
        tests_in_all: open.ledger.tests,
        suites_in_all: suites.len(),
        data: in_script(&data),
        has_notes: bugs.iter().any(|bug| bug.notes.is_some()),
        bugs: if open.level == Level::All { bugs } else { &[] },
    })
}

/// What is said of entries that are left out, and of files with other names than the students'.
pub(super) fn notes(about: &About<'_>) -> Vec<(String, String)> {
    let left_out = about.left_out.iter();
    let left_out = left_out.map(|it| (it.name.clone(), format!("not a suite: {}", it.what)));
    let files = about.files.iter();
    left_out.chain(files.map(|(name, file)| (name.clone(), format!("in {file}")))).collect()
}

fn tests(suite: &Graded) -> Vec<TestData<'_>> {
    let exposes = |exposes: &[(usize, How)]| {
        exposes.iter().map(|&(mutant, how)| (mutant, how.word())).collect()
    };
    suite
        .tests
        .iter()
        .map(|test| TestData(&test.file, &test.command, exposes(&test.exposes)))
        .collect()
}

impl Scores {
    /// `None` if the reader may not see scores.
    fn new(suites: &[Graded]) -> Option<Self> {
        let points: Vec<f64> =
            suites.iter().filter_map(|suite| Some(suite.score.as_ref()?.points)).collect();
        let max = suites.iter().find_map(|suite| Some(suite.score.as_ref()?.max_points))?;
        Some(Self::of(points, max))
    }

    /// The distribution of some points, of which there is at least one.
    pub(super) fn of(mut points: Vec<f64>, max: f64) -> Self {
        points.sort_by(f64::total_cmp);
        let (count, middle) = (points.len(), points.len() / 2);
        let median = if count % 2 == 1 {
            points[middle]
        } else {
            f64::midpoint(points[middle - 1], points[middle])
        };
        let mean = points.iter().sum::<f64>() / count as f64;
        Self {
            mean: number(mean),
            median: number(median),
            max: number(max),
            bins: bins(&points, max),
        }
    }
}

/// Counts the scores in bins of equal width. The maximum has a bin of its own.
fn bins(points: &[f64], max: f64) -> Vec<Bin> {
    let width = max / BINS as f64;
    let bin = |points: f64| if points >= max { BINS } else { (points / width) as usize };
    let mut counts = [0; BINS + 1];
    points.iter().for_each(|&points| counts[bin(points).min(BINS)] += 1);
    let most = counts.iter().copied().max().unwrap_or(0);
    let label = |at: usize| match at {
        BINS => number(max),
        at => format!("{} – {}", number(width * at as f64), number(width * (at + 1) as f64)),
    };
    let bin = |(at, suites): (usize, usize)| Bin {
        label: label(at),
        suites,
        percent: percent(suites as f64, most as f64),
    };
    counts.into_iter().enumerate().map(bin).collect()
}

/// The suites that expose the same mutants, the largest group first.
fn groups(suites: &[Graded]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<&[usize], Vec<&str>> = BTreeMap::new();
    for suite in suites {
        groups.entry(&suite.exposed).or_default().push(&suite.name);
    }
    let shared = groups.into_iter().filter(|(_, names)| names.len() > 1);
    let mut groups: Vec<_> =
        shared.map(|(exposed, names)| Group { names, exposed: exposed.len() }).collect();
    groups.sort_by_key(|group| (usize::MAX - group.names.len(), usize::MAX - group.exposed));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_very_many_names_is_folded() {
        let names: Vec<_> = (0..320).map(|number| format!("s{number}")).collect();
        let group = |count: usize| Group {
            names: names[..count].iter().map(String::as_str).collect(),
            exposed: 0,
        };
        let many = group(320);
        assert_eq!((many.shown().split(", ").count(), many.folded()), (MOST_NAMES, 308));
        assert_eq!(many.shown() + ", " + &many.rest(), names.join(", "));
        for few in [0, 2, MOST_NAMES, MOST_NAMES + 1] {
            assert_eq!(group(few).folded(), 0);
        }
    }

    #[test]
    fn every_score_is_in_one_bin_and_the_best_in_its_own() {
        let counts = |points: &[f64], max| {
            bins(points, max).into_iter().map(|bin| bin.suites).collect::<Vec<_>>()
        };
        assert_eq!(counts(&[0.0, 0.99, 1.0, 9.99, 10.0], 10.0), [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(counts(&[0.0], 0.0).iter().sum::<usize>(), 1, "a course without points");
    }
}
