//! The Python worker gives the outcomes that processes give.

mod python {
    pub(crate) mod programs;
    pub(crate) mod worker;
}

use python::programs::{DEPTHS, ENDLESS, INNOCENT, ONLY_IN_PROCESSES, ORDINARY};
use python::worker::{Course, Engine, LIMITS, case, has_python};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use subject::wire::{Detail, UNFIT, WorkerLimits};
use subject::{Case, End, How, Outcome};

/// Runs each program, an innocent run, and the program again, in one worker, and compares each outcome with that of a process.
fn agrees_with_processes(programs: &[(&str, &str)], engine: Engine) {
    if !has_python() {
        return;
    }
    let innocent = case(&["innocent"], "5\n");
    let expected = Course::new(INNOCENT).process(&innocent);
    let (left, right) = programs.split_at(programs.len() / 2);
    let half = |half: &[(&str, &str)]| -> Vec<String> {
        half.iter()
            .filter_map(|program| disagreement(program, engine, &innocent, &expected))
            .collect()
    };
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(right));
        [half(left), other.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn disagreement(
    (name, source): &(&str, &str),
    engine: Engine,
    innocent: &Case,
    expected_innocent: &Outcome,
) -> Option<String> {
    let course = Course::new(&format!("{INNOCENT}{source}"));
    let case = case(&["-x", "ü"], "3\nzwei ü\n\n4");
    let expected = course.process(&case);
    let mut worker = course.worker(&[], engine);
    for (case, expected) in [(&case, &expected), (innocent, expected_innocent), (&case, &expected)]
    {
        let Some(answer) = worker.ask(case, &[], Detail::Outcomes) else {
            return Some(format!("{name}: {}", worker.last_words().1));
        };
        let mut found = answer.reference;
        // A crash has no output: it ends the server that holds it.
        if !matches!(found.end, End::Exit(_)) {
            found.stdout.clone_from(&expected.stdout);
        }
        if found != *expected {
            let [expected, found] = [expected, &found].map(|outcome| {
                format!("{:?} {:?}", outcome.end, String::from_utf8_lossy(&outcome.stdout))
            });
            return Some(format!(
                "{name} {:?}\n  process {expected}\n  worker  {found}",
                case.args
            ));
        }
    }
    None
}

#[test]
fn ordinary_programs_do_in_one_process_what_they_do_in_many() {
    agrees_with_processes(ORDINARY, Engine::Memory);
    agrees_with_processes(DEPTHS, Engine::Memory);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn forked_runs_do_what_processes_do() {
    agrees_with_processes(ORDINARY, Engine::Fork);
    agrees_with_processes(DEPTHS, Engine::Fork);
    agrees_with_processes(ONLY_IN_PROCESSES, Engine::Fork);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_whose_effects_cannot_be_undone_is_unfit() {
    if !has_python() {
        return;
    }
    for (name, source) in ONLY_IN_PROCESSES {
        let course = Course::new(source);
        let mut worker = course.worker(&[], Engine::Memory);
        assert!(worker.ask(&case(&[], ""), &[], Detail::Outcomes).is_none(), "{name} was answered");
        let (status, said) = worker.last_words();
        assert_eq!(status, Some(3), "{name}: {said}");
        assert!(said.starts_with(UNFIT), "{name}: {said}");
    }
}

#[test]
fn every_run_has_an_empty_folder_of_its_own() {
    if !has_python() {
        return;
    }
    let source = "import os, sys\nprint(os.listdir())\n\
                  if sys.argv[1:] == ['file']: open('left', 'w').close()\n\
                  if sys.argv[1:] == ['folder']: os.mkdir('left', 0)\n\
                  if sys.argv[1:] == ['mode']: os.chmod('.', 0o500)\n\
                  if sys.argv[1:] == ['none']: os.rmdir(os.getcwd())\n";
    let course = Course::new(source);
    let mut worker = course.worker(&[], Engine::Fork);
    for word in ["", "file", "", "folder", "mode", "none", ""] {
        let found = worker.ask(&case(&[word], ""), &[], Detail::Outcomes).unwrap().reference;
        assert_eq!((&found.end, found.stdout.as_slice()), (&End::Exit(0), &b"[]\n"[..]), "{word}");
    }
    assert!(
        course
            .worker(&[], Engine::Memory)
            .ask(&case(&["file"], ""), &[], Detail::Outcomes)
            .is_none()
    );
}

#[test]
fn text_and_bytes_come_in_the_order_of_an_interpreter_without_buffers() {
    if !has_python() {
        return;
    }
    let source = "import sys\nprint('text')\nsys.stdout.buffer.write(b'bytes\\n')\nprint('end', end='')\n\
                  sys.stdout.buffer.write(b'!')\nsys.stderr.write('a')\nsys.stderr.buffer.write(b'b')\n";
    for unbuffered in [None, Some("1")] {
        let mut course = Course::new(source);
        course.unbuffered = unbuffered;
        let expected = course.process(&case(&[], ""));
        for engine in [Engine::Memory, Engine::Fork] {
            let mut worker = course.worker(&[], engine);
            let found = worker.ask(&case(&[], ""), &[], Detail::Outcomes).unwrap().reference;
            assert_eq!(found.stdout, expected.stdout, "{unbuffered:?}");
        }
    }
}

#[test]
fn a_program_that_does_not_compile_fails_in_every_run() {
    if !has_python() {
        return;
    }
    for source in
        ["print(1)\nif True", "  print(1)", "x = 'a\0b'\n", "# coding: nothing\n", "return\n"]
    {
        let course = Course::new(source);
        let mut worker = course.worker(&[], Engine::Memory);
        for _ in 0..2 {
            let answer = worker.ask(&case(&[], ""), &[], Detail::Outcomes).unwrap();
            assert_eq!(answer.reference, course.process(&case(&[], "")), "{source:?}");
        }
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_endless_program_is_cut_and_the_next_case_is_answered() {
    if !has_python() {
        return;
    }
    for engine in [Engine::Memory, Engine::Fork] {
        for (name, source, end) in ENDLESS {
            let course = Course::new(&format!("{INNOCENT}{source}"));
            // So little that a growing list takes all memory before it takes all time.
            let limits = WorkerLimits { memory: 1 << 27, ..LIMITS };
            let mut worker = course.worker_within(limits, &[], engine);
            let innocent = case(&["innocent"], "5\n");
            for _ in 0..2 {
                let answer = worker.ask(&case(&[], ""), &[], Detail::Reference);
                let answer = answer.unwrap_or_else(|| panic!("{name}: {}", worker.last_words().1));
                assert_eq!(answer.reference.end, *end, "{name}: {answer:?}");
                let answer = worker.ask(&innocent, &[], Detail::Reference).expect(name);
                assert_eq!(answer.reference.stdout, course.process(&innocent).stdout, "{name}");
            }
        }
    }
}

const MUTANTS: &str = r#"
import sys
from subject import bug
import itertools
n = int(input())
if n == 1 and bug("one"): print("one")
if n == 2 and bug("loops"):
    while True: pass
if n == 2 and bug("catches"):
    while True:
        try:
            while True: pass
        except BaseException: pass
if n == 2 and bug("aborts"): __import__("os").abort()
if n == 2 and bug("never-ends"): sum(itertools.repeat(0))
if n == 2 and bug("fails"): sys.exit(5)
if n == 2 and bug("slower"):
    for i in range(7): pass
if n == 2 and bug("last"): print("last")
for i in range(n): print(i)
if bug("unnamed"): print("never")
"#;
const IDS: [&str; 8] =
    ["one", "loops", "catches", "aborts", "never-ends", "fails", "slower", "last"];

#[test]
fn a_row_names_the_mutants_that_were_reached_and_how_they_differ() {
    if !has_python() {
        return;
    }
    let course = Course::new(MUTANTS);
    for engine in [Engine::Memory, Engine::Fork] {
        let mut worker = course.worker(&IDS, engine);
        let all = [0, 1, 2, 3, 4, 5, 6, 7];
        let answer = worker.ask(&case(&[], "2\n"), &all, Detail::Outcomes).unwrap();
        assert_eq!(answer.reached.iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
        let hows: Vec<_> = answer.differing.iter().map(|found| (found.mutant, found.how)).collect();
        let expected = [
            (1, How::Timeout),
            (2, How::Timeout),
            (3, How::Crash),
            (4, How::Timeout),
            (5, How::Exit),
            (7, How::Output),
        ];
        assert_eq!(hows, expected);
        assert_eq!(answer.near.iter().collect::<Vec<_>>(), [6]);
        assert_eq!(answer.differing[5].outcome.as_ref().unwrap().stdout, b"last\n0\n1\n");
        assert_eq!(answer.reference.stdout, b"0\n1\n");

        let answer = worker.ask(&case(&[], "1\n"), &[0], Detail::Verdicts).unwrap();
        assert_eq!(answer.differing.len(), 1);
        assert!(answer.differing[0].outcome.is_none() && answer.reference.stdout.is_empty());
        let answer = worker.ask(&case(&[], "x\n"), &all, Detail::Reference).unwrap();
        assert_eq!((answer.reference.end, answer.differing.len()), (End::Exit(1), 0));
    }
}

#[test]
fn an_ordinary_process_selects_the_mutant_that_its_environment_names() {
    if !has_python() {
        return;
    }
    let course = Course::new(MUTANTS);
    let case = case(&[], "2\n");
    assert_eq!(course.process(&case).stdout, b"0\n1\n");
    assert_eq!(course.process_of(&case, Some("last")).stdout, b"last\n0\n1\n");
}

#[test]
fn a_loop_that_steps_can_cut_costs_far_less_than_its_time() {
    if !has_python() {
        return;
    }
    let course = Course::new(MUTANTS);
    // Each of the loops may take a minute.
    let limits = WorkerLimits { time: 60_000, ..LIMITS };
    let mut worker = course.worker_within(limits, &IDS, Engine::Memory);
    let case = case(&[], "2\n");
    worker.ask(&case, &[], Detail::Verdicts).unwrap();
    let start = Instant::now();
    for _ in 0..20 {
        assert_eq!(worker.ask(&case, &[1, 2], Detail::Verdicts).unwrap().differing.len(), 2);
    }
    assert!(start.elapsed() < Duration::from_mins(2), "{:?}", start.elapsed());
}

#[test]
fn a_request_may_limit_the_steps_of_the_program_itself() {
    if !has_python() {
        return;
    }
    let course = Course::new("for i in range(100): pass\n");
    let mut worker = course.worker(&[], Engine::Memory);
    let ends = [99, 100].map(|steps| {
        let answer = worker.ask_within(&case(&[], ""), &[], Detail::Verdicts, Some(steps)).unwrap();
        (answer.reference.end, answer.steps)
    });
    assert_eq!(ends, [(End::Timeout, 99), (End::Exit(0), 100)]);
}

const FILES: &str = r#"
import os, sys
names = sorted(os.listdir("."))
print(names, os.getcwd() == os.path.dirname(os.path.realpath(__file__)))
if names == ["a", "b"]:
    print(open("a").read())
    with open("b", "a") as f: f.write("more")
    open("c", "wb").write(b"\xff")
    open("a", "w").write("same")
    os.mkdir("d"); open("d/e", "w").write("x"); os.symlink("a", "l") if len(sys.argv) > 1 else 0
"#;

#[test]
fn a_case_with_files_has_a_folder_of_its_own() {
    if !has_python() {
        return;
    }
    let course = Course::new(FILES);
    let files =
        BTreeMap::from([("a".to_owned(), b"same".to_vec()), ("b".to_owned(), b"b".to_vec())]);
    let other = BTreeMap::from([("z".to_owned(), Vec::new())]);
    for engine in [Engine::Memory, Engine::Fork] {
        let mut worker = course.worker(&[], engine);
        for files in [&files, &files, &other, &BTreeMap::new(), &files] {
            let case = Case { files: files.clone(), ..Case::default() };
            let answer = worker.ask(&case, &[], Detail::Outcomes).expect("it is fit");
            let expected = course.process(&case);
            assert_eq!(answer.reference, expected);
            assert_eq!(answer.written, expected.written());
        }
    }
}

#[test]
fn a_worker_removes_the_folder_of_one_that_was_killed() {
    if !has_python() {
        return;
    }
    let course = Course::new("print()");
    let start = || {
        let mut worker = course.worker(&[], Engine::Memory);
        worker.ask(&case(&[], ""), &[], Detail::Verdicts).unwrap();
        worker
    };
    let mut living = start();
    let folder_of_living = course.temporary_files();
    let killed = start();
    assert_eq!(course.temporary_files().len(), 2);
    killed.kill();
    // The server of the killed worker ends soon after it.
    for _ in 0..20 {
        assert_eq!(start().last_words().0, Some(0));
        if course.temporary_files().len() == 1 {
            break;
        }
    }
    assert_eq!(course.temporary_files(), folder_of_living);
    assert_eq!(living.last_words().0, Some(0));
    assert!(course.temporary_files().is_empty());
}

#[test]
fn modules_beside_the_program_begin_anew_in_every_run() {
    if !has_python() {
        return;
    }
    let course = Course::new(
        "import counter, package.inner\ncounter.seen.append(1)\nprint(counter.seen, counter.next(), package.inner.deep())\n",
    );
    course.add(
        "counter.py",
        "seen = []\ndef next(found=[]):\n    found.append(len(found))\n    return found\n",
    );
    course.add("package/__init__.py", "");
    course.add("package/inner.py", "from counter import seen\ndef deep():\n    while True:\n        seen.append(2)\n        if len(seen) > 5: return __file__\n");
    for engine in [Engine::Memory, Engine::Fork] {
        let mut worker = course.worker(&[], engine);
        let expected = course.process(&case(&[], ""));
        for _ in 0..3 {
            let answer = worker.ask(&case(&[], ""), &[], Detail::Outcomes).unwrap();
            assert_eq!(answer.reference, expected);
        }
    }
    assert!(!course.path("__pycache__").exists(), "bytecode was written");
}

#[test]
fn a_worker_for_another_protocol_says_so() {
    if !has_python() {
        return;
    }
    let course = Course::new("print()");
    let mut worker = course.worker_of_version("1", LIMITS, &[], Engine::Memory);
    let (status, said) = worker.last_words();
    assert_eq!(status, Some(1));
    assert!(said.starts_with(subject::wire::OTHER_VERSION), "{said}");
}
