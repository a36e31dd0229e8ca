//! A provider of OpenID Connect, right or hostile. It is another party than the server: it checks what the server sends.

use super::http::{self, Answer, Request};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The secret that both know.
pub(crate) const SECRET: &str = "a secret: with a colon";

#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) issuer: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The token and the challenge for each code that was not used.
    codes: HashMap<String, (String, String)>,
    /// The name of the key that it publishes.
    key: String,
    /// Whether it is out of order.
    is_away: bool,
}

/// What a server asks for when it sends a browser.
pub(crate) struct Asked(pub(crate) HashMap<String, String>);

impl Asked {
    pub(crate) fn of(address: &str) -> Self {
        let (_, query) = address.split_once('?').unwrap();
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }
}

impl Provider {
    pub(crate) fn start() -> Self {
        let state = State { key: "first".to_owned(), ..State::default() };
        let make = |issuer| Self { issuer, state: Arc::new(Mutex::new(state)) };
        http::serve(make, |provider, request| Some(provider.answer(request)))
    }

    /// The claims of a right token.
    pub(crate) fn claims(&self, asked: &Asked, login: &str) -> Value {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let now = now.as_secs();
        json!({ "iss": self.issuer, "aud": asked.0["client_id"], "sub": format!("id of {login}"), "iat": now,
            "exp": now + 300, "nonce": asked.0["nonce"], "preferred_username": login })
    }

    /// A token with these claims, signed with the key.
    pub(crate) fn signed(&self, claims: &Value) -> String {
        let key = self.state.lock().unwrap().key.clone();
        http::signed(claims, key)
    }

    /// A code for a token.
    pub(crate) fn code(&self, asked: &Asked, token: String) -> String {
        let code = server::secret::random();
        let challenge = asked.0["code_challenge"].clone();
        self.state.lock().unwrap().codes.insert(code.clone(), (token, challenge));
        code
    }

    pub(crate) fn change_key(&self, name: &str) {
        name.clone_into(&mut self.state.lock().unwrap().key);
    }

    pub(crate) fn go_away(&self, is_away: bool) {
        self.state.lock().unwrap().is_away = is_away;
    }

    fn answer(&self, request: &Request) -> Answer {
        let Self { issuer, .. } = self;
        if self.state.lock().unwrap().is_away {
            return Answer::new(503, json!({}));
        }
        match request.target.as_str() {
            "/.well-known/openid-configuration" => Answer::new(
                200,
                json!({ "issuer": issuer, "authorization_endpoint": format!("{issuer}/sign-in?tenant=1"),
                    "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys") }),
            ),
            "/keys" => http::published(self.state.lock().unwrap().key.clone()),
            "/token" => self.token(request),
            _ => Answer::new(404, json!({})),
        }
    }

    fn token(&self, request: &Request) -> Answer {
        let form = request.form();
        let refused = |why: &str| Answer::new(400, json!({ "error": why }));
        let expected = STANDARD.encode("harness:a+secret%3A+with+a+colon");
        if request.header("authorization") != format!("Basic {expected}") {
            return refused("invalid_client");
        }
        let Some((token, challenge)) = self.state.lock().unwrap().codes.remove(&form["code"])
        else {
            return refused("invalid_grant");
        };
        let verifier = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
        if verifier != challenge || form["grant_type"] != "authorization_code" {
            return refused("invalid_grant");
        }
        Answer::new(200, json!({ "access_token": "a", "token_type": "Bearer", "id_token": token }))
    }
}
