//! The ID token: OpenID Connect Core 1.0, section 3.1.3.7.

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

/// The key that a token names. None if the set has no such key, perhaps because it is old.
pub(super) fn key<'a>(token: &str, keys: &'a JwkSet) -> Result<Option<&'a Jwk>, Trouble> {
    let header = decode_header(token).map_err(|it| Trouble::refused(format!("the token: {it}")))?;
    Ok(match &header.kid {
        Some(kid) => keys.find(kid),
        None if keys.keys.len() == 1 => keys.keys.first(),
        None => None,
    })
}

/// The login that a token names.
pub(super) fn login(token: &str, key: &Jwk, oidc: &Oidc, flow: &Flow) -> Result<String, Trouble> {
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
    rules.set_issuer(&[&oidc.issuer]);
    rules.set_audience(&[&oidc.client]);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    rules.validate_nbf = true;
    let by = DecodingKey::from_jwk(key).map_err(refused)?;
    let claims = decode::<Map<String, Value>>(token, &by, &rules).map_err(refused)?.claims;
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("nonce") != Some(&flow.nonce()) {
        return Err(Trouble::refused("the token is for another attempt to sign in"));
    }
    let others = claims["aud"].as_array().is_some_and(|all| all.len() > 1);
    let party = text("azp");
    if party.is_some_and(|it| it != oidc.client) || (others && party.is_none()) {
        return Err(Trouble::refused("the token is for another party"));
    }
    named_by(&claims, oidc)
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
    let Some(domain) = domain else { return Ok(login.to_owned()) };
    match login.rsplit_once('@') {
        Some((login, of)) if of.eq_ignore_ascii_case(domain) => Ok(login.to_owned()),
        _ => Err(Trouble::refused(format!("the claim `{claim}` is not of {domain}"))),
    }
}
