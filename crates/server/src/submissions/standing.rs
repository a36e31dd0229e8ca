//! Which result of a submission stands, and which submission of a student counts.

use super::results;
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
const COLUMNS: &str = "submission.id, result.points, result.max_points, result.exposed, \
    submission.late_days, result.job, submission.late_hours, submission.covered_days, \
    submission.adjusted, submission.hand_points, submission.hand_most";

/// What a submission earned, with what people gave: released parts, and points that staff changed. Never less than nothing.
pub(super) const EARNED: &str = "case when result.points + submission.hand_points + submission.adjusted < 0 then 0 \
    else result.points + submission.hand_points + submission.adjusted end";

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
        // What people gave stays when it is graded again.
        let earned = hundredths((row.int(1) + row.int(9) + row.int(8)).max(0));
        let lateness = Lateness { days: row.int(4), hours: row.int(6), covered: row.int(7) };
        Self {
            submission: row.int(0),
            points: late.left(earned, lateness),
            earned,
            max: hundredths(row.int(2) + row.int(10)),
            exposed: row.maybe_int(3),
            late: lateness,
            adjusted: row.int(8),
            job: row.int(5),
        }
    }
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

/// Notes what the student chose.
///
/// # Errors
/// If the database fails.
pub fn choose(
    connection: &mut Connection<'_>,
    student: i64,
    assignment: &str,
    counts: Counts,
) -> Result<()> {
    results::hold(connection, assignment)?;
    results::count(connection, assignment)?;
    connection.execute(
        "insert into choice (person, assignment, counts) values ($1, $2, $3) \
         on conflict (person, assignment) do update set counts = $3",
        &[student.into(), assignment.into(), counts.word().into()],
    )?;
    Ok(())
}

/// The one that counts: the last, or the best. Of equally good ones, it is the one that earned most before late days cost points, and then
/// the first. So of those that used as many late days, it is the same whatever a late day costs.
pub fn counting(all: &[Standing], counts: Counts) -> Option<&Standing> {
    match counts {
        Counts::Last => all.last(),
        Counts::Best => {
            let by_points = |one: &Standing, other: &Standing| {
                let points = one.points.total_cmp(&other.points);
                points.then(one.earned.total_cmp(&other.earned))
            };
            all.iter().rev().max_by(|one, other| by_points(one, other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_counts_or_the_last() {
        let late = |submission, points, earned| Standing {
            submission,
            points,
            earned,
            max: 100.0,
            exposed: None,
            late: Lateness::default(),
            adjusted: 0,
            job: submission,
        };
        let one = |submission, points| late(submission, points, points);
        let all = [one(1, 50.0), one(2, 90.0), one(3, 90.0), one(4, 70.0)];
        assert_eq!(counting(&all, Counts::Best).unwrap().submission, 2);
        assert_eq!(counting(&all, Counts::Last).unwrap().submission, 4);
        assert_eq!(counting(&[], Counts::Best), None);
        let all = [late(1, 0.0, 50.0), late(2, 0.0, 90.0), late(3, 0.0, 90.0)];
        assert_eq!(counting(&all, Counts::Best).unwrap().submission, 2);
    }
}
