//! Engines: programs in C, C++, Python and Java give the verdicts of processes, and those that an engine cannot run use a slower one.

mod java;

use super::course::Course;
use super::run::Run;
use super::skip;
use harness::report::generated::Generated;
use harness::report::surveyed::Surveyed;
use harness::report::verified::Verified;
use harness::report::witnessed::{Witnessed, WitnessedMutant};
use harness::result::Report;
use harness::result::explained::Explained;
use std::process::Command;

/// Whether these programs exist; if not, the test is skipped.
pub(crate) fn has(programs: &[&str]) -> bool {
    let missing =
        programs.iter().find(|program| Command::new(program).arg("--version").output().is_err());
    if let Some(program) = missing {
        skip(&format!("there is no `{program}` on this machine"));
    }
    missing.is_none()
}

pub(crate) const C: &str = r#"
#include "subject.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    static int words;
    char word[100];
    while (scanf("%99s", word) == 1) {
        if (BUG("crashes-at-x") && word[0] == 'x') abort();
        while (BUG("never-ends-at-y") && word[0] == 'y') words = 1 - words;
        if (BUG("fails-at-z") && word[0] == 'z') return 3;
        words += BUG("counts-twice") ? 2 : 1;
    }
    printf("%d\n", words);
    return 0;
}
"#;

const CPP: &str = r#"
#include "subject.h"
#include <iostream>
#include <stdexcept>
#include <string>
int main() {
    static int words;
    std::string word;
    while (std::cin >> word) {
        if (BUG("crashes-at-x") && word[0] == 'x') throw std::runtime_error("x");
        while (BUG("never-ends-at-y") && word[0] == 'y') words = 1 - words;
        if (BUG("fails-at-z") && word[0] == 'z') return 3;
        words += BUG("counts-twice") ? 2 : 1;
    }
    std::cout << words << '\n';
}
"#;

pub(crate) const PYTHON: &str = r#"
import sys
from subject import bug
words = 0
for word in sys.stdin.read().split():
    if bug("crashes-at-x") and word[0] == "x":
        import os
        os.abort()
    while bug("never-ends-at-y") and word[0] == "y":
        words = 1 - words
    if bug("fails-at-z") and word[0] == "z":
        sys.exit(3)
    words += 2 if bug("counts-twice") else 1
print(words)
"#;

/// A course with this program and the four mutants above.
pub(crate) fn course(language: &str, program: &str) -> Course {
    let name = match language {
        "c" => "words.c",
        "cpp" => "words.cpp",
        "java" => "Words.java",
        _ => "words.py",
    };
    let files = if language == "java" { "[Words.java, Bug.java]" } else { name };
    // A mutant that never ends takes that long in each run. Only Java needs more than a moment to start.
    let seconds = if language == "java" { "1" } else { "0.5" };
    let course = Course::new("words", &format!("{{ {language}: {files} }}"))
        .with("run", &format!("{{ seconds: {seconds}, factor: 1 }}"))
        .file(name, program)
        .file("subject.py", include_str!("../../crates/subject/python/subject.py"))
        .file("Bug.java", include_str!("../../crates/subject/java/Bug.java"))
        .file("suite/test-1.txt", "a b")
        .file("suite/test-2.txt", "x")
        .file("suite/test-3.txt", "y z");
    let expected = "{ flags: \"\", input: a b, expected: { exit: 0, stdout: \"2\\n\" } }";
    ["crashes-at-x", "never-ends-at-y", "fails-at-z", "counts-twice"].into_iter().fold(
        course,
        |course, id| {
            let input = match id {
                "counts-twice" => expected.to_owned(),
                id => expected.replace("a b", &format!("{} b", &id[id.len() - 1..])),
            };
            course.mutant(id, &[("witness", &input)])
        },
    )
}

pub(crate) fn score(course: &Course, engine: &str) -> Report {
    course.score("suite", &["--format", "json", "--engine", engine]).exits(0).report()
}

/// The mutants that a suite exposes, and how.
pub(crate) fn exposed(report: &Report) -> Vec<(&str, &str)> {
    let suite = &report.assignments[0].suites[0];
    suite.exposed_by.iter().map(|(id, by)| (id.as_str(), by[0].how.word())).collect()
}

