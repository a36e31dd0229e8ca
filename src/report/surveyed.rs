//! The result of `mutants survey`, as text and as JSON.

mod behaviours;
pub mod dot;
mod suites;
mod topics;

pub use suites::SuitesSurveyed;
pub use topics::TopicSurveyed;

use super::screen::{STRONG, Screen, WriteText};
use super::table::Table;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Points};
use crate::generate::survey::order::{Cases, Order};
use crate::generate::survey::{Tallies, Tally};
use crate::result::discarded::Discarded;
use crate::result::engines::SlowerProgram;
use crate::result::given_up::GivenUp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The version of the document that `mutants survey --format json` writes.
pub const SCHEMA: &str = "harness-survey/1";

/// If fewer cases than this expose a mutant, they say little about which mutants it implies.
const FEW: usize = 20;

/// How hard the mutants of an assignment are to expose, and which imply which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surveyed {
    /// `harness-survey/1`.
    pub schema: String,
    pub assignment: String,
    /// The seed of the random tests. Absent where tests are unit tests, which people have written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The number of tests of each kind that the reference accepts.
    pub tests: BTreeMap<String, usize>,
    /// The number of tests near those that expose a mutant. Implications are judged on them too; chances are not.
    pub near: usize,
    /// The maximum number of tests in a suite, or the mean of those that were counted. Suggested points depend on the chance that so many
    /// random tests expose a mutant.
    pub files: u32,
    /// The mutants, the hardest to expose first.
    pub mutants: Vec<MutantSurveyed>,
    /// The topics of the catalogue, those with the fewest mutants that no other implies first.
    #[serde(default)]
    pub topics: Vec<TopicSurveyed>,
    /// Mutants that the same cases expose.
    pub twins: Vec<Vec<String>>,
    /// The mutants that no other implies, twins together. A suite that exposes one of each exposes all mutants.
    pub dominators: Vec<Vec<String>>,
    /// The direct implications, with no other mutant between the two.
    pub implications: Vec<Implication>,
    /// The mutants that no case exposed.
    pub unexposed: Vec<String>,
    /// What the suites of a class expose, and the thresholds that follow. Absent without `--suites`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suites: Option<SuitesSurveyed>,
    /// The programs that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
    /// The mutants that the search stopped running, because they hang without counting steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<GivenUp>,
    /// The inputs that the search discarded. Absent if there are none.
    #[serde(default, skip_serializing_if = "Discarded::is_nothing")]
    pub discarded: Discarded,
}

/// A mutant, and how hard it is to expose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutantSurveyed {
    pub id: String,
    /// The bug in one sentence.
    pub summary: String,
    /// The share of random tests that expose it.
    pub chance: f64,
    /// The share of random tests of each kind that expose it.
    pub chances: BTreeMap<String, f64>,
    /// The share of random tests that reach it, if the program tells.
    pub reached: Option<f64>,
    /// The size of the smallest test that exposed it.
    pub smallest_size: Option<usize>,
    /// The number of all tests that expose it.
    pub cases: usize,
    /// Its points in the catalogue.
    pub points: Points,
    /// The behaviour that it shares with other mutants, if its file names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<String>,
    /// The points that its difficulty suggests, from 1 to 3.
    pub suggested_points: u32,
}

/// Every case that exposed one exposed the other too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implication {
    /// The mutants that imply the others, twins together.
    pub exposed: Vec<String>,
    /// The mutants that they imply, twins together.
    pub along: Vec<String>,
}

impl Surveyed {
    /// The survey of `mutants` with these counts, where a suite has so many `files`.
    pub fn new(
        assignment: &Assignment,
        mutants: &[Mutant],
        kinds: &[&str],
        tallies: &Tallies,
        files: u32,
        seed: Option<u64>,
    ) -> Self {
        let killers: Vec<&Cases> = tallies.mutants.iter().map(|tally| &tally.killers).collect();
        let order = Order::new(&killers);
        let ids = |class: usize| -> Vec<String> {
            order.classes[class].iter().map(|&at| mutants[at].id.clone()).collect()
        };
        let mut surveyed: Vec<_> = mutants
            .iter()
            .zip(&tallies.mutants)
            .map(|(mutant, tally)| mutant_surveyed(mutant, tally, kinds, tallies, files))
            .collect();
        surveyed.sort_by(|a, b| a.chance.total_cmp(&b.chance));
        let classes = 0..order.classes.len();
        Self {
            schema: SCHEMA.to_owned(),
            assignment: assignment.id.clone(),
            seed,
            tests: kinds
                .iter()
                .map(|&kind| kind.to_owned())
                .zip(tallies.valid.iter().copied())
                .collect(),
            near: tallies.near,
            files,
            topics: topics::of(mutants, &surveyed, &order),
            mutants: surveyed,
            twins: classes.filter(|&class| order.classes[class].len() > 1).map(ids).collect(),
            dominators: order.dominators().map(ids).collect(),
            implications: order
                .implies
                .iter()
                .map(|&(a, b)| Implication { exposed: ids(a), along: ids(b) })
                .collect(),
            unexposed: order.unexposed.iter().map(|&at| mutants[at].id.clone()).collect(),
            suites: None,
            engines: Vec::new(),
            given_up: Vec::new(),
            discarded: Discarded::default(),
        }
    }

