//! A PostgreSQL of the tests' own: in a temporary folder, on a free port, and ended with the tests.

use server::database::{Address, Database};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};
use tokio::runtime::Runtime;

/// Processes end in tests, and the machine does not, so the disk may have what was written later. Nothing lives so long that it has to be
/// vacuumed.
const UNHURRIED: &str = "-c fsync=off -c full_page_writes=off -c autovacuum=off";

/// A server of PostgreSQL.
pub(crate) struct Server {
    programs: PathBuf,
    folder: PathBuf,
    pub(crate) port: u16,
}

/// The address of a new, empty database on the one server that all tests share. None if PostgreSQL is not installed.
pub(crate) fn fresh() -> Option<String> {
    let server = shared()?;
    Some(server.database(&next()))
}

/// The same with the tables of this version. They are made once and copied, which is faster.
pub(crate) fn with_tables() -> Option<String> {
    static MADE: Once = Once::new();
    let server = shared()?;
    MADE.call_once(|| {
        let address = Address::Postgres(server.database(TEMPLATE));
        let opened = Runtime::new().unwrap().block_on(Database::open(&address));
        if let Err(fault) = opened {
            panic!("{fault}");
        }
    });
    Some(server.copy_of(TEMPLATE, &next()))
}

/// The database that others are copied from.
const TEMPLATE: &str = "with_tables";

fn shared() -> Option<&'static Server> {
    static SHARED: OnceLock<Option<Server>> = OnceLock::new();
    SHARED.get_or_init(|| Server::start().inspect(end_at_exit)).as_ref()
}

/// The name of the next database.
fn next() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Ends the shared server when the tests end, in whatever way: it is told by a process that waits for this one.
fn end_at_exit(server: &Server) {
    let script = "while kill -0 \"$1\" 2>/dev/null; do sleep 0.2; done
        kill -INT \"$(head -n 1 \"$2/postmaster.pid\")\"; sleep 1; rm -rf \"$2\"";
    let mut watch = Command::new("sh");
    watch.args(["-c", script, "sh", &std::process::id().to_string()]).arg(&server.folder);
    watch.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[expect(
        clippy::zombie_processes,
        reason = "it waits for this process, and not the other way"
    )]
    watch.spawn().unwrap();
}

