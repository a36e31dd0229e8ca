//! What a hostile student tries over the web, and in the program that is graded.

mod archives;
mod bombs;
mod crowds;
mod days;
mod forms;
mod graded;
mod groups;
mod others;
mod races;

use super::support::handing_in::FORM;
use super::support::site::{Answer, Browser, Site};
use server::people::session;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection that nobody has used yet.
fn connect(site: &Site) -> TcpStream {
    let stream = TcpStream::connect(site.url.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// The lines of a request that name its session.
fn head(browser: &Browser, method: &str, path: &str) -> String {
    let secret = browser.session.clone().unwrap_or_default();
    let form = session::form_token(&secret);
    format!(
        "{method} {path}?form={form} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncookie: {}={secret}\r\n",
        session::COOKIE
    )
}

/// Sends a body of any kind, and gives the answer as it is on the wire.
fn post(site: &Site, browser: &Browser, path: &str, kind: &str, body: &[u8]) -> String {
    let mut stream = connect(site);
    let head = head(browser, "POST", path);
    let head = format!("{head}content-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    // The server may answer and close before all is sent.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends a body as a form with files.
fn post_form(site: &Site, browser: &Browser, path: &str, body: &[u8]) -> String {
    post(site, browser, path, FORM, body)
}

/// The status of an answer as it is on the wire.
#[track_caller]
fn status(answer: &str) -> u16 {
    let status = answer.get(9..12).and_then(|it| it.parse().ok());
    status.unwrap_or_else(|| panic!("no answer: {answer:?}"))
}

/// Checks that a page says why something is refused.
#[track_caller]
fn is_refused(what: &str, answer: &Answer) {
    assert!(matches!(answer.status, 413 | 422), "{what}: {} {}", answer.status, answer.body);
    assert!(answer.body.contains("<h1") || answer.body.contains("\"error\""), "{what}");
}

/// Checks that nothing that was tried costs or keeps anything.
#[track_caller]
fn costs_nothing(site: &Site) {
    assert_eq!(site.number("select count(*) from submission"), 0);
    assert_eq!(site.number("select count(*) from archive"), 0);
    assert_eq!(site.number("select count(*) from job"), 0);
}
