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
        let database = match (&options.database, &config.machine.database) {
            (Some(database), _) => Address::new(database),
            (None, Some(database)) => Address::new(database).below(beside),
            (None, None) => Address::Sqlite(folder.join("serve.sqlite")),
        };
        database
            .check()
            .map_err(|mistake| Failure::usage(Problem::new(mistake.what).hint(mistake.remedy)))?;
        let address = match &options.address {
            Some(text) => config::resolved(text)
                .map_err(|it| Failure::usage(Problem::new(it).hint(config::ADDRESS)))?,
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
        let hint = format!("{}; `harness serve doctor` says more", self.remedy(&fault));
        Failure::new(FailureKind::Machine, Problem::new(fault.to_string()).hint(hint))
    }

    /// What to do if the database cannot be reached.
    pub(super) fn remedy(&self, fault: &Fault) -> String {
        let place = match &self.database {
            Address::Sqlite(path) => {
                return format!("start it as the user who owns {} and its folder", path.display());
            }
            url @ Address::Postgres(_) => url.place(),
        };
        let text = fault.to_string();
        if text.contains("does not support TLS") {
            "let PostgreSQL encrypt: `ssl = on` in postgresql.conf".to_owned()
        } else if text.contains("certificate") {
            "name the file of the certificate's authority, `sslrootcert=`, and the host as the certificate does"
                .to_owned()
        } else {
            format!("look whether PostgreSQL runs at {place} and lets this machine in")
        }
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

impl Address {
    /// The same database, if its path is relative to `folder`.
    fn below(self, folder: &Path) -> Self {
        match self {
            Self::Sqlite(path) => Self::Sqlite(folder.join(path)),
            url @ Self::Postgres(_) => url,
        }
    }
}
