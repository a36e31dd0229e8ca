//! `serve.yaml`: what concerns this machine, and the [`Rules`] of the course, which all servers share.

mod sign_in;

pub use sign_in::{Oidc, SignIn};

use crate::log;
use crate::rules::Rules;
use harness::course::yaml::Source;
use harness::diagnostic::{Failure, FailureKind, Problem};
use serde::{Deserialize, Deserializer, de};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

/// The name of the file, beside the course file.
pub const FILE: &str = "serve.yaml";

/// What concerns this machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// `postgres://…`, or a file of SQLite. Relative paths are relative to the folder of `serve.yaml`.
    pub database: Option<String>,
    /// Where the server listens.
    #[serde(deserialize_with = "address")]
    pub address: SocketAddr,
    /// What browsers call the server, if a proxy stands before it: `https://autograder.example.edu`.
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
    /// How the log is written. Without it, as text on a terminal, and as JSON elsewhere.
    pub log: Option<log::Format>,
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = |what| de::Error::custom(format!("{what}; write it as `127.0.0.1:8281`"));
    resolved(&text).map_err(wrong)
}

/// The address that a text names, with a number or a name of this machine.
///
/// # Errors
/// With what is wrong.
pub fn resolved(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| format!("{text} is no address of this machine"))
}

/// Whether a host, perhaps with a port, is the browser's own machine.
pub fn is_here(host: &str) -> bool {
    let names = ["127.0.0.1", "localhost", "[::1]"];
    names
        .iter()
        .any(|it| host.strip_prefix(it).is_some_and(|it| it.is_empty() || it.starts_with(':')))
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
    /// With the line of what is wrong.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let broken = |problem: Problem| Failure::new(FailureKind::CourseFile, problem);
        let source = Source::read(path).map_err(broken)?;
        let machine: Machine = source.parse().map_err(broken)?;
        machine.sign_in.check(machine.proxy).map_err(broken)?;
        let rules = Rules::parse(&source).map_err(broken)?;
        Ok(Self { machine, text: source.text().to_owned(), rules })
    }
}
