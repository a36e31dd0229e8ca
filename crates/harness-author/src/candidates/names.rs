//! Names that stand for values of the same type: the parameters and variables of a function, and the constants, fields and variants that
//! a program declares.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The names that are known at a place.
#[derive(Clone, Default)]
pub(super) struct Names {
    items: Rc<Items>,
    functions: Vec<String>,
    /// The variables, each with what tells its type.
    variables: Vec<(String, String)>,
}

/// What a program declares.
#[derive(Default)]
pub(super) struct Items {
    /// Another constant of the same type, the next in the same file.
    constants: BTreeMap<String, String>,
    /// Other fields of the same type, by a field's name.
    fields: BTreeMap<String, Vec<String>>,
    /// The next variant without fields, by the name of an enumeration and of a variant.
    variants: BTreeMap<(String, String), String>,
}

impl Names {
    pub(super) fn new(items: Items) -> Self {
        Self { items: Rc::new(items), ..Self::default() }
    }

    /// The function that is visited.
    pub(super) fn function(&self) -> &str {
        self.functions.last().map_or("", String::as_str)
    }

    pub(super) fn enter(&mut self, function: String) {
        self.functions.push(function);
    }

    pub(super) fn leave(&mut self) {
        self.functions.pop();
        if self.functions.is_empty() {
            self.variables.clear();
        }
    }

    /// The number of variables, for [`forget`](Self::forget).
    pub(super) fn known(&self) -> usize {
        self.variables.len()
    }

    /// Forgets all variables but the first.
    pub(super) fn forget(&mut self, known: usize) {
        self.variables.truncate(known);
    }

    /// A variable, with what tells its type.
    pub(super) fn variable(&mut self, name: String, of: String) {
        self.variables.push((name, of));
    }

    /// What tells the type of a variable.
    pub(super) fn type_of(&self, name: &str) -> Option<&str> {
        let mut variables = self.variables.iter().rev();
        variables.find(|(known, _)| known == name).map(|(_, of)| of.as_str())
    }

    /// The two variables nearest before the last that may have the type of `name`, or the constant that follows it.
    pub(super) fn like(&self, name: &str) -> Vec<String> {
        let Some((_, of)) = self.variables.iter().rev().find(|(known, _)| known == name) else {
            return self.items.constants.get(name).cloned().into_iter().collect();
        };
        let mut others = Vec::new();
        for (other, other_type) in self.variables.iter().rev() {
            if other_type == of && other != name && !others.contains(other) {
                others.push(other.clone());
            }
        }
        others.truncate(2);
        others
    }

    pub(super) fn fields_like(&self, name: &str) -> &[String] {
        self.items.fields.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn variant_after(&self, of: &str, variant: &str) -> Option<&str> {
        let variants = &self.items.variants;
        variants.get(&(of.to_owned(), variant.to_owned())).map(String::as_str)
    }
}

impl Items {
    /// Constants of the same type.
    pub(super) fn constants(&mut self, names: &[String]) {
        self.constants.extend(each_next(names));
    }

    /// Fields of the same type.
    pub(super) fn fields(&mut self, names: &[String]) {
        for (field, next) in each_next(names) {
            let others = self.fields.entry(field).or_default();
            if !others.contains(&next) {
                others.push(next);
            }
        }
    }

    /// The variants without fields of an enumeration.
    pub(super) fn variants(&mut self, of: &str, names: &[String]) {
        let pairs = each_next(names).into_iter();
        self.variants.extend(pairs.map(|(variant, next)| ((of.to_owned(), variant), next)));
    }
}

/// Each name with the one that follows it. The first follows the last.
fn each_next(names: &[String]) -> Vec<(String, String)> {
    let next = names.iter().cycle().skip(1);
    let pairs = names.iter().zip(next).filter(|(name, next)| name != next);
    pairs.map(|(name, next)| (name.clone(), next.clone())).collect()
}
