//! `serve.yaml`: what concerns this machine, and the [`Rules`] of the course, which all servers share.

mod sign_in;

pub use sign_in::{Oidc, SignIn};

use crate::database::Address;
use crate::log;
use crate::rules::mistakes::{told, wrong};
use crate::rules::{Rules, is_here};
use harness::course::yaml::Source;
use harness::diagnostic::{Failure, FailureKind, Problem};
use serde::{Deserialize, Deserializer};
use std::io::ErrorKind;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

/// The name of the file, beside the course file.
pub const FILE: &str = "serve.yaml";

/// What concerns this machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// `postgres://…`, or a file of SQLite. Relative paths are relative to the folder of `serve.yaml`.
    #[serde(deserialize_with = "database")]
    pub database: Option<String>,
    /// Where the server listens.
    #[serde(deserialize_with = "address")]
    pub address: SocketAddr,
    /// What browsers call the server, if a proxy stands before it: `https://autograder.example.edu`.
    #[serde(deserialize_with = "url")]
    pub url: Option<String>,
    /// Whether a proxy stands before the server, which names the address of each visitor last in `X-Forwarded-For`. Without one, anybody
    /// could name any address there.
    pub proxy: bool,
    /// Who besides this server says who somebody is.
    pub sign_in: SignIn,
    /// How many submissions are graded here at the same time. Without it, as many as there are cores but one.
    pub workers: Option<u16>,
    /// Where workers unpack and build courses.
    pub cache: Option<PathBuf>,
    /// Works of earlier terms, with which those of this one are compared: `TERM/ASSIGNMENT/WORK`.
    pub earlier_terms: Option<PathBuf>,
    /// How the log is written. Without it, as text on a terminal, and as JSON elsewhere.
    pub log: Option<log::Format>,
}

fn address<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(from)?;
    resolved(&text).map_err(|what| wrong(what, ADDRESS))
}

fn database<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    match text.as_deref().map(Address::new).map_or(Ok(()), |it| it.check()) {
        Ok(()) => Ok(text),
        Err(mistake) => Err(wrong(mistake.what, mistake.remedy)),
    }
}

fn url<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    match text.as_deref().map_or(Ok(()), check_url) {
        Ok(()) => Ok(text),
        Err((what, remedy)) => Err(wrong(what, remedy)),
    }
}

/// Only a session that came encrypted, or from the browser's own machine, is kept, and it is that of a whole host.
fn check_url(url: &str) -> Result<(), (String, &'static str)> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    if !matches!(scheme, "http" | "https") || rest.is_empty() {
        let what = format!("{url} is not what browsers call a server");
        return Err((what, "write it as https://autograder.example.edu"));
    }
    if rest.contains('/') {
        let remedy = "give the server a host of its own, and write it without a `/` at the end";
        return Err((format!("{url} has a path"), remedy));
    }
    if scheme == "http" && !is_here(rest) {
        let what = format!("{url} is not encrypted, so browsers would keep no session");
        return Err((what, "put a proxy with a certificate before the server: `url: https://…`"));
    }
    Ok(())
}

/// How an address is written.
pub const ADDRESS: &str = "write it as 127.0.0.1:8281";

/// The address that a text names, with a number or a name of this machine.
///
/// # Errors
/// With what is wrong.
pub fn resolved(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| format!("{text} is no address of this machine"))
}

impl Default for Machine {
    fn default() -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], 8281));
        Self {
            database: None,
            address,
            url: None,
            proxy: false,
            sign_in: SignIn::default(),
            workers: None,
            cache: None,
            earlier_terms: None,
            log: None,
        }
    }
}

/// All that `serve.yaml` says.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub machine: Machine,
    /// The text of the rules, as it goes into the database.
    pub text: String,
    pub rules: Rules,
}

impl Config {
    /// Reads the file. Without a file, everything is as usual.
    ///
    /// # Errors
    /// With the line of what is wrong, and what to do about it.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let broken = |problem| Failure::new(FailureKind::CourseFile, problem);
        let unread = |what| {
            let problem = Problem::new(format!("cannot read {}: {what}", path.display()));
            broken(problem.hint("make it a file of text that the server's user may read"))
        };
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(|error| unread(error.to_string()))?,
        };
        let text = String::from_utf8(bytes).map_err(|_| unread("it is not UTF-8".to_owned()))?;
        let source = Source::new(path, text);
        let machine: Machine = source.parse().map_err(|problem| broken(told(problem)))?;
        machine.sign_in.check(machine.proxy).map_err(broken)?;
        let rules = Rules::parse(&source).map_err(broken)?;
        Ok(Self { machine, text: source.text().to_owned(), rules })
    }
}
