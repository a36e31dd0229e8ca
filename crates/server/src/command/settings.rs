//! What the command line and `serve.yaml` say together.

use crate::app::SignIn;
use crate::config::{self, Config};
use crate::database::{Address, Database, Fault};
use crate::sso::Provider;
use harness::cli::serve::Serve;
use harness::diagnostic::{Failure, FailureKind, Problem};
use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// What the command line and `serve.yaml` say together.
pub(super) struct Settings {
    /// The course file, or its folder.
    pub(super) course: PathBuf,
    /// `serve.yaml`, which may not be there.
    pub(super) file: PathBuf,
    pub(super) config: Config,
    pub(super) database: Address,
    pub(super) address: SocketAddr,
    /// How many submissions are graded here at the same time.
    pub(super) workers: usize,
    /// Where courses are unpacked.
    pub(super) cache: PathBuf,
}

impl Settings {
    pub(super) fn read(options: &Serve) -> Result<Self, Failure> {
        let folder = if options.course.is_dir() {
            options.course.clone()
        } else {
            options.course.parent().map(Path::to_owned).unwrap_or_default()
        };
        let file = options.config.clone().unwrap_or_else(|| folder.join(config::FILE));
        if options.config.is_some() && !file.exists() {
            let problem = Problem::new(format!("there is no {}", file.display()));
            return Err(Failure::usage(problem.hint("name the file that --config should read")));
        }
        let config = Config::read(&file)?;
        let beside = file.parent().unwrap_or(Path::new("."));
        if let Some(url) = &config.machine.url {
            check_url(url, &file)?;
        }
        let database = match (&options.database, &config.machine.database) {
            (Some(database), _) => Address::new(database),
            (None, Some(database)) => Address::new(database).below(beside),
            (None, None) => Address::Sqlite(folder.join("serve.sqlite")),
        };
        if let Address::Sqlite(path) = &database {
            check_kind(path)?;
        }
        let address = match &options.address {
            Some(text) => config::resolved(text).map_err(|it| {
                Failure::usage(Problem::new(it).hint("write it as 127.0.0.1:8281"))
            })?,
            None => config.machine.address,
        };
        let workers =
            options.workers.or(config.machine.workers).map_or_else(usual_workers, usize::from);
        let cache = config.machine.cache.as_ref().map(|cache| beside.join(cache));
        let cache = cache.unwrap_or_else(usual_cache);
        Ok(Self { course: options.course.clone(), file, config, database, address, workers, cache })
    }

    /// What browsers call the server.
    pub(super) fn url(&self) -> String {
        self.config.machine.url.clone().unwrap_or_else(|| format!("http://{}", self.address))
    }

    /// Who besides this server says who somebody is, with the secret of its file.
    pub(super) fn sign_in(&self) -> Result<SignIn, Failure> {
        let config::SignIn { oidc, header } = self.config.machine.sign_in.clone();
        let provider = oidc.map(|oidc| self.provider(oidc)).transpose()?;
        Ok(SignIn { provider, header })
    }

    fn provider(&self, oidc: config::Oidc) -> Result<Provider, Failure> {
        let file = self.file.parent().unwrap_or(Path::new(".")).join(&oidc.secret_file);
        let secret = std::fs::read_to_string(&file).map_err(|error| {
            let problem = Problem::new(format!("cannot read {}: {error}", file.display()));
            let hint =
                "write the secret that the provider gave you into this file, for its owner only";
            Failure::new(FailureKind::CourseFile, problem.hint(hint))
        })?;
        Ok(Provider::new(oidc, secret.trim().to_owned(), self.url().trim_end_matches('/')))
    }

    pub(super) async fn open(&self) -> Result<Database, Failure> {
        Database::open(&self.database).await.map_err(|fault| self.not_opened(fault))
    }

    /// The failure if the database does not open, with where it is, and without its password.
    fn not_opened(&self, fault: Fault) -> Failure {
        if !matches!(fault, Fault::Gone(_)) {
            return super::of_database(fault);
        }
        let hint = match &self.database {
            Address::Sqlite(path) => {
                format!("start it as the user who owns {} and its folder", path.display())
            }
            Address::Postgres(url) => {
                format!("look whether PostgreSQL runs at {} and lets this machine in", place(url))
            }
        };
        let hint = format!("{hint}; `harness serve doctor` says more");
        Failure::new(FailureKind::Machine, Problem::new(fault.to_string()).hint(hint))
    }
}

/// One core stays free, so that the web and the database do not disturb the runs that are timed.
fn usual_workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1)
}

/// Where courses are unpacked if `serve.yaml` does not say.
pub(super) fn usual_cache() -> PathBuf {
    let folder = |name: &str| env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    cache.unwrap_or_else(env::temp_dir).join("harness/courses")
}

/// Only a session that came encrypted, or from the browser's own machine, is kept, and it is that of a whole host.
fn check_url(url: &str, file: &Path) -> Result<(), Failure> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let wrong = |what: String, remedy: &str| {
        let message = format!("`url` in {}: {what}", file.display());
        Err(Failure::new(FailureKind::CourseFile, Problem::new(message).hint(remedy)))
    };
    if !matches!(scheme, "http" | "https") || rest.is_empty() {
        let what = format!("{url} is not what browsers call a server");
        return wrong(what, "write it as https://autograder.example.edu");
    }
    if rest.contains('/') {
        let remedy = "give the server a host of its own, and write it without a `/` at the end";
        return wrong(format!("{url} has a path"), remedy);
    }
    if scheme == "http" && !config::is_here(rest) {
        let what = format!("{url} is not encrypted, so browsers would keep no session");
        return wrong(what, "put a proxy with a certificate before the server: `url: https://…`");
    }
    Ok(())
}

/// The hosts and ports in an address of PostgreSQL.
fn place(url: &str) -> String {
    let config: Option<tokio_postgres::Config> = url.parse().ok();
    let Some(config) = config else { return "its address".to_owned() };
    let port = |at: usize| config.get_ports().get(at).or(config.get_ports().first()).copied();
    let places = config.get_hosts().iter().enumerate().map(|(at, host)| match host {
        tokio_postgres::config::Host::Tcp(name) => format!("{name}:{}", port(at).unwrap_or(5432)),
        tokio_postgres::config::Host::Unix(path) => path.display().to_string(),
    });
    places.collect::<Vec<_>>().join(", ")
}

/// Refuses what looks like the address of another kind of database. It may hold a password, so it is not printed.
fn check_kind(path: &Path) -> Result<(), Failure> {
    let text = path.to_string_lossy();
    let Some((before, _)) = text.split_once("://") else { return Ok(()) };
    let scheme = before.rsplit('/').next().unwrap_or_default();
    let problem =
        Problem::new(format!("`database` begins with `{scheme}://`, which is no database"));
    Err(Failure::usage(
        problem.hint("it is `postgres://USER:PASSWORD@HOST/NAME`, or a file of SQLite"),
    ))
}

impl Address {
    /// The same database, if its path is relative to `folder`.
    fn below(self, folder: &Path) -> Self {
        match self {
            Self::Sqlite(path) => Self::Sqlite(folder.join(path)),
            url @ Self::Postgres(_) => url,
        }
    }
}
