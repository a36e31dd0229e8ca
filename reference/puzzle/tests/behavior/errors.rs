//! Invalid maps are rejected with the position of the first error.

use crate::run::{Ran, run};

#[track_caller]
fn check(input: &str, message: &str) {
    let ran = run("-q", input.as_bytes());
    assert_eq!(
        ran,
        Ran { status: 1, stdout: String::new(), stderr: format!("{message}\n") },
        "{input}"
    );
}

#[test]
fn the_header_is_three_unsigned_integers() {
    check("", "line 1, column 1: the number of colors is missing");
    check("\n@?\n", "line 1, column 1: the number of colors is missing");
    check("0 1\n@?\n", "line 1, column 4: the width is missing");
    check("0 1 \r\n@?\n", "line 1, column 4: the width is missing");
    check("0 1 2 3\n@?\n", "line 1, column 7: '3' is left over after the width");
    check("a 1 2\n@?\n", "line 1, column 1: the number of colors is not an unsigned integer: 'a'");
    check("0 -1 2\n@?\n", "line 1, column 3: the height is not an unsigned integer: '-1'");
    check("0 1 2.0\n@?\n", "line 1, column 5: the width is not an unsigned integer: '2.0'");
    check("0 +1 2\n@?\n", "line 1, column 3: the height is not an unsigned integer: '+1'");
    check(
        &"x".repeat(9000),
        "line 1, column 1: the number of colors is not an unsigned integer: 'xxxxxxxxxxxxxxxxxxxx...'",
    );
    check(
        "// no\n0 1 2\n@?\n",
        "line 1, column 1: the number of colors is not an unsigned integer: '//'",
    );
}

#[test]
fn no_part_of_a_long_header_is_read_as_a_row() {
    let header = |length: usize| format!("{:length$}", "0 1 2");
    for rest in ["@?\n", "\n@?\n", "\r\n@?\n"] {
        check(&(header(5000) + rest), "line 1: the header is longer than 4096 bytes");
    }
    for rest in ["\n@?\n", "\r\n@?\n"] {
        let ran = run("-q", (header(4096) + rest).as_bytes());
        assert_eq!((ran.status, ran.stdout.as_str()), (0, "// color ^\n@?\n"));
    }
}

#[test]
fn each_number_of_the_header_has_its_range() {
    check("27 1 2\n@?\n", "line 1, column 1: 27 colors are more than 26");
    check("0 0 2\n", "line 1, column 3: the height is less than 1");
    check("0 2 0\n", "line 1, column 5: the width is less than 1");
    check(
        "0 1 4294967296\n@?\n",
        "line 1, column 5: the width does not fit in 32 bits: 4294967296",
    );
}

#[test]
fn a_map_too_large_is_refused_before_it_is_read() {
    check("0 4000000000 4000000000\n@?\n", "line 1: a map of 4000000000 × 4000000000 is too large");
    check("0 1 4294967295\n@?\n", "line 1: a map of 1 × 4294967295 is too large");
    check("26 70000 70000\n@?\n", "line 1: a map of 70000 × 70000 is too large");
}

#[test]
fn the_rows_have_the_number_and_the_length_in_the_header() {
    check("0 2 2\n@?\n", "line 3, column 1: the map ends after 1 of its 2 rows");
    check("0 2 2\n// c\n", "line 3, column 1: the map ends after 0 of its 2 rows");
    check("0 1 3\n@?\n", "line 2, column 3: the row ends after 2 of its 3 tiles");
    check("0 1 3\n\n@?.\n", "line 2, column 1: the row ends after 0 of its 3 tiles");
    check("0 2 2\n@?\n.", "line 3, column 2: the row ends after 1 of its 2 tiles");
    check("0 1 2\n@?.\n", "line 2, column 3: the row is longer than 2 tiles");
    check("0 1 2\n@? \n", "line 2, column 3: the row is longer than 2 tiles");
    check("0 1 2\n@?.........", "line 2, column 3: the row is longer than 2 tiles");
    check("0 1 2\n@?\n\n ..\n", "line 4, column 2: '.' is left over after the map");
    check(
        "0 1 2\n@?\n// too late\n",
        "line 3, column 1: '/' is left over after the map; this course allows comments only between the header and the map",
    );
}

#[test]
fn every_tile_is_one_of_the_map_characters() {
    check("0 1 3\n@+?\n", "line 2, column 2: '+' is not a map character");
    check("0 1 3\n@ ?\n", "line 2, column 2: ' ' is not a map character");
    check("0 1 3\n@\t?\n", "line 2, column 2: '\\t' is not a map character");
    check("0 1 3\n@\0?\n", "line 2, column 2: '\\x00' is not a map character");
    check("3 2 2\n@?\n.z\n", "line 3, column 2: 'z' is none of the map's 3 colors");
    check("3 1 3\n@D?\n", "line 2, column 2: 'D' is none of the map's 3 colors");
    check("0 1 3\n@a?\n", "line 2, column 2: 'a' is none of the map's 0 colors");
    check("26 1 3\n@[?\n", "line 2, column 2: '[' is not a map character");
    check("26 1 3\n@`?\n", "line 2, column 2: '`' is not a map character");
    check(
        "0 2 3\n@.?\n// \n",
        "line 3, column 1: '/' is not a map character; this course allows comments only between the header and the map",
    );
    check("0 1 3\n @?.\n", "line 2, column 1: ' ' is not a map character");
}

#[test]
fn the_start_and_the_target_appear_exactly_once() {
    check("0 2 2\n..\n?.\n", "line 3: the map has no '@'");
    check("0 2 2\n..\n@.\n", "line 3: the map has no '?'");
    check("0 2 2\n@?\n.@\n", "line 3, column 2: a second '@'; the first is on line 2, column 1");
    check("0 1 4\n@?.?\n", "line 2, column 4: a second '?'; the first is on line 2, column 2");
}

#[test]
fn a_byte_that_is_not_ascii_is_named() {
    let ran = run("-q", b"0 1 3\n@\xff?\n");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (1, "line 2, column 2: '\\xff' is not a map character\n")
    );
}
