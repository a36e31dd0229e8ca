//! Runs C and C++ programs by the host, and compares them with ordinary processes.

#[path = "host/again.rs"]
mod again;
#[path = "host/fixture.rs"]
mod fixture;
#[path = "host/programs.rs"]
mod programs;

use fixture::{ENGINES, Engine, HostProgram, LIMITS, case, has_compilers, hello, request};
use std::collections::BTreeMap;
use subject::wire::{Hello, MutantSet, UNFIT, WorkerLimits};
use subject::{Case, End, How};

#[test]
fn programs_do_by_the_host_what_they_do_as_processes() {
    if !has_compilers() {
        return;
    }
    let streams = HostProgram::cpp(programs::STREAMS);
    let mut cases = Vec::new();
    for mode in
        ["cin", "scanf", "mixed", "fast", "getline", "seek", "endl", "binary", "unread", "peek"]
    {
        for input in ["", "1 2 3", "1 2 3\n4 x 5\n", "-7\n\n\n8"] {
            cases.push(case(mode, input));
        }
    }
    streams.check(&cases);
    let state = HostProgram::cpp(programs::STATE);
    let modes = [
        "options -a -b 7 rest",
        "options -b 8",
        "statics",
        "statics",
        "rand",
        "rand",
        "locale",
        "strtok",
        "heap",
        "heap",
        "environment",
        "round",
        "round",
        "time",
        "big",
        "zero",
        "deep",
        "zero",
        "grow",
        "zero",
        "options -x",
    ];
    state.check(&modes.map(|mode| case(mode, "a,b;c d")));
}

#[test]
fn the_end_of_a_run_is_that_of_a_process() {
    if !has_compilers() {
        return;
    }
    let ends = HostProgram::cpp(programs::ENDS);
    let modes = [
        "return",
        "exit",
        "nested",
        "quick",
        "underscore",
        "abort",
        "assert",
        "null",
        "divide",
        "overflow",
        "throw",
        "caught",
        "rethrow",
        "terminate",
        "double-free",
        "bad-free",
        "raise",
        "segv",
        "pure",
        "closed",
        "late",
        "return",
    ];
    ends.check(&modes.map(|mode| case(mode, "")));
}

#[test]
fn limits_of_memory_output_and_time_end_a_run() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::cpp(programs::LIMITS);
    let modes = [
        "fine",
        "vector",
        "fine",
        "malloc",
        "fine",
        "flood",
        "fine",
        "flood-error",
        "fine",
        "spin",
        "fine",
        "sleep",
        "fine",
        "exactly",
        "fine",
    ];
    for engine in ENGINES {
        let outcomes = program.outcomes(engine, &modes.map(|mode| case(mode, "")));
        for (mode, outcome) in modes.iter().zip(outcomes) {
            let expected = match *mode {
                "vector" => End::Memory,
                "malloc" => End::Exit(3),
                "flood" | "flood-error" => End::OutputLimit,
                "spin" | "sleep" => End::Timeout,
                _ => End::Exit(0),
            };
            assert_eq!(outcome.end, expected, "{engine:?} {mode}");
            let length = if *mode == "exactly" { LIMITS.output as usize } else { 5 };
            assert!(
                outcome.end != End::Exit(0) || outcome.stdout.len() == length,
                "{engine:?} {mode}"
            );
        }
    }
}

#[test]
fn a_combined_program_selects_mutants_and_counts_steps() {
    if !has_compilers() {
        return;
    }
    for (compiler, name) in [("cc", "main.c"), ("c++", "main.cpp")] {
        let program = HostProgram::combined(compiler, name, programs::MUTANTS);
        for engine in ENGINES {
            check_mutants(&program, engine);
        }
    }
}

