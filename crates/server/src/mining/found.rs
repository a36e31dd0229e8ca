//! What a `harness-mined/1` says, as far as a page shows it. Other parts of the document are for whoever downloads it.

use harness::report::against::{Outcomes, Printed};
use serde::Deserialize;
use std::fmt::Write;

/// What was found.
#[derive(Debug, Deserialize)]
pub struct Found {
    cases: Cases,
    programs: Vec<Program>,
    deviations: Vec<Deviation>,
    /// The mutants that represent nothing that was found.
    pub unmatched_mutants: Vec<String>,
    /// Why it ended before all programs ran.
    stopped: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Cases {
    handed_in: usize,
    small: usize,
    random: usize,
}

#[derive(Debug, Deserialize)]
struct Program {
    name: String,
    tried: usize,
    differing: usize,
    problem: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Deviation {
    number: usize,
    mutant: Option<String>,
    represented: bool,
    mutants: Vec<Like>,
    programs: Vec<String>,
    example: String,
    smallest: Option<Smallest>,
}

#[derive(Debug, Deserialize)]
struct Like {
    mutant: String,
}

#[derive(Debug, Deserialize)]
struct Smallest {
    flags: String,
    outcomes: Outcomes,
}

/// A way in which programs differ from the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    pub number: usize,
    /// The submissions that have it.
    pub submissions: Vec<i64>,
    pub represented: Represented,
    /// The smallest test. None if it does not show in a process.
    pub test: Option<Test>,
}

/// Which mutant a behaviour is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Represented {
    Is(String),
    Like(String),
    /// No mutant represents it. The nearest one, if any shows on the same cases.
    No(Option<String>),
}

/// The smallest test of a behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The flags in the name of its file.
    pub flags: String,
    pub args: Vec<String>,
    pub input: String,
    pub right: Answer,
    pub wrong: Answer,
    /// The submission whose program gave the wrong answer.
    pub example: Option<i64>,
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ended, such as `exits with status 1`.
    pub end: String,
    /// What it printed, and wrote into files.
    pub text: String,
}

impl Found {
    /// # Errors
    /// If this is no such document.
    pub fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    /// On how many cases the programs ran.
    pub fn cases(&self) -> usize {
        self.cases.handed_in + self.cases.small + self.cases.random
    }

    /// How many programs there are.
    pub fn programs(&self) -> usize {
        self.programs.len()
    }

    /// How many of them ran, and are right on all their cases.
    pub fn right(&self) -> usize {
        let is_right = |it: &&Program| it.tried > 0 && it.differing == 0 && it.problem.is_none();
        self.programs.iter().filter(is_right).count()
    }

    /// The submissions whose programs were not built or did not run, or hardly ever end, with the reason.
    pub fn broken(&self) -> Vec<(i64, String)> {
        let broken = |it: &Program| Some((submission(&it.name)?, it.problem.clone()?));
        self.programs.iter().filter_map(broken).collect()
    }

    /// How many did not run because the time was up.
    pub fn left_out(&self) -> usize {
        let is_left = |it: &&Program| it.tried == 0 && it.problem.is_none();
        if self.stopped.is_some() { self.programs.iter().filter(is_left).count() } else { 0 }
    }

    pub fn behaviours(&self) -> Vec<Behaviour> {
        self.deviations.iter().map(Deviation::behaviour).collect()
    }
}

impl Deviation {
    fn behaviour(&self) -> Behaviour {
        let nearest = self.mutants.first().map(|like| like.mutant.clone());
        let represented = match (&self.mutant, nearest) {
            (Some(mutant), _) => Represented::Is(mutant.clone()),
            (None, Some(nearest)) if self.represented => Represented::Like(nearest),
            (None, nearest) => Represented::No(nearest),
        };
        let test = self.smallest.as_ref().map(|Smallest { flags, outcomes }| Test {
            flags: flags.clone(),
            args: outcomes.args.clone(),
            input: outcomes.input.clone(),
            right: Answer::of(&outcomes.reference),
            wrong: Answer::of(&outcomes.program),
            example: submission(&self.example),
        });
        let submissions = self.programs.iter().filter_map(|name| submission(name)).collect();
        Behaviour { number: self.number, submissions, represented, test }
    }
}

impl Answer {
    fn of(printed: &Printed) -> Self {
        let mut text = printed.stdout.clone();
        for (name, contents) in &printed.files {
            let _ = write!(text, "[{name}]\n{contents}");
        }
        Self { end: printed.end.clone(), text }
    }
}

/// The submission that a program is named by: `programs/17`.
fn submission(name: &str) -> Option<i64> {
    name.rsplit('/').next()?.parse().ok()
}
