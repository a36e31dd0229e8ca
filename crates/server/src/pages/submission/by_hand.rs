//! What people gave for parts of a submission, below its report.

use crate::hand::{Comment, Grade, Released};
use crate::pages::words::{points, signed};
use crate::requests::Place;
use askama::Template;

#[derive(Template)]
#[template(path = "by_hand_seen.html")]
struct Parts {
    grades: Vec<(usize, Part)>,
}

struct Part {
    part: String,
    points: String,
    most: String,
    /// What was chosen, and other points with their reason.
    items: Vec<(String, String)>,
    comment: String,
    comments: Vec<Comment>,
}

/// The sections of the parts.
pub(super) fn section(released: &Released) -> String {
    let part = |it: &Grade| Part {
        part: it.part.clone(),
        points: points(it.points as f64 / 100.0),
        most: points(it.most as f64 / 100.0),
        items: items(it),
        comment: it.comment.clone(),
        comments: released.comments.iter().filter(|of| of.part == it.part).cloned().collect(),
    };
    let grades = released.grades.iter().map(part).enumerate().collect();
    Parts { grades }.render().expect("a template writes to memory")
}

fn items(grade: &Grade) -> Vec<(String, String)> {
    let text = |text: &str, level: &Option<String>| match level {
        Some(level) => format!("{text}: {level}"),
        None => text.to_owned(),
    };
    let chosen = grade.chosen.iter().map(|it| (text(&it.text, &it.level), signed(it.points)));
    // Without items, all points are given freely.
    let is_other = grade.adjusted != 0 && !grade.why.is_empty();
    let other = is_other.then(|| (grade.why.clone(), signed(grade.adjusted)));
    chosen.chain(other).collect()
}

/// The places that a student asks about.
pub(super) fn places(released: &Released) -> impl Iterator<Item = Place> {
    let place = |(at, it): (usize, &Grade)| Place {
        name: format!("part {}", it.part),
        anchor: format!("a0-hand-{at}"),
    };
    released.grades.iter().enumerate().map(place)
}
