//! Parses expressions and tests.

use super::super::token::Token;
use super::{Either, Parsed, Parser, describe};
use crate::tree::{Comparison, Expr, Test};
use crate::value::Value;

impl Parser {
    pub(super) fn test(&mut self) -> Parsed<Test> {
        match self.either()? {
            Either::Test(test) => Ok(test),
            Either::Expr(_) => self.fail("expected a test, such as a comparison"),
        }
    }

    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let sum = self.nested(Self::sum)?;
        self.as_expr(sum)
    }

    fn as_expr(&self, either: Either) -> Parsed<Expr> {
        match either {
            Either::Expr(expr) => Ok(expr),
            Either::Test(_) => self.fail("expected a value, found a test"),
        }
    }

    /// Tests joined by `&&` and `||`, which bind equally, or an expression.
    fn either(&mut self) -> Parsed<Either> {
        let mut left = self.nested(Self::one_test)?;
        loop {
            let is_and = self.accept("&&");
            if !is_and && !self.accept("||") {
                return Ok(left);
            }
            self.operator()?;
            let Either::Test(first) = left else { return self.fail("expected a test before this") };
            let Either::Test(second) = self.nested(Self::one_test)? else {
                return self.fail("expected a test, such as a comparison");
            };
            let (first, second) = (Box::new(first), Box::new(second));
            left = Either::Test(if is_and {
                Test::And(first, second)
            } else {
                Test::Or(first, second)
            });
        }
    }

    fn one_test(&mut self) -> Parsed<Either> {
        if self.accept("!") {
            return match self.nested(Self::one_test)? {
                Either::Test(test) => Ok(Either::Test(Test::Not(Box::new(test)))),
                Either::Expr(_) => self.fail("expected a test after `!`"),
            };
        }
        if let Some(test) = self.test_command()? {
            return Ok(Either::Test(test));
        }
        let left = match self.sum()? {
            Either::Expr(left) => left,
            test @ Either::Test(_) => return Ok(test),
        };
        let Some(comparison) = self.comparison() else { return Ok(Either::Expr(left)) };
        let right = self.expr()?;
        Ok(Either::Test(Test::Compare(comparison, left, right)))
    }

    fn test_command(&mut self) -> Parsed<Option<Test>> {
        let Token::Word(word) = self.peek().clone() else { return Ok(None) };
        if !["ISEOF", "MATCH", "UNIQUE", "INARRAY"].contains(&word.as_str()) {
            return Ok(None);
        }
        self.advance();
        Ok(Some(match word.as_str() {
            "ISEOF" => Test::IsEof,
            "MATCH" => Test::Match(self.parenthesized(Self::expr)?),
            "UNIQUE" => Test::Unique(self.parenthesized(|parser| parser.list(Self::name))?),
            _ => self.parenthesized(|parser| {
                let value = parser.expr()?;
                parser.expect(",")?;
                Ok(Test::InArray(value, parser.name()?))
            })?,
        }))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let all = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("==", Comparison::Equal),
            ("!=", Comparison::Different),
        ];
        all.into_iter().find(|(mark, _)| self.accept(mark)).map(|(_, comparison)| comparison)
    }

    fn sum(&mut self) -> Parsed<Either> {
        self.left_to_right(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Parsed<Either> {
        self.left_to_right(&["*", "/", "%"], Self::power)
    }

    fn left_to_right(
        &mut self,
        marks: &[&str],
        operand: fn(&mut Self) -> Parsed<Either>,
    ) -> Parsed<Either> {
        let mut left = operand(self)?;
        while let Some(mark) = marks.iter().find(|mark| self.accept(mark)) {
            self.operator()?;
            let right = operand(self)?;
            let (first, second) = (self.as_expr(left)?, self.as_expr(right)?);
            left = Either::Expr(Expr::Binary(mark.as_bytes()[0], first.into(), second.into()));
        }
        Ok(left)
    }

    fn power(&mut self) -> Parsed<Either> {
        if self.accept("-") {
            let operand = self.nested(Self::power)?;
            return Ok(Either::Expr(Expr::Negated(self.as_expr(operand)?.into())));
        }
        let base = self.operand()?;
        if !self.accept("^") {
            return Ok(base);
        }
        let exponent = self.nested(Self::power)?;
        let (base, exponent) = (self.as_expr(base)?, self.as_expr(exponent)?);
        Ok(Either::Expr(Expr::Binary(b'^', base.into(), exponent.into())))
    }

    fn operand(&mut self) -> Parsed<Either> {
        if self.accept("(") {
            let inner = self.nested(Self::either)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let expr = match self.peek().clone() {
            Token::Value(value) => {
                self.advance();
                Expr::Value(value)
            }
            Token::Name(name) => match self.function(&name) {
                Some(function) => {
                    self.advance();
                    self.nested(|parser| parser.extreme(function))?
                }
                None => Expr::Variable(self.variable()?),
            },
            Token::Word(word) if word == "STRLEN" => {
                self.advance();
                Expr::Length(self.parenthesized(Self::expr)?.into())
            }
            other => return self.fail(format!("expected a value, found {}", describe(&other))),
        };
        Ok(Either::Expr(expr))
    }

    /// The operator of a function that begins here. Only descriptions in YAML have functions.
    fn function(&self, name: &str) -> Option<u8> {
        let is_called = matches!(self.tokens.get(self.next + 1), Some((_, Token::Mark("("))));
        match name {
            "min" if self.has_functions && is_called => Some(Value::LEAST),
            "max" if self.has_functions && is_called => Some(Value::MOST),
            _ => None,
        }
    }

    /// The least or the most of the expressions in parentheses.
    fn extreme(&mut self, operator: u8) -> Parsed<Expr> {
        let part = |parser: &mut Self| parser.operator().and_then(|()| parser.expr());
        let parts = self.parenthesized(|parser| parser.list(part))?;
        let both = |left: Expr, right: Expr| Expr::Binary(operator, left.into(), right.into());
        Ok(parts.into_iter().reduce(both).expect("a list has an item"))
    }
}
