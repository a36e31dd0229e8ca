//! Programs that never end: a run stops as soon as it can earn nothing, and is confirmed once.

use super::sums::{MAKEFILE, SUM, course, grade_with, graded, has_no_compiler, set};
use harness::result::graded::{CaseReport, Verdict};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const CASES: &str = "sample:\n  cases:\n    One: { text: \"1 2\\n\" }\n    Two: { text: \"2 2\\n\" }\n    Three: { text: \"3 2\\n\" }\n    Four: { text: \"4 2\\n\" }\n    Five: { text: \"5 2\\n\" }\n";

/// The cases of a submission that does `what` after it has read its input, and how often it was started.
fn cases(what: &str) -> (Vec<CaseReport>, usize) {
    let runs = tempfile::tempdir().unwrap();
    fs::set_permissions(runs.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let (log, name) = (runs.path().join("log"), runs.path().join("log").display().to_string());
    fs::write(&log, "").unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o666)).unwrap();
    let told = format!(
        "    if (FILE *log = std::fopen({name:?}, \"a\")) std::fputs(\"x\", log), std::fclose(log);\n    {what}\n    std::printf"
    );
    let source = SUM.replace("    std::printf", &told);
    let source = source.replace("#include <cstdio>", "#include <cstdio>\n#include <unistd.h>");
    let course = course(&[("sum.cpp", &source), ("Makefile", MAKEFILE)]);
    fs::write(course.path().join("cases.yaml"), CASES).unwrap();
    // The reference takes less than `least`.
    set(&course, "time: { full: 2, none: 4, least: 0.1, runs: 1 }");
    let report = graded(&grade_with(&course, "mine", &["--format", "json"]));
    (report.groups.into_iter().next().unwrap().cases, fs::read(log).unwrap().len())
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_endless_program_is_stopped_where_it_earns_nothing_and_confirmed_once() {
    if has_no_compiler() {
        return;
    }
    for what in ["for (;;) asm volatile(\"\");", "sleep(1000);"] {
        let (cases, runs) = cases(what);
        assert!(cases.iter().all(|case| case.verdict == Verdict::Timeout), "{cases:?}");
        assert_eq!(runs, cases.len() + 1, "the first run is confirmed");
        let why: Vec<_> = cases.iter().map(|case| case.stopped.as_deref().unwrap()).collect();
        let nothing = "it was stopped after 4 times the reference's time, or after 1 second if that is longer, from where on it earns nothing";
        let less = "it finished none of the first 3 cases, so it was stopped after 2 times the reference's time, or after 0.2 seconds if that is longer, within which it earns all points";
        assert_eq!(why, [nothing, nothing, nothing, less, less]);
    }
}

#[test]
fn a_program_that_is_endless_on_one_case_keeps_the_points_of_the_others() {
    if has_no_compiler() {
        return;
    }
    let (cases, runs) = cases("if (a > 1 && a < 4) for (;;) asm volatile(\"\");");
    let shares: Vec<_> = cases.iter().map(|case| case.share.to_string()).collect();
    assert_eq!((shares.join(" ").as_str(), runs), ("1 0 0 1 1", 6));
}
