//! Runs a shape on a stream: on an input that is read, or on one that is made.

mod fields;
mod log;
mod made;
mod many;
mod repeat;
mod value;

use crate::apart::Apart;
use crate::distinct::Distinct;
use crate::edges::GraphMade;
use crate::grid::named;
use crate::literals::Literals;
use crate::pattern::Pattern;
use crate::reached::{Fact, Reached};
use crate::stream::Stream;
use crate::tree::{Command, Expr, Shape, Variable, What};
use crate::value::Value;
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How a shape is read and made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// More white space than the shape wants is accepted.
    pub is_lenient: bool,
    /// Values of variables before the shape begins.
    pub presets: Vec<(String, Value)>,
    /// The most that numbers with these names may be.
    pub limits: Vec<(String, i64)>,
    /// The numbers in the name of a test that is checked.
    pub parameters: Vec<i64>,
    /// What is drawn more often than other values.
    pub literals: Arc<Literals>,
}

/// A shape that is running.
pub(crate) struct Run<'a, M> {
    shape: &'a Shape,
    pub(crate) stream: &'a mut M,
    variables: Vec<HashMap<Vec<Value>, (Value, Origin)>>,
    /// Variables without an index, which are most of them.
    plain: Vec<Option<(Value, Origin)>>,
    /// The limit of each variable.
    limits: Vec<Option<i64>>,
    distinct: Vec<Distinct>,
    /// The origins of the values that the command has read.
    pub(crate) read: Vec<usize>,
    /// The last choice behind the tests of the branches around the command, as in [`Origin`].
    decided_by: usize,
    patterns: HashMap<Arc<[u8]>, Arc<Pattern>>,
    /// The steps that the run has taken.
    steps: u64,
    /// The offset of the command that runs.
    pub(crate) command: usize,
    /// A mistake of the shape, which no other choices mend.
    is_hopeless: bool,
    exceeds: Option<Exceeded>,
    /// A number that counts something exceeds its least by more than it may.
    is_overgrown: bool,
    made: Made,
    keeps_log: bool,
    /// How many lists have begun.
    lists: usize,
    most: Most,
    pub(crate) reached: Option<&'a mut Reached>,
    /// The letter of this repetition that its counts have chosen, or that was read; [`FREE`] for any other letter.
    counted: Option<u8>,
    /// A list for which there is no more room.
    full: Option<Full>,
    /// The repetitions around this that are apart.
    pub(crate) apart: Option<Apart<'a>>,
    /// The letters that have counts, if the input is read.
    read_letters: Vec<u8>,
    /// The numbers in the name of the test.
    given: Vec<i64>,
}

/// The choices behind a value: the last one before it was set, and the last one behind the values that it was computed from. For a value
/// that a branch has set, the first is the last one behind the tests around it. A number is one more than that of the choice, and 0 is no
/// choice.
type Origin = [usize; 2];

pub use made::{
    Exceeded, Failure, Full, GridMade, LettersMade, Limited, Made, Most, Reference, Span,
};

pub(crate) type Done<T> = Result<T, String>;

impl<'a, M: Stream> Run<'a, M> {
    pub(crate) fn new(shape: &'a Shape, stream: &'a mut M, options: &Options) -> Self {
        let count = shape.names.len();
        let index = |name: &String| shape.names.iter().position(|known| known == name);
        let (mut plain, mut limits) = (vec![None; count], vec![None; count]);
        for (name, value) in &options.presets {
            if let Some(index) = index(name) {
                plain[index] = Some((value.clone(), [0; 2]));
            }
        }
        for (name, most) in &options.limits {
            if let Some(index) = index(name) {
                limits[index] = Some(*most);
            }
        }
        Self {
            shape,
            stream,
            variables: vec![HashMap::new(); count],
            plain,
            limits,
            distinct: Vec::new(),
            read: Vec::new(),
            decided_by: 0,
            patterns: HashMap::new(),
            steps: 0,
            command: 0,
            is_hopeless: false,
            exceeds: None,
            is_overgrown: false,
            made: Made::default(),
            keeps_log: false,
            lists: 0,
            most: Most::ANY,
            reached: None,
            counted: None,
            full: None,
            apart: None,
            read_letters: Vec::new(),
            given: options.parameters.clone(),
        }
    }

    /// Fails once the input has more elements than this.
    pub(crate) fn at_most(self, most: Most) -> Self {
        Self { most, ..self }
    }

    /// Keeps what changes of the choices need to know.
    pub(crate) fn logging(self) -> Self {
        Self { keeps_log: true, ..self }
    }

