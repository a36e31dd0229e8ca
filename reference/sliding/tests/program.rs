//! Tests the program from its arguments to its output.

use std::collections::BTreeMap;
use std::ffi::OsString;
use subject::{Env, Files};

/// The board of the specification.
const DOCUMENT: &str = "\
4  4
3  1  2  1  b
1  1  1  1  b
1  2  1  1  b
2  1  1  1  b
2  3  2  1  b
3  3  1  2  b
4  1  2  1  b
4  4  1  1  b
";

struct Run {
    status: u8,
    stdout: String,
    stderr: String,
    files: BTreeMap<String, Vec<u8>>,
}

fn run(args: &[&str], board: &str) -> Run {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let mut files =
        Files::Memory(BTreeMap::from([("b.txt".to_owned(), board.as_bytes().to_vec())]));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut env = Env {
        args: &args,
        stdin: &mut std::io::empty(),
        stdout: &mut stdout,
        stderr: &mut stderr,
        files: &mut files,
    };
    let status = sliding::run(&mut env);
    let Files::Memory(files) = files else { unreachable!() };
    Run {
        status,
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
        files,
    }
}

/// Checks that the output for a board is this, with nothing on standard error.
fn check(board: &str, stdout: &str) {
    let run = run(&["b.txt"], board);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.status), (stdout, "", 0));
    assert_eq!(run.files.len(), 1, "no page without -h");
}

/// Checks that a board is rejected with this message.
fn check_refused(board: &str, stderr: &str) {
    let run = run(&["b.txt"], board);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.status), ("", stderr, 1));
}

/// Checks the messages for a board and returns the rest of the output.
fn check_messages(board: &str, messages: &[&str]) -> String {
    let run = run(&["b.txt"], board);
    let (start, rest) = run.stdout.split_at(run.stdout.find('*').unwrap());
    assert_eq!(start.lines().collect::<Vec<_>>(), messages);
    rest.to_owned()
}

#[test]
fn the_documents_board_takes_five_moves() {
    let stdout = "\
******
*12..*
*3.44*
*ZZ5.*
*6657*
******
1. Piece 4 up 1 space
2. Piece 3 right 3 spaces
3. Piece Z up 1 space
4. Piece 3 down 1 space
5. Piece Z right 2 spaces
******
*1244*
*..ZZ*
*..53*
*6657*
******
";
    check(DOCUMENT, stdout);
}

#[test]
fn a_puzzle_without_a_solution_has_one_grid_and_a_message() {
    check("1 3\n1 1 1 1 b\n1 2 1 1 b\n", "*****\n*Z1.*\n*****\nThe puzzle is not solvable.\n");
}

#[test]
fn a_puzzle_may_be_solved_at_the_start() {
    check(
        "1 2\n1 2 1 1 n\n",
        "****\n*.Z*\n****\nThe puzzle is solved in 0 moves.\n****\n*.Z*\n****\n",
    );
}

#[test]
fn a_slide_of_any_length_is_one_move() {
    check(
        "2 5\n2 1 1 1 b",
        "*******\n*.....*\n*Z....*\n*******\n1. Piece Z right 4 spaces\n*******\n*.....*\n*....Z*\n*******\n",
    );
}

#[test]
fn a_turn_makes_another_move() {
    let output = run(&["b.txt"], "2 2\n1 1 1 1 h\n1 2 1 1 v\n").stdout;
    assert!(output.contains("1. Piece 1 down 1 space\n2. Piece Z right 1 space\n"), "{output}");
    let output = run(&["b.txt"], "2 3\n1 1 1 1 b\n1 2 1 1 n\n").stdout;
    assert!(output.contains("1. Piece Z down 1 space\n2. Piece Z right 2 spaces\n"), "{output}");
}

#[test]
fn a_piece_moves_only_in_its_directions() {
    for (movement, solvable) in [("h", true), ("v", false), ("b", true), ("n", false)] {
        let output = run(&["b.txt"], &format!("2 3\n1 2 1 1 {movement}\n")).stdout;
        assert_eq!(!output.contains("not solvable"), solvable, "{movement}");
        // The goal piece is blocked from the right; the other one must get out of its way.
        let output = run(&["b.txt"], &format!("2 3\n1 1 1 1 h\n1 3 1 1 {movement}\n")).stdout;
        assert_eq!(
            !output.contains("not solvable"),
            movement == "v" || movement == "b",
            "{movement}"
        );
    }
}

