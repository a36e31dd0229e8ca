//! Running `harness` and other programs: none may hang, and nothing that they print goes unnoticed.

use super::repository;
use super::skip::skip;
use harness::report::doctor::Diagnosis;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::de::DeserializeOwned;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// No program of a test runs for longer. It only ends what hangs: a few programs build whole courses on a busy machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(1200);

/// What `harness score` prints to standard error if it rejects every test.
pub(crate) const NO_VALID_TEST: &str =
    "error: there is no valid test\nhint: the report says why each file was rejected\n";

/// The result of a run of `harness`.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Requires that the run exited with `status` and printed nothing to standard error.
    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Self {
        self.fails(status, "")
    }

    /// Requires that the run exited with `status` and printed `stderr` to standard error. In a line, `[..]` stands for any text; a line
    /// `...` stands for any number of lines.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, stderr: &str) -> Self {
        let shown = format!("stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        assert_eq!(self.status, status, "{shown}");
        assert!(matches(stderr, &self.stderr), "expected on stderr:\n{stderr}\n{shown}");
        self
    }

    /// Requires that the run exited with 0, and printed `stderr` to standard error; as in [`Run::fails`].
    #[track_caller]
    pub(crate) fn warns(self, stderr: &str) -> Self {
        self.fails(0, stderr)
    }

    /// The document that it printed as JSON.
    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr))
    }

    /// The report of `harness score` that it printed as JSON.
    #[track_caller]
    pub(crate) fn report(&self) -> harness::result::Report {
        self.json()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("harness prints UTF-8");
        Self {
            status: output.status.code().expect("harness exits"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// Runs `harness` in the repository.
#[track_caller]
pub(crate) fn harness(args: &[&str]) -> Run {
    output(command().args(args)).into()
}

/// `harness` in the repository, without arguments.
pub(crate) fn command() -> Command {
    let mut command = Command::new(crate::PROGRAM);
    command.current_dir(repository());
    command
}

/// Runs a command to its end. One that hangs is killed with all that it started, and fails the test with what it printed.
#[track_caller]
pub(crate) fn output(command: &mut Command) -> Output {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let watchdog = Watchdog::new(&child, LIMIT);
    let output = child.wait_with_output().expect("its output can be read");
    let printed = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (printed(&output.stdout), printed(&output.stderr));
    assert!(!watchdog.has_killed(), "{command:?} hangs\nstdout:\n{stdout}\nstderr:\n{stderr}");
    output
}

/// Kills a program's process group if it runs for too long.
pub(crate) struct Watchdog {
    end: Sender<()>,
    thread: JoinHandle<bool>,
}

impl Watchdog {
    /// Watches a program that leads a process group of its own.
    pub(crate) fn new(child: &Child, limit: Duration) -> Self {
        let group = Pid::from_child(child);
        let (end, ended) = channel();
        let thread = thread::spawn(move || {
            let hangs = ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            // It fails if the program ended just now.
            hangs && kill_process_group(group, Signal::KILL).is_ok()
        });
        Self { end, thread }
    }

    /// Ends the watch.
    pub(crate) fn has_killed(self) -> bool {
        drop(self.end);
        self.thread.join().expect("a watchdog does not panic")
    }
}

/// Whether there is a C compiler; if not, the test is skipped.
pub(crate) fn has_a_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    if !found {
        skip("there is no C compiler `cc` on this machine");
    }
    found
}

/// Whether `doctor` finds a sandbox. If not, the test is skipped.
pub(crate) fn has_a_sandbox() -> bool {
    // It tries all limits, which takes a second of each core.
    static IS_THERE: LazyLock<bool> = LazyLock::new(|| {
        let diagnosis: Diagnosis =
            harness(&["doctor", "--course", "docs/any-program", "--format", "json"]).json();
        diagnosis.findings.iter().any(|finding| finding.what == "sandbox: namespaces")
    });
    if !*IS_THERE {
        skip("there is no sandbox on this machine");
    }
    *IS_THERE
}

/// Whether `python3` has pytest. If not, the test is skipped.
pub(crate) fn has_pytest() -> bool {
    let import = Command::new("python3").args(["-c", "import pytest"]).output();
    let is_there = import.is_ok_and(|output| output.status.success());
    if !is_there {
        skip("`python3` has no pytest");
    }
    is_there
}

/// Whether `text` matches `pattern`, line by line.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<_> = pattern.split_inclusive('\n').collect();
    let text: Vec<_> = text.split_inclusive('\n').collect();
    lines_match(&pattern, &text)
}

fn lines_match(pattern: &[&str], text: &[&str]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ["...\n", rest @ ..] => (0..=text.len()).any(|skipped| lines_match(rest, &text[skipped..])),
        [line, rest @ ..] => text
            .split_first()
            .is_some_and(|(first, others)| line_matches(line, first) && lines_match(rest, others)),
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once("[..]") else { return pattern == line };
    line.strip_prefix(begin).is_some_and(|tail| {
        tail.char_indices()
            .map(|(at, _)| at)
            .chain([tail.len()])
            .any(|at| line_matches(rest, &tail[at..]))
    })
}

#[test]
fn an_expected_text_matches_only_what_its_wildcards_allow() {
    assert!(matches("", ""));
    assert!(!matches("", "error: a\n"));
    assert!(!matches("error: a\n", "error: a"));
    assert!(!matches("error: a\n", "error: a\nhint: b\n"));
    assert!(matches("error: [..]/b\nhint: c\n", "error: a/b/b\nhint: c\n"));
    assert!(!matches("error: [..]/b\n", "error: a\n/b\n"));
    assert!(matches("a\n...\nd\n", "a\nb\nc\nd\n") && matches("a\n...\nd\n", "a\nd\n"));
    assert!(!matches("a\n...\nd\n", "a\nb\nc\n"));
}

#[test]
fn a_program_that_hangs_is_killed_with_what_it_started() {
    let mut command = Command::new("sh");
    let child =
        command.args(["-c", "sleep 1000 | cat"]).stdout(Stdio::piped()).process_group(0).spawn();
    let child = child.unwrap();
    let watchdog = Watchdog::new(&child, Duration::from_millis(50));
    // Reading ends only if `sleep` and `cat` have ended too.
    child.wait_with_output().unwrap();
    assert!(watchdog.has_killed());
}
