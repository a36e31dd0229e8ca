//! The precedence of expressions, to write parentheses only where they are needed.

use syn::{BinOp, Expr};

/// From the loosest to the tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// Any expression.
    Any,
    /// Closures, ranges, assignments, and what ends in a block.
    Loose,
    Or,
    And,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    /// A name, a literal, a call, and the like.
    Tight,
}

impl Precedence {
    pub(super) fn of(expr: &Expr) -> Self {
        match expr {
            Expr::Binary(binary) => Self::of_operator(&binary.op),
            Expr::Let(_) => Self::Comparison,
            Expr::Cast(_) => Self::Cast,
            Expr::Unary(_) | Expr::Reference(_) => Self::Prefix,
            Expr::Assign(_)
            | Expr::Block(_)
            | Expr::Break(_)
            | Expr::Closure(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Range(_)
            | Expr::Return(_) => Self::Loose,
            _ => Self::Tight,
        }
    }

    fn of_operator(operator: &BinOp) -> Self {
        match operator {
            BinOp::Or(_) => Self::Or,
            BinOp::And(_) => Self::And,
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => Self::Comparison,
            BinOp::BitOr(_) => Self::BitOr,
            BinOp::BitXor(_) => Self::BitXor,
            BinOp::BitAnd(_) => Self::BitAnd,
            BinOp::Shl(_) | BinOp::Shr(_) => Self::Shift,
            BinOp::Add(_) | BinOp::Sub(_) => Self::Sum,
            BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => Self::Product,
            _ => Self::Loose,
        }
    }

    /// The direct operands of an expression, each with the loosest precedence that needs no parentheses there.
    pub(super) fn of_operands(expr: &Expr) -> Vec<(&Expr, Self)> {
        match expr {
            Expr::Binary(binary) => {
                let own = Self::of(expr);
                let left = if own == Self::Comparison { own.next() } else { own };
                vec![(&binary.left, left), (&binary.right, own.next())]
            }
            Expr::Cast(cast) => vec![(&cast.expr, Self::Cast)],
            Expr::Unary(unary) => vec![(&unary.expr, Self::Prefix)],
            Expr::Reference(reference) => vec![(&reference.expr, Self::Prefix)],
            Expr::Call(call) => vec![(&call.func, Self::Tight)],
            Expr::MethodCall(call) => vec![(&call.receiver, Self::Tight)],
            Expr::Field(field) => vec![(&field.base, Self::Tight)],
            Expr::Index(index) => vec![(&index.expr, Self::Tight)],
            Expr::Try(tried) => vec![(&tried.expr, Self::Tight)],
            _ => Vec::new(),
        }
    }

    fn next(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Comparison,
            Self::Comparison => Self::BitOr,
            Self::BitOr => Self::BitXor,
            Self::BitXor => Self::BitAnd,
            Self::BitAnd => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Cast,
            Self::Any | Self::Loose => Self::Or,
            _ => Self::Tight,
        }
    }
}
