//! Finds how long a text must be: the `ASSERT(STRLEN(s) == …)` that follows its `REGEX`.

use crate::tree::{Command, Comparison, Expr, Test, What};
use std::collections::HashMap;

/// For each `REGEX`, by its offset in the script, the length that a later command of the same block asserts.
pub(super) fn of(commands: &[Command]) -> HashMap<usize, Expr> {
    let mut lengths = HashMap::new();
    find(commands, &mut lengths);
    lengths
}

fn find(commands: &[Command], lengths: &mut HashMap<usize, Expr>) {
    for (index, command) in commands.iter().enumerate() {
        match &command.what {
            What::Regex { name: Some(name), .. } => {
                let later = commands[index + 1..].iter();
                let asserted = later.filter_map(|command| match &command.what {
                    What::Assert(test, _) => length_of(name.name, test),
                    _ => None,
                });
                lengths.extend(asserted.take(1).map(|length| (command.at, length)));
            }
            What::Repeat { body, .. } => find(body, lengths),
            What::Many(many) => find(&many.body, lengths),
            What::Block(commands) => find(commands, lengths),
            What::Cases { cases, .. } => {
                cases.iter().for_each(|case| find(&case.commands, lengths));
            }
            What::Edges(edges) => find(&edges.after, lengths),
            What::If { then, otherwise, .. } => {
                find(then, lengths);
                find(otherwise, lengths);
            }
            _ => {}
        }
    }
}

fn length_of(name: usize, test: &Test) -> Option<Expr> {
    let is_length = |expr: &Expr| match expr {
        Expr::Length(part) => matches!(&**part, Expr::Variable(variable) if variable.name == name),
        _ => false,
    };
    match test {
        Test::And(first, second) => length_of(name, first).or_else(|| length_of(name, second)),
        Test::Compare(Comparison::Equal, left, right) if is_length(left) => Some(right.clone()),
        Test::Compare(Comparison::Equal, left, right) if is_length(right) => Some(left.clone()),
        _ => None,
    }
}
