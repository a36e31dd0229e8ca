//! Folds `if` and the statements of a block.

use super::edit::{Edit, range};
use super::effect::{has_effect, may_have_effect};
use super::fold::{Pass, Place, constant, is_call_of, name_of};
use super::names::mentions;
use super::precedence::Precedence;
use proc_macro2::TokenTree;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprBreak, ExprIf, ExprLoop, Local, Macro, Pat, PatIdent, Stmt};

impl Pass<'_> {
    pub(super) fn note_statements(&mut self, block: &Block) {
        for statement in &block.stmts {
            match statement {
                Stmt::Expr(expr, _) => {
                    self.places.insert(range(expr), Place::Statement);
                }
                Stmt::Local(local) => {
                    if let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) {
                        let (pattern, statement) = (range(&local.pat), range(statement));
                        self.places
                            .insert(range(&init.expr), Place::Initializer { pattern, statement });
                    }
                }
                _ => {}
            }
        }
    }

    /// Folds an `if` that is a value, or that follows `else`.
    pub(super) fn fold_if(&mut self, expr: &Expr, node: &ExprIf) {
        self.fold_else(node);
        let Some(condition) = constant(&node.cond) else { return self.fold_same(expr, node) };
        let branch = match (condition, &node.else_branch) {
            (true, _) => Branch::Block(&node.then_branch),
            (false, Some((_, otherwise))) => Branch::of(otherwise),
            (false, None) => return,
        };
        match (self.places.get(&range(expr)), branch) {
            (Some(Place::Statement), _) => {}
            (Some(Place::Else), branch) => {
                let text = self.source[branch.range()].to_owned();
                self.edits.push(Edit::new(range(expr), text));
            }
            (Some(Place::Initializer { pattern, statement }), branch)
                if branch.value().is_some_and(|value| {
                    is_same(self.text(value), &self.source[pattern.clone()])
                }) =>
            {
                self.edits.push(Edit::removal(self.source, statement.clone()));
            }
            (_, branch) => {
                if let Some(value) = branch.value() {
                    return self.put(expr, value);
                }
                let text = self.source[branch.range()].to_owned();
                self.put_text(expr, &text, Precedence::Loose);
            }
        }
    }

    /// Folds an `if` whose branches have the same value.
    fn fold_same(&mut self, expr: &Expr, node: &ExprIf) {
        let Some((_, otherwise)) = &node.else_branch else { return };
        if let Some(Place::Else) = self.places.get(&range(expr)) {
            return;
        }
        let values = (Branch::Block(&node.then_branch).value(), Branch::of(otherwise).value());
        if let (Some(first), Some(second)) = values
            && self.text(first) == self.text(second)
            && !has_effect(&node.cond, self.functions)
        {
            self.put(expr, first);
        }
    }

    /// Removes an empty `else`.
    fn fold_else(&mut self, node: &ExprIf) {
        let Some((_, otherwise)) = &node.else_branch else { return };
        let does_nothing = match &**otherwise {
            Expr::If(next) => constant(&next.cond) == Some(false) && next.else_branch.is_none(),
            Expr::Block(block) => self.is_empty(&block.block),
            _ => false,
        };
        if does_nothing {
            self.edits.push(Edit::new(range(&node.then_branch).end..range(otherwise).end, ""));
        }
    }

    /// Turns a loop that begins with `let … else { break }` into `while let`.
    pub(super) fn fold_loop(&mut self, node: &ExprLoop) {
        let Some(Stmt::Local(local)) = node.body.stmts.first() else { return };
        let Some(init) = &local.init else { return };
        let Some((_, otherwise)) = &init.diverge else { return };
        let Expr::Block(otherwise) = &**otherwise else { return };
        let is_plain = |end: &ExprBreak| end.label.is_none() && end.expr.is_none();
        if let [Stmt::Expr(Expr::Break(end), _)] = otherwise.block.stmts.as_slice()
            && is_plain(end)
        {
            let (pattern, value) = (self.text(&local.pat), self.text(&init.expr));
            let head = format!("while let {pattern} = {value} {{");
            self.edits.push(Edit::new(range(&node.loop_token).start..range(local).end, head));
        }
    }

    /// Folds the first statement that can be folded. The next pass folds others.
    pub(super) fn fold_block(&mut self, block: &Block) {
        for (index, statement) in block.stmts.iter().enumerate() {
            let before = self.edits.len();
            match statement {
                Stmt::Macro(call) if is_nothing(&call.mac) => self.remove(statement),
                Stmt::Expr(Expr::Macro(call), _) if is_nothing(&call.mac) => self.remove(statement),
                // This replaces a call of a function that does nothing any more.
                Stmt::Expr(Expr::Tuple(unit), Some(_)) if unit.elems.is_empty() => {
                    self.remove(statement);
                }
                Stmt::Expr(Expr::If(node), semicolon) => {
                    let is_tail = index + 1 == block.stmts.len() && semicolon.is_none();
                    let is_free = |name: &str| {
                        block.stmts[index + 1..]
                            .iter()
                            .all(|next| mentions(self.text(next), name) == 0)
                    };
                    let is_free = declared(node).iter().all(|name| is_free(name));
                    self.fold_if_statement(statement, node, is_tail, is_free);
                }
                Stmt::Local(local) => match &block.stmts[index + 1..] {
                    [Stmt::Expr(value, None)] if self.is_binding_of(local, value) => {
                        self.return_at_once(local, statement, value);
                    }
                    rest => self.fold_local(local, statement, rest),
                },
                _ => {}
            }
            if self.edits.len() > before {
                return;
            }
        }
    }

    /// Replaces the statement by the branch. The braces are omitted if `is_free` holds for every variable that the branch declares.
    fn fold_if_statement(&mut self, statement: &Stmt, node: &ExprIf, is_tail: bool, is_free: bool) {
        let branch = match (constant(&node.cond), &node.else_branch) {
            (Some(true), _) => Branch::Block(&node.then_branch),
            (Some(false), Some((_, otherwise))) => Branch::of(otherwise),
            (Some(false), None) => return self.remove(statement),
            (None, None)
                if self.is_empty(&node.then_branch)
                    && !may_have_effect(&node.cond, self.functions) =>
            {
                return self.remove(statement);
            }
            (None, _) => return,
        };
        let text = match &branch {
            Branch::Block(block) if is_tail || is_free => self.contents(block, is_tail),
            branch => self.source[branch.range()].to_owned(),
        };
        self.edits.push(Edit::new(range(statement), text));
    }

    /// The text between the braces of a block.
    fn contents(&self, block: &Block, is_tail: bool) -> String {
        let braces = range(block);
        let text = self.source[braces.start + 1..braces.end - 1].trim();
        let ends_in_value =
            matches!(block.stmts.last(), Some(Stmt::Expr(expr, None)) if !ends_in_block(expr));
        if ends_in_value && !is_tail { format!("{text};") } else { text.to_owned() }
    }

    /// Removes a variable that is a folded constant, and replaces its uses by the constant.
    fn fold_local(&mut self, local: &Local, statement: &Stmt, rest: &[Stmt]) {
        let (Pat::Ident(variable), Some(init)) = (&local.pat, &local.init) else { return };
        let name = variable.ident.to_string();
        let mentions: usize =
            rest.iter().map(|statement| mentions(self.text(statement), &name)).sum();
        // A reference compiles without warnings, so only a bug read a variable that is now unused.
        if mentions == 0 && !name.starts_with('_') && init.diverge.is_none() {
            if may_have_effect(&init.expr, self.functions) {
                let binding = range(statement).start..range(&init.expr).start;
                self.edits.push(Edit::new(binding, ""));
            } else {
                self.remove(statement);
            }
            return;
        }
        let Some(value) = constant(&init.expr) else { return };
        let mut uses = Uses { name, ranges: Vec::new() };
        rest.iter().for_each(|statement| uses.visit_stmt(statement));
        if mentions == uses.ranges.len() {
            self.remove(statement);
            self.edits
                .extend(uses.ranges.into_iter().map(|range| Edit::new(range, name_of(value))));
        }
    }

    /// Whether a `let` only gives a name to this value.
    fn is_binding_of(&self, local: &Local, value: &Expr) -> bool {
        let is_plain = matches!(&local.pat, Pat::Ident(name) if name.mutability.is_none());
        is_plain && self.text(&local.pat) == self.text(value)
    }

    /// Replaces a variable at the end of a block by its value, if the previous statement declares it.
    fn return_at_once(&mut self, local: &Local, statement: &Stmt, value: &Expr) {
        if let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) {
            let text = self.text(&init.expr);
            self.edits.push(Edit::new(range(statement).start..range(value).end, text));
        }
    }

    fn remove(&mut self, statement: &Stmt) {
        self.edits.push(Edit::removal(self.source, range(statement)));
    }

    /// Whether a block is empty, without even a comment.
    fn is_empty(&self, block: &Block) -> bool {
        let braces = range(block);
        self.source[braces.start + 1..braces.end - 1].trim().is_empty()
    }
}

