//! Runs a shape on a medium: on an input that is read, or on one that is made.

mod repeat;
mod value;

use crate::choice::Role;
use crate::distinct::Distinct;
use crate::grid::{Cells, named};
use crate::medium::{DecimalRule, Form, Medium};
use crate::number::{Range, Usual};
use crate::pattern::Pattern;
use crate::reached::{Fact, Reached};
use crate::tree::{Command, Expr, Int, Shape, Variable, What};
use crate::value::Value;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
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
}

/// Why a run of a shape failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The offset of the command in the shape.
    pub in_shape: usize,
    /// The offset in the input.
    pub in_input: usize,
    pub message: String,
    /// The choices that the failure may depend on, by their numbers. They made the values that the failed command has read.
    pub choices: Vec<usize>,
    /// Other choices, or another input, may succeed. `false` for a mistake of the shape itself.
    pub may_depend_on_choices: bool,
    /// The input exceeds one of the limits.
    pub exceeds: Option<Exceeded>,
    /// The input has more elements than it may have.
    pub is_too_large: bool,
    /// The steps that the run took.
    pub steps: u64,
}

/// A number is larger than a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceeded {
    pub name: String,
    pub number: i64,
    pub limit: i64,
}

/// What a run did, besides its choices.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// How many cells, letters and numbers the input has, without those that say how many there are.
    pub area: u64,
    /// Repetitions, for changes that leave out one of them.
    pub spans: Vec<Span>,
    pub grids: Vec<GridMade>,
    /// The numbers in the name of a test.
    pub parameters: Vec<i64>,
}

/// One repetition of something.
#[derive(Clone, Debug)]
pub struct Span {
    /// The choices that made it.
    pub start: usize,
    pub end: usize,
    /// The choice of how many there are.
    pub count: Option<usize>,
}

/// A grid that was made.
#[derive(Clone, Debug)]
pub struct GridMade {
    /// The choices that made its cells.
    pub start: usize,
    pub end: usize,
    /// The choices of the number of its rows, of its columns, and of both if they are always the same.
    pub rows_choice: Option<usize>,
    pub columns_choice: Option<usize>,
    pub side_choice: Option<usize>,
    pub rule: Cells,
    pub cells: Vec<u8>,
}

/// A shape that is running.
pub(crate) struct Run<'a, M> {
    shape: &'a Shape,
    pub(crate) medium: &'a mut M,
    variables: Vec<HashMap<Vec<Value>, (Value, Origin)>>,
    /// Variables without an index, which are most of them.
    plain: Vec<Option<(Value, Origin)>>,
    /// The limit of each variable.
    limits: Vec<Option<i64>>,
    distinct: Vec<Distinct>,
    /// The origins of the values that the command has read.
    pub(crate) read: Vec<usize>,
    patterns: HashMap<Arc<[u8]>, Arc<Pattern>>,
    /// The steps that the run may take, and those that are left of them.
    steps: u64,
    steps_left: u64,
    /// The offset of the command that runs.
    pub(crate) command: usize,
    /// A mistake of the shape, which no other choices mend.
    is_hopeless: bool,
    exceeds: Option<Exceeded>,
    made: Made,
    keeps_log: bool,
    most_area: u64,
    pub(crate) reached: Option<&'a mut Reached>,
    /// The letter of this repetition that its counts have chosen, or that was read; [`FREE`] for any other letter.
    counted: Option<u8>,
    /// The letters that have counts, if the input is read.
    read_letters: Vec<u8>,
    /// The numbers in the name of the test.
    given: Vec<i64>,
}

/// The choices behind a value: the last one before it was set, and the last one behind the values that it was computed from. A number
/// is one more than that of the choice, and 0 is no choice.
type Origin = [usize; 2];

pub(crate) type Done<T> = Result<T, String>;