    fn mutant(&self, id: &str) -> Option<&MutantSurveyed> {
        self.mutants.iter().find(|mutant| mutant.id == id)
    }
}

fn mutant_surveyed(
    mutant: &Mutant,
    tally: &Tally,
    kinds: &[&str],
    tallies: &Tallies,
    files: u32,
) -> MutantSurveyed {
    let valid: usize = tallies.valid.iter().sum();
    let chance = share(tally.exposed.iter().sum(), valid);
    let of_kind = |(at, kind): (usize, &&str)| {
        ((*kind).to_owned(), share(tally.exposed[at], tallies.valid[at]))
    };
    MutantSurveyed {
        id: mutant.id.clone(),
        summary: mutant.summary.clone(),
        chance,
        chances: kinds.iter().enumerate().map(of_kind).collect(),
        reached: tally.reached.map(|reached| share(reached, valid)),
        smallest_size: tally.smallest,
        cases: tally.killers.len(),
        points: mutant.points,
        behaviour: mutant.behaviour.clone(),
        suggested_points: suggested_points(chance, files),
    }
}

fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// One point if half of all suites of random tests expose the mutant, three if fewer than a tenth do, otherwise two.
fn suggested_points(chance: f64, files: u32) -> u32 {
    let chance_of_suite = 1.0 - (1.0 - chance).powf(f64::from(files));
    match chance_of_suite {
        chance if chance >= 0.5 => 1,
        chance if chance >= 0.1 => 2,
        _ => 3,
    }
}

impl WriteText for Surveyed {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let tests: usize = self.tests.values().sum();
        let (assignment, mutants) = (&self.assignment, self.mutants.len());
        let text = match self.seed {
            Some(seed) => format!(
                "{assignment}: {mutants} mutants on {tests} random tests (seed {seed}), and on {} near those",
                self.near
            ),
            None => format!("{assignment}: {mutants} mutants on {tests} test cases"),
        };
        screen.prose(out, &text)?;
        self.write_difficulty(out, screen)?;
        topics::write(&self.topics, out, screen)?;
        let class = |ids: &[String]| ids.join(" = ");
        behaviours::write_twins(self, out, screen)?;
        behaviours::write_told_apart(self, out, screen)?;
        let heading = format!(
            "Dominators: {} of {mutants}; a suite that exposes these exposes all",
            self.dominators.len()
        );
        let dominators: Vec<_> = self.dominators.iter().map(|ids| class(ids)).collect();
        section(out, screen, &heading, &dominators)?;
        self.write_subsumed(out, screen)?;
        section(out, screen, "Not exposed by any test", &self.unexposed)?;
        self.suites.iter().try_for_each(|suites| suites.write(out, screen))?;
        screen.discarded(out, &self.discarded)?;
        screen.notes(out, &self.engines)
    }
}

fn section(out: &mut String, screen: Screen, heading: &str, lines: &[String]) -> fmt::Result {
    if !lines.is_empty() {
        writeln!(out)?;
        screen.prose(out, &screen.styled(STRONG, heading))?;
    }
    lines.iter().try_for_each(|line| screen.field(out, "  ", line))
}

impl Surveyed {
    fn write_difficulty(&self, out: &mut String, screen: Screen) -> fmt::Result {
        // The share of the only kind is that of all tests.
        let by_kind = self.difficulty(self.tests.len() > 1);
        let has_room = screen.columns.is_none_or(|columns| by_kind.width() <= columns);
        let table = if has_room { by_kind } else { self.difficulty(false) };
        let tests = if self.seed.is_some() { "random tests" } else { "test cases" };
        let heading =
            format!("Percent of {tests} that expose each mutant, and that reach it; hardest first");
        writeln!(out)?;
        screen.prose(out, &screen.styled(STRONG, &heading))?;
        table.write(out, screen)?;
        let size = match self.seed {
            Some(_) => "size: that of the smallest test that exposed it",
            None => "size: the lines of the shortest case that exposed it",
        };
        writeln!(out, "\n  {size}")?;
        let points = format!(
            "  points: 1 → 2 suggests 2 where the catalogue has 1. 1 point if {} {tests} \
             expose it in half of all tries, 3 if in fewer than a tenth, otherwise 2. Points that \
             `mutants mine --weigh` proposed follow the bugs of a class, and are better",
            self.files
        );
        screen.prose(out, &points)?;
        if has_room { Ok(()) } else { writeln!(out, "  shares by kind of test: --format json") }
    }

