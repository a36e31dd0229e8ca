//! Runs a shape on a medium: on an input that is read, or on one that is made.

use crate::choice::{Choice, Role};
use crate::distinct::Distinct;
use crate::grid::{Cells, Count, FREE, Side, named};
use crate::medium::{DecimalRule, Form, Medium};
use crate::number;
use crate::pattern::Pattern;
use crate::reached::{Fact, Reached};
use crate::tree::{
    Case, Command, Comparison, Expr, Many, Noise, Shape, Test, Until, Variable, What,
};
use crate::value::Value;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

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
    pub(crate) fn to_end(mut self) -> Result<Made, Failure> {
        let shape = self.shape;
        let result = self.commands(&shape.commands).and_then(|()| self.medium.end());
        let result = result.and_then(|()| self.parameters());
        match result {
            Ok(()) => Ok(self.made),
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
            What::Int { least, most, name, distinct } => {
                self.int(least, most, name.as_ref(), *distinct)
            }
            What::Word { words, name } => self.word(words, name.as_ref()),
            What::Blanks { least } => {
                let before = self.medium.position();
                self.medium.blanks(*least)?;
                self.element((self.medium.position() - before - *least) as u64)
            }
            What::Noise(noises) => self.noise(noises),
            What::Many(many) => self.many(command.at, many),
            What::Letter { letters, name } => self.letter(letters, name.as_ref()),
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

    fn int(
        &mut self,
        least: &Expr,
        most: &Expr,
        name: Option<&'a Variable>,
        distinct: Option<usize>,
    ) -> Done<()> {
        let least = integer(self.value(least)?)?;
        let most = integer(self.value(most)?)?;
        let is_size = name.is_some_and(|name| self.shape.sizes[name.name]);
        let role = match name {
            Some(name) if self.shape.varieties[name.name] => Role::Variety,
            _ if is_size => Role::Size,
            _ => Role::Number,
        };
        let limit = name.and_then(|name| self.limits[name.name]);
        let number = match (distinct, limit) {
            (Some(set), _) => self.distinct_number(set, &least, &most, role),
            (None, Some(limit)) if self.medium.is_made() => {
                let limit = Value::from(limit);
                let lower =
                    if most.compare(&limit)? == Ordering::Greater { limit } else { most.clone() };
                self.medium.integer(&least, &lower, role)
            }
            (None, _) => self.medium.integer(&least, &most, role),
        };
        let number = number.map_err(|message| self.named(name, message))?;
        if self.reached.is_some() {
            let bounds = [(Fact::Least, &least), (Fact::Most, &most)];
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

    fn assert(&mut self, test: &'a Test, source: Option<&str>) -> Done<()> {
        let is_mistake = self.medium.is_place_for_mistake();
        if self.test(test, !is_mistake)? != is_mistake {
            if is_mistake {
                let what = source
                    .map_or_else(|| "the assertion".to_owned(), |source| format!("`{source}`"));
                self.medium.tell_mistake(format!("{what} does not hold"));
            }
            return Ok(());
        }
        Err(match source {
            Some(source) => format!("expected that `{source}`{}", self.values_in(test)),
            None => "the assertion fails".to_owned(),
        })
    }

    /// The values of the variables in a test, for a message.
    fn values_in(&mut self, test: &Test) -> String {
        let mut names = Vec::new();
        test.variables(&mut names);
        names.sort_unstable();
        names.dedup();
        let value = |&name: &usize| {
            let (value, _) = self.plain[name].as_ref()?;
            Some(format!("`{}` is {value}", self.shape.names[name]))
        };
        let values: Vec<_> = names.iter().filter_map(value).collect();
        if values.is_empty() { String::new() } else { format!("; {}", values.join(", ")) }
    }

    /// What may be there and means nothing.
    pub(crate) fn noise(&mut self, noises: &[Noise]) -> Done<()> {
        const OPTIONS: u64 = 1 << 30;
        if noises.is_empty() {
            return Ok(());
        }
        let is_made = self.medium.is_made();
        let mark = self.medium.choices();
        let made = if is_made { self.medium.choose(OPTIONS, Role::Rare) } else { 0 };
        let mut count = 0;
        loop {
            let kinds = noises.len() as u64;
            let kind = match is_made {
                true if count == made => break,
                true if kinds > 1 => self.medium.choose(kinds, Role::Branch) as usize,
                true => 0,
                false => {
                    let medium = &*self.medium;
                    let is_next = |noise: &Noise| match noise {
                        Noise::Comments(prefix) => medium.is_next(prefix),
                        Noise::BlankLines => medium.is_next(b"\n") || medium.is_next(b"\r\n"),
                    };
                    let Some(kind) = noises.iter().position(is_next) else { break };
                    kind
                }
            };
            if !is_made && kinds > 1 {
                let choice = Choice { value: kind as u64, options: kinds, role: Role::Branch };
                self.medium.record(self.medium.choices(), &[choice]);
            }
            self.spend(1)?;
            self.one_noise(&noises[kind])?;
            count += 1;
        }
        let choice = Choice { value: count, options: OPTIONS, role: Role::Rare };
        self.medium.record(mark, &[choice]);
        if count > 0 {
            self.note(Fact::Repeated);
        }
        Ok(())
    }

    fn one_noise(&mut self, noise: &Noise) -> Done<()> {
        static ANY: LazyLock<Pattern> =
            LazyLock::new(|| Pattern::new(b"[^\n]*").expect("this is an expression"));
        // The letters of both are in the same order, so that choices of one are choices of the other.
        static PRINTABLE: LazyLock<Pattern> =
            LazyLock::new(|| Pattern::new(b"[ -~]*").expect("this is an expression"));
        self.element(1)?;
        if let Noise::Comments(prefix) = noise {
            self.medium.text(prefix)?;
            let pattern: &Pattern = if self.medium.is_made() { &PRINTABLE } else { &ANY };
            let text = self.medium.pattern(pattern, None)?;
            self.element(text.len() as u64)?;
        }
        self.medium.newline()
    }

    /// A number of repetitions or rows that the shape leaves open. The input is made.
    pub(crate) fn own_count(
        &mut self,
        least: &Expr,
        most: &Expr,
        name: Option<&'a Variable>,
    ) -> Done<u64> {
        let (least, mut most) = (self.count(least)?, self.count(most)?);
        if let Some(limit) = name.and_then(|name| self.limits[name.name]) {
            most = most.min(limit.max(0) as u64);
        }
        if least > most {
            return Err(format!("there is no number from {least} to {most}"));
        }
        let count = least + self.medium.choose(most - least + 1, Role::Size);
        if let Some(name) = name {
            self.set(name, Value::from(count as i64))?;
        }
        Ok(count)
    }

    fn many(&mut self, at: usize, many: &'a Many) -> Done<()> {
        many.sets.iter().for_each(|&set| *self.distinct_set(set) = Distinct::default());
        let mut counts = Vec::new();
        for Count { letter, count, is_exact } in &many.counts {
            counts.push((*letter, self.count(count)? as usize, *is_exact));
        }
        let counted = Cells::of_letters(counts);
        let result = if self.medium.is_made() {
            self.make_many(at, many, counted)
        } else {
            self.read_many(at, many, counted)
        };
        self.counted = None;
        result
    }

    fn make_many(&mut self, at: usize, many: &'a Many, counted: Cells) -> Done<()> {
        let (count, choice) = self.side(&many.count)?;
        let letters = counted.resized(count as usize, 1);
        self.spend(1 + if letters.has_counts() { count } else { 0 })?;
        let letters = match letters.has_counts() {
            true => letters.make(&mut |options, role| self.medium.choose(options, role))?,
            false => Vec::new(),
        };
        for number in 0..count as usize {
            let start = self.medium.choices();
            self.counted = letters.get(number).copied();
            self.noise(&many.noise)?;
            self.commands(&many.body)?;
            self.command = at;
            self.log_span(start, choice);
        }
        self.noise(&many.noise)?;
        self.note(if count == 0 { Fact::Never } else { Fact::Repeated });
        Ok(())
    }

    fn read_many(&mut self, at: usize, many: &'a Many, counted: Cells) -> Done<()> {
        let mark = self.medium.choices();
        let (least, most) = self.bounds(&many.count)?;
        let mut letters = Vec::new();
        let mut count = 0;
        self.noise(&many.noise)?;
        while count < least || (least < most && self.goes_on(many)) {
            let position = self.medium.position();
            if count == most {
                let what = match &many.count {
                    Side::Own { name: Some(name), .. } => &self.shape.names[name.name],
                    _ => "of these",
                };
                return Err(format!("expected at most {most} {what}, found more"));
            }
            self.counted = Some(FREE);
            self.read_letters = counted.counted_letters();
            self.commands(&many.body)?;
            self.command = at;
            letters.extend(self.counted.filter(|_| counted.has_counts()));
            if self.medium.position() == position {
                self.is_hopeless = true;
                return Err("this can repeat without end, because it may be empty".to_owned());
            }
            count += 1;
            self.noise(&many.noise)?;
        }
        self.read_letters.clear();
        counted.check_counts("these", &letters)?;
        let mut choices = Vec::new();
        self.own_side(&many.count, (least, most), count, &mut choices)?;
        if self.medium.has_choices() && counted.has_counts() {
            choices.extend(counted.resized(count as usize, 1).choices(&letters));
        }
        self.medium.record(mark, &choices);
        self.note(if count == 0 { Fact::Never } else { Fact::Repeated });
        Ok(())
    }

    fn goes_on(&self, many: &Many) -> bool {
        let next = self.medium.peek();
        next.is_some_and(|byte| many.is_last || many.first[usize::from(byte)])
    }

    /// A letter. One that is counted in the repetitions around it was chosen by its count.
    fn letter(&mut self, letters: &'a [u8], name: Option<&'a Variable>) -> Done<()> {
        let letter = if self.medium.is_made() {
            match self.counted.filter(|&letter| letter != FREE) {
                Some(letter) => letter,
                None => letters[self.medium.choose(letters.len() as u64, Role::Cell) as usize],
            }
        } else {
            FREE
        };
        let all: Vec<u8> = letters.iter().chain(&self.read_letters).copied().collect();
        let letter =
            self.medium.letter(&all, letter).map_err(|message| self.named(name, message))?;
        if self.read_letters.contains(&letter) {
            self.counted = Some(letter);
        } else if let Some(value) = letters.iter().position(|&other| other == letter) {
            let choice =
                Choice { value: value as u64, options: letters.len() as u64, role: Role::Cell };
            self.medium.record(self.medium.choices(), &[choice]);
        }
        self.element(1)?;
        name.map_or(Ok(()), |name| self.set(name, Value::text(&[letter])))
    }

    fn cases(&mut self, by: &'a Variable, cases: &'a [Case]) -> Done<()> {
        let value = self.value(&Expr::Variable(by.clone()))?;
        let Some(case) = cases.iter().find(|case| case.value == value) else {
            return Err(format!(
                "`{}` is {value}, for which there is no case",
                self.shape.names[by.name]
            ));
        };
        if let Some(reached) = &mut self.reached {
            reached.add(case.at, Fact::Then);
        }
        self.commands(&case.commands)
    }

    /// The numbers in the name of a test.
    fn parameters(&mut self) -> Done<()> {
        let shape = self.shape;
        for (number, parameter) in shape.parameters.iter().enumerate() {
            self.command = parameter.at;
            let (least, most) = (self.value(&parameter.least)?, self.value(&parameter.most)?);
            let name = &shape.names[parameter.name.name];
            let value = match self.given.get(number) {
                _ if self.medium.is_made() => {
                    let options = number::options_of(&least, &most)?;
                    if options == 0 {
                        return Err(format!("`{name}`: there is no number from {least} to {most}"));
                    }
                    number::nth_of(&least, &most, self.medium.choose(options, Role::Number))?
                }
                Some(&given) => Value::from(given),
                // Without the name of a test, there is nothing to check.
                None => return Ok(()),
            };
            let is_in = value.compare(&least)?.is_ge() && value.compare(&most)?.is_le();
            if !is_in {
                return Err(format!(
                    "expected `{name}`, a whole number from {least} to {most}, found {value}"
                ));
            }
            if let (Value::Small(small), true) = (&value, self.medium.is_made()) {
                self.made.parameters.push(*small);
            }
            let (value_choice, options) = number::choice(&least, &most, &value)?;
            let choice = Choice { value: value_choice, options, role: Role::Number };
            self.medium.record(self.medium.choices(), &[choice]);
            self.set(&parameter.name, value)?;
        }
        Ok(())
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

    fn repeat(
        &mut self,
        at: usize,
        index: Option<&'a Variable>,
        until: &'a Until,
        separator: Option<&'a Command>,
        body: &'a [Command],
    ) -> Done<()> {
        let count = match until {
            Until::Count(count) => Some(self.count(count)?),
            Until::Not(_) => None,
        };
        let count_choice = self.origin();
        let mut done = 0_u64;
        loop {
            if let Some(index) = index {
                self.set(index, Value::from(done as i64))?;
            }
            let start = self.medium.choices();
            // The test of the next round comes before the separator.
            let goes_on = match (count, until) {
                (Some(count), _) => done < count,
                (None, Until::Not(test)) => self.test(test, false)?,
                (None, Until::Count(_)) => unreachable!("its count is known"),
            };
            if !goes_on {
                self.note(if done == 0 { Fact::Never } else { Fact::Repeated });
                return Ok(());
            }
            if done > 0
                && let Some(separator) = separator
            {
                self.command(separator)?;
            }
            self.commands(body)?;
            self.command = at;
            self.spend(1)?;
            self.log_span(start, count_choice);
            done += 1;
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

    fn compile(&mut self, expression: &Expr) -> Done<Arc<Pattern>> {
        let text = self.value(expression)?.as_text()?.clone();
        if let Some(known) = self.patterns.get(&text) {
            return Ok(known.clone());
        }
        self.spend(text.len() as u64)?;
        let pattern = Arc::new(Pattern::new(&text)?);
        self.patterns.insert(text, pattern.clone());
        Ok(pattern)
    }

    fn wanted_length(&mut self, at: usize) -> Option<usize> {
        let length = self.shape.lengths.get(&at)?;
        // The length may depend on something that comes later.
        self.value(length).ok()?.to_integer().ok()?.to_usize()
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

    fn indices(&mut self, indices: &[Expr]) -> Done<Vec<Value>> {
        indices.iter().map(|index| self.value(index)).collect()
    }

    fn value(&mut self, expr: &Expr) -> Done<Value> {
        match expr {
            Expr::Value(value) => Ok(value.clone()),
            Expr::Variable(variable) => {
                let found = if variable.indices.is_empty() {
                    self.plain[variable.name].clone()
                } else {
                    let indices = self.indices(&variable.indices)?;
                    self.variables[variable.name].get(&indices).cloned()
                };
                let (value, origin) = found.ok_or_else(|| {
                    format!("`{}` has no value here", self.shape.names[variable.name])
                })?;
                if self.medium.choices() > 0 {
                    self.read.extend(origin);
                }
                Ok(value)
            }
            Expr::Length(text) => Ok(Value::from(self.value(text)?.as_text()?.len() as i64)),
            Expr::Negated(number) => self.value(number)?.negated(),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let result = left.apply(*operator, &right)?;
                // Computing with large numbers takes time.
                self.spend(1 + left.weight() + right.weight() + result.weight())?;
                Ok(result)
            }
        }
    }

    /// Whether a test holds. If an input is made, `simple` is the simplest answer.
    fn test(&mut self, test: &Test, simple: bool) -> Done<bool> {
        Ok(match test {
            Test::Not(test) => !self.test(test, !simple)?,
            Test::And(first, second) => self.test(first, simple)? && self.test(second, simple)?,
            Test::Or(first, second) => self.test(first, simple)? || self.test(second, simple)?,
            Test::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.spend(1 + left.weight() + right.weight())?;
                let ordering = left.compare(&right)?;
                match comparison {
                    Comparison::Less => ordering == Ordering::Less,
                    Comparison::Greater => ordering == Ordering::Greater,
                    Comparison::AtMost => ordering != Ordering::Greater,
                    Comparison::AtLeast => ordering != Ordering::Less,
                    Comparison::Equal => ordering == Ordering::Equal,
                    Comparison::Different => ordering != Ordering::Equal,
                }
            }
            Test::Match(set) => {
                let set = self.value(set)?.as_text()?.clone();
                let mut is_in = [false; 256];
                set.iter().for_each(|&byte| is_in[usize::from(byte)] = true);
                self.medium.is_next_in(&is_in, simple)
            }
            Test::IsEof => self.medium.is_at_end(simple),
            Test::Unique(names) => self.unique(names)?,
            Test::InArray(value, name) => {
                let value = self.value(value)?;
                if self.variables[*name].is_empty() {
                    return Err(format!("`{}` is not an array here", self.shape.names[*name]));
                }
                self.spend(self.variables[*name].len() as u64)?;
                self.variables[*name].values().any(|(element, _)| *element == value)
            }
        })
    }

    /// Whether the tuples of all arrays at the same indices are different.
    fn unique(&mut self, names: &[usize]) -> Done<bool> {
        let count: usize = names.iter().map(|&name| self.variables[name].len()).sum();
        self.spend(count as u64)?;
        let elements = |name: usize| {
            let plain = self.plain[name].as_ref().map(|value| (Vec::new(), value.clone()));
            let array = self.variables[name].iter().map(|(at, value)| (at.clone(), value.clone()));
            array.chain(plain).collect::<HashMap<_, _>>()
        };
        let all: Vec<_> = names.iter().map(|&name| elements(name)).collect();
        let (first, others) = all.split_first().expect("a list has an item");
        if let Some(at) = others.iter().position(|other| {
            other.len() != first.len() || !other.keys().all(|at| first.contains_key(at))
        }) {
            return Err(format!(
                "`{}` and `{}` do not have the same indices",
                self.shape.names[names[0]],
                self.shape.names[names[at + 1]]
            ));
        }
        let mut tuples = HashSet::new();
        for at in first.keys() {
            if !tuples.insert(all.iter().map(|array| &array[at].0).collect::<Vec<_>>()) {
                self.read.extend(all.iter().flat_map(|array| array[at].1));
            }
        }
        Ok(tuples.len() == first.len())
    }
}

fn integer(value: Value) -> Done<Value> {
    if value.is_integer() { Ok(value) } else { value.to_integer().map(Value::from) }
}
