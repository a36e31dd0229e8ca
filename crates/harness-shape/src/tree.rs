//! A shape as a tree of commands. Both languages are parsed into it.

use crate::apart::ApartRule;
use crate::edges::EdgesRule;
use crate::grid::{Count, GridRule, Side};
use crate::lengths;
use crate::pattern::Pattern;
use crate::sizes;
use crate::stream::Form;
use crate::usual::Preferred;
use crate::value::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A shape: what an input looks like. Variables are numbers: indices into `names`.
#[derive(Debug)]
pub struct Shape {
    pub names: Vec<String>,
    pub commands: Vec<Command>,
    /// The variables whose values become counts or lengths.
    pub sizes: Vec<bool>,
    /// Those among them that only say how many different letters a grid may have.
    pub(crate) varieties: Vec<bool>,
    /// For each text, by the offset of its command, the length that a later assertion wants.
    pub(crate) lengths: HashMap<usize, Expr>,
    /// For each list and text, by the offset of its command, the structures that it rather has.
    pub(crate) usual: HashMap<usize, Vec<Preferred>>,
    /// Whether the last line may end without a newline.
    pub open_end: Leeway,
    /// Whether lines may end in CRLF.
    pub crlf: Leeway,
    /// Numbers in the name of a test.
    pub parameters: Vec<Parameter>,
}

impl Shape {
    pub(crate) fn new(names: Vec<String>, commands: Vec<Command>) -> Self {
        let (sizes, varieties) = sizes::of(&commands, names.len());
        let lengths = lengths::of(&commands);
        Self {
            names,
            commands,
            sizes,
            varieties,
            lengths,
            usual: HashMap::new(),
            open_end: Leeway::None,
            crlf: Leeway::None,
            parameters: Vec::new(),
        }
    }
}

impl Shape {
    /// The names of the whole numbers of an input, in order.
    pub fn numbers(&self) -> Vec<&str> {
        let mut numbers = Vec::new();
        self.visit(&mut |what| {
            let side = |side: &Side| match side {
                Side::Own { name, .. } => name.as_ref().map(|name| name.name),
                Side::Given(_) => None,
            };
            match what {
                What::Int(Int { name: Some(name), .. }) => numbers.push(name.name),
                What::Many(many) => numbers.extend(side(&many.count)),
                What::Grid(grid) => {
                    numbers.extend([&grid.rows, &grid.columns].into_iter().filter_map(side));
                }
                _ => {}
            }
        });
        let mut seen = vec![false; self.names.len()];
        numbers.retain(|&name| !std::mem::replace(&mut seen[name], true));
        numbers.into_iter().map(|name| self.names[name].as_str()).collect()
    }

    /// The words between which an input has a choice, and those that stand for themselves, each once.
    pub fn words(&self) -> Vec<Vec<u8>> {
        let mut words = BTreeSet::new();
        self.visit(&mut |what| {
            let texts: Vec<&[u8]> = match what {
                What::Word { words, .. } => words.iter().map(Vec::as_slice).collect(),
                What::String(Expr::Value(Value::Text(text))) => vec![text],
                _ => return,
            };
            let found = texts.into_iter().flat_map(|text| text.split(u8::is_ascii_whitespace));
            words.extend(found.filter(|word| !word.is_empty()).map(<[u8]>::to_vec));
        });
        words.into_iter().collect()
    }

    /// What comments begin with, if there can be any.
    pub fn comment(&self) -> Option<&[u8]> {
        let mut found = None;
        self.visit(&mut |what| {
            let noise = match what {
                What::Noise(noise) => noise,
                What::Many(many) => &many.noise,
                What::Grid(grid) => &grid.noise,
                _ => return,
            };
            let comments = noise.iter().find_map(|noise| match noise {
                Noise::Comments(prefix) => Some(prefix.as_slice()),
                Noise::BlankLines(_) => None,
            });
            found = found.or(comments);
        });
        found
    }

    /// Shows each command, in order.
    fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a What)) {
        visit(&self.commands, see);
    }
}

fn visit<'a>(commands: &'a [Command], see: &mut dyn FnMut(&'a What)) {
    for command in commands {
        see(&command.what);
        match &command.what {
            What::Many(many) => visit(&many.body, see),
            What::Edges(edges) => visit(&edges.after, see),
            What::Block(inner) | What::Repeat { body: inner, .. } => visit(inner, see),
            What::Cases { cases, .. } => cases.iter().for_each(|case| visit(&case.commands, see)),
            What::If { then, otherwise, .. } => {
                visit(then, see);
                visit(otherwise, see);
            }
            _ => {}
        }
    }
}

