//! How well the mutants of a catalogue cover each topic.

use super::{MutantSurveyed, percent};
use crate::catalogue::Mutant;
use crate::generate::survey::order::Order;
use crate::report::screen::{STRONG, Screen};
use crate::report::table::Table;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// The mutants of one topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicSurveyed {
    pub topic: String,
    /// The number of its mutants.
    pub mutants: usize,
    /// The number of those that no other mutant implies, of any topic. Twins count as one.
    pub not_implied: usize,
    /// The median share of random tests that expose a mutant of the topic.
    pub median_chance: f64,
}

/// The topics of `mutants`, those with the fewest mutants that no other implies first.
pub(super) fn of(
    mutants: &[Mutant],
    surveyed: &[MutantSurveyed],
    order: &Order,
) -> Vec<TopicSurveyed> {
    let first = |class: usize| order.classes[class][0];
    let not_implied: BTreeSet<usize> = order.dominators().map(first).collect();
    let mut topics: BTreeMap<&str, (Vec<f64>, usize)> = BTreeMap::new();
    for (at, mutant) in mutants.iter().enumerate() {
        let chance = surveyed.iter().find(|it| it.id == mutant.id).map_or(0.0, |it| it.chance);
        let (chances, count) = topics.entry(&mutant.topic).or_default();
        chances.push(chance);
        *count += usize::from(not_implied.contains(&at));
    }
    let topic = |(topic, (mut chances, not_implied)): (&str, (Vec<f64>, usize))| {
        chances.sort_by(f64::total_cmp);
        TopicSurveyed {
            topic: topic.to_owned(),
            mutants: chances.len(),
            not_implied,
            median_chance: f64::midpoint(
                chances[chances.len() / 2],
                chances[(chances.len() - 1) / 2],
            ),
        }
    };
    let mut topics: Vec<_> = topics.into_iter().map(topic).collect();
    topics.sort_by_key(|topic| (topic.not_implied, topic.mutants));
    topics
}

pub(super) fn write(topics: &[TopicSurveyed], out: &mut String, screen: Screen) -> fmt::Result {
    let heading = "Topics: their mutants, those of them that no other implies, and the median \
        percent of tests that expose one";
    writeln!(out)?;
    screen.prose(out, &screen.styled(STRONG, heading))?;
    let mut table = Table::new(2);
    table.row(["", "mutants", "not implied", "median"].map(str::to_owned));
    for TopicSurveyed { topic, mutants, not_implied, median_chance } in topics {
        table.row([
            topic.clone(),
            format!("{mutants:>7}"),
            format!("{not_implied:>11}"),
            format!("{:>6}", percent(*median_chance)),
        ]);
    }
    table.write(out, screen)
}
