//! What a database is called in `serve.yaml` and on the command line. The address of PostgreSQL may hold a password, so it is never
//! printed.

use super::encryption::Encryption;
use std::net::IpAddr;
use std::path::PathBuf;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// What a database is called in `serve.yaml` and on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A file.
    Sqlite(PathBuf),
    /// `postgres://…`
    Postgres(String),
}

/// What is wrong with an address, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub what: String,
    pub remedy: &'static str,
}

impl Mistake {
    pub(super) fn new(what: impl Into<String>, remedy: &'static str) -> Self {
        Self { what: what.into(), remedy }
    }
}

/// How an address is written.
const FORM: &str = "it is `postgres://USER:PASSWORD@HOST/NAME`, or a file of SQLite";

impl Address {
    pub fn new(text: &str) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Self::Postgres(text.to_owned())
        } else {
            Self::Sqlite(text.into())
        }
    }

    /// Whether it can be an address at all.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn check(&self) -> Result<(), Mistake> {
        match self {
            Self::Postgres(url) => parsed(url)?.1.connector().map(|_| ()),
            Self::Sqlite(path) => match path.to_string_lossy().split_once("://") {
                Some((before, _)) => {
                    let scheme = before.rsplit('/').next().unwrap_or_default();
                    let what =
                        format!("`database` begins with `{scheme}://`, which is no database");
                    Err(Mistake::new(what, FORM))
                }
                None => Ok(()),
            },
        }
    }

    /// Whether it is on another machine.
    pub fn is_away(&self) -> bool {
        let is_near = |host: &Host| match host {
            Host::Tcp(name) => {
                name == "localhost" || name.parse().is_ok_and(|it: IpAddr| it.is_loopback())
            }
            Host::Unix(_) => true,
        };
        self.postgres().is_some_and(|(config, _)| !config.get_hosts().iter().all(is_near))
    }

    pub fn encryption(&self) -> Encryption {
        self.postgres().map_or(Encryption::None, |(_, encryption)| encryption)
    }

    /// The hosts and ports, or the file.
    pub fn place(&self) -> String {
        let config = match self {
            Self::Sqlite(path) => return path.display().to_string(),
            Self::Postgres(_) => self.postgres().map(|(config, _)| config),
        };
        let Some(config) = config else { return "its address".to_owned() };
        let port = |at: usize| config.get_ports().get(at).or(config.get_ports().first()).copied();
        let places = config.get_hosts().iter().enumerate().map(|(at, host)| match host {
            Host::Tcp(name) => format!("{name}:{}", port(at).unwrap_or(5432)),
            Host::Unix(path) => path.display().to_string(),
        });
        places.collect::<Vec<_>>().join(", ")
    }

    fn postgres(&self) -> Option<(Config, Encryption)> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(url) => parsed(url).ok(),
        }
    }
}

/// What an address of PostgreSQL says. The client knows fewer values of `sslmode` than PostgreSQL itself, and no `sslrootcert`.
pub(super) fn parsed(url: &str) -> Result<(Config, Encryption), Mistake> {
    let (plain, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut authority, mut rest) = (None, None, Vec::new());
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value),
            Some(("sslrootcert", value)) => {
                let path = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
                authority = Some(PathBuf::from(path.into_owned()));
            }
            _ => rest.push(part),
        }
    }
    let encryption = Encryption::of(mode, authority)?;
    let config = format!("{plain}?{}", rest.join("&")).parse();
    // Its own text may quote a part of the password.
    let config = config.map_err(|_: tokio_postgres::Error| {
        Mistake::new("`database` is no address of PostgreSQL", FORM)
    })?;
    Ok((config, encryption))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encryption(query: &str) -> Result<Encryption, String> {
        let parsed = parsed(&format!("postgres://a:b@db.edu/c{query}"));
        parsed.map(|(_, encryption)| encryption).map_err(|mistake| mistake.what)
    }

    #[test]
    fn an_address_says_how_the_connection_is_encrypted() {
        assert_eq!(encryption(""), Ok(Encryption::None));
        assert_eq!(encryption("?sslmode=disable"), Ok(Encryption::None));
        assert_eq!(encryption("?sslmode=require&connect_timeout=3"), Ok(Encryption::Unverified));
        let verified = Encryption::Verified("/etc/a b.pem".into());
        assert_eq!(encryption("?sslmode=verify-full&sslrootcert=/etc/a%20b.pem"), Ok(verified));
        for wrong in ["?sslmode=prefer", "?sslmode=verify-full", "?sslrootcert=/a"] {
            assert!(encryption(wrong).unwrap_err().contains("ssl"), "{wrong}");
        }
        assert!(encryption("?sslmode=verify-full&sslrootcert=a.pem").is_err(), "no whole path");
        assert!(encryption("?port=x").is_err());
    }

    #[test]
    fn an_address_says_where_the_database_is_without_its_password() {
        let here = Address::new("postgres://a:secret@127.0.0.1:7/c");
        assert!(!here.is_away() && here.place() == "127.0.0.1:7");
        let away = Address::new("postgres://a:secret@db.edu/c?sslmode=require");
        assert!(away.is_away() && away.place() == "db.edu:5432");
    }
}
