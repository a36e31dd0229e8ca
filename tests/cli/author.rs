//! Starting `harness-author`, for the commands that are in a package of their own.

use super::course::Course;
use super::run::{Run, output};
use harness::report::doctor::{Diagnosis, Health};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// The commands that are in it, each with all that it needs.
const COMMANDS: [&[&str]; 3] = [
    &["mutants", "mine", "a.c"],
    &["mutants", "propose", "--limit", "3"],
    &["init", "--from", "package", "course"],
];

/// A folder with a copy of `harness` in `bin`, where nothing is beside it.
fn installed() -> Course {
    let place = Course::empty().file("bin/harness", fs::read(super::PROGRAM).unwrap());
    executable(&place, "bin/harness");
    place
}

fn executable(place: &Course, file: &str) {
    fs::set_permissions(place.path(file), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Adds a `harness-author` of this version, which prints its arguments.
fn add_author(place: &Course, file: &str, version: &str) {
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo harness {version} && exit\necho {file} $*\nexit 7\n"
    );
    place.write(file, script);
    executable(place, file);
}

fn run(place: &Course, args: &[&str]) -> Run {
    let mut command = Command::new(place.path("bin/harness"));
    let path = format!("{}:/usr/bin:/bin", place.word("path"));
    output(command.args(args).env("PATH", path).current_dir(place.path(""))).into()
}

#[test]
fn without_the_program_its_commands_say_how_to_get_it() {
    let place = installed();
    for command in COMMANDS {
        run(&place, command).fails(
            5,
            "error: there is no `harness-author`, which `mutants mine`, `mutants propose` and `init --from` need\n\
             hint: install it with `cargo install --path crates/harness-author` in the source\n",
        );
    }
    assert!(run(&place, &["mutants", "mine", "--help"]).exits(0).stdout.contains("PROGRAM"));
}

#[test]
fn the_program_beside_this_one_comes_first_and_gets_the_whole_command_line() {
    let place = installed();
    let version = env!("CARGO_PKG_VERSION");
    for file in ["path/harness-author", "bin/harness-author"] {
        add_author(&place, file, version);
        for command in COMMANDS {
            let words = [&["--color", "never"], command].concat();
            let printed = run(&place, &words).exits(7).stdout;
            assert_eq!(printed, format!("{file} {}\n", words.join(" ")));
        }
    }
}

#[test]
fn a_program_of_another_version_is_refused() {
    let place = installed();
    add_author(&place, "bin/harness-author", "0.0.1");
    let version = env!("CARGO_PKG_VERSION");
    run(&place, COMMANDS[0]).fails(
        5,
        &format!(
            "error: [..]bin/harness-author is `harness 0.0.1`, and this is `harness {version}`\n\
             hint: install it with `cargo install --path crates/harness-author` in the source\n"
        ),
    );
}

#[test]
fn doctor_says_whether_the_program_is_there() {
    let place = installed();
    let health = || {
        let found: Diagnosis = run(&place, &["doctor", "--format", "json"]).json();
        found.findings.iter().find(|it| it.what == "harness-author").unwrap().health
    };
    assert_eq!(health(), Health::Optional);
    add_author(&place, "path/harness-author", env!("CARGO_PKG_VERSION"));
    assert_eq!(health(), Health::Fine);
}
