//! Runs repetitions, alternatives, what means nothing, and the numbers in the name of a test.

use super::many::letters_of;
use super::{Done, Run};
use crate::choice::{Choice, Role};
use crate::number;
use crate::reached::Fact;
use crate::stream::Stream;
use crate::tree::{Case, Command, Expr, Int, Noise, Until, Variable};
use crate::usual::{self, Preferred, Usual};
use crate::value::Value;
use std::cmp::Ordering;

impl<'a, M: Stream> Run<'a, M> {
    pub(super) fn repeat(
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
        self.begin_list_of(at, body, count);
        let list = self.new_list();
        let mut done = 0_u64;
        loop {
            if let Some(index) = index {
                self.set(index, Value::from(done as i64))?;
            }
            let start = self.stream.choices();
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
            let size = self.made.size;
            self.stream.begin_repetition();
            self.commands(body)?;
            self.count_repetition(size)?;
            self.command = at;
            self.spend(1)?;
            self.log_span(start, count_choice, list);
            done += 1;
        }
    }

    /// A list or graph begins, the command of which has this offset.
    pub(crate) fn begin_list(&mut self, at: usize, letters: u64, rows: Option<u64>) {
        self.prefer(at);
        self.stream.begin_list(letters, rows);
    }

    /// A list begins in which each repetition is `body`. Where its numbers may be the edges of a tree, they mostly are.
    pub(super) fn begin_list_of(&mut self, at: usize, body: &'a [Command], rows: Option<u64>) {
        let has_usual = self.shape.usual.contains_key(&at);
        if self.stream.is_made() && !has_usual && rows.is_some_and(|it| self.may_be_tree(body, it))
        {
            self.stream.prefer(&[Preferred { usual: Usual::Tree, column: None, in_order: None }]);
            self.stream.begin_list(letters_of(body), rows);
        } else {
            self.begin_list(at, letters_of(body), rows);
        }
    }

    /// Whether each repetition begins with two of as many numbers as a tree of so many edges has nodes.
    fn may_be_tree(&mut self, body: &'a [Command], rows: u64) -> bool {
        let Some(ends) = usual::ends(body) else { return false };
        let bounds = ends.map(|Int { least, most, .. }| {
            // A bound that a repetition sets has no value yet.
            Some((self.value(least).ok()?, self.value(most).ok()?))
        });
        let [Some((least, most)), Some(others)] = bounds else { return false };
        let is_same = |a: &Value, b: &Value| a.compare(b).is_ok_and(Ordering::is_eq);
        let nodes = number::options_of(&least, &most).unwrap_or(0);
        is_same(&least, &others.0) && is_same(&most, &others.1) && rows > 1 && nodes == rows + 1
    }

    /// What is drawn next rather has the structures that the shape names for this command.
    pub(super) fn prefer(&mut self, at: usize) {
        let shape = self.shape;
        self.stream.prefer(shape.usual.get(&at).map_or(&[], Vec::as_slice));
    }

    /// What may be there and means nothing.
    pub(crate) fn noise(&mut self, noises: &[Noise]) -> Done<()> {
        const OPTIONS: u64 = 1 << 30;
        let kinds = noises.iter().filter(|noise| noise.is_made()).count() as u64;
        let is_made = self.stream.is_made();
        if noises.is_empty() || is_made && kinds == 0 {
            return Ok(());
        }
        let (mark, list) = (self.stream.choices(), self.new_list());
        let made = if is_made { self.stream.choose(OPTIONS, Role::Rare) } else { 0 };
        let mut count = 0;
        loop {
            let start = self.stream.choices();
            let kind = match is_made {
                true if count == made => break,
                true if kinds > 1 => self.stream.choose(kinds, Role::Branch) as usize,
                true => 0,
                false => {
                    let stream = &*self.stream;
                    let is_next = |noise: &Noise| match noise {
                        Noise::Comments(prefix) => stream.is_next(prefix),
                        Noise::BlankLines(_) => stream.is_next(b"\n") || stream.is_next(b"\r\n"),
                    };
                    let Some(kind) = noises.iter().position(is_next) else { break };
                    kind
                }
            };
            self.spend(1)?;
            if !noises[kind].is_made() {
                self.one_noise(&noises[kind])?;
                continue;
            }
            if !is_made && kinds > 1 {
                let choice = Choice { value: kind as u64, options: kinds, role: Role::Branch };
                self.stream.record(self.stream.choices(), &[choice]);
            }
            self.one_noise(&noises[kind])?;
            self.log_span(start, Some(mark), list);
            count += 1;
        }
        if kinds > 0 {
            let choice = Choice { value: count, options: OPTIONS, role: Role::Rare };
            self.stream.record(mark, &[choice]);
        }
        if count > 0 {
            self.note(Fact::Repeated);
        }
        Ok(())
    }

    pub(super) fn one_noise(&mut self, noise: &Noise) -> Done<()> {
        self.noise_element(1)?;
        if let Noise::Comments(prefix) = noise {
            let start = self.stream.choices();
            let length = self.stream.comment(prefix)?;
            self.noise_element(length as u64)?;
            self.log_letters(start, length, None);
        }
        self.stream.newline()
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
        let role = if self.apart.is_some() { Role::Filling } else { Role::Size };
        let count = least + self.stream.choose(most - least + 1, role);
        if let Some(name) = name {
            self.set(name, Value::from(count as i64))?;
        }
        Ok(count)
    }

    pub(super) fn cases(&mut self, by: &'a Variable, cases: &'a [Case]) -> Done<()> {
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
    pub(super) fn parameters(&mut self) -> Done<()> {
        /// All numbers of a range are alike if there are no more than this.
        const FEW: u64 = 16;
        let role_of = |options| if options > FEW { Role::Number } else { Role::Place };
        let shape = self.shape;
        for (number, parameter) in shape.parameters.iter().enumerate() {
            self.command = parameter.at;
            let (least, most) = (self.value(&parameter.least)?, self.value(&parameter.most)?);
            let name = &shape.names[parameter.name.name];
            let value = match self.given.get(number) {
                _ if self.stream.is_made() => {
                    let options = number::options_of(&least, &most)?;
                    if options == 0 {
                        return Err(format!("`{name}`: there is no number from {least} to {most}"));
                    }
                    number::nth_of(&least, &most, self.stream.choose(options, role_of(options)))?
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
            if let (Value::Small(small), true) = (&value, self.stream.is_made()) {
                self.made.parameters.push(*small);
            }
            let (value_choice, options) = number::choice(&least, &most, &value)?;
            let choice = Choice { value: value_choice, options, role: role_of(options) };
            self.stream.record(self.stream.choices(), &[choice]);
            self.log_reference(&least, (&parameter.most, &most));
            self.set(&parameter.name, value)?;
        }
        Ok(())
    }
}
