//! The operators: what may change in an expression, a condition or a statement.

use super::{Finder, has_let, is_assignment, range, value};
use crate::candidates::{Form, Operator};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprRange, Lit, Member, RangeLimits};

impl Finder<'_> {
    /// Takes a condition as always true, as never true, and as its opposite.
    pub(super) fn changed_condition(&mut self, condition: &Expr) {
        let place = range(condition);
        let negated = format!("!({})", self.text(place.clone()));
        self.add(Operator::RemovedCondition, (place.clone(), "true"), (place.clone(), Form::Or));
        self.add(
            Operator::RemovedCondition,
            (place.clone(), "false"),
            (place.clone(), Form::AndNot),
        );
        self.add(Operator::NegatedTest, (place.clone(), negated), (place, Form::Differs));
    }

    /// Drops a statement that only has an effect.
    pub(super) fn dropped_statement(&mut self, expr: &Expr, statement: Range<usize>) {
        let is_dropped = match expr {
            Expr::Assign(_)
            | Expr::MethodCall(_)
            | Expr::Call(_)
            | Expr::Continue(_)
            | Expr::Return(_) => true,
            Expr::Binary(binary) => is_assignment(&binary.op),
            Expr::Break(node) => node.expr.is_none(),
            _ => false,
        };
        if is_dropped {
            let removed = (statement.clone(), "");
            self.add(Operator::DroppedStatement, removed, (statement, Form::Skip));
        }
    }

    pub(super) fn changed_expression(&mut self, expr: &Expr) {
        match expr {
            Expr::Binary(binary) => self.changed_operation(binary),
            Expr::While(node) if !has_let(&node.cond) && value(&node.cond).is_none() => {
                let place = range(&node.cond);
                let never = (place.clone(), "false");
                self.add(Operator::RemovedCondition, never, (place, Form::AndNot));
            }
            Expr::Lit(literal) => {
                if let Lit::Int(number) = &literal.lit
                    && let Ok(value) = number.base10_parse::<u64>()
                {
                    let suffix = number.suffix();
                    let others = [value.checked_add(1), value.checked_sub(1)];
                    for other in others.into_iter().flatten() {
                        self.choose(Operator::OffByOne, expr, format!("{other}{suffix}"));
                    }
                }
            }
            Expr::Range(node) => self.changed_range(node),
            Expr::Array(node) => self.swapped(expr, &node.elems.iter().collect::<Vec<_>>()),
            Expr::Tuple(node) => self.swapped(expr, &node.elems.iter().collect::<Vec<_>>()),
            Expr::Call(node) => self.swapped(expr, &node.args.iter().collect::<Vec<_>>()),
            Expr::MethodCall(node) => self.swapped(expr, &node.args.iter().collect::<Vec<_>>()),
            Expr::Path(node) => {
                let others = match node.path.get_ident() {
                    Some(name) => self.names.like(&name.to_string()),
                    None => self.next_variant(&node.path).into_iter().collect(),
                };
                for other in others {
                    self.choose(Operator::OtherVariable, expr, other);
                }
            }
            Expr::Field(node) => {
                let Member::Named(name) = &node.member else { return };
                for other in self.names.fields_like(&name.to_string()).to_vec() {
                    self.change(Operator::OtherVariable, expr, (range(&node.member), other));
                }
            }
            _ => {}
        }
    }

    /// The path to the variant that follows in an enumeration.
    fn next_variant(&self, path: &syn::Path) -> Option<String> {
        let mut segments = path.segments.iter().rev();
        let (variant, of) = (segments.next()?, segments.next()?);
        let next = self.names.variant_after(&of.ident.to_string(), &variant.ident.to_string())?;
        let before = path.span().byte_range().start..range(&variant.ident).start;
        Some(format!("{}{next}", self.text(before)))
    }

    /// Changes an expression as a whole.
    fn choose(&mut self, operator: Operator, expr: &Expr, text: String) {
        self.change(operator, expr, (range(expr), text));
    }

    /// Changes a part of an expression.
    fn change(&mut self, operator: Operator, expr: &Expr, change: (Range<usize>, String)) {
        self.add_choice(operator, change, range(expr), is_pure(expr));
    }

    fn add_choice(
        &mut self,
        operator: Operator,
        change: (Range<usize>, impl Into<String>),
        place: Range<usize>,
        is_pure: bool,
    ) {
        self.add(operator, change, (place, Form::Choose));
        self.found.candidates.last_mut().expect("it was added").is_pure = is_pure;
    }

    fn changed_operation(&mut self, node: &ExprBinary) {
        let (left, right) = (range(&node.left), range(&node.right));
        let whole = left.start..right.end;
        let operator = range(&node.op);
        let other = match node.op {
            BinOp::Lt(_) => "<=",
            BinOp::Le(_) => "<",
            BinOp::Gt(_) => ">=",
            BinOp::Ge(_) => ">",
            BinOp::Eq(_) | BinOp::Ne(_) => {
                let opposite = if matches!(node.op, BinOp::Eq(_)) { "!=" } else { "==" };
                let place = (whole, Form::Differs);
                return self.add(Operator::NegatedTest, (operator, opposite), place);
            }
            BinOp::And(_) | BinOp::Or(_) => return self.without_a_condition(node),
            _ if is_assignment(&node.op) => return,
            _ => return self.without_an_operand(node),
        };
        let is_pure = is_pure(&node.left) && is_pure(&node.right);
        self.add_choice(Operator::Boundary, (operator, other), whole, is_pure);
    }

    /// Deletes each side of `&&` and `||`.
    fn without_a_condition(&mut self, node: &ExprBinary) {
        let (left, right) = (range(&node.left), range(&node.right));
        let form = if matches!(node.op, BinOp::And(_)) { Form::Or } else { Form::AndNot };
        let sides = [
            (&node.left, left.start..right.start, left.clone()),
            (&node.right, left.end..right.end, right.clone()),
        ];
        for (operand, removed, place) in sides {
            // What only a bug decides is no condition of the reference.
            if value(operand).is_none() && !has_let(operand) {
                let before = std::mem::replace(&mut self.is_operand, true);
                self.add(Operator::DeletedOperand, (removed, ""), (place, form));
                self.is_operand = before;
            }
        }
    }

    /// Deletes the right operand of any other operator, and the left one if the order does not matter.
    fn without_an_operand(&mut self, node: &ExprBinary) {
        let (left, right) = (range(&node.left), range(&node.right));
        let place = left.start..right.end;
        let is_pure = is_pure(&node.left) && is_pure(&node.right);
        let is_one = self.text(right.clone()) == "1";
        let operator = if is_one { Operator::OffByOne } else { Operator::DeletedOperand };
        self.add_choice(operator, (left.end..right.end, ""), place.clone(), is_pure);
        let commutes = matches!(
            node.op,
            BinOp::Add(_) | BinOp::Mul(_) | BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_)
        );
        if commutes && !is_one {
            let removed = (left.start..right.start, "");
            self.add_choice(Operator::DeletedOperand, removed, place, is_pure);
        }
    }

    /// Moves the ends of a range by one.
    fn changed_range(&mut self, node: &ExprRange) {
        let is_literal = |expr: &Expr| matches!(expr, Expr::Lit(_));
        let ends = [(&node.start, ["+ 1", "- 1"]), (&node.end, ["- 1", "+ 1"])];
        for (end, changes) in ends {
            let Some(end) = end.as_deref().filter(|end| !is_literal(end)) else { continue };
            let is_last = matches!(node.limits, RangeLimits::Closed(_));
            for change in changes.into_iter().take(if is_last { 1 } else { 2 }) {
                let text = format!("({}) {change}", self.text(range(end)));
                let text = if is_simple(end) { text.replace(['(', ')'], "") } else { text };
                self.choose(Operator::OffByOne, end, text);
            }
        }
    }

    /// Swaps each two neighbours in a list.
    fn swapped(&mut self, list: &Expr, items: &[&Expr]) {
        for pair in items.windows(2) {
            let (one, other) = (range(pair[0]), range(pair[1]));
            let (first, second) = (self.text(one.clone()), self.text(other.clone()));
            if first != second {
                let between = self.text(one.end..other.start);
                let text = format!("{second}{between}{first}");
                self.change(Operator::SwappedNeighbours, list, (one.start..other.end, text));
            }
        }
    }
}

/// Whether the expression is a name or a field, which needs no parentheses anywhere.
fn is_simple(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(_) | Expr::Field(_))
}

/// Whether evaluating the expression has no effect, and cannot fail in a build without overflow checks.
fn is_pure(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_pure(&field.base),
        Expr::Paren(paren) => is_pure(&paren.expr),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::Unary(unary) => is_pure(&unary.expr),
        Expr::Binary(binary) => {
            let is_total = !matches!(binary.op, BinOp::Div(_) | BinOp::Rem(_));
            let is_plain = is_total && !is_assignment(&binary.op);
            is_plain && is_pure(&binary.left) && is_pure(&binary.right)
        }
        Expr::Array(array) => array.elems.iter().all(is_pure),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_pure),
        _ => false,
    }
}
