//! Folds every `bug!` to false, and simplifies the expressions around it.
//!
//! Each pass parses the text and folds the innermost expressions that it can, until a pass changes nothing. Until then, folded constants
//! have special names, so that constants that the author wrote are not folded.

use super::edit::{Edit, apply, range};
use super::effect::has_effect;
use super::function::{Functions, Value};
use super::precedence::Precedence;
use std::collections::HashMap;
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, Expr, ExprCall, ExprMethodCall, ImplItemFn, ItemFn, Macro, Token, UnOp,
};

const FALSE: &str = "__folded_false";
const TRUE: &str = "__folded_true";

/// The text with every `bug!` folded, and every call of a function that only bugs gave something to do.
///
/// A function that is the same in the `original` is not changed, unless it contains one of these.
pub(super) fn fold(source: &str, original: &str, functions: &Functions) -> syn::Result<String> {
    let mut source = source.to_owned();
    while may_fold(&source, original, functions) {
        let file = syn::parse_file(&source)?;
        let mut pass = Pass {
            source: &source,
            original,
            functions,
            edits: Vec::new(),
            places: HashMap::new(),
        };
        pass.visit_file(&file);
        if pass.edits.is_empty() {
            break;
        }
        source = apply(&source, pass.edits);
    }
    Ok(source)
}

/// Whether this part of a file may contain something to fold.
fn may_fold(part: &str, original: &str, functions: &Functions) -> bool {
    let mut words = functions.inlined.keys().map(String::as_str).chain(["bug", "tick"]);
    !original.contains(part) || words.any(|word| part.contains(word))
}

/// The text with `true` and `false` for the remaining folded constants.
pub(super) fn finish(source: &str) -> String {
    source.replace(FALSE, "false").replace(TRUE, "true")
}

/// The name of a folded constant.
pub(super) fn name_of(constant: bool) -> &'static str {
    if constant { TRUE } else { FALSE }
}

/// The value of a folded constant, which may be the only content of a block.
pub(super) fn constant(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Path(path) if path.path.is_ident(TRUE) => Some(true),
        Expr::Path(path) if path.path.is_ident(FALSE) => Some(false),
        Expr::Block(block) => constant_block(&block.block),
        _ => None,
    }
}

pub(super) fn constant_block(block: &Block) -> Option<bool> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(expr, None)] => constant(expr),
        _ => None,
    }
}

/// The place of an expression, if it limits what may replace the expression.
pub(super) enum Place {
    Operand(Precedence),
    /// In parentheses, at this range.
    Parentheses(Range<usize>),
    /// A statement. The block folds it.
    Statement,
    /// After `else`, where only a block or another `if` is allowed.
    Else,
    /// The body of a match arm without a comma, which must end in a brace.
    Arm,
    /// The value of a `let` statement.
    Initializer {
        pattern: Range<usize>,
        statement: Range<usize>,
    },
}

pub(super) struct Pass<'a> {
    pub(super) source: &'a str,
    original: &'a str,
    pub(super) edits: Vec<Edit>,
    pub(super) places: HashMap<Range<usize>, Place>,
    pub(super) functions: &'a Functions,
}

