//! The candidates of a crate in Rust. Code that only a bug runs has none, and neither have tests, constants, patterns and macros.

mod changes;
mod names;
#[cfg(test)]
mod tests;

use super::names::Names;
use super::{Candidate, Form, Found, Operator, Part};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, BinOp, Block, Expr, ExprIf, ImplItemFn, Item, ItemFn, ItemMod, Local, Pat,
    Signature, Stmt, TraitItemFn, UnOp,
};

pub(super) fn find(sources: &[&str]) -> Result<Vec<Found>, (usize, syn::Error)> {
    let parse = |(at, source): (usize, &&str)| syn::parse_file(source).map_err(|why| (at, why));
    let files = sources.iter().enumerate().map(parse).collect::<Result<Vec<_>, _>>()?;
    let names = Names::of(&files);
    let found = files.iter().zip(sources).map(|(file, source)| {
        let mut finder =
            Finder { source, names: names.clone(), is_operand: false, found: Found::default() };
        if !file.attrs.iter().any(is_for_tests) {
            finder.visit_file(file);
        }
        finder.found
    });
    Ok(found.map(Found::without_repetitions).collect())
}

struct Finder<'a> {
    source: &'a str,
    names: Names,
    /// Whether the expression that is visited is an operand of another one.
    is_operand: bool,
    found: Found,
}

