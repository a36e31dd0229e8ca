//! Which result of a submission stands, and which submission of a student counts. Both are queries, never stored.

use crate::database::{Connection, Result, Row};
use crate::rules::{Counts, Late, Lateness, Rules};

/// A submission of a student with the result that stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub submission: i64,
    /// Points after what lateness costs.
    pub points: f64,
    /// Points before.
    pub earned: f64,
    pub max: f64,
    pub exposed: Option<i64>,
    pub late: Lateness,
    /// Hundredths of the points that staff added by hand.
    pub adjusted: i64,
    pub job: i64,
}

/// The columns that [`Standing::of`] reads first.
pub(super) const COLUMNS: &str = "submission.id, result.points, result.max_points, result.exposed, \
    submission.late_days, result.job, submission.late_hours, submission.covered_days, \
    submission.adjusted";

/// The rows of submissions with the result that stands: of several results of a submission, the one that was applied last. Refused ones,
/// and those past the limit, are left out.
pub(super) const STANDING: &str = "submission join result on result.submission = submission.id \
    where result.applied is not null and result.refused = 0 and submission.feedback = 'normal' \
    and not exists (select 1 from result later where later.submission = result.submission \
        and later.applied is not null and (later.applied > result.applied \
        or later.applied = result.applied and later.job > result.job))";

/// The standing results of a student, the first submission first. Refused ones, and those past the limit, are left out.
///
/// # Errors
/// If the database fails.
pub fn all(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: i64,
    assignment: &str,
) -> Result<Vec<Standing>> {
    let sql = format!(
        "select {COLUMNS} from {STANDING} and submission.person = $1 and submission.assignment = $2 \
         order by submission.id"
    );
    let late = rules.of(assignment).late.value;
    let rows = connection.query(&sql, &[student.into(), assignment.into()])?;
    Ok(rows.iter().map(|row| Standing::of(row, &late)).collect())
}

impl Standing {
    /// The one in the first columns of a row, if lateness costs this.
    pub(super) fn of(row: &Row, late: &Late) -> Self {
        let hundredths = |number: i64| number as f64 / 100.0;
        // What staff added by hand stays when it is graded again.
        let earned = hundredths((row.int(1) + row.int(8)).max(0));
        let lateness = Lateness { days: row.int(4), hours: row.int(6), covered: row.int(7) };
        Self {
            submission: row.int(0),
            points: late.left(earned, lateness),
            earned,
            max: hundredths(row.int(2)),
            exposed: row.maybe_int(3),
            late: lateness,
            adjusted: row.int(8),
            job: row.int(5),
        }
    }
}

/// What counts of each student who is in the course, in the order of the students.
///
/// # Errors
/// If the database fails.
pub fn counting_of_class(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
) -> Result<Vec<Standing>> {
    let sql = "select submission.id, result.points, result.max_points, result.exposed, \
        submission.late_days, result.job, submission.late_hours, submission.covered_days, \
        submission.adjusted, submission.person, choice.counts from submission \
        join person on person.id = submission.person \
        join result on result.submission = submission.id \
        left join choice on choice.person = submission.person and choice.assignment = $1 \
        where submission.assignment = $1 and result.applied is not null \
        and result.refused = 0 and submission.feedback = 'normal' \
        and person.role = 'student' and person.active = 1 \
        order by submission.person, submission.id, result.applied, result.job";
    let own = rules.of(assignment);
    let mut students: Vec<(i64, Counts, Vec<Standing>)> = Vec::new();
    for row in connection.query(sql, &[assignment.into()])? {
        let (standing, person) = (Standing::of(&row, &own.late.value), row.int(9));
        let counts = row.maybe_text(10).and_then(|word| Counts::of(&word)).unwrap_or(own.counts);
        if students.last().is_none_or(|(last, ..)| *last != person) {
            students.push((person, counts, Vec::new()));
        }
        let Some((.., all)) = students.last_mut() else { continue };
        // Of several results of a submission, the one that was applied last stands.
        if all.last().is_some_and(|last| last.submission == standing.submission) {
            all.pop();
        }
        all.push(standing);
    }
    Ok(students.iter().filter_map(|(_, counts, all)| counting(all, *counts).cloned()).collect())
}

/// What the student chose, or else what the rules say.
///
/// # Errors
/// If the database fails.
pub fn choice(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: i64,
    assignment: &str,
) -> Result<Counts> {
    let sql = "select counts from choice where person = $1 and assignment = $2";
    let row = connection.first(sql, &[student.into(), assignment.into()])?;
    Ok(row.and_then(|row| Counts::of(&row.text(0))).unwrap_or(rules.of(assignment).counts))
}

/// The one that counts: the last, or the best, and of equally good ones the first.
pub fn counting(all: &[Standing], counts: Counts) -> Option<&Standing> {
    match counts {
        Counts::Last => all.last(),
        Counts::Best => all.iter().rev().max_by(|one, other| one.points.total_cmp(&other.points)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_counts_or_the_last() {
        let one = |submission, points| Standing {
            submission,
            points,
            earned: points,
            max: 100.0,
            exposed: None,
            late: Lateness::default(),
            adjusted: 0,
            job: submission,
        };
        let all = [one(1, 50.0), one(2, 90.0), one(3, 90.0), one(4, 70.0)];
        assert_eq!(counting(&all, Counts::Best).unwrap().submission, 2);
        assert_eq!(counting(&all, Counts::Last).unwrap().submission, 4);
        assert_eq!(counting(&[], Counts::Best), None);
    }
}
