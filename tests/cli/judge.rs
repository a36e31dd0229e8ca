//! `harness judge`.

use super::course::Course;
use super::{folder, harness, path};
use harness::result::judged::Judged;

/// Z can leave by way of piece 1 going up, or down; the last piece is outside.
const BOARD: &[u8] = b"3 2\n2 1 1 1 h\n2 2 1 1 v\n9 9 1 1 n\n";
const ANSWER: &str = "Warning: piece 3 is outside of the grid\n####\n#  #\n#Z1#\n#  #\n####\nPiece 1 moves 1 space(s) down\n\
                      Piece Z moves 1 space(s) right\n####\n#  #\n# Z#\n# 1#\n####\n";

/// What `judge` says of an answer to a test of an assignment.
fn judge(assignment: &str, test: (&str, &[u8]), answer: &[u8], options: &[&str]) -> super::Run {
    let folder = folder(&[test, ("answer.txt", answer)]);
    let (test, answer) =
        (format!("{}/{}", path(&folder), test.0), format!("{}/answer.txt", path(&folder)));
    let args = ["judge", &test, &answer, "--assignment", assignment];
    harness(&[&args, options].concat())
}

#[test]
fn a_right_answer_in_other_words_is_right() {
    let run = judge("sliding", ("test-1.txt", BOARD), ANSWER.as_bytes(), &[]);
    assert_eq!(run.exits(0).stdout, "right\n");
}

#[test]
fn a_wrong_answer_is_shown_with_its_reason_and_line() {
    let long = ANSWER.replace("Piece Z moves", "1 up 1\n1 down 1\nPiece Z moves");
    for (answer, reason, line) in [
        (long, "wrong: it takes 4 moves, but 2 suffice\n", "answer.txt:9"),
        (
            ANSWER.replace("# 1#\n", "#1 #\n"),
            "wrong: the grid at the end shows `1`, not `.`, in row 3, column 1 after the moves\n",
            "answer.txt:9",
        ),
        (
            ANSWER.replace("Warning: piece 3 is outside of the grid", "Using data from test-1.txt"),
            "wrong: no message says that the piece in line 4 of the board is discarded: it is not inside the grid\n",
            "answer.txt:2",
        ),
        (
            ANSWER.replace("Piece Z moves 1 space(s) right", "Z right"),
            "wrong: `Z right` cannot be read as a move of one piece\n",
            "8 | Z right",
        ),
    ] {
        let run = judge("sliding", ("test-1.txt", BOARD), answer.as_bytes(), &[]).exits(1);
        assert!(run.stdout.starts_with(reason) && run.stdout.contains(line), "{}", run.stdout);
    }
}

#[test]
fn the_verdict_is_written_as_json_too() {
    let read = |answer: &str, status| -> Judged {
        let run = judge("sliding", ("test-1.txt", BOARD), answer.as_bytes(), &["--format", "json"]);
        serde_json::from_str(&run.exits(status).stdout).unwrap()
    };
    let right = read(ANSWER, 0);
    assert_eq!((right.right, right.reason, right.line), (true, None, None));
    assert_eq!(right.args, ["board.data"]);
    let wrong = read(&ANSWER.replace("1 space(s) down", "1 space(s) left"), 1);
    let reason = "move 1 takes piece 1 left, but its direction is v";
    assert_eq!((wrong.right, wrong.reason.as_deref(), wrong.line), (false, Some(reason), Some(7)));
}

#[test]
fn the_answer_to_a_maze_is_the_file_that_the_program_writes() {
    let test = ("test-1-p-0-0-1-1.txt", b"53b\n63b\n".as_slice());
    judge("maze-solver", test, b"0, 0\n0, 1\n1, 1\n", &[]).exits(0);
    let run = judge("maze-solver", test, b"0, 0\n0, 1\n", &[]).exits(1);
    assert!(
        run.stdout.starts_with("wrong: the route ends at (0, 1), not at the goal (1, 1)\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("answer.txt:2") && run.stdout.contains("2 | 0, 1"),
        "{}",
        run.stdout
    );
}

#[test]
fn where_one_answer_is_right_the_first_difference_is_shown() {
    let course = Course::of_commands("a", "sh main.sh", "sh main.sh")
        .file("main.sh", "printf 'one\\ntwo\\n'\n")
        .file("mutants/none.yaml", "");
    let judge =
        |answer: &[u8]| judge("a", ("test-1.txt", b"x\n"), answer, &["--course", &course.word("")]);
    assert_eq!(judge(b"one\ntwo\n").exits(0).stdout, "right\n");
    let run = judge(b"one\ntoo\n").exits(1);
    assert!(run.stdout.starts_with("wrong: expected `two`, found `too`\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("answer.txt:2\n") && run.stdout.contains("2 | too"),
        "{}",
        run.stdout
    );
    assert!(judge(b"one\ntwo").exits(1).stdout.contains("one more line"));
}

#[test]
fn what_cannot_be_judged_has_the_status_of_every_command() {
    judge("sliding", ("test-1.txt", b"0 2\n1 1 1 1 h\n"), b"", &[]).fails(
        3,
        "\
error: the number of rows is '0', not a positive integer
 --> [..]/test-1.txt:1:1
  |
1 | 0 2
  | ^
",
    );
    judge("sliding", ("board.txt", BOARD), b"", &[])
        .fails(3, "error: a test is named test-n-flags.txt, for example test-1-h.txt\n");
    judge("no-such", ("test-1.txt", BOARD), b"", &[]).fails(
        2,
        "\
error: there is no assignment `no-such`
hint: the assignments are puzzle, puzzle-errors, countess, sliding, maze-solver, maze-generator
",
    );
    harness(&["judge", "no-such-file", "-", "--assignment", "sliding"]).fails(
        2,
        "\
error: there is no file no-such-file
hint: give the path of a file, or `-` for standard input
",
    );
}

#[test]
fn view_rejects_what_judge_rejects() {
    let long = ANSWER.replace("Piece Z moves", "1 up 1\n1 down 1\nPiece Z moves");
    let folder = folder(&[
        ("board.txt", BOARD),
        ("long.txt", long.as_bytes()),
        ("right.txt", ANSWER.as_bytes()),
    ]);
    let view = |answer: &str| {
        let (board, answer) =
            (format!("{}/board.txt", path(&folder)), format!("{}/{answer}", path(&folder)));
        harness(&["view", &board, &answer, "--assignment", "sliding"])
    };
    view("right.txt").exits(0);
    view("long.txt").fails(
        2,
        "\
error: it takes 4 moves, but 2 suffice
 --> [..]/long.txt:9
  |
9 | 1 down 1
",
    );
}
