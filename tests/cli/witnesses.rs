//! Witnesses: what the reference is expected to do on them, twins, and mutants that do not count.

use super::course::Course;
use super::course::MAIN;
use harness::report::verified::Verified;
use harness::report::witnessed::{Record, Witnessed};
use std::fs;

const ZERO: &str = "mutants/tally/max-starts-at-zero.yaml";

/// The number of bugs that count, by the JSON report.
fn bugs(course: &Course, warning: &str) -> u32 {
    let report = course.score("student_tests", &["--format", "json"]).warns(warning).report();
    report.assignments[0].suites[0].score.as_ref().unwrap().mutants
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_reports_a_bug_whose_branches_are_swapped() {
    let course = Course::tally();
    course.replace(MAIN, "&& bug!(\"max-starts-at-zero\")", "&& !bug!(\"max-starts-at-zero\")");
    let wrong = course.wrong(&["--fast"]);
    assert_eq!(
        wrong[0],
        "the branches of `max-starts-at-zero` are swapped: on its witness, the mutant does what is \
         expected, and the reference does not: standard output differs (- expected, + found):\n  - -1\n  + 0"
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn an_intended_change_of_the_reference_is_recorded_and_shown() {
    let course = Course::tally();
    course.replace(MAIN, "\"{answer}\"", "\"answer {answer}\"");
    let wrong = course.wrong(&["--fast"]);
    assert!(
        wrong[0].starts_with("on the witness of `max-starts-at-zero`, the reference is not as expected: standard output differs")
            && wrong[0].ends_with("\n  - -1\n  + answer -1"),
        "{wrong:?}"
    );
    course.replace(ZERO, "witness:\n", "witness:   # mine\n");
    let before = course.read(ZERO);
    let run = course.mutants(&["witness", "--record", "--format", "json"]).exits(0);
    let recorded = run.json::<Witnessed>().recorded;
    assert_eq!(recorded.len(), 3);
    assert!(recorded.iter().all(|witness| witness.record == Record::Replaced), "{recorded:?}");
    assert_eq!(course.read(ZERO), before.replace("      -1\n", "      answer -1\n"));
    course.mutants(&["verify", "--fast"]).exits(0);
    let again = course.mutants(&["witness", "--record"]).exits(0);
    assert_eq!(again.stdout, "   3 unchanged\n");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_asks_for_expected_output_that_is_not_recorded() {
    let course = Course::tally();
    let text = course.read(ZERO);
    let (before, _) = text.split_once("  expected:").unwrap();
    fs::write(course.path(ZERO), before).unwrap();
    course.mutants(&["verify", "--fast"]).fails(
        4,
        "error: the witness of `max-starts-at-zero` has no expected output\n...\n\
         [..]`harness mutants witness --record max-starts-at-zero`[..]\n",
    );
    course.mutants(&["witness", "--record", "max-starts-at-zero"]).exits(0);
    assert_eq!(course.read(ZERO), text);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_reports_a_twin_of_another_mutant() {
    let course = Course::tally();
    let witness =
        "witness: { flags: m, input: \"-1\\n\", expected: { exit: 0, stdout: \"-1\\n\" } }\n";
    course.add(
        "calls-negative-numbers-zero",
        "if largest < Some(0) && bug!(\"max-starts-at-zero\")",
        "if largest < Some(0) && (bug!(\"max-starts-at-zero\") || bug!(\"calls-negative-numbers-zero\"))",
        witness,
    );
    // How many cases these are depends on what is drawn.
    for ids in [&[][..], &["calls-negative-numbers-zero"]] {
        let wrong = course.wrong(ids);
        let [twins] = &wrong[..] else { panic!("{wrong:?}") };
        let start = "`calls-negative-numbers-zero` and `max-starts-at-zero` are twins: the same ";
        let cases = twins.strip_prefix(start).and_then(|it| {
            it.strip_suffix(" cases expose them, with the same outcomes")?.split_once(" of ")
        });
        let (exposing, all) = cases.unwrap_or_else(|| panic!("{twins}"));
        let number = |text: &str| text.parse::<usize>().unwrap();
        assert!(0 < number(exposing) && number(exposing) < number(all), "{twins}");
    }
    course.mutants(&["verify", "skips-the-first-number"]).exits(0);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_that_is_being_written_does_not_count_and_staff_is_warned() {
    let course = Course::tally();
    assert_eq!(bugs(&course, ""), 3);
    course.mutants(&["new", "tally", "sums-only-two"]).exits(0);
    let warning = "warning: 1 mutant of `tally` does not count, because a valid witness is missing\n  \
         sums-only-two: there is no `bug!` for it in the source\n\
         hint: `harness mutants verify --assignment tally` checks all mutants\n";
    course.score("student_tests", &[]).warns(warning);
    assert_eq!(bugs(&course, warning), 3);
    course.score("student_tests", &["--audience", "student"]).exits(0);

    // The witness of this one exposes nothing, because its `bug!` has no effect.
    course.add(
        "never-comes",
        "let largest =",
        "let numbers = if bug!(\"never-comes\") { numbers } else { numbers };\n    let largest =",
        "witness: { flags: m, input: \"1\\n\" }\n",
    );
    let warning = "...\n  never-comes: its witness does not expose it\n...\n";
    assert_eq!(bugs(&course, warning), 3);
}

#[test]
fn a_mutant_of_a_program_built_by_commands_needs_a_witness_to_count() {
    let course = Course::of_commands("echo", "cat", "{mutant}")
        .mutant("cat", &[])
        .mutant("false", &[])
        .mutant("tac", &[("witness", "")])
        .mutant("true", &[("witness", "{ flags: \"\", input: x, expected: { exit: 3 } }")])
        .file("tests/test-1.txt", "a\n");
    let tac = course.read("mutants/tac.yaml").replace("witness: \n", "");
    course.write("mutants/tac.yaml", tac);
    let run = course.score("tests", &["--format", "json"]).warns(
        "warning: 3 mutants of `echo` do not count, because a valid witness is missing\n  \
         cat: its witness does not expose it\n  \
         tac: it has no witness\n  \
         true: on its witness, the reference is not as expected\n\
         hint: [..]\n",
    );
    assert_eq!(run.report().assignments[0].suites[0].score.as_ref().unwrap().mutants, 1);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn mutants_are_verified_in_their_own_builds_with_and_without_optimization() {
    let course = Course::tally();
    let verified = |options: &[&str]| {
        let run = course.mutants(&[&["verify", "--format", "json"], options].concat()).exits(0);
        let assignment = run.json::<Verified>().assignments.remove(0);
        (assignment.isolated, assignment.optimized)
    };
    assert_eq!(verified(&[]), (true, false));
    assert_eq!(verified(&["--all"]), (true, true));
    assert_eq!(verified(&["--fast"]), (false, false));
    let built = |folder: &str| {
        let files = fs::read_dir(course.path(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_none()).count()
    };
    assert_eq!(built("target/harness/tally/mutants/built"), 3);

    // A difference that only builds of their own have is found without optimization.
    let alone =
        "cfg!(all(feature = r\"max-starts-at-zero\", not(feature = r\"select-at-run-time\")))";
    course.replace(MAIN, "\"{answer}\"", &format!("\"{{}}\", answer + i64::from({alone})"));
    let differs = "`max-starts-at-zero` behaves differently in the combined and the isolated build: its output differs";
    assert_eq!(course.wrong(&[]), [differs]);
}