    fn difficulty(&self, by_kind: bool) -> Table {
        let mut table = Table::new(2);
        let kinds = self.tests.keys().filter(|_| by_kind).map(|kind| format!("{kind:>7}"));
        let heads = [String::new(), "   any".to_owned()].into_iter();
        let rest = ["reached", "size", "points"].map(str::to_owned);
        table.row(heads.chain(kinds).chain(rest));
        for mutant in &self.mutants {
            let chances = mutant.chances.values().filter(|_| by_kind);
            let kinds = chances.map(|&chance| format!("{:>7}", percent(chance)));
            let size = mutant.smallest_size.map_or("-".to_owned(), |size| size.to_string());
            let (points, suggested) = (mutant.points, mutant.suggested_points);
            let points = if Points::whole(suggested.into()) == points {
                points.to_string()
            } else {
                format!("{points} → {suggested}")
            };
            let reached = mutant.reached.map_or("-".to_owned(), percent);
            let rest = [format!("{reached:>7}"), format!("{size:>4}"), points];
            let chance = format!("{:>6}", percent(mutant.chance));
            table.row([mutant.id.clone(), chance].into_iter().chain(kinds).chain(rest));
        }
        table
    }

    fn write_subsumed(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let mut along: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for Implication { exposed, along: others } in &self.implications {
            along.entry(exposed.join(" = ")).or_default().push(others.join(" = "));
        }
        if !along.is_empty() {
            writeln!(out)?;
            let heading = "Implied: a test that exposes the first exposes those below it, and \
                those below them";
            screen.prose(out, &screen.styled(STRONG, heading))?;
        }
        for (exposed, along) in along {
            screen.field(out, "  ", &format!("{exposed}{}", self.if_few(&exposed)))?;
            along.iter().try_for_each(|ids| screen.field(out, "    ", ids))?;
        }
        Ok(())
    }

    /// A warning if few cases exposed a mutant.
    fn if_few(&self, class: &str) -> String {
        let first = class.split(" = ").next().unwrap_or_default();
        match self.mutant(first) {
            Some(mutant) if mutant.cases < FEW => format!("  (only {} cases)", mutant.cases),
            _ => String::new(),
        }
    }
}

/// A share in percent, with as many digits as it takes to tell it from nothing.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0".to_owned(),
        ..1.0 => format!("{percent:.2}"),
        _ => format!("{percent:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_kind_has_no_column_of_its_own() {
        let chances = BTreeMap::from([("any".to_owned(), 0.25)]);
        let (id, summary) = ("a-b".to_owned(), String::new());
        let (smallest_size, cases, points, suggested_points) = (Some(1), 30, Points::ONE, 1);
        let mutants = vec![MutantSurveyed {
            id,
            summary,
            chance: 0.25,
            chances,
            reached: Some(0.5),
            smallest_size,
            cases,
            points,
            behaviour: None,
            suggested_points,
        }];
        let survey = Surveyed {
            schema: SCHEMA.to_owned(),
            assignment: "spread".to_owned(),
            seed: Some(0),
            tests: BTreeMap::from([("any".to_owned(), 100)]),
            near: 0,
            files: 15,
            mutants,
            topics: Vec::new(),
            twins: Vec::new(),
            dominators: Vec::new(),
            engines: Vec::new(),
            given_up: Vec::new(),
            discarded: Discarded::default(),
            implications: Vec::new(),
            unexposed: Vec::new(),
            suites: None,
        };
        let table = "          any  reached  size  points\n  a-b    25.0     50.0     1  1\n";
        let mut text = String::new();
        survey.write_text(&mut text, Screen::default()).unwrap();
        assert!(text.contains(table), "{text}");
    }

    #[test]
    fn points_are_suggested_by_the_chance_of_a_suite_of_random_tests() {
        // Of 15 tests that expose it with a chance of 5 % each, at least one does in 54 % of all suites.
        assert_eq!(
            [0.05, 0.04, 0.008, 0.006, 0.0].map(|chance| suggested_points(chance, 15)),
            [1, 2, 2, 3, 3]
        );
        assert_eq!(suggested_points(0.5, 1), 1);
    }
}
