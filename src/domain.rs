//! What the harness knows of an assignment's inputs and outputs.
//!
//! A domain is pure: it gets bytes and gives answers. Everything that is particular to one assignment is behind this trait, in one
//! folder; the rest of the harness knows no colours, rooms or walls.

pub mod characters;
mod countess;
mod how;
mod maze;
pub mod picture;
mod puzzle;
mod rules;
mod sliding;
mod text;
mod tree;

pub use how::How;
pub use picture::Viewer;
pub use rules::{Flag, FlagGroup, TestRules};

use crate::problem::Problem;
use anstyle::Style;
use fastrand::Rng;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt;
use subject::{Case, Outcome};

/// Values of a domain's limits by name.
pub type Limits = BTreeMap<&'static str, u64>;

/// One limit on what a test may describe.
pub struct Limit {
    /// Its key in the course file.
    pub name: &'static str,
    /// Its value where the course file names none.
    pub default: u64,
}

/// What the harness knows of an assignment.
pub trait Domain: Sync {
    /// The name that a course file calls it by.
    fn name(&self) -> &'static str;

    /// The limits that it can check.
    fn limits(&self) -> &'static [Limit];

    /// Checks that `input` is within `limits`. Whether it is *valid* is for the reference to say: what this can't read, it lets pass.
    ///
    /// # Errors
    /// With the limit that it breaks, and the place in the input.
    fn check(&self, input: &[u8], limits: &Limits) -> Result<(), Oversize>;

    /// The characters of which one may stand at a place of `input`, in a sensible order; nothing where more than characters count there.
    /// The line counts from 1, and so does the column, in bytes.
    fn characters(&self, _input: &[u8], _line: usize, _column: usize) -> Option<String> {
        None
    }

    /// The case of a test: `options` are those that its flags stand for, `parameters` the numbers behind them in its name.
    ///
    /// Unless a domain says otherwise, the file is standard input.
    fn case(&self, options: Vec<String>, parameters: &[u32], input: Vec<u8>) -> Case {
        let args = options.into_iter().chain(parameters.iter().map(u32::to_string)).collect();
        Case { args, input, ..Case::default() }
    }

    /// Whether a different answer may be as right. If so, [`judge`](Self::judge) decides; if not, every difference counts.
    fn has_many_answers(&self) -> bool {
        false
    }

    /// The outcome of a program that does what the reference did, except that its answer is `answer`: what it printed, unless a domain
    /// says that the answer is a file.
    fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        Outcome { stdout: answer, ..reference.clone() }
    }

    /// In what way `mutant` is wrong on `case`, where `reference` is right; `None` where it is right too.
    fn judge(&self, _case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<Fault> {
        subject::How::between(reference, mutant).map(Fault::from)
    }

    /// Where the output of a mutant first differs from the reference's, in the assignment's own words; nothing where these are not
    /// what a correct program prints.
    fn first_difference(&self, _reference: &[u8], _mutant: &[u8]) -> Option<String> {
        None
    }

    /// An input in pieces, each with how it looks on a terminal.
    fn draw<'a>(&self, input: &'a str) -> Vec<(Style, &'a str)> {
        vec![(Style::new(), input)]
    }

    /// What makes new inputs, if the domain can.
    fn generator(&self) -> Option<&dyn Generator> {
        None
    }

    /// What draws inputs, if the domain can.
    fn viewer(&self) -> Option<&dyn Viewer> {
        None
    }
}

/// A test that has no number yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Draft {
    /// What stands between `test-n-` and `.txt`.
    pub flags: String,
    /// The contents of the file.
    pub input: Vec<u8>,
}

/// Cases of the same size and form, by number.
pub struct Family {
    /// How many there are.
    pub count: usize,
    /// Makes the one with this number.
    pub make: Box<dyn Fn(usize) -> Draft + Send + Sync>,
}

/// What makes inputs: all small ones, random ones, and smaller ones of one that is given. What it makes is within the limits; that it
/// is valid is for the reference to say.
pub trait Generator: Sync {
    /// How large an input is: what "smallest" means. The area of a map, in cells.
    fn area(&self, input: &[u8]) -> usize;

    /// Every case of this area, in order of size.
    fn families(&self, area: usize, rules: &TestRules) -> Vec<Family>;

    /// Up to which area every case can be tried in a few seconds.
    fn reach(&self) -> usize {
        4
    }

    /// What [`families`](Self::families) covers, for a person.
    fn alphabet(&self) -> &'static str;

    /// A random case.
    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft;

    /// The names of the kinds of cases that [`sample`](Self::sample) draws.
    fn kinds(&self) -> &'static [&'static str] {
        &["any"]
    }

    /// A random case of one kind, by its index.
    fn sample_of(&self, _kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        let mut seed = [0; 32];
        rng.fill(&mut seed);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        self.sample(rules, &mut TestRunner::new_with_rng(Config::default(), rng))
    }

    /// A case like `draft`, with a few things changed.
    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft;

    /// The cases that are a single step smaller or plainer than `draft`, the largest step first.
    fn smaller(&self, draft: &Draft) -> Vec<Draft>;

    /// What `draft` tests, in the words of the student who would write it; `stdout` is the reference's answer.
    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String;

    /// The same test with a comment in its file. `None` where the file has no place for one.
    fn commented(&self, draft: &Draft, comment: &str) -> Option<Draft>;
}

/// What is wrong with an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In what way it is wrong.
    pub how: subject::How,
    /// What exactly is wrong and in which line of the answer, if the domain can say it: `a step through a wall at line 12`.
    pub why: Option<Flaw>,
}

impl From<subject::How> for Fault {
    fn from(how: subject::How) -> Self {
        Self { how, why: None }
    }
}

/// One thing that is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The line, from 1, if it has one.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl Flaw {
    /// A flaw of a line, if it is known.
    pub fn at(line: Option<usize>, message: impl Into<String>) -> Self {
        Self { line, column: None, message: message.into() }
    }

    /// A flaw of the whole file.
    pub fn whole(message: impl Into<String>) -> Self {
        Self::at(None, message)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(line) = self.line {
            write!(f, " at line {line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        Ok(())
    }
}

/// A limit that an input breaks.
pub struct Oversize {
    /// The line, from 1.
    pub line: usize,
    /// What is too large.
    pub problem: Problem,
}

static DOMAINS: &[&dyn Domain] = &[
    &puzzle::Puzzle,
    &countess::Countess,
    &sliding::Sliding,
    &maze::MazeSolver,
    &maze::MazeGenerator,
    &text::Text,
];

/// The domain that a course file calls `name`.
pub fn named(name: &str) -> Option<&'static dyn Domain> {
    DOMAINS.iter().copied().find(|domain| domain.name() == name)
}

/// The names of all domains.
pub fn names() -> impl Iterator<Item = &'static str> {
    DOMAINS.iter().map(|domain| domain.name())
}
