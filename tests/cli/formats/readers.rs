//! Checks reports with the schemas and readers of other projects, which `tests/readers/install.sh` installs into `target/readers`.

use super::{FORK, folder, path, score, zoo};
use crate::{repository, skip};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A file of the readers, or none if they are not installed: the test is skipped.
pub(super) fn reader(file: &str) -> Option<PathBuf> {
    let path = repository().join("target/readers").join(file);
    if !path.exists() {
        skip(&format!("there is no {}; tests/readers/install.sh installs it", path.display()));
        return None;
    }
    Some(path)
}

/// Runs the program with `input` as standard input.
fn run(program: &mut Command, input: &str) -> Output {
    let mut reading = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("Python starts");
    reading.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    reading.wait_with_output().unwrap()
}

/// What junitparser finds in a valid `report`: for each suite its name, and the numbers of cases, failures and skipped cases.
fn read_by_junitparser(report: &str) -> Option<String> {
    let (python, schema) = (reader("python/bin/python")?, reader("junit.xsd")?);
    let output = run(
        Command::new(python).arg(repository().join("tests/readers/junit.py")).arg(schema),
        report,
    );
    assert!(output.status.success(), "{report}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_junit_report_has_a_suite_for_each_student_and_a_case_for_each_bug() {
    let suites: [(&str, &[u8]); 3] = [
        ("class/ann/test-1.txt", b"cat\n"),
        ("class/<&\">/test-1.txt", b"cow\n"),
        ("class/<&\">/test-\u{fffe}\u{1}.txt", b"cow\n"),
    ];
    let zoo = zoo("count", &suites);
    let report = zoo.score("class", &["--format", "junit"]).exits(0).stdout;
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="A zoo">
  <testsuite name="zoo/&lt;&amp;&quot;&gt;" tests="3" failures="2" errors="0" skipped="1">
    <testcase name="cat" classname="zoo.mutants">
      <failure type="not-exposed" message="not exposed: Loses cats."/>
    </testcase>
    <testcase name="dog" classname="zoo.mutants">
      <failure type="not-exposed" message="not exposed: Loses dogs."/>
    </testcase>
    <testcase name="test-\u{1}.txt" classname="zoo.tests">
      <skipped message="rejected: a test is named test-n-flags.txt, for example test-1.txt"/>
      <system-out>hint: did you mean `test-2.txt`?</system-out>
    </testcase>
  </testsuite>
  <testsuite name="zoo/ann" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="cat" classname="zoo.mutants">
      <system-out>exposed by test-1.txt (output)</system-out>
    </testcase>
    <testcase name="dog" classname="zoo.mutants">
      <failure type="not-exposed" message="not exposed: Loses dogs."/>
    </testcase>
  </testsuite>
</testsuites>
"#;
    assert_eq!(report, expected);
    let student =
        zoo.score("class", &["--format", "junit", "--audience", "student"]).exits(0).stdout;
    assert!(
        student.contains(
            r#"<failure type="not-exposed" message="1 of 2 bugs exposed: 5 of 10 points"/>"#
        ),
        "{student}"
    );
    let Some(found) = read_by_junitparser(&report) else { return };
    assert_eq!(found, "zoo/<&\"> 3 2 1\nzoo/ann 2 1 0\n");
    assert_eq!(read_by_junitparser(&student).unwrap(), "zoo/<&\"> 2 1 1\nzoo/ann 1 1 0\n");
}

/// The mutants of a mutation-testing report, by id, each with its text in the source.
pub(super) fn mutants(report: &Value) -> BTreeMap<String, (String, Value)> {
    let mut mutants = BTreeMap::new();
    for file in report["files"].as_object().unwrap().values() {
        let lines: Vec<_> = file["source"].as_str().unwrap().lines().collect();
        for mutant in file["mutants"].as_array().unwrap() {
            let at = |end: &str, what: &str| {
                mutant["location"][end][what].as_u64().unwrap() as usize - 1
            };
            let marked = match (at("start", "line"), at("end", "line")) {
                (from, to) if from == to => {
                    lines[from][at("start", "column")..at("end", "column")].to_owned()
                }
                (from, to) => {
                    [&lines[from][at("start", "column")..], &lines[to][..at("end", "column")]]
                        .concat()
                }
            };
            mutants.insert(mutant["id"].as_str().unwrap().to_owned(), (marked, mutant.clone()));
        }
    }
    mutants
}

/// How `document` violates the schema of mutation-testing reports; empty if it is valid. `None` if there is no reader.
fn broken_by(document: &str) -> Option<String> {
    let schema = reader(
        "node_modules/mutation-testing-report-schema/dist/src/mutation-testing-report-schema.json",
    )?;
    let run = run(
        Command::new(reader("python/bin/python")?)
            .arg(repository().join("tests/readers/schema.py"))
            .arg(schema),
        document,
    );
    let broken = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.success(), broken.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(broken)
}

fn holds_to_the_schema(report: &Value) {
    let Some(broken) = broken_by(&report.to_string()) else { return };
    assert_eq!(broken, "");
    assert_ne!(
        broken_by(r#"{ "schemaVersion": "2.0" }"#).unwrap(),
        "",
        "the schema rejects a document that is not a report"
    );
}

#[test]
fn a_mutation_testing_report_shows_each_mutant_at_its_place_in_the_source() {
    let suite = folder(&[("test-1-ql.txt", FORK), ("test-2-sm.txt", FORK)]);
    let run = score(path(&suite), &["--format", "stryker"]).exits(0);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    holds_to_the_schema(&report);
    let staff = score(path(&suite), &["--format", "json"]).exits(0).report();
    let (suite, mutants) = (&staff.assignments[0].suites[0], mutants(&report));
    assert_eq!(mutants.len(), staff.assignments[0].mutants.len());
    let mut statuses: BTreeMap<_, usize> = BTreeMap::new();
    for (id, (marked, mutant)) in &mutants {
        let id = id.strip_prefix("puzzle/").unwrap();
        assert!(marked.starts_with(&format!("bug!(\"{id}\"")), "{marked}");
        let count = |c| marked.matches(c).count();
        assert!(marked.ends_with(')') && count('(') == count(')'), "{marked}");
        let status = mutant["status"].as_str().unwrap();
        assert_eq!(
            status == "Killed" || status == "Timeout",
            suite.exposed_by.contains_key(id),
            "{id}"
        );
        let covered = mutant["coveredBy"].as_array().unwrap();
        assert_eq!(status == "NoCoverage", covered.is_empty(), "{id}");
        assert!(
            mutant["killedBy"].as_array().unwrap().iter().all(|test| covered.contains(test)),
            "{id}"
        );
        *statuses.entry(status).or_default() += 1;
    }
    assert!(
        ["Killed", "Survived", "NoCoverage"].iter().all(|status| statuses[status] > 0),
        "{statuses:?}"
    );
    let tests = report["testFiles"].as_object().unwrap().values().next().unwrap()["tests"]
        .as_array()
        .unwrap();
    let names: Vec<_> = tests.iter().map(|test| test["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["test-1-ql.txt", "test-2-sm.txt"]);
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn a_mutant_that_only_times_out_has_its_own_status() {
    let run = crate::harness(&[
        "score",
        "tests/courses/rogue/tests",
        "--course",
        "tests/courses/rogue",
        "--format",
        "stryker",
    ]);
    let report: Value = serde_json::from_str(&run.exits(0).stdout).unwrap();
    holds_to_the_schema(&report);
    let statuses: BTreeMap<_, _> = mutants(&report)
        .into_iter()
        .map(|(id, (_, mutant))| (id, mutant["status"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(statuses["rogue/loops-with-ticks"], "Timeout");
    assert_eq!(statuses["rogue/panics"], "Killed");
}

#[test]
fn a_report_of_a_program_without_a_crate_shows_mutants_in_the_catalogue() {
    let suites: [(&str, &[u8]); 2] =
        [("class/ann/test-1.txt", b"cat\n"), ("class/bob/test-1.txt", b"cow\n")];
    let run = zoo("count", &suites).score("class", &["--format", "stryker"]).exits(0);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    holds_to_the_schema(&report);
    assert_eq!(
        report["files"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["mutants/cat.yaml", "mutants/dog.yaml"]
    );
    let mutants = mutants(&report);
    let (marked, cat) = &mutants["zoo/cat"];
    assert_eq!((marked.as_str(), &cat["status"]), ("summary: Loses cats.", &"Killed".into()));
    assert_eq!(cat["killedBy"], serde_json::json!(["zoo/ann/test-1.txt"]));
    assert_eq!(
        mutants["zoo/dog"].1["status"], "Survived",
        "it is not known what a program of its own reaches"
    );
}
