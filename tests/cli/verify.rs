//! `harness mutants verify`.

use super::course::Course;
use super::course::MAIN;
use super::harness;
use std::fs;

#[test]
fn verify_reports_where_features_files_and_source_disagree() {
    let course = Course::tally();
    course.add(
        "sums-only-two",
        "numbers.iter().sum()",
        "numbers.iter().sum::<i64>() - i64::from(cfg!(feature = \"sums-only-two\"))",
        "",
    );
    course.replace("reference/tally/Cargo.toml", "max-starts-at-zero = []\n", "");
    course.replace(MAIN, "bug!(\"stops-at-a-blank-line\")", "bug!(\"stops-at-blank-line\")");
    course.mutants(&["verify"]).fails(4, "\
error: the mutant `max-starts-at-zero` is not a feature of COURSE/reference/tally/Cargo.toml
hint: add `max-starts-at-zero = []` under [features], or remove COURSE/mutants/tally/max-starts-at-zero.yaml
error: there is no mutant `stops-at-blank-line` in the catalogue
  --> COURSE/reference/tally/src/main.rs:40:16
   |
40 |             if bug!(\"stops-at-blank-line\") {
   |                ^
hint: did you mean `stops-at-a-blank-line`?
error: there is no `bug!(\"stops-at-a-blank-line\")` in the source
 --> COURSE/mutants/tally/stops-at-a-blank-line.yaml:1
  |
1 | summary: Stops reading at a blank line.
hint: add it where the bug takes effect
error: there is no `bug!(\"sums-only-two\")` in the source
 --> COURSE/mutants/tally/sums-only-two.yaml:1
  |
1 | summary: s
hint: add it where the bug takes effect
error: `max-starts-at-zero` is not a feature of the crate
  --> COURSE/reference/tally/src/main.rs:54:29
   |
54 |     if largest < Some(0) && bug!(\"max-starts-at-zero\") { Some(0) } else { …
   |                             ^
hint: add `max-starts-at-zero = []` under [features] in its Cargo.toml
error: the feature `sums-only-two` is tested without `bug!`, so it cannot be selected at run time
  --> COURSE/reference/tally/src/main.rs:31:68
   |
31 | …ter().sum::<i64>() - i64::from(cfg!(feature = \"sums-only-two\"))) } else { …
   |                                      ^
hint: use `bug!(\"sums-only-two\")`
");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_reports_claims_that_a_witness_or_the_corpus_contradicts() {
    let course = Course::tally();
    // Without a shape, the corpus has the witnesses and the sample suite only.
    course.replace("harness.yaml", "    input: shapes/tally.yaml\n", "");
    course.replace("harness.yaml", "domain: shape ", "domain: text ");
    let answers = "Ok(answer) => u8::from(writeln!(env.stdout, \"{answer}\")";
    let witness =
        "witness: { flags: s, input: \"1\\n\", expected: { exit: 0, stdout: \"1\\n\" } }\n";
    course.add(
        "adds-one-always",
        answers,
        &answers.replace("{answer}\"", "{}\", answer + i64::from(bug!(\"adds-one-always\"))"),
        witness,
    );
    course.add("never-comes", "let largest =", "let far = numbers.len() > 1_000 && bug!(\"never-comes\");\n    let numbers = if far { &[] } else { numbers };\n    let largest =", witness);
    let file = |id: &str| format!("mutants/tally/{id}.yaml");
    course.replace(&file("max-starts-at-zero"), "    -1\n", "    1\n");
    course.replace(&file("max-starts-at-zero"), "      -1\n", "      1\n");
    fs::write(
        course.path(&file("skips-the-first-number")),
        course.read(&file("skips-the-first-number")) + "expect: { how: crash }\n",
    )
    .unwrap();
    let blank = course.read(&file("stops-at-a-blank-line"));
    let (words, _) = blank.split_once("witness:").unwrap();
    fs::write(
        course.path(&file("stops-at-a-blank-line")),
        format!("{words}expect: {{ equivalent: nobody leaves a line blank }}\n"),
    )
    .unwrap();

    let wrong = course.wrong(&[]);
    let expected = [
        "the witness of `max-starts-at-zero` does not expose it in the combined build",
        "the witness of `never-comes` does not expose it in the combined build",
        "`skips-the-first-number` is exposed by output, but `expect` says crash",
        "`adds-one-always` is exposed by all 6 valid cases: every test finds it",
        "none of 6 valid cases reaches `max-starts-at-zero`",
        "none of 6 valid cases reaches `never-comes`",
        "`stops-at-a-blank-line` is declared equivalent, but this case exposes it:\n--sum\n1\n\n2",
    ];
    assert_eq!(wrong, expected);
    assert_eq!(course.wrong(&["never-comes"]).len(), 2, "only what was asked for");

    // A mutant does not count as a bug if it is declared equivalent, or if its witness does not expose it.
    let warning = "...\n  max-starts-at-zero: its witness does not expose it\n  \
                   never-comes: its witness does not expose it\n...\n";
    let report = course.score("student_tests", &["--format", "json"]).warns(warning).report();
    let ids: Vec<_> =
        report.assignments[0].mutants.iter().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(ids, ["adds-one-always", "skips-the-first-number"]);
    assert_eq!(report.assignments[0].suites[0].score.as_ref().unwrap().mutants, 2);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_shows_a_case_on_which_the_combined_build_differs_from_the_reference() {
    let course = Course::tally();
    let state = "numbers.iter().sum::<i64>() + i64::from(cfg!(feature = r\"max-starts-at-zero\"))";
    course.replace(MAIN, "numbers.iter().sum()", state);
    let wrong = course.wrong(&["--fast"]);
    assert!(
        wrong[0].starts_with(
            "the combined build with no mutant selected differs from the reference on "
        ),
        "{wrong:?}"
    );
    assert!(wrong[0].contains("--sum\n"), "{wrong:?}");
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn mutants_that_hang_crash_or_print_endlessly_behave_the_same_in_both_builds() {
    let rogue = "tests/courses/rogue";
    let run = harness(&["mutants", "verify", "--course", rogue]).exits(0);
    assert!(
        run.stdout.starts_with("rogue: 9 mutants verified, each by its witness, in an isolated build and in the\ncombined build\n"),
        "{}",
        run.stdout
    );
    let fast = harness(&["mutants", "verify", "panics", "--course", rogue, "--fast"]).exits(0);
    assert!(fast.stdout.contains("skipped the isolated builds"), "{}", fast.stdout);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn verify_reports_a_witness_that_a_student_may_not_hand_in() {
    let course = Course::puzzle();
    let file = "mutants/puzzle/fails-without-a-solution.yaml";
    let (words, _) = course
        .read(file)
        .split_once("witness:")
        .map(|(words, rest)| (words.to_owned(), rest.len()))
        .unwrap();
    let wide = format!("{words}witness: {{ flags: q, input: \"0 1 12\\n@#.........?\\n\" }}\n");
    fs::write(course.path(file), wide).unwrap();
    let id = "fails-without-a-solution";
    course.mutants(&["verify", id, "--fast"]).fails(4, "\
error: the witness of `fails-without-a-solution` is not a valid test: the map has 12 columns; a test may have at most 10
 --> COURSE/mutants/puzzle/fails-without-a-solution.yaml:7
  |
7 | witness: { flags: q, input: \"0 1 12\\n@#.........?\\n\" }
error: the witness of `fails-without-a-solution` has no expected output
...
");
}
