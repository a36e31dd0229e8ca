//! What may change in an expression in Python.

use super::{Visitor, known};
use crate::candidates::grammar::{children, decided, field, fields, operation, span};
use crate::candidates::{Form, Operator};
use tree_sitter::Node;

impl Visitor<'_> {
    /// Visits an expression that is no operand.
    pub(super) fn whole(&mut self, node: Node<'_>) {
        self.visit(node, (false, false));
    }

    fn operand(&mut self, node: Node<'_>) {
        self.visit(node, (true, false));
    }

    /// Visits an expression of which only the truth matters.
    pub(super) fn test(&mut self, node: Node<'_>, is_operand: bool) {
        self.visit(node, (is_operand, true));
    }

    fn visit(&mut self, node: Node<'_>, (is_operand, is_test): (bool, bool)) {
        let before = std::mem::replace(&mut self.finder.is_operand, is_operand);
        let was_test = std::mem::replace(&mut self.is_test, is_test);
        self.expression(node);
        self.finder.is_operand = before;
        self.is_test = was_test;
    }

    /// A condition of which both outcomes are possible.
    pub(super) fn condition(&mut self, node: Node<'_>) {
        self.changed_condition(node, false);
        let negated = (node.byte_range(), format!("not ({})", self.finder.text(node)));
        let place = node.byte_range();
        self.finder.with(false, |it| it.choose(Operator::NegatedTest, negated, place, false));
        self.test(node, false);
    }

    fn changed_condition(&mut self, node: Node<'_>, is_operand: bool) {
        self.finder.with(is_operand, |it| it.without_condition(node, ["True", "False"]));
    }

    fn expression(&mut self, node: Node<'_>) {
        // Nothing changes what only a bug evaluates, or what does not parse.
        if node.is_error() || self.value(node).is_some() {
            return;
        }
        match node.kind() {
            "integer" => self.finder.number(node),
            "identifier" => {
                let others = self.finder.names.like(self.finder.text(node));
                self.finder.others(node, &others, false);
            }
            "attribute" => self.attribute(node),
            "comparison_operator" => self.comparison(node),
            "boolean_operator" => self.boolean(node),
            "not_operator" => {
                field(node, "argument").into_iter().for_each(|it| self.test(it, true));
            }
            "binary_operator" => self.operation(node),
            "conditional_expression" => self.conditional(node),
            "call" => self.call(node),
            "subscript" => {
                field(node, "value").into_iter().for_each(|it| self.place(it));
                fields(node, "subscript").into_iter().for_each(|it| self.whole(it));
            }
            "list" | "tuple" => {
                self.finder.swapped(node, &plain(children(node)));
                self.inside(node);
            }
            "expression_list" => {
                self.finder.swapped_one_by_one(&plain(children(node)));
                self.inside(node);
            }
            "parenthesized_expression" => {
                let is_test = self.is_test;
                children(node).into_iter().for_each(|it| self.visit(it, (false, is_test)));
            }
            "set" | "dictionary" | "pair" | "slice" | "yield" => self.inside(node),
            "keyword_argument" | "named_expression" => {
                field(node, "value").into_iter().for_each(|it| self.whole(it));
            }
            "string" | "concatenated_string" => self.string(node),
            "lambda" => self.lambda(node),
            "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => self.comprehension(node),
            _ => children(node).into_iter().for_each(|child| self.operand(child)),
        }
    }

    fn inside(&mut self, node: Node<'_>) {
        children(node).into_iter().for_each(|child| self.whole(child));
    }

    /// Visits what is assigned to, or what a method is called of.
    pub(super) fn place(&mut self, node: Node<'_>) {
        match node.kind() {
            "identifier" => {}
            "attribute" => field(node, "object").into_iter().for_each(|it| self.place(it)),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" => {
                children(node).into_iter().for_each(|child| self.place(child));
            }
            _ => self.operand(node),
        }
    }

    fn attribute(&mut self, node: Node<'_>) {
        if let Some(name) = field(node, "attribute") {
            for other in self.finder.names.fields_like(self.finder.text(name)).to_vec() {
                let change = (name.byte_range(), other);
                self.finder.choose(Operator::OtherVariable, change, node.byte_range(), false);
            }
        }
        field(node, "object").into_iter().for_each(|it| self.place(it));
    }

    fn comparison(&mut self, node: Node<'_>) {
        let is_pure = children(node).into_iter().all(|it| self.finder.is_pure(it));
        for operator in fields(node, "operators") {
            let (kind, other) = match operator.kind() {
                "<" => (Operator::Boundary, "<="),
                "<=" => (Operator::Boundary, "<"),
                ">" => (Operator::Boundary, ">="),
                ">=" => (Operator::Boundary, ">"),
                "==" => (Operator::NegatedTest, "!="),
                "!=" => (Operator::NegatedTest, "=="),
                "in" => (Operator::NegatedTest, "not in"),
                "not in" => (Operator::NegatedTest, "in"),
                "is" => (Operator::NegatedTest, "is not"),
                "is not" => (Operator::NegatedTest, "is"),
                _ => continue,
            };
            let change = (operator.byte_range(), other.to_owned());
            self.finder.choose(kind, change, node.byte_range(), is_pure);
        }
        let operators = fields(node, "operators");
        let operands = children(node).into_iter().filter(|child| !operators.contains(child));
        operands.for_each(|operand| self.operand(operand));
    }

    fn boolean(&mut self, node: Node<'_>) {
        let Some([left, operator, right]) = operation(node) else { return };
        let form = if operator.kind() == "and" { Form::Or } else { Form::AndNot };
        for (side, is_left) in [(left, true), (right, false)] {
            // What only a bug decides is no condition of the reference.
            if self.value(side).is_some() {
                continue;
            }
            if self.is_test {
                self.finder.without_side(left, right, is_left, form);
            } else {
                // The value of a side is the value of the whole, whatever it is.
                let removed = if is_left {
                    left.start_byte()..right.start_byte()
                } else {
                    left.end_byte()..right.end_byte()
                };
                let change = (removed, String::new());
                self.finder.choose(Operator::DeletedOperand, change, span(left, right), false);
            }
        }
        let is_test = self.is_test;
        self.visit(left, (true, is_test));
        self.visit(right, (true, is_test));
    }

    fn operation(&mut self, node: Node<'_>) {
        let Some([left, operator, right]) = operation(node) else { return };
        self.finder.without_operand(left, operator, right);
        self.operand(left);
        self.operand(right);
    }

    fn conditional(&mut self, node: Node<'_>) {
        let parts = children(node);
        let &[then, condition, otherwise] = parts.as_slice() else { return };
        let value = self.value(condition);
        if value.is_none() {
            self.changed_condition(condition, true);
            self.test(condition, true);
        }
        if value != Some(false) {
            self.operand(then);
        }
        if value != Some(true) {
            self.operand(otherwise);
        }
    }

    fn call(&mut self, node: Node<'_>) {
        let Some(function) = field(node, "function") else { return };
        if function.kind() != "identifier" {
            self.place(function);
        }
        let Some(arguments) = field(node, "arguments") else { return };
        if arguments.kind() == "generator_expression" {
            return self.comprehension(arguments);
        }
        let arguments = children(arguments);
        self.finder.swapped(node, &plain(arguments.clone()));
        if self.finder.text(function) == "range" {
            arguments.iter().take(2).for_each(|end| self.end_of_range(*end));
        }
        arguments.into_iter().for_each(|argument| self.whole(argument));
    }

    /// Moves an end of a range by one.
    fn end_of_range(&mut self, end: Node<'_>) {
        if matches!(end.kind(), "integer" | "keyword_argument" | "list_splat") {
            return;
        }
        let is_simple = matches!(end.kind(), "identifier" | "attribute" | "call");
        let text = self.finder.text(end);
        for change in ["- 1", "+ 1"] {
            let text =
                if is_simple { format!("{text} {change}") } else { format!("({text}) {change}") };
            let change = (end.byte_range(), text);
            let place = end.byte_range();
            self.finder.with(false, |it| it.choose(Operator::OffByOne, change, place, false));
        }
    }

    /// Visits what a string interpolates. A mark has quotes, so it is written around the whole string.
    fn string(&mut self, node: Node<'_>) {
        let is_outermost = self.finder.around.is_none();
        if is_outermost {
            self.finder.around = Some((node.byte_range(), self.finder.is_operand));
        }
        let strings = if node.kind() == "string" { vec![node] } else { children(node) };
        let parts = strings.into_iter().flat_map(children);
        for part in parts.filter(|part| part.kind() == "interpolation") {
            field(part, "expression").into_iter().for_each(|it| self.whole(it));
        }
        if is_outermost {
            self.finder.around = None;
        }
    }

    fn lambda(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        for (name, of) in known::parameters(field(node, "parameters"), self.finder.source) {
            self.finder.names.variable(name, of);
        }
        field(node, "body").into_iter().for_each(|body| self.whole(body));
        self.finder.names.forget(known);
    }

    fn comprehension(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        for part in children(node) {
            match part.kind() {
                "for_in_clause" => {
                    fields(part, "right").into_iter().for_each(|it| self.operand(it));
                    self.bind(field(part, "left"), field(part, "right"));
                }
                "if_clause" => {
                    for condition in children(part) {
                        if self.value(condition).is_none() {
                            self.changed_condition(condition, true);
                            self.test(condition, true);
                        }
                    }
                }
                _ => {}
            }
        }
        field(node, "body").into_iter().for_each(|body| self.whole(body));
        self.finder.names.forget(known);
    }

    /// The value of a condition that depends on bugs alone, while none is selected.
    pub(super) fn value(&self, node: Node<'_>) -> Option<bool> {
        match node.kind() {
            "call" => {
                let function = self.finder.text(field(node, "function")?);
                (function == "bug" || function == "subject.bug").then_some(false)
            }
            "parenthesized_expression" => self.value(*children(node).first()?),
            "not_operator" => self.value(field(node, "argument")?).map(|value| !value),
            "boolean_operator" => {
                let decides = field(node, "operator")?.kind() == "or";
                decided(decides, ["left", "right"].map(|side| self.value(field(node, side)?)))
            }
            _ => None,
        }
    }
}

/// The elements of a list before the first that is named or unpacked.
fn plain(items: Vec<Node<'_>>) -> Vec<Node<'_>> {
    let is_plain = |item: &Node<'_>| {
        !matches!(item.kind(), "keyword_argument" | "list_splat" | "dictionary_splat")
    };
    items.into_iter().take_while(is_plain).collect()
}

/// Whether evaluating the expression has no effect, and cannot fail where it is evaluated anyway.
pub(super) fn is_pure(node: Node<'_>) -> bool {
    let all = || children(node).into_iter().all(is_pure);
    match node.kind() {
        "identifier" | "integer" | "float" | "true" | "false" | "none" => true,
        "attribute" | "parenthesized_expression" | "unary_operator" => all(),
        "binary_operator" => {
            let operator = field(node, "operator").map_or("", |operator| operator.kind());
            matches!(operator, "+" | "-" | "*" | "&" | "|" | "^") && all()
        }
        _ => false,
    }
}
