//! The submissions that keep their points in a regrade, and get them from other parts.

use super::changes::{Changed, DIFFERS, MOST, PAIRS, READ, changed};
use crate::database::{Connection, Result};

/// How many submissions that keep their points are looked at.
pub const LOOKED_AT: i64 = 2_000;

/// How much of the end of a record is read: the parts of the points are its last field, and reading all of them would take long.
const END: i64 = 600;

/// Those that get the same points from other parts, as far as [`LOOKED_AT`] goes. The first ones are listed.
///
/// # Errors
/// If the database fails.
pub fn moved(connection: &mut Connection<'_>, regrade: i64) -> Result<Vec<Changed>> {
    let end = |it: &str| format!("substr({it}.record, length({it}.record) - {})", END - 1);
    let sql = format!(
        "select new.job, old.job, {}, {} from {PAIRS} and not {DIFFERS} order by job.id limit $2",
        end("old"),
        end("new")
    );
    let same = connection.query(&sql, &[regrade.into(), LOOKED_AT.into()])?;
    let moved = same.iter().filter(|row| parts(&row.text(2)) != parts(&row.text(3)));
    let sql = format!(
        "select {READ} from result new join result old on old.job = $2 \
         join submission on submission.id = new.submission \
         join person on person.id = submission.person where new.job = $1"
    );
    let mut all = Vec::new();
    for row in moved.take(usize::try_from(MOST).unwrap_or_default()) {
        let pair = connection.first(&sql, &[row.int(0).into(), row.int(1).into()])?;
        all.extend(pair.map(|row| changed(&row)));
    }
    Ok(all)
}

/// The parts of the points, at the end of a record.
fn parts(end: &str) -> &str {
    end.rsplit_once("\"parts\":").map_or(end, |(_, parts)| parts)
}
