//! Starting `harness-author` and `harness-server`, for the commands that are in packages of their own.

use super::course::Course;
use super::run::{Run, output};
use harness::report::doctor::{Diagnosis, Health};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A program with commands of its own.
struct Companion {
    name: &'static str,
    package: &'static str,
    /// Its commands in words, and each with all that it needs.
    named: &'static str,
    commands: &'static [&'static [&'static str]],
}

const COMPANIONS: [Companion; 2] = [
    Companion {
        name: "harness-author",
        package: "harness-author",
        named: "`mutants mine`, `mutants propose` and `init --from`",
        commands: &[
            &["mutants", "mine", "a.c"],
            &["mutants", "propose", "--limit", "3"],
            &["init", "--from", "package", "course"],
        ],
    },
    Companion {
        name: "harness-server",
        package: "server",
        named: "`serve` and `submit`",
        commands: &[
            &["serve"],
            &["serve", "--workers", "0", "--course", "mine"],
            &["serve", "invite", "ann", "--role", "staff", "--database", "kept.db"],
            &["serve", "worker", "--until-empty"],
            &["submit", "a.cpp", "--assignment", "puzzle"],
        ],
    },
];

/// A folder with a copy of `harness` in `bin`, where nothing is beside it.
fn installed() -> Course {
    let place = Course::empty();
    fs::create_dir(place.path("bin")).unwrap();
    super::copy_program(&place.path("bin/harness"));
    place
}

fn executable(place: &Course, file: &str) {
    fs::set_permissions(place.path(file), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Adds a program of this version, which prints its arguments.
fn add(place: &Course, file: &str, version: &str) {
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
    for Companion { name, package, named, commands } in COMPANIONS {
        let expected = format!(
            "error: there is no `{name}`, which {named} need\n\
             hint: install it with `cargo install --path crates/{package}` in the source\n"
        );
        for command in commands {
            run(&place, command).fails(5, &expected);
        }
    }
    assert!(run(&place, &["mutants", "mine", "--help"]).exits(0).stdout.contains("PROGRAM"));
    assert!(run(&place, &["serve", "invite", "--help"]).exits(0).stdout.contains("LOGIN"));
}

#[test]
fn the_program_beside_this_one_comes_first_and_gets_the_whole_command_line() {
    let place = installed();
    for Companion { name, commands, .. } in COMPANIONS {
        for folder in ["path", "bin"] {
            let file = format!("{folder}/{name}");
            add(&place, &file, env!("CARGO_PKG_VERSION"));
            for command in commands {
                let words = [&["--color", "never"], *command].concat();
                let printed = run(&place, &words).exits(7).stdout;
                assert_eq!(printed, format!("{file} {}\n", words.join(" ")));
            }
        }
    }
}

#[test]
fn a_program_of_another_version_is_refused() {
    let place = installed();
    let version = env!("CARGO_PKG_VERSION");
    for Companion { name, package, commands, .. } in COMPANIONS {
        add(&place, &format!("bin/{name}"), "0.0.1");
        run(&place, commands[0]).fails(
            5,
            &format!(
                "error: [..]bin/{name} is `harness 0.0.1`, and this is `harness {version}`\n\
                 hint: install it with `cargo install --path crates/{package}` in the source\n"
            ),
        );
    }
}

#[test]
fn doctor_says_whether_the_program_is_there() {
    let place = installed();
    let health = |name: &str| {
        let found: Diagnosis = run(&place, &["doctor", "--format", "json"]).json();
        found.findings.iter().find(|it| it.what == name).unwrap().health
    };
    for Companion { name, .. } in COMPANIONS {
        assert_eq!(health(name), Health::Optional);
        add(&place, &format!("path/{name}"), env!("CARGO_PKG_VERSION"));
        assert_eq!(health(name), Health::Fine);
    }
}
