//! Right answers, and each kind of wrong answer.

use super::*;
use crate::sliding::board::NAMES;
use subject::End;

fn wrong(case: &Case, reference: &Outcome, mutant: &Outcome) -> Option<String> {
    Right::read(case, reference).wrong(mutant).map(|flaw| flaw.message)
}

fn outcome(stdout: &str, page: Option<&str>) -> Outcome {
    let files = page.map(|page| (PAGE.to_owned(), page.as_bytes().to_vec())).into_iter().collect();
    Outcome { end: End::Exit(0), stdout: stdout.into(), stderr: Vec::new(), files }
}

fn case(board: &str) -> Case {
    Case { files: [(BOARD.to_owned(), board.into())].into(), ..Case::default() }
}

/// The fault that the judge finds in `text`, for a board with two shortest solutions and one discarded piece.
fn fault(text: &str) -> Option<String> {
    wrong(&case(FORK), &outcome(RIGHT, None), &outcome(text, None))
}

// Z can leave after piece 1 has moved up or down.
const FORK: &str = "3 2\n2 1 1 1 h\n2 2 1 1 v\n9 9 1 1 n\n";
const RIGHT: &str = "line 4: the piece falls outside of the grid; it is discarded\n****\n*..*\n*Z1*\n*..*\n****\n1. Piece 1 up 1 space\n2. Piece Z right 1 space\n****\n*.1*\n*.Z*\n*..*\n****\n";

#[test]
fn every_shortest_solution_is_right_however_it_is_printed() {
    let down = "Error: outside\n****\n*  *\n*Z1*\n*\n****\nPiece 1 DOWN 1 spaces\nPiece Z right 1 spaces\n****\n*\n* Z*\n* 1*\n****\n";
    let headed =
        format!("Sliding Blocks\nStart:\n{}", RIGHT.replace("****\n1.", "****\nMoves:\n1."));
    for text in [RIGHT, down, &headed, &RIGHT.replace('.', " "), &RIGHT.replace('\n', "\r\n")] {
        assert_eq!(fault(text), None, "{text}");
    }
}

#[test]
fn each_kind_of_wrong_answer_has_its_reason() {
    let swap = |from: &str, to: &str| RIGHT.replacen(from, to, 1);
    let end = "****\n*.1*\n*.Z*\n*..*\n****\n";
    for (text, reason) in [
        (String::new(), "there is no grid"),
        (
            swap("line 4: the piece falls outside of the grid; it is discarded\n", ""),
            "no message says that the piece in line 4 of the board is discarded: it is not inside the grid",
        ),
        (format!("Piece 1 overlaps Z\n{RIGHT}"), "`Piece 1 overlaps Z` fits no discarded piece"),
        (swap("*Z1*", "*Z2*"), "the grid at the start shows `2`, not `1`, in row 2, column 2"),
        (swap("*..*\n*Z1*", "*Z1*"), "the grid at the start has 2 rows, not 3"),
        (swap("*Z1*", "*Z1.3*"), "the grid at the start has more than 2 columns in row 2"),
        (swap("Piece 1 up", "Piece 2 up"), "move 1 is of piece 2, which does not exist"),
        (swap("Piece 1 up", "Piece 1 left"), "move 1 takes piece 1 left, but its direction is v"),
        (swap("up 1", "up 0"), "move 1 takes piece 1 0 spaces up"),
        (swap("up 1", "up 2"), "move 1 takes piece 1 up off the grid at space 2"),
        (swap("1. Piece 1 up 1 space\n", ""), "move 1 takes piece Z right into piece 1 at space 1"),
        (
            swap("2. Piece Z right 1 space\n", ""),
            "after 1 moves the goal piece is not in the last column",
        ),
        (
            swap("2. ", "2. Piece 1 down 2 spaces\n3. Piece 1 up 2 spaces\n4. "),
            "it takes 4 moves, but 2 suffice",
        ),
        (
            swap(end, "****\n*..*\n*1Z*\n*..*\n****\n"),
            "the grid at the end shows `.`, not `1`, in row 1, column 2 after the moves",
        ),
        (swap(end, ""), "there is no grid at the end"),
        (
            swap("1. Piece 1 up 1 space\n2. Piece Z right 1 space\n", "not solvable\n"),
            "it says that there is no solution, but there is one",
        ),
    ] {
        assert_eq!(fault(&text).as_deref(), Some(reason), "{text}");
    }
}

