//! Finds what can begin each part of a shape, so that a reader knows where repetitions end.

use crate::Problem;
use crate::grid::{GridRule, Side};
use crate::tree::{Command, Expr, Int, Many, Noise, Shape, What};
use crate::value::Value;

/// What can begin a part.
#[derive(Clone)]
struct First {
    bytes: [bool; 256],
    /// The part may be empty.
    is_optional: bool,
}

impl Shape {
    /// Tells all repetitions where they end.
    ///
    /// # Errors
    /// If what follows a repetition can begin like another one.
    pub(crate) fn follow(&mut self) -> Result<(), Problem> {
        follow(&mut self.commands, &First::nothing())
    }
}

impl First {
    fn nothing() -> Self {
        Self { bytes: [false; 256], is_optional: true }
    }

    fn of(bytes: impl IntoIterator<Item = u8>) -> Self {
        let mut first = Self { bytes: [false; 256], is_optional: false };
        bytes.into_iter().for_each(|byte| first.bytes[usize::from(byte)] = true);
        first
    }

    fn or_nothing(self) -> Self {
        Self { is_optional: true, ..self }
    }

    fn add(&mut self, other: &Self) {
        for (mine, is_other) in self.bytes.iter_mut().zip(other.bytes) {
            *mine |= is_other;
        }
    }

    /// This, and then the other.
    fn then(mut self, other: &Self) -> Self {
        if self.is_optional {
            self.add(other);
            self.is_optional = other.is_optional;
        }
        self
    }
}

fn follow(commands: &mut [Command], end: &First) -> Result<(), Problem> {
    let mut after = end.clone();
    for command in commands.iter_mut().rev() {
        let at = command.at;
        match &mut command.what {
            What::Many(many) => follow_many(many, &after, at)?,
            What::Grid(grid) => follow_grid(grid, &after, at)?,
            What::Block(inner) => follow(inner, &after)?,
            What::Cases { cases, .. } => {
                cases.iter_mut().try_for_each(|case| follow(&mut case.commands, &after))?;
            }
            What::Edges(edges) => follow(&mut edges.after, &First::of(*b"\n"))?,
            _ => {}
        }
        after = first(command).then(&after);
    }
    Ok(())
}

fn follow_many(many: &mut Many, after: &First, at: usize) -> Result<(), Problem> {
    let body = all(&many.body);
    many.first = body.bytes;
    many.is_last = !after.bytes.contains(&true);
    check_end(&many.count, &body, after, at)?;
    let mut next = body;
    next.add(after);
    follow(&mut many.body, &First { is_optional: after.is_optional, ..next })
}

fn follow_grid(grid: &mut GridRule, after: &First, at: usize) -> Result<(), Problem> {
    check_end(&grid.rows, &letters(grid), after, at)
}

/// Checks that the end of repetitions can be told from another one.
fn check_end(count: &Side, body: &First, after: &First, at: usize) -> Result<(), Problem> {
    if matches!(count, Side::Given(_)) {
        return Ok(());
    }
    if body.is_optional {
        return Err(Problem::new(at, "this may be empty, so it could repeat without end"));
    }
    let both =
        (0..=u8::MAX).find(|&byte| body.bytes[usize::from(byte)] && after.bytes[usize::from(byte)]);
    match both {
        None => Ok(()),
        Some(byte) => Err(Problem {
            hint: Some("give their number in a field before them, or let what follows begin otherwise, as `(` does".to_owned()),
            ..Problem::new(
                at,
                format!(
                    "nothing tells where these end: another one and what follows can both begin with `{}`",
                    byte.escape_ascii()
                ),
            )
        }),
    }
}

fn all(commands: &[Command]) -> First {
    commands.iter().rev().fold(First::nothing(), |after, command| first(command).then(&after))
}

fn letters(grid: &GridRule) -> First {
    let limited = grid.limited.iter().flat_map(|(first, _)| *first..=b'~');
    let counted = grid.counts.iter().map(|count| count.letter);
    First::of(grid.letters.iter().copied().chain(limited).chain(counted))
}

fn first(command: &Command) -> First {
    match &command.what {
        What::Space => First::of(*b" "),
        What::Newline => First::of(*b"\n"),
        What::Blanks { least, .. } => {
            let blanks = First::of(*b" \t\r");
            if *least > 0 { blanks } else { blanks.or_nothing() }
        }
        What::Int(Int { least, .. }) => {
            let digits = First::of(b'0'..=b'9');
            match least {
                Expr::Value(Value::Small(0..)) => digits,
                _ => First::of((b'0'..=b'9').chain([b'-'])),
            }
        }
        What::Float { .. } => First::of((b'0'..=b'9').chain([b'-'])),
        What::String(Expr::Value(Value::Text(text))) => of_text(text),
        What::Word { words, .. } => {
            let mut all = First::of([]);
            for word in words {
                let one = of_text(word);
                all.add(&one);
                all.is_optional |= one.is_optional;
            }
            all
        }
        What::Letter { letters, .. } => First::of(letters.iter().copied()),
        What::Regex { compiled: Some(pattern), .. } => {
            let (bytes, is_optional) = pattern.first();
            First { bytes, is_optional }
        }
        What::Noise(noise) => noises(noise),
        What::Many(many) => {
            let mut body = all(&many.body);
            many.counts.iter().for_each(|count| body.add(&First::of([count.letter])));
            let is_certain =
                matches!(&many.count, Side::Own { least: Expr::Value(Value::Small(1..)), .. });
            noises(&many.noise).then(&if is_certain { body } else { body.or_nothing() })
        }
        What::Grid(grid) => noises(&grid.noise).then(&letters(grid)),
        What::Edges(_) => First::of((b'0'..=b'9').chain([b'-'])).or_nothing(),
        What::Block(commands) => all(commands),
        What::Cases { cases, .. } => {
            let mut any = First::of([]);
            for case in cases {
                let one = all(&case.commands);
                any.add(&one);
                any.is_optional |= one.is_optional;
            }
            any
        }
        What::Repeat { body, .. } => all(body).or_nothing(),
        _ => First::nothing(),
    }
}

fn noises(noises: &[Noise]) -> First {
    let mut any = First::nothing();
    for noise in noises {
        any.add(&match noise {
            Noise::Comments(prefix) => of_text(prefix),
            Noise::BlankLines(_) => First::of(*b"\n"),
        });
    }
    any
}

fn of_text(text: &[u8]) -> First {
    text.first().map_or_else(First::nothing, |&byte| First::of([byte]))
}