enum Branch<'a> {
    Block(&'a Block),
    /// The `if` after an `else`.
    If(&'a Expr),
}

impl<'a> Branch<'a> {
    fn of(otherwise: &'a Expr) -> Self {
        match otherwise {
            Expr::Block(block) => Self::Block(&block.block),
            other => Self::If(other),
        }
    }

    fn range(&self) -> Range<usize> {
        match self {
            Self::Block(block) => range(block),
            Self::If(expr) => range(expr),
        }
    }

    /// The branch, if it is a single expression.
    fn value(&self) -> Option<&'a Expr> {
        match self {
            Self::Block(block) => match block.stmts.as_slice() {
                [Stmt::Expr(value, None)] => Some(value),
                _ => None,
            },
            Self::If(expr) => Some(expr),
        }
    }
}

/// Whether a macro counts a step, or asserts a folded `true`.
fn is_nothing(call: &Macro) -> bool {
    let asserts = is_call_of(call, "assert") || is_call_of(call, "debug_assert");
    let first = || call.tokens.clone().into_iter().next();
    is_call_of(call, "tick")
        || asserts && matches!(first(), Some(TokenTree::Ident(name)) if name == name_of(true))
}

fn is_same(text: &str, other: &str) -> bool {
    text.split_whitespace().eq(other.split_whitespace())
}

/// The variables of the branches, which would be visible after them without the braces.
fn declared(node: &ExprIf) -> Vec<String> {
    struct Declared(Vec<String>);
    impl<'ast> Visit<'ast> for Declared {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            self.0.push(pattern.ident.to_string());
        }
    }
    let mut declared = Declared(Vec::new());
    declared.visit_expr_if(node);
    declared.0
}

fn ends_in_block(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
    )
}

/// The places where a variable is read.
struct Uses {
    name: String,
    ranges: Vec<Range<usize>>,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if path.path.is_ident(&self.name) {
            self.ranges.push(range(path));
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        for token in call.tokens.clone() {
            if matches!(&token, TokenTree::Ident(name) if *name == self.name) {
                self.ranges.push(token.span().byte_range());
            }
        }
    }
}
