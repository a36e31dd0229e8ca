//! Measures what the sandbox adds to a run: `true` as a plain process, with limits alone, and in the sandbox, in turn.
//!
//! Run it with `cargo bench --bench sandbox`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use harness::sandbox::{Ending, Job, Sandbox};
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 300;

fn main() {
    harness::sandbox::enter();
    let isolated = Sandbox::open().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limited = Sandbox::none();
    let run = |sandbox: &Sandbox| {
        let job = Job { command: vec!["true".into()], ..Job::default() };
        let ran = sandbox.run(&job).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(ran.ending, Ending::Exited(0));
    };
    let plain = || assert!(Command::new("true").status().expect("it can be started").success());
    let [mut plainly, mut with_limits, mut inside] = [const { Vec::new() }; 3];
    for _ in 0..RUNS {
        plainly.push(time(plain));
        with_limits.push(time(|| run(&limited)));
        inside.push(time(|| run(&isolated)));
    }
    println!("milliseconds for a run of `true`, of {RUNS}     least  median");
    let [plain, _, inside] = [
        ("a plain process", &mut plainly),
        ("limits alone (--unsafe-no-sandbox)", &mut with_limits),
        ("the sandbox", &mut inside),
    ]
    .map(|(what, times)| {
        times.sort();
        let [least, median] = [times[0], times[RUNS / 2]].map(milliseconds);
        println!("  {what:<42} {least:>7.2} {median:>7.2}");
        [least, median]
    });
    let [least, median] = [0, 1].map(|at| inside[at] - plain[at]);
    println!("  the sandbox adds{:27} {least:>7.2} {median:>7.2}   goal: at most 10", "");
}

fn time(run: impl Fn()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
