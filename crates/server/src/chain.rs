//! Tables of which each row holds the digest of the one before, so that a row which is changed or removed later shows. It knows none of
//! these tables.

use crate::database::{Connection, Result, Row};

/// The digest of the last row of a table, or nothing. Others that add a row wait until this transaction ends, so adding one should be its
/// last step.
///
/// # Errors
/// If the database fails.
pub fn end(connection: &mut Connection<'_>, table: &str, number: &str) -> Result<String> {
    // Two transactions at the same time would follow the same row, so the second one waits for the end of the first.
    connection.hold(table)?;
    let sql = format!("select digest from {table} order by {number} desc limit 1");
    Ok(connection.first(&sql, &[])?.map_or(String::new(), |row| row.text(0)))
}

/// Checks a chain. `sql` selects the number, the digest of the row before, the digest, and what else there is, of some rows after the
/// number `$1`, in their order. `digest` says which digest a row should have, or nothing if the row is wrong in itself. Gives the number
/// of rows, or the number of the first one that does not fit to those before it.
///
/// # Errors
/// If the database fails.
pub fn verify(
    connection: &mut Connection<'_>,
    sql: &str,
    digest: impl Fn(&Row) -> Option<String>,
) -> Result<std::result::Result<i64, i64>> {
    let (mut previous, mut count, mut last) = (String::new(), 0, 0);
    loop {
        let rows = connection.query(sql, &[last.into()])?;
        if rows.is_empty() {
            return Ok(Ok(count));
        }
        for row in rows {
            last = row.int(0);
            if row.text(1) != previous || digest(&row) != Some(row.text(2)) {
                return Ok(Err(last));
            }
            previous = row.text(2);
            count += 1;
        }
    }
}
