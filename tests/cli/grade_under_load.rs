//! A grade does not depend on what else the machine does.

use super::grade::{course, grade_with, graded};
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
    // Six times the reference's steps earn nine tenths, as from four to eight times would.
    let makefile = "sum: sum.h\n\tcp sum.h sum && chmod +x sum\nclean:\n\trm -f sum\n";
    let course = course(&[("sum.h", &script(180_000)), ("Makefile", makefile)]);
    fs::write(course.path().join("sum.sh"), script(30_000)).unwrap();
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let time = "      time: { full: 2, none: 42, least: 0.005, runs: 3 }\n";
    fs::write(&file, text + time).unwrap();
    let grade = || {
        let mut report = graded(&grade_with(&course, "mine", &["--format", "json", "--times"]));
        let cases = report.groups.remove(0).cases;
        let share = |case: &CaseReport| (case.verdict, case.share);
        (cases.iter().map(share).collect::<Vec<_>>(), format!("{cases:?}"))
    };
    let (alone, _) = grade();
    assert_eq!(alone, [(Verdict::Slow, 0.9); 2]);
    let load = Load::new();
    let (loaded, cases) = grade();
    drop(load);
    assert_eq!(loaded, alone, "{cases}");
}
