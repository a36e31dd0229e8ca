//! What a harness that was killed leaves: no process, and no temporary file once another one has run.

use super::run::{command, has_a_sandbox, output};
use super::{Run, folder, path};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits for what other processes do, which a busy machine delays.
fn until(is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_so() && start.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(10));
    }
    is_so()
}

/// Whether a process runs that has this word in its command line.
fn is_running(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    lines.any(|line| line.split(|&byte| byte == 0).any(|it| it == word.as_bytes()))
}

#[test]
fn a_harness_killed_while_its_sandbox_starts_leaves_nothing() {
    if !has_a_sandbox() {
        return;
    }
    // Its child waits for it, and does not end with it, as that of bubblewrap does until both have agreed.
    let seconds = format!("{}.25", 1_000_000 + std::process::id());
    let bubblewrap = format!(
        "#!/bin/sh\ncase $1 in --version) echo bubblewrap 0.8.0; exit ;; esac\nsleep {seconds} &\nwait\n"
    );
    let tools = folder(&[("bin/bwrap", bubblewrap.as_bytes()), ("tmp/mine", b"")]);
    let program = tools.path().join("bin/bwrap");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let temporary = tools.path().join("tmp");
    let doctor = || {
        let mut command = command();
        command.args(["doctor", "--course", "docs/any-program"]).env("TMPDIR", &temporary);
        command
    };
    let names = format!("{}/bin:{}", path(&tools), std::env::var("PATH").unwrap());
    let mut harness = doctor().env("PATH", names).spawn().unwrap();
    let has_started = until(|| is_running(&seconds));
    harness.kill().unwrap();
    harness.wait().unwrap();
    assert!(has_started && until(|| !is_running(&seconds)), "{has_started}");
    assert!(fs::read_dir(&temporary).unwrap().count() > 1, "it had no time to remove anything");
    let _: Run = output(&mut doctor()).into();
    let left: Vec<_> =
        fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["mine"]);
}
