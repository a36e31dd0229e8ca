//! A grade does not depend on what else the machine does.

use super::sums::{course, grade_with, graded};
use harness::result::graded::{CaseReport, Verdict};
use std::fs;
use std::process::{Child, Command};
use std::thread;

/// Processes that only use the processor, four for each core, at the priority of the programs that are measured.
struct Load(Vec<Child>);

impl Load {
    fn new() -> Self {
        let cores = thread::available_parallelism().unwrap().get();
        let mut spin = Command::new("nice");
        spin.args(["-n", "10", "sh", "-c", "while :; do :; done"]);
        Self((0..4 * cores).map(|_| spin.spawn().unwrap()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A script that adds two numbers after so many steps.
fn script(steps: u32) -> String {
    format!(
        "#!/bin/sh\nread a b || exit 1\n[ -n \"$b\" ] || exit 1\ni=0\nwhile [ $i -lt {steps} ]; do i=$((i + 1)); done\necho $((a + b))\n"
    )
}

#[test]
#[ignore = "it uses every core; .ci/run runs it"]
fn four_fold_load_changes_no_grade() {
    // Six times the reference's steps earn nine tenths, and four to eight times earn nearly as much.
    let makefile = "sum: sum.h\n\tcp sum.h sum && chmod +x sum\nclean:\n\trm -f sum\n";
    let course = course(&[("sum.h", &script(180_000)), ("Makefile", makefile)]);
    fs::write(course.path().join("sum.sh"), script(30_000)).unwrap();
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let grade = |seconds: f64| {
        let time = format!("full: 2, none: 42, least: 0.005, runs: 5, seconds: {seconds}");
        fs::write(&file, format!("{text}      time: {{ {time} }}\n")).unwrap();
        let mut report = graded(&grade_with(&course, "mine", &["--format", "json", "--times"]));
        report.groups.remove(0).cases
    };
    let earns_nine_tenths = |cases: &[CaseReport]| {
        let earns = |case: &CaseReport| {
            case.verdict == Verdict::Slow && (0.85..=0.95).contains(&case.share)
        };
        assert!(cases.len() == 2 && cases.iter().all(earns), "{cases:?}");
    };
    let alone = grade(35.0);
    earns_nine_tenths(&alone);
    // By the clock, a run takes four to five times as long beside four others.
    let seconds = alone.iter().filter_map(|case| Some(case.measures?.seconds));
    let limit = 2.5 * seconds.fold(0.0, f64::max);
    let load = Load::new();
    let loaded = grade(limit);
    drop(load);
    earns_nine_tenths(&loaded);
}
