//! Mutants that hang, crash, eat memory or print without end.

use super::harness;

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

fn hows(options: &[&str]) -> Vec<(String, &'static str)> {
    let mut args = vec!["score", "tests/courses/rogue/tests", "--course", COURSE, "--format", "json"];
    args.extend(options);
    let report = harness(&args).exits(0).report();
    report.assignments[0].suites[0].exposed_by.iter().map(|(id, by)| (id.clone(), by[0].how.word())).collect()
}

#[test]
fn each_costs_its_own_verdict_and_nothing_else() {
    let expected: Vec<_> = HOWS.iter().map(|&(id, how)| (id.to_owned(), how)).collect();
    assert_eq!(hows(&[]), expected, "combined");
    assert_eq!(hows(&["--isolated"]), expected, "isolated");
}