#[test]
fn an_answer_without_end_is_judged_soon() {
    let lines = "neither a grid nor a move\n".repeat(MOST_BYTES / 30);
    assert_eq!(fault(&lines).as_deref(), Some("there is no grid"));
    let endless = RIGHT.repeat(3 * MOST_BYTES / RIGHT.len());
    assert_eq!(fault(&endless).as_deref(), Some("the output is far longer than an answer"));
}

#[test]
fn without_a_solution_an_answer_must_say_so_and_show_none() {
    let right = "****\n*Z1*\n****\nThe puzzle is not solvable.\n";
    let fault = |text: &str| {
        wrong(&case("1 2\n1 1 1 1 h\n1 2 1 1 v\n"), &outcome(right, None), &outcome(text, None))
    };
    for text in ["*****\n*Z1 *\n*****\nThere is no solution", "***\n*Z1\n***\nUNSOLVABLE"] {
        assert_eq!(fault(text), None);
    }
    assert_eq!(fault("****\n*Z1*\n****\n").unwrap(), "it does not say that there is no solution");
    for text in [format!("{right}****\n*Z1*\n****\n"), format!("{right}Piece Z right 1 space\n")] {
        assert_eq!(fault(&text).unwrap(), "it shows a solution, but there is none");
    }
}

#[test]
fn a_page_is_judged_as_standard_output_is() {
    let right = "***\n*Z*\n***\nsolved in 0 moves\n***\n*Z*\n***\n";
    let page = "<table><tr><td>Z</td></tr></table><table><tr><td>Z</td></tr></table>";
    let (case, reference) = (case("1 1\n1 1 1 1 n\n"), outcome(right, Some(page)));
    let fault = |page| wrong(&case, &reference, &outcome(right, page));
    assert_eq!(fault(Some("<h1>Solved</h1><table><td>Z</table>0 moves<table><td>Z</table>")), None);
    assert_eq!(
        fault(Some("<table><td>Z</table>")).unwrap(),
        "in the page, there is no grid at the end"
    );
    assert_eq!(fault(None).unwrap(), "it does not write the page board.html");
    let mut elsewhere = outcome(right, None);
    elsewhere.files.insert("board.data.html".to_owned(), page.into());
    assert_eq!(
        wrong(&case, &reference, &elsewhere).unwrap(),
        "it does not write the page board.html, but board.data.html"
    );
    let unasked = wrong(&case, &outcome(right, None), &reference);
    assert_eq!(unasked.unwrap(), "it writes a file that was not asked for: board.html");
}

#[test]
fn a_piece_that_the_specification_does_not_name_may_have_any_name() {
    let pieces: String = (1..=63)
        .map(|column| format!("1 {column} 1 1 {}\n", if column == 63 { "v" } else { "n" }))
        .collect();
    let board = format!("2 64\n1 64 1 1 n\n{}", &pieces[..pieces.len() - 1]);
    let print = |names: &str, row: i32| {
        let border = "*".repeat(66);
        let row = if row == 1 { format!("*{names}*\n*") } else { format!("*\n*{names}*") };
        format!("{border}\n{row}\n{border}\n")
    };
    let names: String = NAMES[1..].chars().chain(['Ā', 'ā', 'Ă', 'Z']).collect();
    let other = names.replace('Ā', "!").replace('Ă', "?");
    let print = |names: &str| print(names, 1).repeat(2);
    let fault =
        |text: &str| wrong(&case(&board), &outcome(&print(&names), None), &outcome(text, None));
    assert_eq!(fault(&print(&other)), None);
    assert!(fault(&print(&names.replace('Y', "!"))).is_some());
}

