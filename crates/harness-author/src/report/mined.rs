//! The result of `mutants mine`, as text and as JSON.

mod page;
mod suites;
mod text;
mod weighed;

pub use page::page;
pub use suites::SuitesMined;
pub(crate) use text::some;
pub use weighed::Weighed;

use crate::mining::corpus::Counts;
use crate::mining::likeness::Likeness;
use crate::mining::smallest::Smallest;
use harness::report::against::Outcomes;
use harness::report::generated::Stopped;
use harness::result::discarded::Discarded;
use harness::result::engines::SlowerProgram;
use harness::result::given_up::GivenUp;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The version of the document that `mutants mine --format json` writes.
pub const SCHEMA: &str = "harness-mined/1";

/// The deviations of programs that differ from the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mined {
    /// `harness-mined/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    /// The seed of the random cases.
    pub seed: u64,
    /// The numbers of valid cases that all programs ran on.
    pub cases: Cases,
    /// The programs, in the order of the command line.
    pub programs: Vec<ProgramMined>,
    /// The deviations: first those that no mutant represents, then the others; in both, those that most programs share first.
    pub deviations: Vec<DeviationMined>,
    /// The ids of the mutants that represent no deviation.
    pub unmatched_mutants: Vec<String>,
    /// What the suites expose, with `--suites`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suites: Option<SuitesMined>,
    /// The points that are proposed, with `--weigh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighed: Option<Weighed>,
    /// What stopped the command early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// The programs of the course that ran by a slower engine than others of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<SlowerProgram>,
    /// The mutants that the search stopped running, because they hang without counting steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<GivenUp>,
    /// The inputs that the search discarded. Absent if there are none.
    #[serde(default, skip_serializing_if = "Discarded::is_nothing")]
    pub discarded: Discarded,
    /// Why the programs ran without the sandbox: they could read and write what the user can. Absent if they ran in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_contained: Option<String>,
}

/// The numbers of valid cases, by where they come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    /// Tests of the course's sample suite and of `--suites`.
    pub handed_in: usize,
    /// Small cases, in order of size.
    pub small: usize,
    /// Witnesses of the mutants, cases near them, and random cases.
    pub random: usize,
}

/// A program, and its deviations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramMined {
    pub name: String,
    /// The number of cases that it ran on. 0 if it cannot be built or run, or if the time was up before.
    pub tried: usize,
    /// The number of these cases on which it differs.
    pub differing: usize,
    /// The numbers of its deviations.
    pub deviations: Vec<usize>,
    /// Why it cannot be built or run, or why what it did cannot be compared: it hardly ever ends, or cannot be started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// If it is slow, the number of the cases on which it was stopped. What it does there is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow: Option<usize>,
    /// The slower engine that it ran by, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Slower>,
}

/// A slower engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slower {
    /// `fork` or `process`.
    pub engine: String,
    /// Why the faster engines cannot run the program.
    pub reason: String,
}

/// One way in which programs differ from the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviationMined {
    /// Its number, from 1.
    pub number: usize,
    /// The mutant that it is: the programs show the same on the same cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutant: Option<String>,
    /// Whether it is a mutant, or it and a mutant both show on at least half of the cases on which one of them shows.
    pub represented: bool,
    /// The mutants that show on some of its cases, the most like it first.
    pub mutants: Vec<Like>,
    /// The programs that have it.
    pub programs: Vec<String>,
    /// The number of cases on which it shows.
    pub cases: usize,
    /// The program that `smallest` shows it in.
    pub example: String,
    /// The smallest test. Absent if the deviation does not show in a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<SmallestTest>,
    /// The catalogue file that was prepared, or was there. Absent if a mutant represents the deviation, and without `--out`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepared: Option<String>,
}

/// A mutant beside a deviation, in numbers of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Like {
    /// The mutant's id.
    pub mutant: String,
    /// The cases on which both show.
    pub both: usize,
    /// The cases on which only the deviation shows.
    pub only_deviation: usize,
    /// The cases on which only the mutant shows.
    pub only_mutant: usize,
}

