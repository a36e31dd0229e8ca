//! Values of expressions, and tests.

use super::{Done, Run};
use crate::pattern::Pattern;
use crate::stream::Stream;
use crate::tree::{Comparison, Expr, Test};
use crate::value::Value;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl<'a, M: Stream> Run<'a, M> {
    pub(super) fn assert(&mut self, test: &'a Test, source: Option<&str>) -> Done<()> {
        let is_mistake = self.stream.is_place_for_mistake();
        if self.test(test, !is_mistake)? != is_mistake {
            if is_mistake {
                let what = source
                    .map_or_else(|| "the assertion".to_owned(), |source| format!("`{source}`"));
                self.stream.tell_mistake(format!("{what} does not hold"));
            }
            return Ok(());
        }
        Err(match source {
            Some(source) => format!("expected that `{source}`{}", self.values_in(test)),
            None => "the assertion fails".to_owned(),
        })
    }

    /// The values of the variables in a test, for a message.
    pub(super) fn values_in(&mut self, test: &Test) -> String {
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

    pub(super) fn compile(&mut self, expression: &Expr) -> Done<Arc<Pattern>> {
        let text = self.value(expression)?.as_text()?.clone();
        if let Some(known) = self.patterns.get(&text) {
            return Ok(known.clone());
        }
        self.spend(text.len() as u64)?;
        let pattern = Arc::new(Pattern::new(&text).map_err(|refused| refused.to_string())?);
        self.patterns.insert(text, pattern.clone());
        Ok(pattern)
    }

    /// The length that a text must have, and the choice that it is, if it is one.
    pub(super) fn wanted_length(&mut self, at: usize) -> Option<(usize, Option<usize>)> {
        let length = self.shape.lengths.get(&at)?;
        // The length may depend on something that comes later.
        let wanted = self.value(length).ok()?.to_integer().ok()?.to_usize()?;
        let counted = self.counted_by(length).filter(|(_, number)| *number == wanted as i64);
        Some((wanted, counted.map(|(choice, _)| choice)))
    }

    pub(super) fn indices(&mut self, indices: &[Expr]) -> Done<Vec<Value>> {
        indices.iter().map(|index| self.value(index)).collect()
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Done<Value> {
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
                if self.stream.choices() > 0 {
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
    pub(super) fn test(&mut self, test: &Test, simple: bool) -> Done<bool> {
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
                self.stream.is_next_in(&is_in, simple)
            }
            Test::IsEof => self.stream.is_at_end(simple),
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
    pub(super) fn unique(&mut self, names: &[usize]) -> Done<bool> {
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
