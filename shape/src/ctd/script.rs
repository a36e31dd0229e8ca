//! A checktestdata script as a tree.

use crate::medium::Form;
use crate::pattern::Pattern;
use crate::value::Value;
use std::sync::Arc;

/// A script. Variables are numbers: indices into `names`.
#[derive(Debug)]
pub struct Script {
    pub names: Vec<String>,
    pub commands: Vec<Command>,
    /// The variables whose values become counts or lengths.
    pub sizes: Vec<bool>,
}

/// A command, and where it begins: its offset in the script.
#[derive(Debug)]
pub struct Command {
    pub at: usize,
    pub what: What,
}

#[derive(Debug)]
pub enum What {
    Space,
    Newline,
    Eof,
    Int {
        least: Expr,
        most: Expr,
        name: Option<Variable>,
    },
    Float {
        least: Expr,
        most: Expr,
        decimals: Option<(Expr, Expr)>,
        name: Option<Variable>,
        form: Form,
    },
    String(Expr),
    Regex {
        expression: Expr,
        compiled: Option<Arc<Pattern>>,
        name: Option<Variable>,
    },
    Assert(Test),
    Set(Vec<(Variable, Expr)>),
    Unset(Vec<usize>),
    Repeat {
        index: Option<Variable>,
        until: Until,
        separator: Option<Box<Command>>,
        body: Vec<Command>,
    },
    If {
        test: Test,
        then: Vec<Command>,
        otherwise: Vec<Command>,
    },
}

/// When a loop ends.
#[derive(Debug)]
pub enum Until {
    Count(Expr),
    Not(Test),
}

/// A variable, with its indices if it is an array's element.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: usize,
    pub indices: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Value(Value),
    Variable(Variable),
    Length(Box<Expr>),
    Negated(Box<Expr>),
    /// One of `+ - * / % ^`.
    Binary(u8, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Test {
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Compare(Comparison, Expr, Expr),
    Match(Expr),
    IsEof,
    Unique(Vec<usize>),
    InArray(Expr, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Different,
}

impl Expr {
    /// The variables in the expression.
    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Self::Value(_) => {}
            Self::Variable(variable) => found.push(variable.name),
            Self::Length(part) | Self::Negated(part) => part.variables(found),
            Self::Binary(_, left, right) => {
                left.variables(found);
                right.variables(found);
            }
        }
    }

    pub fn has_length(&self) -> bool {
        match self {
            Self::Value(_) | Self::Variable(_) => false,
            Self::Length(_) => true,
            Self::Negated(part) => part.has_length(),
            Self::Binary(_, left, right) => left.has_length() || right.has_length(),
        }
    }
}
