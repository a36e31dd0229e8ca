//! Finds the variables whose values become counts or lengths, so that a generated input stays small.

use super::script::{Command, Expr, Test, Until, What};

/// For each variable, whether its value becomes a count or a length, directly or through other variables.
pub(super) fn of(commands: &[Command], variables: usize) -> Vec<bool> {
    let mut found = Found { counted: Vec::new(), assigned: Vec::new() };
    found.read(commands);
    let mut sizes = vec![false; variables];
    let mut unseen = found.counted;
    while let Some(name) = unseen.pop() {
        if !std::mem::replace(&mut sizes[name], true) {
            let sources = found.assigned.iter().filter(|(to, _)| *to == name);
            unseen.extend(sources.flat_map(|(_, from)| from.iter().copied()));
        }
    }
    sizes
}

struct Found {
    counted: Vec<usize>,
    /// A variable, and those in what is assigned to it.
    assigned: Vec<(usize, Vec<usize>)>,
}

impl Found {
    fn read(&mut self, commands: &[Command]) {
        for command in commands {
            match &command.what {
                What::Repeat { until, body, .. } => {
                    match until {
                        Until::Count(count) => count.variables(&mut self.counted),
                        Until::Not(test) => self.bounds(test),
                    }
                    self.read(body);
                }
                What::If { then, otherwise, .. } => {
                    self.read(then);
                    self.read(otherwise);
                }
                What::Assert(test) => self.bounds(test),
                What::Set(assignments) => {
                    for (variable, value) in assignments {
                        let mut from = Vec::new();
                        value.variables(&mut from);
                        self.assigned.push((variable.name, from));
                    }
                }
                _ => {}
            }
        }
    }

    /// A length that is compared with something makes that a size.
    fn bounds(&mut self, test: &Test) {
        match test {
            Test::Not(test) => self.bounds(test),
            Test::And(first, second) | Test::Or(first, second) => {
                self.bounds(first);
                self.bounds(second);
            }
            Test::Compare(_, left, right) if left.has_length() || right.has_length() => {
                let add = |expr: &Expr, found: &mut Vec<usize>| {
                    if !expr.has_length() {
                        expr.variables(found);
                    }
                };
                add(left, &mut self.counted);
                add(right, &mut self.counted);
            }
            _ => {}
        }
    }
}
