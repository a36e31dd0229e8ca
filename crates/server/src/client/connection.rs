//! The connection to a server. It sends the token to nobody else, and not where others can read it. A request without an answer is sent
//! again: with the same key, what it asks for happens once.

use super::Picked;
use crate::authorities::{self, AUTHORITIES};
use crate::secret;
use harness::diagnostic::{Failure, FailureKind, Problem};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;
use ureq::Agent;
use ureq::http::StatusCode;

/// How often a request is sent.
const ATTEMPTS: u32 = 8;

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// How long one attempt may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// The longest answer.
const MOST_BYTES: u64 = 64 << 20;

/// A server, and the token for it.
pub(crate) struct Server {
    /// Without a `/` at the end.
    url: String,
    token: String,
    agent: Agent,
    first_pause: Duration,
}

/// What a server answers.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Server {
    /// # Errors
    /// If the token would be sent where others can read it.
    pub(crate) fn new(url: &str, token: String) -> Result<Self, Failure> {
        let url = url.trim().trim_end_matches('/').to_owned();
        check_address(&url)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirection would take the token elsewhere.
            .max_redirects(0)
            .tls_config(authorities::tls().map_err(Failure::usage)?)
            .timeout_global(Some(PATIENCE));
        let first_pause = Duration::from_millis(500);
        Ok(Self { url, token, agent: config.build().into(), first_pause })
    }

    /// The address of a page.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Reads something.
    ///
    /// # Errors
    /// If the server cannot be reached for long, or refuses.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let answer = self.patiently(|| {
            let request = self.agent.get(self.page(path));
            request
                .header("accept", "application/json")
                .header("authorization", self.bearer())
                .call()
        })?;
        if !answer.status.is_success() {
            return Err(answer.failure());
        }
        serde_json::from_value(answer.body).map_err(|_| self.nonsense())
    }

    /// Sends files with a key.
    ///
    /// # Errors
    /// If the server cannot be reached for long.
    pub(crate) fn send(&self, path: &str, key: &str, files: &[Picked]) -> Result<Answer, Failure> {
        let boundary = format!("harness-{}", secret::random());
        let body = multipart(&boundary, key, files);
        let kind = format!("multipart/form-data; boundary={boundary}");
        self.patiently(|| {
            let request = self.agent.post(self.page(path)).header("accept", "application/json");
            let request = request.header("authorization", self.bearer());
            request.header("content-type", &kind).send(&body[..])
        })
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Sends a request again as long as there is no answer, or the server asks for patience.
    fn patiently(
        &self,
        send: impl Fn() -> Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Answer, Failure> {
        let mut pause = self.first_pause;
        let mut last = String::new();
        for attempt in 1..=ATTEMPTS {
            match send().and_then(read) {
                Ok((status, text)) if !is_passing(status) => {
                    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
                    return Ok(Answer { status, body });
                }
                Ok((status, _)) => last = format!("it answers {status}"),
                Err(ureq::Error::BadUri(why)) => {
                    let problem = Problem::new(format!("{} is no address: {why}", self.url));
                    return Err(Failure::usage(
                        problem.hint("it is such as https://grade.example.edu"),
                    ));
                }
                Err(error) if is_of_certificate(&error) => return Err(self.distrusted(&error)),
                Err(error) => last = error.to_string(),
            }
            if attempt < ATTEMPTS {
                std::thread::sleep(pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
        let problem = Problem::new(format!("{} does not answer: {last}", self.url));
        let hint = "check the address and the network, and try again: what arrived counts once";
        Err(Failure::new(FailureKind::Machine, problem.hint(hint)))
    }

    /// Whoever answers may not be the server. It gets no token, however often it is asked.
    fn distrusted(&self, error: &ureq::Error) -> Failure {
        let problem = Problem::new(format!("{} cannot prove who it is: {error}", self.url));
        let hint = format!(
            "check the address; if your course has its own authority, name the file of its certificate in {AUTHORITIES}"
        );
        Failure::usage(problem.hint(hint))
    }

    fn nonsense(&self) -> Failure {
        let problem = Problem::new(format!("{} is no server of harness", self.url));
        Failure::usage(problem.hint("name the address that your browser shows"))
    }
}

/// Whether the certificate of whoever answered is not that of the server.
fn is_of_certificate(error: &ureq::Error) -> bool {
    let error = match error {
        ureq::Error::Rustls(error) => Some(error),
        ureq::Error::Io(error) => error.get_ref().and_then(|it| it.downcast_ref()),
        _ => None,
    };
    matches!(error, Some(rustls::Error::InvalidCertificate(_)))
}

/// Whether the same request may succeed later.
fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503 | 504)
}

fn read(
    mut response: ureq::http::Response<ureq::Body>,
) -> Result<(StatusCode, String), ureq::Error> {
    let text = response.body_mut().with_config().limit(MOST_BYTES).read_to_string()?;
    Ok((response.status(), text))
}

impl Answer {
    /// The failure that the server tells.
    pub(crate) fn failure(&self) -> Failure {
        let text = |key: &str| self.body[key].as_str().map(harness::diagnostic::printable);
        let problem = match (self.status.as_u16(), text("error")) {
            (401, _) => Problem::new("the server does not know this token")
                .hint("make a new one on the page of your account"),
            (300..=399, _) => Problem::new("the server is at another address")
                .hint("name the address that your browser shows"),
            (404, _) => Problem::new("the server has no such assignment, or it is not open")
                .hint("the first page of the server lists them"),
            (_, Some(error)) => Problem::new(error).maybe_hint(text("hint")),
            (status, None) => Problem::new(format!("the server answers with the status {status}"))
                .hint("name the address that your browser shows"),
        };
        let is_machine = self.status.is_server_error();
        let kind = if is_machine { FailureKind::Machine } else { FailureKind::Request };
        Failure::new(kind, problem)
    }
}

/// The body of a form with files.
fn multipart(boundary: &str, key: &str, files: &[Picked]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut part = |head: &str, bytes: &[u8]| {
        body.extend_from_slice(format!("--{boundary}\r\n{head}\r\n\r\n").as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    };
    part("Content-Disposition: form-data; name=\"request\"", key.as_bytes());
    for file in files {
        // As browsers do it.
        let name = file.name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let head = format!(
            "Content-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream"
        );
        part(&head, &file.bytes);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    body
}

/// Refuses an address to which a token would go where others can read it.
fn check_address(url: &str) -> Result<(), Failure> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_here = name == "localhost"
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    match scheme {
        "https" => Ok(()),
        "http" if is_here => Ok(()),
        "http" => {
            let problem =
                Problem::new(format!("{url} is not encrypted, so others could read the token"));
            Err(Failure::usage(problem.hint("name the address with https://")))
        }
        _ => {
            let problem = Problem::new(format!("{url} is no address of a server"));
            Err(Failure::usage(problem.hint("it is such as https://grade.example.edu")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_only_where_nobody_else_reads_it() {
        for url in
            ["https://a.edu", "http://127.0.0.1:8281", "http://[::1]:1/x", "http://localhost"]
        {
            assert!(check_address(url).is_ok(), "{url}");
        }
        for url in [
            "http://a.edu",
            "http://127.0.0.1.a.edu",
            "http://127.0.0.1@a.edu",
            "http://localhost.a.edu:80",
            "a.edu",
            "ftp://a.edu",
        ] {
            assert!(check_address(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_name_cannot_end_its_part() {
        let file = Picked { name: "a\"\r\nb".to_owned(), bytes: b"1".to_vec() };
        let body = String::from_utf8(multipart("x", "k", &[file])).unwrap();
        assert!(body.contains("filename=\"a%22%0D%0Ab\"\r\n"), "{body}");
    }
}
