//! The machines of a storm: servers, workers and the database. Each is killed as a loss of power would end it, and started again.

use super::super::support::{postgres, program, sums};
use super::students::HandingIn;
use super::{Size, path_text, rules};
use server::database::{Address, Connection, Database, Result};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// How long anything may take to start or to end, and how long the queue may stay as it is.
const PATIENCE: Duration = Duration::from_mins(4);

pub(crate) struct Machines {
    pub(crate) urls: Vec<String>,
    address: Address,
    database: Database,
    runtime: Runtime,
    postgres: Option<postgres::Server>,
    processes: Vec<Process>,
    course: TempDir,
}

/// A process that is started again whenever it ended.
struct Process {
    is_server: bool,
    args: Vec<String>,
    child: Child,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Machines {
    pub(super) fn start(postgres: Option<postgres::Server>, size: Size) -> Self {
        let course = sums::course(&rules(size.until_midnight));
        let address = match &postgres {
            Some(server) => Address::Postgres(server.database("storm")),
            None => Address::Sqlite(course.path().join("serve.sqlite")),
        };
        let count = if postgres.is_some() { 2 } else { 1 };
        let runtime = Runtime::new().unwrap();
        let database = runtime.block_on(Database::open(&address)).unwrap();
        let (urls, processes) = (Vec::new(), Vec::new());
        let mut machines = Self { urls, address, database, runtime, postgres, processes, course };
        for number in 0..count {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let cache = machines.course.path().join(format!("cache-{number}"));
            let listens = format!("127.0.0.1:{port}");
            machines.add(true, &["--address", &listens]);
            machines.urls.push(format!("http://{listens}"));
            machines.wait("the server answers", |it| is_up(&it.urls[it.urls.len() - 1]));
            machines.add(false, &["worker", "--workers", "1", "--cache", path_text(&cache)]);
        }
        machines
    }

    fn add(&mut self, is_server: bool, args: &[&str]) {
        let database = match &self.address {
            Address::Sqlite(path) => path_text(path).to_owned(),
            Address::Postgres(url) => url.clone(),
        };
        let args = args.iter().copied().chain(["--database", &database]);
        let args: Vec<_> = args.map(str::to_owned).collect();
        let child = self.command(&args).spawn().unwrap();
        self.processes.push(Process { is_server, args, child });
    }

    fn command(&self, args: &[String]) -> Command {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let mut command = program::serve(self.course.path(), &args);
        command.env("RUST_LOG", "off").stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Kills something from time to time as long as students hand in. Gives how many servers, workers and databases were killed.
    pub(super) fn kill_at_random(&mut self, size: Size, students: &HandingIn) -> [usize; 3] {
        let mut random = fastrand::Rng::with_seed(size.seed);
        let pause = Duration::from_secs(size.seconds) / (size.kills as u32 + 1);
        let mut kills = [0; 3];
        for _ in 0..size.kills {
            sleep(pause.mul_f64(0.5 + random.f64() / 2.0));
            if students.are_done() {
                break;
            }
            let number =
                random.usize(..self.processes.len() + usize::from(self.postgres.is_some()));
            let away = Duration::from_millis(random.u64(50..600));
            if number == self.processes.len() {
                let postgres = self.postgres.as_ref().expect("it is one of the machines");
                postgres.kill();
                sleep(away);
                postgres.up();
                kills[2] += 1;
            } else {
                let process = &mut self.processes[number];
                let _ = process.child.kill();
                let _ = process.child.wait();
                kills[usize::from(!process.is_server)] += 1;
                sleep(away);
            }
            self.revive();
        }
        kills
    }

    /// Starts what ended, as systemd does.
    fn revive(&mut self) {
        for number in 0..self.processes.len() {
            if self.processes[number].child.try_wait().unwrap().is_some() {
                let args = self.processes[number].args.clone();
                self.processes[number].child = self.command(&args).spawn().unwrap();
            }
        }
    }

    /// Waits until all of them work, and nothing is left in the queue.
    pub(super) fn all_are_up(&mut self) {
        let mut open = self.read(server::queue::open);
        while open > 0 {
            self.wait("the queue gets shorter", |it| it.read(server::queue::open) < open);
            open = self.read(server::queue::open);
        }
        self.wait("all servers answer", |it| it.urls.iter().all(|url| is_up(url)));
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < PATIENCE, "after {PATIENCE:?}, it is not so that {what}");
            self.revive();
            sleep(Duration::from_millis(100));
        }
    }

    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.runtime.block_on(self.database.read(work)).unwrap()
    }

    pub(super) fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.runtime.block_on(self.database.write(work)).unwrap()
    }
}

fn is_up(url: &str) -> bool {
    ureq::get(format!("{url}/health")).call().is_ok()
}
