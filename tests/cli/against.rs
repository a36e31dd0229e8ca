//! `harness generate --against`: tests on which any program differs from the reference.

mod causes;
mod forms;
mod options;
mod places;
mod readers;
mod slow;
mod told_apart;

use super::course::Course as TestCourse;
use super::run::{command, output};
use super::{Run, folder, harness, path, repository};
use harness::course::Course;
use harness::domain::How;
use harness::report::against::{Against, Reduction};
use harness::report::generated::Stopped;
use harness::run::build::{self, Variant};
use options::{SMALL, executable, found_of, reference};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The program of the Puzzle Solver, or of one of its mutants.
#[track_caller]
fn built(variant: Variant<'_>) -> PathBuf {
    built_of("puzzle", variant)
}

#[track_caller]
fn built_of(assignment: &str, variant: Variant<'_>) -> PathBuf {
    let course =
        Course::read(repository()).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    let assignment =
        course.assignment(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    let built = build::build(&course, assignment, variant)
        .unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    let program = PathBuf::from(&built.words[0]);
    program.canonicalize().unwrap()
}

fn against(program: &Path, options: &[&str]) -> (Run, TempDir) {
    let place = folder(&[]);
    let out = place.path().join("out");
    let mut args = vec![
        "generate",
        "--assignment",
        "puzzle",
        "--format",
        "json",
        "--out",
        out.to_str().unwrap(),
    ];
    args.extend(options);
    // A script that starts the reference sees no other file in the sandbox.
    if program.ends_with("solver") {
        args.push("--unsafe-no-sandbox");
    }
    args.extend(["--against", program.to_str().unwrap()]);
    (harness(&args), place)
}

#[track_caller]
fn found(run: &Run) -> Against {
    run.generated().against.expect("it was a program that was looked at")
}

/// A program that does `lines` and then what the reference does.
fn script(lines: &str) -> TempDir {
    let text =
        format!("#!/bin/sh\n{lines}\nexec '{}' \"$@\"\n", built(Variant::Reference).display());
    let place = folder(&[("solver", text.as_bytes())]);
    std::fs::set_permissions(place.path().join("solver"), PermissionsExt::from_mode(0o755))
        .unwrap();
    place
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn finds_a_small_map_on_which_a_rarely_wrong_program_differs() {
    let program = built(Variant::Mutant("tests-for-the-target-when-taken"));
    let (run, place) = against(&program, &["--budget", "240"]);
    let (report, against) = (run.generated(), found(&run.exits(0)));
    assert_eq!(report.schema, "harness-generated/2");
    assert_eq!(report.stopped, None);
    assert!(against.differing_cases * 10 < report.cases && !against.on_every_case, "{against:?}");
    // Only the stack shows this difference, in either output format.
    let [difference] = against.differences.as_slice() else { panic!("{against:?}") };
    assert_eq!(difference.all_flags, ["s", "sl", "sm"]);
    assert_eq!(difference.resembles.as_deref(), Some("tests-for-the-target-when-taken"));
    assert_eq!((difference.outcomes.how, difference.size), (How::Output, 3), "{difference:?}");
    assert_ne!(difference.outcomes.reference.stdout, difference.outcomes.program.stdout);
    let file = std::fs::read_to_string(place.path().join("out").join(&difference.file)).unwrap();
    assert_eq!(file, difference.outcomes.input);
    let out = place.path().join("out");
    let args = ["score", out.to_str().unwrap(), "--assignment", "puzzle", "--format", "json"];
    let score = harness(&args).exits(0).report();
    assert_eq!(
        score.assignments[0].suites[0].exposed_by["tests-for-the-target-when-taken"].len(),
        1
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_same_seed_gives_the_same_bytes_whatever_the_jobs() {
    let program = built(Variant::Mutant("only-the-pressed-button-becomes-inactive"));
    let run = |jobs| {
        let (run, place) = against(&program, &["--jobs", jobs, "--budget", "240"]);
        run.exits(0).stdout.replace(place.path().to_str().unwrap(), "")
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_reference_does_not_differ_from_itself_and_the_report_says_what_was_tried() {
    let reference = built(Variant::Reference);
    let (run, place) = against(&reference, &["--budget", "3"]);
    let (report, against) = (run.generated(), found(&run.exits(0)));
    assert_eq!((report.folder, report.stopped), (None, Some(Stopped::Time)));
    assert!(against.differences.is_empty() && against.differing_cases == 0, "{against:?}");
    assert!(against.small_cases > 0 && against.random_cases > against.small_cases, "{against:?}");
    assert_eq!(report.cases, against.small_cases + against.random_cases);
    assert!(!place.path().join("out").exists());
    let args = [
        "generate",
        "--assignment",
        "puzzle",
        "--budget",
        "1",
        "--against",
        reference.to_str().unwrap(),
    ];
    let text = harness(&args).exits(0).stdout;
    let prose = text.replace('\n', " ");
    assert!(prose.contains("differs from the reference on none of "), "{text}");
    assert!(
        text.contains("\nTried: ")
            && text.ends_with("The time to search ran out: a larger --budget may find more\n"),
        "{text}"
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_sort_of_failure_is_one_deviation() {
    let solver = script(
        "case \"$*\" in\n*--stack*list*) exit 3 ;;\n*--stack*map*) kill -SEGV $$ ;;\n*--queue*list*) yes ;;\n*--queue*map*) echo; \
         exit 0 ;;\nesac",
    );
    let (run, place) = against(&solver.path().join("solver"), &[]);
    let against = found(&run.exits(0));
    let mut ways: Vec<_> = against
        .differences
        .iter()
        .map(|difference| (difference.flags.as_str(), difference.outcomes.how, difference.size))
        .collect();
    ways.sort_by_key(|way| way.0);
    let expected = [
        ("ql", How::OutputLimit, 2),
        ("qm", How::Output, 2),
        ("sl", How::Exit, 2),
        ("sm", How::Crash, 2),
    ];
    assert_eq!(ways, expected);
    let is_certified = |reduction| reduction == Reduction::Certified;
    assert!(
        against.differences.iter().all(|difference| is_certified(difference.reduction)),
        "{against:?}"
    );
    assert_eq!(std::fs::read_dir(place.path().join("out")).unwrap().count(), 4);
}

/// Lines of a script that keep standard input, including newlines at its end.
const TAKE_INPUT: &str = "input=$(cat; echo x)";

/// Lines of a script that give it to the reference.
fn pass_input() -> String {
    let reference = built(Variant::Reference);
    format!("printf '%s' \"${{input%x}}\" | '{}' \"$@\"\nexit", reference.display())
}

/// The repository's course with a lower time limit for the puzzle. It shares the target folder.
fn hasty_course() -> TestCourse {
    let course = TestCourse::like(".", &repository().join("target"));
    course.replace("harness.yaml", "    mutants: ", "    run: { seconds: 0.4 }\n    mutants: ");
    course
}

#[test]
fn the_report_says_if_a_program_fails_on_every_case() {
    let run = harness(&[
        "generate",
        "--assignment",
        "puzzle",
        "--max-files",
        "1",
        "--against",
        "false",
        "--out",
        path(&folder(&[])),
    ])
    .exits(0);
    let first = run.stdout.lines().next().unwrap();
    assert!(
        first.starts_with("puzzle: `false` differs from the reference on every one of "),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("\nhint: is it this assignment's program?"), "{}", run.stdout);
    assert!(
        run.stdout.contains("the program exits with status 1, and prints nothing\n"),
        "{}",
        run.stdout
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_difference_that_does_not_recur_is_reported_and_not_written() {
    let solver = script(
        "first=\"$0-was-here\"\nif [ ! -e \"$first\" ]; then : >\"$first\"; exit 0; fi\nlater=\"$0-again\"\n\
         if [ ! -e \"$later\" ]; then : >\"$later\"; exit 9; fi",
    );
    let (run, place) = against(&solver.path().join("solver"), &["--budget", "20", "--jobs", "1"]);
    let against = found(&run.exits(0));
    assert!(against.differences.is_empty(), "{against:?}");
    assert_eq!(against.unsteady.iter().map(|way| way.how).collect::<Vec<_>>(), [How::Exit]);
    assert!(!place.path().join("out").exists());
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_can_be_given_as_several_words_or_as_one_quoted_command_line() {
    let place = folder(&[(
        "a solver.sh",
        b"[ \"$1\" = -x ] || exit 4\n[ \"$2\" = 'a b' ] || exit 5\nexit 6\n",
    )]);
    let script = place.path().join("a solver.sh");
    let quoted = format!("sh '{}' -x 'a b'", script.display());
    let several = ["sh", script.to_str().unwrap()];
    for (words, status) in [(&[quoted.as_str()][..], 6), (&several[..], 4)] {
        let out = folder(&[]);
        let mut args = vec!["generate", "--assignment", "puzzle", "--against"];
        args.extend(words);
        args.extend(["--max-files", "1", "--format", "json", "--out", path(&out)]);
        let against = found(&harness(&args).exits(0));
        assert_eq!(
            against.differences[0].outcomes.program.end,
            format!("exits with status {status}")
        );
    }
}

#[test]
fn a_relative_path_to_a_script_works_and_the_files_that_it_writes_are_shown() {
    // The maze solver reads and writes files by name. Each case has its own folder.
    let place = folder(&[("solver.sh", b"echo wrong >path.txt\n")]);
    let mut command = command();
    command
        .args([
            "generate",
            "--assignment",
            "maze-solver",
            "--against",
            "sh",
            "solver.sh",
            "--max-files",
            "1",
            "--format",
            "json",
        ])
        .arg("--course")
        .arg(repository())
        .current_dir(place.path());
    let against = found(&Run::from(output(&mut command)).exits(0));
    let program = &against.differences[0].outcomes.program;
    assert_eq!(
        (program.end.as_str(), program.files["path.txt"].as_str()),
        ("exits with status 0", "wrong\n"),
        "{program:?}"
    );
}

#[test]
fn a_program_that_cannot_be_started_is_a_command_line_error() {
    let place = folder(&[("data", b"no program"), ("script", b"#!/no/such/interpreter\n")]);
    std::fs::set_permissions(place.path().join("script"), PermissionsExt::from_mode(0o755))
        .unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let missing = "No such file or directory (os error 2)";
    let denied = "Permission denied (os error 13)";
    for (program, reason, hint) in [
        (
            "no-such-program".to_owned(),
            missing,
            "is it installed and on the PATH? write `./NAME` for a program in this folder",
        ),
        (at("missing"), missing, "there is no such file; paths are relative to the current folder"),
        (
            at("data"),
            denied,
            "make it executable with `chmod +x [..]/data`, or name its interpreter, as in `python3 [..]/data`",
        ),
        (at("script"), missing, "its first line names an interpreter that does not exist"),
        (at(""), denied, "this is a folder; name the program in it"),
    ] {
        let run = harness(&["generate", "--assignment", "puzzle", "--against", &program]);
        let expected =
            format!("error: the program `{program}` cannot be started: {reason}\nhint: {hint}\n");
        assert_eq!(run.fails(2, &expected).stdout, "");
    }
    harness(&["generate", "--assignment", "puzzle", "--against", "sh 'open"]).fails(
        2,
        "\
error: a quote in `sh 'open` is not closed
hint: quote as in a shell: \"python3 'my solver.py'\"
",
    );
    harness(&["generate", "student_tests/puzzle", "--against", "true"]).fails(
        2,
        "\
error: the argument '[DIR]' cannot be used with '--against <PROGRAM>...'

Usage: harness generate <DIR>

For more information, try '--help'.
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn two_bugs_are_two_deviations_each_with_one_file_for_all_its_flags() {
    // What leads to the first room is wrong with every flag. Any other walk has a line too many.
    let (_place, program) = executable(&format!(
        "'{}' \"$@\" || exit\ncase \"$*\" in\n*' 0 0') echo 0,0 >path.txt ;;\n--full*) echo end >>path.txt ;;\nesac",
        reference("maze-solver").display()
    ));
    let all = (vec!["f", "fp"], vec![]);
    let first = (vec!["f"], vec!["f", "p"]);
    for (max_files, expected) in [("9", all), ("1", first)] {
        let options = [&SMALL[..], &["--budget", "120", "--max-files", max_files]].concat();
        let (against, place) = found_of("maze-solver", &program, &options);
        let found = against.differences.iter();
        let flags: Vec<_> = found.map(|difference| difference.all_flags.concat()).collect();
        let left_out: Vec<_> = against.left_out.iter().map(|way| way.flags.as_str()).collect();
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        assert_eq!((&flags, &left_out), (&expected.0, &expected.1), "{against:?}");
        let files = std::fs::read_dir(place.path().join("out")).unwrap();
        assert_eq!(files.count(), flags.len());
    }
}

#[test]
fn a_program_never_runs_in_the_users_folder() {
    let place = folder(&[
        ("solver", b"#!/bin/sh\nls -A >&2\necho overwritten >notes.txt\nexit 7\n"),
        ("notes.txt", b"mine"),
    ]);
    std::fs::set_permissions(place.path().join("solver"), PermissionsExt::from_mode(0o755))
        .unwrap();
    let mut command = command();
    command
        .args(["generate", "--assignment", "puzzle", "--format", "json", "--against", "./solver"])
        .arg("--course")
        .arg(repository())
        .current_dir(place.path());
    let against = found(&Run::from(output(&mut command)).exits(0));
    assert_eq!(against.differences.len(), 1, "{against:?}");
    assert_eq!(against.differences[0].outcomes.program.stderr, "", "its folder is empty");
    assert_eq!(std::fs::read(place.path().join("notes.txt")).unwrap(), b"mine");
}
