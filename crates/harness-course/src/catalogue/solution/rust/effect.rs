//! Decides whether an expression has a side effect.

use super::fold::is_call_of;
use super::function::Functions;
use super::precedence::Precedence;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Path};

/// Methods of the standard library that change their receiver.
#[rustfmt::skip]
const CHANGING: [&str; 23] = [
    "append", "clear", "drain", "extend", "flush", "insert", "next", "next_back", "pop",
    "pop_back", "pop_front", "push", "push_back", "push_front", "read", "read_line",
    "read_to_end", "remove", "resize", "retain", "sort", "truncate", "write_all",
];

/// Whether an expression may have a side effect.
pub(super) fn may_have_effect(expr: &Expr, functions: &Functions) -> bool {
    find(expr, &functions.may_change, Some(&functions.names))
}

/// Whether a condition certainly has a side effect. A condition beside a bug is not expected to have one.
pub(super) fn has_effect(expr: &Expr, functions: &Functions) -> bool {
    find(expr, &functions.changing, None)
}

fn find(expr: &Expr, changing: &HashSet<String>, known: Option<&HashSet<String>>) -> bool {
    let mut effects = Effects { changing, known, found: false };
    effects.visit_expr(expr);
    effects.found
}

struct Effects<'a> {
    /// Functions of the package that change something.
    changing: &'a HashSet<String>,
    /// The functions of the package, if a call of any other name may be a call of a closure that changes something.
    known: Option<&'a HashSet<String>>,
    found: bool,
}

impl Effects<'_> {
    fn may_change(&self, function: &Path) -> bool {
        let Some(segment) = function.segments.last() else { return true };
        let name = segment.ident.to_string();
        let is_closure = function.segments.len() == 1 && name.starts_with(char::is_lowercase);
        self.changing.contains(&name)
            || is_closure && self.known.is_some_and(|known| !known.contains(&name))
    }
}

impl<'ast> Visit<'ast> for Effects<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= match expr {
            Expr::Assign(_)
            | Expr::Try(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::Await(_)
            | Expr::Yield(_) => true,
            Expr::Binary(_) => Precedence::of(expr) == Precedence::Loose,
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                // `take(5)` only shortens an iterator, but `take()` empties an `Option`.
                let takes = name == "take" && call.args.is_empty();
                takes || CHANGING.contains(&name.as_str()) || self.changing.contains(&name)
            }
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => self.may_change(&path.path),
                _ => true,
            },
            _ => false,
        };
        // A closure does nothing until it is called.
        if !matches!(expr, Expr::Closure(_)) {
            visit::visit_expr(self, expr);
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.found |= !is_call_of(call, "matches") && !is_call_of(call, "format");
    }
}
