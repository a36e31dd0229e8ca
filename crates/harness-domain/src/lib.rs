//! What the harness knows about an assignment's inputs and outputs.
//!
//! A domain is pure: it takes bytes and returns answers. Everything specific to one assignment is behind this trait, in one
//! folder. The rest of the harness knows no colours, rooms or walls.

mod case_rules;
pub mod characters;
mod countess;
mod described;
mod how;
pub mod lines;
mod maze;
mod mistakes;
pub mod picture;
mod puzzle;
mod refusals;
mod rules;
mod sliding;
mod text;
mod tokens;
mod tree;
mod uncaught;

pub use case_rules::{Argument, CaseRules};
pub use harness_shape::Literals;
pub use how::How;
pub use mistakes::Mistakes;
pub use picture::Viewer;
pub use refusals::{Refusals, RefusedTests, TestKind};
pub use rules::{Flag, FlagGroup, TestRules};
pub use tokens::Tokens;
pub use uncaught::{is_uncaught, uncaught};

use anstyle::Style;
use fastrand::Rng;
use harness_diagnostic::Problem;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use subject::{Case, Outcome};

/// The values of a domain's limits, by name.
pub type InputLimits = BTreeMap<String, u64>;

/// A limit on what a test may describe.
pub struct Limit<'a> {
    /// Its key in the course file.
    pub name: &'a str,
    /// Its value if the course file does not set it.
    pub default: u64,
}

/// What the harness knows about an assignment.
pub trait Domain: Send + Sync {
    /// The name in the course file.
    fn name(&self) -> &'static str;

    /// The limits that [`check`](Self::check) enforces.
    fn limits(&self) -> Vec<Limit<'_>>;

    /// Checks that `input` is within `limits`. It accepts what it cannot parse, because the reference decides whether a test is
    /// *valid*. Only what a shape does not describe is rejected.
    ///
    /// # Errors
    /// With the limit that is exceeded, and the line in the input.
    fn check(&self, input: &[u8], limits: &InputLimits) -> Result<(), LimitExceeded>;

    /// The characters that are allowed at a place of `input`, in a sensible order; `None` if more than single characters are
    /// allowed there. Lines count from 1; columns count bytes from 1.
    fn characters(&self, _input: &[u8], _line: usize, _column: usize) -> Option<String> {
        None
    }

    /// The case of a test. `options` come from its flags, `parameters` are the numbers after the flags in its name.
    ///
    /// By default, the file is standard input and the parameters follow the options.
    fn case(&self, options: Vec<String>, parameters: &[u32], input: Vec<u8>) -> Case {
        let args = options.into_iter().chain(parameters.iter().map(u32::to_string)).collect();
        Case { args, input, ..Case::default() }
    }

    /// The case of an input with these arguments, whatever the flags of a test would mean.
    fn case_with(&self, args: Vec<String>, input: Vec<u8>) -> Case {
        Case { args, ..self.case(Vec::new(), &[], input) }
    }

    /// The arguments that the assignment's document defines for `case`. The reference may have options that the document lacks.
    fn document_args(&self, case: &Case) -> Vec<String> {
        case.args.clone()
    }

    /// Whether several answers can be right. If so, [`judge`](Self::judge) decides; otherwise, every difference counts.
    fn has_many_answers(&self) -> bool {
        false
    }

    /// The answer in an outcome: its standard output, or a file if the domain says so.
    fn answer<'a>(&self, outcome: &'a Outcome) -> &'a [u8] {
        &outcome.stdout
    }

    /// The outcome of a program that does what the reference did, but whose [`answer`](Self::answer) is `answer`.
    fn outcome(&self, reference: &Outcome, answer: Vec<u8>) -> Outcome {
        Outcome { stdout: answer, ..reference.clone() }
    }

    /// How `mutant` is wrong on `case`; `None` if it is right. `reference` is right.
    fn judge(&self, _case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<Fault> {
        subject::How::between(reference, mutant).map(Fault::from)
    }

    /// How each of `mutants` is wrong on `case`, as [`judge`](Self::judge) says. A domain can read the reference's answer once for all.
    fn judge_all(
        &self,
        case: &Case,
        reference: &Outcome,
        mutants: &[&Outcome],
    ) -> Vec<Option<Fault>> {
        mutants.iter().map(|mutant| self.judge(case, reference, mutant)).collect()
    }

    /// Where a mutant's output first differs from the reference's, in the assignment's own terms; `None` if either output cannot
    /// be parsed.
    fn first_difference(&self, _reference: &[u8], _mutant: &[u8]) -> Option<String> {
        None
    }

    /// Splits an input into pieces, each with its style on a terminal.
    fn draw<'a>(&self, input: &'a str) -> Vec<(Style, &'a str)> {
        vec![(Style::new(), input)]
    }

    /// Creates inputs, if the domain can.
    fn generator(&self) -> Option<&dyn Generator> {
        None
    }

    /// Draws inputs, if the domain can.
    fn viewer(&self) -> Option<&dyn Viewer> {
        None
    }
}

