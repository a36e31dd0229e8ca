//! Mutants that hang, crash, eat memory or print without end.

use super::course::Course;
use super::run::{LIMIT, Watchdog, command};
use super::{folder, harness, path, repository};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

const COURSE: &str = "tests/courses/rogue";
const HOWS: [(&str, &str); 9] = [
    ("aborts", "crash"),
    ("eats-memory", "memory"),
    ("exits-with-two", "exit"),
    ("loops-with-ticks", "timeout"),
    ("loops-without-ticks", "timeout"),
    ("overflows-the-stack", "crash"),
    ("panics", "crash"),
    ("prints-otherwise", "output"),
    ("prints-without-end", "output-limit"),
];

fn hows() -> Vec<(String, &'static str)> {
    let args = ["score", "tests/courses/rogue/tests", "--course", COURSE, "--format", "json"];
    let report = harness(&args).exits(0).report();
    report.assignments[0].suites[0]
        .exposed_by
        .iter()
        .map(|(id, by)| (id.clone(), by[0].how.word()))
        .collect()
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_mutant_affects_only_its_own_verdict() {
    let expected: Vec<_> = HOWS.iter().map(|&(id, how)| (id.to_owned(), how)).collect();
    assert_eq!(hows(), expected);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_search_ends_with_its_budget_and_names_the_mutants_that_hang() {
    const BUDGET: Duration = Duration::from_secs(15);
    /// What writing the tests may take on a busy machine. Without a limit, the mutants would hang for minutes.
    const REST: Duration = Duration::from_secs(20);
    let generate = |budget: Duration| {
        let out = folder(&[]);
        let (budget, out) = (budget.as_secs().to_string(), path(&out).to_owned() + "/new");
        let course = "tests/courses/stalling";
        harness(&["generate", "--course", course, "--budget", &budget, "--out", &out])
    };
    // The first time, it builds the programs.
    generate(Duration::from_secs(1));
    let start = Instant::now();
    let run = generate(BUDGET).warns(
        "\
warning: the search stopped running mutants that hang without counting steps
  loops, at [..]src/main.rs:18
  sleeps, at [..]src/main.rs:21
hint: count the steps of their loops, with `tick!` in Rust
",
    );
    assert!(start.elapsed() < BUDGET + REST, "{:?}\n{}", start.elapsed(), run.stdout);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn each_test_that_a_hanging_mutant_reaches_exposes_it() {
    let course = "tests/courses/stalling";
    let run =
        harness(&["score", "tests/courses/stalling/tests", "--course", course, "--format", "json"]);
    let report = run.exits(0).report();
    let exposed = &report.assignments[0].suites[0].exposed_by;
    let counts: Vec<_> = exposed.iter().map(|(id, by)| (id.as_str(), by.len())).collect();
    assert_eq!(counts, [("loops", 14), ("miscounts", 7), ("sleeps", 14)]);
}

/// The programs that the process `parent` started and that still run.
fn children(parent: u32) -> Vec<u32> {
    let stats = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let (number, rest) =
            (stat.split(' ').next()?.parse().ok()?, stat.rsplit_once(')')?.1.to_owned());
        let mut fields = rest.split_whitespace();
        // A zombie does not run.
        let state = fields.next()?;
        (state != "Z" && fields.next()? == parent.to_string()).then_some(number)
    });
    stats.collect()
}

fn lives(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// Waits until `found` returns a value.
fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "timed out");
        sleep(Duration::from_millis(10));
    }
}

/// Scores the suite `tests`, kills `harness` while its program `name` is in a loop, and waits until that program ends.
fn nothing_outlives(course: &Course, name: &str) {
    let mut harness = command()
        .args(["score", &course.word("tests"), "--course", &course.word("")])
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let watchdog = Watchdog::new(&harness, LIMIT);
    let is_meant = |child: u32| {
        fs::read_to_string(format!("/proc/{child}/comm")).is_ok_and(|comm| comm.trim() == name)
    };
    let has_run_for_long = |child: u32| {
        harness::run::process::usage(child)
            .is_some_and(|usage| usage.processor > Duration::from_secs(1))
    };
    let busy = wait_for(|| {
        children(harness.id()).into_iter().find(|&child| is_meant(child) && has_run_for_long(child))
    });
    kill_process(Pid::from_child(&harness), Signal::KILL).unwrap();
    harness.wait().unwrap();
    assert!(!watchdog.has_killed());
    wait_for(|| (!lives(busy)).then_some(()));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_worker_in_a_loop_without_ticks_ends_if_the_harness_is_killed() {
    let course = Course::like(COURSE, &repository().join(COURSE).join("target"));
    course.replace("harness.yaml", "seconds: 1,", "seconds: 1000,");
    course.write(
        "tests/test-1.txt",
        fs::read(repository().join(COURSE).join("tests/test-1.txt")).unwrap(),
    );
    nothing_outlives(&course, "combined");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_program_in_a_loop_ends_if_the_harness_is_killed() {
    let course = Course::of_commands("loop", "sh loop.sh", "sh loop.sh")
        .with("run", "{ seconds: 1000 }")
        .mutant("a", &[])
        .file("loop.sh", "while :; do :; done\n")
        .file("tests/test-1.txt", "go\n");
    nothing_outlives(&course, "sh");
}
