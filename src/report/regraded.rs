//! `grade --regrade`, as text: whose points change, and why.

use super::screen::{BAD, GOOD, STRONG, Screen, WriteText};
use super::words::{counted, number};
use crate::result::regraded::{Change, PartChange, Regraded};
use std::fmt::{self, Write};

/// The most reasons that are listed for a part.
const MOST_REASONS: usize = 8;

impl WriteText for Regraded {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Self { title, changes, regraded, up_to_date, not_graded, applied, .. } = self;
        writeln!(out, "{}", screen.styled(STRONG, title))?;
        changes.iter().try_for_each(|change| self::change(out, change, screen))?;
        let (count, again) = (changes.len(), counted(*regraded, "submission"));
        writeln!(out, "\n{again} graded again, the points of {count} change")?;
        if *up_to_date > 0 {
            writeln!(out, "{} already up to date", counted(*up_to_date, "result"))?;
        }
        if *not_graded > 0 {
            writeln!(out, "{} not graded yet", counted(*not_graded, "submission"))?;
        }
        match (applied, regraded) {
            (_, 0) => Ok(()),
            (true, _) => writeln!(out, "The results are replaced, and the earlier ones are kept."),
            (false, _) => writeln!(out, "Nothing is replaced yet; --apply replaces the results."),
        }
    }
}

fn change(out: &mut String, change: &Change, screen: Screen) -> fmt::Result {
    let Change { name, before, before_max, after, after_max, parts } = change;
    let style = if after < before { BAD } else { GOOD };
    let difference = after - before;
    let sign = if difference > 0.0 { "+" } else { "" };
    let difference = screen.styled(style, &format!("{sign}{}", number(difference)));
    let of = if (before_max - after_max).abs() < 0.005 {
        format!("of {}", number(*after_max))
    } else {
        format!("of {}, which were of {}", number(*after_max), number(*before_max))
    };
    let (before, after) = (number(*before), number(*after));
    writeln!(out, "{}: {before} → {after} {of} ({difference})", screen.styled(STRONG, name))?;
    parts.iter().try_for_each(|part| self::part(out, part, screen))
}

fn part(out: &mut String, part: &PartChange, screen: Screen) -> fmt::Result {
    let PartChange { name, before, after, why } = part;
    let points = |points: &Option<f64>| points.map_or_else(|| "-".to_owned(), number);
    let (shown, more) = why.split_at(why.len().min(MOST_REASONS));
    let mut reasons = shown.join("; ");
    if !more.is_empty() {
        write!(reasons, "; and {} more", more.len())?;
    }
    let label = format!("  {name} {} → {}: ", points(before), points(after));
    screen.field(out, &label, &reasons)
}
