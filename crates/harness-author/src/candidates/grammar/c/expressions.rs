//! What may change in an expression in C or C++.

use super::{Visitor, declared, is_pure};
use crate::candidates::grammar::{children, decided, field, operation};
use crate::candidates::{Form, Operator};
use tree_sitter::Node;

/// What must be constant, is not evaluated, or is no expression.
const SKIPPED: [&str; 14] = [
    "sizeof_expression",
    "alignof_expression",
    "offsetof_expression",
    "decltype",
    "noexcept",
    "requires_expression",
    "requires_clause",
    "gnu_asm_expression",
    "type_descriptor",
    "template_argument_list",
    "string_literal",
    "raw_string_literal",
    "concatenated_string",
    "lambda_capture_specifier",
];

impl Visitor<'_> {
    /// Visits an expression that is no operand.
    pub(super) fn whole(&mut self, node: Node<'_>) {
        self.visit(node, false);
    }

    fn operand(&mut self, node: Node<'_>) {
        self.visit(node, true);
    }

    fn visit(&mut self, node: Node<'_>, is_operand: bool) {
        let before = std::mem::replace(&mut self.finder.is_operand, is_operand);
        self.expression(node);
        self.finder.is_operand = before;
    }

    /// A condition of which both outcomes are possible.
    pub(super) fn condition(&mut self, node: Node<'_>) {
        let negated = (node.byte_range(), format!("!({})", self.finder.text(node)));
        let place = (node.byte_range(), Form::Differs);
        self.finder.with(false, |finder| {
            finder.without_condition(node, ["true", "false"]);
            finder.add(Operator::NegatedTest, negated, place);
        });
        self.whole(node);
    }

    fn expression(&mut self, node: Node<'_>) {
        // Nothing changes what only a bug evaluates, or what does not parse.
        let is_skipped = SKIPPED.contains(&node.kind()) || node.is_error();
        if is_skipped || self.value(node).is_some() {
            return;
        }
        match node.kind() {
            "number_literal" => self.finder.number(node),
            "identifier" => self.name(node),
            "qualified_identifier" => self.qualified(node),
            "field_expression" => self.field_expression(node),
            "binary_expression" => self.operation(node),
            "conditional_expression" => self.conditional(node),
            "call_expression" => self.call(node),
            "assignment_expression" => {
                field(node, "left").into_iter().for_each(|it| self.place(it));
                field(node, "right").into_iter().for_each(|it| self.initializer(it));
            }
            "subscript_expression" => {
                field(node, "argument").into_iter().for_each(|it| self.place(it));
                let indices = field(node, "indices").into_iter().flat_map(children);
                indices.for_each(|index| self.whole(index));
            }
            "update_expression" | "pointer_expression" => {
                field(node, "argument").into_iter().for_each(|it| self.place(it));
            }
            "lambda_expression" => self.lambda(node),
            "initializer_list" | "argument_list" => self.list(node),
            "compound_literal_expression" => {
                field(node, "value").into_iter().for_each(|it| self.initializer(it));
            }
            "new_expression" => {
                field(node, "arguments").into_iter().for_each(|it| self.list(it));
            }
            "parenthesized_expression" | "comma_expression" => {
                children(node).into_iter().for_each(|child| self.whole(child));
            }
            "cast_expression" => field(node, "value").into_iter().for_each(|it| self.operand(it)),
            _ => children(node).into_iter().for_each(|child| self.operand(child)),
        }
    }

    /// Visits a place in memory, which is assigned to or borrowed. Another place would be a copy.
    fn place(&mut self, node: Node<'_>) {
        match node.kind() {
            "identifier" | "this" | "qualified_identifier" => {}
            "field_expression" => {
                field(node, "argument").into_iter().for_each(|it| self.place(it));
            }
            "parenthesized_expression" => {
                children(node).into_iter().for_each(|child| self.place(child));
            }
            _ => self.operand(node),
        }
    }

    fn name(&mut self, node: Node<'_>) {
        let name = self.finder.text(node);
        let mut others = self.finder.names.like(name);
        if self.finder.names.type_of(name).is_none() {
            others.extend(self.finder.names.variant_after("", name).map(str::to_owned));
        }
        self.finder.others(node, &others, true);
    }

    /// Takes the variant that follows in an enumeration, or the constant that follows in a namespace.
    fn qualified(&mut self, node: Node<'_>) {
        let whole = self.finder.text(node);
        let mut words = whole.rsplit("::").map(str::trim);
        let (Some(name), Some(of)) = (words.next(), words.next()) else { return };
        let names = &self.finder.names;
        let next = names.variant_after(of, name).map(str::to_owned);
        let next = next.or_else(|| names.like(name).into_iter().next());
        let before = &whole[..whole.len() - name.len()];
        let next: Vec<_> = next.into_iter().map(|next| format!("{before}{next}")).collect();
        self.finder.others(node, &next, true);
    }

    fn field_expression(&mut self, node: Node<'_>) {
        if let Some(name) = field(node, "field") {
            let others = self.finder.names.fields_like(self.finder.text(name)).to_vec();
            let is_pure = is_pure(node);
            for other in others {
                let change = (name.byte_range(), other);
                self.finder.choose(Operator::OtherVariable, change, node.byte_range(), is_pure);
            }
        }
        field(node, "argument").into_iter().for_each(|it| self.place(it));
    }

    fn operation(&mut self, node: Node<'_>) {
        let Some([left, operator, right]) = operation(node) else { return };
        match operator.kind() {
            "<" | "<=" | ">" | ">=" => self.finder.boundary(left, operator, right),
            "==" | "!=" => {
                let opposite = if operator.kind() == "==" { "!=" } else { "==" };
                let change = (operator.byte_range(), opposite.to_owned());
                let place = (node.byte_range(), Form::Differs);
                self.finder.add(Operator::NegatedTest, change, place);
            }
            "&&" | "||" => {
                let form = if operator.kind() == "&&" { Form::Or } else { Form::AndNot };
                for (side, is_left) in [(left, true), (right, false)] {
                    // What only a bug decides is no condition of the reference.
                    if self.value(side).is_none() {
                        self.finder.without_side(left, right, is_left, form);
                    }
                }
            }
            "<=>" | "," => {}
            _ => self.finder.without_operand(left, operator, right),
        }
        self.operand(left);
        self.operand(right);
    }

    fn conditional(&mut self, node: Node<'_>) {
        let Some(condition) = field(node, "condition") else { return };
        let value = self.value(condition);
        if value.is_none() {
            self.finder.with(true, |it| it.without_condition(condition, ["true", "false"]));
            self.operand(condition);
        }
        for (branch, never_if) in [("consequence", false), ("alternative", true)] {
            if value != Some(never_if) {
                field(node, branch).into_iter().for_each(|branch| self.operand(branch));
            }
        }
    }

    fn call(&mut self, node: Node<'_>) {
        if self.is_macro_call(node) {
            return;
        }
        if let Some(function) = field(node, "function")
            && function.kind() == "field_expression"
        {
            field(function, "argument").into_iter().for_each(|it| self.place(it));
        }
        let Some(arguments) = field(node, "arguments").map(children) else { return };
        if !arguments.iter().any(|argument| argument.kind() == "lambda_expression") {
            self.finder.swapped(node, &arguments);
        }
        arguments.into_iter().for_each(|argument| self.initializer(argument));
    }

    fn lambda(&mut self, node: Node<'_>) {
        let known = self.finder.names.known();
        for (name, of) in declared::parameters(node, self.finder.source) {
            self.finder.names.variable(name, of);
        }
        field(node, "body").into_iter().for_each(|body| self.statement(body));
        self.finder.names.forget(known);
    }

    /// Whether a macro is called, which may turn its arguments into text.
    pub(super) fn is_macro_call(&self, node: Node<'_>) -> bool {
        field(node, "function").is_some_and(|function| {
            function.kind() == "identifier" && self.macros.contain(self.finder.text(function))
        })
    }

    /// The value of a condition that depends on bugs alone, while none is selected.
    pub(super) fn value(&self, node: Node<'_>) -> Option<bool> {
        match node.kind() {
            "call_expression" => {
                (self.finder.text(field(node, "function")?) == "BUG").then_some(false)
            }
            "parenthesized_expression" => self.value(*children(node).first()?),
            "condition_clause" => self.value(field(node, "value")?),
            "unary_expression" if field(node, "operator")?.kind() == "!" => {
                self.value(field(node, "argument")?).map(|value| !value)
            }
            "binary_expression" => {
                let decides = match field(node, "operator")?.kind() {
                    "&&" => false,
                    "||" => true,
                    _ => return None,
                };
                decided(decides, ["left", "right"].map(|side| self.value(field(node, side)?)))
            }
            _ => None,
        }
    }
}
