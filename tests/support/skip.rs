//! Tests of what this machine lacks.

use std::fs::OpenOptions;
use std::io::Write;

/// Reports that a test is skipped because something is missing on this machine. Under `CI=true`, that is a failure.
#[track_caller]
pub(crate) fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
    note();
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "CI=true allows no skipped test: {reason}"
    );
}

/// Adds the test to those in the file that `SKIPPED_TESTS` names, which `.ci/run` runs again once the machine has all.
fn note() {
    let Some(file) = std::env::var_os("SKIPPED_TESTS") else { return };
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let mut file = OpenOptions::new().append(true).create(true).open(file).expect("it is a file");
    file.write_all(format!("{test}\n").as_bytes()).expect("there is room for a line");
}