#[test]
fn pieces_are_named_in_the_order_of_the_valid_ones() {
    let others = (1..64).map(|index| format!("{} {} 1 1 n", index / 8 + 1, index % 8 + 1));
    let board = format!("8 8\n1 1 1 1 v\n9 1 1 1 b\n{}\n", others.collect::<Vec<_>>().join("\n"));
    let rest =
        check_messages(&board, &["line 3: the piece falls outside of the grid; it is discarded"]);
    let grid = "\
**********
*Z1234567*
*89abcdef*
*ghijklmn*
*opqrstuv*
*wxyzABCD*
*EFGHIJKL*
*MNOPQRST*
*UVWXYĀāĂ*
**********
The puzzle is not solvable.
";
    assert_eq!(rest, grid);
}

#[test]
fn a_goal_piece_that_is_discarded_gives_way_to_the_first_valid_piece() {
    let rest = check_messages(
        "1 3\n1 1 1 2 h\n1 1 1 0 h\n1 1 1 1 h\n",
        &[
            "line 2: the piece falls outside of the grid; it is discarded",
            "line 3: the piece falls outside of the grid; it is discarded",
        ],
    );
    assert!(rest.starts_with("*****\n*Z..*\n*****\n1. Piece Z right 2 spaces\n"), "{rest}");
}

#[test]
fn every_fault_of_a_piece_has_its_message() {
    let outside = "line 3: the piece falls outside of the grid; it is discarded";
    for (piece, message) in [
        ("0 2 1 1 b", outside),
        ("2 0 1 1 b", outside),
        ("-1 2 1 1 b", outside),
        ("2 2 0 1 b", outside),
        ("2 2 1 0 b", outside),
        ("2 2 1 -1 b", outside),
        ("2 2 3 1 b", outside),
        ("2 2 1 3 b", outside),
        ("4 1 1 1 b", outside),
        ("1 4 1 1 b", outside),
        ("2 2 99999999999999999999 1 b", outside),
        ("9223372036854775807 2 1 9223372036854775807 b", outside),
        (
            "2 2 1 1 x",
            "line 3: the piece has the direction 'x', which is not h, v, b or n; it is discarded",
        ),
        (
            "2 2 1 1 H",
            "line 3: the piece has the direction 'H', which is not h, v, b or n; it is discarded",
        ),
        (
            "2 2 1 1 hv",
            "line 3: the piece has the direction 'hv', which is not h, v, b or n; it is discarded",
        ),
        ("1 1 2 2 b", "line 3: the piece overlaps piece Z; it is discarded"),
        ("2 2 1.5 1 b 7", "line 3: the piece has '1.5' in place of an integer; it is discarded"),
        ("2 2 1 1", "line 3: the piece is cut short by the end of the file; it is discarded"),
        ("2", "line 3: the piece is cut short by the end of the file; it is discarded"),
    ] {
        let rest = check_messages(&format!("3 3\n1 1 1 1 h\n{piece}"), &[message]);
        assert!(rest.contains("\n1. Piece Z right 2 spaces\n"), "{piece}: {rest}");
    }
}

#[test]
fn reading_continues_on_the_next_line_after_a_word_that_is_not_a_number() {
    let messages = &["line 3: the piece has 'one' in place of an integer; it is discarded"];
    let rest = check_messages("2 2\n1 1 1 1 h\n1 one 1 1 b 5\n2 1 1 1 h\n", messages);
    assert!(rest.starts_with("****\n*Z.*\n*1.*\n****\n"), "{rest}");
}

#[test]
fn pieces_that_cross_overlap_although_no_corner_is_covered() {
    let messages = &["line 3: the piece overlaps piece Z; it is discarded"];
    check_messages("3 4\n2 1 3 1 h\n1 2 1 3 v\n", messages);
}

#[test]
fn a_piece_may_cover_the_cells_of_a_discarded_one() {
    let rest = check_messages(
        "4 4\n3 1 2 1 h\n1 3 2 9 v\n1 3 2 1 h\n",
        &["line 3: the piece falls outside of the grid; it is discarded"],
    );
    assert!(rest.starts_with("******\n*..11*\n"), "{rest}");
}

