//! `harness mutants`.

use super::course::{Course, MAIN};
use super::{folder, harness, repository};
use harness::domain::How;
use harness::report::catalogue::{Listed, Shown};
use harness::report::verified::Verified;
use harness::report::witnessed::{Status, Witnessed};
use std::fs;
use std::path::Path;

impl Course {
    /// Declares and describes a mutant, and replaces `right` by `wrong` in the source.
    pub(super) fn add(&self, id: &str, right: &str, wrong: &str, rest: &str) {
        self.mutants(&["new", "tally", id]).exits(0);
        let described =
            format!("summary: s\nkind: misreading\ntopic: a\nspec: s\nhint: h\npoints: 1\n{rest}");
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
    let mut expected = ["summary", "topic", "spec", "hint"].map(empty).to_vec();
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
    for key in ["summary", "topic", "spec", "hint"] {
        course.replace(&file, &format!("{key}: \"\""), &format!("{key}: words"));
    }
    let search = "reference/puzzle/src/search.rs";
    let order = "if bug!(\"discovers-west-before-east\"";
    course.replace(
        search,
        order,
        &format!("if bug!(\"{id}\") {{\n        [North, South, West, East]\n    }} else {order}"),
    );

    let described = course.read(&file);
    let witness = || {
        course
            .mutants(&["witness", id, "--budget", "300", "--format", "json"])
            .exits(0)
            .json::<Witnessed>()
            .assignments
            .remove(0)
    };
    let found = witness();
    assert_eq!((found.mutants.len(), found.mutants[0].status), (1, Status::Written));
    let first = found.mutants[0].found.clone().unwrap();
    assert!(first.certified && first.size == 4, "{first:?}");
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
    assert_eq!(witness().mutants[0].found.as_ref().unwrap().size, 4);
    let expected = format!("{}\n# behind\n{described}", &with_witness[described.len()..]);
    assert_eq!(course.read(&file), expected);
    assert!(course.mutants(&["witness", "--missing"]).exits(0).stdout.starts_with("nothing to do"));
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
fn older_spellings_of_a_topic_and_of_a_size_are_read() {
    let course = super::course::Course::tally();
    let show = || course.harness(&["mutants", "show", "max-starts-at-zero"]).exits(0).stdout;
    let before = show();
    course.replace("mutants/tally/max-starts-at-zero.yaml", "\ntopic:", "\narea:");
    assert_eq!(show(), before);
    let out = course.word("out");
    let list = |option| course.harness(&["generate", "--out", &out, option, "1"]).exits(0).stdout;
    assert!(list("--area").contains("up to size 1"));
    let run = course.harness(&["generate", "--size", "25x10"]);
    assert!(run.stderr.contains("--fixed-size"), "{}", run.stderr);
}
