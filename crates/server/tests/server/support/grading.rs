//! Submissions that are graded: what is handed in, the workers, and the processes that they start.

use super::site::Site;
use super::sums;
use harness::grading::jobs::Answer;
use harness::result::record::Record;
use server::people::{Person, Role};
use server::rules::Rules;
use server::submissions::hand_in::{HandIn, Taken, take};
use server::worker::{self, Asker, Options, Program, Workers};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(90);

/// The program under test.
pub(crate) const SERVER: &str = env!("CARGO_BIN_EXE_harness-server");

/// Whether this machine cannot grade. Then the test is left out, unless `CI` is set.
pub(crate) fn cannot_grade() -> bool {
    let missing = |name: &&str| Command::new(name).arg("--version").output().is_err();
    let missing: Vec<_> = ["g++", "make", "bwrap"].into_iter().filter(missing).collect();
    if !missing.is_empty() {
        assert!(std::env::var_os("CI").is_none(), "not installed: {missing:?}");
        eprintln!("skipped, because these are not installed: {missing:?}");
    }
    !missing.is_empty()
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait(what: &str, is_so: impl FnMut() -> bool) {
    wait_for(PATIENCE, what, is_so);
}

/// Waits until something is so that may take longer.
#[track_caller]
pub(crate) fn wait_for(patience: Duration, what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < patience, "after {patience:?}, it is not so that {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// A right submission whose program takes at least so many seconds for its three cases.
pub(crate) fn slow(seconds: u32) -> Vec<u8> {
    let pause = format!("usleep({});\n    std::printf(", u64::from(seconds) * 500_000);
    let source = sums::SUM.replace("std::printf(", &pause);
    let source = source.replace("#include", "#include <unistd.h>\n#include");
    sums::archive(&[("sum.cpp", &source), ("Makefile", sums::MAKEFILE), ("test-1.txt", "2 3\n")])
}

impl Site {
    /// A new student.
    pub(crate) fn student(&self) -> Person {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let login = format!("student-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.person(&login, Role::Student, "")
    }

    /// Hands an archive in, and gives the number of the submission.
    pub(crate) fn hand_in(&self, student: &Person, archive: Vec<u8>) -> i64 {
        let student = student.clone();
        let taken = self.write(move |connection| {
            let course = server::courses::in_force(connection)?.unwrap();
            let it = HandIn {
                student: student.clone(),
                assignment: "sum".to_owned(),
                course,
                archive: archive.clone(),
                file_name: "../../$(reboot).zip".to_owned(),
                request: server::secret::random(),
            };
            take(connection, &Rules::default(), &it)
        });
        self.app.changed.notify_waiters();
        match taken {
            Taken::Yes { submission } => submission,
            other => panic!("{other:?}"),
        }
    }

    /// Starts workers in this process.
    pub(crate) fn workers(&self, options: &Options) -> Working<'_> {
        let (asker, stop) = worker::channel();
        let started = self.runtime.block_on(async { Workers::start(&self.app, options, &stop) });
        let workers = started.unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        Working { site: self, asker, workers: Some(workers) }
    }

    /// A number from the database.
    pub(crate) fn number(&self, sql: &'static str) -> i64 {
        self.write(move |connection| {
            Ok(connection.first(sql, &[])?.and_then(|row| row.maybe_int(0)).unwrap_or(-1))
        })
    }

    /// A text from the database, or nothing.
    pub(crate) fn text(&self, sql: &'static str) -> String {
        self.write(move |connection| {
            Ok(connection.first(sql, &[])?.and_then(|row| row.maybe_text(0)).unwrap_or_default())
        })
    }

    /// Waits until a submission has a result, and gives its record.
    #[track_caller]
    pub(crate) fn record(&self, submission: i64) -> Record {
        let mut found = None;
        wait("the submission has a result", || {
            found = self.write(move |connection| {
                let sql = "select record from result where submission = $1";
                Ok(connection.first(sql, &[submission.into()])?.map(|row| row.text(0)))
            });
            found.is_some()
        });
        serde_json::from_str(&found.unwrap()).unwrap()
    }

    /// Waits until a submission has a result, and gives its points, rounded.
    #[track_caller]
    pub(crate) fn points(&self, submission: i64) -> i64 {
        self.record(submission).report.points.earned.round() as i64
    }

    /// Lets every pause end that a job has before its next attempt.
    pub(crate) fn skip_pauses(&self) {
        self.write(|connection| {
            connection.execute("update job set until = 0 where state = 'queued'", &[])
        });
    }

    /// Lets the lease of every job end.
    pub(crate) fn end_leases(&self) {
        self.write(|connection| {
            connection.execute("update job set until = 0 where state = 'running'", &[])
        });
    }
}

/// The usual options of a worker, with the real grader.
pub(crate) fn options() -> Options {
    Options::new(1, Program::at(SERVER.into()))
}

/// Workers of this process. When it is dropped, they end at once.
pub(crate) struct Working<'a> {
    site: &'a Site,
    pub(crate) asker: Asker,
    workers: Option<Workers>,
}

impl Working<'_> {
    /// Waits until they have ended by themselves.
    pub(crate) fn ended(mut self) {
        let ended = self.workers.take().unwrap().ended();
        self.site.runtime.block_on(ended);
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.asker.ask();
        self.asker.ask();
        if let Some(workers) = self.workers.take() {
            self.site.runtime.block_on(workers.ended());
        }
    }
}

