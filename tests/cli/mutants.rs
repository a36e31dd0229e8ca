//! `harness mutants`.

use super::course::Course;
use super::{folder, harness, repository};
use harness::domain::How;
use harness::report::catalogue::{Listed, Shown};
use harness::report::verified::Verified;
use harness::report::witnessed::{Status, Witnessed};
use std::fs;
use std::path::Path;

impl Course {
    #[track_caller]
    pub(super) fn mutants(&self, args: &[&str]) -> super::Run {
        self.harness(&[&["mutants"], args].concat())
    }

    /// Declares and describes a mutant, and replaces `right` by `wrong` in the source.
    pub(super) fn add(&self, id: &str, right: &str, wrong: &str, rest: &str) {
        self.mutants(&["new", "tally", id]).exits(0);
        let described =
            format!("summary: s\nkind: misreading\narea: a\nspec: s\nhint: h\npoints: 1\n{rest}");
        self.write(&format!("mutants/tally/{id}.yaml"), described);
        self.replace(MAIN, right, wrong);
    }

    /// The problems that `mutants verify` reports.
    pub(super) fn wrong(&self, options: &[&str]) -> Vec<String> {
        let run = self.mutants(&[&["verify", "--format", "json"], options].concat()).exits(4);
        run.json::<Verified>()
            .assignments
            .remove(0)
            .problems
            .into_iter()
            .map(|wrong| wrong.message)
            .collect()
    }
}

pub(super) const MAIN: &str = "reference/tally/src/main.rs";

fn catalogue_files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn list_prints_one_line_for_each_mutant() {
    let run = harness(&["mutants", "list", "--assignment", "puzzle"]).exits(0);
    assert_eq!(run.stdout.lines().count(), catalogue_files(&repository().join("mutants/puzzle")));
    let columns: Vec<_> = run
        .stdout
        .lines()
        .map(|line| line.find("misreading").or_else(|| line.find("implementation")))
        .collect();
    assert!(columns.iter().all(|column| *column == columns[0]), "{}", run.stdout);
    let listed: Listed = harness(&["mutants", "list", "--format", "json"]).exits(0).json();
    assert_eq!(listed.schema, "harness-mutants/1");
    assert!(
        listed
            .mutants
            .iter()
            .all(|mutant| run.stdout.contains(&mutant.id) || mutant.assignment != "puzzle")
    );
}

#[test]
fn show_prints_a_mutants_place_its_witness_and_what_the_witness_exposes() {
    let id = "traps-begin-active";
    let text = harness(&["mutants", "show", id]).exits(0).stdout;
    assert!(
        text.contains("reference/puzzle/src/rules.rs:")
            && text.contains("bug!(\"traps-begin-active\")"),
        "{text}"
    );
    let shown: Shown = harness(&["mutants", "show", id, "--format", "json"]).exits(0).json();
    assert_eq!(shown.sites.len(), 1);
    let (witness, exposure) = (shown.mutant.witness.unwrap(), shown.exposure.unwrap());
    assert_eq!(exposure.how, Some(How::Output));
    assert!(witness.input.lines().skip(1).all(|line| text.contains(line)), "{text}");

    // Scoring the witness as a test gives the same result.
    let file = format!("test-1-{}.txt", witness.flags);
    let suite = folder(&[(&file, witness.input.as_bytes())]);
    let scored =
        harness(&["score", super::path(&suite), "--assignment", "puzzle", "--format", "json"])
            .exits(0)
            .report();
    let exposed: Vec<_> = scored.assignments[0].suites[0]
        .exposed_by
        .keys()
        .filter(|other| *other != id)
        .cloned()
        .collect();
    assert_eq!(exposure.along, exposed);
}

