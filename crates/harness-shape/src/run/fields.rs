//! Runs the fields of a line: numbers and words.

use super::{Done, Run};
use crate::choice::Role;
use crate::number::{Range, Usual};
use crate::reached::Fact;
use crate::stream::{DecimalRule, Form, Stream};
use crate::tree::{Expr, Int, Variable};
use crate::value::{MOST_DIGITS, Value};
use std::cmp::Ordering;

impl<'a, M: Stream> Run<'a, M> {
    pub(super) fn int(&mut self, int: &'a Int) -> Done<()> {
        let name = int.name.as_ref();
        let least = integer(self.value(&int.least)?)?;
        let mut most = integer(self.value(&int.most)?)?;
        self.check_range((&int.least, &least), (&int.most, &most))
            .map_err(|message| self.named(name, message))?;
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
            && self.stream.is_made()
            && most.compare(&Value::from(limit))? == Ordering::Greater
        {
            most = Value::from(limit);
        }
        let number = if let Some(set) = int.distinct {
            self.distinct_number(set, &least, &most, role)
        } else {
            let usual = usual.and_then(|(first, last)| Usual::of((&least, &most), (&first, &last)));
            let range = Range { least: least.clone(), most, usual, is_free: None };
            self.number(&range, role, name)
        };
        let number = number.map_err(|message| self.named(name, message))?;
        if int.distinct.is_none() && int.usual.is_none() && self.apart.is_none() {
            self.log_reference(&least, (&int.most, &bound));
        }
        if self.reached.is_some() {
            let bounds = [(Fact::Least, &least), (Fact::Most, &bound)];
            bounds
                .into_iter()
                .filter(|(_, bound)| **bound == number)
                .for_each(|(fact, _)| self.note(fact));
        }
        if role == Role::Size {
            self.check_growth(&least, &number)?;
        }
        if !is_size {
            self.element(1)?;
        }
        match name {
            Some(name) => self.set_number(name, number),
            None => Ok(()),
        }
    }

    /// Checks that a range without variables is not empty. If it is, no input is valid.
    fn check_range(&mut self, least: (&Expr, &Value), most: (&Expr, &Value)) -> Done<()> {
        let is_empty = least.1.compare(most.1)? == Ordering::Greater;
        if is_empty && least.0.is_constant() && most.0.is_constant() {
            self.is_hopeless = true;
            return Err(format!("there is no number from {} to {}", least.1, most.1));
        }
        Ok(())
    }

    fn distinct_number(
        &mut self,
        set: usize,
        least: &Value,
        most: &Value,
        role: Role,
    ) -> Done<Value> {
        self.distinct_set(set);
        if self.stream.has_choices() {
            self.spend(self.made.size / 8 + 1)?;
        }
        let number = self.stream.distinct(least, most, role, &mut self.distinct[set])?;
        self.distinct[set].add(number.clone());
        Ok(number)
    }

    pub(super) fn word(&mut self, words: &'a [Vec<u8>], name: Option<&'a Variable>) -> Done<()> {
        let at = self.stream.word(words).map_err(|message| self.named(name, message))?;
        self.note(Fact::Word(at));
        if words.len() > 1 {
            self.element(1)?;
        }
        name.map_or(Ok(()), |name| self.set(name, Value::text(&words[at])))
    }

    pub(super) fn float(
        &mut self,
        (least, most): (&Expr, &Expr),
        decimals: Option<&(Expr, Expr)>,
        name: Option<&'a Variable>,
        form: Form,
    ) -> Done<()> {
        let (first, last) = (self.value(least)?, self.value(most)?);
        self.check_range((least, &first), (most, &last))
            .map_err(|message| self.named(name, message))?;
        let (least, most) = (first.to_decimal()?, last.to_decimal()?);
        let decimals = match decimals {
            Some((fewest, most)) => {
                let (fewest, most) = (self.count(fewest)?, self.count(most)?);
                if fewest > most {
                    return Err(format!("there is no number of decimals from {fewest} to {most}"));
                }
                if most > MOST_DIGITS {
                    return Err(format!("a number has at most {MOST_DIGITS} decimals"));
                }
                Some((fewest as usize, most as usize))
            }
            None => None,
        };
        let number = self.stream.decimal(&DecimalRule { least, most, decimals, form });
        let number = number.map_err(|message| self.named(name, message))?;
        self.element(1)?;
        name.map_or(Ok(()), |name| self.set(name, Value::Decimal(number.into())))
    }
}

fn integer(value: Value) -> Done<Value> {
    if value.is_integer() { Ok(value) } else { value.to_integer().map(Value::from) }
}
