//! `harness mutants cases`: which of the instructor's cases expose which mutants, and what `doctor` says of it.

use super::sums::course;
use super::{harness, path};
use harness::report::doctor::{Diagnosis, Health};
use harness::result::cases::{AssignmentCases, CaseKind, Cases};
use std::fs;
use tempfile::TempDir;

/// A mutant of the course of sums: its id, its program, and the input of its witness, if it has one.
const MUTANTS: [(&str, &str, Option<&str>); 4] = [
    ("forgets-the-carry", "[ $((a + b)) -eq 100 ] && a=0; echo $((a + b))", Some("99 1")),
    ("takes-one-number", "echo $((a + ${b:-0}))", None),
    ("counts-in-a-byte", "echo $(((a + b) % 256))", Some("200 56")),
    ("does-the-same", "[ -n \"$b\" ] || exit 1; echo $((a + b))", Some("1 2")),
];

/// A course with these mutants and cases. Tests have at most eight bytes.
fn course_with(cases: &str) -> TempDir {
    let course = course(&[]);
    let write = |name: &str, text: &str| fs::write(course.path().join(name), text).unwrap();
    let read = |name: &str| fs::read_to_string(course.path().join(name)).unwrap();
    write("cases.yaml", cases);
    write("harness.yaml", &read("harness.yaml").replace("files: 3,", "files: 3, bytes: 8,"));
    let described = read("mutants/adds-one.yaml");
    for (id, does, witness) in MUTANTS {
        let checks = if id == "takes-one-number" { "" } else { "[ -n \"$b\" ] || exit 1\n" };
        write(&format!("wrong/{id}.sh"), &format!("read a b || exit 1\n{checks}{does}\n"));
        let (start, _) = described.split_once("witness:").unwrap();
        let witness = witness.map(|text| {
            let sum: u32 = text.split(' ').map(|word| word.parse::<u32>().unwrap()).sum();
            format!(
                "witness:\n  flags: ''\n  input: \"{text}\\n\"\n  expected: {{ exit: 0, stdout: \"{sum}\\n\" }}\n"
            )
        });
        write(&format!("mutants/{id}.yaml"), &format!("{start}{}", witness.unwrap_or_default()));
    }
    course
}

#[track_caller]
fn held(course: &TempDir, status: u8) -> AssignmentCases {
    let run = harness(&["mutants", "cases", "--format", "json", "--course", path(course)]);
    run.exits(status.into()).json::<Cases>().assignments.remove(0)
}

fn exposed_by(held: &AssignmentCases, id: &str) -> Vec<String> {
    held.mutants.iter().find(|mutant| mutant.id == id).unwrap().cases.clone()
}

const FEW: &str =
    "sample:\n  cases:\n    Two: { text: \"1 2\\n\" }\n    Three: { text: \"4 2\\n\" }\n";

#[test]
fn a_mutant_that_no_case_exposes_is_named_unless_no_valid_input_is_known_to_expose_it() {
    let course = course_with(FEW);
    let held = held(&course, 1);
    let missed: Vec<_> = held.missed().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(missed, ["counts-in-a-byte", "forgets-the-carry"]);
    assert_eq!(exposed_by(&held, "adds-one"), ["Two", "Three"]);
    let unproven =
        |id: &str| held.mutants.iter().find(|mutant| mutant.id == id).unwrap().unproven.as_deref();
    assert_eq!(unproven("takes-one-number"), Some("it has no witness"));
    assert_eq!(unproven("does-the-same"), Some("its witness does not expose it"));
    let text = harness(&["mutants", "cases", "--course", path(&course)]).exits(1).stdout;
    assert!(text.starts_with("sum: 2 cases expose 1 of 5 mutants\n"), "{text}");
    assert!(text.contains("\nMissed, though a valid input exposes them\n"), "{text}");
}

#[test]
fn doctor_warns_of_mutants_that_no_case_exposes_and_stays_healthy() {
    let finding = |course: &TempDir| {
        let run = harness(&["doctor", "--format", "json", "--course", path(course)]);
        let found = run.json::<Diagnosis>().findings;
        found.into_iter().find(|finding| finding.what == "cases of sum").unwrap()
    };
    let course = course_with(FEW);
    let warned = finding(&course);
    assert_eq!(warned.health, Health::Optional);
    assert_eq!(
        warned.found,
        "no small case exposes 2 of 5 mutants: counts-in-a-byte, forgets-the-carry"
    );
    assert!(warned.remedy.unwrap().contains("harness mutants cases --assignment sum"));
    let more =
        format!("{FEW}    More: {{ text: \"99 1\\n\" }}\n    Most: {{ text: \"200 56\\n\" }}\n");
    fs::write(course.path().join("cases.yaml"), more).unwrap();
    assert_eq!(finding(&course).health, Health::Fine);
}

