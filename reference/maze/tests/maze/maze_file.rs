//! Maze files that a solver accepts, and the messages for others.

use crate::check::{SAMPLE, fails, solve};

const ARGS: [&str; 6] = ["maze.txt", "path.txt", "0", "0", "0", "0"];

#[test]
fn line_ends_blank_lines_at_the_end_and_capitals_do_not_matter() {
    let expected = solve(maze::solver, SAMPLE.as_bytes(), (0, 0), (24, 9));
    for maze in [
        SAMPLE.trim_end().to_owned(),
        SAMPLE.replace('\n', "\r\n"),
        SAMPLE.replace('\n', "\r\n").trim_end_matches('\n').to_owned(),
        format!("{SAMPLE}\n\r\n\n"),
        SAMPLE.to_uppercase(),
    ] {
        assert_eq!(solve(maze::solver, maze.as_bytes(), (0, 0), (24, 9)), expected, "{maze}");
    }
}

#[test]
fn a_file_without_rows_is_refused() {
    for maze in ["", "\n", "\r\n\r\n", "\n5b\n"] {
        refused(maze.as_bytes(), "line 1: there is no room in the first row");
    }
}

#[test]
fn rows_of_different_lengths_are_refused() {
    let damaged = SAMPLE.replace("cd5396accccdc58cc5239c6ac", "cd5396acccdc58cc5239c6ac");
    refused(damaged.as_bytes(), "line 7: the row has 24 rooms, and the first row has 25");
    refused(b"5b\n63b\n", "line 2: the row has 3 rooms, and the first row has 2");
    refused(b"5b\n\n6b\n", "line 2: a blank line between rows");
}

#[test]
fn a_character_that_is_not_a_digit_is_refused() {
    refused(b"5g\n", "line 1, column 2: 'g' is not a hexadecimal digit");
    refused(b"5b \n63\n", "line 1, column 3: ' ' is not a hexadecimal digit");
    refused(b"5b\n\t63\n", "line 2, column 1: '\\t' is not a hexadecimal digit");
    refused(b"5\rb\n", "line 1, column 2: '\\r' is not a hexadecimal digit");
    refused("5\u{e9}\n".as_bytes(), "line 1, column 2: '\u{e9}' is not a hexadecimal digit");
    refused(b"\0", "line 1, column 1: '\\0' is not a hexadecimal digit");
    refused(b"f\xff\n", "line 1, column 2: byte 0xff is not a hexadecimal digit");
}

#[test]
fn an_opening_needs_both_sides_and_the_border_is_closed() {
    let args = ["maze.txt", "path.txt", "0", "0", "1", "0"];
    for maze in [b"7f\n", b"fb\n"] {
        fails(maze::solver, &args, maze, "no way leads from 0, 0 to 1, 0\n");
    }
    assert_eq!(solve(maze::solver, b"00\n", (0, 0), (1, 0)), "0, 0\n1, 0\n");
    assert_eq!(solve(maze::solver_full, b"0\n0\n", (0, 1), (0, 0)), "0, 1\n0, 0\n");
}

#[test]
fn a_goal_that_cannot_be_reached_is_an_error() {
    let args = ["maze.txt", "path.txt", "0", "0", "2", "1"];
    for program in [maze::solver, maze::solver_full] {
        fails(program, &args, b"53b\n7bf\n", "no way leads from 0, 0 to 2, 1\n");
    }
}

#[track_caller]
fn refused(maze: &[u8], message: &str) {
    fails(maze::solver, &ARGS, maze, &format!("{message}\n"));
    fails(maze::solver_full, &ARGS, maze, &format!("{message}\n"));
}
