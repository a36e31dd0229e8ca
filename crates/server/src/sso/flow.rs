//! One attempt to sign in. A browser holds a random secret in a cookie while it is at the provider, and everything else follows from it: so
//! any server can finish what another one began, and nothing is stored.

use crate::secret;
use axum::http::HeaderName;
use axum::http::header::SET_COOKIE;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The cookie. It comes back with the browser from the provider's page, and then it is taken.
pub const COOKIE: &str = "__Host-sign-in";

/// How long somebody may be at the provider, in seconds.
const PATIENCE: u32 = 900;

/// One attempt to sign in.
pub struct Flow(String);

impl Flow {
    pub fn begin() -> Self {
        Self(secret::random())
    }

    /// The attempt whose secret a cookie holds.
    pub fn of(secret: String) -> Self {
        Self(secret)
    }

    /// What the provider sends back with the browser, so that no other page can.
    pub fn state(&self) -> String {
        self.derived("state")
    }

    /// What the provider writes into the token, so that no other token fits.
    pub(super) fn nonce(&self) -> String {
        self.derived("nonce")
    }

    /// What only this server knows when it asks for the token.
    pub(super) fn verifier(&self) -> String {
        self.derived("verifier")
    }

    /// What the provider is told of the verifier: RFC 7636, section 4.2.
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier()))
    }

    fn derived(&self, what: &str) -> String {
        secret::digest(&format!("{what} of {}", self.0))
    }

    pub fn given(&self) -> [(HeaderName, String); 1] {
        let Self(secret) = self;
        let cookie = format!(
            "{COOKIE}={secret}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={PATIENCE}"
        );
        [(SET_COOKIE, cookie)]
    }

    /// The header that takes the cookie from a browser.
    pub fn taken() -> [(HeaderName, String); 1] {
        [(SET_COOKIE, format!("{COOKIE}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"))]
    }
}
