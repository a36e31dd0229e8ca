//! The two maze assignments.

use super::{folder, harness, path, repository};
use harness::catalogue;
use harness::course::Course;
use harness::report::generated::GeneratedFile;
use harness::result::{Status, SuiteReport};
use harness::suite::name;

fn score(assignment: &str, files: &[(&str, &[u8])]) -> SuiteReport {
    let suite = folder(files);
    let run = harness(&["score", path(&suite), "--assignment", assignment, "--format", "json"]);
    run.exits(0).report().assignments.remove(0).suites.remove(0)
}

fn reason(assignment: &str, name: &str, file: &[u8]) -> String {
    // A suite without a valid test has no report, so add one.
    let valid = if assignment == "maze-solver" {
        ("test-1-p-0-0-0-0.txt", b"f\n".as_slice())
    } else {
        ("test-1.txt", b"1 1 1\n".as_slice())
    };
    let suite = score(assignment, &[valid, (name, file)]);
    let test = suite.tests.into_iter().find(|test| test.file == name).unwrap();
    assert_eq!(test.status, Status::Rejected);
    let line = test.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    line + &test.reason.unwrap()
}

#[test]
fn every_witness_exposes_its_mutant_under_the_judge() {
    let course =
        Course::read(repository()).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
    for id in ["maze-solver", "maze-generator"] {
        let assignment =
            course.assignment(id).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        let mutants =
            catalogue::read(assignment).unwrap_or_else(|failure| panic!("{:?}", failure.problems));
        // A suite has at most fifteen tests, so this takes several suites.
        let most = assignment.tests.files as usize;
        let witness = |at: usize| {
            mutants[at]
                .witness
                .as_ref()
                .unwrap_or_else(|| panic!("{} has no witness", mutants[at].id))
        };
        let files: Vec<_> = (0..mutants.len())
            .map(|at| {
                let file = name::file_name((at % most) as u32 + 1, &witness(at).flags);
                (
                    format!("{}/{file}", char::from(b'a' + (at / most) as u8)),
                    witness(at).input.as_bytes(),
                )
            })
            .collect();
        let class =
            folder(&files.iter().map(|(name, input)| (name.as_str(), *input)).collect::<Vec<_>>());
        let report = harness(&["score", path(&class), "--assignment", id, "--format", "json"])
            .exits(0)
            .report();
        for (mutant, (file, _)) in mutants.iter().zip(&files) {
            let (suite, file) = file.split_once('/').unwrap();
            let suite = report.assignments[0]
                .suites
                .iter()
                .find(|candidate| candidate.name == suite)
                .unwrap();
            let test = suite.tests.iter().find(|test| test.file == file).unwrap();
            assert!(
                test.exposes.contains(&mutant.id),
                "{} by {file}: {:?} {:?}",
                mutant.id,
                test.exposes,
                test.reason
            );
        }
    }
}

#[test]
fn the_sample_suites_expose_as_many_mutants_as_an_independent_judge_found() {
    for (assignment, exposed) in [("maze-solver", 21), ("maze-generator", 14)] {
        let suite = format!("student_tests/{assignment}");
        let report = harness(&["score", &suite, "--assignment", assignment, "--format", "json"])
            .exits(0)
            .report();
        assert_eq!(report.assignments[0].suites[0].score.as_ref().unwrap().exposed, exposed);
    }
}