#[test]
fn an_unknown_mutant_gets_a_suggestion() {
    harness(&["mutants", "show", "traps-begin-activ"]).fails(
        2,
        "error: there is no mutant `traps-begin-activ`\nhint: did you mean `traps-begin-active`?\n",
    );
    harness(&["mutants", "verify", "traps-begin-activ"]).fails(
        2,
        "error: there is no mutant `traps-begin-activ`\nhint: did you mean `traps-begin-active`?\n",
    );
    harness(&["mutants", "witness"]).fails(
        2,
        "\
error: the following required arguments were not provided:
  <ID>...

Usage: harness mutants witness <ID>...

For more information, try '--help'.
",
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn new_declares_and_describes_a_mutant_and_changes_nothing_else() {
    let course = Course::tally();
    let manifest = course.read("reference/tally/Cargo.toml");
    let run = course.mutants(&["new", "tally", "sums-only-two"]).exits(0);
    assert!(run.stdout.contains("write `bug!(\"sums-only-two\")`"), "{}", run.stdout);
    assert!(run.stdout.contains("harness mutants verify sums-only-two"), "{}", run.stdout);
    let expected = manifest
        .replace("stops-at-a-blank-line = []", "stops-at-a-blank-line = []\nsums-only-two = []");
    assert_eq!(course.read("reference/tally/Cargo.toml"), expected);

    // Other commands accept the file as written; `verify` does not until it is filled in.
    assert!(course.mutants(&["list"]).exits(0).stdout.contains("sums-only-two"));
    assert_eq!(course.wrong(&[]), ["there is no `bug!(\"sums-only-two\")` in the source"]);
    course.replace(
        MAIN,
        "numbers.iter().sum()",
        "numbers.iter().take(if bug!(\"sums-only-two\") { 2 } else { usize::MAX }).sum()",
    );
    let empty = |key| format!("the key `{key}` of `sums-only-two` is empty");
    let mut expected = ["summary", "area", "spec", "hint"].map(empty).to_vec();
    expected.push("the mutant `sums-only-two` has no witness".to_owned());
    assert_eq!(course.wrong(&["sums-only-two"]), expected);
}

#[test]
fn new_refuses_a_taken_or_malformed_id_and_overwrites_nothing() {
    let course = Course::tally();
    let (manifest, file) = ("reference/tally/Cargo.toml", "mutants/tally/max-starts-at-zero.yaml");
    let before = (course.read(manifest), course.read(file));
    course.mutants(&["new", "tally", "max-starts-at-zero"]).fails(2, "\
error: the mutant `max-starts-at-zero` already exists in COURSE/mutants/tally/max-starts-at-zero.yaml
error: the crate of `tally` already has a feature `max-starts-at-zero`
error: the source already asks for `max-starts-at-zero`
  --> COURSE/reference/tally/src/main.rs:54:29
   |
54 |     if largest < Some(0) && bug!(\"max-starts-at-zero\") { Some(0) } else { …
   |                             ^
hint: choose an id that is not used yet
");
    course.mutants(&["new", "tally", "Sums_Only Two"]).fails(
        2,
        "\
error: `Sums_Only Two` is not a valid mutant id: use lower-case words joined by `-`
hint: did you mean `sums-only-two`?
",
    );
    course
        .mutants(&["new", "tally", "select-at-run-time"])
        .fails(2, "error: `select-at-run-time` is a reserved feature\nhint: choose another id\n");
    course
        .mutants(&["new", "taly", "a"])
        .fails(2, "error: there is no assignment `taly`\nhint: did you mean `tally`?\n");
    assert_eq!((course.read(manifest), course.read(file)), before);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_new_mutant_gets_its_smallest_witness_and_is_verified() {
    let course = Course::puzzle();
    let id = "discovers-east-last";
    let file = format!("mutants/puzzle/{id}.yaml");
    course.mutants(&["new", "puzzle", id]).exits(0);
    for key in ["summary", "area", "spec", "hint"] {
        course.replace(&file, &format!("{key}: \"\""), &format!("{key}: words"));
    }
    let search = "reference/puzzle/src/search.rs";
    let order = "if bug!(\"discovers-west-before-east\") {";
    course.replace(
        search,
        order,
        &format!("if bug!(\"{id}\") {{\n        [North, South, West, East]\n    }} else {order}"),
    );

    let described = course.read(&file);
    let witness = || {
        course
            .mutants(&["witness", id, "--format", "json"])
            .exits(0)
            .json::<Witnessed>()
            .assignments
            .remove(0)
    };
    let found = witness();
    assert_eq!((found.mutants.len(), found.mutants[0].status), (1, Status::Written));
    let first = found.mutants[0].found.clone().unwrap();
    assert!(first.certified && first.area == 4, "{first:?}");
    let with_witness = course.read(&file);
    assert!(
        with_witness.starts_with(&described)
            && with_witness[described.len()..].starts_with("witness:\n"),
        "{with_witness}"
    );

    let run = course.mutants(&["verify", id]).exits(0);
    assert!(
        run.stdout
            .starts_with("puzzle: 1 mutant verified, each by its witness, in an isolated build"),
        "{}",
        run.stdout
    );

    // A witness that is already smallest is kept; only a larger one is replaced.
    assert_eq!(witness().mutants[0].status, Status::Kept);
    assert_eq!(course.read(&file), with_witness);
    let larger = "witness:   # mine\n  input: \"0 3 3\\n@..\\n...\\n..?\\n\"\n  flags: q\n";
    fs::write(course.path(&file), format!("{larger}\n# behind\n{described}")).unwrap();
    assert_eq!(witness().mutants[0].found.as_ref().unwrap().area, 4);
    let expected = format!("{}\n# behind\n{described}", &with_witness[described.len()..]);
    assert_eq!(course.read(&file), expected);
    assert!(course.mutants(&["witness", "--missing"]).exits(0).stdout.starts_with("nothing to do"));
}

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
error: `stops-at-blank-line` is not a feature of the crate
  --> COURSE/reference/tally/src/main.rs:40:16
   |
40 |             if bug!(\"stops-at-blank-line\") {
   |                ^
hint: did you mean `stops-at-a-blank-line`?
error: `max-starts-at-zero` is not a feature of the crate
  --> COURSE/reference/tally/src/main.rs:54:29
   |
54 |     if largest < Some(0) && bug!(\"max-starts-at-zero\") { Some(0) } else { …
   |                             ^
hint: declare it with `harness mutants new`
error: the feature `sums-only-two` is tested without `bug!`, so it cannot be selected at run time
  --> COURSE/reference/tally/src/main.rs:31:68
   |
31 | …ter().sum::<i64>() - i64::from(cfg!(feature = \"sums-only-two\"))) } else { …
   |                                      ^
hint: use `bug!(\"sums-only-two\")`
");
}

#[test]
fn witness_refuses_a_mutant_that_is_not_in_the_source() {
    let course = Course::puzzle();
    course.mutants(&["new", "puzzle", "counts-rows-from-one"]).exits(0);
    let run = course.mutants(&["witness", "counts-rows-from-one"]).fails(
        4,
        "\
error: there is no `bug!(\"counts-rows-from-one\")` in the source
 --> COURSE/mutants/puzzle/counts-rows-from-one.yaml:2
  |
2 | summary: \"\"
hint: add it where the bug takes effect
",
    );
    assert_eq!(run.stdout, "");
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
