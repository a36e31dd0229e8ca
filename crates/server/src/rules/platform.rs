//! `platforms:` of `serve.yaml`: the learning platforms from which people come. Pure.

use harness::diagnostic::Problem;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The platforms by the names that the course gives them.
pub type Platforms = BTreeMap<String, Platform>;

/// A learning platform, as it describes itself to a tool of LTI 1.3.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// What people call it. Without it, its name in the settings.
    pub title: Option<String>,
    /// Its address, as it writes it in its tokens.
    pub issuer: String,
    /// The name that it gave this server.
    pub client: String,
    /// The places on it where this server was added.
    pub deployments: Vec<String>,
    /// Where it is asked who somebody is.
    pub login: String,
    /// Where it gives tokens for its services.
    pub token: String,
    /// Where it publishes its keys.
    pub keys: String,
    /// To whom requests for tokens are addressed. Without it, to the address in `token`.
    pub audience: Option<String>,
    /// Which of its words for a person is the login.
    #[serde(default)]
    pub claim: Claim,
    /// What is cut from the end of the claim: with `example.edu`, `ann@example.edu` is `ann`, and people of other domains are nobody.
    pub domain: Option<String>,
}

/// Which of a platform's words for a person is the login. None of them is one that people, or who makes a link, choose freely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    #[default]
    Email,
    /// The number or name that the university's records have.
    Sourcedid,
    /// The name with which Moodle knows somebody.
    Username,
}

impl Platform {
    /// To whom requests for tokens are addressed.
    pub fn audience(&self) -> &str {
        self.audience.as_deref().unwrap_or(&self.token)
    }
}

/// # Errors
/// If a platform is not described whole, or two cannot be told from each other.
pub(super) fn check(platforms: &Platforms) -> Result<(), Problem> {
    let mut known = BTreeSet::new();
    for (name, it) in platforms {
        let addresses = [
            ("issuer", &it.issuer),
            ("login", &it.login),
            ("token", &it.token),
            ("keys", &it.keys),
        ];
        for (what, address) in addresses {
            if !is_safe(address) {
                let message = format!("the `{what}` {address} of `{name}` is not encrypted");
                return Err(Problem::new(message).hint("write it as https://…"));
            }
        }
        if it.deployments.is_empty() {
            let problem = Problem::new(format!("the platform `{name}` has no `deployments`"));
            return Err(problem.hint("the platform shows the id of each place where it was added"));
        }
        if !known.insert((&it.issuer, &it.client)) {
            let problem = Problem::new(format!("the platform `{name}` is there twice"));
            return Err(problem.hint("write all `deployments` of a `client` in one list"));
        }
    }
    Ok(())
}

/// Whether what is sent to an address is encrypted, or stays on this machine.
pub fn is_safe(address: &str) -> bool {
    let host = address.strip_prefix("http://").map(|it| it.split('/').next().unwrap_or(it));
    address.starts_with("https://") || host.is_some_and(is_here)
}

/// Whether a host, perhaps with a port, is the browser's own machine.
pub fn is_here(host: &str) -> bool {
    let names = ["127.0.0.1", "localhost", "[::1]"];
    names
        .iter()
        .any(|it| host.strip_prefix(it).is_some_and(|it| it.is_empty() || it.starts_with(':')))
}
