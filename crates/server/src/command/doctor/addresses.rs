//! Whether browsers reach the server, and keep its sessions.

use super::super::Settings;
use super::{doubtful, fine, missing};
use crate::authorities;
use crate::database::Encryption;
use crate::rules::is_here;
use harness::report::doctor::Finding;
use std::time::Duration;

pub(super) fn findings(settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![url(settings)];
    findings.extend(beyond(settings));
    findings.extend(settings.config.machine.url.as_deref().map(reached));
    findings.extend(unknown_proxy(settings));
    findings.extend(encryption(settings));
    findings
}

/// Browsers keep the cookie of a session only if the page came encrypted, or from their own machine.
fn url(settings: &Settings) -> Finding {
    const WHAT: &str = "url";
    let url = settings.url();
    let (scheme, rest) = url.split_once("://").unwrap_or(("", &url));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_here = is_here(host);
    if !path.is_empty() {
        let remedy = "give the server a host of its own: its cookie is for all of a host";
        return missing(WHAT, format!("{url} has a path"), remedy);
    }
    match scheme {
        "https" => fine(WHAT, url),
        "http" if is_here => fine(WHAT, format!("{url}, for browsers on this machine")),
        _ => missing(
            WHAT,
            format!("{url} is not encrypted: nobody can sign in, because browsers keep no session"),
            "put a proxy with a certificate before the server, and name it: `url: https://…`",
        ),
    }
}

/// Behind a proxy, nobody else should reach the server.
fn beyond(settings: &Settings) -> Option<Finding> {
    let address = settings.address;
    let is_behind = settings.config.machine.url.as_ref().is_some_and(|it| it.starts_with("https"));
    (is_behind && !address.ip().is_loopback()).then(|| {
        let found =
            format!("the server listens on {address}, also for those who pass the proxy by");
        let remedy = "say `address: 127.0.0.1:8281`, or let the firewall admit only the proxy";
        doubtful("address", found, remedy)
    })
}

/// Without the addresses that the proxy names, all visitors are one.
fn unknown_proxy(settings: &Settings) -> Option<Finding> {
    let machine = &settings.config.machine;
    let is_behind = machine.url.as_ref().is_some_and(|it| it.starts_with("https"));
    (is_behind && !machine.proxy).then(|| {
        let found = "all visitors seem to come from the proxy";
        let remedy = "say `proxy: true`, if the proxy adds their addresses to X-Forwarded-For";
        doubtful("addresses of visitors", found, remedy)
    })
}

/// Asks the proxy for the server's health.
fn reached(url: &str) -> Finding {
    const WHAT: &str = "proxy";
    let health = format!("{}/health", url.trim_end_matches('/'));
    let tls = match authorities::tls() {
        Ok(tls) => tls,
        Err(problem) => return missing(WHAT, problem.message, problem.hint.unwrap_or_default()),
    };
    let agent = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(5)));
    let answer = ureq::Agent::from(agent.tls_config(tls).build()).get(&health).call();
    let body = answer.map_err(|error| error.to_string());
    let body = body.and_then(|mut it| it.body_mut().read_to_string().map_err(|e| e.to_string()));
    match body {
        Ok(body) if body.contains("\"status\":\"ok\"") => fine(WHAT, format!("{health} answers")),
        Ok(_) => {
            let remedy = "lead all of the host to the server, with the headers as they come";
            missing(WHAT, format!("{health} is answered by something else"), remedy)
        }
        Err(error) => {
            let remedy = "start the server, and look at the proxy's log";
            doubtful(WHAT, format!("{health} is not reached from here: {error}"), remedy)
        }
    }
}

/// What students hand in goes over the connection to PostgreSQL.
fn encryption(settings: &Settings) -> Option<Finding> {
    const WHAT: &str = "database connection";
    let remedy = "end the address with `?sslmode=verify-full&sslrootcert=FILE`, or use a tunnel such as WireGuard";
    let away = settings.database.is_away();
    match settings.database.encryption() {
        Encryption::Verified(file) => Some(fine(
            WHAT,
            format!("it is encrypted, and the database has a certificate of {}", file.display()),
        )),
        Encryption::Unverified if away => {
            let found =
                "it is encrypted, but nobody checks that the database is the one that answers";
            Some(doubtful(WHAT, found, remedy))
        }
        Encryption::None if away => {
            let found =
                "PostgreSQL is on another machine, and the connection to it is not encrypted";
            Some(doubtful(WHAT, found, remedy))
        }
        _ => None,
    }
}
