//! Rescue the Countess: limits, suites, and generated tests.

use super::score::rejected;
use super::{folder, harness, path};
use harness::report::generated::Generated;
use harness::result::Status;

#[test]
fn the_sample_suite_is_valid_and_earns_all_points() {
    let report =
        harness(&["score", "student_tests", "--assignment", "countess", "--format", "json"])
            .exits(0)
            .report();
    let suite = &report.assignments[0].suites[0];
    assert_eq!(rejected(&report), "");
    assert!(suite.tests.iter().all(|test| test.status == Status::Valid));
    let score = suite.score.as_ref().unwrap();
    assert!(score.reached() >= score.full && score.exposed < score.mutants, "{score:?}");
}

#[test]
fn a_castle_over_the_limits_is_rejected_with_its_line_in_both_input_modes() {
    let suite = folder(&[
        ("test-1-qm.txt", b"M\n11\n1\nS\n"),
        ("test-2-ql.txt", b"L\n1\n9\n(0,0,0,S)\n(0,0,1,C)\n"),
        ("test-3-ls.txt", b"L\r\n10\r\n8\r\n(0,0,0,S)\r\n(0,0,1,C)\r\n"),
    ]);
    let report = harness(&["score", path(&suite), "--assignment", "countess", "--format", "json"])
        .exits(0)
        .report();
    let rejected = rejected(&report);
    let lines: Vec<_> =
        rejected.lines().filter_map(|line| line.split_once('/')).map(|(_, line)| line).collect();
    assert_eq!(
        lines,
        [
            "test-1-qm.txt 2: the castle has 11 rooms; a test may have at most 10",
            "test-2-ql.txt 3: the rooms are 9x9; a test may have rooms of at most 8x8"
        ]
    );
}

#[test]
#[ignore = "it takes long; .ci/run runs it"]
fn generate_finds_and_certifies_the_smallest_tests_in_both_input_modes() {
    let out = tempfile::tempdir().unwrap();
    let mutants = "rooms-of-one-tile-are-rejected,list-expects-the-rooms-in-order,map-rejects-a-comment-inside-a-room,stack-discovers-in-reverse";
    let args = [
        "generate",
        "--assignment",
        "countess",
        "--mutants",
        mutants,
        "--out",
        path(&out),
        "--format",
        "json",
    ];
    let generated: Generated = serde_json::from_str(&harness(&args).exits(0).stdout).unwrap();
    assert_eq!(generated.missed, Vec::<String>::new());
    let smallest: Vec<_> = generated
        .smallest
        .iter()
        .map(|find| (find.mutant.as_str(), find.size, find.certified, find.input.as_str()))
        .collect();
    assert_eq!(
        smallest,
        [
            ("list-expects-the-rooms-in-order", 2, true, "L\n2\n1\n(1,0,0,C)\n(0,0,0,S)\n"),
            ("rooms-of-one-tile-are-rejected", 2, true, "M\n2\n1\nS\nC\n"),
            ("map-rejects-a-comment-inside-a-room", 4, true, "M\n1\n2\nSC\n//\n..\n"),
            ("stack-discovers-in-reverse", 4, true, "M\n1\n2\nS.\n.C\n"),
        ]
    );
    // The written files are a suite that exposes all of these mutants.
    let report = harness(&["score", path(&out), "--assignment", "countess", "--format", "json"])
        .exits(0)
        .report();
    let exposed = &report.assignments[0].suites[0].exposed_by;
    assert!(mutants.split(',').all(|mutant| exposed.contains_key(mutant)), "{exposed:?}");
}

#[test]
fn each_common_mistake_in_a_test_is_rejected_with_its_line() {
    let class = folder(&[
        ("ann/test-1-qm.txt", b"M\n1\n2\nS.\n.C\n"),
        ("ann/test-2-qm.txt", b"M\n1\n2\nSC\n.C\n"),
        ("ann/test-3-qm.txt", b"M\n1\n2\nS.\n\n.C\n"),
        ("ann/test-4-qm.txt", b"M\n1\n2\nS.\n.C\n..\n"),
        ("ann/test-5-qm.txt", b"M\n1\n2\nSr\n.C\n"),
        ("ann/test-6-ql.txt", b"L\n1\n2\n(0,0,0,S)\n(1,0,1,C)\n"),
        ("ann/test-7-ql.txt", b"L\n1\n2\n(0,0,0,S)\n(0,2,1,C)\n"),
        ("ann/test-8-ql.txt", b"L\n1\n2\n(0,0,0,S)\n(0,1,2,C)\n"),
        ("ann/test-9-flags.txt", b"M\n1\n2\nS.\n.C\n"),
        ("ann/test-10-s.txt", b"M\n1\n2\nS.\n..\n"),
        ("ann/test-11-s.txt", b"M\n1\n200\nSC\n"),
        ("ann/test-12-ql.txt", b"L\n1\n2\n(0,0,0,S)\n\n(0,0,1,C)\n"),
    ]);
    let args = ["score", path(&class), "--assignment", "countess", "--format", "json"];
    let expected = "\
ann/test-2-qm.txt 5: a second 'C'; the first is in line 4
ann/test-3-qm.txt 5: the castle ends here, but room 0 has 1 of its 2 rows
ann/test-4-qm.txt 6: a row is left over after the last room
ann/test-5-qm.txt 4: 'r' is not a map character
ann/test-6-ql.txt 5: the room does not exist; the last is 0
ann/test-7-ql.txt 5: the row does not exist; the last is 1
ann/test-8-ql.txt 5: the column does not exist; the last is 1
ann/test-9-flags.txt `f` is not a flag: the flags are `s`, `q`, `m`, `l`
ann/test-10-s.txt 5: the castle has no Countess ('C')
ann/test-11-s.txt 3: the rooms are 200x200; a test may have rooms of at most 8x8
ann/test-12-ql.txt 6: text after a blank line, which ends the castle";
    assert_eq!(rejected(&harness(&args).exits(0).report()), expected);
}
