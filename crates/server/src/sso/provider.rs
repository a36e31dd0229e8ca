//! The provider: what it publishes of itself, and what it answers.

use super::outside::{agent, answered, blocking};
use super::{Flow, Kept, Trouble, token};
use crate::config::Oidc;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use form_urlencoded::{Serializer, byte_serialize};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use serde::Deserialize;
use std::sync::Arc;

/// A provider of OpenID Connect. A clone is the same one.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

struct Inner {
    oidc: Oidc,
    secret: String,
    /// Where browsers come back to.
    back: String,
    known: Kept<Known>,
}

/// What it published.
#[derive(Clone)]
struct Known {
    metadata: Metadata,
    keys: JwkSet,
}

/// OpenID Connect Discovery 1.0, section 3, as far as it is used.
#[derive(Clone, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

impl Provider {
    /// `url` is what browsers call this server.
    pub fn new(oidc: Oidc, secret: String, url: &str) -> Self {
        let back = format!("{url}/sign-in/sso/return");
        Self(Arc::new(Inner { oidc, secret, back, known: Kept::default() }))
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.0.oidc.name
    }

    /// The address of the page where somebody signs in.
    ///
    /// # Errors
    /// If the provider does not answer.
    pub async fn page(&self, flow: &Flow) -> Result<String, Trouble> {
        let at = self.known().await?.metadata.authorization_endpoint;
        let query = Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.0.oidc.client)
            .append_pair("redirect_uri", &self.0.back)
            .append_pair("scope", &self.0.oidc.scopes.join(" "))
            .append_pair("state", &flow.state())
            .append_pair("nonce", &flow.nonce())
            .append_pair("code_challenge", &flow.challenge())
            .append_pair("code_challenge_method", "S256")
            .finish();
        let mark = if at.contains('?') { '&' } else { '?' };
        Ok(format!("{at}{mark}{query}"))
    }

    /// The login of who came back with this code.
    ///
    /// # Errors
    /// If the provider does not answer, or its token is not right.
    pub async fn login(
        &self,
        flow: &Flow,
        code: String,
        iss: Option<&str>,
    ) -> Result<String, Trouble> {
        let Inner { oidc, .. } = &*self.0;
        if iss.is_some_and(|iss| iss != oidc.issuer) {
            return Err(Trouble::refused("the answer is of another issuer"));
        }
        let known = self.known().await?;
        let (this, verifier, metadata) = (self.clone(), flow.verifier(), known.metadata);
        let id_token = blocking(move || this.exchange(&metadata, &code, &verifier)).await?;
        let key = match token::key(&id_token, &known.keys)? {
            Some(key) => key.clone(),
            None => self.newer_key(&id_token).await?,
        };
        token::login(&id_token, &key, oidc, flow)
    }

    /// The key of a token that names one which was not known: providers change their keys.
    async fn newer_key(&self, id_token: &str) -> Result<Jwk, Trouble> {
        let this = self.clone();
        let known = self.0.known.get_again(move || this.read()).await?;
        token::newer_key(id_token, known.as_ref().map(|known| &known.keys))
    }

    /// What the provider publishes.
    async fn known(&self) -> Result<Known, Trouble> {
        let this = self.clone();
        self.0.known.get(move || this.read()).await
    }

    fn read(&self) -> Result<Known, Trouble> {
        let issuer = &self.0.oidc.issuer;
        let place = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let metadata: Metadata = answered(agent().get(place).call())?;
        if metadata.issuer != *issuer {
            let other = metadata.issuer;
            return Err(Trouble::refused(format!("{issuer} calls itself {other}")));
        }
        let keys = answered(agent().get(&metadata.jwks_uri).call())?;
        Ok(Known { metadata, keys })
    }

    /// Gives the code, and gets the token.
    fn exchange(&self, metadata: &Metadata, code: &str, verifier: &str) -> Result<String, Trouble> {
        let Inner { oidc, secret, back, .. } = &*self.0;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", back),
            ("code_verifier", verifier),
        ];
        let mut request =
            agent().post(&metadata.token_endpoint).header("accept", "application/json");
        let methods = &metadata.token_endpoint_auth_methods_supported;
        // RFC 6749, section 2.3.1. Without a word of the provider, it takes the first of the two.
        if methods.is_empty() || methods.iter().any(|it| it == "client_secret_basic") {
            let coded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", coded(&oidc.client), coded(secret));
            request = request.header("authorization", format!("Basic {}", STANDARD.encode(pair)));
        } else {
            form.extend([("client_id", oidc.client.as_str()), ("client_secret", secret)]);
        }
        answered::<Tokens>(request.send_form(form)).map(|it| it.id_token)
    }
}
