//! The operators that C, C++ and Python share: what may change in an expression, a condition or a list.

use super::span;
use crate::candidates::names::Names;
use crate::candidates::{Candidate, Form, Found, Operator, Part};
use std::ops::Range;
use tree_sitter::Node;

/// What is written where, and what it becomes.
pub(super) type Change = (Range<usize>, String);

/// Collects the candidates of a source.
pub(super) struct Finder<'a> {
    pub(super) source: &'a str,
    pub(super) names: Names,
    /// Whether the node that is visited is an operand of another one.
    pub(super) is_operand: bool,
    /// The place of all changes, if a mark cannot be written where the node is, and whether that place is an operand.
    pub(super) around: Option<(Range<usize>, bool)>,
    pub(super) found: Found,
    /// The parts that do not parse.
    errors: Vec<Range<usize>>,
    /// Whether evaluating a node has no effect, and cannot fail.
    pub(super) is_pure: fn(Node<'_>) -> bool,
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        (root, source): (Node<'_>, &'a str),
        names: Names,
        is_pure: fn(Node<'_>) -> bool,
    ) -> Self {
        let (found, errors) = (Found::default(), errors(root));
        Self { source, names, is_operand: false, around: None, found, errors, is_pure }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        &self.source[node.byte_range()]
    }

    pub(super) fn is_pure(&self, node: Node<'_>) -> bool {
        (self.is_pure)(node)
    }

    /// Adds a candidate, unless its place cannot be copied.
    fn push(&mut self, operator: Operator, parts: Vec<Part>, form: Form, is_pure: bool) {
        if parts.iter().any(|part| self.is_odd(&part.place)) {
            return;
        }
        let function = self.names.function().to_owned();
        let is_operand =
            self.around.as_ref().map_or(self.is_operand, |(_, is_operand)| *is_operand);
        let candidate = Candidate { operator, function, parts, form, is_operand, is_pure };
        self.found.candidates.push(candidate);
    }

    /// Whether a place has a part that does not parse, or a line that may be a directive.
    fn is_odd(&self, place: &Range<usize>) -> bool {
        let touches = |error: &Range<usize>| error.start <= place.end && place.start <= error.end;
        let mut lines = self.source[place.clone()].lines().skip(1);
        self.errors.iter().any(touches) || lines.any(|line| line.trim_start().starts_with('#'))
    }

    /// Adds a change whose mark is of a form that depends on the place.
    pub(super) fn add(&mut self, operator: Operator, change: Change, at: (Range<usize>, Form)) {
        let ((range, text), (place, form)) = (change, at);
        if self.around.is_none() {
            self.push(operator, vec![Part { range, text, place }], form, false);
        }
    }

    /// Adds a change between which and the place a mark chooses.
    pub(super) fn choose(
        &mut self,
        operator: Operator,
        (range, text): Change,
        place: Range<usize>,
        is_pure: bool,
    ) {
        let place = self.around.as_ref().map_or(place, |(place, _)| place.clone());
        let part = Part { range, text, place };
        self.push(operator, vec![part], Form::Choose, is_pure && self.around.is_none());
    }

    pub(super) fn with(&mut self, is_operand: bool, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_operand, is_operand);
        visit(self);
        self.is_operand = before;
    }

    /// Takes an expression for others of the same type.
    pub(super) fn others(&mut self, node: Node<'_>, others: &[String], is_pure: bool) {
        for other in others {
            let change = (node.byte_range(), other.clone());
            self.choose(Operator::OtherVariable, change, node.byte_range(), is_pure);
        }
    }

    /// Takes a condition as always true, and as never true.
    pub(super) fn without_condition(&mut self, condition: Node<'_>, values: [&str; 2]) {
        let place = condition.byte_range();
        for (value, form) in values.into_iter().zip([Form::Or, Form::AndNot]) {
            let change = (place.clone(), value.to_owned());
            self.add(Operator::RemovedCondition, change, (place.clone(), form));
        }
    }

    /// Includes the bound of a comparison, or excludes it.
    pub(super) fn boundary(&mut self, left: Node<'_>, operator: Node<'_>, right: Node<'_>) {
        let other = match operator.kind() {
            "<" => "<=",
            "<=" => "<",
            ">" => ">=",
            ">=" => ">",
            _ => return,
        };
        let is_pure = self.is_pure(left) && self.is_pure(right);
        let change = (operator.byte_range(), other.to_owned());
        self.choose(Operator::Boundary, change, span(left, right), is_pure);
    }

    /// Deletes one side of a condition of two parts. `form` is the mark beside the side.
    pub(super) fn without_side(
        &mut self,
        left: Node<'_>,
        right: Node<'_>,
        is_left: bool,
        form: Form,
    ) {
        let (removed, place) = if is_left {
            (left.start_byte()..right.start_byte(), left)
        } else {
            (left.end_byte()..right.end_byte(), right)
        };
        self.with(true, |finder| {
            let change = (removed, String::new());
            finder.add(Operator::DeletedOperand, change, (place.byte_range(), form));
        });
    }

    /// Deletes the right operand, and the left one if the order does not matter.
    pub(super) fn without_operand(&mut self, left: Node<'_>, operator: Node<'_>, right: Node<'_>) {
        let place = span(left, right);
        let is_pure = self.is_pure(left) && self.is_pure(right);
        let is_one = self.text(right) == "1";
        let kind = if is_one { Operator::OffByOne } else { Operator::DeletedOperand };
        let without_right = (left.end_byte()..right.end_byte(), String::new());
        self.choose(kind, without_right, place.clone(), is_pure);
        let commutes = matches!(operator.kind(), "+" | "*" | "&" | "|" | "^");
        if commutes && !is_one {
            let without_left = (left.start_byte()..right.start_byte(), String::new());
            self.choose(Operator::DeletedOperand, without_left, place, is_pure);
        }
    }

    /// Makes a whole number one larger and one smaller.
    pub(super) fn number(&mut self, node: Node<'_>) {
        let text = self.text(node);
        let end = text.trim_end_matches(['u', 'U', 'l', 'L']).len();
        let (digits, suffix) = text.split_at(end);
        let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
        let is_octal = digits.len() > 1 && digits.starts_with('0');
        let value = match hexadecimal {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok().filter(|_: &u64| !is_octal),
        };
        let Some(value) = value else { return };
        for other in [value.checked_add(1), value.checked_sub(1)].into_iter().flatten() {
            let other = match hexadecimal {
                Some(_) => format!("0x{other:x}{suffix}"),
                None => format!("{other}{suffix}"),
            };
            let change = (node.byte_range(), other);
            self.choose(Operator::OffByOne, change, node.byte_range(), true);
        }
    }

    /// Swaps each two neighbours in a list, and chooses between the two whole expressions.
    pub(super) fn swapped(&mut self, whole: Node<'_>, items: &[Node<'_>]) {
        for pair in items.windows(2) {
            let (first, second) = (self.text(pair[0]), self.text(pair[1]));
            if first != second {
                let between = &self.source[pair[0].end_byte()..pair[1].start_byte()];
                let change = (span(pair[0], pair[1]), format!("{second}{between}{first}"));
                self.choose(Operator::SwappedNeighbours, change, whole.byte_range(), false);
            }
        }
    }

    /// Swaps each two neighbours in a list that is no expression by itself. Lists in it are swapped part by part.
    pub(super) fn swapped_one_by_one(&mut self, items: &[Node<'_>]) {
        for pair in items.windows(2) {
            let mut parts = Vec::new();
            let is_possible = self.exchanged(pair[0], pair[1], &mut parts);
            if is_possible && !parts.is_empty() && self.around.is_none() {
                parts.sort_by_key(|part| part.place.start);
                self.push(Operator::SwappedNeighbours, parts, Form::Choose, false);
            }
        }
    }

    /// Each part of two elements takes the other's place. Whether that is possible.
    fn exchanged(&self, one: Node<'_>, other: Node<'_>, parts: &mut Vec<Part>) -> bool {
        let is_list = |node: Node<'_>| node.kind() == "initializer_list";
        if is_list(one) || is_list(other) {
            let (ones, others) = (super::children(one), super::children(other));
            let mut pairs = ones.iter().zip(&others);
            return one.kind() == other.kind()
                && ones.len() == others.len()
                && pairs.all(|(&one, &other)| self.exchanged(one, other, parts));
        }
        if self.text(one) != self.text(other) {
            for (place, by) in [(one, other), (other, one)] {
                let range = place.byte_range();
                parts.push(Part { place: range.clone(), range, text: self.text(by).to_owned() });
            }
        }
        true
    }
}

/// The parts that do not parse.
fn errors(node: Node<'_>) -> Vec<Range<usize>> {
    if node.is_error() || node.is_missing() {
        return vec![node.byte_range()];
    }
    let mut cursor = node.walk();
    let inside = node.children(&mut cursor).filter(Node::has_error);
    inside.flat_map(errors).collect()
}
