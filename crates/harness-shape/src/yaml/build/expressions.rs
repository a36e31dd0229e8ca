//! Ranges, expressions, tests and names.

use super::{Builder, Built};
use crate::Problem;
use crate::ctd::{parse_expression, parse_test};
use crate::grid::Side;
use crate::tree::{Expr, Test, Variable};
use crate::yaml::description::{Size, Text};
use serde_yaml::Location;

impl Builder<'_> {
    pub(super) fn size(&mut self, size: &Size) -> Built<Side> {
        match size {
            Size::Plain(text) if !text.value.contains("..") => {
                Ok(Side::Given(self.expression(text)?))
            }
            Size::Plain(text) => {
                let (least, most) = self.range(&text.value, text.referenced)?;
                Ok(Side::Own { least, most, name: None })
            }
            Size::Named(name, text) => {
                let (least, most) = self.range(&text.value, text.referenced)?;
                Ok(Side::Own { least, most, name: Some(self.variable(name)?) })
            }
        }
    }

    /// A range such as `1 .. n`, or one number.
    pub(super) fn range(&mut self, text: &str, place: Location) -> Built<(Expr, Expr)> {
        let start = self.inner(place);
        let Some((least, most)) = text.split_once("..") else {
            let number = self.parsed(text, start, parse_expression)?;
            return Ok((number.clone(), number));
        };
        let most_at = start + least.len() + "..".len();
        let bounds = (
            self.parsed(least, start, parse_expression)?,
            self.parsed(most, most_at, parse_expression)?,
        );
        if let (Expr::Value(least), Expr::Value(most)) = &bounds
            && least.compare(most).is_ok_and(std::cmp::Ordering::is_gt)
        {
            let message = format!("there is no number from {least} to {most}");
            return Err(Problem::new(start, message));
        }
        Ok(bounds)
    }

    pub(super) fn expression(&mut self, text: &Text) -> Built<Expr> {
        let start = self.inner(text.referenced);
        self.parsed(&text.value, start, parse_expression)
    }

    pub(super) fn test(&mut self, text: &Text) -> Built<Test> {
        let start = self.inner(text.referenced);
        self.parsed(&text.value, start, parse_test)
    }

    /// Parses a text that begins at an offset. It may name only fields that come before it.
    pub(super) fn parsed<T>(
        &mut self,
        text: &str,
        start: usize,
        parse: impl Fn(&str, &mut Vec<String>) -> Result<T, Problem>,
    ) -> Built<T> {
        let before = self.names.len();
        let parsed = parse(text, &mut self.names);
        let parsed = parsed.map_err(|problem| Problem { at: start + problem.at, ..problem })?;
        match self.names.get(before) {
            None => Ok(parsed),
            Some(unknown) => {
                let message = format!("there is no field `{unknown}` before this");
                let blanks = text.len() - text.trim_start().len();
                let hint = match &self.names[..before] {
                    [] => "name a field in an item before this one".to_owned(),
                    names => format!("the fields before this are {}", names.join(", ")),
                };
                Err(Problem { hint: Some(hint), ..Problem::new(start + blanks, message) })
            }
        }
    }

    /// The offset of the text of a scalar, which may be in quotes.
    pub(super) fn inner(&self, place: Location) -> usize {
        let at = self.at(place);
        at + usize::from(self.text[at..].starts_with(['"', '\'']))
    }

    /// A field that comes before this.
    pub(super) fn known(&mut self, name: &Text) -> Built<Variable> {
        match self.expression(name)? {
            Expr::Variable(variable) => Ok(variable),
            _ => Err(self.problem(name.referenced, "expected the name of a field")),
        }
    }

    pub(super) fn variable(&mut self, name: &Text) -> Built<Variable> {
        let is_name = name.value.starts_with(|c: char| c.is_ascii_lowercase())
            && name.value.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !is_name {
            let message = format!("`{}` is not a name: use small letters and digits", name.value);
            return Err(self.problem(name.referenced, message));
        }
        let index = self.names.iter().position(|known| *known == name.value);
        let name = index.unwrap_or_else(|| {
            self.names.push(name.value.clone());
            self.names.len() - 1
        });
        Ok(Variable { name, indices: Vec::new() })
    }
}