#[test]
fn any_white_space_separates_words() {
    let expected = run(&["b.txt"], DOCUMENT).stdout;
    for (from, to) in [
        ("\n", "\r\n"),
        ("\n", "\n\n \t\n"),
        ("\n", " "),
        ("  ", "\n"),
        ("  ", "\t \t"),
        ("b\n4  4  1  1  b\n", "b\n4 4 1 1 b"),
    ] {
        let board = DOCUMENT.replace(from, to);
        assert_eq!(run(&["b.txt"], &board).stdout, expected, "{board:?}");
    }
}

#[test]
fn a_grid_must_have_two_positive_sizes() {
    for (board, message) in [
        ("", "line 1: the number of rows is missing\n"),
        ("\n\n4\n", "line 4: the number of columns is missing\n"),
        ("0 4\n", "line 1, column 1: the number of rows is '0', not a positive integer\n"),
        ("  4\t-2", "line 1, column 5: the number of columns is '-2', not a positive integer\n"),
        ("4 four", "line 1, column 3: the number of columns is 'four', not a positive integer\n"),
        (
            "99999999999999999999 1",
            "line 1, column 1: 99999999999999999999 rows are more than the 32767 cells that a grid may have\n",
        ),
        ("300 300\n", "line 1: a grid of 300 × 300 has more than 32767 cells\n"),
    ] {
        check_refused(board, message);
    }
}

#[test]
fn a_file_without_a_valid_piece_is_refused() {
    check_refused("4 4\n", "the file has no valid piece\n");
    check_refused(
        "4 4\n5 5 1 1 b\n",
        "line 2: the piece falls outside of the grid; it is discarded\nthe file has no valid piece\n",
    );
}

#[test]
fn an_invalid_command_line_or_file_is_rejected() {
    let missing = run(&["other.txt"], "");
    assert_eq!(
        (missing.stderr.as_str(), missing.status),
        ("cannot read other.txt: no such file\n", 1)
    );
    let none = run(&[], "");
    let hint = "no data file is named\nhint: sliding [-h] FILE; -h also writes the answer as an HTML page beside FILE\n";
    assert_eq!((none.stdout.as_str(), none.stderr.as_str(), none.status), ("", hint, 1));
}

#[test]
fn the_page_has_the_messages_both_tables_and_the_moves() {
    let board = "2 3\n1 1 1 2 h\n1 2 1 1 <&>\n1 3 1 1 v\n1 1 2 2 b\n";
    let plain = run(&["b.txt"], board).stdout;
    let run = run(&["-h", "b.txt"], board);
    assert_eq!((run.status, run.stdout), (0, plain));
    assert_eq!(run.files["b.txt"], board.as_bytes());
    let page = String::from_utf8(run.files["b.html"].clone()).unwrap();
    let body = "<h1>Sliding block puzzle</h1>
<ul>
<li>line 3: the piece has the direction '&lt;&amp;&gt;', which is not h, v, b or n; it is discarded</li>
<li>line 5: the piece overlaps piece Z; it is discarded</li>
</ul>
<h2>Start</h2>
<table>
<colgroup><col><col><col></colgroup>
<tr><td class=\"piece goal\" rowspan=\"2\">Z</td><td></td><td class=\"piece\">1</td></tr>
<tr><td></td><td></td></tr>
</table>
<h2>Moves</h2>
<p>The puzzle is not solvable.</p>
</body>
</html>
";
    assert_eq!(&page[page.find("<h1>").unwrap()..], body);
}

#[test]
fn the_page_of_a_solved_puzzle_shows_how_it_ends() {
    let run = run(&["b.txt", "-h"], "1 3\n1 1 2 1 h\n");
    let page = String::from_utf8(run.files["b.html"].clone()).unwrap();
    let end = "\
<h2>Moves</h2>
<ol>
<li>Piece Z right 1 space</li>
</ol>
<h2>End</h2>
<table>
<colgroup><col><col><col></colgroup>
<tr><td></td><td class=\"piece goal\" colspan=\"2\">Z</td></tr>
</table>
</body>
</html>
";
    assert_eq!(&page[page.find("<h2>Moves").unwrap()..], end);
}
