//! Rubrics: by what a person grades a part of a submission. Pure.

use super::mistakes::wrong;
use harness::course::yaml::{Entries, Source, Spanned};
use harness::diagnostic::Problem;
use serde::{Deserialize, Deserializer};

/// The rubrics of an assignment, by the names of the parts.
pub type Rubrics = Entries<Spanned<Rubric>>;

/// By what a person grades a part.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// The points of the part.
    pub most: Hundredths,
    #[serde(default)]
    pub from: Start,
    /// The items by their ids, which stay when a text is changed. Without any, a person gives points freely.
    #[serde(default)]
    pub items: Entries<Spanned<Item>>,
}

/// From which points the items count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    #[default]
    Zero,
    Full,
}

/// What gives points, or takes them away: one thing, or one of several levels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub text: String,
    pub points: Option<Hundredths>,
    /// What each level gives, by its text.
    #[serde(default)]
    pub levels: Entries<Hundredths>,
}

/// Hundredths of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hundredths(pub i64);

/// The most points that an item gives or takes.
const MOST: f64 = 10_000.0;

impl<'de> Deserialize<'de> for Hundredths {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(from)?;
        if points.abs() <= MOST {
            return Ok(Self((points * 100.0).round() as i64));
        }
        Err(wrong(format!("{points} is out of range"), "write points such as 2.5, at most 10000"))
    }
}

/// The parts that a machine grades.
const BY_MACHINE: [&str; 5] = ["cases", "tests", "leaks", "extra", "deductions"];

/// The longest name of a part or an item, and the longest text of an item. Letters.
const LONGEST_NAME: usize = 40;
const LONGEST_TEXT: usize = 300;

impl Rubric {
    /// The points before any item counts.
    pub fn begins(&self) -> i64 {
        if self.from == Start::Full { self.most.0 } else { 0 }
    }

    /// The points for items that give so many, and others that no item gives. Never less than nothing, nor more than the part has.
    pub fn points(&self, items: i64, adjusted: i64) -> i64 {
        (self.begins() + items + adjusted).clamp(0, self.most.0)
    }

    pub(super) fn check(part: &str, it: &Spanned<Self>, source: &Source) -> Result<(), Problem> {
        let rubric = &it.value;
        let told = |message: &str, hint: &str| Err(source.problem(it, message).hint(hint));
        if BY_MACHINE.contains(&part) {
            let message = format!("the machine grades the part `{part}`");
            return told(&message, "give the part that a person grades another name");
        }
        if !is_name(part) {
            let message = format!("`{part}` is no name of a part");
            return told(&message, "a name has 1 to 40 letters, without `:`");
        }
        if rubric.most.0 <= 0 {
            return told("`most` is not above 0", "`most` is how many points the part has");
        }
        for (id, item) in &rubric.items.0 {
            Item::check(id, item, source)?;
        }
        rubric.check_reach(it, source)
    }

    /// Whether the items can give all of the points, and, from all points on, take some.
    fn check_reach(&self, it: &Spanned<Self>, source: &Source) -> Result<(), Problem> {
        let items = || self.items.0.iter().map(|(_, item)| &item.value);
        let gives: i64 = items().map(|item| item.all().fold(0, i64::max)).sum();
        let takes = items().any(|item| item.all().any(|points| points < 0));
        let told = |message: String, hint: &str| Err(source.problem(it, message).hint(hint));
        match self.from {
            _ if self.items.0.is_empty() => Ok(()),
            Start::Full if !takes => {
                let message = "the points begin full, and no item takes any away".to_owned();
                told(message, "write `from: zero`, or items with points below 0")
            }
            Start::Zero if gives == 0 => {
                let message = "the points begin at 0, and no item gives any".to_owned();
                told(message, "write `from: full` if items take points away")
            }
            Start::Zero if gives < self.most.0 => {
                let (gives, most) = (gives as f64 / 100.0, self.most.0 as f64 / 100.0);
                let message =
                    format!("the items give {gives} points together, and `most` is {most}");
                told(message, "lower `most`, or give the items more points")
            }
            _ => Ok(()),
        }
    }
}

