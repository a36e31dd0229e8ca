//! What a crate in Rust declares, and what its functions bind.

use crate::candidates::names::{Items, Names};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Fields, File, FnArg, Ident, ItemConst, ItemEnum, ItemStruct, Pat, Signature, Type};

impl Names {
    pub(super) fn of(files: &[File]) -> Self {
        let mut items = Items::default();
        for file in files {
            let mut constants = Constants::default();
            constants.visit_file(file);
            constants.0.values().for_each(|names| items.constants(names));
            items.visit_file(file);
        }
        Self::new(items)
    }

    pub(super) fn enter_function(&mut self, signature: &Signature) {
        self.enter(signature.ident.to_string());
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input {
                self.bind_typed(&typed.pat, &typed.ty);
            }
        }
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
        names.0.into_iter().for_each(|name| self.variable(name, group.clone()));
    }

    fn bind_typed(&mut self, pattern: &Pat, of: &Type) {
        match (pattern, of) {
            (Pat::Ident(name), _) => {
                self.variable(name.ident.to_string(), text(of));
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
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_struct(&mut self, node: &'ast ItemStruct) {
        let Fields::Named(fields) = &node.fields else { return };
        let mut by_type: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for field in &fields.named {
            let name = field.ident.as_ref().map_or_else(String::new, Ident::to_string);
            by_type.entry(text(&field.ty)).or_default().push(name);
        }
        by_type.values().for_each(|names| self.fields(names));
    }

    fn visit_item_enum(&mut self, node: &'ast ItemEnum) {
        let plain = node.variants.iter().filter(|variant| variant.fields.is_empty());
        let names: Vec<_> = plain.map(|variant| variant.ident.to_string()).collect();
        self.variants(&node.ident.to_string(), &names);
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

/// A type as text, without a mutable reference, because its value is read all the same.
fn text(of: &Type) -> String {
    let debug = |of: &Type| of.span().source_text().unwrap_or_default();
    match of {
        Type::Reference(reference) => debug(&reference.elem),
        _ => debug(of),
    }
}
