//! Removes what only bugs used: imports, items and `mut`.

use super::edit::{Edit, apply, range};
use super::names::{Names, mentions};
use super::precedence::Precedence;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, File, ImplItem, Item, ItemImpl, ItemUse, Macro, PatIdent, UseTree, Visibility,
};

/// Removes what the package used before the bugs were folded, but no longer uses.
pub(super) fn remove(files: &[File], texts: &mut [&mut String], originals: &[String]) {
    let before = Names::of_all(originals.iter().map(String::as_str));
    let now = Names::of_all(texts.iter().map(|text| text.as_str()));
    for ((file, text), original) in files.iter().zip(texts).zip(originals) {
        let mut unused = Unused {
            source: text,
            before: &before,
            now: &now,
            was_here: Names::of(original),
            here: Names::of(text),
            edits: Vec::new(),
        };
        unused.visit_file(file);
        let edits = unused.edits;
        **text = apply(text, edits);
    }
}

struct Unused<'a> {
    source: &'a str,
    before: &'a Names,
    now: &'a Names,
    /// The uses in this file only.
    was_here: Names,
    here: Names,
    edits: Vec<Edit>,
}

impl<'ast> Visit<'ast> for Unused<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Const(item) => Some(&item.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        if name.is_some_and(|name| self.is_unused(&name.to_string(), &self.source[range(item)])) {
            self.edits.push(Edit::removal(self.source, range(item)));
            return;
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_unused = |part: &&ImplItem| {
            let name = match part {
                ImplItem::Fn(part) => &part.sig.ident,
                ImplItem::Const(part) => &part.ident,
                _ => return false,
            };
            self.is_unused(&name.to_string(), &self.source[range(*part)])
        };
        if item.trait_.is_some() {
            return visit::visit_item_impl(self, item);
        }
        let unused: Vec<_> = item.items.iter().filter(is_unused).map(range).collect();
        if !unused.is_empty() && unused.len() == item.items.len() {
            self.edits.push(Edit::removal(self.source, range(item)));
            return;
        }
        for range in unused {
            self.edits.push(Edit::removal(self.source, range));
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_used =
            |name: &str| self.was_here.bare_uses(name) == 0 || self.here.bare_uses(name) > 0;
        let left = imported(&item.tree, "", &is_used);
        match left {
            _ if !matches!(item.vis, Visibility::Inherited) => {}
            None => self.edits.push(Edit::removal(self.source, range(item))),
            left if left == imported(&item.tree, "", &|_| true) => {}
            Some(tree) => self.edits.push(Edit::new(range(&item.tree), tree)),
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let mut mutated = Mutated::default();
        mutated.visit_block(block);
        let mut bound = Bound { mutated: &mutated.0, edits: Vec::new() };
        block.stmts.iter().for_each(|statement| bound.visit_stmt(statement));
        self.edits.append(&mut bound.edits);
        visit::visit_block(self, block);
    }
}

impl Unused<'_> {
    /// Whether no use of a name is left, except in its own declaration.
    fn is_unused(&self, name: &str, declaration: &str) -> bool {
        self.before.uses(name) > mentions(declaration, name)
            && self.now.uses(name) == mentions(declaration, name)
    }
}

/// The import without unused names, if any name is left. `parent` is the meaning of `self`.
fn imported(tree: &UseTree, parent: &str, is_used: &dyn Fn(&str) -> bool) -> Option<String> {
    let name_if_used = |name: String| is_used(&name).then_some(name);
    match tree {
        UseTree::Path(path) => {
            let parent = path.ident.to_string();
            let rest = imported(&path.tree, &parent, is_used)?;
            Some(if rest == "self" { parent } else { format!("{parent}::{rest}") })
        }
        UseTree::Name(name) if name.ident == "self" => is_used(parent).then(|| "self".to_owned()),
        UseTree::Name(name) => name_if_used(name.ident.to_string()),
        UseTree::Rename(renamed) => name_if_used(renamed.rename.to_string())
            .map(|name| format!("{} as {name}", renamed.ident)),
        UseTree::Glob(_) => Some("*".to_owned()),
        UseTree::Group(group) => {
            let parts: Vec<_> =
                group.items.iter().filter_map(|part| imported(part, parent, is_used)).collect();
            match parts.as_slice() {
                [] => None,
                [only] => Some(only.clone()),
                parts => Some(format!("{{{}}}", parts.join(", "))),
            }
        }
    }
}

/// The variables that may be changed.
#[derive(Default)]
struct Mutated(HashSet<String>);

impl Mutated {
    fn note(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => {
                self.0.extend(path.path.get_ident().map(ToString::to_string));
            }
            Expr::Field(field) => self.note(&field.base),
            Expr::Index(index) => self.note(&index.expr),
            Expr::Paren(paren) => self.note(&paren.expr),
            Expr::Unary(unary) => self.note(&unary.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.note(part)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Mutated {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Assign(assignment) => self.note(&assignment.left),
            Expr::Binary(binary) if Precedence::of(expr) == Precedence::Loose => {
                self.note(&binary.left);
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.note(&reference.expr);
            }
            Expr::MethodCall(call) => self.note(&call.receiver),
            Expr::Call(call) => self.note(&call.func),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.0.extend(Names::of(&call.tokens.to_string()).into_names());
    }
}

/// Variables that are `mut` only for a bug.
struct Bound<'a> {
    mutated: &'a HashSet<String>,
    edits: Vec<Edit>,
}

impl<'ast> Visit<'ast> for Bound<'_> {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        if let Some(keyword) = &pattern.mutability
            && !self.mutated.contains(&pattern.ident.to_string())
        {
            self.edits.push(Edit::new(range(keyword).start..range(&pattern.ident).start, ""));
        }
        visit::visit_pat_ident(self, pattern);
    }
}