/// A start, moves and an end for `FORK`, worded differently from the reference's.
const SOLVED: &str = "####\n#..#\n#Z1#\n#..#\n####\nPiece 1 moves 1 space(s) up\nPiece Z moves 1 space(s) right\n####\n#.1#\n#.Z#\n#..#\n####\n";

#[test]
fn a_message_in_any_words_that_fit_its_piece_is_accepted() {
    for message in [
        "Error: outside",
        "Error: piece 3 is out of bounds",
        "Piece 2 falls outside the grid and is discarded.",
        "Warning: Piece at (9, 9) is not on the board",
        "Piece 9 9 1 1 n is invalid",
        "Invalid piece on line 4: 9 9 1 1 n",
        "Piece 3 is invalid.\nDiscarding it.",
        "Error in line 4:\nit does not fit on the grid",
        "Errors:\nPiece number 3: beyond the grid",
        "Using data from board.data\nPiece 3 cannot be placed",
        "1 piece was discarded",
        "The piece sticks out; dropped",
        "piece number 3 error: outside of the grid",
        "Sliding block puzzle\nPiece 3 does not work",
        "Line 4: 9 9 1 1 n is too far away\nIgnored.",
        "Piece 1: 2 1 1 1 h\nPiece 2: 2 2 1 1 v\nPiece 3: 9 9 1 1 n\nSome pieces do not fit",
    ] {
        assert_eq!(fault(&format!("{message}\n{SOLVED}")), None, "{message}");
    }
}

#[test]
fn a_message_that_does_not_fit_its_piece_is_rejected() {
    for message in [
        "Using data from board.data",
        "Sliding Blocks\nby A. Student",
        "Read 3 pieces",
        "Error: piece 1 is out of bounds",
        "Error in line 3: outside",
        "The goal piece is outside of the grid",
        "Piece (2, 2, 1, 1, v) is invalid",
        "Error: piece 3 overlaps piece 1",
        "Error: invalid direction",
        "Error: outside\nError: outside",
        "Error: outside\nError: piece 1 overlaps Z",
        "2 pieces were discarded",
        "No errors",
        "Sliding block puzzle",
        "A grid of 3, 2 cells",
        "Piece 1: 2 1 1 1 h\nPiece 2: 2 2 1 1 v\nPiece 3: 9 9 1 1 n",
        "Piece 3 is invalid.\nDiscarding it.\n2 pieces were discarded",
    ] {
        assert!(fault(&format!("{message}\n{SOLVED}")).is_some(), "{message}");
    }
}

#[test]
fn a_message_about_an_overlap_may_name_both_pieces() {
    let board = "1 3\n1 1 1 1 h\n1 2 1 1 v\n1 2 1 1 n\n";
    let grid = "***\n*Z1.*\n***\n".replace("***\n", "*****\n");
    let fault = |message: &str| {
        let text = |message: &str| format!("{message}\n{grid}not solvable\n");
        wrong(
            &case(board),
            &outcome(&text("line 4: the piece overlaps piece 1"), None),
            &outcome(&text(message), None),
        )
    };
    for message in [
        "Piece 3 overlaps piece 1",
        "overlaps with piece 1",
        "Error: pieces overlap",
        "Piece 2 overlaps another piece",
    ] {
        assert_eq!(fault(message), None, "{message}");
    }
    for message in ["Piece 1 is discarded", "Piece 3 overlaps piece Z", "Piece 3 is outside"] {
        assert!(fault(message).is_some(), "{message}");
    }
}

