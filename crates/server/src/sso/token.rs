//! The ID token: OpenID Connect Core 1.0, section 3.1.3.7. Platforms for learning send the same.

use super::{Flow, Trouble};
use crate::config::Oidc;
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};

/// What may sign a token. With a key that both sides know, anybody who knows the public key could sign.
const SIGNED_BY: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// What a token must say.
pub struct Expected<'a> {
    pub issuer: &'a str,
    /// The name that the issuer gave this server.
    pub client: &'a str,
    pub nonce: &'a str,
}

/// The key that a token names. None if the set has no such key, perhaps because it is old.
///
/// # Errors
/// If it is no token.
pub fn key<'a>(token: &str, keys: &'a JwkSet) -> Result<Option<&'a Jwk>, Trouble> {
    let header = decode_header(token).map_err(|it| Trouble::refused(format!("the token: {it}")))?;
    Ok(match &header.kid {
        Some(kid) => keys.find(kid),
        None if keys.keys.len() == 1 => keys.keys.first(),
        None => None,
    })
}

/// The key that a token names, in a set that was read again, if it was.
///
/// # Errors
/// If it is not there.
pub fn newer_key(token: &str, keys: Option<&JwkSet>) -> Result<Jwk, Trouble> {
    let found = keys.map_or(Ok(None), |keys| key(token, keys))?;
    found
        .cloned()
        .ok_or_else(|| Trouble::refused("the token is signed by a key that is not the issuer's"))
}

/// What a token says, if its issuer signed it for this server and this attempt.
///
/// # Errors
/// With what is wrong.
pub fn claims(
    token: &str,
    key: &Jwk,
    expected: &Expected<'_>,
) -> Result<Map<String, Value>, Trouble> {
    let refused = |why: jsonwebtoken::errors::Error| Trouble::refused(format!("the token: {why}"));
    let algorithm = decode_header(token).map_err(refused)?.alg;
    if !SIGNED_BY.contains(&algorithm) {
        return Err(Trouble::refused(format!("the token is signed by {algorithm:?}")));
    }
    let named = key.common.key_algorithm.map(|it| it.to_string());
    if named.is_some_and(|named| named != format!("{algorithm:?}")) {
        return Err(Trouble::refused("the token is signed by another method than that of its key"));
    }
    let mut rules = Validation::new(algorithm);
    rules.set_issuer(&[expected.issuer]);
    rules.set_audience(&[expected.client]);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    rules.validate_nbf = true;
    let by = DecodingKey::from_jwk(key).map_err(refused)?;
    let claims = decode::<Map<String, Value>>(token, &by, &rules).map_err(refused)?.claims;
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("nonce") != Some(expected.nonce) {
        return Err(Trouble::refused("the token is for another attempt to sign in"));
    }
    let others = claims["aud"].as_array().is_some_and(|all| all.len() > 1);
    let party = text("azp");
    if party.is_some_and(|it| it != expected.client) || (others && party.is_none()) {
        return Err(Trouble::refused("the token is for another party"));
    }
    Ok(claims)
}

/// The login that a token names.
pub(super) fn login(token: &str, key: &Jwk, oidc: &Oidc, flow: &Flow) -> Result<String, Trouble> {
    let nonce = flow.nonce();
    let expected = Expected { issuer: &oidc.issuer, client: &oidc.client, nonce: &nonce };
    named_by(&claims(token, key, &expected)?, oidc)
}

/// The login in the claim that `serve.yaml` names.
fn named_by(claims: &Map<String, Value>, oidc: &Oidc) -> Result<String, Trouble> {
    let Oidc { claim, domain, .. } = oidc;
    let Some(login) = claims.get(claim).and_then(Value::as_str) else {
        return Err(Trouble::refused(format!("the token has no claim `{claim}`")));
    };
    // Whoever may type any address there could be anybody.
    if claim == "email" && claims.get("email_verified") == Some(&Value::Bool(false)) {
        return Err(Trouble::refused("the provider has not verified the address"));
    }
    within(login, domain.as_deref())
        .ok_or_else(|| Trouble::refused(format!("the claim `{claim}` is not of the domain")))
}

/// The login in an address, without its domain if there is one that must be at its end.
pub fn within(login: &str, domain: Option<&str>) -> Option<String> {
    let Some(domain) = domain else { return Some(login.to_owned()) };
    let (login, of) = login.rsplit_once('@')?;
    of.eq_ignore_ascii_case(domain).then(|| login.to_owned())
}