impl Finder<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        &self.source[range]
    }

    /// Adds the change of `range` to `text`, with the mark around `place`.
    fn add(
        &mut self,
        operator: Operator,
        (range, text): (Range<usize>, impl Into<String>),
        (place, form): (Range<usize>, Form),
    ) {
        let function = self.names.function().to_owned();
        let (text, is_operand) = (text.into(), self.is_operand);
        self.found.candidates.push(Candidate {
            operator,
            function,
            parts: vec![Part { range, text, place }],
            form,
            is_operand,
            is_pure: false,
        });
    }

    /// Visits the body of a function that has no part in constants and tests.
    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        if signature.constness.is_some() || attributes.iter().any(is_for_tests) {
            return;
        }
        self.names.enter_function(signature);
        self.visit_block(block);
        self.names.leave();
    }

    /// Visits an operand of an expression.
    fn operand(&mut self, expr: &Expr) {
        self.with(true, |finder| finder.visit_expr(expr));
    }

    /// Visits an expression that is no operand.
    fn whole(&mut self, expr: &Expr) {
        self.with(false, |finder| finder.visit_expr(expr));
    }

    fn with(&mut self, is_operand: bool, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_operand, is_operand);
        visit(self);
        self.is_operand = before;
    }

    /// Visits a place in memory, which is borrowed or assigned to. Another place would be a copy.
    fn place(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) => {}
            Expr::Field(field) => self.place(&field.base),
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|element| self.place(element)),
            Expr::Index(index) => {
                self.place(&index.expr);
                self.whole(&index.index);
            }
            _ => self.operand(expr),
        }
    }

    fn visit_if(&mut self, node: &ExprIf) {
        let value = value(&node.cond);
        if value.is_none() {
            self.condition(&node.cond);
        }
        if value != Some(false) {
            self.visit_block(&node.then_branch);
        }
        if value != Some(true)
            && let Some((_, otherwise)) = &node.else_branch
        {
            self.whole(otherwise);
        }
    }

    /// A condition of which both outcomes are possible.
    fn condition(&mut self, condition: &Expr) {
        if !has_let(condition) {
            self.with(false, |finder| finder.changed_condition(condition));
        }
        self.whole(condition);
    }

    /// The start of each round of a loop.
    fn round(&mut self, body: &Block) {
        self.found.loops.push(body.brace_token.span.open().byte_range().end);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        self.function(&node.attrs, &node.sig, &node.block);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        self.function(&node.attrs, &node.sig, &node.block);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        if let Some(block) = &node.default {
            self.function(&node.attrs, &node.sig, block);
        }
    }

    fn visit_item_mod(&mut self, node: &'ast ItemMod) {
        if !node.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item(&mut self, node: &'ast Item) {
        if matches!(node, Item::Fn(_) | Item::Impl(_) | Item::Mod(_) | Item::Trait(_)) {
            visit::visit_item(self, node);
        }
    }

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}

    fn visit_field_value(&mut self, node: &'ast syn::FieldValue) {
        if node.colon_token.is_some() {
            self.whole(&node.expr);
        }
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_pat(&mut self, node: &'ast Pat) {
        if let Pat::Guard(guarded) = node
            && value(&guarded.guard).is_none()
        {
            self.condition(&guarded.guard);
        }
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        if let Pat::Guard(guarded) = &node.pat
            && value(&guarded.guard) == Some(false)
        {
            return;
        }
        self.names.bind_pattern(&node.pat);
        self.visit_pat(&node.pat);
        self.whole(&node.body);
    }

    fn visit_local(&mut self, node: &'ast Local) {
        if let Some(init) = &node.init {
            self.whole(&init.expr);
            // The other branch has to leave, so none of its statements is dropped.
            if let Some((_, otherwise)) = &init.diverge
                && let Expr::Block(block) = &**otherwise
            {
                block.block.stmts.iter().for_each(|node| self.visit_stmt(node));
            }
        }
        self.names.bind(&node.pat);
    }

    fn visit_block(&mut self, node: &'ast Block) {
        let known = self.names.known();
        let statement = |finder: &mut Self, node: &'ast Stmt| match node {
            Stmt::Expr(expr, semicolon) => {
                if semicolon.is_some() && value(expr).is_none() {
                    finder.dropped_statement(expr, range(node));
                }
                finder.visit_expr(expr);
            }
            _ => finder.visit_stmt(node),
        };
        self.with(false, |finder| node.stmts.iter().for_each(|node| statement(finder, node)));
        self.names.forget(known);
    }

    fn visit_expr(&mut self, node: &'ast Expr) {
        // Nothing changes what only a bug evaluates.
        if value(node).is_some() {
            return;
        }
        self.changed_expression(node);
        match node {
            Expr::If(node) => self.visit_if(node),
            Expr::While(node) => {
                self.round(&node.body);
                self.whole(&node.cond);
                self.visit_block(&node.body);
            }
            Expr::Loop(node) => {
                self.round(&node.body);
                self.visit_block(&node.body);
            }
            Expr::ForLoop(node) => {
                self.round(&node.body);
                self.whole(&node.expr);
                self.names.bind_pattern(&node.pat);
                self.visit_block(&node.body);
            }
            Expr::Match(node) => {
                self.place(&node.expr);
                node.arms.iter().for_each(|arm| self.visit_arm(arm));
            }
            Expr::Let(node) => self.place(&node.expr),
            Expr::Assign(node) => {
                self.place(&node.left);
                self.whole(&node.right);
            }
            Expr::Binary(node) if is_assignment(&node.op) => {
                self.place(&node.left);
                self.whole(&node.right);
            }
            Expr::Reference(node) => self.place(&node.expr),
            Expr::Field(node) => self.place(&node.base),
            Expr::Index(node) => {
                self.place(&node.expr);
                self.whole(&node.index);
            }
            Expr::MethodCall(node) => {
                self.place(&node.receiver);
                node.args.iter().for_each(|argument| self.whole(argument));
            }
            Expr::Call(node) => {
                self.place(&node.func);
                node.args.iter().for_each(|argument| self.whole(argument));
            }
            Expr::Closure(node) => {
                let known = self.names.known();
                node.inputs.iter().for_each(|input| self.names.bind(input));
                self.whole(&node.body);
                self.names.forget(known);
            }
            Expr::Repeat(node) => self.whole(&node.expr),
            Expr::Const(_) | Expr::Macro(_) => {}
            Expr::Binary(_)
            | Expr::Unary(_)
            | Expr::Cast(_)
            | Expr::Range(_)
            | Expr::Try(_)
            | Expr::Await(_) => {
                self.with(true, |finder| visit::visit_expr(finder, node));
            }
            _ => self.with(false, |finder| visit::visit_expr(finder, node)),
        }
    }
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Whether the attribute leaves an item out of the program.
fn is_for_tests(attribute: &Attribute) -> bool {
    let is_cfg_test = || {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    };
    attribute.path().is_ident("test") || is_cfg_test()
}

/// Whether a condition binds names, so that nothing but `&&` can combine it with others.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}

fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// The value of a condition that depends on bugs alone, while none is selected.
fn value(condition: &Expr) -> Option<bool> {
    match condition {
        Expr::Macro(call) if call.mac.path.segments.last()?.ident == "bug" => Some(false),
        Expr::Paren(paren) => value(&paren.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
            value(&unary.expr).map(|value| !value)
        }
        Expr::Binary(binary) => {
            let decides = match binary.op {
                BinOp::And(_) => false,
                BinOp::Or(_) => true,
                _ => return None,
            };
            match (value(&binary.left), value(&binary.right)) {
                (Some(one), _) | (_, Some(one)) if one == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            }
        }
        _ => None,
    }
}
