//! The keys by which platforms know this server. All servers that share the database sign with the same one, and no backup, log or error
//! has it. RS256 is what every platform must know (IMS Security Framework 1.0, section 6.1).

use crate::database::{Connection, Database, Fault, Result};
use jsonwebtoken::jwk::{Jwk, JwkSet, KeyAlgorithm, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rsa::RsaPrivateKey;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::rand_core::OsRng;
use serde::Serialize;

const BITS: usize = 2048;

/// What signs.
pub struct Signer {
    name: String,
    key: EncodingKey,
}

impl Signer {
    /// A token with these claims.
    ///
    /// # Errors
    /// If the key is broken.
    pub fn signed(&self, claims: &impl Serialize) -> Result<String> {
        let header = Header { kid: Some(self.name.clone()), ..Header::new(Algorithm::RS256) };
        encode(&header, claims, &self.key).map_err(broken)
    }
}

/// The key that signs. If there is none yet, it is made, which takes a second.
///
/// # Errors
/// If the database fails.
pub async fn current(database: &Database) -> Result<Signer> {
    if let Some(signer) = database.read(last).await? {
        return Ok(signer);
    }
    let made = tokio::task::spawn_blocking(made).await;
    let (jwk, bytes) = made.map_err(|error| Fault::Broken(error.to_string()))??;
    let kept = database.write(move |connection| {
        connection.hold("lti_key")?;
        // Another server may have been faster.
        if last(connection)?.is_none() {
            keep(connection, &jwk, &bytes)?;
        }
        last(connection)
    });
    kept.await?.ok_or_else(|| Fault::Broken("the key for platforms is gone".to_owned()))
}

/// The public keys, for platforms to read.
///
/// # Errors
/// If the database fails.
pub fn all(connection: &mut Connection<'_>) -> Result<JwkSet> {
    let rows = connection.query("select public_key from lti_key order by id desc", &[])?;
    let read = |row: &crate::database::Row| serde_json::from_str(&row.text(0)).map_err(broken);
    Ok(JwkSet { keys: rows.iter().map(read).collect::<Result<_>>()? })
}

fn last(connection: &mut Connection<'_>) -> Result<Option<Signer>> {
    let sql = "select lti_key.name, lti_secret.private_key from lti_key \
        join lti_secret on lti_secret.name = lti_key.name order by lti_key.id desc limit 1";
    let row = connection.first(sql, &[])?;
    Ok(row.map(|row| Signer { name: row.text(0), key: EncodingKey::from_rsa_der(&row.bytes(1)) }))
}

/// A key, and its private part as PKCS #1.
fn made() -> Result<(Jwk, Vec<u8>)> {
    let key = RsaPrivateKey::new(&mut OsRng, BITS).map_err(broken)?;
    let bytes = key.to_pkcs1_der().map_err(broken)?.as_bytes().to_vec();
    let signs = EncodingKey::from_rsa_der(&bytes);
    let mut jwk = Jwk::from_encoding_key(&signs, Algorithm::RS256).map_err(broken)?;
    jwk.common.key_id = Some(jwk.thumbprint(ThumbprintHash::SHA256).map_err(broken)?);
    jwk.common.public_key_use = Some(PublicKeyUse::Signature);
    jwk.common.key_algorithm = Some(KeyAlgorithm::RS256);
    Ok((jwk, bytes))
}

fn keep(connection: &mut Connection<'_>, jwk: &Jwk, bytes: &[u8]) -> Result<()> {
    let name = jwk.common.key_id.clone().unwrap_or_default();
    let (public, now) = (serde_json::to_string(jwk).map_err(broken)?, connection.now()?);
    let sql = "insert into lti_key (name, public_key, at) values ($1, $2, $3)";
    connection.execute(sql, &[(&name).into(), public.into(), now.into()])?;
    let sql = "insert into lti_secret (name, private_key) values ($1, $2)";
    connection.execute(sql, &[name.into(), bytes.to_vec().into()])?;
    Ok(())
}

fn broken(error: impl std::fmt::Display) -> Fault {
    Fault::Broken(format!("the key for platforms: {error}"))
}
