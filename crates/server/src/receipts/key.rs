//! The keys with which receipts are signed. The private one is in the database, because all servers and workers that share it sign, and
//! nowhere else: no backup, child, log or error has it.

use crate::database::{Connection, Fault, Result};
use crate::secret;
use harness::result::receipt::{PublicKey, Signer};

/// The key that signs. If there is none yet, it is made. Only within a transaction.
///
/// # Errors
/// If the database fails.
pub fn current(connection: &mut Connection<'_>) -> Result<Signer> {
    connection.hold("receipt")?;
    let sql = "select receipt_secret.private_key from receipt_key \
        join receipt_secret on receipt_secret.public_key = receipt_key.public_key \
        order by receipt_key.id desc limit 1";
    if let Some(row) = connection.first(sql, &[])? {
        let bytes = row.bytes(0).try_into();
        let bytes = bytes.map_err(|_| Fault::Broken("the key of receipts is broken".to_owned()))?;
        return Ok(Signer::of(&bytes));
    }
    let bytes = secret::random_bytes();
    let signer = Signer::of(&bytes);
    let (public, now) = (signer.public().to_string(), connection.now()?);
    let sql = "insert into receipt_key (public_key, at) values ($1, $2)";
    connection.execute(sql, &[(&public).into(), now.into()])?;
    let sql = "insert into receipt_secret (public_key, private_key) values ($1, $2)";
    connection.execute(sql, &[public.into(), bytes.to_vec().into()])?;
    Ok(signer)
}

/// All keys that have signed, the last one first, with the time since which each does.
///
/// # Errors
/// If the database fails.
pub fn all(connection: &mut Connection<'_>) -> Result<Vec<(PublicKey, i64)>> {
    let rows = connection.query("select public_key, at from receipt_key order by id desc", &[])?;
    let broken = |()| Fault::Broken("a key of receipts is broken".to_owned());
    rows.iter().map(|row| Ok((row.text(0).parse().map_err(broken)?, row.int(1)))).collect()
}