impl<'a, M: Medium> Run<'a, M> {
    pub(crate) fn new(
        shape: &'a Shape,
        medium: &'a mut M,
        options: &Options,
        bytes: usize,
    ) -> Self {
        /// A shape may run this many commands, and more for a longer input.
        const STEPS: u64 = 2_000_000;
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
            medium,
            variables: vec![HashMap::new(); count],
            plain,
            limits,
            distinct: Vec::new(),
            read: Vec::new(),
            patterns: HashMap::new(),
            steps: STEPS + 100 * bytes as u64,
            steps_left: STEPS + 100 * bytes as u64,
            command: 0,
            is_hopeless: false,
            exceeds: None,
            made: Made::default(),
            keeps_log: false,
            most_area: u64::MAX,
            reached: None,
            counted: None,
            read_letters: Vec::new(),
            given: options.parameters.clone(),
        }
    }

    /// Fails once the input has more elements than this.
    pub(crate) fn at_most(self, most_area: u64) -> Self {
        Self { most_area, ..self }
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

    /// As [`run`](Self::run), for the last value of each field, as text.
    pub(crate) fn fields(self) -> Result<BTreeMap<String, String>, Failure> {
        let run = self.finish()?;
        let values = run.plain.iter().zip(&run.shape.names);
        let named = values.filter_map(|(value, name)| Some((name.clone(), value.as_ref()?)));
        Ok(named.map(|(name, (value, _))| (name, value.to_string())).collect())
    }

    fn finish(mut self) -> Result<Self, Failure> {
        let shape = self.shape;
        let result = self.commands(&shape.commands).and_then(|()| self.medium.end());
        let result = result.and_then(|()| self.parameters());
        match result {
            Ok(()) => Ok(self),
            Err(message) => Err(Failure {
                in_shape: self.command,
                in_input: self.medium.position(),
                choices: self.read.iter().filter_map(|number| number.checked_sub(1)).collect(),
                may_depend_on_choices: !self.is_hopeless,
                is_too_large: self.made.area > self.most_area,
                exceeds: self.exceeds,
                steps: self.steps - self.steps_left,
                message,
            }),
        }
    }

    /// Counts steps, so that every run ends.
    pub(crate) fn spend(&mut self, steps: u64) -> Done<()> {
        self.steps_left = self.steps_left.saturating_sub(steps);
        if self.steps_left == 0 {
            self.is_hopeless = true;
            return Err("this takes too many steps: is a loop endless?".to_owned());
        }
        Ok(())
    }

    /// Counts elements of the input.
    pub(crate) fn element(&mut self, count: u64) -> Done<()> {
        self.made.area += count;
        if self.made.area > self.most_area {
            return Err(format!("the input has more than {} elements", self.most_area));
        }
        Ok(())
    }

    /// Notes a repetition that ends here.
    pub(crate) fn log_span(&mut self, start: usize, count: Option<usize>) {
        if self.keeps_log {
            self.made.spans.push(Span { start, end: self.medium.choices(), count });
        }
    }

    pub(crate) fn log_grid(&mut self, grid: impl FnOnce() -> GridMade) {
        if self.keeps_log {
            self.made.grids.push(grid());
        }
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
            What::Space => self.medium.space(),
            What::Newline => self.medium.newline(),
            What::Eof => self.medium.end(),
            What::Int(int) => self.int(int),
            What::Word { words, name } => self.word(words, name.as_ref()),
            What::Blanks { least } => {
                let before = self.medium.position();
                self.medium.blanks(*least)?;
                self.element((self.medium.position() - before - *least) as u64)
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
                self.medium.text(&text)
            }
            What::Regex { expression, compiled, name } => {
                let pattern = match compiled {
                    Some(pattern) => pattern.clone(),
                    None => self.compile(expression)?,
                };
                let length = self.wanted_length(command.at);
                let text = self.medium.pattern(&pattern, length);
                let text = text.map_err(|message| self.named(name.as_ref(), message))?;
                self.element(text.len() as u64)?;
                name.as_ref().map_or(Ok(()), |name| self.set(name, Value::Text(text.into())))
            }
            What::Assert(test, source) => self.assert(test, source.as_deref()),
            What::Set(assignments) => assignments.iter().try_for_each(|(variable, value)| {
                let value = self.value(value)?;
                self.set(variable, value)
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
                self.commands(branch)
            }
        }
    }

    fn int(&mut self, int: &'a Int) -> Done<()> {
        let name = int.name.as_ref();
        let least = integer(self.value(&int.least)?)?;
        let mut most = integer(self.value(&int.most)?)?;
        let usual = match &int.usual {
            Some((first, last)) => Some((self.value(first)?, self.value(last)?)),
            None => None,
        };
        let is_size = name.is_some_and(|name| self.shape.sizes[name.name]);
        let role = match name {
            Some(name) if self.shape.varieties[name.name] => Role::Variety,
            _ if is_size => Role::Size,
            _ => Role::Number,
        };
        let bound = most.clone();
        if let Some(limit) = name.and_then(|name| self.limits[name.name])
            && self.medium.is_made()
            && most.compare(&Value::from(limit))? == Ordering::Greater
        {
            most = Value::from(limit);
        }
        let number = match int.distinct {
            Some(set) => self.distinct_number(set, &least, &most, role),
            None => {
                let usual =
                    usual.and_then(|(first, last)| Usual::of((&least, &most), (&first, &last)));
                let range = Range { least: least.clone(), most, usual };
                self.medium.integer(&range, role)
            }
        };
        let number = number.map_err(|message| self.named(name, message))?;
        if self.reached.is_some() {
            let bounds = [(Fact::Least, &least), (Fact::Most, &bound)];
            bounds
                .into_iter()
                .filter(|(_, bound)| **bound == number)
                .for_each(|(fact, _)| self.note(fact));
        }
        if !is_size {
            self.element(1)?;
        }
        match name {
            Some(name) => self.set_number(name, number),
            None => Ok(()),
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

    fn distinct_number(
        &mut self,
        set: usize,
        least: &Value,
        most: &Value,
        role: Role,
    ) -> Done<Value> {
        self.distinct_set(set);
        if self.medium.has_choices() {
            self.spend(self.made.area / 8 + 1)?;
        }
        let number = self.medium.distinct(least, most, role, &mut self.distinct[set])?;
        self.distinct[set].add(number.clone());
        Ok(number)
    }

    fn named(&self, name: Option<&Variable>, message: String) -> String {
        match name {
            Some(name) => named(&self.shape.names[name.name], &message),
            None => message,
        }
    }

    fn word(&mut self, words: &'a [Vec<u8>], name: Option<&'a Variable>) -> Done<()> {
        let at = self.medium.word(words).map_err(|message| self.named(name, message))?;
        self.note(Fact::Word(at));
        name.map_or(Ok(()), |name| self.set(name, Value::text(&words[at])))
    }

    fn float(
        &mut self,
        (least, most): (&Expr, &Expr),
        decimals: Option<&(Expr, Expr)>,
        name: Option<&'a Variable>,
        form: Form,
    ) -> Done<()> {
        let (least, most) = (self.value(least)?.to_decimal()?, self.value(most)?.to_decimal()?);
        let decimals = match decimals {
            Some((fewest, most)) => {
                let (fewest, most) = (self.count(fewest)?, self.count(most)?);
                if fewest > most {
                    return Err(format!("there is no number of decimals from {fewest} to {most}"));
                }
                Some((fewest as usize, most as usize))
            }
            None => None,
        };
        let number = self.medium.decimal(&DecimalRule { least, most, decimals, form });
        let number = number.map_err(|message| self.named(name, message))?;
        self.element(1)?;
        name.map_or(Ok(()), |name| self.set(name, Value::Decimal(number.into())))
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
        let origin = [self.medium.choices(), self.read.iter().copied().max().unwrap_or(0)];
        if variable.indices.is_empty() {
            self.plain[variable.name] = Some((value, origin));
        } else {
            let indices = self.indices(&variable.indices)?;
            self.variables[variable.name].insert(indices, (value, origin));
        }
        Ok(())
    }
}

fn integer(value: Value) -> Done<Value> {
    if value.is_integer() { Ok(value) } else { value.to_integer().map(Value::from) }
}