    /// Notes what is reached.
    pub(crate) fn noting(self, reached: Option<&'a mut Reached>) -> Self {
        Self { reached, ..self }
    }

    /// Runs the whole shape, and expects the end of the input after it.
    pub(crate) fn run(self) -> Result<Made, Failure> {
        self.finish().map(|run| run.made)
    }

    /// The last value of each field that the run comes to, as text.
    pub(crate) fn fields(mut self) -> BTreeMap<String, String> {
        let shape = self.shape;
        // What follows a mistake has no values.
        let _ = self.commands(&shape.commands).and_then(|()| self.parameters());
        let values = self.plain.iter().zip(&shape.names);
        let named = values.filter_map(|(value, name)| Some((name.clone(), value.as_ref()?)));
        named.map(|(name, (value, _))| (name, value.to_string())).collect()
    }

    fn finish(mut self) -> Result<Self, Failure> {
        let shape = self.shape;
        let result = self.commands(&shape.commands).and_then(|()| self.stream.end());
        let result = result.and_then(|()| self.parameters());
        match result {
            Ok(()) => Ok(self),
            Err(message) => Err(Failure {
                in_shape: self.command,
                in_input: self.stream.position(),
                choices: self.read.iter().filter_map(|number| number.checked_sub(1)).collect(),
                may_depend_on_choices: !self.is_hopeless && !self.stream.is_exhausted(),
                is_too_large: self.is_too_large(),
                is_too_noisy: self.made.noise > self.most.noise,
                full: self.full,
                exceeds: self.exceeds,
                steps: self.steps,
                message,
            }),
        }
    }

    /// Counts steps, so that every run ends.
    pub(crate) fn spend(&mut self, steps: u64) -> Done<()> {
        /// A shape may take this many steps, and more for each byte that it has read.
        const STEPS: u64 = 2_000_000;
        const STEPS_PER_BYTE: u64 = 100;
        self.steps = self.steps.saturating_add(steps);
        let read = if self.stream.is_made() { 0 } else { self.stream.position() as u64 };
        if self.steps > STEPS + STEPS_PER_BYTE * read {
            self.is_hopeless = true;
            return Err("this takes too many steps: is a loop endless?".to_owned());
        }
        Ok(())
    }

    /// Counts elements of the input.
    pub(crate) fn element(&mut self, count: u64) -> Done<()> {
        self.made.size += count;
        self.check_size()
    }

    /// Counts a repetition in which nothing else was counted, so that no size has endlessly many inputs.
    pub(crate) fn count_repetition(&mut self, size_before: u64) -> Done<()> {
        if self.made.size == size_before { self.element(1) } else { Ok(()) }
    }

    /// Counts what means nothing.
    pub(crate) fn noise_element(&mut self, count: u64) -> Done<()> {
        self.made.noise += count;
        self.check_size()
    }

    fn is_too_large(&self) -> bool {
        self.is_overgrown || self.made.size > self.most.size || self.made.noise > self.most.noise
    }

    /// Checks a number that counts something.
    pub(crate) fn check_growth(&mut self, least: &Value, number: &Value) -> Done<()> {
        if let (&Value::Small(least), &Value::Small(number)) = (least, number)
            && u64::try_from(number.saturating_sub(least.max(0)))
                .is_ok_and(|growth| growth > self.most.growth)
        {
            self.is_overgrown = true;
        }
        self.check_size()
    }

    fn check_size(&self) -> Done<()> {
        if self.is_too_large() {
            return Err("the input has too many elements".to_owned());
        }
        Ok(())
    }

    /// The choice behind the value that was read last.
    pub(crate) fn origin(&self) -> Option<usize> {
        self.read.iter().rev().find_map(|number| number.checked_sub(1))
    }

    fn note(&mut self, fact: Fact) {
        if let Some(reached) = &mut self.reached {
            reached.add(self.command, fact);
        }
    }