#[test]
fn cases_that_could_be_no_tests_run_on_the_mutants_that_no_other_exposes() {
    let cases = format!(
        "{FEW}    One: {{ text: \"1\\n\" }}\n    Any: {{ text: \"99 1\\n\", answer: any }}\n    Zero: {{ text: \"4 4\\n\\0\" }}\n    Big: {{ command: [echo, \"200       56\"] }}\n"
    );
    let held = held(&course_with(&cases), 1);
    let of = |name: &str| held.cases.iter().find(|case| case.name == name).unwrap();
    assert_eq!((of("Two").kind, of("Two").tried), (CaseKind::Test, 5));
    assert_eq!((of("One").kind, of("One").tried), (CaseKind::Rejected, 4));
    assert_eq!(
        of("One").exposes,
        ["takes-one-number"],
        "it exits with 0 where the reference exits with 1"
    );
    assert_eq!((of("Any").kind, of("Any").exposes.len()), (CaseKind::AnyAnswer, 0));
    assert_eq!((of("Zero").kind, of("Zero").tried), (CaseKind::OtherForm, 3), "it is binary");
    assert_eq!((of("Big").kind, of("Big").tried), (CaseKind::Large, 3));
    assert_eq!(of("Big").exposes, ["counts-in-a-byte"]);
    assert_eq!(held.missed().count(), 1, "any answer to `Any` is right");
}

/// Cases whose first line is their command line.
const WITH_COMMAND_LINES: &str = r#"sample:
  cases:
    Sum: { text: "-v\n1 2\n" }
    Open: { text: "'-v\n1 2\n" }
    Quote: { text: "-v\n1 2 it's\n" }
    Long: { text: "-v\n1                2\n" }
    Letter: { text: "-v\n1 2\n", flags: x }
    Refused: { text: "-v\n1\n" }
"#;

#[test]
fn a_case_with_its_command_line_in_its_first_line_is_a_test_as_a_whole() {
    let course = course_with(WITH_COMMAND_LINES);
    let write = |name: &str, text: &str| fs::write(course.path().join(name), text).unwrap();
    let domain = "domain: shape\n    input: sum.yaml\n    case: { arguments: [\"{first line}\"] }";
    let flags = "flags: [{ group: errors, letters: { x: { } } }], rejected: x";
    let file = fs::read_to_string(course.path().join("harness.yaml")).unwrap();
    let file = file.replace("domain: text", domain).replace("bytes: 8", "bytes: 16");
    write("harness.yaml", &file.replace("flags: []", flags));
    let shape =
        "  - line: [{ option: { text: '-[a-z]' } }]\n  - line: [{ a: 0 .. 99 }, { b: 0 .. 99 }]\n";
    write("sum.yaml", &format!("input:\n{shape}"));
    write("sum.sh", "read a b c || exit 1\n[ -n \"$b\" ] || exit 1\necho $((a + b))\n");
    let held = held(&course, 0);
    let kinds: Vec<_> = held.cases.iter().map(|it| (it.name.as_str(), it.kind)).collect();
    let expected = [
        ("Sum", CaseKind::Test),
        ("Open", CaseKind::OtherForm),
        ("Quote", CaseKind::OtherForm),
        ("Long", CaseKind::Large),
        ("Letter", CaseKind::OtherFlags),
        ("Refused", CaseKind::Rejected),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn a_case_on_which_the_reference_does_not_exit_exposes_nothing() {
    let course = course_with(&format!("{FEW}    Nine: {{ text: \"1 9\\n\" }}\n"));
    let file = course.path().join("sum.sh");
    let reference = fs::read_to_string(&file).unwrap();
    let killed = "exit 1\n[ \"$b\" = 9 ] && kill -9 $$\n";
    fs::write(&file, reference.replacen("exit 1\n", killed, 1)).unwrap();
    let run = harness(&["mutants", "cases", "--course", path(&course)]);
    run.fails(4, "error: the reference does not exit on the case `Nine`: signal 9\nhint: [..]\n");
}

#[test]
fn a_mutant_can_be_asked_for_and_a_course_without_cases_says_so() {
    let course = course_with(FEW);
    let ask =
        |ids: &[&str]| harness(&[&["mutants", "cases", "--course", path(&course)], ids].concat());
    let text = ask(&["adds-one"]).exits(0).stdout;
    assert!(text.ends_with("\nExposed\n  adds-one  Two, Three\n"), "{text}");
    let file = course.path().join("harness.yaml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.split_once("    submission:").unwrap().0).unwrap();
    ask(&[]).fails(2, "error: the course says nothing about submissions for `sum`\nhint: add a `submission:` entry to the assignment in harness.yaml\n");
}

#[test]
#[ignore = "it runs the mutants of all assignments; .ci/run runs it"]
fn the_cases_of_this_course_expose_every_mutant_that_a_valid_input_exposes() {
    let held = harness(&["mutants", "cases", "--format", "json"]).exits(0).json::<Cases>();
    assert_eq!(held.assignments.len(), 5);
    for AssignmentCases { assignment, mutants, .. } in held.assignments {
        // Only forms of a file that the document does not promise are an excuse.
        let excuses = mutants.iter().filter_map(|mutant| mutant.unproven.as_deref());
        for excuse in excuses {
            assert!(
                excuse.starts_with("its witness exposes it only in a form"),
                "{assignment}: {excuse}"
            );
        }
    }
}
