//! The form with which somebody grades, as it is filled in: by what is stored, or by what was sent.

use super::shown;
use crate::hand::{Chosen, Grade, Grading, LONGEST};
use crate::pages::words::signed;
use crate::rules::{Item, Rubric, Rubrics};
use std::collections::HashMap;

/// The values of the fields, by their names.
pub(super) type Fields = HashMap<String, String>;

/// The value of a ticked box.
const YES: &str = "yes";

/// What is graded of a part.
pub(super) struct PartForm {
    pub(super) part: String,
    pub(super) most: String,
    /// Hundredths, for the script that adds up.
    pub(super) hundredths: (i64, i64),
    /// The points as the form says.
    pub(super) now: String,
    pub(super) begins: String,
    pub(super) items: Vec<ItemForm>,
    pub(super) adjusted: String,
    pub(super) why: String,
    pub(super) comment: String,
    /// What was chosen and is in the rubric no more.
    pub(super) gone: Vec<String>,
    pub(super) is_released: bool,
}

pub(super) struct ItemForm {
    pub(super) field: String,
    pub(super) text: String,
    /// Its choices: one without a text, or levels.
    pub(super) choices: Vec<Choice>,
    pub(super) has_levels: bool,
}

pub(super) struct Choice {
    pub(super) value: String,
    pub(super) points: String,
    pub(super) hundredths: i64,
    pub(super) is_chosen: bool,
}

fn field(kind: &str, part: &str, item: &str) -> String {
    format!("{kind}:{part}:{item}")
}

/// The fields of what is stored.
pub(super) fn stored(grading: &Grading) -> Fields {
    let mut fields = Fields::new();
    for it in &grading.grades {
        for chosen in &it.chosen {
            let value = chosen.level.clone().unwrap_or_else(|| YES.to_owned());
            fields.insert(field("item", &it.part, &chosen.item), value);
        }
        let adjusted = if it.adjusted == 0 { String::new() } else { shown(it.adjusted) };
        fields.insert(field("adjusted", &it.part, ""), adjusted);
        fields.insert(field("why", &it.part, ""), it.why.clone());
        fields.insert(field("comment", &it.part, ""), it.comment.clone());
    }
    fields
}

/// The parts of the form, filled in.
pub(super) fn parts(rubrics: &Rubrics, fields: &Fields, grading: &Grading) -> Vec<PartForm> {
    let part = |(part, rubric): &(String, crate::rules::Spanned<Rubric>)| {
        let rubric = &rubric.value;
        let value = |kind| fields.get(&field(kind, part, "")).cloned().unwrap_or_default();
        let grade = read(part, rubric, fields).ok();
        let known = grading.grade(part);
        let is_gone = |it: &&Chosen| !rubric.items.0.iter().any(|(id, _)| *id == it.item);
        let gone = known.iter().flat_map(|it| &it.chosen).filter(is_gone);
        PartForm {
            most: shown(rubric.most.0),
            hundredths: (rubric.begins(), rubric.most.0),
            now: grade.map_or_else(String::new, |it| shown(it.points)),
            begins: shown(rubric.begins()),
            items: rubric
                .items
                .0
                .iter()
                .map(|(id, it)| item(&field("item", part, id), &it.value, fields))
                .collect(),
            adjusted: value("adjusted"),
            why: value("why"),
            comment: value("comment"),
            gone: gone.map(|it| format!("{} ({})", it.text, signed(it.points))).collect(),
            is_released: known.is_some_and(|it| it.released.is_some()),
            part: part.clone(),
        }
    };
    rubrics.0.iter().map(part).collect()
}

fn item(field: &str, item: &Item, fields: &Fields) -> ItemForm {
    let chosen = fields.get(field).map(String::as_str);
    let choice = |(value, points): (&str, i64)| Choice {
        value: value.to_owned(),
        points: signed(points),
        hundredths: points,
        is_chosen: chosen == Some(value),
    };
    ItemForm {
        field: field.to_owned(),
        text: item.text.clone(),
        choices: choices(item).map(choice).collect(),
        has_levels: item.points.is_none(),
    }
}

fn choices(item: &Item) -> impl Iterator<Item = (&str, i64)> {
    let alone = item.points.iter().map(|points| (YES, points.0));
    alone.chain(item.levels.0.iter().map(|(level, points)| (level.as_str(), points.0)))
}

/// What the fields give for a part, or what is wrong with them.
pub(super) fn read(part: &str, rubric: &Rubric, fields: &Fields) -> Result<Grade, String> {
    let text = |kind| {
        let text = fields.get(&field(kind, part, "")).map(String::as_str).unwrap_or_default();
        text.trim().replace("\r\n", "\n").chars().take(LONGEST).collect::<String>()
    };
    let chosen = rubric.items.0.iter().filter_map(|(id, item)| {
        let item = &item.value;
        let value = fields.get(&field("item", part, id))?;
        let (value, points) = choices(item).find(|(choice, _)| choice == value)?;
        let level = item.points.is_none().then(|| value.to_owned());
        Some(Chosen { item: id.clone(), text: item.text.clone(), level, points })
    });
    let chosen: Vec<_> = chosen.collect();
    let adjusted = hundredths(&text("adjusted")).ok_or_else(|| {
        format!("{part}: the points that you add are no number such as 2.5 or -1")
    })?;
    let why = text("why");
    if adjusted != 0 && why.is_empty() && !rubric.items.0.is_empty() {
        return Err(format!("{part}: say why you add or take points that no item gives"));
    }
    let sum = chosen.iter().map(|it| it.points).sum();
    Ok(Grade {
        part: part.to_owned(),
        points: rubric.points(sum, adjusted),
        most: rubric.most.0,
        chosen,
        adjusted,
        why,
        comment: text("comment"),
        released: None,
    })
}

/// What is not chosen yet, but must be before a part is graded.
pub(super) fn missing(part: &str, rubric: &Rubric, fields: &Fields) -> Option<String> {
    let is_free = rubric.items.0.is_empty();
    let has_points =
        fields.get(&field("adjusted", part, "")).is_some_and(|it| !it.trim().is_empty());
    if is_free && !has_points {
        return Some(format!("{part}: give it points"));
    }
    let open = rubric.items.0.iter().find(|(id, item)| {
        let chosen = fields.get(&field("item", part, id));
        let is_level = |it: &String| choices(&item.value).any(|(level, _)| level == it);
        item.value.points.is_none() && !chosen.is_some_and(is_level)
    });
    open.map(|(_, item)| format!("{part}: choose a level of “{}”", item.value.text))
}

/// Points such as `2.5` or `-1`, in hundredths. Nothing is 0.
fn hundredths(text: &str) -> Option<i64> {
    let text = text.replace(['−', '–'], "-").replace(',', ".");
    if text.is_empty() {
        return Some(0);
    }
    let points = text.strip_prefix('+').unwrap_or(&text).parse::<f64>().ok();
    let points = points.filter(|points| points.abs() <= 10_000.0);
    points.map(|points| (points * 100.0).round() as i64)
}