impl fmt::Debug for dyn Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A test without a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Draft {
    /// The part of the name between `test-n-` and `.txt`.
    pub flags: String,
    /// The contents of the file.
    pub input: Vec<u8>,
}

/// A numbered set of cases of the same size and form.
pub struct Family {
    pub count: usize,
    /// Creates the case with this number, from 0; `None` if the reference rejects it for certain.
    pub make: Box<dyn Fn(usize) -> Option<Draft> + Send + Sync>,
}

/// The cases that are one step smaller or simpler than another.
pub struct Steps<'a> {
    pub count: usize,
    /// Creates the case with this number, from 0; `None` if there is none.
    pub make: Box<dyn Fn(usize) -> Option<Draft> + Send + Sync + 'a>,
}

impl Steps<'_> {
    /// All cases that there are.
    fn all(self) -> impl Iterator<Item = Draft> {
        (0..self.count).filter_map(self.make)
    }
}

/// Creates inputs: all small ones, random ones, and smaller versions of a given one. They are within the limits; the reference
/// decides whether they are valid. They have only forms that the assignment's document promises, since a right program may fail on
/// others; only [`lenient`](Self::lenient) makes those, and a smaller version of an input may keep the form of that input.
pub trait Generator: Sync {
    /// The size of an input, by which "smallest" is decided: for a map, its number of cells.
    fn size(&self, input: &[u8]) -> usize;

    /// Whether it could have made this input. If not, [`size`](Self::size) knows only its length.
    fn reads(&self, _input: &[u8]) -> bool {
        true
    }

    /// Whether a case has nothing that most cases do not have, such as a comment or a line that is discarded. What a program says of such
    /// a thing makes its answer longer, but the case no harder.
    fn is_usual(&self, _draft: &Draft) -> bool {
        true
    }

    /// All cases of this size, in a fixed order.
    fn families(&self, size: usize, rules: &TestRules) -> Vec<Family>;

    /// The largest size for which every case can be tried in a few seconds.
    fn reach(&self, _rules: &TestRules) -> usize {
        4
    }

    /// Whether [`families`](Self::families) has every case of this size. If there are too many, it has none of a larger size either.
    fn has_all(&self, _size: usize, _rules: &TestRules) -> bool {
        true
    }

    /// Whether [`families`](Self::families) has each input of this size that a test can have, and not only those that
    /// [`alphabet`](Self::alphabet) describes.
    fn leaves_nothing_out(&self, _size: usize, _rules: &TestRules) -> bool {
        false
    }

    /// What [`families`](Self::families) covers, as a sentence for reports.
    fn alphabet(&self) -> &'static str;

    /// A random case.
    fn sample(&self, rules: &TestRules, runner: &mut TestRunner) -> Draft;

