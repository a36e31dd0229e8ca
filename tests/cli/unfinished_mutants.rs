//! Mutants that only the source or only the catalogue names: they do not count, and `mutants new --missing` describes them.

use super::course::Course;
use super::language::{C, CPP, Language, PYTHON};

/// A course in which one mutant is described and not written, and another one is written and not described.
fn unfinished(language: &Language) -> Option<(Course, String)> {
    let course = language.course()?;
    course.mutants(&["new", "tally", "sums-only-two"]).exits(0);
    let [line, marked] = language.line;
    let bug = language.bug("doubles-the-sum");
    course.replace(&language.source(), line, &marked.replace("{mark}", &bug));
    let place = Language::place(&course, &language.source(), &bug);
    let warning = format!(
        "\
warning: some mutants of `tally` do not count, because the catalogue and the source differ
  there is no `{}` in the source
  there is no mutant `doubles-the-sum` in the catalogue, in COURSE/{}:{}
hint: `harness mutants new tally --missing` writes the catalogue files that are missing
",
        language.bug("sums-only-two"),
        language.source(),
        place.1
    );
    Some((course, warning))
}

fn does_not_count(language: &Language) {
    let Some((course, warning)) = unfinished(language) else { return };
    let run = course.score("student_tests", &[]).warns(&warning);
    assert!(run.stdout.contains("mutants that exist                3\n"), "{}", run.stdout);
    // A student learns nothing of it.
    let run = course.score("student_tests", &["--audience", "student"]).exits(0);
    assert!(!run.stderr.contains("doubles-the-sum"), "{}", run.stderr);
    let missing = "error: there is no `[..]` in the source\n...\n";
    course.mutants(&["verify", "--fast"]).fails(4, missing);
    course.mutants(&["witness", "sums-only-two"]).fails(4, missing);
}

#[test]
fn a_mutant_that_the_source_or_the_catalogue_lacks_does_not_count() {
    does_not_count(&PYTHON);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_that_the_source_or_the_catalogue_lacks_does_not_count_in_a_compiled_language() {
    does_not_count(&C);
    does_not_count(&CPP);
}

#[test]
fn a_file_is_written_for_every_bug_without_one() {
    for language in [C, CPP, PYTHON] {
        let Some((course, _)) = unfinished(&language) else { continue };
        let run = course.mutants(&["new", "--missing"]).exits(0);
        let first = run.stdout.replace(&course.word(""), "COURSE/").replace("//", "/");
        assert!(
            first.starts_with("Wrote 1 file:\n  COURSE/mutants/tally/doubles-the-sum.yaml\n"),
            "{first}"
        );
        assert!(course.read("mutants/tally/doubles-the-sum.yaml").contains("\nsummary: \"\"\n"));
        let again = course.mutants(&["new", "tally", "--missing"]).exits(0);
        assert!(again.stdout.starts_with("nothing to do: "), "{}", again.stdout);
    }
}

#[test]
fn the_crate_declares_what_its_source_asks_for() {
    let course = Course::tally();
    let main = "reference/tally/src/main.rs";
    course.replace(
        main,
        "numbers.iter().sum()",
        "if bug!(\"sums-to-zero\") { 0 } else { numbers.iter().sum() }",
    );
    course.mutants(&["new", "tally", "--missing"]).exits(0);
    assert!(course.read("reference/tally/Cargo.toml").contains("\nsums-to-zero = []\n"));
    assert!(course.read("mutants/tally/sums-to-zero.yaml").contains("summary"));
}

#[test]
fn a_misspelled_or_malformed_id_gets_no_file() {
    let Some(course) = PYTHON.course() else { return };
    let (source, right) = (PYTHON.source(), "stops-at-a-blank-line");
    course.replace(&source, right, "stops-at-a-blank-lime");
    let run = course.score("student_tests", &[]);
    assert!(
        run.stderr.ends_with("hint: did you mean `stops-at-a-blank-line`?\n"),
        "{}",
        run.stderr
    );
    let [line, marked] = PYTHON.line;
    course.replace(&source, line, &marked.replace("{mark}", "bug(\"Doubles it\")"));
    let run = course.mutants(&["new", "--missing"]).fails(
        4,
        "\
error: there is no mutant `stops-at-a-blank-lime` in the catalogue
...
hint: did you mean `stops-at-a-blank-line`?
error: `Doubles it` is not a valid mutant id: use lower-case words joined by `-`
...
hint: did you mean `doubles-it`?
",
    );
    assert_eq!(run.stdout, "");
    course.mutants(&["new", "tally", "stops-at-a-blank-lime"]).fails(
        2,
        "...\nhint: `harness mutants new tally --missing` describes what the source asks for\n",
    );
}
