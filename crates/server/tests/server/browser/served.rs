//! A server as it is started for a course, with its workers, and what students have in their folders.

use crate::support::program::{Running, serve};
use crate::support::sums::{self, MAKEFILE, SUM};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use tempfile::TempDir;

/// A server in a process of its own.
pub(super) struct Served {
    pub(super) url: String,
    /// The link of the first administrator.
    pub(super) link: String,
    /// The folder of the course.
    pub(super) course: TempDir,
    _process: Running,
}

impl Served {
    /// Starts it on a database, or on the file that it uses without one.
    pub(super) fn start(database: Option<&str>) -> Self {
        let course = sums::course("assignments: { sum: { due: 2030-03-01 23:59, limit: 9 } }\n");
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut command = serve(course.path(), &["--workers", "1", "--address", &free]);
        command.args(database.into_iter().flat_map(|it| ["--database", it]));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let link = lines.find(|line| line.trim().starts_with("http"));
        // Read the rest, so that the server never blocks on a full pipe.
        thread::spawn(move || lines.for_each(drop));
        let link = link.expect("it prints the link").trim().to_owned();
        Self { url: format!("http://{free}"), link, course, _process: Running(child) }
    }
}

/// The files of a right program, or of one that subtracts, and a test that exposes the bug.
pub(super) fn files(is_right: bool) -> Vec<(&'static str, String)> {
    let source = if is_right { SUM.to_owned() } else { SUM.replace("a + b", "a - b") };
    vec![("sum.cpp", source), ("Makefile", MAKEFILE.to_owned()), ("test-1.txt", "2 3\n".to_owned())]
}

/// The same in a folder.
pub(super) fn folder(files: &[(&str, String)]) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| sums::write(folder.path(), name, text));
    let paths = files.iter().map(|(name, _)| folder.path().join(name)).collect();
    (folder, paths)
}