impl<'ast> Visit<'ast> for Pass<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if may_fold(self.text(item), self.original, self.functions) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if may_fold(self.text(item), self.original, self.functions) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.note_operands(expr);
        let before = self.edits.len();
        visit::visit_expr(self, expr);
        if self.edits.len() == before {
            self.fold(expr);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.note_statements(block);
        let before = self.edits.len();
        visit::visit_block(self, block);
        if self.edits.len() == before {
            self.fold_block(block);
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if arm.comma.is_none() {
            self.places.insert(range(&arm.body), Place::Arm);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_macro(&mut self, node: &'ast Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(arguments) = arguments.parse2(node.tokens.clone()) {
            arguments.iter().for_each(|argument| self.visit_argument(argument));
        }
    }
}

impl Pass<'_> {
    /// Visits an argument of a macro, which has a shorter lifetime than the file.
    fn visit_argument(&mut self, argument: &Expr) {
        let places = std::mem::take(&mut self.places);
        let edits = std::mem::take(&mut self.edits);
        let mut pass = Pass { edits, places, ..*self };
        pass.visit_expr(argument);
        (self.edits, self.places) = (pass.edits, pass.places);
    }

    fn note_operands(&mut self, expr: &Expr) {
        for (operand, needs) in Precedence::of_operands(expr) {
            self.places.insert(range(operand), Place::Operand(needs));
        }
        match expr {
            Expr::Paren(paren) => {
                self.places.insert(range(&paren.expr), Place::Parentheses(range(expr)));
            }
            Expr::If(branches) => {
                if let Some((_, otherwise)) = &branches.else_branch {
                    self.places.insert(range(otherwise), Place::Else);
                }
            }
            _ => {}
        }
    }

    fn fold(&mut self, expr: &Expr) {
        match expr {
            Expr::Macro(call) if is_call_of(&call.mac, "bug") => self.put_constant(expr, false),
            Expr::Block(block) if constant_block(&block.block).is_some() => {
                self.fold_constant(expr);
            }
            Expr::Paren(paren) if constant(&paren.expr).is_some() => {
                self.put_constant(expr, constant(&paren.expr) == Some(true));
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                if let Some(operand) = constant(&unary.expr) {
                    self.put_constant(expr, !operand);
                }
            }
            Expr::Binary(binary) => self.fold_operands(expr, binary),
            Expr::If(branches) => self.fold_if(expr, branches),
            Expr::Loop(node) => self.fold_loop(node),
            Expr::Match(node) => self.fold_match(expr, node),
            Expr::MethodCall(call) => self.fold_method(expr, call),
            Expr::Call(call) => self.fold_call(expr, call),
            _ => {}
        }
    }

    /// Folds a block that contains only a constant, such as the body of a match arm or a closure.
    fn fold_constant(&mut self, expr: &Expr) {
        let is_free =
            !matches!(self.places.get(&range(expr)), Some(Place::Else | Place::Statement));
        if let Some(value) = constant(expr).filter(|_| is_free) {
            self.put_constant(expr, value);
        }
    }

    fn fold_operands(&mut self, expr: &Expr, binary: &syn::ExprBinary) {
        let (left, right) = (&binary.left, &binary.right);
        // A deciding left operand is the result. So is a deciding right operand, because conditions have no side effects.
        let decides = match binary.op {
            BinOp::And(_) => false,
            BinOp::Or(_) => true,
            BinOp::Eq(_) | BinOp::Ne(_) => return self.fold_comparison(expr, binary),
            _ => return,
        };
        match (constant(left), constant(right)) {
            (Some(value), _) if value == decides => self.put_constant(expr, decides),
            (_, Some(value)) if value == decides && !has_effect(left, self.functions) => {
                self.put_constant(expr, decides);
            }
            (Some(value), _) if value != decides => self.put(expr, right),
            (_, Some(value)) if value != decides => self.put(expr, left),
            _ => {}
        }
    }

    fn fold_comparison(&mut self, expr: &Expr, binary: &syn::ExprBinary) {
        let (value, other) = match (constant(&binary.left), constant(&binary.right)) {
            (Some(value), _) => (value, &binary.right),
            (_, Some(value)) => (value, &binary.left),
            _ => return,
        };
        if value == matches!(binary.op, BinOp::Eq(_)) {
            self.put(expr, other);
        } else {
            self.put_not(expr, other);
        }
    }

    fn fold_method(&mut self, expr: &Expr, call: &ExprMethodCall) {
        let arguments: Vec<_> = call.args.iter().collect();
        match (call.method.to_string().as_str(), constant(&call.receiver), arguments.as_slice()) {
            ("then" | "then_some", Some(false), _) => {
                self.put_text(expr, "None", Precedence::Tight);
            }
            ("then_some", Some(true), [value]) => {
                self.put_text(expr, &format!("Some({})", self.text(value)), Precedence::Tight);
            }
            ("filter", None, [Expr::Closure(closure)]) if constant(&closure.body) == Some(true) => {
                let removed = range(&call.receiver).end..range(expr).end;
                self.edits.push(Edit::new(removed, ""));
            }
            (name, ..) => self.inline(expr, name, &arguments),
        }
    }

    fn fold_call(&mut self, expr: &Expr, call: &ExprCall) {
        let Expr::Path(function) = &*call.func else { return };
        let arguments: Vec<_> = call.args.iter().collect();
        let segments: Vec<_> =
            function.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let segments: Vec<_> = segments.iter().map(String::as_str).collect();
        match (segments.as_slice(), arguments.as_slice()) {
            ([kind, "from"], [value]) if is_integer(kind) && constant(value).is_some() => {
                let number = if constant(value) == Some(true) { "1" } else { "0" };
                self.put_text(expr, number, Precedence::Tight);
            }
            ([.., name], arguments) => self.inline(expr, name, arguments),
            ([], _) => {}
        }
    }

    fn inline(&mut self, call: &Expr, name: &str, arguments: &[&Expr]) {
        match self.functions.inlined.get(name) {
            Some(Value::Constant(value)) => self.put_constant(call, *value),
            Some(Value::Parameter(index)) => {
                if let Some(argument) = arguments.get(*index) {
                    self.put(call, argument);
                }
            }
            Some(Value::Path(path)) => self.put_text(call, path, Precedence::Tight),
            Some(Value::Nothing) => self.put_text(call, "()", Precedence::Tight),
            None => {}
        }
    }

    pub(super) fn text(&self, node: &impl syn::spanned::Spanned) -> &str {
        &self.source[range(node)]
    }

    pub(super) fn put_constant(&mut self, expr: &Expr, value: bool) {
        self.put_text(expr, name_of(value), Precedence::Tight);
    }

    /// Replaces an expression by a part of it.
    pub(super) fn put(&mut self, expr: &Expr, part: &Expr) {
        let part = match part {
            Expr::Paren(paren) if !self.text(part).contains('{') => &paren.expr,
            part => part,
        };
        let text = self.text(part).to_owned();
        self.put_text(expr, &text, Precedence::of(part));
    }

    /// Replaces an expression by the negation of a part of it.
    pub(super) fn put_not(&mut self, expr: &Expr, part: &Expr) {
        let text = self.negated(part);
        self.put_text(expr, &text, Precedence::Prefix);
    }

    pub(super) fn negated(&self, part: &Expr) -> String {
        let text = self.text(part);
        match part {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                self.text(&unary.expr).to_owned()
            }
            _ if Precedence::of(part) < Precedence::Prefix => format!("!({text})"),
            _ => format!("!{text}"),
        }
    }

    /// Replaces an expression, and removes parentheses around it that are no longer needed.
    pub(super) fn put_text(&mut self, expr: &Expr, text: &str, precedence: Precedence) {
        let own = range(expr);
        let needed = |place: Option<&Place>| match place {
            Some(Place::Operand(needs)) => *needs,
            _ => Precedence::Any,
        };
        let edit = match self.places.get(&own) {
            Some(Place::Arm) => Edit::new(own, format!("{text},")),
            // In a condition, a struct literal always needs parentheses.
            Some(Place::Parentheses(outer))
                if precedence >= needed(self.places.get(outer)) && !text.contains('{') =>
            {
                Edit::new(outer.clone(), text)
            }
            place if precedence < needed(place) => Edit::new(own, format!("({text})")),
            _ => Edit::new(own, text),
        };
        self.edits.push(edit);
    }
}

/// Whether this is a call of `name!`, with any path.
pub(super) fn is_call_of(call: &Macro, name: &str) -> bool {
    call.path.segments.last().is_some_and(|segment| segment.ident == name)
}

fn is_integer(name: &str) -> bool {
    name.strip_prefix(['u', 'i'])
        .is_some_and(|bits| bits == "size" || bits.bytes().all(|digit| digit.is_ascii_digit()))
}
