//! Programs that hang or are slow.

use super::options::{SMALL, executable, found_of, reference};
use super::{TAKE_INPUT, TestCourse, against, found, hasty_course, pass_input, script};
use crate::run::has_a_compiler;
use crate::{folder, harness, path};
use harness::domain::How;
use harness::report::against::Reduction;

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_hanging_program_costs_a_few_timeouts_and_other_differences_are_still_found() {
    // It hangs if it starts and ends in the first room.
    let (_place, program) = executable(&format!(
        "case \"$*\" in *--full*) exit 7 ;; *' 0 0 0 0') sleep 100 ;; esac\nexec '{}' \"$@\"",
        reference("maze-solver").display()
    ));
    let options = [&SMALL[..], &["--budget", "120", "--time-limit", "0.4"]].concat();
    let (against, _out) = found_of("maze-solver", &program, &options);
    assert!(
        against.slow_cases > 0 && !against.on_every_case,
        "it is not waited for each time: {against:?}"
    );
    let ways: Vec<_> = against
        .differences
        .iter()
        .map(|difference| (difference.outcomes.how, difference.size))
        .collect();
    assert!(ways.contains(&(How::Timeout, 1)) && ways.contains(&(How::Exit, 1)), "{ways:?}");
    for difference in &against.differences {
        let is_exit = difference.outcomes.how == How::Exit;
        assert_eq!(is_exit, difference.flags.starts_with('f'), "{difference:?}");
    }
    let cases = against.small_cases + against.random_cases;
    assert!(against.differing_cases + against.slow_cases < cases, "some are right: {against:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn the_counts_of_a_hanging_program_add_up_and_its_test_is_reduced() {
    let solver = script("cat >/dev/null; sleep 100");
    let course = hasty_course();
    let (run, _place) =
        against(&solver.path().join("solver"), &["--budget", "120", "--course", &course.word("")]);
    let (report, against) = (run.generated(), found(&run.exits(0)));
    assert_eq!(against.small_cases + against.random_cases, report.cases);
    assert_eq!(against.differing_cases + against.slow_cases, report.cases, "{against:?}");
    assert!(!against.on_every_case && against.slow.is_empty(), "{against:?}");
    let [difference] = against.differences.as_slice() else { panic!("{against:?}") };
    assert_eq!((difference.outcomes.how, difference.size), (How::Timeout, 2));
    assert!(!difference.outcomes.input.contains("//"), "{difference:?}");
    assert!(matches!(difference.reduction, Reduction::Certified | Reduction::Complete));
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_reduction_that_time_cuts_short_says_so() {
    // Large maps take forever, others long, and each of the many cells is a step.
    let lines =
        format!("{TAKE_INPUT}\n[ ${{#input}} -gt 50 ] && sleep 100\nsleep 0.2\n{}", pass_input());
    let solver = script(&lines);
    let args = ["generate", "--assignment", "puzzle", "--budget", "28", "--time-limit", "3"];
    let out = folder(&[]);
    let program = solver.path().join("solver");
    let out = ["--out", path(&out), "--unsafe-no-sandbox"];
    let against = [&out[..], &["--against", program.to_str().unwrap()]].concat();
    let text = harness(&[&args[..], &against[..]].concat());
    let text = text.exits(0).stdout;
    assert!(text.contains("reduced: time ran out\n"), "{text}");
    assert!(!text.contains("no single step"), "{text}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_slow_program_that_is_right_is_not_wrong() {
    let solver = script("sleep 0.6");
    let course = hasty_course();
    let (run, place) =
        against(&solver.path().join("solver"), &["--budget", "30", "--course", &course.word("")]);
    let against = found(&run.exits(0));
    assert!(against.differences.is_empty() && against.differing_cases == 0, "{against:?}");
    assert_eq!(against.slow.len(), 1, "{against:?}");
    assert!(!place.path().join("out").exists());
    let enough = ["--budget", "12", "--course", &course.word(""), "--time-limit", "20"];
    let (run, _place) = self::against(&solver.path().join("solver"), &enough);
    let against = found(&run.exits(0));
    assert!(against.slow.is_empty() && against.slow_cases == 0, "{against:?}");
}

/// Only the reference without mutants takes long, so that the search ends while it runs.
#[test]
fn a_reference_that_the_end_of_the_search_stops_does_not_break_the_course() {
    if !has_a_compiler() {
        return crate::skip("there is no C compiler");
    }
    let program = "#include <stdio.h>
#include <unistd.h>
#include \"subject.h\"
int main(void) {
    int x;
    scanf(\"%d\", &x);
#ifndef SUBJECT_SELECT
    usleep(150000);
#endif
    printf(\"%d\\n\", BUG(\"a\") ? x + 1 : x);
}
";
    let course = TestCourse::new("number", "{ c: number.c }")
        .with("domain", "shape")
        .with("input", "{ input: [{ line: [{ x: 0 .. 1000 }] }] }")
        .mutant("a", &[])
        .file("number.c", program);
    // The first search may have no time left after what is done once for each build.
    for _ in 0..2 {
        let run = course.harness(&["generate", "--against", "cat", "--budget", "2"]);
        assert!([0, 2].contains(&run.status), "{}{}", run.stdout, run.stderr);
        assert!(!run.stderr.contains("differs from the reference"), "{}", run.stderr);
    }
}
