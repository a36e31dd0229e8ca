//! Lists whose repetitions do not overlap.

use super::{Builder, Built};
use crate::apart::{ApartRule, Covered, Length};
use crate::tree::{Command, Expr, Int, What};
use crate::value::Value;
use crate::yaml::description::{Item, Text};

impl Builder<'_> {
    /// What no two repetitions of a list cover.
    pub(super) fn apart(&mut self, item: &Item, body: &[Command]) -> Built<Option<ApartRule>> {
        let is_usual = item.apart.0.is_empty();
        let entries = if is_usual { &item.usually_apart.0 } else { &item.apart.0 };
        if let Some((start, _)) = item.usually_apart.0.first().filter(|_| !is_usual) {
            let message = "use either `apart` or `usually apart`";
            return Err(self.problem(start.referenced, message));
        }
        let mut sides = Vec::new();
        for (start, length) in entries {
            let length = match self.expression(length)? {
                Expr::Value(Value::Small(length)) if length > 0 => Length::Always(length),
                _ => Length::Field(self.number_of(length, body)?),
            };
            sides.push(Covered { start: self.number_of(start, body)?, length });
        }
        Ok((!sides.is_empty()).then_some(ApartRule { sides, is_usual }))
    }

    /// The field with this name, which is a whole number of a list.
    fn number_of(&mut self, name: &Text, body: &[Command]) -> Built<usize> {
        let field = self.known(name)?.name;
        let is_field = |command: &Command| matches!(&command.what, What::Int(Int { name: Some(name), distinct: None, .. }) if name.name == field);
        if body.iter().any(is_field) {
            return Ok(field);
        }
        let message = format!("`{}` is not a `range` in a line of this list", name.value);
        Err(self.problem(name.referenced, message))
    }
}