#[test]
fn a_message_about_a_place_where_no_discarded_piece_is_is_rejected() {
    // The second piece overlaps Z in row 2.
    let board = "3 5\n2 1 2 2 h\n1 1 1 2 b\n";
    let grid = "*******\n*.....*\n*ZZ...*\n*ZZ...*\n*******\n";
    let end = "Piece Z right 3\n*******\n*.....*\n*...ZZ*\n*...ZZ*\n*******\n";
    let answer = |message: &str| outcome(&format!("{message}\n{grid}{end}"), None);
    let judge = |message: &str| {
        let reference = answer("line 3: the piece overlaps piece Z; it is discarded");
        Right::read(&case(board), &reference).wrong(&answer(message))
    };
    for message in [
        "Piece with starting position of 1,1 overlaps",
        "Piece with starting position of 0,0 overlaps",
        "Piece at (1,1) overlaps piece at (2,1)",
        "Piece overlaps with the piece at 2,1",
        "Piece overlaps with piece Z",
        "Overlap at (2, 1)",
        "Error: cell (2,1) is already occupied",
        "Piece 1 overlaps in row 2, column 1",
        "Piece 1 (1x2) overlaps another piece",
        "piece 1 1 1 2 b overlaps 2 1 2 2 h",
        "Pieces Z, 1 overlap",
        "Error: pieces 0, 1 overlap",
        "Bad piece at row 1, column 1 dropped",
    ] {
        assert_eq!(judge(message), None, "{message}");
    }
    for message in [
        "Piece with starting position of 2,1 overlaps",
        "Piece at 2,1 overlaps",
        "Piece (2, 1) is invalid",
        "Piece starting at row 2, column 1 overlaps",
        "0,0 falls outside",
        "Piece 1 overlaps\n0,0 falls outside",
        "Piece 1 overlaps\n791621423,791621423 falls outside",
        "Piece 1 overlaps\n99999999999999999999 3 overlaps",
        "Piece 1 overlaps\nPiece at 4,4 does not fit",
        "Piece 1 overlaps in row 3, column 5",
    ] {
        assert!(judge(message).is_some(), "{message}");
    }
    let flaw = judge("Piece with starting position of 2,1 overlaps").unwrap();
    assert_eq!(
        (flaw.line, flaw.message.as_str()),
        (Some(1), "`Piece with starting position of 2,1 over…`, but no discarded piece is at 2,1")
    );
}

#[test]
fn a_message_about_a_place_outside_of_the_grid_is_about_the_piece_there() {
    // The second piece sticks out on the right, the third one is nowhere near.
    let board = "3 5\n2 1 2 2 h\n1 5 2 1 b\n9 9 1 1 b\n";
    let grid = "*******\n*.....*\n*ZZ...*\n*ZZ...*\n*******\n";
    let end = "Piece Z right 3\n*******\n*.....*\n*...ZZ*\n*...ZZ*\n*******\n";
    let answer = |message: &str| outcome(&format!("{message}\n{grid}{end}"), None);
    let fault = |message: &str| {
        let reference = answer("line 3: falls outside\nline 4: falls outside");
        Right::read(&case(board), &reference).wrong(&answer(message))
    };
    for message in [
        "1,5 falls outside\n9,9 falls outside",
        "0,4 falls outside\n8,8 falls outside",
        "(1,6) is out of bounds\n(9,9) is out of bounds",
        "Piece 2 is outside of the 3x5 grid\nPiece 3 is outside of the 3x5 grid",
        "Piece from (1,5) to (1,6) is outside\nPiece from 9,9 to 9,9 is outside",
    ] {
        assert_eq!(fault(message), None, "{message}");
    }
    for message in [
        "1,5 falls outside\n9,9 falls outside\n0,0 falls outside",
        "1,5 falls outside\n9,9 falls outside\n791621423,791621423 falls outside",
        "1,5 falls outside\n9,9 falls outside\nPiece at 2,1 falls outside",
        "1,5 falls outside\n1,6 falls outside",
        "Piece at 1,6 falls outside\n9,9 falls outside",
    ] {
        assert!(fault(message).is_some(), "{message}");
    }
}

#[test]
fn a_path_is_no_message() {
    for path in ["/home/ann/outside/test-1.txt", "outside.data", "/tmp/no solution/left 2/b.txt"] {
        let heading = format!("Using data from puzzle: {path}\n");
        let footer = format!("Wrote {path}\n");
        assert_eq!(fault(&format!("{heading}{RIGHT}{footer}")), None, "{path}");
        let silent = RIGHT.split_once('\n').unwrap().1;
        assert!(fault(&format!("{heading}{silent}")).is_some(), "{path}");
    }
}

