//! Runs repetitions, alternatives, what means nothing, and the numbers in the name of a test.

use super::{Done, Run};
use crate::choice::{Choice, Role};
use crate::distinct::Distinct;
use crate::grid::{Cells, Count, FREE, Side};
use crate::medium::Medium;
use crate::number;
use crate::reached::Fact;
use crate::tree::{Case, Command, Expr, Many, Noise, Until, Variable};
use crate::value::Value;

impl<'a, M: Medium> Run<'a, M> {
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
            let start = self.medium.choices();
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
            self.log_span(start, Some(mark));
            count += 1;
        }
        let choice = Choice { value: count, options: OPTIONS, role: Role::Rare };
        self.medium.record(mark, &[choice]);
        if count > 0 {
            self.note(Fact::Repeated);
        }
        Ok(())
    }

    pub(super) fn one_noise(&mut self, noise: &Noise) -> Done<()> {
        self.noise_element(1)?;
        if let Noise::Comments(prefix) = noise {
            let start = self.medium.choices();
            let length = self.medium.comment(prefix)?;
            self.noise_element(length as u64)?;
            self.log_letters(start, length);
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

    pub(super) fn many(&mut self, at: usize, many: &'a Many) -> Done<()> {
        many.sets.iter().for_each(|&set| *self.distinct_set(set) = Distinct::default());
        let mut counts = Vec::new();
        for Count { letter, count, is_exact } in &many.counts {
            counts.push((*letter, self.count(count)? as usize, *is_exact));
        }
        let counted = Cells::of_letters(counts);
        let result = if self.medium.is_made() {
            self.make_many(at, many, &counted)
        } else {
            self.read_many(at, many, &counted)
        };
        self.counted = None;
        result
    }

    pub(super) fn make_many(&mut self, at: usize, many: &'a Many, counted: &Cells) -> Done<()> {
        let (count, choice) = self.side(&many.count)?;
        let letters = counted.resized(count as usize, 1);
        self.spend(1 + if letters.has_counts() { count } else { 0 })?;
        let letters = if letters.has_counts() {
            letters.make(&mut |options, role| self.medium.choose(options, role))?
        } else {
            Vec::new()
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

    pub(super) fn read_many(&mut self, at: usize, many: &'a Many, counted: &Cells) -> Done<()> {
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

    pub(super) fn goes_on(&self, many: &Many) -> bool {
        let next = self.medium.peek();
        next.is_some_and(|byte| many.is_last || many.first[usize::from(byte)])
    }

    /// A letter. One that is counted in the repetitions around it was chosen by its count.
    pub(super) fn letter(
        &mut self,
        letters: &'a [u8],
        usual: usize,
        name: Option<&'a Variable>,
    ) -> Done<()> {
        let letter = if !self.medium.is_made() {
            FREE
        } else if let Some(letter) = self.counted.filter(|&letter| letter != FREE) {
            letter
        } else {
            let is_other = has_others(letters, usual) && self.medium.choose(2, Role::Rare) == 1;
            let part = part(letters, usual, is_other);
            part[self.medium.choose(part.len() as u64, Role::Cell) as usize]
        };
        let all: Vec<u8> = letters.iter().chain(&self.read_letters).copied().collect();
        let letter =
            self.medium.letter(&all, letter).map_err(|message| self.named(name, message))?;
        if self.read_letters.contains(&letter) {
            self.counted = Some(letter);
        } else if let Some(at) = letters.iter().position(|&other| other == letter) {
            let is_other = has_others(letters, usual) && at >= usual;
            let part = part(letters, usual, is_other);
            let value = if is_other { at - usual } else { at } as u64;
            let rare = Choice { value: u64::from(is_other), options: 2, role: Role::Rare };
            let choice = Choice { value, options: part.len() as u64, role: Role::Cell };
            let first = usize::from(!has_others(letters, usual));
            self.medium.record(self.medium.choices(), &[rare, choice][first..]);
        }
        self.element(1)?;
        name.map_or(Ok(()), |name| self.set(name, Value::text(&[letter])))
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
}

/// Whether some of the letters are usual, and some are not.
fn has_others(letters: &[u8], usual: usize) -> bool {
    usual > 0 && usual < letters.len()
}

/// The usual letters, or the others.
fn part(letters: &[u8], usual: usize, is_other: bool) -> &[u8] {
    match (has_others(letters, usual), is_other) {
        (false, _) => letters,
        (true, false) => &letters[..usual],
        (true, true) => &letters[usual..],
    }
}
