//! Sliding Blocks, in which any shortest solution is right.

use super::course::Course;
use super::{folder, harness, path, repository};
use harness::{catalogue, course, result::Status};

/// A witness: the judge needs a board.
const BOARD: &str = r#"{ flags: "", input: "3 2\n2 1 1 1 h\n2 2 1 1 v\n" }"#;

/// A course in which the reference and each mutant print these texts, whatever the board.
fn printers(right: &str, others: &[(&str, &str)]) -> Course {
    let prints = |text: &str| format!("cat <<'END'\n{text}END\n");
    let course = Course::of_commands("a", "sh right.sh", "sh {mutant}.sh")
        .with("domain", "sliding")
        .file("right.sh", prints(right));
    // Each case runs in a folder of its own.
    for script in ["right.sh", "{mutant}.sh"] {
        course.replace("harness.yaml", script, &course.word(script));
    }
    others.iter().fold(course, |course, (id, text)| {
        course.mutant(id, &[("witness", BOARD)]).file(&format!("{id}.sh"), prints(text))
    })
}

#[test]
fn any_shortest_solution_is_right_and_each_wrong_one_is_exposed() {
    let right = "****\n*..*\n*Z1*\n*..*\n****\n1. Piece 1 up 1 space\n2. Piece Z right 1 space\n****\n*.1*\n*.Z*\n*..*\n****\n";
    let other = "****\n*\n*Z1*\n*\n****\npiece 1 down 1 spaces\npiece Z right 1 spaces\n****\n*\n* Z*\n* 1*\n****\n";
    let programs = [
        ("right-another-way", other.to_owned()),
        ("right-without-numbers", right.replace("1. ", "").replace("2. ", "")),
        ("wrong-blocked", right.replace("1. Piece 1 up 1 space\n", "")),
        ("wrong-end", right.replace("*.Z*", "*Z.*")),
        ("wrong-long", right.replace("1. ", "1. Piece 1 down 1 space\n1. Piece 1 up 1 space\n1. ")),
        (
            "wrong-no-moves",
            right.replace("1. Piece 1 up 1 space\n2. Piece Z right 1 space\n", "not solvable\n"),
        ),
        ("wrong-start", right.replace("*Z1*", "*1Z*")),
    ];
    let programs: Vec<_> = programs.iter().map(|(id, text)| (*id, text.as_str())).collect();
    let course = printers(right, &programs);
    let suite = folder(&[("test-1.txt", b"3 2\n2 1 1 1 h\n2 2 1 1 v\n")]);
    let report =
        harness(&["score", path(&suite), "--course", &course.word(""), "--format", "json"])
            .warns("...\n  right-another-way: its witness does not expose it\n  right-without-numbers: its witness does not expose it\n...\n")
            .report();
    let exposed: Vec<_> = report.assignments[0].suites[0].exposed_by.keys().cloned().collect();
    assert_eq!(
        exposed,
        ["wrong-blocked", "wrong-end", "wrong-long", "wrong-no-moves", "wrong-start"]
    );
}

#[test]
fn every_witness_exposes_its_mutant() {
    let course = course::Course::read(repository())
        .unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    let assignment = course
        .assignments
        .iter()
        .find(|assignment| assignment.id == "sliding")
        .expect("it is in the course");
    let mutants =
        catalogue::read(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    let files: Vec<_> = mutants
        .iter()
        .filter_map(|mutant| {
            let witness = mutant.witness.as_ref()?;
            let dash = if witness.flags.is_empty() { "" } else { "-" };
            Some((
                format!("{}/test-1{dash}{}.txt", mutant.id, witness.flags),
                witness.input.as_bytes(),
            ))
        })
        .collect();
    assert_eq!(files.len(), mutants.len(), "every mutant has a witness");
    let class =
        folder(&files.iter().map(|(name, input)| (name.as_str(), *input)).collect::<Vec<_>>());
    let report = harness(&["score", path(&class), "--assignment", "sliding", "--format", "json"])
        .exits(0)
        .report();
    let missed: Vec<_> = report.assignments[0]
        .suites
        .iter()
        .filter(|suite| !suite.exposed_by.contains_key(&suite.name))
        .map(|suite| &suite.name)
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
    assert_eq!(report.assignments[0].suites.len(), mutants.len());
}

#[test]
fn the_sample_suite_exposes_many_mutants_and_not_all() {
    let report =
        harness(&["score", "student_tests/sliding", "--assignment", "sliding", "--format", "json"])
            .exits(0)
            .report();
    let suite = &report.assignments[0].suites[0];
    assert!(suite.tests.iter().all(|test| test.status == Status::Valid));
    assert_eq!((suite.exposed_by.len(), report.assignments[0].mutants.len()), (35, 52));
    assert!(
        suite.tests.iter().all(|test| test.args.last().is_some_and(|file| file == "board.data"))
    );
}

#[test]
fn a_board_that_is_too_large_or_malformed_is_rejected_with_its_line() {
    let suite = folder(&[
        ("test-1.txt", b"9 2\n1 1 1 1 h\n"),
        ("test-2.txt", b"2 2\n1 1 1 1 h 2 2 1 1 v\n"),
        ("test-3.txt", b"2 2\n1 1 1 1 h\n2 two 1 1 v\n"),
        ("test-4.txt", b"2 2\n1 1 1 1 h\n2 2 1\n"),
        ("test-5.txt", b"0 2\n1 1 1 1 h\n"),
        ("test-6-h.txt", b"2 2\n1 1 1 1 h\n2 2 1 1 Q\n"),
    ]);
    let report = harness(&["score", path(&suite), "--assignment", "sliding", "--format", "json"])
        .exits(0)
        .report();
    let tests = &report.assignments[0].suites[0].tests;
    let reasons: Vec<_> =
        tests.iter().map(|test| (test.line, test.reason.as_deref().unwrap_or("none"))).collect();
    let form = "values, not 5: row, column, width, height and direction of one piece";
    let expected = [
        (Some(1), "the board has 9 rows; a test may have at most 8".to_owned()),
        (Some(2), format!("the line has 10 {form}")),
        (Some(3), "`two` is not an integer of 32 bits".to_owned()),
        (Some(3), format!("the line has 3 {form}")),
        (Some(1), "the number of rows is '0', not a positive integer".to_owned()),
        (None, "none".to_owned()),
    ];
    assert_eq!(reasons, expected.each_ref().map(|(line, reason)| (*line, reason.as_str())));
    assert_eq!(tests[5].args, ["-h", "board.data"]);
}
