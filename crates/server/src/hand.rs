//! Grading by hand: what people give for parts of a submission by a rubric, and their comments to lines of its sources. It is a draft until
//! staff release it.

mod claim;
mod list;
mod released;
mod save;

pub use claim::{LEASE, claim, give_back};
pub use list::{Listed, State, list, next};
pub use released::{Released, in_report, of_class, release, released};
pub use save::{Change, NewComment, Saved, save};

use crate::database::{Connection, Result, Row};
use crate::rules::Moment;
use serde::{Deserialize, Serialize};

/// The longest comment or reason. Letters.
pub const LONGEST: usize = 4000;

/// How many earlier comments are offered again.
const OFFERED: i64 = 40;

/// What was chosen of a rubric, as it was then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The id of the item.
    pub item: String,
    pub text: String,
    /// The text of the level, if the item has levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Hundredths.
    #[serde(with = "in_points")]
    pub points: i64,
}

/// Hundredths are points in documents.
mod in_points {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(hundredths: &i64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(*hundredths as f64 / 100.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        Ok((f64::deserialize(from)? * 100.0).round() as i64)
    }
}

/// What a person gives for a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grade {
    pub part: String,
    /// Hundredths of points, and of the most.
    #[serde(with = "in_points")]
    pub points: i64,
    #[serde(with = "in_points")]
    pub most: i64,
    pub chosen: Vec<Chosen>,
    /// Hundredths of points that no item gives, and why.
    #[serde(with = "in_points")]
    pub adjusted: i64,
    pub why: String,
    pub comment: String,
    /// Since when its student sees it.
    #[serde(skip)]
    pub released: Option<i64>,
}

impl Grade {
    /// The columns that [`of`](Self::of) reads first. The table is called `hand_grade`.
    const COLUMNS: &str = "hand_grade.part, hand_grade.points, hand_grade.most, hand_grade.chosen, \
        hand_grade.adjusted, hand_grade.adjusted_why, hand_grade.comment, hand_grade.released";

    fn of(row: &Row) -> Self {
        Self {
            part: row.text(0),
            points: row.int(1),
            most: row.int(2),
            chosen: serde_json::from_str(&row.text(3)).unwrap_or_default(),
            adjusted: row.int(4),
            why: row.text(5),
            comment: row.text(6),
            released: row.maybe_int(7),
        }
    }
}

/// A comment to a line of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comment {
    #[serde(skip)]
    pub id: i64,
    pub part: String,
    pub file: String,
    /// From 1.
    pub line: i64,
    pub excerpt: String,
    pub text: String,
    /// Who wrote it.
    #[serde(skip)]
    pub by: String,
}

/// All that was written about a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grading {
    /// Counts the changes.
    pub version: i64,
    pub is_done: bool,
    pub grades: Vec<Grade>,
    /// By file and line.
    pub comments: Vec<Comment>,
    /// When it was last changed, and by whom.
    pub changed: Option<(Moment, String)>,
    /// Who has it open, and until when.
    pub claimed: Option<(i64, String, Moment)>,
}

impl Grading {
    /// # Errors
    /// If the database fails.
    pub fn of(connection: &mut Connection<'_>, submission: i64) -> Result<Self> {
        let sql = "select hand_grading.version, hand_grading.done, hand_grading.changed, \
            changer.name, hand_grading.claimed_by, claimer.name, hand_grading.claimed_until \
            from hand_grading left join person changer on changer.id = hand_grading.changed_by \
            left join person claimer on claimer.id = hand_grading.claimed_by \
            where hand_grading.submission = $1";
        let Some(row) = connection.first(sql, &[submission.into()])? else {
            return Ok(Self::default());
        };
        let sql = format!(
            "select {} from hand_grade where submission = $1 order by part",
            Grade::COLUMNS
        );
        let grades = connection.query(&sql, &[submission.into()])?;
        Ok(Self {
            version: row.int(0),
            is_done: row.is(1),
            grades: grades.iter().map(Grade::of).collect(),
            comments: comments(connection, submission)?,
            changed: row.maybe_int(2).zip(row.maybe_text(3)).map(|(at, by)| (Moment(at), by)),
            claimed: row
                .maybe_int(4)
                .map(|id| (id, row.maybe_text(5).unwrap_or_default(), Moment(row.int(6)))),
        })
    }

    /// Whether its student sees something of it.
    pub fn is_released(&self) -> bool {
        self.grades.iter().any(|it| it.released.is_some())
    }

    pub fn grade(&self, part: &str) -> Option<&Grade> {
        self.grades.iter().find(|it| it.part == part)
    }
}

fn comments(connection: &mut Connection<'_>, submission: i64) -> Result<Vec<Comment>> {
    let sql = "select hand_comment.id, hand_comment.part, hand_comment.file, hand_comment.line, \
        hand_comment.excerpt, hand_comment.text, person.name from hand_comment \
        join person on person.id = hand_comment.person where hand_comment.submission = $1 \
        order by hand_comment.file, hand_comment.line, hand_comment.id";
    let comment = |row: &Row| Comment {
        id: row.int(0),
        part: row.text(1),
        file: row.text(2),
        line: row.int(3),
        excerpt: row.text(4),
        text: row.text(5),
        by: row.text(6),
    };
    Ok(connection.query(sql, &[submission.into()])?.iter().map(comment).collect())
}

/// What was written to lines of this assignment, the most frequent first: it is offered again.
///
/// # Errors
/// If the database fails.
pub fn earlier(connection: &mut Connection<'_>, assignment: &str) -> Result<Vec<String>> {
    let sql = "select text, count(*) as times from hand_comment where assignment = $1 \
        group by text order by times desc, text limit $2";
    let rows = connection.query(sql, &[assignment.into(), OFFERED.into()])?;
    Ok(rows.iter().map(|row| row.text(0)).collect())
}
