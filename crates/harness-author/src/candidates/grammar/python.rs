//! The candidates of a program in Python. Code that only a bug runs has none, and neither have annotations, patterns and assertions.

mod expressions;
mod import;
mod known;

use super::finder::Finder;
use super::{children, field, fields, in_each};
use crate::candidates::{Form, Found, Operator};
use tree_sitter::Node;

pub(in crate::candidates) fn find(sources: &[&str]) -> Vec<Found> {
    let language = tree_sitter_python::LANGUAGE.into();
    in_each(&language, sources, known::of, |file, names| {
        let finder = Finder::new(file, names.clone(), expressions::is_pure);
        let mut visitor = Visitor { finder, is_test: false };
        visitor.block(file.0);
        visitor.finder.found.import = import::import(file.0, file.1);
        visitor.finder.found
    })
}

struct Visitor<'a> {
    finder: Finder<'a>,
    /// Whether only the truth of the expression that is visited matters.
    is_test: bool,
}

impl Visitor<'_> {
    fn block(&mut self, node: Node<'_>) {
        children(node).into_iter().for_each(|child| self.statement(child));
    }

    fn each(&mut self, nodes: Vec<Node<'_>>) {
        nodes.into_iter().for_each(|node| self.statement(node));
    }

    fn statement(&mut self, node: Node<'_>) {
        match node.kind() {
            "expression_statement" => self.expression_statement(node),
            "if_statement" | "elif_clause" => self.if_statement(node),
            "while_statement" => {
                field(node, "condition").into_iter().for_each(|it| self.looping(it));
                self.each(fields(node, "body"));
                self.each(fields(node, "alternative"));
            }
            "for_statement" => {
                field(node, "right").into_iter().for_each(|it| self.whole(it));
                self.bind(field(node, "left"), field(node, "right"));
                self.each(fields(node, "body"));
                self.each(fields(node, "alternative"));
            }
            "return_statement" => {
                let values = children(node);
                if values.is_empty() {
                    self.dropped(node);
                }
                values.into_iter().for_each(|value| self.whole(value));
            }
            "raise_statement" => {
                children(node).into_iter().for_each(|value| self.whole(value));
            }
            "break_statement" | "continue_statement" => self.dropped(node),
            "function_definition" => self.function(node),
            "decorated_definition" => self.each(fields(node, "definition")),
            "class_definition" => self.each(fields(node, "body")),
            "match_statement" => {
                fields(node, "subject").into_iter().for_each(|it| self.whole(it));
                self.each(fields(node, "body"));
            }
            "case_clause" => {
                let guard = field(node, "guard").into_iter().flat_map(children);
                guard.for_each(|guard| self.condition(guard));
                self.each(fields(node, "consequence"));
            }
            "with_statement" => {
                let items = children(node).into_iter().filter(|it| it.kind() == "with_clause");
                items.flat_map(children).for_each(|item| self.with_item(item));
                self.each(fields(node, "body"));
            }
            "block" | "else_clause" | "try_statement" | "finally_clause" => self.block(node),
            // What is caught stays.
            "except_clause" | "except_group_clause" => {
                let blocks = children(node).into_iter().filter(|child| child.kind() == "block");
                self.each(blocks.collect());
            }
            _ => {}
        }
    }

    fn expression_statement(&mut self, node: Node<'_>) {
        for expression in children(node) {
            let target = field(expression, "left");
            let is_dropped = match expression.kind() {
                "call" => self.value(expression).is_none(),
                "augmented_assignment" => true,
                // The first value of a variable is no step that somebody forgets.
                "assignment" => target.is_some_and(|target| match target.kind() {
                    "identifier" => self.finder.names.type_of(self.finder.text(target)).is_some(),
                    kind => matches!(kind, "attribute" | "subscript"),
                }),
                _ => false,
            };
            if is_dropped {
                self.dropped(node);
            }
            match expression.kind() {
                "assignment" => self.assignment(expression),
                "augmented_assignment" => {
                    target.into_iter().for_each(|it| self.place(it));
                    field(expression, "right").into_iter().for_each(|it| self.whole(it));
                }
                "string" | "concatenated_string" => {}
                _ => self.whole(expression),
            }
        }
    }

    fn assignment(&mut self, node: Node<'_>) {
        let (target, value) = (field(node, "left"), field(node, "right"));
        target.into_iter().for_each(|it| self.place(it));
        match value {
            Some(value) if value.kind() == "assignment" => self.assignment(value),
            Some(value) => self.whole(value),
            None => {}
        }
        match (field(node, "type"), target) {
            (Some(of), Some(target)) => {
                let (name, of) = (self.finder.text(target), self.finder.text(of));
                self.finder.names.variable(name.to_owned(), of.to_owned());
            }
            _ => self.bind(target, value),
        }
    }

    /// Binds the names of a pattern to a value.
    fn bind(&mut self, pattern: Option<Node<'_>>, value: Option<Node<'_>>) {
        let Some(pattern) = pattern else { return };
        for (name, of) in known::bound(pattern, value, self.finder.source, &self.finder.names) {
            self.finder.names.variable(name, of);
        }
    }

    /// Drops a statement that has its lines to itself.
    fn dropped(&mut self, node: Node<'_>) {
        let source = self.finder.source;
        let before = source[..node.start_byte()].rsplit('\n').next().unwrap_or_default();
        let after = source[node.end_byte()..].lines().next().unwrap_or_default().trim_start();
        let is_alone =
            before.chars().all(char::is_whitespace) && (after.is_empty() || after.starts_with('#'));
        if is_alone {
            let place = node.byte_range();
            let change = (place.clone(), String::new());
            self.finder.add(Operator::DroppedStatement, change, (place, Form::Skip));
        }
    }

    fn if_statement(&mut self, node: Node<'_>) {
        let mut value = None;
        if let Some(condition) = field(node, "condition") {
            value = self.value(condition);
            let is_start = self.finder.text(condition).contains("__name__");
            if value.is_none() && !is_start {
                self.condition(condition);
            }
        }
        if value != Some(false) {
            self.each(fields(node, "consequence"));
        }
        if value != Some(true) {
            self.each(fields(node, "alternative"));
        }
    }

    /// The condition of a loop.
    fn looping(&mut self, condition: Node<'_>) {
        if self.value(condition).is_none() {
            let place = condition.byte_range();
            let never = (place.clone(), "False".to_owned());
            let operator = Operator::RemovedCondition;
            self.finder.with(false, |it| it.add(operator, never, (place, Form::AndNot)));
        }
        self.test(condition, false);
    }

    fn with_item(&mut self, item: Node<'_>) {
        let Some(value) = field(item, "value") else { return };
        match value.kind() {
            "as_pattern" => children(value).first().into_iter().for_each(|it| self.whole(*it)),
            _ => self.whole(value),
        }
    }

    fn function(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        let name = field(node, "name").map_or("", |name| self.finder.text(name));
        let parameters = field(node, "parameters");
        let values = parameters.into_iter().flat_map(children);
        values.filter_map(|it| field(it, "value")).for_each(|value| self.whole(value));
        self.finder.names.enter(name.to_owned());
        for (name, of) in known::parameters(parameters, self.finder.source) {
            self.finder.names.variable(name, of);
        }
        self.each(fields(node, "body"));
        self.finder.names.leave();
        self.finder.names.forget(known);
    }
}
