//! HTTP as the other parties of the tests speak it: providers, platforms and their gradebooks. They are not the server, so they share
//! nothing with it.

use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

/// A key that signs nothing but the tokens of these tests.
pub(crate) const KEY: &[u8] = include_bytes!("provider.pem");

pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, with its query.
    pub(crate) target: String,
    /// By their names in lower case.
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
    /// Which connection it came on.
    pub(crate) from: SocketAddr,
}

impl Request {
    /// The next one of a connection. None at its end.
    fn read(reader: &mut BufReader<TcpStream>) -> Option<Self> {
        let (mut first, mut headers) = (String::new(), HashMap::new());
        if reader.read_line(&mut first).ok()? == 0 {
            return None;
        }
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim().split_once(": ") else { break };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let length = headers.get("content-length").map_or(0, |it| it.parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let from = reader.get_ref().peer_addr().ok()?;
        let mut words = first.split(' ').map(str::to_owned);
        Some(Self { method: words.next()?, target: words.next()?, headers, body, from })
    }

    /// The fields of the form that it sends.
    pub(crate) fn form(&self) -> HashMap<String, String> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }

    /// A header, or nothing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

pub(crate) struct Answer {
    status: u16,
    /// Lines of the head.
    more: String,
    body: Value,
}

impl Answer {
    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self { status, more: String::new(), body }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.more.extend([name, ": ", value, "\r\n"]);
        self
    }

    fn text(&self) -> String {
        let Self { status, more, body } = self;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{more}content-length: {}\r\n\r\n{body}",
            body.len()
        )
    }
}

/// Serves on this machine what `make` makes of its address, each connection in a thread, which ends where there is no answer.
pub(crate) fn serve<T: Clone + Send + 'static>(
    make: impl FnOnce(String) -> T,
    answer: fn(&T, &Request) -> Option<Answer>,
) -> T {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let served = make(format!("http://{}", listener.local_addr().unwrap()));
    let this = served.clone();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let this = this.clone();
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while let Some(request) = Request::read(&mut reader) {
                    let Some(answer) = answer(&this, &request) else { return };
                    if stream.write_all(answer.text().as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    served
}

/// A token with these claims, signed with the key, which has this name.
pub(crate) fn signed(claims: &Value, name: String) -> String {
    let header = Header { kid: Some(name), ..Header::new(Algorithm::RS256) };
    encode(&header, claims, &EncodingKey::from_rsa_pem(KEY).unwrap()).unwrap()
}

/// The public part of the key, under this name.
pub(crate) fn published(name: String) -> Answer {
    let key = EncodingKey::from_rsa_pem(KEY).unwrap();
    let mut key = Jwk::from_encoding_key(&key, Algorithm::RS256).unwrap();
    key.common.key_id = Some(name);
    Answer::new(200, serde_json::to_value(JwkSet { keys: vec![key] }).unwrap())
}
