//! Names that stand for values of the same type: parameters and variables of a function, and the constants, fields and variants of a crate.

use std::collections::BTreeMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Fields, File, FnArg, Ident, ItemConst, ItemEnum, ItemStruct, Pat, Signature, Type};

/// The names that are known at a place.
#[derive(Clone, Default)]
pub(super) struct Names {
    items: Rc<Items>,
    functions: Vec<String>,
    /// The variables, each with what tells its type.
    variables: Vec<(String, String)>,
}

/// What a crate declares.
#[derive(Default)]
struct Items {
    /// Another constant of the same type, the next in the same file.
    constants: BTreeMap<String, String>,
    /// Other fields of the same type, by a field's name.
    fields: BTreeMap<String, Vec<String>>,
    /// The next variant without fields, by the name of an enumeration and of a variant.
    variants: BTreeMap<(String, String), String>,
}

impl Names {
    pub(super) fn of(files: &[File]) -> Self {
        let mut items = Items::default();
        for file in files {
            let mut constants = Constants::default();
            constants.visit_file(file);
            items.constants.extend(constants.0.into_values().flat_map(|names| each_next(&names)));
            items.visit_file(file);
        }
        Self { items: Rc::new(items), ..Self::default() }
    }

    /// The function that is visited.
    pub(super) fn function(&self) -> &str {
        self.functions.last().map_or("", String::as_str)
    }

    pub(super) fn enter(&mut self, signature: &Signature) {
        self.functions.push(signature.ident.to_string());
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input {
                self.bind_typed(&typed.pat, &typed.ty);
            }
        }
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

    /// Binds the names of a pattern that may have a type.
    pub(super) fn bind(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Type(typed) => self.bind_typed(&typed.pat, &typed.ty),
            _ => self.bind_pattern(pattern),
        }
    }

    /// Binds the names of a pattern. Those of one pattern may have the same type.
    pub(super) fn bind_pattern(&mut self, pattern: &Pat) {
        let group = format!("{:?}", pattern.span().byte_range());
        let mut names = Bound::default();
        names.visit_pat(pattern);
        self.variables.extend(names.0.into_iter().map(|name| (name, group.clone())));
    }

    fn bind_typed(&mut self, pattern: &Pat, of: &Type) {
        match (pattern, of) {
            (Pat::Ident(name), _) => {
                self.variables.push((name.ident.to_string(), text(of)));
            }
            (Pat::Tuple(patterns), Type::Tuple(types))
                if patterns.elems.len() == types.elems.len() =>
            {
                let parts = patterns.elems.iter().zip(&types.elems);
                parts.for_each(|(pattern, of)| self.bind_typed(pattern, of));
            }
            _ => self.bind_pattern(pattern),
        }
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

impl<'ast> Visit<'ast> for Items {
    fn visit_item_struct(&mut self, node: &'ast ItemStruct) {
        let Fields::Named(fields) = &node.fields else { return };
        let mut by_type: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for field in &fields.named {
            let name = field.ident.as_ref().map_or_else(String::new, Ident::to_string);
            by_type.entry(text(&field.ty)).or_default().push(name);
        }
        for (field, next) in by_type.values().flat_map(|names| each_next(names)) {
            let others = self.fields.entry(field).or_default();
            if !others.contains(&next) {
                others.push(next);
            }
        }
    }

    fn visit_item_enum(&mut self, node: &'ast ItemEnum) {
        let plain = node.variants.iter().filter(|variant| variant.fields.is_empty());
        let names: Vec<_> = plain.map(|variant| variant.ident.to_string()).collect();
        let of = node.ident.to_string();
        self.variants.extend(
            each_next(&names).into_iter().map(|(variant, next)| ((of.clone(), variant), next)),
        );
    }
}

/// The constants of a file by their type.
#[derive(Default)]
struct Constants(BTreeMap<String, Vec<String>>);

impl<'ast> Visit<'ast> for Constants {
    fn visit_item_const(&mut self, node: &'ast ItemConst) {
        self.0.entry(text(&node.ty)).or_default().push(node.ident.to_string());
    }

    fn visit_block(&mut self, _: &'ast syn::Block) {}
}

/// The names that a pattern binds.
#[derive(Default)]
struct Bound(Vec<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
        self.0.push(node.ident.to_string());
        visit::visit_pat_ident(self, node);
    }
}

/// Each name with the one that follows it. The first follows the last.
fn each_next(names: &[String]) -> Vec<(String, String)> {
    let next = names.iter().cycle().skip(1);
    let pairs = names.iter().zip(next).filter(|(name, next)| name != next);
    pairs.map(|(name, next)| (name.clone(), next.clone())).collect()
}

/// A type as text, without a mutable reference, because its value is read all the same.
fn text(of: &Type) -> String {
    let debug = |of: &Type| of.span().source_text().unwrap_or_default();
    match of {
        Type::Reference(reference) => debug(&reference.elem),
        _ => debug(of),
    }
}
