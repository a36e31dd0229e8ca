//! Widths and colours on terminals of several widths, and in a pipe.

use super::run::{LIMIT, Watchdog, command};
use super::{folder, harness, path, repository};
use anstream::adapter::strip_str;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use unicode_width::UnicodeWidthStr;

/// What `harness` prints on a terminal of this many columns.
fn on_terminal(columns: u16, args: &[&str], env: &[(&str, &str)]) -> String {
    printed_on(columns, args, env, |terminal| [terminal.into(), Stdio::null()])
}

/// The same if the terminal is where these two streams say: standard output and standard error.
fn printed_on(
    columns: u16,
    args: &[&str],
    env: &[(&str, &str)],
    streams: fn(File) -> [Stdio; 2],
) -> String {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let name = std::ffi::OsStr::from_bytes(name.as_bytes()).to_owned();
    let terminal = File::options().read(true).write(true).open(name).unwrap();
    // As after `stty cols`, the number of rows is unknown.
    let size = Winsize { ws_row: 0, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).unwrap();
    let [stdout, stderr] = streams(terminal);
    let mut child = command()
        .args(args)
        .env("TERM", "xterm")
        .env("COLUMNS", columns.to_string())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE")
        .envs(env.iter().copied())
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0)
        .spawn()
        .unwrap();
    let watchdog = Watchdog::new(&child, LIMIT);
    let (mut controller, mut printed, mut buffer) = (File::from(controller), Vec::new(), [0; 4096]);
    // Once nobody has the terminal open, reading fails.
    while let Ok(count @ 1..) = controller.read(&mut buffer) {
        printed.extend(&buffer[..count]);
    }
    child.wait().unwrap();
    assert!(!watchdog.has_killed(), "{args:?} hangs: {}", String::from_utf8_lossy(&printed));
    String::from_utf8(printed).unwrap().replace("\r\n", "\n")
}

#[track_caller]
fn fits(columns: u16, args: &[&str]) {
    let printed = on_terminal(columns, args, &[]);
    assert!(printed.lines().count() > 1, "{args:?} prints too little: {printed}");
    for line in printed.lines() {
        let line = strip_str(line).to_string();
        assert!(line.width() <= usize::from(columns), "{args:?} at {columns} columns: {line}");
    }
}

const PUZZLE: &str = "student_tests/puzzle/test-1-qm.txt";
const MAZE: &str = "student_tests/maze-solver/test-1-p-0-0-24-9.txt";

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn reports_fit_the_terminal() {
    for columns in [60, 200] {
        fits(columns, &["score", "student_tests"]);
        fits(columns, &["score", "student_tests", "--audience", "student"]);
        fits(columns, &["mutants", "list"]);
        fits(columns, &["mutants", "show", "discovers-west-before-east"]);
        fits(columns, &["mutants", "survey", "--assignment", "puzzle", "--cases", "200"]);
        fits(columns, &["mutants", "verify", "--fast", "--assignment", "puzzle-errors"]);
        fits(columns, &["explain", PUZZLE]);
        fits(columns, &["explain", MAZE]);
        fits(columns, &["mutants", "cases", "--assignment", "countess"]);
        fits(columns, &["mutants", "cases", "--assignment", "maze-solver"]);
    }
    fits(60, &["doctor"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_generated_report_fits_the_terminal() {
    for columns in [80, 200] {
        let target = folder(&[]);
        let out = target.path().join("out");
        let args = ["--assignment", "puzzle", "--size", "4", "--budget", "2", "--keep-all"];
        fits(columns, &[&["generate", "--out", out.to_str().unwrap()], &args[..]].concat());
    }
}

#[test]
fn a_class_with_long_names_fits_the_terminal() {
    let name = format!("{}/test-1-s.txt", "a-student-with-a-long-name-".repeat(4));
    let class = folder(&[(&name, b"0 1 2\n@?\n"), ("b/test-1-s.txt", b"0 1 2\n@?\n")]);
    fits(80, &["score", path(&class), "--assignment", "puzzle"]);
}

#[test]
fn a_picture_that_is_too_wide_is_cut() {
    let maze = std::fs::read_to_string(repository().join(MAZE)).unwrap();
    let widest = maze.lines().map(UnicodeWidthStr::width).max().unwrap();
    assert!(widest > 20, "the maze is wide enough for this test");
    fits(20, &["view", MAZE]);
    fits(80, &["view", PUZZLE]);
}

#[test]
fn errors_and_hints_fit_the_terminal() {
    let args = ["explain", "README.md"];
    let printed = printed_on(50, &args, &[], |terminal| [Stdio::null(), terminal.into()]);
    let expected = "error: README.md is not named like a test\nhint: a test is named test-n-flags.txt, as for\n`harness score`\n";
    assert_eq!(strip_str(&printed).to_string(), expected);
}

#[test]
fn help_fits_the_terminal() {
    let commands: [&[&str]; 18] = [
        &[],
        &["score"],
        &["generate"],
        &["explain"],
        &["view"],
        &["init"],
        &["doctor"],
        &["completions"],
        &["man"],
        &["mutants"],
        &["mutants", "list"],
        &["mutants", "show"],
        &["mutants", "new"],
        &["mutants", "witness"],
        &["mutants", "verify"],
        &["mutants", "survey"],
        &["mutants", "propose"],
        &["mutants", "cases"],
    ];
    for command in commands {
        for columns in [80, 200] {
            fits(columns, &[command, &["--help"]].concat());
        }
        let piped = harness(&[command, &["--help"]].concat()).exits(0).stdout;
        assert!(piped.lines().all(|line| line.width() <= 80), "{piped}");
        // An example that is wrapped continues on a line that names no command.
        let examples = piped.split("Examples:\n").nth(1).unwrap_or_default();
        let examples = examples.split("\n\n").next().unwrap_or_default();
        let is_whole = |line: &str| line.starts_with("  ") || line.is_empty();
        assert!(examples.lines().all(is_whole), "{examples}");
    }
}

#[test]
fn in_a_pipe_each_mutant_is_one_line_without_colour() {
    let listed = harness(&["mutants", "list"]).exits(0).stdout;
    let json = harness(&["mutants", "list", "--format", "json"]).exits(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mutants = json["mutants"].as_array().unwrap();
    assert_eq!(listed.lines().count(), mutants.len());
    assert!(!listed.contains('\u{1b}'));
}

#[test]
fn a_narrow_terminal_leaves_out_no_mutant() {
    let listed = on_terminal(80, &["mutants", "list"], &[]);
    let score = on_terminal(80, &["score", "student_tests", "--assignment", "puzzle"], &[]);
    let json = harness(&["mutants", "list", "--format", "json"]).exits(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    for mutant in json["mutants"].as_array().unwrap() {
        let id = mutant["id"].as_str().unwrap();
        assert!(listed.contains(id), "{id}");
        assert!(mutant["assignment"] != "puzzle" || score.contains(id), "{id}");
    }
}

#[test]
fn score_is_coloured_on_a_terminal_unless_the_user_says_no() {
    let score = ["score", "student_tests", "--assignment", "puzzle"];
    let with = |more: &[&'static str]| [&score, more].concat();
    let colored = |text: &str| text.contains('\u{1b}');
    assert!(colored(&on_terminal(80, &score, &[])));
    assert!(!colored(&on_terminal(80, &score, &[("NO_COLOR", "1")])));
    assert!(!colored(&on_terminal(80, &with(&["--color", "never"]), &[])));
    assert!(!colored(&harness(&score).exits(0).stdout));
    assert!(colored(&harness(&with(&["--color", "always"])).exits(0).stdout));
}
