//! The candidates of a program in C or C++. Code that only a bug runs has none. Neither has what must be constant or is evaluated before
//! `main`, where no bug can be selected, nor the arguments of macros, which may turn them into text.

mod declared;
mod expressions;
mod import;

use super::finder::Finder;
use super::{children, field, fields, has_word, in_each};
use crate::candidates::{Form, Found, Operator};
use declared::{Macros, type_of};
use tree_sitter::Node;

pub(in crate::candidates) fn find(sources: &[&str]) -> Vec<Found> {
    // The grammar of C++ reads C too.
    let language = tree_sitter_cpp::LANGUAGE.into();
    in_each(&language, sources, declared::of, |file, (names, macros)| {
        let finder = Finder::new(file, names.clone(), is_pure);
        let mut visitor = Visitor { finder, macros };
        visitor.outside(file.0);
        visitor.finder.found.import = import::import(file.0, file.1);
        visitor.finder.found
    })
}

struct Visitor<'a> {
    finder: Finder<'a>,
    macros: &'a Macros,
}

impl Visitor<'_> {
    /// Visits what is not in a function.
    fn outside(&mut self, node: Node<'_>) {
        match node.kind() {
            "function_definition" => self.function(node),
            "translation_unit"
            | "namespace_definition"
            | "declaration_list"
            | "linkage_specification"
            | "template_declaration"
            | "class_specifier"
            | "struct_specifier"
            | "union_specifier"
            | "field_declaration_list"
            | "preproc_if"
            | "preproc_ifdef"
            | "preproc_elif"
            | "preproc_else"
            | "declaration"
            | "field_declaration"
            | "type_definition" => {
                children(node).into_iter().for_each(|child| self.outside(child));
            }
            _ => {}
        }
    }

    fn function(&mut self, node: Node<'_>) {
        let text = |child: &Node<'_>| self.finder.text(*child);
        if children(node).iter().map(text).any(|word| matches!(word, "constexpr" | "consteval")) {
            return;
        }
        let known = self.finder.names.known();
        let source = self.finder.source;
        self.finder.names.enter(declared::name(node, source));
        for (name, of) in declared::parameters(node, source) {
            self.finder.names.variable(name, of);
        }
        for child in children(node) {
            match child.kind() {
                "field_initializer_list" => {
                    children(child).into_iter().for_each(|child| self.field_initializer(child));
                }
                "compound_statement" | "try_statement" => self.statement(child),
                _ => {}
            }
        }
        self.finder.names.leave();
        self.finder.names.forget(known);
    }

    /// Visits what initializes a field or a variable.
    fn field_initializer(&mut self, node: Node<'_>) {
        let values = children(node).into_iter();
        for list in values.filter(|it| matches!(it.kind(), "initializer_list" | "argument_list")) {
            self.list(list);
        }
    }

    /// Visits the elements of a list that is no expression by itself.
    fn list(&mut self, node: Node<'_>) {
        let items = children(node);
        if !items.iter().any(|item| item.kind() == "initializer_pair") {
            self.finder.with(false, |finder| finder.swapped_one_by_one(&items));
        }
        for item in items {
            match (item.kind(), field(item, "value")) {
                ("initializer_pair", Some(value)) => self.whole(value),
                _ => self.whole(item),
            }
        }
    }

    fn statement(&mut self, node: Node<'_>) {
        if node.is_error() {
            return;
        }
        match node.kind() {
            "compound_statement" => {
                let known = self.finder.names.known();
                children(node).into_iter().for_each(|child| self.statement(child));
                self.finder.names.forget(known);
            }
            "expression_statement" => self.expression_statement(node),
            "declaration" => self.declaration(node),
            "if_statement" => self.if_statement(node),
            "while_statement" | "do_statement" => {
                field(node, "condition").into_iter().for_each(|it| self.looping(it));
                field(node, "body").into_iter().for_each(|it| self.statement(it));
            }
            "for_statement" => self.for_statement(node),
            "for_range_loop" => self.for_range_loop(node),
            "switch_statement" => {
                let value = field(node, "condition").and_then(|it| self.in_parentheses(it));
                value.into_iter().for_each(|value| self.whole(value));
                field(node, "body").into_iter().for_each(|it| self.statement(it));
            }
            "case_statement" => {
                let value = field(node, "value");
                let statements = children(node).into_iter().filter(|child| Some(*child) != value);
                statements.for_each(|child| self.statement(child));
            }
            "return_statement" | "throw_statement" => {
                let values = children(node);
                if values.is_empty() && node.kind() == "return_statement" {
                    self.dropped(node);
                }
                values.into_iter().for_each(|value| self.whole(value));
            }
            "break_statement" | "continue_statement" => self.dropped(node),
            "function_definition" => self.function(node),
            "class_specifier" | "struct_specifier" | "union_specifier" => self.outside(node),
            "else_clause" | "labeled_statement" | "try_statement" | "catch_clause"
            | "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_else" => {
                let condition = field(node, "condition");
                let inside = children(node).into_iter().filter(|child| Some(*child) != condition);
                inside.for_each(|child| self.statement(child));
            }
            _ => {}
        }
    }

    fn expression_statement(&mut self, node: Node<'_>) {
        let Some(&expression) = children(node).first() else { return };
        let is_dropped = match expression.kind() {
            "assignment_expression" | "update_expression" => true,
            "call_expression" => {
                !self.is_macro_call(expression) && self.value(expression).is_none()
            }
            _ => false,
        };
        if is_dropped {
            self.dropped(node);
        }
        self.whole(expression);
    }

    /// Drops a statement.
    fn dropped(&mut self, node: Node<'_>) {
        let kinds = ["compound_statement", "case_statement"];
        let is_branch = !node.parent().is_some_and(|parent| kinds.contains(&parent.kind()));
        let place = node.byte_range();
        self.finder.with(is_branch, |finder| {
            let change = (place.clone(), String::new());
            finder.add(Operator::DroppedStatement, change, (place, Form::Skip));
        });
    }

    fn declaration(&mut self, node: Node<'_>) {
        let words = children(node);
        let is_constant = words.iter().any(|word| self.finder.text(*word) == "constexpr");
        for declarator in fields(node, "declarator") {
            let value = field(declarator, "value").or_else(|| field(node, "value"));
            if !is_constant {
                value.into_iter().for_each(|value| self.initializer(value));
            }
            // A variable without a value has none to take.
            if value.is_some() {
                let of = type_of(node, declarator, self.finder.source);
                for name in declared::bound(declarator, self.finder.source) {
                    self.finder.names.variable(name, of.clone());
                }
            }
        }
    }

    fn initializer(&mut self, value: Node<'_>) {
        match value.kind() {
            "initializer_list" | "argument_list" => self.list(value),
            _ => self.whole(value),
        }
    }

    fn if_statement(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        let mut value = None;
        if let Some(condition) = field(node, "condition") {
            value = self.value(condition);
            if value.is_none() && !has_word(node, "constexpr") {
                let value = self.in_parentheses(condition);
                value.into_iter().for_each(|value| self.condition(value));
            }
        }
        let branches = [("consequence", false), ("alternative", true)];
        for (branch, never_if) in branches {
            if value != Some(never_if) {
                field(node, branch).into_iter().for_each(|branch| self.statement(branch));
            }
        }
        self.finder.names.forget(known);
    }

    /// The condition of a loop.
    fn looping(&mut self, condition: Node<'_>) {
        let Some(value) = self.in_parentheses(condition) else { return };
        if self.value(value).is_none() {
            let place = value.byte_range();
            let never = (place.clone(), "false".to_owned());
            let operator = Operator::RemovedCondition;
            self.finder.with(false, |it| it.add(operator, never, (place, Form::AndNot)));
        }
        self.whole(value);
    }

    fn for_statement(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        if let Some(first) = field(node, "initializer") {
            match first.kind() {
                "declaration" => self.declaration(first),
                _ => self.whole(first),
            }
        }
        field(node, "condition").into_iter().for_each(|it| self.looping(it));
        field(node, "update").into_iter().for_each(|it| self.whole(it));
        field(node, "body").into_iter().for_each(|it| self.statement(it));
        self.finder.names.forget(known);
    }

    fn for_range_loop(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        field(node, "right").into_iter().for_each(|it| self.initializer(it));
        if let Some(declarator) = field(node, "declarator") {
            let of = type_of(node, declarator, self.finder.source);
            for name in declared::bound(declarator, self.finder.source) {
                self.finder.names.variable(name, of.clone());
            }
        }
        field(node, "body").into_iter().for_each(|it| self.statement(it));
        self.finder.names.forget(known);
    }

    /// The expression in the parentheses of a statement, behind what they declare.
    fn in_parentheses<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        match node.kind() {
            "condition_clause" => {
                let first = field(node, "initializer").into_iter().flat_map(children);
                first.for_each(|declaration| self.statement(declaration));
                self.in_parentheses(field(node, "value")?)
            }
            "parenthesized_expression" => children(node).first().copied(),
            "declaration" => {
                self.declaration(node);
                None
            }
            _ => Some(node),
        }
    }
}

/// Whether evaluating the expression has no effect, and cannot fail.
fn is_pure(node: Node<'_>) -> bool {
    let all = || children(node).into_iter().all(is_pure);
    match node.kind() {
        "identifier"
        | "number_literal"
        | "char_literal"
        | "true"
        | "false"
        | "this"
        | "field_identifier"
        | "qualified_identifier" => true,
        "parenthesized_expression" | "unary_expression" => all(),
        "field_expression" => {
            let through_this =
                || field(node, "argument").is_some_and(|argument| argument.kind() == "this");
            all() && (has_word(node, ".") || through_this())
        }
        "binary_expression" => {
            let operator = field(node, "operator").map_or("", |operator| operator.kind());
            !matches!(operator, "/" | "%" | "<<" | ">>") && all()
        }
        _ => false,
    }
}