fn check_mutants(program: &HostProgram, engine: Engine) {
    let ids = ["loops", "off-by-one", "never", "crashes", "unseen", "slower", "aborts"];
    let cases = ["3", "0", "3", "5", "3"].map(|input| case("", input));
    let requests: Vec<_> = cases.iter().map(|case| request(case, MutantSet::all(7))).collect();
    let (answers, said) = program.serve(engine, &hello(&ids), &requests);
    assert_eq!((said.as_str(), answers.len()), ("", 5), "{engine:?}");
    assert_eq!(answers[0].reference.stdout, b"6\n");
    let reached = MutantSet::from_iter([0, 1, 3, 5, 6]);
    assert_eq!(answers[0].reached, reached);
    assert_eq!(answers[1].reached, MutantSet::from_iter([1, 5, 6]));
    let hows: Vec<_> =
        answers[0].differing.iter().map(|differing| (differing.mutant, differing.how)).collect();
    assert_eq!(hows, [(0, How::Timeout), (1, How::Output), (3, How::Crash), (6, How::Crash)]);
    assert_eq!(answers[0].differing[1].outcome.as_ref().unwrap().stdout, b"3\n");
    assert_eq!(answers[0].near, MutantSet::from_iter([5]));
    assert!(answers[0].steps > 0 && answers[3].steps > answers[0].steps);
    // What ran before changes nothing.
    assert_eq!(answers[0], answers[2], "{engine:?}");
    assert_eq!(answers[0], answers[4], "{engine:?}");
    let limited = Hello {
        limits: WorkerLimits { reference_steps: answers[0].steps, ..LIMITS },
        ..hello(&ids)
    };
    let exact = program.serve(engine, &limited, &requests[..1]).0;
    assert_eq!(exact[0], answers[0], "{engine:?}");
    let limits = WorkerLimits { reference_steps: answers[0].steps - 1, ..LIMITS };
    let cut = program.serve(engine, &Hello { limits, ..hello(&ids) }, &requests[..1]).0;
    assert_eq!(cut[0].reference.end, End::Timeout, "{engine:?}");
}

#[test]
fn a_reference_without_a_step_limit_limits_its_mutants_as_one_with_a_limit() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::combined("cc", "main.c", programs::MUTANTS);
    let requests = [request(&case("", "3"), MutantSet::all(1))];
    for engine in ENGINES {
        let [limited, unlimited] = [LIMITS.reference_steps, u64::MAX].map(|reference_steps| {
            let limits = WorkerLimits { reference_steps, ..LIMITS };
            program.serve(engine, &Hello { limits, ..hello(&["loops"]) }, &requests).0
        });
        // A mutant may take a multiple of these steps.
        assert!(unlimited[0].steps < 100, "{engine:?}: {}", unlimited[0].steps);
        assert_eq!(unlimited[0].differing[0].how, How::Timeout, "{engine:?}");
        assert_eq!(unlimited, limited, "{engine:?}");
    }
}

#[test]
fn the_header_needs_no_host_and_compiles_without_warnings() {
    if !has_compilers() {
        return;
    }
    for (compiler, name, standard) in
        [("cc", "main.c", "-std=c99"), ("c++", "main.cpp", "-std=c++11")]
    {
        let build = |option: &str| {
            HostProgram::compiled(compiler, name, programs::SITES, &[standard, option])
        };
        let run = |program: &HostProgram, mutant: Option<&str>| {
            let mut command = std::process::Command::new(program.path());
            command.env_remove("SUBJECT_MUTANT");
            command.envs(mutant.map(|id| ("SUBJECT_MUTANT", id)));
            String::from_utf8(command.output().unwrap().stdout).unwrap()
        };
        assert_eq!(run(&build("-DPLAIN"), Some("a")), "0000", "{name}");
        assert_eq!(run(&build("-DSUBJECT_MUTANT=\"a\""), None), "1010", "{name}");
        let combined = build("-DSUBJECT_SELECT");
        assert_eq!(run(&combined, None), "0000", "{name}");
        assert_eq!(run(&combined, Some("a")), "1010", "{name}");
        assert_eq!(run(&combined, Some("b")), "0101", "{name}");
        let requests =
            [request(&case("", ""), MutantSet::all(3)), request(&case("", ""), MutantSet::all(3))];
        for engine in ENGINES {
            let (answers, said) = combined.serve(engine, &hello(&["b", "unused", "a"]), &requests);
            assert_eq!((said.as_str(), answers.len()), ("", 2), "{name} {engine:?}");
            for answer in answers {
                assert_eq!(answer.reached, MutantSet::from_iter([0, 2]), "{name} {engine:?}");
                let outputs: Vec<_> =
                    answer.differing.iter().map(|it| it.outcome.clone().unwrap().stdout).collect();
                assert_eq!(outputs, [b"0101", b"1010"], "{name} {engine:?}");
            }
        }
    }
}

