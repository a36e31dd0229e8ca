//! `harness solution` for programs in C, C++ and Python.

use super::language::{C, CPP, Language, PYTHON};
use super::run::output;
use super::{folder, harness, repository};
use harness::catalogue;
use harness::course::{Assignment, AssignmentProgram, Course};
use harness::suite::decode;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use subject::{Case, End, Outcome};

/// Writes the solution of the course's only assignment, and checks it: it compiles without warnings, names no mutant, and does on
/// each witness what the catalogue expects of the reference.
fn the_solution_is_a_correct_program(language: &Language, course: &Path) {
    let around = folder(&[]);
    let out = around.path().join("solution");
    let course = Course::read(course).unwrap();
    let [assignment] = course.assignments.as_slice() else { panic!("there is one assignment") };
    let words = [assignment.id.as_str(), "--out", out.to_str().unwrap()];
    let course = ["--course", course.folder.to_str().unwrap()];
    harness(&[&["solution"], &words[..], &course].concat()).exits(0);
    let entries = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = entries.collect();
    let ids = catalogue::ids(assignment).unwrap();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let named = ids.iter().find(|id| text.contains(*id));
        assert_eq!(named, None, "{}", file.display());
        assert!(!text.contains("subject"), "{}", file.display());
    }
    let program = built(language, assignment, &out, &files);
    for mutant in catalogue::read(assignment).unwrap() {
        let Some(witness) = mutant.witness else { continue };
        let case = decode::case_of_draft(assignment, &witness.draft());
        let expected = witness.expected.expect("every witness has an expected output");
        let outcome = run(&program, &case, expected.files.keys());
        assert!(expected.is_of(&outcome), "the witness of {}: {outcome:?}", mutant.id);
    }
}

/// The command line of the program. A warning of the compiler is an error.
fn built(
    language: &Language,
    assignment: &Assignment,
    out: &Path,
    files: &[PathBuf],
) -> Vec<String> {
    let AssignmentProgram::Sources(sources) = &assignment.program else { panic!("it has sources") };
    if language.tool == "python3" {
        let main = out.join(sources.files[0].file_name().unwrap());
        return ["python3", "-B", main.to_str().unwrap()].map(str::to_owned).to_vec();
    }
    let program = out.join("program");
    let sources =
        files.iter().filter(|file| file.extension().is_some_and(|it| it == language.ending));
    let standard = if language.tool == "cc" { "-std=c11" } else { "-std=c++17" };
    let mut command = Command::new(language.tool);
    // A parameter that only a bug used stays.
    let warnings = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"];
    command.arg(standard).args(warnings).arg("-o").arg(&program).args(sources);
    let compiled = output(&mut command);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    vec![program.to_str().unwrap().to_owned()]
}

/// Runs the program in a folder with the files of the case. `written` are the files that it may write.
fn run<'a>(program: &[String], case: &Case, written: impl Iterator<Item = &'a String>) -> Outcome {
    let files: Vec<_> =
        case.files.iter().map(|(name, it)| (name.as_str(), it.as_slice())).collect();
    let place = folder(&files);
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .args(&case.args)
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&case.input).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |name: &'a String| Some((name.clone(), fs::read(place.path().join(name)).ok()?));
    let files: BTreeMap<_, _> = written.filter_map(text).collect();
    let status = output.status.code().and_then(|code| u8::try_from(code).ok());
    let end = status.map_or_else(|| End::Crash(output.status.to_string()), End::Exit);
    Outcome { end, stdout: output.stdout, stderr: output.stderr, files }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_solution_of_a_new_course_is_a_correct_program_in_each_language() {
    for language in [C, CPP, PYTHON] {
        let Some(course) = language.course() else { continue };
        the_solution_is_a_correct_program(&language, &course.path(""));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_solution_of_the_puzzle_in_cpp_is_a_correct_program() {
    if CPP.course().is_some() {
        the_solution_is_a_correct_program(&CPP, &repository().join("examples/puzzle-cpp"));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_solution_of_the_maze_in_python_is_a_correct_program() {
    if PYTHON.course().is_some() {
        the_solution_is_a_correct_program(&PYTHON, &repository().join("examples/maze-python"));
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_printed_command_builds_or_runs_the_solution() {
    for language in [C, CPP, PYTHON] {
        let Some(course) = language.course() else { continue };
        let out = course.word("solution");
        let printed = course.harness(&["solution", "tally", "--out", &out]).exits(0).stdout;
        let command = printed
            .lines()
            .last()
            .unwrap()
            .replace("COURSE", course.word("").trim_end_matches('/'));
        let words = shlex::split(&command).unwrap();
        let mut first = Command::new(&words[0]);
        first.args(&words[1..]);
        let mut run = if language.tool == "python3" {
            first
        } else {
            assert!(output(&mut first).status.success(), "{command}");
            Command::new(course.path("solution/program"))
        };
        // An empty input has no numbers, and its sum is 0.
        assert_eq!(output(run.arg("--sum")).stdout, b"0\n", "{command}");
    }
}

#[test]
fn a_form_that_cannot_be_replaced_is_shown_with_its_place_and_a_better_form() {
    for (language, form, hint) in [
        (
            CPP,
            "bool wrong = BUG(\"stops-at-a-blank-line\");",
            "write it as `BUG(\"id\") ? wrong : right`, or as the condition of an `if` with braces, alone or with `!`, `&&` and `||`",
        ),
        (
            PYTHON,
            "wrong = bug(\"stops-at-a-blank-line\")",
            "write it as `wrong if bug(\"id\") else right`, or as the condition of an `if`, alone or with `not`, `and` and `or`",
        ),
    ] {
        let Some(course) = language.course() else { continue };
        let source = language.source();
        let text = course.read(&source);
        let number = text.lines().count() + 1;
        course.write(&source, format!("{text}{form}\n"));
        let column = form.to_lowercase().find("bug").unwrap() + 1;
        let out = course.word("solution");
        let mark = if language.ending == "py" { "bug" } else { "BUG" };
        course.harness(&["solution", "tally", "--out", &out]).fails(
            4,
            &format!(
                "\
error: this `{mark}` cannot be replaced by its correct branch
  --> COURSE/{source}:{number}:{column}
   |
{number} | {form}
   | {caret:>column$}
hint: {hint}
",
                caret = '^'
            ),
        );
        assert!(!course.path("solution").exists());
    }
}