/// A process of `harness serve worker`. When it is dropped, it is killed.
pub(crate) struct Process {
    pub(crate) child: Child,
    _cache: TempDir,
}

impl Process {
    pub(crate) fn start(site: &Site, more: &[&str]) -> Self {
        let cache = tempfile::tempdir().unwrap();
        let mut command = Command::new(SERVER);
        command.args(["serve", "worker", "--workers", "1", "--database", &name_of(site)]);
        command.arg("--cache").arg(cache.path()).args(more).env("SECRET", "a secret of the server");
        let child = command.stdin(Stdio::null()).spawn().unwrap();
        Self { child, _cache: cache }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The process of its grader, when it has one.
    #[track_caller]
    pub(crate) fn grader(&self) -> u32 {
        let mut found = None;
        wait("the worker has a grader", || {
            found = children(self.id()).first().copied();
            found.is_some()
        });
        found.unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.id(), name);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the command line calls the database of a site.
pub(crate) fn name_of(site: &Site) -> String {
    match &site.database {
        server::database::Address::Sqlite(path) => path.display().to_string(),
        server::database::Address::Postgres(url) => url.clone(),
    }
}

pub(crate) fn signal(process: u32, name: &str) {
    let status = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(status.unwrap().success());
}

/// The processes that a process has started and that are still there.
pub(crate) fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let texts = threads.map(|it| fs::read_to_string(it.path().join("children")));
    let all: Vec<String> = texts.filter_map(Result::ok).collect();
    all.iter().flat_map(|text| text.split_whitespace()).filter_map(|it| it.parse().ok()).collect()
}

/// All processes below one.
pub(crate) fn below(process: u32) -> Vec<u32> {
    let mut all = children(process);
    let mut at = 0;
    while at < all.len() {
        let more = children(all[at]);
        all.extend(more);
        at += 1;
    }
    all
}

/// Whether a process is there, and not only waited for.
pub(crate) fn is_alive(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = status.rsplit(')').next().unwrap_or_default().trim().chars().next();
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

/// A grader that does what a script says. `$1` is what comes after `grade`; it reads jobs and writes answers as a grader does.
pub(crate) fn scripted(folder: &Path, script: &str) -> Program {
    let [assignment, course, harness] = ["sum", "c", "h"].map(str::to_owned);
    let ready = Answer::Ready { assignment, course, harness, mutants: Vec::new() };
    let ready = serde_json::to_string(&ready).unwrap();
    let file: PathBuf = folder.join("grader");
    fs::write(&file, format!("#!/bin/sh\nready() {{ echo '{ready}'; }}\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    Program::at(file)
}