#[test]
fn files_of_a_case_are_for_the_fork_engine() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::c(programs::FILES);
    let files =
        BTreeMap::from([("in".to_owned(), b"text".to_vec()), ("same".to_owned(), b"s".to_vec())]);
    let requests = [request(&Case { files, ..case("", "") }, MutantSet::default())];
    let (answers, said) = program.serve(Engine::Fork, &hello(&[]), &requests);
    assert_eq!((said.as_str(), &answers[0].reference.end), ("", &End::Exit(0)));
    let written =
        BTreeMap::from([("in".to_owned(), b"TEXT".to_vec()), ("out".to_owned(), b"text".to_vec())]);
    assert_eq!(answers[0].reference.files, written);
    assert_eq!(answers[0].written, answers[0].reference.written());
    let (answers, said) = program.serve(Engine::Snapshot, &hello(&[]), &requests);
    assert!(answers.is_empty() && said.starts_with(UNFIT), "{said}");
}

#[test]
fn every_run_of_the_fork_engine_has_an_empty_folder_of_its_own() {
    if !has_compilers() {
        return;
    }
    // It says what it finds, and leaves more behind each time: a file, a folder without permissions, and its own folder without them.
    let program = HostProgram::c(
        r#"
        #include <dirent.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/stat.h>
        int main(int count, char **words) {
            struct dirent *entry;
            int others = 0;
            for (DIR *entries = opendir("."); (entry = readdir(entries)) != NULL;) others += entry->d_name[0] != '.';
            printf("%d\n", others);
            if (count > 1 && strcmp(words[1], "file") == 0) return fclose(fopen("left", "w"));
            if (count > 1 && strcmp(words[1], "folder") == 0) return mkdir("left", 0000) || creat("more", 0600) < 0;
            if (count > 1 && strcmp(words[1], "mode") == 0) return chmod(".", 0500);
            return count > 1 && remove(words[1]) != 0;
        }
        "#,
    );
    let cases = ["", "file", "", "folder", "mode", "", ""].map(|word| case(word, ""));
    for outcome in program.outcomes(Engine::Fork, &cases) {
        let stdout = String::from_utf8(outcome.stdout).unwrap();
        assert_eq!((outcome.end, stdout.as_str()), (End::Exit(0), "0\n"));
        assert!(outcome.files.is_empty(), "{:?}", outcome.files);
    }
}

#[test]
fn what_the_snapshot_engine_cannot_imitate_makes_a_program_unfit() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::c(programs::CALLS);
    let imitated = ["blocked", "unblocked", "abort", "mask", "ignored", "no signal", "parts"];
    let imitated = [&imitated[..], &["links", "whole", "aligned", "nameless"]].concat();
    let others = ["pending", "read", "write", "stat", "data", "below", "left", "random", "usable"];
    let others = [&others[..], &["device", "limit"]].concat();
    let of_mode = |mode: &&str| Case { args: vec![(*mode).to_owned()], ..case("", "abc") };
    program.check(&imitated.iter().map(of_mode).collect::<Vec<_>>());
    for mode in &others {
        let requests = [request(&of_mode(mode), MutantSet::default())];
        let (answers, said) = program.serve(Engine::Snapshot, &hello(&[]), &requests);
        assert!(answers.is_empty() && said.starts_with(UNFIT), "{mode}: {answers:?} {said}");
    }
}

/// What a hostile run may come to.
#[derive(Clone, Copy)]
enum Fate {
    /// What a process comes to, or unfit for snapshots.
    Process,
    /// This end, or unfit for snapshots.
    End(fn(&End) -> bool),
}

