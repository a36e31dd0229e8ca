//! What a user sees is what processes do, each in an empty folder, whatever engine ran first.

use super::course::Course;
use super::engines::{C, PYTHON, VERDICTS, course, exposed, has, score, size_course};
use super::run::Run;
use harness::report::against::Against;
use harness::report::generated::Generated;
use harness::result::Report;

/// The course of words in C, with more in its loop and with one more mutant that `x` exposes.
fn with_mutant(id: &str, effect: &str) -> Course {
    let start = "        if (BUG(\"crashes-at-x\")";
    let program = C.replace(start, &format!("        if (BUG(\"{id}\")) {effect}\n{start}"));
    let program = format!(
        "#define _GNU_SOURCE\n#include <signal.h>\n#include <unistd.h>\n#include <string.h>\n{program}"
    );
    let witness = "{ flags: \"\", input: x b, expected: { exit: 0, stdout: \"2\\n\" } }";
    course("c", &program).mutant(id, &[("witness", witness)])
}

/// The tests that expose a mutant.
fn exposing(course: &Course, engine: &str, id: &str) -> Vec<String> {
    exposing_in(&score(course, engine), id)
}

fn exposing_in(report: &Report, id: &str) -> Vec<String> {
    let by = report.assignments[0].suites[0].exposed_by.get(id);
    by.into_iter().flatten().map(|by| by.file.clone()).collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_that_writes_a_file_finds_none_of_another_run_in_any_engine() {
    if !has(&["cc"]) {
        return;
    }
    let effect = "{ FILE *old = fopen(\"scratch.txt\", \"r\"); \
                  if (old || word[0] == 'x') return 5; \
                  if (words == 0) fclose(fopen(\"scratch.txt\", \"w\")); }";
    let course = with_mutant("writes", &effect.replace("old ||", "(old && words == 0) ||"))
        .file("suite/test-4.txt", "a")
        .file("suite/test-5.txt", "b c");
    // No other mutant is of interest, and the one that never ends takes long.
    std::fs::remove_file(course.path("suite/test-3.txt")).unwrap();
    for engine in ["auto", "fork", "process"] {
        assert_eq!(exposing(&course, engine, "writes"), ["test-2.txt"], "{engine}");
        assert!(!course.path("scratch.txt").exists(), "{engine}");
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_right_mutant_that_only_its_engine_takes_for_wrong_is_not_exposed() {
    if !has(&["cc"]) {
        return;
    }
    // It is wrong where the host is loaded, which no other program looks at.
    let effect = "{ char *host = getenv(\"SUBJECT_HOST\"); if (host || word[0] == 'x') return 5; }";
    let course = with_mutant("looks", effect);
    std::fs::remove_file(course.path("suite/test-3.txt")).unwrap();
    for _ in 0..2 {
        let report = score(&course, "auto");
        assert_eq!(exposing_in(&report, "looks"), ["test-2.txt"]);
        let engines = &report.assignments[0].engines;
        assert!(engines.iter().all(|engine| engine.program == "the combined build"), "{engines:?}");
        assert!(engines.iter().all(|engine| engine.engine == "process"), "{engines:?}");
        assert_eq!(engines.len(), 1);
    }
}

#[test]
fn a_mutant_that_blocks_a_signal_and_raises_it_is_right() {
    if !has(&["cc"]) {
        return;
    }
    let effect = "{ sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1); \
                  sigprocmask(SIG_BLOCK, &set, NULL); raise(SIGUSR1); if (word[0] == 'x') return 5; }";
    let course = with_mutant("blocks", effect);
    std::fs::remove_file(course.path("suite/test-3.txt")).unwrap();
    let report = score(&course, "auto");
    assert_eq!(exposing_in(&report, "blocks"), ["test-2.txt"]);
    assert_eq!(report.assignments[0].engines, []);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_slow_mutant_that_ends_in_its_time_does_not_count_as_one_that_never_ends() {
    if !has(&["cc", "python3"]) {
        return;
    }
    // Far more steps than the mutant may take, in a small part of its second.
    let effect = "{ static volatile int burned; while (burned < 20000000) burned++; \
                  if (word[0] == 'x') return 5; }";
    let course = with_mutant("slow", effect);
    let mut expected = VERDICTS.to_vec();
    expected.push(("slow", "exit"));
    for engine in ["auto", "fork"] {
        assert_eq!(exposed(&score(&course, engine)), expected, "{engine}");
        assert_eq!(exposing(&course, engine, "slow"), ["test-2.txt"], "{engine}");
    }
    // A mutant that never ends was waited for once, and is remembered with the build.
    let known = course.read("target/harness/words/confirmed.json");
    assert!(known.contains("\"endless\":[") && !known.contains("\"endless\":[]"), "{known}");
    let slow = "    if bug(\"slow\"):\n        for _ in range(1000000): pass\n\
                \x20       if word[0] == \"x\": sys.exit(5)\n";
    let start = "    if bug(\"crashes-at-x\")";
    let course =
        super::engines::course("python", &PYTHON.replace(start, &format!("{slow}{start}")))
            .mutant("slow", &[("witness", "{ flags: \"\", input: x b }")]);
    assert_eq!(exposing(&course, "auto", "slow"), ["test-2.txt"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn sets_in_python_have_one_order() {
    if !has(&["python3"]) {
        return;
    }
    let program = PYTHON.replace("print(words)", "print(words, set(\"harness\"))");
    let course = Course::new("words", "{ python: words.py }")
        .file(
            "words.py",
            program.replace("bug(\"counts-twice\")", "(bug(\"counts-twice\") and word == \"x\")"),
        )
        .file("subject.py", include_str!("../../crates/subject/python/subject.py"))
        .file("suite/test-1.txt", "a b")
        .mutant("counts-twice", &[("witness", "{ flags: \"\", input: x }")]);
    for id in ["crashes-at-x", "never-ends-at-y", "fails-at-z"] {
        course.replace("words.py", &format!("bug(\"{id}\")"), "False");
    }
    for engine in ["process", "fork", "worker"] {
        assert_eq!(exposed(&score(&course, engine)), [], "{engine}");
    }
}

#[test]
fn without_a_mutant_that_counts_a_score_says_so() {
    let course = Course::of_commands("copy", "cat", "sed s/{mutant}//")
        .mutant("a", &[("witness", "{ flags: \"\", input: b }")])
        .file("suite/test-1.txt", "a\n");
    let warning =
        "warning: 1 mutant of `copy` does not count, because a valid witness is missing\n...\n";
    let run = course.score("suite", &[]).warns(warning);
    assert!(run.stdout.contains("Score: no mutant counts\n"), "{}", run.stdout);
    let json = course.score("suite", &["--format", "json"]).warns(warning).stdout;
    assert!(json.contains("\"max_points\":0.0"), "{json}");
}

/// What is found within `seconds` against a program in C++ that reads a map and then does this, or in more time on a machine that is so
/// busy that the search does not come to its end.
fn against(work: &str, seconds: u64) -> (Against, Course) {
    let program = format!(
        r##"
        #include <cstdio>
        #include <iostream>
        #include <string>
        #include <thread>
        int main() {{
            std::string line;
            std::size_t rows = 0, width = 0;
            bool header = true;
            while (std::getline(std::cin, line)) {{
                if (line.rfind("#", 0) == 0) continue;
                if (header) {{ header = false; continue; }}
                width = line.size();
                rows++;
            }}
            {work}
            std::cout << rows << ' ' << width << '\n';
        }}"##
    );
    let course = size_course().with("run", "{ seconds: 2, reference_steps: 100000 }");
    let course = course.file("mine.cpp", program);
    let (mine, out) = (course.word("mine.cpp"), course.word("out"));
    for seconds in [seconds, 8 * seconds] {
        let args = ["generate", "--against", &mine, "--out", &out, "--format", "json", "--budget"];
        let run: Run = course.harness(&[&args[..], &[&seconds.to_string()]].concat());
        if run.stderr.contains("ended the search before it tried a case") {
            continue;
        }
        let generated: Generated = run.exits(0).json();
        let found = generated.against.expect("a program was compared");
        if found.left_out.is_empty() {
            return (found, course);
        }
    }
    panic!("the search does not come to its end");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_right_program_that_writes_in_its_folder_does_not_differ() {
    if !has(&["python3", "c++"]) {
        return;
    }
    let work = "FILE *made = fopen(\"once\", \"wx\"); if (!made) rows = 99; else fclose(made);";
    let (found, course) = against(work, 4);
    assert!(found.differences.is_empty() && found.unsteady.is_empty(), "{found:?}");
    assert!(found.small_cases > 1 && found.differing_cases == 0, "{found:?}");
    assert!(!course.path("out").exists() && !course.path("once").exists());
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_that_is_wrong_in_every_new_folder_is_wrong_on_every_case() {
    if !has(&["python3", "c++"]) {
        return;
    }
    let work = "FILE *old = fopen(\"once\", \"r\"); if (!old) { rows = 99; fclose(fopen(\"once\", \"w\")); }";
    let (found, _) = against(work, 15);
    assert!(found.on_every_case && found.unsteady.is_empty(), "{found:?}");
    assert_eq!(found.differences.len(), 1, "{found:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_right_program_that_takes_more_steps_than_the_reference_may_does_not_differ() {
    if !has(&["python3", "c++"]) {
        return;
    }
    let work = "for (volatile int burned = 0; burned < 3000000; burned++) {}";
    let (found, _) = against(work, 4);
    assert!(found.differences.is_empty() && found.unsteady.is_empty(), "{found:?}");
    assert!(found.small_cases > 1 && found.differing_cases == 0, "{found:?}");
}
