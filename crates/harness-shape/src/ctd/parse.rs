//! Parses a checktestdata script.

mod expressions;

use super::token::{Token, tokens};
use crate::pattern::Pattern;
use crate::stream::Form;
use crate::tree::{Command, Expr, Int, Shape, Test, Until, Variable, What};
use crate::value::Value;
use crate::{MOST_BYTES, Problem};
use std::sync::Arc;

/// How deeply blocks and expressions may be nested.
const DEEPEST: usize = 200;

/// How many operators may stand in the expressions of one command. They nest in each other.
const MOST_OPERATORS: usize = 500;

/// Parses a script.
///
/// # Errors
/// At the first thing that is not in the language.
pub fn parse(script: &[u8]) -> Result<Shape, Problem> {
    if script.len() > MOST_BYTES {
        return Err(Problem::new(
            MOST_BYTES,
            format!("the script has more than {MOST_BYTES} bytes"),
        ));
    }
    let (tokens, names) = (tokens(script)?, Vec::new());
    let mut parser = Parser::new(tokens, names, false);
    let commands = parser.block()?;
    match parser.peek() {
        Token::End => {}
        other => return parser.fail(format!("unexpected {}", describe(&other.clone()))),
    }
    Ok(Shape::new(parser.names, commands))
}

/// Parses one expression, or one test, of a description in another language. `names` are the variables so far.
///
/// # Errors
/// At the first thing that is not in the language. Offsets count from the beginning of `text`.
pub fn parse_expression(text: &str, names: &mut Vec<String>) -> Result<Expr, Problem> {
    within(text, names, Parser::expr)
}

/// As [`parse_expression`], for a test.
///
/// # Errors
/// At the first thing that is not in the language.
pub fn parse_test(text: &str, names: &mut Vec<String>) -> Result<Test, Problem> {
    within(text, names, Parser::test)
}

fn within<T>(
    text: &str,
    names: &mut Vec<String>,
    parse: impl Fn(&mut Parser) -> Parsed<T>,
) -> Result<T, Problem> {
    let tokens = tokens(text.as_bytes())?;
    let names_before = std::mem::take(names);
    let mut parser = Parser::new(tokens, names_before, true);
    let parsed = parse(&mut parser).and_then(|parsed| match parser.peek() {
        Token::End => Ok(parsed),
        other => parser.fail(format!("unexpected {}", describe(&other.clone()))),
    });
    *names = parser.names;
    parsed
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    names: Vec<String>,
    depth: usize,
    /// How many operators the command has so far.
    operators: usize,
    /// There are `min` and `max`, which checktestdata does not have.
    has_functions: bool,
}

/// What stands in parentheses: a test or an expression.
enum Either {
    Test(Test),
    Expr(Expr),
}

type Parsed<T> = Result<T, Problem>;