#[test]
fn a_hostile_run_changes_no_other_verdict() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::c(programs::HOSTILE);
    let crash: Fate = Fate::End(|end| matches!(end, End::Crash(_)));
    // In a PID namespace, its parent's number is 0, which means its own group.
    let killed = Fate::End(|end| matches!(end, End::Exit(0) | End::Crash(_)));
    let any: Fate = Fate::End(|_| true);
    let attacks = [
        ("threads", Fate::Process),
        ("fork", Fate::Process),
        ("double-fork", Fate::Process),
        ("close-all", Fate::Process),
        ("dup2", Fate::Process),
        ("chdir", Fate::Process),
        ("signal", Fate::Process),
        ("kill-parent", killed),
        ("up-stack", crash),
        ("up-heap", crash),
        ("up-static", crash),
        ("up-libc", any),
        ("down-stack", crash),
        ("down-heap", crash),
        ("down-static", crash),
        ("down-libc", any),
        ("host", any),
        ("handler", Fate::Process),
        ("read", Fate::Process),
        ("write", Fate::Process),
        ("system", Fate::Process),
        ("stop", Fate::End(|end| *end == End::Timeout)),
        ("exec", Fate::Process),
        ("alarm", Fate::Process),
        ("mmap", Fate::Process),
        ("close-one", Fate::Process),
        ("raw", Fate::Process),
        ("maps", any),
    ];
    for engine in ENGINES {
        for (attack, fate) in attacks {
            let cases = ["", attack, "", "", attack, ""].map(|mode| case(mode, "some input"));
            let requests = cases.clone().map(|case| request(&case, MutantSet::default()));
            let (answers, said) = program.serve(engine, &hello(&[]), &requests);
            let is_unfit = said.starts_with(UNFIT);
            assert!(
                said.is_empty() || is_unfit && engine == Engine::Snapshot,
                "{engine:?} {attack}: {said}"
            );
            assert!(
                answers.len() == 6 || is_unfit && answers.len() == 1,
                "{engine:?} {attack}: {}",
                answers.len()
            );
            let (innocent, hostile) = (program.process(&cases[0]), || program.process(&cases[1]));
            for (case, answer) in cases.iter().zip(&answers) {
                let mut outcome = answer.reference.clone();
                outcome.files.clear();
                match fate {
                    _ if case.args.is_empty() => {
                        assert_eq!(outcome, innocent, "{engine:?} {attack}");
                    }
                    Fate::Process => assert_eq!(outcome, hostile(), "{engine:?} {attack}"),
                    Fate::End(is_right) => {
                        assert!(is_right(&outcome.end), "{engine:?} {attack}: {outcome:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_that_a_run_started_survives_it() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::c(programs::HOSTILE);
    let outcomes = program.outcomes(Engine::Fork, &[case("linger", ""), case("", "x")]);
    assert_eq!((&outcomes[0].end, &outcomes[1].end), (&End::Exit(0), &End::Exit(1)));
    // It called itself by a name that no other process has.
    let said = String::from_utf8_lossy(&outcomes[0].stdout).into_owned();
    let name = said.rsplit('\r').next().unwrap();
    let is_it = |entry: std::fs::DirEntry| {
        std::fs::read_to_string(entry.path().join("comm")).is_ok_and(|comm| comm.trim() == name)
    };
    assert!(name.starts_with("host-"), "{said}");
    assert!(!std::fs::read_dir("/proc").unwrap().flatten().any(is_it));
}

#[test]
fn random_inputs_give_the_same_outcomes_as_processes() {
    if !has_compilers() {
        return;
    }
    let program = HostProgram::cpp(programs::WORDS);
    let mut seed = 1u64;
    let mut draw = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let cases: Vec<_> = (0..150)
        .map(|_| {
            let length = draw(400);
            let input: String =
                (0..length).map(|_| b"ab 01\n\t-9z"[draw(10) as usize] as char).collect();
            case(if draw(4) == 0 { "-v" } else { "" }, &input)
        })
        .collect();
    program.check(&cases);
}
