//! A server as a process of its own.

use crate::program::{self, Running};
use crate::sums;
use server::database::{Address, Connection, Database, Result};
use server::people::session;
use server::tokens;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;

pub(crate) struct Served {
    pub(crate) url: String,
    pub(crate) course: PathBuf,
    runtime: Runtime,
    database: Database,
    args: Vec<String>,
    child: Option<Running>,
    folder: TempDir,
}

impl Served {
    /// Serves the course of sums on PostgreSQL or, without an address, on SQLite.
    pub(crate) fn start(postgres: Option<String>, rules: &str, workers: usize) -> Self {
        let folder = sums::course(rules);
        let course = folder.path().to_owned();
        Self::of_course(postgres, course, folder, workers)
    }

    /// Serves a course.
    pub(crate) fn of_course(
        postgres: Option<String>,
        course: PathBuf,
        folder: TempDir,
        workers: usize,
    ) -> Self {
        let file = folder.path().join("bench.sqlite");
        let name = postgres.unwrap_or_else(|| file.display().to_string());
        let runtime = Runtime::new().unwrap();
        let database = runtime.block_on(Database::open(&Address::new(&name))).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        let (url, workers) = (format!("http://{address}"), workers.to_string());
        let args = ["--workers", &workers, "--address", &address, "--database", &name];
        let args = args.map(str::to_owned).to_vec();
        let mut served = Self { url, course, runtime, database, args, child: None, folder };
        served.again();
        served
    }

    /// Starts the server again, and gives the time to its first answer.
    pub(crate) fn again(&mut self) -> Duration {
        self.child = None;
        let args: Vec<_> = self.args.iter().map(String::as_str).collect();
        let mut command = program::serve(&self.course, &args);
        // The course may be that of this repository, where nothing should be left.
        command.env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let began = Instant::now();
        self.child = Some(Running(command.spawn().unwrap()));
        while ureq::get(format!("{}/health", self.url)).call().is_err() {
            assert!(began.elapsed() < Duration::from_mins(5), "it does not start");
            sleep(Duration::from_millis(2));
        }
        began.elapsed()
    }

    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.runtime.block_on(self.database.write(work)).unwrap()
    }

    /// Does what PostgreSQL does by itself within a minute. SQLite never does it.
    pub(crate) fn analyze(&self) {
        if !self.database.is_sqlite() {
            self.write(|connection| connection.execute("analyze", &[]));
        }
    }

    /// A person with a role, or the one who is there already.
    pub(crate) fn person(&self, login: &str, role: &str) -> i64 {
        let (login, role) = (login.to_owned(), role.to_owned());
        self.write(move |connection| {
            let sql = "insert into person (login, name, role, created) values ($1, $1, $2, 0) on conflict do nothing";
            connection.execute(sql, &[(&login).into(), (&role).into()])?;
            let sql = "select id from person where login = $1";
            Ok(connection.query(sql, &[(&login).into()])?[0].int(0))
        })
    }

    /// Students, each with a token.
    pub(crate) fn tokens(&self, count: usize) -> Vec<String> {
        let one = |number: usize| {
            let person = self.person(&format!("student-{number}"), "student");
            self.write(move |connection| tokens::make(connection, person, "bench"))
        };
        (1..=count).map(one).collect()
    }

    /// The secret of a new session.
    pub(crate) fn session(&self, login: &str) -> String {
        let person = self.person(login, "student");
        self.write(move |connection| session::begin(connection, person))
    }

    /// The status of a page, and how long it took in milliseconds.
    pub(crate) fn page(&self, path: &str, session: &str) -> (u16, f64) {
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let agent: ureq::Agent = config.build().into();
        let began = Instant::now();
        let request = agent.get(format!("{}{path}", self.url));
        let request = request.header("cookie", format!("{}={session}", session::COOKIE));
        let Ok(mut answer) = request.call() else { return (0, 0.0) };
        let _ = answer.body_mut().with_config().limit(1 << 30).read_to_vec();
        (answer.status().as_u16(), began.elapsed().as_secs_f64() * 1e3)
    }

    /// The memory of the server: what it holds now, and the most that it held. Megabytes.
    pub(crate) fn memory(&self) -> [f64; 2] {
        let child = self.child.as_ref().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.0.id())).unwrap();
        ["VmRSS:", "VmHWM:"].map(|name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
        })
    }
}
