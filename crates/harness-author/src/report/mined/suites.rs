//! The part of `mutants mine` about suites: what each exposes, and whether exposing mutants means exposing deviations.

use crate::mining::rank::{Correlation, correlation};
use crate::mining::suites::Exposed;
use harness::catalogue::Mutant;
use harness::catalogue::behaviours::counted as counting;
use harness::course::ScoredBy;
use harness::report::screen::{STRONG, Screen, WARNING};
use harness::report::table::Table;
use harness::report::words::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// With fewer suites, an interval is so wide that it says little.
const FEW: usize = 20;

/// What the suites of `--suites` expose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuitesMined {
    /// `behaviours` if the course counts behaviours of the catalogue: the mutants of one count once in all numbers of mutants.
    #[serde(default, skip_serializing_if = "ScoredBy::is_mutants")]
    pub by: ScoredBy,
    /// The suites, by name.
    pub suites: Vec<SuiteMined>,
    /// The rank correlations over the suites that have a valid test.
    pub correlations: Vec<RankCorrelation>,
}

/// What one suite exposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteMined {
    /// The name of its folder.
    pub name: String,
    /// The number of tests that the reference accepts.
    pub valid_tests: usize,
    /// The number of mutants that they expose.
    pub mutants: usize,
    /// The number of deviations.
    pub deviations: usize,
    /// The number of programs that differ on one of them.
    pub programs: usize,
}

/// A rank correlation between two numbers that suites have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankCorrelation {
    /// The first number: `mutants`, `mutants of TOPIC`, or `valid tests`.
    pub of: String,
    /// The second number: `deviations` or `programs`.
    pub with: String,
    /// The number of pairs: of suites.
    pub pairs: usize,
    /// Spearman's coefficient.
    pub rho: f64,
    /// The limits of its interval of 95 percent. Absent if there are fewer than four pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

impl RankCorrelation {
    fn new(of: &str, with: &str, pairs: &[(usize, usize)]) -> Option<Self> {
        let Correlation { pairs, rho, interval } = correlation(pairs)?;
        let round = |number: f64| (number * 1000.0).round() / 1000.0;
        let interval = interval.map(|(low, high)| [round(low), round(high)]);
        Some(Self { of: of.to_owned(), with: with.to_owned(), pairs, rho: round(rho), interval })
    }
}

impl SuitesMined {
    pub fn new(exposed: &[Exposed], mutants: &[Mutant], by: ScoredBy) -> Self {
        let valid: Vec<_> = exposed.iter().filter(|suite| suite.valid_tests > 0).collect();
        let pairs = |one: &dyn Fn(&Exposed) -> usize, other: &dyn Fn(&Exposed) -> usize| {
            valid.iter().map(|suite| (one(suite), other(suite))).collect::<Vec<_>>()
        };
        let deviations = |suite: &Exposed| suite.deviations.len();
        let programs = |suite: &Exposed| suite.programs.len();
        let count = |suite: &Exposed, is_it: &dyn Fn(&Mutant) -> bool| {
            let exposed = suite.mutants.iter().map(|&mutant| &mutants[mutant]);
            counting(exposed.filter(|mutant| is_it(mutant)), by).len()
        };
        let all = |suite: &Exposed| count(suite, &|_| true);
        let tests = |suite: &Exposed| suite.valid_tests;
        let mut correlations = vec![
            RankCorrelation::new("mutants", "deviations", &pairs(&all, &deviations)),
            RankCorrelation::new("mutants", "programs", &pairs(&all, &programs)),
            RankCorrelation::new("valid tests", "deviations", &pairs(&tests, &deviations)),
        ];
        let topics: BTreeSet<_> = mutants.iter().map(|mutant| mutant.topic.as_str()).collect();
        for topic in topics.into_iter().filter(|topic| !topic.is_empty()) {
            let own = |suite: &Exposed| count(suite, &|mutant| mutant.topic == topic);
            let of = format!("mutants of {topic}");
            correlations.push(RankCorrelation::new(&of, "deviations", &pairs(&own, &deviations)));
        }
        let suite = |suite: &Exposed| SuiteMined {
            name: suite.name.clone(),
            valid_tests: suite.valid_tests,
            mutants: all(suite),
            deviations: suite.deviations.len(),
            programs: suite.programs.len(),
        };
        let correlations = correlations.into_iter().flatten().collect();
        Self { by, suites: exposed.iter().map(suite).collect(), correlations }
    }

    pub(super) fn write(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        let text = format!("Suites: {}", self.suites.len());
        screen.prose(out, &screen.styled(STRONG, &text))?;
        let mut table = Table::new(2).right_aligned(&[0, 1, 2, 3]);
        table.row(["tests", "mutants", "deviations", "programs", "suite"].map(str::to_owned));
        for suite in &self.suites {
            let numbers = [suite.valid_tests, suite.mutants, suite.deviations, suite.programs];
            table.row(
                numbers.map(|number| number.to_string()).into_iter().chain([suite.name.clone()]),
            );
        }
        table.write(out, screen)?;
        if !self.by.is_mutants() {
            screen.prose(out, "  The mutants of one behaviour of the catalogue count once.")?;
        }
        self.write_correlations(out, screen)
    }

    fn write_correlations(&self, out: &mut String, screen: Screen) -> fmt::Result {
        writeln!(out)?;
        screen.prose(out, &screen.styled(STRONG, "Rank correlations between suites"))?;
        let mut table = Table::new(2).right_aligned(&[0]);
        for it in &self.correlations {
            let interval = it.interval.map(|[low, high]| format!("{low:.2} to {high:.2}"));
            let interval = interval.unwrap_or_else(|| "too few".to_owned());
            table.row([format!("{:.2}", it.rho), interval, format!("{} and {}", it.of, it.with)]);
        }
        table.write(out, screen)?;
        if self.correlations.is_empty() {
            return screen.prose(out, "  none: the suites do not differ");
        }
        let pairs = self.correlations[0].pairs;
        if pairs < FEW {
            let text = format!(
                "warning: with {}, the intervals are wide; from {FEW} on, they are narrower",
                counted(pairs, "pair")
            );
            return screen.prose(out, &screen.styled(WARNING, &text));
        }
        let text = format!("  from {}, with intervals of 95 percent", counted(pairs, "pair"));
        screen.prose(out, &text)
    }
}
