//! Whose points a regrade changes, and why.

use crate::database::{Connection, Result, Row};
use harness::result::record::Record;
use harness::result::regraded::Change;

/// How many changes are on a page.
pub const MOST: i64 = 50;

/// The results of a regrade, `new`, each beside the one that stands without it, `old`.
pub(super) const PAIRS: &str = "job join result new on new.job = job.id \
    left join result old on old.job = (select one.job from result one \
        where one.submission = job.submission and one.applied is not null and one.job <> job.id \
        and (new.applied is null or one.applied < new.applied) \
        order by one.applied desc, one.job desc limit 1) \
    where job.regrade = $1 and job.state = 'done'";

/// Whether the points of a pair differ.
pub(super) const DIFFERS: &str = "(old.job is null or old.points <> new.points \
    or old.max_points <> new.max_points or old.refused <> new.refused)";

/// What a regrade changes in all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// How many results there are.
    pub results: i64,
    pub up: i64,
    pub down: i64,
    /// How many had no result before.
    pub first: i64,
    /// The means of the points, over those that had a result before.
    pub mean_before: f64,
    pub mean_after: f64,
}

impl Totals {
    pub fn same(&self) -> i64 {
        self.results - self.up - self.down - self.first
    }
}

/// # Errors
/// If the database fails.
pub fn totals(connection: &mut Connection<'_>, regrade: i64) -> Result<Totals> {
    // What is refused earns nothing.
    let points = |it: &str| format!("case when {it}.refused = 1 then 0 else {it}.points end");
    let (old, new) = (points("old"), points("new"));
    let sql = format!(
        "select count(*), count(case when old.job is not null and {new} > {old} then 1 end), \
         count(case when old.job is not null and {new} < {old} then 1 end), \
         count(case when old.job is null then 1 end), \
         cast(coalesce(sum(case when old.job is not null then {old} end), 0) as bigint), \
         cast(coalesce(sum(case when old.job is not null then {new} end), 0) as bigint) from {PAIRS}"
    );
    let Some(row) = connection.first(&sql, &[regrade.into()])? else {
        return Ok(Totals::default());
    };
    let (results, first) = (row.int(0), row.int(3));
    let mean = |sum: i64| sum as f64 / 100.0 / (results - first).max(1) as f64;
    Ok(Totals {
        results,
        up: row.int(1),
        down: row.int(2),
        first,
        mean_before: mean(row.int(4)),
        mean_after: mean(row.int(5)),
    })
}

/// A submission whose points change.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    pub submission: i64,
    pub login: String,
    /// The points before. None: there was no result, or it was refused.
    pub before: Option<f64>,
    pub after: Option<f64>,
    pub max: f64,
    /// What is different, in words.
    pub why: Vec<String>,
}

/// A page of the changes, those that lose most first. Pages count from 0.
///
/// # Errors
/// If the database fails.
pub fn changes(connection: &mut Connection<'_>, regrade: i64, page: i64) -> Result<Vec<Changed>> {
    // Only the records of this page are read.
    let sql = format!(
        "select {READ} from (\
            select job.submission, job.id, new.job as new_job, old.job as old_job, \
            new.points - coalesce(old.points, 0) as gain from {PAIRS} and {DIFFERS} \
            order by gain, job.id limit $2 offset $3) pair \
         join submission on submission.id = pair.submission \
         join person on person.id = submission.person \
         join result new on new.job = pair.new_job left join result old on old.job = pair.old_job \
         order by pair.gain, pair.id"
    );
    let values = [regrade.into(), MOST.into(), (page.max(0) * MOST).into()];
    Ok(connection.query(&sql, &values)?.iter().map(changed).collect())
}

/// What [`changed`] reads of a pair.
pub(super) const READ: &str = "submission.id, person.login, old.points, old.refused, new.points, \
    new.refused, new.max_points, old.record, new.record";

pub(super) fn changed(row: &Row) -> Changed {
    let points = |points: Option<i64>, refused: Option<i64>| {
        points.filter(|_| refused == Some(0)).map(|points| points as f64 / 100.0)
    };
    let report = |text: Option<String>| {
        text.and_then(|text| serde_json::from_str::<Record>(&text).ok()).map(|it| it.report)
    };
    let why = match (report(row.maybe_text(7)), report(row.maybe_text(8))) {
        (None, _) => vec!["it had no result before".to_owned()],
        (Some(old), Some(new)) if old.refused != new.refused => {
            vec![
                if new.refused { "it is refused now" } else { "it is no longer refused" }
                    .to_owned(),
            ]
        }
        (Some(old), Some(new)) => {
            Change::between(&old, &new).map_or_else(Vec::new, |it| in_words(&it))
        }
        (Some(_), None) => Vec::new(),
    };
    Changed {
        submission: row.int(0),
        login: row.text(1),
        before: points(row.maybe_int(2), row.maybe_int(3)),
        after: points(row.maybe_int(4), row.maybe_int(5)),
        max: row.int(6) as f64 / 100.0,
        why,
    }
}

fn in_words(change: &Change) -> Vec<String> {
    let part = |part: &harness::result::regraded::PartChange| {
        let why = part.why.iter().take(8).cloned().collect::<Vec<_>>().join("; ");
        let more = part.why.len().saturating_sub(8);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        format!("{}: {why}{more}", part.name)
    };
    change.parts.iter().map(part).collect()
}