    /// The kinds of cases that [`sample`](Self::sample) creates.
    fn kinds(&self) -> &'static [&'static str] {
        &["any"]
    }

    /// A random case of one kind, given by its index in [`kinds`](Self::kinds).
    fn sample_of(&self, _kind: usize, rules: &TestRules, rng: &mut Rng) -> Draft {
        let mut seed = [0; 32];
        rng.fill(&mut seed);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        self.sample(rules, &mut TestRunner::new_with_rng(Config::default(), rng))
    }

    /// A random case that is about as large as a test may be, if [`sample`](Self::sample) makes none of this size, or seldom one.
    fn largest(&self, _rules: &TestRules, _rng: &mut Rng) -> Option<Draft> {
        None
    }

    /// A copy of `draft` with a few random changes.
    fn neighbour(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft;

    /// A copy of `draft` in which little is changed, and all else is as it was.
    fn with_text_changed(&self, draft: &Draft, rules: &TestRules, rng: &mut Rng) -> Draft {
        self.neighbour(draft, rules, rng)
    }

    /// All cases that are one step smaller or simpler than `draft`, the largest step first.
    fn smaller(&self, draft: &Draft) -> Vec<Draft>;

    /// As [`smaller`](Self::smaller), but each case is only made when it is asked for.
    fn steps(&self, draft: &Draft) -> Steps<'_> {
        let smaller = self.smaller(draft);
        Steps { count: smaller.len(), make: Box::new(move |at| Some(smaller[at].clone())) }
    }

    /// Words that stand in inputs, and may be wrong where they stand.
    fn words(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// The smallest cases of each form, with the simplest numbers and letters, at most this many. All have the same flags.
    fn plainest(&self, _most: usize, _rules: &TestRules) -> Vec<Draft> {
        Vec::new()
    }

    /// The inputs with one mistake near this one that depend on what its fields may be, such as a number above its most.
    fn mistaken(&self, _draft: &Draft) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// A random one of [`mistaken`](Self::mistaken).
    fn any_mistaken(&self, _draft: &Draft, _rng: &mut Rng) -> Option<Vec<u8>> {
        None
    }

    /// The same test, written only in ways that the assignment's document promises.
    fn plain(&self, draft: &Draft) -> Draft {
        draft.clone()
    }

    /// The plain test `draft`, written in each way that the reference accepts but the document does not promise, with the name of
    /// that way. A correct program need not accept it.
    fn lenient(&self, _draft: &Draft, _rules: &TestRules) -> Vec<(&'static str, Draft)> {
        Vec::new()
    }

    /// The same test with this many columns and rows; `None` if it is larger, or if tests have no such size.
    fn resized(&self, _draft: &Draft, _columns: usize, _rows: usize) -> Option<Draft> {
        None
    }

    /// Describes `draft` for a student; `stdout` is the reference's output.
    fn describe(&self, draft: &Draft, stdout: &[u8]) -> String;

    /// The same test with a comment in its file; `None` if the format has no comments.
    fn commented(&self, draft: &Draft, comment: &str) -> Option<Draft>;
}

/// What is wrong with an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub how: subject::How,
    /// The reason, if the domain can give one: `line 12: the route goes through a wall`.
    pub why: Option<Flaw>,
}

impl From<subject::How> for Fault {
    fn from(how: subject::How) -> Self {
        Self { how, why: None }
    }
}

/// One error in a file, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
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
        if let Some(line) = self.line {
            write!(f, "line {line}")?;
            if let Some(column) = self.column {
                write!(f, ", column {column}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

/// At most this many characters of a text, for a message.
pub fn shortened(text: &str, most: usize) -> String {
    let shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}

/// An input exceeds a limit, or cannot be a test for another reason.
pub struct LimitExceeded {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    pub reason: Reason,
    pub problem: Problem,
}

/// Why an input cannot be a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It exceeds a limit.
    Limit,
    /// The domain does not describe it. It is a test after all where the reference must refuse it.
    Form,
    /// It is no test, whatever the reference does: its arguments cannot be told, or it contradicts itself.
    Unfit,
}

/// The domain that a course file calls `name`.
pub fn named(name: &str) -> Option<Arc<dyn Domain>> {
    all().into_iter().find(|domain| domain.name() == name)
}

/// The names of the domains that [`named`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|domain| domain.name())
}

fn all() -> [Arc<dyn Domain>; 6] {
    [
        Arc::new(puzzle::Puzzle),
        Arc::new(countess::Countess),
        Arc::new(sliding::Sliding),
        Arc::new(maze::MazeSolver),
        Arc::new(maze::MazeGenerator),
        Arc::new(text::Text::default()),
    ]
}

/// The domain of an assignment of which only this is known.
pub fn text(case: CaseRules) -> Arc<dyn Domain> {
    Arc::new(text::Text { case })
}

/// The domain of an assignment whose inputs this shape describes.
pub fn described(shape: harness_shape::Shape, case: CaseRules) -> Arc<dyn Domain> {
    Arc::new(described::Described::new(shape, case))
}