#[test]
fn a_test_that_is_not_a_maze_is_rejected_with_its_place() {
    for (name, file, expected) in [
        (
            "test-2-p-0-0-0-0.txt",
            b"d\nf\n".as_slice(),
            "line 1: room (0, 0) is open towards (0, 1), but (0, 1) has a wall there",
        ),
        (
            "test-2-p-0-0-0-0.txt",
            b"f\nd\n",
            "line 2: room (0, 1) is open to the south, but the maze ends there",
        ),
        (
            "test-2-p-0-0-0-0.txt",
            b"f\nff\n",
            "line 2: the row has 2 rooms, and the first row has 1",
        ),
        ("test-2-p-0-0-0-0.txt", b"fxf\n", "line 1: 'x' is not a hexadecimal digit"),
        ("test-2-p-0-0-1-0.txt", b"ff\n", "no way leads from 0, 0 to 1, 0"),
        ("test-2-p-0-0-2-0.txt", b"7b\n", "the ending room 2, 0 is outside the maze of 2x1 rooms"),
    ] {
        assert_eq!(reason("maze-solver", name, file), expected);
    }
    assert_eq!(
        reason("maze-solver", "test-2-p-0-0-0-0.txt", &b"f\n".repeat(301)),
        "line 301: the maze has 301 rows; a test may have at most 300"
    );
}

#[test]
fn a_test_that_is_not_a_seed_and_a_size_is_rejected_with_its_line() {
    for (file, expected) in [
        (
            "// a maze\n1 25x10\n",
            "line 2: expected the three numbers `seed width height`, found 2 words",
        ),
        ("1 300 300\n", "line 1: the maze has 300x300 rooms; a test may have at most 70000 rooms"),
        ("1 2 3\n1 2 3\n", "line 2: unexpected second line: a test describes one maze"),
    ] {
        assert_eq!(reason("maze-generator", "test-2.txt", file.as_bytes()), expected);
    }
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn generate_finds_tests_and_finds_the_same_ones_again() {
    // Small mazes only: this does not search for mutants that only large mazes expose. Not all seeds of a generator can be tried.
    let solver = "takes-the-corner-for-no-room,jumps-back-to-the-junction";
    for (assignment, mutants, certificate) in [
        ("maze-solver", solver, "certified: nothing smaller exposes it"),
        ("maze-generator", "swaps-width-and-height", "certified for the cases below"),
    ] {
        let out = folder(&[]);
        let run = |name: &str| {
            let folder = format!("{}/{name}", path(&out));
            let run = harness(&[
                "generate",
                "--assignment",
                assignment,
                "--mutants",
                mutants,
                "--out",
                &folder,
            ])
            .exits(0);
            // Where a line breaks depends on the length of the folder's name.
            run.stdout.replace(&folder, "").split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let first = run("first");
        assert!(first.contains(certificate) && !first.contains("No case exposed these"), "{first}");
        assert_eq!(first, run("second"));
    }
}

#[test]
fn a_mutant_that_only_unpromised_forms_expose_is_named_and_gets_no_test() {
    let out = folder(&[]);
    let mutants = "reads-capital-letters-as-decimals,drops-a-last-row-without-newline,\
        takes-carriage-returns-for-rooms,takes-the-corner-for-no-room";
    let args =
        ["generate", "--assignment", "maze-solver", "--mutants", mutants, "--out", path(&out)];
    let json = [args.as_slice(), &["--format", "json"]].concat();
    let report = harness(&json).exits(0).generated();
    let forms: Vec<_> =
        report.lenient.iter().map(|case| (case.mutant.as_str(), case.form.as_str())).collect();
    assert_eq!(
        forms,
        [
            ("drops-a-last-row-without-newline", "no newline at the end"),
            ("reads-capital-letters-as-decimals", "capital digits"),
            ("takes-carriage-returns-for-rooms", "CRLF line ends"),
        ]
    );
    assert_eq!(report.missed, [""; 0]);
    assert!(!report.files.is_empty());
    for GeneratedFile { file, exposes, .. } in &report.files {
        assert_eq!(exposes, &["takes-the-corner-for-no-room"]);
        let maze = std::fs::read_to_string(out.path().join(file)).unwrap();
        assert!(
            maze.ends_with('\n') && !maze.ends_with("\n\n") && !maze.contains('\r'),
            "{maze:?}"
        );
        assert_eq!(maze, maze.to_lowercase());
    }
}