/// The smallest test of a deviation, and what both programs do on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallestTest {
    /// The flags in the test's name.
    pub flags: String,
    /// The size of the input.
    pub size: usize,
    /// What both did.
    pub outcomes: Outcomes,
}

impl Like {
    pub fn new(mutant: String, likeness: &Likeness) -> Self {
        let Likeness { both, only_deviation, only_mutant, .. } = *likeness;
        Self { mutant, both, only_deviation, only_mutant }
    }

    /// Whether the mutant shows on at least half of the cases on which one of both shows.
    fn represents(&self) -> bool {
        self.both >= self.only_deviation + self.only_mutant
    }
}

impl SmallestTest {
    pub fn new(smallest: Smallest) -> Self {
        let Smallest { draft, case, size, how, why, reference, program } = smallest;
        let outcomes = Outcomes {
            args: case.args,
            input: String::from_utf8_lossy(&draft.input).into_owned(),
            how: how.into(),
            why: why.map(|why| why.to_string()),
            reference: (&reference).into(),
            program: (&program).into(),
        };
        Self { flags: draft.flags, size, outcomes }
    }
}

impl ProgramMined {
    /// A program that was not tried.
    pub fn untried(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            tried: 0,
            differing: 0,
            deviations: Vec::new(),
            problem: None,
            slow: None,
            engine: None,
        }
    }

    /// In words, on how many of `all` cases it is right, if it is right on each on which it ended.
    fn right(&self, all: usize) -> String {
        match self.slow {
            Some(stopped) => {
                let ended = self.tried - stopped;
                format!("slow: right on the {ended} of {all} cases on which it ended in its time")
            }
            None => format!("right on all {} cases", self.tried),
        }
    }

    /// Whether it showed no difference, on enough cases.
    fn is_right(&self) -> bool {
        self.is_compared() && self.differing == 0
    }

    /// Whether it ran, and can be compared with the mutants.
    fn is_compared(&self) -> bool {
        self.tried > 0 && self.problem.is_none()
    }

    /// Whether it ran, but hardly ever ended or could not be started.
    fn is_apart(&self) -> bool {
        self.tried > 0 && self.problem.is_some()
    }
}

impl Cases {
    fn all(&self) -> usize {
        self.handed_in + self.small + self.random
    }
}

impl From<Counts> for Cases {
    fn from(Counts { handed_in, small, random }: Counts) -> Self {
        Self { handed_in, small, random }
    }
}

impl From<(String, String)> for Slower {
    fn from((engine, reason): (String, String)) -> Self {
        Self { engine, reason }
    }
}

impl Mined {
    /// The deviations in their order, with their numbers, and those of `mutants` that are like none.
    pub fn new<'a>(
        assignment: &str,
        mut programs: Vec<ProgramMined>,
        mut deviations: Vec<DeviationMined>,
        mutants: impl Iterator<Item = &'a str>,
    ) -> Self {
        deviations
            .sort_by_key(|it| (it.represented, Reverse(it.programs.len()), Reverse(it.cases)));
        for (number, deviation) in (1..).zip(&mut deviations) {
            deviation.number = number;
        }
        for program in &mut programs {
            let has = |it: &&DeviationMined| it.programs.contains(&program.name);
            program.deviations = deviations.iter().filter(has).map(|it| it.number).collect();
        }
        let is_like = |mutant: &str| deviations.iter().any(|it| it.is_like(mutant));
        let unmatched = mutants.filter(|mutant| !is_like(mutant)).map(str::to_owned);
        Self {
            schema: SCHEMA.to_owned(),
            assignment: assignment.to_owned(),
            seed: 0,
            cases: Counts::default().into(),
            unmatched_mutants: unmatched.collect(),
            programs,
            deviations,
            suites: None,
            weighed: None,
            stopped: None,
            engines: Vec::new(),
            given_up: Vec::new(),
            discarded: Discarded::default(),
            not_contained: None,
        }
    }
}

impl DeviationMined {
    /// Whether it is the mutant, or the mutant represents it.
    pub fn is_like(&self, mutant: &str) -> bool {
        let mut like = self.mutants.iter().filter(|like| like.represents());
        self.mutant.as_deref() == Some(mutant) || like.any(|like| like.mutant == mutant)
    }
}