impl Item {
    fn check(id: &str, it: &Spanned<Self>, source: &Source) -> Result<(), Problem> {
        let told = |message: &str, hint: &str| Err(source.problem(it, message).hint(hint));
        let Self { text, points, levels } = &it.value;
        match () {
            () if !is_name(id) => {
                let message = format!("`{id}` is no id of an item");
                told(&message, "an id has 1 to 40 letters, without `:`, such as `names`")
            }
            () if text.trim().is_empty() || text.chars().count() > LONGEST_TEXT => {
                let message = format!("`text` of `{id}` is empty, or longer than 300 letters");
                told(&message, "say in a sentence what the item is about")
            }
            () if points.is_some() != levels.0.is_empty() => {
                let message = format!("`{id}` has not either `points` or `levels`");
                told(&message, "write `points: -2`, or `levels: { weak: 1, good: 3 }`")
            }
            () if levels.0.len() == 1 => {
                let message = format!("`{id}` has one level");
                told(&message, "write two levels or more, or `points`")
            }
            () => Ok(()),
        }
    }

    /// The points that it may give.
    fn all(&self) -> impl Iterator<Item = i64> {
        let levels = self.levels.0.iter().map(|(_, points)| points.0);
        self.points.iter().map(|it| it.0).chain(levels)
    }
}

fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=LONGEST_NAME).contains(&length) && !name.chars().any(|it| it.is_control() || it == ':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use std::path::Path;

    fn parsed(rubric: &str) -> Result<Rules, Problem> {
        let text = format!("assignments:\n  sum:\n    rubrics:\n      style:\n        {rubric}\n");
        Rules::parse(&Source::new(Path::new("serve.yaml"), text))
    }

    #[test]
    fn points_stay_between_none_and_the_most() {
        let rubric = |text: &str| parsed(text).unwrap().of("sum").rubrics.0.remove(0).1.value;
        let full = rubric("{ most: 5, from: full, items: { a: { text: A, points: -2.5 } } }");
        assert_eq!(
            (full.points(0, 0), full.points(-250, 100), full.points(-900, 0)),
            (500, 350, 0)
        );
        let zero = rubric("{ most: 2, items: { a: { text: A, levels: { no: 0, yes: 2 } } } }");
        assert_eq!((zero.points(0, 0), zero.points(200, 0), zero.points(200, 50)), (0, 200, 200));
    }

    #[test]
    fn what_is_wrong_with_a_rubric_is_told_at_its_line_with_a_hint() {
        for (rubric, line, message) in [
            ("{ most: 0 }", 5, "`most` is not above 0"),
            ("{ most: 20000 }", 5, "20000 is out of range"),
            ("{ items: {} }", 5, "the key `most` is missing"),
            ("most: 5\n        form: full", 6, "unknown key `form`"),
            ("most: 5\n        from: all", 6, "expected one of zero, full, found `all`"),
            ("most: 5\n        items:\n          a: { text: A }", 7, "`a` has not either"),
            (
                "most: 5\n        items:\n          a: { text: A, points: 5, levels: { b: 1, c: 2 } }",
                7,
                "`a` has not either",
            ),
            (
                "most: 5\n        items:\n          a: { text: A, levels: { b: 5 } }",
                7,
                "`a` has one",
            ),
            ("most: 5\n        items:\n          a: { text: ' ', points: 5 }", 7, "`text` of `a`"),
            (
                "most: 5\n        items:\n          a: { text: A, points: lots }",
                7,
                "expected a number",
            ),
            ("{ most: 5, items: { a: { text: A, points: -1 } } }", 5, "the points begin at 0"),
            ("{ most: 5, items: { a: { text: A, points: 4 } } }", 5, "the items give 4 points"),
            (
                "{ most: 5, from: full, items: { a: { text: A, points: 4 } } }",
                5,
                "the points begin full",
            ),
        ] {
            let problem = parsed(rubric).unwrap_err();
            assert!(problem.message.starts_with(message), "{}", problem.message);
            assert_eq!(problem.place.unwrap().line, line, "{message}");
            assert!(problem.hint.is_some(), "{message}");
        }
        let text = "assignments: { sum: { rubrics: { cases: { most: 5 } } } }".to_owned();
        let problem = Rules::parse(&Source::new(Path::new("serve.yaml"), text)).unwrap_err();
        assert_eq!(problem.message, "the machine grades the part `cases`");
    }
}
