//! Measures scoring of unit tests: 20 cases on 40 mutants, in C++ and in Python, once the variants are built: a suite that is new, one of
//! which one case has changed, and the suites of a class. These are whole commands. `--watch` says what a changed case changes sooner.
//!
//! Run it with `cargo bench --bench unit`. `-- class` also scores 300 suites in C++. Python needs pytest, C++ doctest.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MUTANTS: usize = 40;
const CASES: usize = 20;
/// The fastest time counts.
const RUNS: usize = 3;
const CLASS: usize = 300;

/// How a language writes what is measured.
struct Language {
    name: &'static str,
    /// The end of the course file: program, framework and files.
    course: &'static str,
    program: &'static str,
    /// The file of tests.
    tests: &'static str,
    /// The beginning of the program and of the tests.
    starts: [&'static str; 2],
    /// A function of the program, and a case, with their number.
    function: fn(usize) -> String,
    case: fn(usize, &str) -> String,
}

const LANGUAGES: [Language; 2] = [
    Language {
        name: "C++, doctest",
        course: "program: { cpp: many.cpp }\n    tests: { unit: doctest, files: [many_tests.cpp], compile: { with: [many.h] } }",
        program: "many.cpp",
        tests: "many_tests.cpp",
        starts: [
            "#include \"many.h\"\n#include \"subject.h\"\n",
            "#include <doctest/doctest.h>\n#include \"many.h\"\n",
        ],
        function: |at| {
            format!("int f{at}(int x) {{ return BUG(\"bug-{at}\") ? x + {at} : x - {at}; }}\n")
        },
        case: |at, more| {
            let asks = [2 * at, 2 * at + 1];
            let checks = asks.map(|it| format!("CHECK(f{it}(9{more}) == 9{more} - {it});"));
            format!("TEST_CASE(\"case {at}\") {{ {} }}\n", checks.join(" "))
        },
    },
    Language {
        name: "Python, pytest",
        course: "program: { python: many.py }\n    tests: { unit: pytest, files: [test_many.py] }",
        program: "many.py",
        tests: "test_many.py",
        starts: ["from subject import bug\n", "from many import *\n"],
        function: |at| {
            format!("\ndef f{at}(x):\n    return x + {at} if bug(\"bug-{at}\") else x - {at}\n")
        },
        case: |at, more| {
            let asks = [2 * at, 2 * at + 1];
            let checks = asks.map(|it| format!("    assert f{it}(9{more}) == 9{more} - {it}\n"));
            format!("\ndef test_{at}():\n{}", checks.concat())
        },
    },
];

fn main() {
    let with_class = std::env::args().any(|word| word == "class");
    println!("{CASES} cases on {MUTANTS} mutants");
    for language in &LANGUAGES {
        let folder = course(language);
        let place = folder.path();
        suite(language, &place.join("new"), "");
        if !score(&place.join("new")) {
            println!("{}: not measured", language.name);
            continue;
        }
        let new = fastest(|run| suite(language, &place.join("new"), &run.to_string()), place);
        // One case is another one each time.
        let changed = fastest(|run| change(language, &place.join("new"), run), place);
        let watched = watched(|run| change(language, &place.join("new"), RUNS + run), place);
        println!(
            "{}: a new suite {new:.1?}, one case changed {changed:.1?}, with --watch {watched:.1?}",
            language.name
        );
        if with_class && language.tests.ends_with("cpp") {
            for student in 0..CLASS {
                suite(language, &place.join(format!("class/{student}")), &student.to_string());
            }
            let start = Instant::now();
            assert!(score(&place.join("class")), "the class is scored");
            println!("{}: {CLASS} suites {:.0?}", language.name, start.elapsed());
        }
    }
}

/// The fastest of some runs of `harness score`, each after a change.
fn fastest(change: impl Fn(usize), place: &Path) -> Duration {
    let run = |run: usize| {
        change(run);
        let start = Instant::now();
        assert!(score(&place.join("new")), "the suite is scored");
        start.elapsed()
    };
    (1..=RUNS).map(run).min().expect("it runs")
}

/// The fastest answer of `harness score --watch` to some changes, none of which changes the result.
fn watched(change: impl Fn(usize), place: &Path) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.args(["score", "--watch"]).arg(place.join("new")).arg("--course").arg(place);
    let mut harness = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let stdout = harness.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("Watching ")), "it watches");
    let mut run = |run: usize| {
        change(run);
        let start = Instant::now();
        assert!(lines.any(|line| line == "Nothing has changed."), "it scores again");
        start.elapsed()
    };
    let fastest = (1..=RUNS).map(&mut run).min().expect("it runs");
    let _ = harness.kill();
    let _ = harness.wait();
    fastest
}

fn score(folder: &Path) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.args(["score", "--format", "json"]).arg(folder);
    let course = folder.parent().expect("it lies in the course");
    command.arg("--course").arg(course).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn course(language: &Language) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let place = folder.path();
    let mut program = language.starts[0].to_owned();
    let mut header = String::from("#pragma once\n");
    fs::create_dir(place.join("mutants")).expect("a folder");
    for at in 0..MUTANTS {
        program.push_str(&(language.function)(at));
        let _ = writeln!(header, "int f{at}(int x);");
        let about = "summary: It adds.\nkind: implementation\ntopic: sums\nspec: none\nhint: None.\npoints: 1\n";
        fs::write(place.join(format!("mutants/bug-{at}.yaml")), about).expect("a file");
    }
    fs::write(place.join(language.program), program).expect("a file");
    fs::write(place.join("many.h"), header).expect("a file");
    let yaml = format!(
        "course: C\nassignments:\n  many:\n    title: Many\n    mutants: mutants\n    scoring: {{ start: 0, full: {MUTANTS}, points: 10 }}\n    {}\n",
        language.course
    );
    fs::write(place.join("harness.yaml"), yaml).expect("a file");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for mark in ["crates/subject/c/subject.h", "crates/subject/python/subject.py"] {
        let name = Path::new(mark).file_name().expect("it has a name");
        fs::copy(root.join(mark), place.join(name)).expect("a file");
    }
    folder
}

/// Writes a suite, whose numbers end with `more`.
fn suite(language: &Language, folder: &Path, more: &str) {
    let cases: String = (0..CASES).map(|at| (language.case)(at, more)).collect();
    fs::create_dir_all(folder).expect("a folder");
    let text = [language.starts[1], &cases].concat();
    fs::write(folder.join(language.tests), text).expect("a file");
}

/// Changes the last case of a suite.
fn change(language: &Language, folder: &Path, run: usize) {
    let path = folder.join(language.tests);
    let text = fs::read_to_string(&path).expect("it was written");
    let last = text.rfind("case 19").or(text.rfind("def test_19")).expect("it is there");
    let start = text[..last].rfind('\n').map_or(0, |at| at + 1);
    let case = (language.case)(CASES - 1, &format!("0{run}"));
    fs::write(path, format!("{}{}", &text[..start], case.trim_start())).expect("a file");
}
