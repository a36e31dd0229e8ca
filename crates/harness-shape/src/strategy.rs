//! A shape as a strategy of `proptest`: the one way to draw its inputs. A tree holds the choices behind an input, and shrinks by the same
//! steps as `generate` ([`Steps`]).

use crate::make::{Input, MOST_MADE};
use crate::random::{ROOM, Random};
use crate::run::{Failure, Options};
use crate::smaller::Steps;
use crate::tree::Shape;
use fastrand::Rng;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fmt, fs, io};

/// The inputs of the shape in a file. A relative path starts in the current folder, which for a test is that of its package, or in the
/// nearest folder above that has such a file.
///
/// # Panics
/// If the file cannot be read, or is not a shape. The message has the place.
pub fn inputs(file: impl AsRef<Path>) -> Inputs {
    let file = file.as_ref();
    let source = found(file).and_then(fs::read);
    let source = source.unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()));
    let shape = crate::parse(file, &source).unwrap_or_else(|problem| {
        let (line, column) = crate::place(&source, problem.at);
        let hint = problem.hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        panic!("{}:{line}:{column}: {}{hint}", file.display(), problem.message)
    });
    Inputs::new(shape)
}

/// Where a file is, seen from the current folder or one above it.
fn found(file: &Path) -> io::Result<PathBuf> {
    let folder = env::current_dir()?;
    let mut places = folder.ancestors().map(|folder| folder.join(file));
    Ok(places.find(|place| place.is_file()).unwrap_or_else(|| file.to_owned()))
}

/// The inputs of a shape, as a strategy.
#[derive(Clone, Debug)]
pub struct Inputs {
    shape: Arc<Shape>,
    options: Options,
}

impl Inputs {
    pub fn new(shape: impl Into<Arc<Shape>>) -> Self {
        Self { shape: shape.into(), options: Options::default() }
    }

    /// The inputs that these options leave.
    #[must_use]
    pub fn with(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Only inputs in which the number with this name is at most this.
    ///
    /// # Panics
    /// If the shape has no such number.
    #[must_use]
    pub fn at_most(mut self, name: &str, most: i64) -> Self {
        let numbers = self.shape.numbers();
        assert!(numbers.contains(&name), "the shape has no number `{name}`, only {numbers:?}");
        self.options.limits.push((name.to_owned(), most));
        self
    }

    /// Draws an input, as [`new_tree`](Strategy::new_tree) does, from these choices.
    ///
    /// # Errors
    /// If the shape makes no input. The failure has its place in the shape.
    pub fn tree(&self, random: &mut Random) -> Result<InputTree, Failure> {
        let input = self.shape.draw(random, &self.options)?;
        Ok(InputTree { inputs: self.clone(), input, before: None, steps: None })
    }

    /// Draws an input of at most this many bytes that is about as large as one can be; `None` if any input may be as large.
    pub fn largest(&self, bytes: u64, seed: u64) -> Option<Sample> {
        // An element has a byte or many.
        let rooms = std::iter::successors(Some(bytes.min(MOST_MADE as u64)), |room| Some(room / 2));
        rooms.take_while(|&room| room > ROOM).find_map(|room| {
            let mut random = Random::any(&mut Rng::with_seed(seed)).largest(room);
            let sample = self.tree(&mut random).ok()?.current();
            (ROOM..=bytes).contains(&(sample.bytes.len() as u64)).then_some(sample)
        })
    }
}

impl Strategy for Inputs {
    type Value = Sample;
    type Tree = InputTree;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut rng = Rng::with_seed(runner.rng().next_u64());
        let tree = self.tree(&mut Random::any(&mut rng));
        tree.map_err(|failure| format!("the shape makes no input: {}", failure.message).into())
    }
}

/// An input of a shape, for a test.
#[derive(Clone, PartialEq, Eq)]
pub struct Sample {
    pub bytes: Vec<u8>,
    /// The numbers that the shape calls `parameters`.
    pub parameters: Vec<i64>,
}

impl Sample {
    /// The input as text. What is not UTF-8 is replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())?;
        if self.parameters.is_empty() { Ok(()) } else { write!(f, " {:?}", self.parameters) }
    }
}

/// An input that was drawn, and can be shrunk.
pub struct InputTree {
    inputs: Inputs,
    input: Input,
    /// The input before the last step, until it is known whether that step went too far.
    before: Option<Input>,
    /// The steps from the input to smaller ones, and the number of the next one to try; `None` before the first.
    steps: Option<(Steps, usize)>,
}

impl ValueTree for InputTree {
    type Value = Sample;

    fn current(&self) -> Sample {
        let Input { bytes, made, .. } = &self.input;
        Sample { bytes: bytes.clone(), parameters: made.parameters.clone() }
    }

    fn simplify(&mut self) -> bool {
        if self.before.take().is_some() {
            self.steps = None;
        }
        let Inputs { shape, options } = &self.inputs;
        if self.steps.is_none() {
            self.steps = shape.steps(&self.input.choices, options).map(|steps| (steps, 0));
        }
        let Some((steps, next)) = &mut self.steps else { return false };
        let smaller = (*next..steps.count()).find_map(|at| Some((at, steps.make(shape, at)?)));
        let Some((at, smaller)) = smaller else { return false };
        *next = at + 1;
        self.before = Some(std::mem::replace(&mut self.input, smaller));
        true
    }

    fn complicate(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        self.input = before;
        self.simplify()
    }
}
