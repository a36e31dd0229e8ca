//! Finds the variables whose values become counts or lengths, so that a generated input stays small.

use crate::grid::{GridRule, Side};
use crate::tree::{Command, Expr, Test, Until, What};

/// For each variable, whether its value becomes a count or a length, directly or through other variables; and whether it is only the
/// number of different letters in a grid.
pub(super) fn of(commands: &[Command], variables: usize) -> (Vec<bool>, Vec<bool>) {
    let mut found = Found { counted: Vec::new(), letters: Vec::new(), assigned: Vec::new() };
    found.read(commands);
    let mut sizes = vec![false; variables];
    let mut unseen = found.counted;
    while let Some(name) = unseen.pop() {
        if !std::mem::replace(&mut sizes[name], true) {
            let sources = found.assigned.iter().filter(|(to, _)| *to == name);
            unseen.extend(sources.flat_map(|(_, from)| from.iter().copied()));
        }
    }
    let mut varieties = vec![false; variables];
    for name in found.letters {
        varieties[name] |= !std::mem::replace(&mut sizes[name], true);
    }
    (sizes, varieties)
}

struct Found {
    counted: Vec<usize>,
    /// The variables that limit the letters of grids.
    letters: Vec<usize>,
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
                What::Assert(test, _) => self.bounds(test),
                What::Many(many) => {
                    self.side(&many.count);
                    many.counts.iter().for_each(|count| count.count.variables(&mut self.counted));
                    self.read(&many.body);
                }
                What::Block(commands) => self.read(commands),
                What::Cases { cases, .. } => {
                    cases.iter().for_each(|case| self.read(&case.commands));
                }
                What::Grid(grid) => self.grid(grid),
                What::Edges(edges) => {
                    edges.nodes.variables(&mut self.counted);
                    edges.edges.iter().for_each(|count| count.variables(&mut self.counted));
                    self.read(&edges.after);
                }
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

    fn side(&mut self, side: &Side) {
        match side {
            Side::Given(count) => count.variables(&mut self.counted),
            Side::Own { name, .. } => self.counted.extend(name.as_ref().map(|name| name.name)),
        }
    }

    fn grid(&mut self, grid: &GridRule) {
        self.side(&grid.rows);
        self.side(&grid.columns);
        let counts = grid.counts.iter().map(|count| &count.count).chain(&grid.layers);
        counts.for_each(|count| count.variables(&mut self.counted));
        grid.limited.iter().for_each(|(_, count)| count.variables(&mut self.letters));
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
