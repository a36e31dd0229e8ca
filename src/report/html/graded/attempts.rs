//! What changed since the last attempt, for a page.

use super::super::rendered;
use crate::report::words::{counted, number};
use crate::result::attempts::Attempts;
use crate::result::graded::SubmissionReport;
use crate::result::regraded::Change;
use askama::Template;

#[derive(Template)]
#[template(path = "graded/attempts.html")]
struct Changes<'a> {
    id: &'a str,
    /// The difference of the points, and the sentence about it.
    points: Option<(String, String)>,
    /// Whether all cases and bugs are as they were.
    same: bool,
    /// The differences, each with its names.
    lines: Vec<Line>,
}

struct Line {
    /// A class of the style.
    class: &'static str,
    sign: &'static str,
    text: String,
    names: Vec<String>,
}

/// The part of a section about the attempt before. If the grading is under way, the points are left out.
pub(super) fn html(
    before: &SubmissionReport,
    after: &SubmissionReport,
    id: &str,
    under_way: bool,
) -> String {
    let attempts = Attempts::between(before, after);
    let points = match &attempts.points {
        _ if under_way => None,
        _ if before.refused => {
            Some(("graded".to_owned(), "the last attempt was not graded".to_owned()))
        }
        Some(change) => Some(difference(change)),
        None => Some(("±0".to_owned(), "points, as in the last attempt".to_owned())),
    };
    let same = !before.refused && attempts.is_same_work();
    rendered(&Changes { id, points, same, lines: lines(attempts) })
}

fn difference(change: &Change) -> (String, String) {
    let Change { before, before_max, after, after_max, .. } = change;
    let difference = after - before;
    let sign = match difference {
        _ if difference.abs() < 0.005 => "±",
        _ if difference > 0.0 => "+",
        _ => "−",
    };
    let was = if (before_max - after_max).abs() < 0.005 {
        number(*before)
    } else {
        format!("{} of {}", number(*before), number(*before_max))
    };
    let now = format!("{} of {}", number(*after), number(*after_max));
    (format!("{sign}{}", number(difference.abs())), format!("points: {was} → {now}"))
}

fn lines(attempts: Attempts) -> Vec<Line> {
    let better = |text, names| Line { class: "passed", sign: "▲", text, names };
    let worse = |text, names| Line { class: "failed", sign: "▼", text, names };
    let mut lines = Vec::new();
    let Attempts { gained, lost, groups, newly_exposed, no_longer_exposed, exposed, .. } = attempts;
    if !gained.is_empty() {
        lines.push(better(format!("{} gained", counted(gained.len(), "case")), gained));
    }
    if !lost.is_empty() {
        lines.push(worse(format!("{} lost", counted(lost.len(), "case")), lost));
    }
    for group in groups {
        let text = format!("group {}: {} → {} right", group.group, group.before, group.after);
        let line = if group.after > group.before { better } else { worse };
        lines.push(line(text, Vec::new()));
    }
    if newly_exposed.is_empty() && no_longer_exposed.is_empty() {
        if let Some((before, after)) = exposed {
            let line = if after > before { better } else { worse };
            lines.push(line(format!("bugs exposed: {before} → {after}"), Vec::new()));
        }
        return lines;
    }
    let bugs = |names: &Vec<String>| counted(names.len(), "bug");
    if !newly_exposed.is_empty() {
        lines.push(better(format!("{} newly exposed", bugs(&newly_exposed)), newly_exposed));
    }
    if !no_longer_exposed.is_empty() {
        let text = format!("{} no longer exposed", bugs(&no_longer_exposed));
        lines.push(worse(text, no_longer_exposed));
    }
    lines
}
