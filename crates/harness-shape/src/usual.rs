//! The structures that a shape names for its lists and texts, so that most of those that are drawn have one of them.

use crate::grid::Side;
use crate::tree::{Command, Expr, Int, Until, What};
use crate::value::Value;

/// A structure that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// Few different values.
    Ties,
    Equal,
    Sorted,
    Reversed,
    Palindrome,
    /// The end is as the beginning.
    Border,
    /// Repetitions occur twice.
    Doubled,
    Collinear,
    Circle,
    Path,
    Star,
    Cycle,
    Complete,
    Disconnected,
    /// Sums and products end where the ranges of types do.
    Overflow,
    /// The lowest choice each time, so that numbers that are all different are sorted. It has no name.
    Lowest,
    /// The highest choice each time. It has no name.
    Highest,
    /// The edges of a tree. It has no name: the shape says by its numbers where one may be.
    Tree,
}

/// The names, in the order of the documentation.
pub(crate) const NAMES: [(&str, Usual); 15] = [
    ("ties", Usual::Ties),
    ("equal", Usual::Equal),
    ("sorted", Usual::Sorted),
    ("reversed", Usual::Reversed),
    ("palindrome", Usual::Palindrome),
    ("border", Usual::Border),
    ("doubled", Usual::Doubled),
    ("collinear", Usual::Collinear),
    ("circle", Usual::Circle),
    ("path", Usual::Path),
    ("star", Usual::Star),
    ("cycle", Usual::Cycle),
    ("complete", Usual::Complete),
    ("disconnected", Usual::Disconnected),
    ("overflow", Usual::Overflow),
];

/// A structure that a list or text has rather than others.
#[derive(Clone, Copy, Debug)]
pub struct Preferred {
    pub(crate) usual: Usual,
    /// The number of a repetition that it is about, or the first of two; `None` if it is about all.
    pub(crate) column: Option<usize>,
    /// How many choices there are of which the odd ones are numbers in order, if not all are.
    pub(crate) in_order: Option<u64>,
}

/// A list or text that a name stands for.
pub(crate) struct Target<'a> {
    /// The offset of its command.
    pub(crate) at: usize,
    is_text: bool,
    numbers: Vec<Number<'a>>,
    /// The number that the name stands for.
    column: Option<usize>,
}

/// A number of each repetition of a list.
#[derive(Clone, Copy)]
enum Number<'a> {
    Field(&'a What),
    /// A node of a graph.
    Node,
}

/// The lists and texts that a variable names: as the number of repetitions, or as a field of each.
pub(crate) fn targets(commands: &[Command], name: usize) -> Vec<Target<'_>> {
    let mut found = Vec::new();
    collect(commands, name, &mut found);
    found
}

fn collect<'a>(commands: &'a [Command], name: usize, found: &mut Vec<Target<'a>>) {
    for command in commands {
        if let What::Regex { name: Some(it), .. } = &command.what
            && it.name == name
        {
            found.push(Target { at: command.at, is_text: true, numbers: Vec::new(), column: None });
        }
        let Some((body, counts, nodes)) = list(&command.what) else {
            inner(&command.what).into_iter().for_each(|part| collect(part, name, found));
            continue;
        };
        let nodes = std::iter::repeat_n(Number::Node, nodes);
        let numbers: Vec<_> = nodes.chain(fields(body)).collect();
        let column = numbers.iter().position(|number| number.field() == Some(name));
        if column.is_some() || counts.contains(&name) && !numbers.is_empty() {
            found.push(Target { at: command.at, is_text: false, numbers, column });
        }
        collect(body, name, found);
    }
}

/// The first two numbers of each repetition.
pub(crate) fn ends(body: &[Command]) -> Option<[&Int; 2]> {
    match fields(body)[..] {
        [Number::Field(What::Int(first)), Number::Field(What::Int(second)), ..] => {
            Some([first, second])
        }
        _ => None,
    }
}

