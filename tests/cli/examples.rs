//! Every command on the example courses in C++ and Python.

use super::course::Course;
use super::run::{Run, command, output};
use super::{repository, skip};
use harness::report::generated::Generated;
use harness::report::verified::Verified;
use harness::result::explained::Explained;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// An example course, and what the test needs of it.
struct Example {
    course: &'static str,
    suite: &'static str,
    test: &'static str,
    mutant: &'static str,
    /// Mutants that `generate` exposes.
    generated: [&'static str; 3],
    /// Limits on the cases of a comparison with a program, so that no case takes long.
    limits: &'static [&'static str],
    /// A program that is wrong in the same way as `mutant`.
    wrong: fn(&Path) -> Option<String>,
}

const CPP: Example = Example {
    course: "examples/puzzle-cpp",
    suite: "student_tests/puzzle",
    test: "student_tests/puzzle/test-1-qm.txt",
    mutant: "discovers-west-before-east",
    generated: [
        "discovers-west-before-east",
        "doors-begin-open",
        "takes-an-empty-comment-for-a-row",
    ],
    limits: &[],
    wrong: wrong_in_cpp,
};

const PYTHON: Example = Example {
    course: "examples/maze-python",
    suite: "student_tests/maze-solver",
    test: "student_tests/maze-solver/test-1-p-0-0-24-9.txt",
    mutant: "stops-in-the-row-of-the-goal",
    generated: ["checks-x-against-the-height", "never-goes-north", "stops-in-the-row-of-the-goal"],
    limits: &["--limit", "rows=5", "--limit", "columns=5"],
    wrong: wrong_in_python,
};

/// Compiles the example with one mutant.
fn wrong_in_cpp(folder: &Path) -> Option<String> {
    let program = folder.join("wrong");
    let sources = std::fs::read_dir(repository().join(CPP.course)).ok()?.flatten();
    let sources = sources.map(|entry| entry.path());
    let sources = sources.filter(|path| path.extension().is_some_and(|found| found == "cpp"));
    let define = format!("-DSUBJECT_MUTANT=\"{}\"", CPP.mutant);
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O1", &define]).args(sources).arg("-o").arg(&program);
    compiler.status().ok()?.success().then(|| program.display().to_string())
}

/// Copies the example, with one mutant always selected.
fn wrong_in_python(folder: &Path) -> Option<String> {
    for entry in std::fs::read_dir(repository().join(PYTHON.course)).ok()?.flatten() {
        if entry.path().extension().is_some_and(|found| found == "py") {
            let text = std::fs::read_to_string(entry.path()).ok()?;
            let text = text.replace(&format!("bug(\"{}\")", PYTHON.mutant), "True");
            std::fs::write(folder.join(entry.file_name()), text).ok()?;
        }
    }
    Some(folder.join("solver.py").display().to_string())
}

/// The course in Python, where a mutant that never ends is stopped sooner.
fn in_python() -> Course {
    let course = Course::copy_of(PYTHON.course);
    course.replace("harness.yaml", "run: { steps", "run: { seconds: 0.5, steps");
    course
}

/// The same with only the mutants that `generate` exposes. Commands that run each mutant on thousands of cases do nothing else with more
/// of them.
fn part_in_python() -> Course {
    let part = in_python();
    part.keep_mutants(&PYTHON.generated);
    for file in ["solver.py", "maze.py", "maze_file.py"] {
        let source = part.read(file);
        let mut pieces = source.split("bug(\"");
        let mut text = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (id, rest) = piece.split_once("\")").unwrap();
            let is_kept = PYTHON.generated.contains(&id);
            text.extend(if is_kept { ["bug(\"", piece] } else { ["False", rest] });
        }
        part.write(file, text);
    }
    part
}

/// Runs a command on a course.
#[track_caller]
fn run_on(course: &str, args: &[&str]) -> Run {
    let mut command = command();
    command.args(args).args(["--course", course]);
    output(&mut command).into()
}

impl Example {
    /// Runs every command on a course, and requires that the results fit each other. Those that run all mutants on thousands of cases get
    /// `part`, the course or a part of it.
    fn every_command_works(&self, course: &str, part: &str) {
        let harness = |args: &[&str]| run_on(course, args);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();

        let report = harness(&["score", self.suite, "--format", "json"]).exits(0).report();
        let assignment = &report.assignments[0];
        assert!(assignment.suites[0].exposed_by.contains_key(self.mutant));

        let explained: Explained =
            harness(&["explain", self.test, "--format", "json"]).exits(0).json();
        let by_test = explained.mutants.iter().filter(|mutant| mutant.difference.is_some());
        assert!(by_test.count() > 0);

        let verified: Verified =
            harness(&["mutants", "verify", "--fast", "--format", "json"]).exits(0).json();
        assert_eq!(verified.assignments[0].mutants.len(), assignment.mutants.len());
        assert!(verified.assignments[0].compared_runs > 0);

        let witness = ["mutants", "witness", self.mutant, "--format", "json"];
        harness(&witness).exits(0).json::<Value>();
        let survey = ["mutants", "survey", "--cases", "20", "--format", "json"];
        run_on(part, &survey).exits(0).json::<Value>();

        let mutants = self.generated.join(",");
        let generate = ["generate", "--budget", "60", "--mutants", &mutants, "--format", "json"];
        let out = ["--out", &path("made")];
        let generated: Generated = harness(&[&generate[..], &out].concat()).exits(0).json();
        let score = ["score", &path("made"), "--assignment", &assignment.id, "--format", "json"];
        let report = harness(&score).exits(0).report();
        let exposed: BTreeSet<_> = report.assignments[0].suites[0].exposed_by.keys().collect();
        let promised: BTreeSet<_> = generated.files.iter().flat_map(|file| &file.exposes).collect();
        assert!(promised.is_subset(&exposed), "{promised:?} {exposed:?}");
        assert!(self.generated.iter().all(|id| promised.contains(&(*id).to_owned())));

        let program = (self.wrong)(folder.path()).expect("the wrong program is made");
        let against =
            ["generate", "--budget", "240", "--against", &program, "--format", "json", "--out"];
        let out = path("against");
        let found: Generated =
            run_on(part, &[&against[..], &[&out], self.limits].concat()).exits(0).json();
        assert!(!found.files.is_empty(), "{found:?}");
    }
}

#[test]
#[ignore = "it searches for minutes; .ci/run runs it"]
fn every_command_works_for_the_puzzle_in_cpp() {
    if Command::new("c++").arg("--version").output().is_err() {
        return skip("there is no C++ compiler `c++` on this machine");
    }
    CPP.every_command_works(CPP.course, CPP.course);
}

#[test]
#[ignore = "it searches for minutes; .ci/run runs it"]
fn every_command_works_for_the_maze_in_python() {
    if Command::new("python3").arg("--version").output().is_err() {
        return skip("there is no `python3` on this machine");
    }
    PYTHON.every_command_works(&in_python().word(""), &part_in_python().word(""));
}