    pub(crate) fn commands(&mut self, commands: &'a [Command]) -> Done<()> {
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &'a Command) -> Done<()> {
        self.command = command.at;
        self.read.clear();
        self.spend(1)?;
        match &command.what {
            What::Space => self.stream.space(),
            What::Newline => self.stream.newline(),
            What::Eof => self.stream.end(),
            What::Int(int) => self.int(int),
            What::Word { words, name } => self.word(words, name.as_ref()),
            What::Blanks { least, more } => {
                let before = self.stream.position();
                self.stream.blanks(*least, *more)?;
                // A mistake may leave out blanks.
                let more = self.stream.position().saturating_sub(before + least);
                self.noise_element(more as u64)
            }
            What::Noise(noises) => self.noise(noises),
            What::Many(many) => self.many(command.at, many),
            What::Letter { letters, usual, name } => self.letter(letters, *usual, name.as_ref()),
            What::Block(commands) => self.commands(commands),
            What::Cases { by, cases } => self.cases(by, cases),
            What::Grid(rule) => self.grid(rule),
            What::Edges(rule) => self.edges(rule),
            What::Forget(sets) => {
                for &set in sets {
                    *self.distinct_set(set) = Distinct::default();
                }
                Ok(())
            }
            What::Float { least, most, decimals, name, form } => {
                self.float((least, most), decimals.as_ref(), name.as_ref(), *form)
            }
            What::String(text) => {
                let text = self.value(text)?.as_text()?.clone();
                self.stream.text(&text)
            }
            What::Regex { expression, compiled, name } => {
                let pattern = match compiled {
                    Some(pattern) => pattern.clone(),
                    None => self.compile(expression)?,
                };
                let (length, count) = self.wanted_length(command.at).unzip();
                let start = self.stream.choices();
                self.prefer(command.at);
                let text = self.stream.pattern(&pattern, length);
                let text = text.map_err(|message| self.named(name.as_ref(), message))?;
                self.element(text.len() as u64)?;
                self.log_letters(start, text.len(), count.flatten());
                name.as_ref().map_or(Ok(()), |name| self.set(name, Value::Text(text.into())))
            }
            What::Assert(test, source) => self.assert(test, source.as_deref()),
            What::Set(assignments) => assignments.iter().try_for_each(|(variable, value)| {
                let value = self.value(value)?;
                let last = match self.decided_by {
                    0 => self.stream.choices(),
                    choice => choice,
                };
                self.set_after(last, variable, value)
            }),
            What::Unset(names) => {
                for &name in names {
                    self.variables[name].clear();
                    self.plain[name] = None;
                }
                Ok(())
            }
            What::Repeat { index, until, separator, body } => {
                self.repeat(command.at, index.as_ref(), until, separator.as_deref(), body)
            }
            What::If { test, then, otherwise } => {
                let holds = self.test(test, false)?;
                self.note(if holds { Fact::Then } else { Fact::Otherwise });
                let branch = if holds { then } else { otherwise };
                let outer = self.decided_by;
                self.decided_by = self.read.iter().copied().fold(outer, usize::max);
                self.commands(branch)?;
                self.decided_by = outer;
                Ok(())
            }
        }
    }

    /// Sets a variable to a number of the input, which may exceed a limit.
    pub(crate) fn set_number(&mut self, name: &'a Variable, number: Value) -> Done<()> {
        if let (Some(limit), Value::Small(small)) = (self.limits[name.name], &number)
            && *small > limit
        {
            let name = self.shape.names[name.name].clone();
            let message = format!("`{name}` is {small}; it may be at most {limit}");
            self.exceeds = Some(Exceeded { name, number: *small, limit });
            return Err(message);
        }
        self.set(name, number)
    }

    fn distinct_set(&mut self, set: usize) -> &mut Distinct {
        if self.distinct.len() <= set {
            self.distinct.resize_with(set + 1, Distinct::default);
        }
        &mut self.distinct[set]
    }

    fn named(&self, name: Option<&Variable>, message: String) -> String {
        match name {
            Some(name) => named(&self.shape.names[name.name], &message),
            None => message,
        }
    }

    /// A count, which must fit 32 bits.
    pub(crate) fn count(&mut self, count: &Expr) -> Done<u64> {
        let count = self.value(count)?.to_integer()?;
        count
            .to_u32()
            .map(u64::from)
            .ok_or_else(|| format!("`{count}` is not a count from 0 to {}", u32::MAX))
    }

    fn set(&mut self, variable: &'a Variable, value: Value) -> Done<()> {
        self.set_after(self.stream.choices(), variable, value)
    }

    /// Sets a variable to a value that depends on this choice, as in [`Origin`].
    fn set_after(&mut self, last: usize, variable: &'a Variable, value: Value) -> Done<()> {
        let origin = [last, self.read.iter().copied().max().unwrap_or(0)];
        if variable.indices.is_empty() {
            self.plain[variable.name] = Some((value, origin));
        } else {
            let indices = self.indices(&variable.indices)?;
            self.variables[variable.name].insert(indices, (value, origin));
        }
        Ok(())
    }
}