impl Server {
    /// Starts a server. None if PostgreSQL is not installed, unless `CI` is set: then the test fails.
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// The same. With a certificate and its key, it encrypts connections that ask for it.
    pub(crate) fn start_with(certificate: Option<[&Path; 2]>) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL is not installed");
            eprintln!("skipped on PostgreSQL, which is not installed");
            return None;
        };
        let mut folder = tempfile::Builder::new();
        let folder = folder.prefix("harness-postgres-").tempdir_in(place()).unwrap().keep();
        let server = Self { programs, folder, port: free_port() };
        if let Some(user) = other_user() {
            chown(&server.folder, Some(user), Some(user)).unwrap();
        }
        let data = server.folder.to_str().unwrap();
        let done = server.run("initdb", &["-D", data, "-U", "harness", "-A", "trust", "--no-sync"]);
        assert!(done, "initdb failed in {data}");
        if let Some(certificate) = certificate {
            server.encrypt(certificate);
        }
        server.up();
        Some(server)
    }

    fn encrypt(&self, certificate: [&Path; 2]) {
        for (from, name) in certificate.into_iter().zip(["server.crt", "server.key"]) {
            let to = self.folder.join(name);
            fs::copy(from, &to).unwrap();
            chown(to, other_user(), other_user()).unwrap();
        }
        let settings = self.folder.join("postgresql.conf");
        let text = fs::read_to_string(&settings).unwrap();
        fs::write(settings, text + "ssl = on\n").unwrap();
    }

    /// Starts it again after it was ended.
    pub(crate) fn up(&self) {
        let data = self.folder.to_str().unwrap();
        let log = self.folder.join("log");
        let options = format!(
            "-p {} -k {data} -c listen_addresses=127.0.0.1 -c max_connections=200 -c shared_buffers=32MB {UNHURRIED}",
            self.port
        );
        let log = log.to_str().unwrap();
        let done =
            self.run("pg_ctl", &["-D", data, "-w", "-t", "60", "-l", log, "-o", &options, "start"]);
        assert!(done, "{}", fs::read_to_string(log).unwrap_or_default());
    }

    /// Ends it without a warning, as a loss of power would.
    pub(crate) fn kill(&self) {
        let pid = self.pid();
        // Otherwise, it would start new processes for those that ended.
        send("STOP", &["kill"], &pid);
        let children = Command::new("pgrep").args(["-P", &pid]).output().unwrap().stdout;
        let children = String::from_utf8(children).unwrap();
        send("KILL", &["pkill", "-P"], &pid);
        send("KILL", &["kill"], &pid);
        let is_alive = |pid: &str| {
            let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            !state.is_empty() && !state.contains(") Z")
        };
        // The next one does not start while one of them still has the shared memory.
        while children.lines().chain([&*pid]).any(is_alive) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        // A process that nobody has waited for would count as one that runs.
        for lock in ["postmaster.pid".to_owned(), format!(".s.PGSQL.{}.lock", self.port)] {
            let _ = fs::remove_file(self.folder.join(lock));
        }
    }

    /// Sends a signal to all of its processes.
    pub(crate) fn signal(&self, signal: &str) {
        send(signal, &["kill"], &self.pid());
        send(signal, &["pkill", "-P"], &self.pid());
    }

    fn pid(&self) -> String {
        let pid = fs::read_to_string(self.folder.join("postmaster.pid")).unwrap();
        pid.lines().next().unwrap().to_owned()
    }

    /// The address of a new, empty database.
    pub(crate) fn database(&self, name: &str) -> String {
        self.copy_of("template0", name)
    }

    /// The address of a new database like another one.
    fn copy_of(&self, template: &str, name: &str) -> String {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let port = self.port.to_string();
        let args = ["-h", "127.0.0.1", "-p", &port, "-U", "harness", "--template", template, name];
        assert!(self.run("createdb", &args), "createdb {name}");
        format!("postgres://harness@127.0.0.1:{port}/{name}")
    }

    /// Runs one of its programs, as another user than root, for which it refuses to run.
    fn run(&self, program: &str, args: &[&str]) -> bool {
        let mut command = match other_user() {
            Some(user) => {
                let mut command = Command::new("setpriv");
                let user = user.to_string();
                command.args(["--reuid", &user, "--regid", &user, "--clear-groups"]);
                command.arg(self.programs.join(program));
                command
            }
            None => Command::new(self.programs.join(program)),
        };
        command.args(args).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

/// Where its files are: in memory, if there is room for hundreds of databases. A disk takes long to make files for each of them.
fn place() -> PathBuf {
    const ROOM: u64 = 8 << 30;
    let memory = Path::new("/dev/shm");
    let room = rustix::fs::statvfs(memory).map_or(0, |it| it.f_bavail * it.f_frsize);
    if room > ROOM { memory.to_owned() } else { std::env::temp_dir() }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.folder.to_str().unwrap();
        self.run("pg_ctl", &["-D", data, "-m", "immediate", "stop"]);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Sends a signal to a process, or to its children.
fn send(signal: &str, command: &[&str], pid: &str) {
    let mut command_line = Command::new(command[0]);
    command_line.arg(format!("-{signal}")).args(&command[1..]).arg(pid);
    assert!(command_line.status().is_ok(), "{} is there", command[0]);
}

/// The folder of its programs: the newest version that Debian installs.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<_> = versions
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| folder.join("initdb").is_file())
        .collect();
    found.sort();
    found.pop()
}

/// Whom it runs as if root runs the tests: the user that Debian's package makes.
fn other_user() -> Option<u32> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let line = users.lines().find(|line| line.starts_with("postgres:"))?;
    is_root.then(|| line.split(':').nth(2)?.parse().ok())?
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
