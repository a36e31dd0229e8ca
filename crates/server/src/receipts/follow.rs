//! The chain of receipts: its head, which a course can publish, and whether it is whole.

use super::key;
use crate::chain;
use crate::database::{Connection, Result};
use harness::result::receipt::{Receipt, linked};
use serde::Serialize;

/// The version of the document of a head.
const SCHEMA: &str = "harness-receipts-head/1";

/// The end of the chain, which vouches for all receipts before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    pub schema: &'static str,
    /// The number of receipts.
    pub number: i64,
    /// The digest of the last one. Empty: there is none.
    pub digest: String,
}

/// The end of the chain.
///
/// # Errors
/// If the database fails.
pub fn head(connection: &mut Connection<'_>) -> Result<Head> {
    let sql = "select number, digest from receipt order by number desc limit 1";
    let last = connection.first(sql, &[])?.map(|row| (row.int(0), row.text(1)));
    let (number, digest) = last.unwrap_or_default();
    Ok(Head { schema: SCHEMA, number, digest })
}

/// The numbers and contents of at most so many receipts after a number: with them, anybody can follow the chain.
///
/// # Errors
/// If the database fails.
pub fn chain(connection: &mut Connection<'_>, after: i64, most: i64) -> Result<Vec<(i64, String)>> {
    let sql = "select number, content from receipt where number > $1 order by number limit $2";
    let rows = connection.query(sql, &[after.into(), most.into()])?;
    Ok(rows.iter().map(|row| (row.int(0), row.text(1))).collect())
}

/// Checks each receipt: its signature, by a key of this server, and that it follows the one before. Gives the number of receipts, or that
/// of the first one that is wrong.
///
/// # Errors
/// If the database fails.
pub fn verify(connection: &mut Connection<'_>) -> Result<std::result::Result<i64, i64>> {
    let keys: Vec<_> = key::all(connection)?.iter().map(|(key, _)| key.to_string()).collect();
    let sql = "select receipt.number, receipt.previous, receipt.digest, receipt.content, \
        receipt.receipt, result.submission, result.course from receipt \
        join result on result.job = receipt.job \
        where receipt.number > $1 order by receipt.number limit 500";
    chain::verify(connection, sql, |row| {
        let receipt: Receipt = serde_json::from_str(&row.text(4)).ok()?;
        let is_right = receipt.number == row.int(0)
            && receipt.previous == row.text(1)
            && receipt.content() == row.text(3)
            && receipt.submission == row.int(5)
            && receipt.course == row.text(6)
            && keys.contains(&receipt.key)
            && receipt.is_signed();
        is_right.then(|| linked(&receipt.previous, &row.text(3)))
    })
}

/// The number of results that had a receipt and have none any more. Receipts that were removed at the end of the chain show here.
///
/// # Errors
/// If the database fails.
pub fn lost(connection: &mut Connection<'_>) -> Result<i64> {
    let sql = "select count(*) from result left join receipt on receipt.job = result.job \
        where receipt.number is null and result.finished >= (select min(at) from receipt_key)";
    Ok(connection.first(sql, &[])?.map_or(0, |row| row.int(0)))
}
