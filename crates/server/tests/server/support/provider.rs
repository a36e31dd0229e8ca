//! A provider of OpenID Connect, right or hostile. It is another party than the server: it checks what the server sends.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The secret that both know.
pub(crate) const SECRET: &str = "a secret: with a colon";

/// A key that signs nothing but the tokens of this test.
const KEY: &[u8] = include_bytes!("provider.pem");

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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let state = State { key: "first".to_owned(), ..State::default() };
        let provider = Self { issuer, state: Arc::new(Mutex::new(state)) };
        let this = provider.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let this = this.clone();
                thread::spawn(move || this.answer(stream));
            }
        });
        provider
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
        let header = Header { kid: Some(key), ..Header::new(Algorithm::RS256) };
        encode(&header, claims, &EncodingKey::from_rsa_pem(KEY).unwrap()).unwrap()
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

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut first, mut length, mut authorization) = (String::new(), 0, String::new());
        reader.read_line(&mut first).unwrap();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap(),
                "authorization" => value.clone_into(&mut authorization),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let path = first.split(' ').nth(1).unwrap();
        let (status, answer) = self.answer_to(path, &body, &authorization);
        let answer = answer.to_string();
        let _ = write!(
            stream,
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
            answer.len()
        );
    }

    fn answer_to(&self, path: &str, body: &[u8], authorization: &str) -> (u16, Value) {
        let Self { issuer, .. } = self;
        if self.state.lock().unwrap().is_away {
            return (503, json!({}));
        }
        match path {
            "/.well-known/openid-configuration" => (
                200,
                json!({ "issuer": issuer, "authorization_endpoint": format!("{issuer}/sign-in?tenant=1"),
                    "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys") }),
            ),
            "/keys" => {
                let key = EncodingKey::from_rsa_pem(KEY).unwrap();
                let mut key = Jwk::from_encoding_key(&key, Algorithm::RS256).unwrap();
                key.common.key_id = Some(self.state.lock().unwrap().key.clone());
                (200, serde_json::to_value(JwkSet { keys: vec![key] }).unwrap())
            }
            "/token" => self.token(body, authorization),
            _ => (404, json!({})),
        }
    }

    fn token(&self, body: &[u8], authorization: &str) -> (u16, Value) {
        let form: HashMap<_, _> = form_urlencoded::parse(body).into_owned().collect();
        let refused = |why: &str| (400, json!({ "error": why }));
        let expected = STANDARD.encode("harness:a+secret%3A+with+a+colon");
        if authorization != format!("Basic {expected}") {
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
        (200, json!({ "access_token": "a", "token_type": "Bearer", "id_token": token }))
    }
}