/// A command, and where it begins: its offset in the source.
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
    Int(Int),
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
    /// One of several words.
    Word {
        words: Vec<Vec<u8>>,
        name: Option<Variable>,
    },
    /// Blanks: at least this many, and more with some leeway.
    Blanks {
        least: usize,
        more: Leeway,
    },
    /// Lines of a comment, or blank lines: things that may be there any number of times and mean nothing.
    Noise(Vec<Noise>),
    /// As many repetitions as an input has, within bounds.
    Many(Box<Many>),
    Grid(Box<GridRule>),
    Edges(Box<EdgesRule>),
    /// One letter. Letters with a count in the repetitions around it come by their counts.
    Letter {
        letters: Vec<u8>,
        /// The first ones are usual: as many as this.
        usual: usize,
        name: Option<Variable>,
    },
    Block(Vec<Command>),
    /// What the value of a variable chooses.
    Cases {
        by: Variable,
        cases: Vec<Case>,
    },
    /// Empties the sets of distinct numbers with these numbers.
    Forget(Vec<usize>),
    /// A test, and its source if it is shown in messages.
    Assert(Test, Option<String>),
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

/// A whole number.
#[derive(Debug)]
pub struct Int {
    pub least: Expr,
    pub most: Expr,
    /// The range of nearly all numbers.
    pub usual: Option<(Expr, Expr)>,
    pub name: Option<Variable>,
    /// The set of numbers that this one must differ from, and joins.
    pub distinct: Option<usize>,
}

/// What means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Lines that begin with this.
    Comments(Vec<u8>),
    BlankLines(Leeway),
}

impl Noise {
    /// Whether inputs that are made have it.
    pub(crate) fn is_made(&self) -> bool {
        *self != Self::BlankLines(Leeway::Reading)
    }
}

/// In which inputs a form may differ from the usual one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leeway {
    /// In none.
    #[default]
    None,
    /// Only in those that are read. A correct program need not accept it.
    Reading,
    /// Also in those that are made.
    Both,
}

/// What comes if a variable has a value.
#[derive(Debug)]
pub struct Case {
    pub at: usize,
    pub value: Value,
    pub commands: Vec<Command>,
}

/// A number in the name of a test.
#[derive(Debug)]
pub struct Parameter {
    pub at: usize,
    pub name: Variable,
    pub least: Expr,
    pub most: Expr,
}

/// Repetitions of which letters and numbers may be counted.
#[derive(Debug)]
pub struct Many {
    pub count: Side,
    /// How often letters occur.
    pub counts: Vec<Count>,
    /// The sets of distinct numbers that begin with the repetitions.
    pub sets: Vec<usize>,
    /// What may stand before, between and after the repetitions.
    pub noise: Vec<Noise>,
    pub body: Vec<Command>,
    /// What no two repetitions may both cover.
    pub apart: Option<ApartRule>,
    /// The bytes that begin a repetition.
    pub(crate) first: [bool; 256],
    /// Nothing but the end of the input follows.
    pub(crate) is_last: bool,
}

impl Many {
    pub(crate) fn new(
        count: Side,
        counts: Vec<Count>,
        sets: Vec<usize>,
        noise: Vec<Noise>,
        body: Vec<Command>,
    ) -> Self {
        Self { count, counts, sets, noise, body, apart: None, first: [false; 256], is_last: false }
    }
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
    /// One of `+ - * / % ^`, [`Value::LEAST`] or [`Value::MOST`].
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

    /// Whether the expression has the same value in every input.
    pub(crate) fn is_constant(&self) -> bool {
        let mut variables = Vec::new();
        self.variables(&mut variables);
        variables.is_empty()
    }

    /// The variable, if this is one, or one more or less a constant.
    pub(crate) fn only_variable(&self) -> Option<&Variable> {
        match self {
            Self::Variable(variable) if variable.indices.is_empty() => Some(variable),
            Self::Binary(_, left, right) => match (left.as_ref(), right.as_ref()) {
                (part, Self::Value(_)) | (Self::Value(_), part) => part.only_variable(),
                _ => None,
            },
            _ => None,
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

impl Test {
    /// The variables in the test.
    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Self::Not(test) => test.variables(found),
            Self::And(first, second) | Self::Or(first, second) => {
                first.variables(found);
                second.variables(found);
            }
            Self::Compare(_, left, right) => {
                left.variables(found);
                right.variables(found);
            }
            Self::Match(expr) | Self::InArray(expr, _) => expr.variables(found),
            Self::IsEof | Self::Unique(_) => {}
        }
    }
}