#[test]
fn moves_tell_that_there_is_a_solution_whatever_the_words_are() {
    for note in ["No solution was found in the first round", "Unsolvable if piece 1 stays"] {
        let text =
            format!("Error: outside\n{SOLVED}").replace("Piece 1", &format!("{note}\nPiece 1"));
        assert_eq!(fault(&text), None, "{text}");
        let moves = "Piece 1 moves 1 space(s) up\nPiece Z moves 1 space(s) right\n";
        assert!(fault(&text.replace(moves, "")).is_some(), "{text}");
    }
}

#[test]
fn what_is_printed_beside_right_moves_must_be_true() {
    let solved = format!("Error: outside\n{SOLVED}");
    let between = "#..#\n#Z1#\n#..#\n####\nPiece Z moves";
    for text in [
        solved.replace("Piece 1", "Solved in 2 moves\nPiece 1"),
        solved.replace("Piece 1", "This cannot be solved in fewer moves.\nPiece 1"),
        solved.replace("Piece 1", "Step 1: Piece 1").replace("Piece Z", "Step 2: Piece Z"),
        solved.replace("Piece 1", "0) Piece 1").replace("Piece Z", "1) Piece Z"),
        solved.replace("Piece Z", "####\n#.1#\n#Z.#\n#..#\n####\nPiece Z"),
    ] {
        assert_eq!(fault(&text), None, "{text}");
    }
    for (text, reason) in [
        (
            solved.replace("Piece 1", "Solved in 6 moves\nPiece 1"),
            "it says that it takes 6 moves, but it lists 2",
        ),
        (
            solved.replace("Piece 1", "Step 1: Piece 1").replace("Piece Z", "Step 3: Piece Z"),
            "move 2 has the number 3",
        ),
        (
            solved.replace("Piece 1", "1 of 3: Piece 1"),
            "it says that there are 3 moves, but it lists 2",
        ),
        (
            solved.replace("Piece Z moves", &format!("####\n{between}")),
            "the grid after move 1 shows `.`, not `1`, in row 1, column 2",
        ),
        (
            solved.replace("Piece Z moves 1 space(s) right", "Piece Z right"),
            "`Piece Z right` cannot be read as a move of one piece",
        ),
    ] {
        assert_eq!(fault(&text).as_deref(), Some(reason), "{text}");
    }
}

#[test]
fn on_the_page_a_single_word_is_not_a_message() {
    let right = "line 3: the piece falls outside of the grid\n***\n*Z*\n***\nsolved in 0 moves\n***\n*Z*\n***\n";
    let grid = "<table><tr><td>Z</td></tr></table>";
    let page = |message: &str| format!("{message}{grid}<p>solved in 0 moves</p>{grid}");
    let fault = |message: &str| {
        let reference = outcome(right, Some(&page("<p>outside</p>")));
        wrong(
            &case("1 1\n1 1 1 1 n\n2 2 1 1 n\n"),
            &reference,
            &outcome(right, Some(&page(message))),
        )
    };
    assert_eq!(fault("<h2>Messages</h2><ul><li>Piece 2 is outside</ul>"), None);
    for message in ["<p>Start</p>", "<h2>Error:</h2>", "<p>Piece Z is outside</p>"] {
        assert!(fault(message).is_some(), "{message}");
    }
}

#[test]
fn each_fault_has_its_line_in_the_answer() {
    let line = |text: &str| {
        let reference = outcome(RIGHT, None);
        Right::read(&case(FORK), &reference).wrong(&outcome(text, None)).unwrap().line
    };
    assert_eq!(line(&RIGHT.replace("1. Piece 1 up 1", "1. Piece 1 up 2")), Some(7));
    assert_eq!(line(&RIGHT.replace("2. Piece Z right 1 space\n", "")), Some(7));
    assert_eq!(line(&RIGHT.replace("2. ", "2. Piece 1 down 1\n3. Piece 1 up 1\n4. ")), Some(9));
    assert_eq!(line(&RIGHT.replace("line 4", "line 3")), Some(1));
    assert_eq!(line(""), None);
}