/// The repetition of a list, the variables that count it, and how many nodes come first.
fn list(what: &What) -> Option<(&[Command], Vec<usize>, usize)> {
    let variable = |count: &Expr| count.only_variable().map(|variable| variable.name);
    Some(match what {
        What::Many(many) => {
            let count = match &many.count {
                Side::Own { name, .. } => name.as_ref().map(|name| name.name),
                Side::Given(count) => variable(count),
            };
            (&many.body, count.into_iter().collect(), 0)
        }
        What::Repeat { until: Until::Count(count), body, .. } => {
            (body, variable(count).into_iter().collect(), 0)
        }
        What::Repeat { body, .. } => (body, Vec::new(), 0),
        What::Edges(edges) => {
            let counts = edges.edges.iter().chain([&edges.nodes]);
            (&edges.after, counts.filter_map(variable).collect(), 2)
        }
        _ => return None,
    })
}

/// The commands inside one that is no list.
fn inner(what: &What) -> Vec<&[Command]> {
    match what {
        What::Block(commands) => vec![commands],
        What::Cases { cases, .. } => cases.iter().map(|case| case.commands.as_slice()).collect(),
        What::If { then, otherwise, .. } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

/// The numbers of a repetition, without those of lists in it.
fn fields(body: &[Command]) -> Vec<Number<'_>> {
    fn of(command: &Command) -> Vec<Number<'_>> {
        match &command.what {
            what @ (What::Int(_) | What::Float { .. }) => vec![Number::Field(what)],
            what => inner(what).into_iter().flat_map(fields).collect(),
        }
    }
    body.iter().flat_map(of).collect()
}

impl Number<'_> {
    fn field(self) -> Option<usize> {
        match self {
            Self::Field(What::Int(Int { name, .. }) | What::Float { name, .. }) => {
                name.as_ref().map(|name| name.name)
            }
            _ => None,
        }
    }
}

impl Target<'_> {
    /// The preference for a structure.
    ///
    /// # Errors
    /// If the structure does not fit: what it is for.
    pub(crate) fn prefer(&self, usual: Usual) -> Result<Preferred, &'static str> {
        use Usual::{Circle, Collinear, Complete, Cycle, Disconnected, Overflow, Path, Star};
        let needs_pairs =
            matches!(usual, Collinear | Circle | Path | Star | Cycle | Complete | Disconnected);
        if self.is_text && (needs_pairs || usual == Overflow) {
            return Err("numbers, not for texts");
        }
        let first = self.column.unwrap_or(0);
        if needs_pairs && self.numbers.len() < first + 2 {
            return Err("two numbers that follow each other in each repetition");
        }
        let number = self.numbers.get(first).and_then(|number| match number {
            Number::Field(What::Int(int)) => Some(int),
            _ => None,
        });
        let bounds = number.and_then(|int| constant(&int.least).zip(constant(&int.most)));
        // From 0, the odd choices go up as far as there are numbers on both sides.
        let in_order = bounds
            .filter(|&(least, most)| least < 0 && most > 0)
            .map(|(least, most)| least.unsigned_abs().min(most.unsigned_abs()).saturating_mul(2));
        let usual = number.map_or(usual, |int| of_choices(usual, int, bounds));
        Ok(Preferred { usual, column: self.column, in_order })
    }
}

/// The structure that the choices of numbers need, so that the numbers have this one.
fn of_choices(usual: Usual, int: &Int, bounds: Option<(i64, i64)>) -> Usual {
    // A higher choice is a lower number.
    let is_falling = bounds.is_some_and(|(least, most)| least < 0 && most <= 0);
    match (usual, int.distinct.is_some()) {
        (Usual::Sorted, true) => Usual::Lowest,
        (Usual::Reversed, true) => Usual::Highest,
        (Usual::Sorted, false) if is_falling => Usual::Reversed,
        (Usual::Reversed, false) if is_falling => Usual::Sorted,
        _ => usual,
    }
}

fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Value(Value::Small(number)) => Some(*number),
        Expr::Negated(part) => constant(part)?.checked_neg(),
        _ => None,
    }
}
