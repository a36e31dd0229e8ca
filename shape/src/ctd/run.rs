//! Runs a script on a medium: on an input that is read, or on one that is made.

use super::Presets;
use super::script::{Command, Comparison, Expr, Script, Test, Until, Variable, What};
use crate::choice::Role;
use crate::medium::{DecimalRule, Form, Medium};
use crate::pattern::Pattern;
use crate::value::Value;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Why a run of a script failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The offset of the command in the script.
    pub in_script: usize,
    /// The offset in the input.
    pub in_input: usize,
    pub message: String,
    /// The choices that the failure may depend on, by their numbers. They made the values that the failed command has read.
    pub choices: Vec<usize>,
    /// Other choices may succeed. `false` for a mistake of the script itself.
    pub may_depend_on_choices: bool,
}

/// A script that is running.
pub(super) struct Run<'a, M> {
    script: &'a Script,
    medium: &'a mut M,
    variables: Vec<HashMap<Vec<Value>, (Value, Origin)>>,
    /// Variables without an index, which are most of them.
    plain: Vec<Option<(Value, Origin)>>,
    /// The origins of the values that the command has read.
    read: Vec<usize>,
    patterns: HashMap<Arc<[u8]>, Arc<Pattern>>,
    lengths: HashMap<usize, Expr>,
    steps_left: u64,
    command: usize,
}

/// The choices behind a value: the last one before it was set, and the last one behind the values that it was computed from. A number
/// is one more than that of the choice, and 0 is no choice.
type Origin = [usize; 2];

type Done<T> = Result<T, String>;

impl<'a, M: Medium> Run<'a, M> {
    pub(super) fn new(
        script: &'a Script,
        medium: &'a mut M,
        presets: &Presets,
        bytes: usize,
    ) -> Self {
        /// A script may run this many commands, and more for a longer input.
        const STEPS: u64 = 2_000_000;
        let mut plain = vec![None; script.names.len()];
        for (name, value) in presets {
            if let Some(index) = script.names.iter().position(|known| known == name) {
                plain[index] = Some((value.clone(), [0; 2]));
            }
        }
        Self {
            script,
            medium,
            variables: vec![HashMap::new(); script.names.len()],
            plain,
            read: Vec::new(),
            patterns: HashMap::new(),
            lengths: super::lengths::of(&script.commands),
            steps_left: STEPS + 100 * bytes as u64,
            command: 0,
        }
    }

    /// Runs the whole script, and expects the end of the input after it.
    pub(super) fn to_end(mut self) -> Result<(), Failure> {
        let script = self.script;
        let result = self.commands(&script.commands).and_then(|()| self.medium.end());
        result.map_err(|message| Failure {
            in_script: self.command,
            in_input: self.medium.position(),
            choices: self.read.iter().filter_map(|number| number.checked_sub(1)).collect(),
            may_depend_on_choices: self.steps_left > 0,
            message,
        })
    }

    fn commands(&mut self, commands: &'a [Command]) -> Done<()> {
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &'a Command) -> Done<()> {
        self.command = command.at;
        self.read.clear();
        self.steps_left = self.steps_left.saturating_sub(1);
        if self.steps_left == 0 {
            return Err("the script runs too long: is this loop endless?".to_owned());
        }
        match &command.what {
            What::Space => self.medium.space(),
            What::Newline => self.medium.newline(),
            What::Eof => self.medium.end(),
            What::Int { least, most, name } => self.int(least, most, name.as_ref()),
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
                let text = self.medium.pattern(&pattern, length)?;
                name.as_ref().map_or(Ok(()), |name| self.set(name, Value::Text(text.into())))
            }
            What::Assert(test) => match self.test(test, true)? {
                true => Ok(()),
                false => Err("the assertion fails".to_owned()),
            },
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
                let branch = if self.test(test, false)? { then } else { otherwise };
                self.commands(branch)
            }
        }
    }

    fn int(&mut self, least: &Expr, most: &Expr, name: Option<&'a Variable>) -> Done<()> {
        let least = self.value(least)?.to_integer()?;
        let most = self.value(most)?.to_integer()?;
        let role = match name {
            Some(name) if self.script.sizes[name.name] => Role::Size,
            _ => Role::Number,
        };
        let number = self.medium.integer(&least, &most, role)?;
        name.map_or(Ok(()), |name| self.set(name, Value::from(number)))
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
        let number = self.medium.decimal(&DecimalRule { least, most, decimals, form })?;
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
        let mut done = 0_u64;
        loop {
            if let Some(index) = index {
                self.set(index, Value::from(done as i64))?;
            }
            // The test of the next round comes before the separator.
            let goes_on = match (count, until) {
                (Some(count), _) => done < count,
                (None, Until::Not(test)) => self.test(test, false)?,
                (None, Until::Count(_)) => unreachable!("its count is known"),
            };
            if !goes_on {
                return Ok(());
            }
            if done > 0
                && let Some(separator) = separator
            {
                self.command(separator)?;
            }
            self.commands(body)?;
            self.command = at;
            self.steps_left = self.steps_left.saturating_sub(1);
            if self.steps_left == 0 {
                return Err("the script runs too long: is this loop endless?".to_owned());
            }
            done += 1;
        }
    }

    /// A count, which must fit 32 bits.
    fn count(&mut self, count: &Expr) -> Done<u64> {
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
        let pattern = Arc::new(Pattern::new(&text)?);
        self.patterns.insert(text, pattern.clone());
        Ok(pattern)
    }

    fn wanted_length(&mut self, at: usize) -> Option<usize> {
        let length = self.lengths.get(&at)?.clone();
        // The length may depend on something that comes later.
        self.value(&length).ok()?.to_integer().ok()?.to_usize()
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
                    format!("`{}` has no value here", self.script.names[variable.name])
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
                left.apply(*operator, &right)
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
                let ordering = self.value(left)?.compare(&self.value(right)?)?;
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
                self.medium.is_next_in(&set, simple)
            }
            Test::IsEof => self.medium.is_at_end(simple),
            Test::Unique(names) => self.unique(names)?,
            Test::InArray(value, name) => {
                let value = self.value(value)?;
                if self.variables[*name].is_empty() {
                    return Err(format!("`{}` is not an array here", self.script.names[*name]));
                }
                self.variables[*name].values().any(|(element, _)| *element == value)
            }
        })
    }

    /// Whether the tuples of all arrays at the same indices are different.
    fn unique(&mut self, names: &[usize]) -> Done<bool> {
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
                self.script.names[names[0]],
                self.script.names[names[at + 1]]
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
