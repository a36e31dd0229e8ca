//! The command line itself: help, completions, the manual, colours, and suggestions for misspelled names.

use super::run::{command, output};
use super::{Run, folder, harness, path, repository};
use clap::{Command, CommandFactory, Parser};
use harness::cli::Cli;
use std::io::Write;
use std::path::Path;
use std::process;

/// Every visible command without subcommands, with its words.
fn commands() -> Vec<(Vec<String>, Command)> {
    fn below(words: &[String], command: &Command, found: &mut Vec<(Vec<String>, Command)>) {
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let words = [words, &[sub.get_name().to_owned()]].concat();
            if sub.has_subcommands() {
                below(&words, sub, found);
            } else {
                found.push((words, sub.clone()));
            }
        }
    }
    let mut found = Vec::new();
    below(&[], &Cli::command(), &mut found);
    found
}

/// Runs `harness` with these environment variables.
fn with(variables: &[(&str, &str)], args: &[&str]) -> Run {
    let variables = variables.iter().copied();
    output(command().args(args).envs(variables)).into()
}

#[test]
fn the_help_of_every_command_has_valid_examples() {
    assert!(commands().len() >= 14);
    for (words, command) in commands() {
        let help = command
            .get_after_help()
            .unwrap_or_else(|| panic!("{words:?} has no examples"))
            .to_string();
        let examples: Vec<_> =
            help.lines().filter(|line| line.trim_start().starts_with("harness ")).collect();
        assert!(!examples.is_empty(), "{words:?}: {help}");
        for example in examples {
            let line = example.trim().split("  ").next().unwrap().split(" > ").next().unwrap();
            let parsed = Cli::try_parse_from(shlex::split(line).unwrap());
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
        let help = [words.iter().map(String::as_str).collect(), vec!["--help"]].concat();
        assert!(harness(&help).exits(0).stdout.contains("Example"), "{words:?}");
    }
}

/// What Bash offers for the last word of a command line, after it has read the script that `completions` prints.
fn offered(line: &str) -> Vec<String> {
    let script = harness(&["completions", "bash"]).exits(0).stdout;
    let program = Path::new(env!("CARGO_BIN_EXE_harness"));
    let ask = "PATH=$1:$PATH; source /dev/stdin; words=($2); [[ $2 == *' ' ]] && words+=('')
        COMP_WORDS=(\"${words[@]}\"); COMP_CWORD=$((${#words[@]} - 1))
        complete=($(complete -p harness)); \"${complete[-2]}\" harness \"${words[COMP_CWORD]}\"
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = process::Command::new("bash");
    bash.args(["-c", ask, "bash"]).arg(program.parent().unwrap()).arg(line);
    bash.current_dir(repository()).stdin(process::Stdio::piped()).stdout(process::Stdio::piped());
    let mut bash = bash.spawn().unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = bash.wait_with_output().unwrap();
    let offered = String::from_utf8(output.stdout).unwrap();
    offered.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_assignments_mutants_and_tests() {
    for (words, _) in commands() {
        let (last, before) = words.split_last().unwrap();
        let line = [&["harness".to_owned()], before, &[last[..2].to_owned()]].concat().join(" ");
        assert!(offered(&line).contains(last), "{line}: {:?}", offered(&line));
    }
    assert_eq!(offered("harness score x --assignment maze"), ["maze-solver", "maze-generator"]);
    assert_eq!(offered("harness mutants new p"), ["puzzle", "puzzle-errors"]);
    assert_eq!(offered("harness mutants show z-is-no-"), ["z-is-no-button"]);
    assert_eq!(
        offered("harness mutants show --assignment countess z-"),
        Vec::<String>::new(),
        "it is a mutant of another assignment"
    );
    assert_eq!(
        offered("harness mutants show --course tests/courses/disagreeing s"),
        ["says-goodbye"]
    );
    let of_puzzle = offered("harness explain student_tests/puzzle/test-1-qm.txt d");
    let of_sliding = offered("harness explain student_tests/sliding/test-1.txt d");
    assert!(of_puzzle.contains(&"discovers-west-before-east".to_owned()), "{of_puzzle:?}");
    assert!(of_sliding.iter().all(|id| !of_puzzle.contains(id)), "{of_sliding:?}");
    let tests = offered("harness explain student_tests/sliding/test-1");
    assert!(!tests.is_empty(), "{tests:?}");
    assert!(
        tests.iter().all(|test| Path::new(test).extension().is_some_and(|it| it == "txt")),
        "{tests:?}"
    );
    assert_eq!(offered("harness explain READ"), Vec::<String>::new(), "it is no test");
}

#[test]
fn every_shell_gets_a_script_that_asks_harness() {
    for shell in ["bash", "zsh", "fish"] {
        let script = harness(&["completions", shell]).exits(0).stdout;
        assert!(
            script.contains(&format!("HARNESS_COMPLETE=\"{shell}\""))
                || script.contains(&format!("HARNESS_COMPLETE={shell}")),
            "{script}"
        );
    }
    harness(&["completions", "bsh"]).fails(
        2,
        "\
error: invalid value 'bsh' for '<SHELL>'
  [possible values: bash, zsh, fish]

hint: a similar value exists: 'bash'

For more information, try '--help'.
",
    );
}

#[test]
fn fail_under_takes_only_points_that_a_suite_can_have() {
    for points in ["nan", "-1", "inf", "many"] {
        let run = harness(&["score", "student_tests/puzzle", "--fail-under", points]);
        let expected = format!(
            "error: invalid value '{points}' for '--fail-under <POINTS>': expected a number of points, such as 7.5\n"
        );
        assert_eq!(run.status, 2);
        assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
    }
    let run = harness(&["generate", "--assignment", "puzzle", "--budget", "nan"]);
    assert!(run.status == 2 && run.stderr.starts_with("error: --budget NaN leaves no time\n"));
}

#[test]
fn a_server_listens_only_on_an_address_with_a_port() {
    for address in ["localhost", ":80", "localhost:many", "localhost:70000"] {
        let expected = format!(
            "error: invalid value '{address}' for '--address <HOST:PORT>': expected a host and a port, such as 127.0.0.1:8281\n\n\
             For more information, try '--help'.\n"
        );
        harness(&["serve", "--address", address]).fails(2, &expected);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = harness(&["man"]).exits(0).stdout;
    assert!(page.contains(".TH harness 1") && page.contains("harness\\-score(1)"), "{page}");
    let page = harness(&["man", "mutants", "verify"]).exits(0).stdout;
    assert!(page.contains(".TH harness-mutants-verify 1") && page.contains("\\-\\-fast"), "{page}");
    harness(&["man", "mutants", "verfy"])
        .fails(2, "error: there is no command `verfy`\nhint: did you mean `verify`?\n");

    let empty = folder(&[]);
    harness(&["man", "--out", path(&empty)]).exits(0);
    for (words, _) in commands() {
        let name = format!("harness-{}.1", words.join("-"));
        assert!(empty.path().join(&name).is_file(), "there is no {name}");
    }
    harness(&["man", "--out", path(&empty)]).fails(
        2,
        "\
error: [..] already exists and is not an empty folder
hint: name a new folder; existing files are never overwritten
",
    );
}

#[test]
fn no_color_is_obeyed_everywhere() {
    let test = "student_tests/puzzle/test-1-qm.txt";
    let commands: [&[&str]; 4] =
        [&["--help"], &["scor"], &["explain", test], &["score", "student_tests/puzzle"]];
    for command in commands {
        let run = with(
            &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"), ("TERM", "xterm-256color")],
            command,
        );
        assert!(
            !run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'),
            "{command:?}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let colored = with(&[("CLICOLOR_FORCE", "1"), ("TERM", "xterm-256color")], &["--help"]);
    assert!(colored.stdout.contains('\u{1b}'), "there is a colour that NO_COLOR takes away");
}

#[test]
fn a_misspelled_name_gets_a_suggestion() {
    let fails = |args: &[&str], expected: &str| {
        harness(args).fails(2, expected);
    };
    let more = "For more information, try '--help'.";
    fails(
        &["scor"],
        &format!(
            "error: unrecognized subcommand 'scor'\n\nhint: a similar subcommand exists: 'score'\n\n\
             Usage: harness [OPTIONS] <COMMAND>\n\n{more}\n"
        ),
    );
    fails(
        &["score", "x", "--formt", "json"],
        &format!(
            "error: unexpected argument '--formt' found\n\nhint: a similar argument exists: '--format'\n\n\
             Usage: harness score --format <NAME[=FILE]> <DIR>\n\n{more}\n"
        ),
    );
    let hint = |args: &[&str], error: &str, name: &str| {
        harness(args).fails(2, &format!("error: {error}\nhint: did you mean `{name}`?\n"));
    };
    hint(&["score", "student_test"], "student_test does not exist", "student_tests");
    hint(
        &["score", "student_test/puzzle"],
        "student_test/puzzle does not exist",
        "student_tests/puzzle",
    );
    hint(
        &["score", "student_tests", "--assignment", "puzle"],
        "there is no assignment `puzle`",
        "puzzle",
    );
    hint(
        &["score", "student_tests", "--course", "harnes.yaml"],
        "there is no course file harnes.yaml",
        "harness.yaml",
    );
    let test = "student_tests/puzzle/test-1-qm.txt";
    let wrong = "student_tests/puzzle/test-1-qn.txt";
    hint(&["explain", wrong], &format!("there is no file {wrong}"), test);
    let wrong = "student_tests/puzle/test-1-qm.txt";
    hint(&["view", wrong], &format!("there is no file {wrong}"), test);
    for wrong in ["z-is-no-buton", "no-button"] {
        let error = format!("there is no mutant `{wrong}`");
        hint(&["mutants", "show", wrong], &error, "z-is-no-button");
    }
    hint(
        &["score", "student_tests", "--assignment", "maze"],
        "there is no assignment `maze`",
        "maze-solver",
    );
}

#[test]
fn a_suggested_file_name_has_its_control_characters_escaped() {
    let beside = folder(&[("tests\u{1b}[2J/test-1-q.txt", b"x")]);
    harness(&["score", &format!("{}/tests[2J", path(&beside))]).fails(
        2,
        "error: [..]/tests[2J does not exist\nhint: did you mean `[..]/tests\\u{1b}[2J`?\n",
    );
}

#[test]
fn the_help_names_every_exit_status_of_the_documents() {
    let page = std::fs::read_to_string(super::repository().join("docs/score.md")).unwrap();
    let (_, section) = page.split_once("## Exit status").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let statuses: Vec<u8> = rows.filter_map(|status| status.parse().ok()).collect();
    assert!(statuses.contains(&0) && statuses.contains(&141), "{statuses:?}");
    let help = harness(&["--help"]).exits(0).stdout;
    for status in statuses {
        assert!(help.contains(&format!("\n  {status}  ")), "{status}: {help}");
    }
}
