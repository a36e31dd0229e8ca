//! A mutant on the page: how many tests and suites expose it, and for staff also its description, its relation to other mutants, and
//! its witness.

use super::ledger::Ledger;
use super::sketch::Sketch;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Level, Points};
use crate::domain::Draft;
use crate::generate::survey::order::{Cases, Order};
use crate::report::words::command;
use crate::suite::decode::{self, Spelled};

pub(super) struct Bug {
    /// Its index in the catalogue.
    pub(super) mutant: usize,
    pub(super) id: String,
    /// The target of links to it.
    pub(super) anchor: String,
    /// The number of valid tests that expose it, and the number of suites.
    pub(super) tests: usize,
    pub(super) suites: usize,
    /// The share of suites, in percent.
    pub(super) share: f64,
    /// Only for staff.
    pub(super) notes: Option<Notes>,
}

/// What only staff may see of a mutant.
pub(super) struct Notes {
    pub(super) summary: String,
    pub(super) kind: &'static str,
    pub(super) topic: String,
    pub(super) spec: String,
    pub(super) hint: String,
    pub(super) points: Points,
    pub(super) witness: Option<Witness>,
    pub(super) relations: Relations,
}

impl Notes {
    /// Whether its points are one.
    pub(super) fn is_worth_one(&self) -> bool {
        self.points == Points::ONE
    }
}

/// The smallest known case.
pub(super) struct Witness {
    pub(super) command: String,
    pub(super) sketch: Sketch,
}

/// How a mutant relates to the others, on the tests of this run.
#[derive(Default)]
pub(super) struct Relations {
    /// Exposed by the same tests.
    pub(super) twins: Vec<Link>,
    /// Exposed by every test that exposes this one, and by others.
    pub(super) subsumed: Vec<Link>,
    /// Exposed only by tests that expose this one.
    pub(super) subsuming: Vec<Link>,
}

/// A link to another mutant.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) id: String,
    pub(super) anchor: String,
}

impl Notes {
    pub(super) fn new(mutant: &Mutant, assignment: &Assignment) -> Self {
        let witness = mutant.witness.as_ref().map(|witness| {
            let input = witness.input.clone().into_bytes();
            // Reading the catalogue has checked the flags.
            let case = decode::case(assignment, &witness.flags, input.clone(), &Spelled::LONG);
            let args = case.map(|case| case.args).unwrap_or_default();
            let command = command(&assignment.id, &args);
            let sketch = Sketch::of_input(
                &*assignment.domain,
                &Draft { flags: witness.flags.clone(), input },
            );
            Witness { command, sketch }
        });
        Self {
            summary: mutant.summary.clone(),
            kind: mutant.kind.word(),
            topic: mutant.topic.clone(),
            spec: mutant.spec.clone(),
            hint: mutant.hint.clone(),
            points: mutant.points,
            witness,
            relations: Relations::default(),
        }
    }
}

/// The mutants that a reader at `level` may see, the one that the most suites expose first.
pub(super) fn bugs(
    ledger: &Ledger,
    notes: Option<Vec<Notes>>,
    level: Level,
    section: &str,
) -> Vec<Bug> {
    let mut all_relations =
        if notes.is_some() { relations(ledger, section) } else { Vec::new() }.into_iter();
    let mut notes = notes.into_iter().flatten();
    let mut bugs: Vec<Bug> = Vec::new();
    for (mutant, id) in ledger.ids.iter().enumerate() {
        let relations = all_relations.next().unwrap_or_default();
        let notes = notes.next().map(|notes| Notes { relations, ..notes });
        let (tests, suites) = (ledger.killers[mutant].len(), ledger.suites[mutant]);
        if level == Level::All || suites > 0 {
            let share = super::percent(suites as f64, ledger.suites_in_all as f64);
            bugs.push(Bug {
                mutant,
                id: id.clone(),
                anchor: anchor(section, mutant),
                tests,
                suites,
                share,
                notes,
            });
        }
    }
    bugs.sort_by_key(|bug| (usize::MAX - bug.suites, usize::MAX - bug.tests));
    bugs
}

fn anchor(section: &str, mutant: usize) -> String {
    format!("a{section}-bug{mutant}")
}

/// How each mutant relates to the others.
fn relations(ledger: &Ledger, section: &str) -> Vec<Relations> {
    let order = Order::new(&ledger.killers.iter().collect::<Vec<&Cases>>());
    let link =
        |&mutant: &usize| Link { id: ledger.ids[mutant].clone(), anchor: anchor(section, mutant) };
    let links = |class: usize| order.classes[class].iter().map(link);
    let mut all: Vec<Relations> = ledger.ids.iter().map(|_| Relations::default()).collect();
    for (class, mutants) in order.classes.iter().enumerate() {
        let subsumed = order
            .implies
            .iter()
            .filter(|(subsuming, _)| *subsuming == class)
            .flat_map(|&(_, subsumed)| links(subsumed));
        let subsuming = order
            .implies
            .iter()
            .filter(|(_, subsumed)| *subsumed == class)
            .flat_map(|&(subsuming, _)| links(subsuming));
        let (subsumed, subsuming): (Vec<_>, Vec<_>) = (subsumed.collect(), subsuming.collect());
        for &mutant in mutants {
            let twins = mutants.iter().filter(|&&other| other != mutant).map(link).collect();
            all[mutant] =
                Relations { twins, subsumed: subsumed.clone(), subsuming: subsuming.clone() };
        }
    }
    all
}