impl Parser {
    fn new(tokens: Vec<(usize, Token)>, names: Vec<String>, has_functions: bool) -> Self {
        Self { tokens, next: 0, names, depth: 0, operators: 0, has_functions }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Problem::new(self.at(), message))
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn accept(&mut self, mark: &str) -> bool {
        let found = matches!(self.peek(), Token::Mark(found) if *found == mark);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.accept(mark) {
            return Ok(());
        }
        let found = describe(self.peek());
        self.fail(format!("expected `{mark}`, found {found}"))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return self.fail(format!("nested more than {DEEPEST} levels deep"));
        }
        self.depth += 1;
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    /// Counts an operator.
    fn operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators > MOST_OPERATORS {
            return self.fail(format!("more than {MOST_OPERATORS} operators in one command"));
        }
        Ok(())
    }

    /// Commands up to `END`, `ELSE` or the end of the script.
    fn block(&mut self) -> Parsed<Vec<Command>> {
        let mut commands = Vec::new();
        while !(self.is_word("END") || self.is_word("ELSE") || *self.peek() == Token::End) {
            commands.push(self.nested(Self::command)?);
        }
        Ok(commands)
    }

    fn command(&mut self) -> Parsed<Command> {
        let at = self.at();
        let Token::Word(word) = self.peek().clone() else {
            let found = describe(self.peek());
            return self.fail(format!("expected a command, found {found}"));
        };
        self.advance();
        self.operators = 0;
        let what = match word.as_str() {
            "SPACE" => What::Space,
            "NEWLINE" => What::Newline,
            "EOF" => What::Eof,
            "INT" => self.int()?,
            "FLOAT" => self.float(false)?,
            "FLOATP" => self.float(true)?,
            "STRING" => What::String(self.parenthesized(Self::expr)?),
            "REGEX" => self.regex()?,
            "ASSERT" => What::Assert(self.parenthesized(Self::test)?, None),
            "SET" => What::Set(self.parenthesized(|parser| parser.list(Self::assignment))?),
            "UNSET" => What::Unset(self.parenthesized(|parser| parser.list(Self::name))?),
            "REP" | "REPI" | "WHILE" | "WHILEI" => self.repeat(&word)?,
            "IF" => self.branch()?,
            _ => {
                self.next -= 1;
                return self.fail(format!("there is no command `{word}`"));
            }
        };
        Ok(Command { at, what })
    }

    fn parenthesized<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect("(")?;
        let parsed = inner(self)?;
        self.expect(")")?;
        Ok(parsed)
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn assignment(&mut self) -> Parsed<(Variable, Expr)> {
        let variable = self.variable()?;
        self.expect("=")?;
        Ok((variable, self.expr()?))
    }

    fn int(&mut self) -> Parsed<What> {
        self.parenthesized(|parser| {
            let least = parser.expr()?;
            parser.expect(",")?;
            let most = parser.expr()?;
            let name = parser.accept(",").then(|| parser.variable()).transpose()?;
            Ok(What::Int(Int { least, most, usual: None, name, distinct: None }))
        })
    }

    fn float(&mut self, has_decimals: bool) -> Parsed<What> {
        self.parenthesized(|parser| {
            let least = parser.expr()?;
            parser.expect(",")?;
            let most = parser.expr()?;
            let mut decimals = None;
            if has_decimals {
                parser.expect(",")?;
                let fewest = parser.expr()?;
                parser.expect(",")?;
                decimals = Some((fewest, parser.expr()?));
            }
            let name = parser.accept(",").then(|| parser.variable()).transpose()?;
            let form = if parser.accept(",") { parser.form()? } else { Form::Any };
            Ok(What::Float { least, most, decimals, name, form })
        })
    }

    fn form(&mut self) -> Parsed<Form> {
        let form = match self.peek() {
            Token::Word(word) if word == "FIXED" => Form::Fixed,
            Token::Word(word) if word == "SCIENTIFIC" => Form::Scientific,
            other => {
                let found = describe(other);
                return self.fail(format!("expected `FIXED` or `SCIENTIFIC`, found {found}"));
            }
        };
        self.advance();
        Ok(form)
    }

    fn regex(&mut self) -> Parsed<What> {
        self.parenthesized(|parser| {
            let at = parser.at();
            let expression = parser.expr()?;
            let compiled = match &expression {
                Expr::Value(Value::Text(text)) => {
                    Some(Arc::new(Pattern::new(text).map_err(|refused| {
                        let hint = refused.hint(
                            "repeat without a limit, and limit the length after it: \
                            `REGEX(\"[a-z]+\", s)`, and `ASSERT(STRLEN(s) <= 1000000)`",
                        );
                        Problem { hint, ..Problem::new(at, refused.to_string()) }
                    })?))
                }
                _ => None,
            };
            let name = parser.accept(",").then(|| parser.variable()).transpose()?;
            Ok(What::Regex { expression, compiled, name })
        })
    }

    fn repeat(&mut self, word: &str) -> Parsed<What> {
        let (index, until, separator) = self.parenthesized(|parser| {
            let mut index = None;
            if word.ends_with('I') {
                index = Some(parser.variable()?);
                parser.expect(",")?;
            }
            let until = if word.starts_with('R') {
                Until::Count(parser.expr()?)
            } else {
                Until::Not(parser.test()?)
            };
            let separator =
                parser.accept(",").then(|| parser.nested(Self::command)).transpose()?.map(Box::new);
            Ok((index, until, separator))
        })?;
        let body = self.block()?;
        self.end()?;
        Ok(What::Repeat { index, until, separator, body })
    }

    fn branch(&mut self) -> Parsed<What> {
        let test = self.parenthesized(Self::test)?;
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if self.is_word("ELSE") {
            self.advance();
            otherwise = self.block()?;
        }
        self.end()?;
        Ok(What::If { test, then, otherwise })
    }

    fn end(&mut self) -> Parsed<()> {
        if self.is_word("END") {
            self.advance();
            return Ok(());
        }
        let found = describe(self.peek());
        self.fail(format!("expected `END`, found {found}"))
    }

    fn name(&mut self) -> Parsed<usize> {
        let Token::Name(name) = self.peek().clone() else {
            let found = describe(self.peek());
            return self.fail(format!("expected the name of a variable, found {found}"));
        };
        self.advance();
        Ok(self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }))
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name()?;
        let mut indices = Vec::new();
        if self.accept("[") {
            indices = self.nested(|parser| parser.list(Self::expr))?;
            self.expect("]")?;
        }
        Ok(Variable { name, indices })
    }
}

fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) | Token::Name(word) => format!("`{word}`"),
        Token::Value(Value::Text(_)) => "a string".to_owned(),
        Token::Value(_) => "a number".to_owned(),
        Token::Mark(mark) => format!("`{mark}`"),
        Token::End => "the end".to_owned(),
    }
}