pub(crate) const VERDICTS: [(&str, &str); 4] = [
    ("counts-twice", "output"),
    ("crashes-at-x", "crash"),
    ("fails-at-z", "exit"),
    ("never-ends-at-y", "timeout"),
];

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn every_engine_gives_the_same_verdicts_in_every_language() {
    if !has(&["cc", "c++", "python3"]) {
        return;
    }
    for (language, program) in [("c", C), ("cpp", CPP), ("python", PYTHON)] {
        let course = course(language, program);
        let fast = score(&course, "auto");
        assert_eq!(exposed(&fast), VERDICTS, "{language}");
        assert_eq!(fast.assignments[0].engines, [], "{language}");
        for engine in ["worker", "snapshot", "fork", "process"] {
            assert_eq!(score(&course, engine), fast, "{language} by {engine}");
        }
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_crate_gives_the_same_verdicts_in_processes() {
    let course = Course::tally();
    let score = |engine: &str| {
        course.score("student_tests", &["--format", "json", "--engine", engine]).exits(0).report()
    };
    assert_eq!(score("process"), score("auto"));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_that_an_engine_cannot_run_steps_down_and_is_remembered() {
    if !has(&["cc"]) {
        return;
    }
    let program = C.replace("#include <stdio.h>", "#include <pthread.h>\n#include <stdio.h>");
    let thread = "int main(void) {\n    pthread_t thread;\n    \
                  if (pthread_create(&thread, NULL, work, NULL)) return 9;\n    \
                  pthread_join(thread, NULL);";
    let program = program.replace("int main(void) {", thread);
    let work = "static void *work(void *nothing) { return nothing; }\nint main(void) {";
    let program = program.replacen("int main(void) {", work, 1);
    let course = course("c", &program).with("program", "{ c: words.c, flags: [-O2, -pthread] }");
    for _ in 0..2 {
        let report = score(&course, "auto");
        assert_eq!(exposed(&report), VERDICTS);
        let engines = &report.assignments[0].engines;
        let programs: Vec<_> = engines.iter().map(|engine| engine.program.as_str()).collect();
        assert_eq!(programs, ["the reference", "the combined build"]);
        assert!(engines.iter().all(|engine| engine.engine == "fork"), "{engines:?}");
    }
    let text = course.score("suite", &[]).exits(0).stdout;
    assert!(text.contains("note: the reference runs by fork: "), "{text}");
    // A program with other contents gets another chance.
    course.write("words.c", C);
    assert_eq!(score(&course, "auto").assignments[0].engines, []);
}

/// A program that prints something else when the host is loaded.
fn telltale() -> String {
    let maps = r#"
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) if (strstr(line, "libhost")) puts("hosted");
    return 0;"#;
    C.replace("    return 0;\n}", &format!("{maps}\n}}"))
        .replace("<stdlib.h>", "<string.h>\n#include <stdlib.h>")
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_finds_a_program_that_differs_from_a_process_and_it_steps_down() {
    if !has(&["cc"]) {
        return;
    }
    let course = course("c", &telltale());
    let verify = || course.harness(&["mutants", "verify", "--fast", "--format", "json"]);
    let first = verify();
    assert_eq!(first.status, 4, "{}", first.stderr);
    let report: Verified = first.json();
    let assignment = &report.assignments[0];
    let differs = |report: &Verified| {
        let problems = &report.assignments[0].problems;
        let messages = problems.iter().map(|problem| problem.message.clone());
        messages
            .filter(|message| message.starts_with("the reference does something else by "))
            .collect::<Vec<_>>()
    };
    let differences = differs(&report);
    assert!(differences.iter().any(|message| message.contains("hosted")), "{differences:?}");
    let engines: Vec<_> =
        assignment.engines.iter().map(|engine| (&*engine.program, &*engine.engine)).collect();
    assert_eq!(engines, [("the reference", "process"), ("the combined build", "process")]);
    // Now all agree, because the programs have stepped down.
    let second: Verified = verify().json();
    assert_eq!(second.assignments[0].engines, assignment.engines);
    assert_eq!(differs(&second), [""; 0]);
    assert_eq!(exposed(&score(&course, "auto")), VERDICTS);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_that_is_a_program_of_its_own_is_run_beside_those_in_the_source() {
    if !has(&["cc", "python3"]) {
        return;
    }
    let other_c = "#include <stdio.h>\nint main(void) { int c, n = 0; while ((c = getchar()) != EOF) n++; printf(\"%d\\n\", n); return 0; }";
    let other_python = "import sys\nprint(len(sys.stdin.read()))";
    for (language, program, ending, other) in
        [("c", C, "c", other_c), ("python", PYTHON, "py", other_python)]
    {
        let course = course(language, program)
            .mutant("counts-letters", &[("witness", "{ flags: \"\", input: a b }")])
            .file(&format!("mutants/counts-letters.{ending}"), other);
        let fast = score(&course, "auto");
        let mut expected = VERDICTS.to_vec();
        expected.insert(0, ("counts-letters", "output"));
        assert_eq!(exposed(&fast), expected, "{language}");
        assert_eq!(score(&course, "process"), fast, "{language}");
    }
}

/// A program of the domain `puzzle` that prints the size of the map.
const SIZE: &str = r##"
import sys
from subject import bug
lines = [line for line in sys.stdin.read().splitlines() if not line.startswith("#")]
header = lines[0].split()
rows = lines[1:]
width = len(rows[-1]) if rows else 0
print(len(rows) - (1 if bug("misses-the-last-row-of-three") and len(rows) > 2 else 0), width)
if bug("prints-the-colors"):
    print(header[0])
"##;

pub(crate) fn size_course() -> Course {
    let flags = "{ files: 9, flags: [{ group: a, letters: { s: { long: --stack, short: -s } } }] }";
    Course::new("size", "{ python: size.py }")
        .with("domain", "puzzle")
        .with("tests", flags)
        .file("size.py", SIZE)
        .file("subject.py", include_str!("../../crates/subject/python/subject.py"))
        .mutant("misses-the-last-row-of-three", &[])
        .mutant("prints-the-colors", &[])
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn tests_are_generated_for_a_python_course_and_hold_in_processes() {
    if !has(&["python3"]) {
        return;
    }
    let course = size_course();
    let ids = ["misses-the-last-row-of-three", "prints-the-colors"];
    let witness = ["mutants", "witness", ids[0], ids[1], "--budget", "120", "--format", "json"];
    let witnessed: Witnessed = course.harness(&witness).exits(0).json();
    let is_found = |mutant: &WitnessedMutant| mutant.found.is_some();
    assert!(witnessed.assignments[0].mutants.iter().all(is_found), "{witnessed:?}");
    let suite = course.word("made");
    let args = ["generate", "--out", &suite, "--budget", "120", "--format", "json"];
    let generated: Generated = course.harness(&args).exits(0).json();
    assert_eq!(generated.missed, [""; 0]);
    assert_eq!(generated.engines, []);
    // What processes have confirmed of a mutant is remembered, and then its engine is believed.
    let known = course.read("target/harness/size/confirmed.json");
    assert!(known.contains("\"prints-the-colors\":["), "{known}");
    let args = ["generate", "--out", &course.word("again"), "--budget", "120", "--format", "json"];
    let again: Generated = course.harness(&args).exits(0).json();
    assert_eq!(again.files, generated.files);
    let report = course.score("made", &["--format", "json", "--engine", "process"]);
    let report = report.exits(0).report();
    for file in &generated.files {
        let test = report.assignments[0].suites[0].tests.iter().find(|test| test.file == file.file);
        assert_eq!(test.expect("it is a test").exposes, file.exposes);
    }
    let surveyed: Surveyed = course
        .harness(&["mutants", "survey", "--cases", "200", "--format", "json"])
        .exits(0)
        .json();
    assert_eq!(surveyed.unexposed, [""; 0]);
    let test = course.word(&format!("made/{}", generated.files[0].file));
    let explained: Explained =
        course.harness(&["explain", &test, "--format", "json"]).exits(0).json();
    let ids: Vec<_> = explained.mutants.iter().map(|mutant| mutant.id.clone()).collect();
    assert!(generated.files[0].exposes.iter().all(|id| ids.contains(id)), "{ids:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn against_a_source_it_is_compiled_and_its_differences_are_found() {
    if !has(&["python3", "c++"]) {
        return;
    }
    let program = r##"
        #include <iostream>
        #include <string>
        int main() {
            std::string line;
            std::size_t rows = 0, width = 0;
            bool header = true;
            while (std::getline(std::cin, line)) {
                if (line.rfind("#", 0) == 0) continue;
                if (header) { header = false; continue; }
                width = line.size();
                rows++;
            }
            volatile bool loops = rows == 2 && width == 1;
            while (loops) {}
            std::cout << rows << ' ' << width << '\n';
        }"##;
    let course = size_course().file("mine.cpp", program);
    let (mine, out) = (course.word("mine.cpp"), course.word("out"));
    let args = ["generate", "--against", &mine, "--budget", "240", "--out", &out];
    let run: Run = course.harness(&[&args[..], &["--format", "json"]].concat());
    let generated: Generated = run.exits(0).json();
    let against = generated.against.expect("a program was compared");
    assert!(against.program[0].ends_with("/mine.cpp"), "{:?}", against.program);
    let hows: Vec<_> =
        against.differences.iter().map(|difference| difference.outcomes.how.word()).collect();
    assert_eq!(hows, ["timeout"]);
}
