//! Runs the program in memory.
#![expect(dead_code, reason = "each test file uses some of it")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufRead;
use subject::{Env, Files};

/// Runs the program with these options, separated by spaces, and returns its exit status, stdout and stderr.
pub(crate) fn run(options: &str, input: &[u8]) -> (u8, String, String) {
    run_on(options, &mut { input })
}

/// Runs the program with input from any reader.
pub(crate) fn run_on(options: &str, mut stdin: &mut dyn BufRead) -> (u8, String, String) {
    let args: Vec<OsString> = options.split_whitespace().map(OsString::from).collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut files = Files::Memory(BTreeMap::new());
    let mut env = Env {
        args: &args,
        stdin: &mut stdin,
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut files,
    };
    let status = countess::run(&mut env);
    (status, String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Checks that the program accepts the input and prints exactly this.
#[track_caller]
pub(crate) fn accepts(options: &str, input: &str, expected: &str) {
    assert_eq!(
        run(options, input.as_bytes()),
        (0, expected.to_owned(), String::new()),
        "{options}\n{input}"
    );
}

/// Checks that the program rejects the input or the options with exactly this message, and prints nothing else.
#[track_caller]
pub(crate) fn rejects(options: &str, input: impl AsRef<[u8]>, message: &str) {
    assert_eq!(
        run(options, input.as_ref()),
        (1, String::new(), format!("{message}\n")),
        "{options}"
    );
}

/// A castle in input mode M; each text is the tiles of a room, row after row.
pub(crate) fn castle(size: usize, rooms: &[&str]) -> String {
    let mut text = format!("M\n{}\n{size}\n", rooms.len());
    for room in rooms {
        for row in room.as_bytes().chunks(size) {
            text.push_str(std::str::from_utf8(row).unwrap());
            text.push('\n');
        }
    }
    text
}
