//! Folds `match`.

use super::edit::{Edit, range};
use super::effect::has_effect;
use super::fold::{Pass, constant};
use super::precedence::Precedence;
use syn::{Arm, Expr, ExprLit, ExprMatch, Lit, Pat, Stmt};

impl Pass<'_> {
    pub(super) fn fold_match(&mut self, expr: &Expr, node: &ExprMatch) {
        let arms: Vec<_> = node.arms.iter().map(Case::of).collect();
        let is_reached = |case: &Case<'_>| case.guard.and_then(constant) != Some(false);
        let left: Vec<_> = arms.iter().filter(|case| is_reached(case)).collect();
        if left.len() < arms.len() {
            return match left.as_slice() {
                [only] if matches!(only.pattern, Pat::Wild(_)) => self.put(expr, only.body),
                left if left.iter().all(|case| matches!(case.pattern, Pat::Wild(_))) => {
                    self.put_chain(expr, left);
                }
                _ => arms.iter().filter(|case| !is_reached(case)).for_each(|case| {
                    self.edits.push(Edit::removal(self.source, range(case.arm)));
                }),
            };
        }
        for case in &arms {
            if let Some(guard) = case.guard.filter(|guard| constant(guard) == Some(true)) {
                self.edits.push(Edit::new(range(case.pattern).end..range(guard).end, ""));
                return;
            }
        }
        let before = self.edits.len();
        if !has_effect(&node.expr, self.functions) {
            self.put_condition(expr, node, &arms);
        }
        let is_done = self.edits.len() > before;
        if !is_done && !arms.windows(2).any(|pair| self.merge(&pair[0], &pair[1])) {
            arms.windows(2).any(|pair| self.join(&pair[0], &pair[1]));
        }
    }

    /// Turns a match whose patterns match everything into a chain of `if`.
    fn put_chain(&mut self, expr: &Expr, arms: &[&Case<'_>]) {
        let mut parts = Vec::new();
        for case in arms {
            let body = match case.body {
                Expr::Block(block) => self.text(block).to_owned(),
                body => format!("{{ {} }}", self.text(body)),
            };
            match case.guard {
                Some(guard) => parts.push(format!("if {} {body}", self.text(guard))),
                None => parts.push(body),
            }
        }
        self.put_text(expr, &parts.join(" else "), Precedence::Loose);
    }

    /// Joins two arms with the same pattern, the first of which is a constant.
    fn merge(&mut self, first: &Case<'_>, second: &Case<'_>) -> bool {
        let (Some(guard), Some(value)) = (first.guard, literal(first.body)) else { return false };
        let is_folded = constant(first.body).or(constant(second.body)).is_some();
        if !is_folded
            || second.guard.is_some()
            || self.text(first.pattern) != self.text(second.pattern)
        {
            return false;
        }
        let body = match (value, literal(second.body)) {
            (true, Some(false)) => self.text(guard).to_owned(),
            (false, Some(true)) => self.negated(guard),
            (true, None) => {
                format!(
                    "{} || {}",
                    self.operand(guard, Precedence::Or),
                    self.operand(second.body, Precedence::And)
                )
            }
            (false, None) => {
                format!(
                    "{} && {}",
                    self.negated(guard),
                    self.operand(second.body, Precedence::Comparison)
                )
            }
            _ => return false,
        };
        let both = range(first.pattern).end..range(second.body).end;
        let comma = if second.arm.comma.is_none() { "," } else { "" };
        self.edits.push(Edit::new(both, format!(" => {body}{comma}")));
        true
    }

    /// Joins two arms that are the same constant.
    fn join(&mut self, first: &Case<'_>, second: &Case<'_>) -> bool {
        let is_folded = constant(first.body).or(constant(second.body)).is_some();
        let is_same = literal(first.body) == literal(second.body);
        let is_free = first.guard.or(second.guard).is_none();
        let is_any = matches!(second.pattern, Pat::Wild(_));
        if is_folded && is_same && is_free && !is_any {
            let between = range(first.pattern).end..range(second.pattern).start;
            self.edits.push(Edit::new(between, " | "));
        }
        is_folded && is_same && is_free && !is_any
    }

    fn operand(&self, expr: &Expr, needs: Precedence) -> String {
        let text = self.text(expr);
        if Precedence::of(expr) < needs { format!("({text})") } else { text.to_owned() }
    }

    /// Turns a match whose arms are all constants into a condition.
    fn put_condition(&mut self, expr: &Expr, node: &ExprMatch, arms: &[Case<'_>]) {
        let values: Option<Vec<_>> = arms.iter().map(|case| literal(case.body)).collect();
        let is_folded = arms.iter().any(|case| constant(case.body).is_some());
        let Some(values) = values.filter(|_| is_folded) else { return };
        let Some(&first) = values.first() else { return };
        let others = values.iter().take_while(|&&value| value == first).count();
        if others == values.len() {
            return self.put_constant(expr, first);
        }
        if values[others..].contains(&first)
            || arms[..others].iter().any(|case| case.guard.is_some())
        {
            return;
        }
        let patterns: Vec<_> = arms[..others].iter().map(|case| self.text(case.pattern)).collect();
        let not = if first { "" } else { "!" };
        let text = format!("{not}matches!({}, {})", self.text(&node.expr), patterns.join(" | "));
        self.put_text(expr, &text, Precedence::Prefix);
    }
}

/// The value of a constant, whether folded or written by the author.
fn literal(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => Some(value.value),
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [Stmt::Expr(expr, None)] => literal(expr),
            _ => None,
        },
        expr => constant(expr),
    }
}

/// The parts of an arm.
struct Case<'a> {
    arm: &'a Arm,
    pattern: &'a Pat,
    guard: Option<&'a Expr>,
    body: &'a Expr,
}

impl<'a> Case<'a> {
    fn of(arm: &'a Arm) -> Self {
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pattern => (pattern, None),
        };
        Self { arm, pattern, guard, body: &arm.body }
    }
}
