//! The fields of a line.

use super::{Builder, Built, Separator};
use crate::Problem;
use crate::pattern::Pattern;
use crate::stream::Form;
use crate::tree::{Command, Comparison, Expr, Int, Test, Until, Variable, What};
use crate::value::Value;
use crate::yaml::description::{Details, Field, Text};
use serde_yaml::{Location, Spanned};
use std::sync::Arc;

impl Builder<'_> {
    pub(super) fn field(
        &mut self,
        name: &Text,
        field: &Spanned<Field>,
        separator: &Separator,
        at: usize,
    ) -> Built<What> {
        let variable = self.variable(name)?;
        match &field.value {
            Field::Range(range) => {
                let (least, most) = self.range(range, field.referenced)?;
                let name = Some(variable);
                Ok(What::Int(Int { least, most, usual: None, name, distinct: None }))
            }
            Field::Detailed(details) => {
                self.detailed(variable, details, field.referenced, separator, at)
            }
        }
    }

    pub(super) fn detailed(
        &mut self,
        name: Variable,
        details: &Details,
        place: Location,
        separator: &Separator,
        at: usize,
    ) -> Built<What> {
        let Details { range, decimal, one_of, letter, text, list, permutation, .. } = details;
        let kinds = [range, decimal, letter, text, list, permutation];
        let count =
            kinds.iter().filter(|kind| kind.is_some()).count() + usize::from(one_of.is_some());
        if let Some(usual) = details.usual.as_ref().filter(|_| range.is_none() && letter.is_none())
        {
            let message = "`usual` belongs to a `range` or a `letter`";
            return Err(self.problem(usual.referenced, message));
        }
        if count != 1 {
            let keys = "range, decimal, one of, letter, text, list, permutation";
            return Err(self.problem(place, format!("a field has one of the keys {keys}")));
        }
        let name = Some(name);
        if let Some(range) = range {
            let (least, most) = self.range(&range.value, range.referenced)?;
            let distinct = if details.distinct { Some(self.distinct(place)?) } else { None };
            let usual = details.usual.as_ref();
            if let Some(usual) = usual.filter(|_| details.distinct) {
                let message = "numbers with `distinct` have no `usual`";
                return Err(self.problem(usual.referenced, message));
            }
            let usual = usual.map(|text| self.range(&text.value, text.referenced)).transpose()?;
            return Ok(What::Int(Int { least, most, usual, name, distinct }));
        }
        if let Some(range) = decimal {
            let (least, most) = self.range(&range.value, range.referenced)?;
            let decimals = details.decimals.as_ref();
            let decimals =
                decimals.map(|text| self.range(&text.value, text.referenced)).transpose()?;
            return Ok(What::Float { least, most, decimals, name, form: Form::Fixed });
        }
        if let Some(words) = one_of {
            if words.is_empty() {
                return Err(self.problem(place, "`one of` needs at least one word"));
            }
            let words = words.iter().map(|word| word.value.clone().into_bytes()).collect();
            return Ok(What::Word { words, name });
        }
        if let Some(letters) = letter {
            return self.letter(name, letters, details, place);
        }
        if let Some(expression) = text {
            return self.text(name, expression, details);
        }
        let (least, most, count) = match (list, permutation) {
            (Some(range), _) => {
                let (least, most) = self.range(&range.value, range.referenced)?;
                let Some(count) = &details.count else {
                    return Err(self.problem(place, "`list` needs `count`"));
                };
                (least, most, self.expression(count)?)
            }
            (None, Some(count)) => {
                let count = self.expression(count)?;
                (Expr::Value(Value::Small(1)), count.clone(), count)
            }
            (None, None) => return Err(self.problem(place, "this field is empty")),
        };
        let is_distinct = details.distinct || permutation.is_some();
        let set = is_distinct.then(|| self.new_set());
        let number = What::Int(Int { least, most, usual: None, name, distinct: set });
        let separator = separate(separator, at).map(Box::new);
        let body = vec![Command { at, what: number }];
        let repeat = What::Repeat { index: None, until: Until::Count(count), separator, body };
        let forget = Command { at, what: What::Forget(set.into_iter().collect()) };
        Ok(What::Block(vec![forget, Command { at, what: repeat }]))
    }

    pub(super) fn letter(
        &mut self,
        name: Option<Variable>,
        letters: &Text,
        details: &Details,
        place: Location,
    ) -> Built<What> {
        let counts = self.counts(&details.exactly, &details.at_most)?;
        let mut letters = self.alphabet(letters)?;
        letters.retain(|letter| counts.iter().all(|count| count.letter != *letter));
        let usual = match &details.usual {
            Some(usual) => self.alphabet(usual)?,
            None => Vec::new(),
        };
        sort(&mut letters, &usual);
        let usual = letters.iter().filter(|letter| usual.contains(letter)).count();
        if !counts.is_empty() {
            match self.inside.last_mut() {
                Some(inside) if inside.counts.is_empty() => inside.counts = counts,
                Some(_) => {
                    let message = "only one letter of a list can have counts";
                    return Err(self.problem(place, message));
                }
                None => return Err(self.problem(place, "letters are counted in `lines` and grids")),
            }
        }
        Ok(What::Letter { letters, usual, name })
    }

    pub(super) fn text(
        &mut self,
        name: Option<Variable>,
        expression: &Text,
        details: &Details,
    ) -> Built<What> {
        let compiled = Pattern::new(expression.value.as_bytes());
        let compiled = compiled.map_err(|refused| {
            let hint =
                refused.hint("repeat without a limit, as in `[a-z]+`, and give the `length`");
            Problem { hint, ..self.problem(expression.referenced, refused.to_string()) }
        })?;
        let length = details.length.as_ref().map(|length| self.expression(length)).transpose()?;
        let expression = Expr::Value(Value::text(expression.value.as_bytes()));
        let regex =
            What::Regex { expression, compiled: Some(Arc::new(compiled)), name: name.clone() };
        let (Some(length), Some(name)) = (length, name) else { return Ok(regex) };
        // The shape finds the length of a text in the assertion after it.
        let at = details.length.as_ref().map_or(0, |length| self.at(length.referenced));
        let source = format!("the length of {}", self.names[name.name]);
        let actual = Expr::Length(Box::new(Expr::Variable(name)));
        let test = Test::Compare(Comparison::Equal, actual, length);
        let source = details.length.as_ref().map(|length| format!("{source} is {}", length.value));
        let assert = What::Assert(test, source);
        Ok(What::Block(vec![Command { at: at + 1, what: regex }, Command { at, what: assert }]))
    }

    /// The set of distinct numbers of the list around this place.
    pub(super) fn distinct(&mut self, place: Location) -> Built<usize> {
        let set = self.new_set();
        match self.inside.last_mut() {
            Some(inside) => inside.sets.push(set),
            None => {
                return Err(self.problem(place, "`distinct` numbers are in `lines` or a `list`"));
            }
        }
        Ok(set)
    }

    pub(super) fn new_set(&mut self) -> usize {
        self.distinct += 1;
        self.distinct - 1
    }
}

/// Sorts the usual letters first, and then those that differ from them only in their case, which a program may take for them.
fn sort(letters: &mut [u8], usual: &[u8]) {
    let place = |letter: u8| usual.iter().position(|&usual| usual == letter);
    letters.sort_by_key(|&letter| {
        let is_small = letter.is_ascii_lowercase();
        let other =
            if is_small { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        match (place(letter), place(other)) {
            (Some(at), _) => (0, at),
            (None, Some(at)) => (1, at),
            (None, None) => (2, 0),
        }
    });
}

pub(super) fn separate(separator: &Separator, at: usize) -> Option<Command> {
    let what = match separator {
        Separator::Space => What::Space,
        Separator::Blanks(more) => What::Blanks { least: 1, more: *more },
        Separator::Text(text) if text.is_empty() => return None,
        Separator::Text(text) => What::String(Expr::Value(Value::text(text))),
    };
    Some(Command { at, what })
}
